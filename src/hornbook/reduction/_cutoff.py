"""Rules that choose the number of principal components from the spectrum."""

from __future__ import annotations

import math
from typing import Literal, TypeAlias

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import gammaln

from hornbook.params import Floats

__all__ = ["Rule", "cutoff"]

Rule: TypeAlias = Literal["share", "kaiser", "broken_stick", "elbow", "mle"]


def cutoff(
    variances: ArrayLike,
    rule: Rule = "share",
    *,
    share: float = 0.9,
    total: float | None = None,
    n_rows: int | None = None,
) -> int:
    """Say how many components to keep.

    Parameters
    ----------
    variances : array-like of shape (n_components,)
        The variances along the components, in descending order, such as ``PCA.spectrum_``.
    rule : {"share", "kaiser", "broken_stick", "elbow", "mle"}, default "share"
        ``"share"``: the fewest that have this share of the variance. ``"kaiser"``: those with more than the
        mean variance. ``"broken_stick"``: those, from the first on, whose share exceeds that of the i-th
        longest of as many pieces of a stick broken at random, (1/i + ... + 1/p) / p. ``"elbow"``: those
        before the point of the spectrum farthest below the line from its first to its last point.
        ``"mle"``: the dimension of greatest evidence (Minka 2000), for which ``n_rows`` is needed.
    share : float, default 0.9
        For ``"share"``.
    total : float, optional
        The variance of all components, if these are not all; their sum when left out.
    n_rows : int, optional
        The number of rows behind the variances.

    Returns
    -------
    int
        At least 1.

    Examples
    --------
    >>> spectrum = [5.0, 3.0, 1.0, 0.5, 0.5]
    >>> [cutoff(spectrum, rule) for rule in ("share", "kaiser", "broken_stick", "elbow")]
    [3, 2, 2, 2]
    """
    spectrum = np.asarray(variances, dtype=np.float64)
    if spectrum.ndim != 1 or not len(spectrum) or not np.isfinite(spectrum).all() or (spectrum < 0).any():
        raise ValueError("cutoff: 'variances' must be a list of finite numbers that are not negative.")
    if (np.diff(spectrum) > 1e-9 * spectrum.max()).any():
        raise ValueError("cutoff: 'variances' must descend: sort them first.")
    if not 0 < share <= 1:
        raise ValueError(f"cutoff: 'share' must be above 0 and at most 1; got {share}.")
    whole = float(spectrum.sum()) if total is None else float(total)
    if not whole > 0:
        return 1  # rows that do not vary
    if rule == "mle":
        return _greatest_evidence(spectrum, n_rows)
    counts = {"share": _share, "kaiser": _kaiser, "broken_stick": _broken_stick, "elbow": _elbow}
    if rule not in counts:
        raise ValueError(
            f"cutoff: 'rule' must be one of {', '.join(map(repr, [*counts, 'mle']))}; got {rule!r}."
        )
    return max(1, counts[rule](spectrum, whole, share))


def _share(spectrum: Floats, whole: float, share: float) -> int:
    # Sums that miss the share by no more than their rounding have it.
    reached = np.cumsum(spectrum) >= share * whole * (1 - 1e-12)
    return int(reached.argmax()) + 1 if reached.any() else len(spectrum)


def _kaiser(spectrum: Floats, whole: float, _: float) -> int:
    # Kaiser (1960): eigenvalues of correlations above 1, which is their mean, so that any scale can be used.
    return int((spectrum > whole / len(spectrum)).sum())


def _broken_stick(spectrum: Floats, whole: float, _: float) -> int:
    # Expected lengths of the pieces (MacArthur 1957) as a null model of variances (Frontier 1976).
    pieces = np.cumsum(1.0 / np.arange(len(spectrum), 0, -1))[::-1] / len(spectrum)
    longer = spectrum / whole > pieces
    return len(spectrum) if longer.all() else int(longer.argmin())


def _elbow(spectrum: Floats, _: float, __: float) -> int:
    # Vertical distances: perpendicular ones are these times a constant, and have the same maximum.
    line = np.linspace(spectrum[0], spectrum[-1], len(spectrum))
    return int((line - spectrum).argmax())


def _greatest_evidence(spectrum: Floats, n_rows: int | None) -> int:
    if n_rows is None or n_rows < len(spectrum):
        raise ValueError(
            f"cutoff: rule 'mle' needs n_rows, at least as many as the {len(spectrum)} variances; "
            f"got {n_rows}."
        )
    evidence = [_evidence(spectrum, rank, n_rows) for rank in range(1, len(spectrum))]
    return 1 + int(np.argmax(evidence)) if evidence else 1


def _evidence(spectrum: Floats, rank: int, n: int) -> float:
    """Laplace's approximation of the log evidence of a dimension (Minka 2000)."""
    p, tiny = len(spectrum), np.finfo(np.float64).tiny
    if spectrum[rank - 1] <= np.finfo(np.float64).eps * spectrum[0]:
        return -math.inf  # a direction without variance is not a dimension
    # Variance of the directions left out, as probabilistic PCA estimates it.
    noise = max(float(spectrum[rank:].mean()), np.finfo(np.float64).eps)
    # The logarithm of 1 over the volume of the orthonormal frames: a uniform prior of the directions.
    sizes = (p - np.arange(1, rank + 1) + 1) / 2
    prior = -rank * math.log(2) + float((gammaln(sizes) - sizes * math.log(math.pi)).sum())
    fit = -0.5 * n * (np.log(spectrum[:rank]).sum() + (p - rank) * math.log(noise))
    free = p * rank - rank * (rank + 1) / 2
    smoothed = np.append(spectrum[:rank], np.full(p - rank, noise))
    i, j = np.triu_indices(p, 1)
    own = i < rank
    # Curvature of the likelihood when direction i turns toward direction j. It is 0 for equal variances,
    # between which any direction is as good; a tiny number keeps the logarithm finite.
    gaps = (1 / smoothed[j[own]] - 1 / smoothed[i[own]]) * (spectrum[i[own]] - spectrum[j[own]])
    curvature = float(np.log(np.maximum(gaps, tiny)).sum()) + own.sum() * math.log(n)
    volume = 0.5 * math.log(2 * math.pi) * (free + rank)
    return float(prior + fit + volume - 0.5 * curvature - 0.5 * rank * math.log(n))

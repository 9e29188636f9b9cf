"""How clear-cut fuzzy clusters are, and how compact and separate."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from hornbook.frame import as_frame
from hornbook.params import Floats

__all__ = ["partition_coefficient", "partition_entropy", "xie_beni"]


def partition_coefficient(memberships: ArrayLike, *, normalized: bool = False) -> float:
    """Mean over the rows of the sum of squared memberships (Bezdek 1974); greater is clearer.

    It is 1 for hard clusters and 1 / c when all rows belong to all c clusters evenly.

    Parameters
    ----------
    memberships : array-like of shape (n_rows, n_clusters)
        Memberships from 0 to 1, with sum 1 in each row.
    normalized : bool, default False
        Whether to scale to [0, 1] by 1 - c / (c - 1) (1 - coefficient), as Dave (1996) does, which
        makes numbers of clusters comparable.

    Returns
    -------
    coefficient : float
        From 1 / c, or 0 if normalized, to 1.

    Examples
    --------
    >>> partition_coefficient([[1.0, 0.0], [0.5, 0.5]])
    0.75
    >>> partition_coefficient([[1.0, 0.0], [0.5, 0.5]], normalized=True)
    0.5
    """
    u = _checked("partition_coefficient", memberships)
    coefficient = float(np.square(u).sum(axis=1).mean())
    c = u.shape[1]
    if not normalized:
        return coefficient
    # The coefficient is at least 1 / c; normalizing maps [1 / c, 1] to [0, 1] (Dave 1996).
    return 1.0 if c == 1 else 1.0 - c / (c - 1) * (1.0 - coefficient)


def partition_entropy(memberships: ArrayLike, *, base: float = np.e) -> float:
    """Mean over the rows of the entropy of their memberships (Bezdek 1974); smaller is clearer.

    Parameters
    ----------
    memberships : array-like of shape (n_rows, n_clusters)
        Memberships from 0 to 1, with sum 1 in each row.
    base : float, default e
        Of the logarithm.

    Returns
    -------
    entropy : float
        From 0 for hard clusters to log c for rows that belong to all c clusters evenly.

    Examples
    --------
    >>> partition_entropy([[1.0, 0.0], [0.5, 0.5]], base=2)
    0.5
    """
    u = _checked("partition_entropy", memberships)
    if not 1.0 < base < np.inf:
        raise ValueError(f"partition_entropy: 'base' must be above 1 and finite; got {base}.")
    # 0 log 0 = 0; the mask avoids the NaN that numpy would make of it.
    logs = np.log(u, out=np.zeros_like(u), where=u > 0) / np.log(base)
    return float(0.0 - (u * logs).sum(axis=1).mean())


def xie_beni(X: Any, memberships: ArrayLike, centers: ArrayLike, *, fuzzifier: float = 2.0) -> float:
    """Compactness over separation of fuzzy clusters (Xie and Beni 1991); smaller is better.

    The sum of u^w d² over rows and clusters, divided by the number of rows times the smallest squared
    distance of two centers. Their paper has w = 2, whatever the fuzzifier of the clustering; others use its
    own. It falls when there are nearly as many clusters as rows.

    Parameters
    ----------
    X : table of shape (n_rows, n_columns)
        The rows, complete numbers.
    memberships : array-like of shape (n_rows, n_clusters)
        Memberships from 0 to 1, with sum 1 in each row.
    centers : array-like of shape (n_clusters, n_columns)
        At least two centers.
    fuzzifier : float, default 2.0
        The exponent w, at least 1.

    Returns
    -------
    index : float
        At least 0; infinite if two centers coincide.

    Examples
    --------
    >>> xie_beni([[0.0], [1.0], [8.0], [9.0]], [[1, 0], [1, 0], [0, 1], [0, 1]], [[0.5], [8.5]])
    0.00390625
    """
    u = _checked("xie_beni", memberships)
    rows, places = as_frame(X).features.matrix, np.asarray(centers, dtype=np.float64)
    if len(rows) != len(u) or not np.isfinite(rows).all():
        raise ValueError(
            f"xie_beni: 'X' must have one row of finite numbers for each of the {len(u)} rows of "
            f"'memberships'; got shape {rows.shape}: leave out rows that lack a value."
        )
    if places.shape != (u.shape[1], rows.shape[1]) or len(places) < 2 or not np.isfinite(places).all():
        raise ValueError(
            f"xie_beni: 'centers' must be finite numbers of shape ({max(u.shape[1], 2)}, {rows.shape[1]}), "
            f"one row for each column of 'memberships' and at least two; got shape {places.shape}."
        )
    if not 1.0 <= fuzzifier < np.inf:
        raise ValueError(f"xie_beni: 'fuzzifier' must be at least 1 and finite; got {fuzzifier}.")
    total = 0.0
    for center, degree in zip(places, u.T, strict=True):
        # One center at a time: rows x centers x columns would not fit for a large table.
        total += float(degree**fuzzifier @ np.square(rows - center).sum(axis=1))
    gaps = np.square(places[:, None] - places).sum(axis=2)
    least = float(gaps[~np.eye(len(places), dtype=bool)].min())
    # Coinciding centers are not separated at all, however compact the clusters.
    return total / (len(u) * least) if least > 0 else np.inf


def _checked(function: str, memberships: ArrayLike) -> Floats:
    u = np.asarray(memberships, dtype=np.float64)
    inside = u.ndim == 2 and u.size > 0 and bool(((u >= 0) & (u <= 1)).all())
    if not inside or not np.allclose(u.sum(axis=1), 1.0, rtol=0.0, atol=1e-6):
        raise ValueError(
            f"{function}: 'memberships' must be numbers from 0 to 1 with sum 1 in each row; got shape "
            f"{u.shape}: with noise, add 1 minus the sum as a column; for possibilistic ones there is none."
        )
    return u

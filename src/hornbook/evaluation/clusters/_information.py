"""Clusterings compared by information: how much one says about the other."""

from __future__ import annotations

from typing import Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.special import gammaln, xlogy

from hornbook.evaluation.clusters._cluster_measure import cluster_measure
from hornbook.evaluation.clusters._pair_counts import contingency
from hornbook.evaluation.clusters._shared_texts import explained
from hornbook.params import Floats

__all__ = [
    "adjusted_mutual_information",
    "completeness",
    "homogeneity",
    "mutual_information",
    "normalized_mutual_information",
    "v_measure",
]

Mean = Literal["arithmetic", "geometric", "min", "max"]


def _entropy(counts: NDArray[np.int64]) -> float:
    shares = counts / counts.sum()
    # A single cluster gives -0.0, and rounding may give -1e-17: a plain 0 for both.
    return max(0.0, float(-xlogy(shares, shares).sum()))


def _information(table: NDArray[np.int64]) -> float:
    """The sum of p(i, j) ln(p(i, j) / (p(i) p(j))) over the cells with rows."""
    n = table.sum()
    rows, columns = np.nonzero(table)
    cells = table[rows, columns] / n
    outer = (table.sum(axis=1)[rows] / n) * (table.sum(axis=0)[columns] / n)
    # Logarithms of the factors, not of the quotient: p(i) p(j) of tiny clusters may underflow.
    return max(0.0, float((cells * (np.log(cells) - np.log(outer))).sum()))


def _mean(function: str, average: str, one: float, other: float) -> float:
    means = {
        "arithmetic": (one + other) / 2,
        "geometric": float(np.sqrt(one * other)),
        "min": min(one, other),
        "max": max(one, other),
    }
    if average not in means:
        raise ValueError(
            f"{function}: 'average' must be 'arithmetic', 'geometric', 'min' or 'max'; got {average!r}."
        )
    return means[average]


def _trivial(table: NDArray[np.int64]) -> bool:
    """Whether both clusterings are one cluster, or both have each row alone: alike, without information."""
    return table.shape == (1, 1) or (table.shape[0] == table.shape[1] == table.sum())


@cluster_measure(needs="reference", greater_is_better=True, best=np.inf)
@explained
def mutual_information(reference: ArrayLike, labels: ArrayLike) -> float:
    """Mutual information of two clusterings in nats: how much one label says about the other.

    Returns
    -------
    float
        At least 0, which is none, and at most the smaller entropy of the two.

    Examples
    --------
    >>> round(mutual_information([0, 0, 1, 1], ["a", "a", "b", "b"]), 4)
    0.6931
    """
    return _information(contingency("mutual_information", reference, labels))


@cluster_measure(needs="reference", greater_is_better=True, best=1.0)
@explained
def normalized_mutual_information(
    reference: ArrayLike, labels: ArrayLike, *, average: Mean = "arithmetic"
) -> float:
    """Mutual information divided by a mean of the two entropies.

    Parameters
    ----------
    average : {"arithmetic", "geometric", "min", "max"}, default "arithmetic"
        The mean of the entropies.

    Returns
    -------
    float
        From 0 to 1, which is best. Many small clusters raise it by chance: see `adjusted_mutual_information`.

    Examples
    --------
    >>> round(normalized_mutual_information([0, 0, 1, 1], [0, 0, 1, 2]), 4)
    0.8
    """
    table = contingency("normalized_mutual_information", reference, labels)
    one, other = _entropy(table.sum(axis=1)), _entropy(table.sum(axis=0))
    scale = _mean("normalized_mutual_information", average, one, other)
    if _trivial(table):
        return 1.0
    # No information exceeds the smaller entropy: only rounding can take the ratio above 1.
    return min(1.0, _information(table) / scale) if scale > 0 else 0.0


@cluster_measure(needs="reference", greater_is_better=True, best=1.0)
@explained
def adjusted_mutual_information(
    reference: ArrayLike, labels: ArrayLike, *, average: Mean = "arithmetic"
) -> float:
    """Mutual information minus what chance gives, over its largest value minus that (Vinh et al. 2010).

    Chance is the mean over all clusterings with the same numbers of rows in their clusters.

    Parameters
    ----------
    average : {"arithmetic", "geometric", "min", "max"}, default "arithmetic"
        The mean of the two entropies that counts as the largest value.

    Returns
    -------
    float
        1 is best, 0 is chance; it can be a little below.

    Examples
    --------
    >>> round(adjusted_mutual_information([0, 0, 1, 1], [0, 0, 1, 2]), 4)
    0.5714
    """
    table = contingency("adjusted_mutual_information", reference, labels)
    one, other = _entropy(table.sum(axis=1)), _entropy(table.sum(axis=0))
    largest = _mean("adjusted_mutual_information", average, one, other)
    if _trivial(table):
        return 1.0
    chance = _expected_information(table.sum(axis=1), table.sum(axis=0))
    room = largest - chance
    # Rounding may leave nothing, or a little less, between the largest value and chance.
    tiny = float(np.finfo(np.float64).eps)
    # Keeps the sign and stays away from a division by zero, as scikit-learn does.
    room = min(room, -tiny) if room < 0 else max(room, tiny)
    return (_information(table) - chance) / room


def _expected_information(rows: NDArray[np.int64], columns: NDArray[np.int64]) -> float:
    """The mean of the mutual information when cells are drawn with these margins (hypergeometric).

    Margins that occur several times are computed once.
    """
    n = int(rows.sum())
    row_sizes, row_times = np.unique(rows, return_counts=True)
    column_sizes, column_times = np.unique(columns, return_counts=True)
    total = 0.0
    # Clusters of equal size have equal terms; distinct sizes are few even when clusters are many,
    # O(sqrt(n)) at most.
    for a, times_a in zip(row_sizes.tolist(), row_times.tolist(), strict=True):
        for b, times_b in zip(column_sizes.tolist(), column_times.tolist(), strict=True):
            total += times_a * times_b * float(_cell_terms(a, b, n).sum())
    return total


def _cell_terms(a: int, b: int, n: int) -> Floats:
    """Information of a cell with m rows times its probability, for each m that is possible."""
    # The overlap m of two clusters of a and b rows out of n; m = 0 has no information.
    m = np.arange(max(1, a + b - n), min(a, b) + 1, dtype=np.float64)
    known = gammaln(np.array([a, b, n - a, n - b, n]) + 1.0)
    log_probability = (
        known[:4].sum()
        - known[4]
        - gammaln(m + 1)
        - gammaln(a - m + 1)
        - gammaln(b - m + 1)
        - gammaln(n - a - b + m + 1)
    )
    # exp of a sum of log-factorials: the binomials themselves overflow from n of about 1000.
    return np.asarray(m / n * (np.log(n * m) - np.log(float(a) * b)) * np.exp(log_probability))


def _explained(table: NDArray[np.int64], entropy: float) -> float:
    # An entropy of 0 means one class: there is nothing left to explain.
    return min(1.0, _information(table) / entropy) if entropy > 0 else 1.0


@cluster_measure(needs="reference", greater_is_better=True, best=1.0)
@explained
def homogeneity(reference: ArrayLike, labels: ArrayLike) -> float:
    """Whether each cluster holds rows of one class only (Rosenberg and Hirschberg 2007).

    It is 1 - H(class | cluster) / H(class), the fraction of the entropy of the classes that clusters explain.

    Returns
    -------
    float
        From 0 to 1, which is best.

    Examples
    --------
    >>> round(homogeneity([0, 0, 1, 1], [0, 0, 1, 2]), 6)
    1.0
    """
    table = contingency("homogeneity", reference, labels)
    return _explained(table, _entropy(table.sum(axis=1)))


@cluster_measure(needs="reference", greater_is_better=True, best=1.0)
@explained
def completeness(reference: ArrayLike, labels: ArrayLike) -> float:
    """Whether all rows of a class are in the same cluster: 1 - H(cluster | class) / H(cluster).

    Returns
    -------
    float
        From 0 to 1, which is best.

    Examples
    --------
    >>> round(completeness([0, 0, 1, 1], [0, 0, 1, 2]), 4)
    0.6667
    """
    table = contingency("completeness", reference, labels)
    return _explained(table, _entropy(table.sum(axis=0)))


@cluster_measure(needs="reference", greater_is_better=True, best=1.0)
@explained
def v_measure(reference: ArrayLike, labels: ArrayLike, *, beta: float = 1.0) -> float:
    """Harmonic mean of `homogeneity` h and `completeness` c: (1 + beta) h c / (beta h + c).

    Parameters
    ----------
    beta : float, default 1.0
        Above 1 completeness counts more, below 1 homogeneity.

    Returns
    -------
    float
        From 0 to 1, which is best.

    Examples
    --------
    >>> round(v_measure([0, 0, 1, 1], [0, 0, 1, 2]), 4)
    0.8
    """
    if not (np.isfinite(beta) and beta >= 0):
        raise ValueError(f"v_measure: 'beta' must be a finite number >= 0; got {beta!r}.")
    table = contingency("v_measure", reference, labels)
    h = _explained(table, _entropy(table.sum(axis=1)))
    c = _explained(table, _entropy(table.sum(axis=0)))
    return (1 + beta) * h * c / (beta * h + c) if beta * h + c > 0 else 0.0

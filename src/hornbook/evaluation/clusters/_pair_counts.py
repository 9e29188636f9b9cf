"""Clusterings compared by pairs of rows: together or apart in one and in the other."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from hornbook.evaluation.clusters._cluster_measure import cluster_measure
from hornbook.evaluation.clusters._partition import partition_of
from hornbook.evaluation.clusters._shared_texts import explained

__all__ = [
    "PairCounts",
    "adjusted_rand",
    "contingency",
    "fowlkes_mallows",
    "jaccard",
    "pair_counts",
    "rand",
]


@dataclass(frozen=True)
class PairCounts:
    """Numbers of pairs of rows, by whether each clustering puts the two together; the sum is n (n - 1) / 2.

    Parameters
    ----------
    same_same : int
        Together in both (a, SS).
    same_different : int
        Together in the clustering, apart in the reference (b, SD).
    different_same : int
        Apart in the clustering, together in the reference (c, DS).
    different_different : int
        Apart in both (d, DD).
    """

    same_same: int
    same_different: int
    different_same: int
    different_different: int

    @property
    def total(self) -> int:
        """All pairs."""
        return self.same_same + self.same_different + self.different_same + self.different_different


def contingency(function: str, reference: ArrayLike, labels: ArrayLike) -> NDArray[np.int64]:
    """Count the rows of each reference cluster (rows of the table) in each cluster (columns)."""
    truth = partition_of(function, "reference", reference)
    clusters = partition_of(function, "labels", labels, len(truth.codes))
    k = len(clusters.names)
    cells = truth.codes.astype(np.int64) * k + clusters.codes
    return np.bincount(cells, minlength=len(truth.names) * k).reshape(-1, k).astype(np.int64)


def _pairs(counts: NDArray[np.int64]) -> int:
    # Python integers: the sum of squares of a hundred million rows would overflow 64 bits.
    return sum(n * (n - 1) // 2 for n in counts.ravel().tolist())


def _counted(function: str, reference: ArrayLike, labels: ArrayLike) -> PairCounts:
    table = contingency(function, reference, labels)
    # Pairs from the contingency table in O(cells), not from the n (n - 1) / 2 pairs themselves.
    both, in_reference, in_clusters = _pairs(table), _pairs(table.sum(axis=1)), _pairs(table.sum(axis=0))
    total = _pairs(table.sum(keepdims=True))
    return PairCounts(
        both, in_clusters - both, in_reference - both, total - in_clusters - in_reference + both
    )


@explained
def pair_counts(reference: ArrayLike, labels: ArrayLike) -> PairCounts:
    """Count pairs of rows that two clusterings put together or apart.

    Returns
    -------
    counts : PairCounts
        The four numbers; scikit-learn's ``pair_confusion_matrix`` counts every pair twice.

    Examples
    --------
    >>> pair_counts(["x", "x", "y", "y"], [0, 0, 0, 1])
    PairCounts(same_same=1, same_different=2, different_same=1, different_different=2)
    """
    return _counted("pair_counts", reference, labels)


@cluster_measure(needs="reference", greater_is_better=True, best=1.0)
@explained
def jaccard(reference: ArrayLike, labels: ArrayLike) -> float:
    """Jaccard coefficient: of the pairs together in either clustering, the fraction together in both.

    The formula is SS / (SS + SD + DS), with the counts of `pair_counts`; 1 when neither has a pair together.

    Returns
    -------
    float
        From 0 to 1, which is best.

    Examples
    --------
    >>> jaccard(["x", "x", "y", "y"], [0, 0, 0, 1])
    0.25
    """
    pairs = _counted("jaccard", reference, labels)
    either = pairs.same_same + pairs.same_different + pairs.different_same
    return pairs.same_same / either if either else 1.0


@cluster_measure(needs="reference", greater_is_better=True, best=1.0)
@explained
def fowlkes_mallows(reference: ArrayLike, labels: ArrayLike) -> float:
    """Fowlkes and Mallows' index (1983): the geometric mean of the precision and the recall of pairs.

    The formula is sqrt(SS / (SS + SD) · SS / (SS + DS)), with the counts of `pair_counts`. When one
    clustering has no pair together the value is 1 if the other has none either, else 0; scikit-learn's is 0
    in both cases.

    Returns
    -------
    float
        From 0 to 1, which is best.

    Examples
    --------
    >>> round(fowlkes_mallows(["x", "x", "y", "y"], [0, 0, 0, 1]), 4)
    0.4082
    """
    pairs = _counted("fowlkes_mallows", reference, labels)
    in_clusters = pairs.same_same + pairs.same_different
    in_reference = pairs.same_same + pairs.different_same
    if not in_clusters or not in_reference:
        # Without any pair in one of the clusterings, precision or recall is 0 / 0: alike only if both
        # lack them.
        return float(in_clusters == in_reference)
    # Two ratios in [0, 1], not the root of a product of pair counts, which is far beyond 2^53.
    return math.sqrt(pairs.same_same / in_clusters) * math.sqrt(pairs.same_same / in_reference)


@cluster_measure(needs="reference", greater_is_better=True, best=1.0)
@explained
def rand(reference: ArrayLike, labels: ArrayLike) -> float:
    """Rand's index (1971): the fraction of pairs that both clusterings treat alike.

    The formula is (SS + DD) / (n (n - 1) / 2), with the counts of `pair_counts`. Two random clusterings with
    many clusters agree on most pairs: `adjusted_rand` corrects for that.

    Returns
    -------
    float
        From 0 to 1, which is best.

    Examples
    --------
    >>> rand(["x", "x", "y", "y"], [0, 0, 0, 1])
    0.5
    """
    pairs = _counted("rand", reference, labels)
    return (pairs.same_same + pairs.different_different) / pairs.total if pairs.total else 1.0


@cluster_measure(needs="reference", greater_is_better=True, best=1.0)
@explained
def adjusted_rand(reference: ArrayLike, labels: ArrayLike) -> float:
    """Rand's index minus what chance would give, over its largest value minus that (Hubert and Arabie 1985).

    Chance is the mean over all clusterings with the same numbers of rows in their clusters.

    Returns
    -------
    float
        1 is best, 0 is chance, at least -0.5.

    Examples
    --------
    >>> adjusted_rand(["x", "x", "y", "y"], [0, 0, 0, 1]), adjusted_rand([0, 0, 1, 1], ["b", "b", "a", "a"])
    (0.0, 1.0)
    """
    pairs = _counted("adjusted_rand", reference, labels)
    a, b, c, d = (
        pairs.same_same,
        pairs.same_different,
        pairs.different_same,
        pairs.different_different,
    )
    # Identical partitions, including both trivial ones, for which the formula gives 0 / 0.
    if not b and not c:
        return 1.0
    # Hubert and Arabie's index in terms of the pair counts; algebraically the same as (RI - E) / (1 -
    # E).
    return 2 * (a * d - b * c) / ((a + b) * (b + d) + (a + c) * (c + d))

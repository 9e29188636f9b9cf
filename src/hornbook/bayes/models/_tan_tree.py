"""The tree of tree-augmented naive Bayes (Chow and Liu 1968; Friedman, Geiger and Goldszmidt 1997)."""

from __future__ import annotations

from typing import Literal

import numpy as np
from numpy.typing import NDArray

from hornbook.bayes.models._aode_model import Estimates, given_of
from hornbook.bayes.models._pairs import PairStatistics
from hornbook.bayes.models._statistics import CountingPlan
from hornbook.params import Floats

__all__ = ["Information", "information_of", "number_information_of", "spanning_tree", "tree_of"]

Codes = NDArray[np.int32]
Information = Literal["conditional", "per_class"]


def information_of(statistics: PairStatistics, plan: CountingPlan, kind: Information) -> Floats:
    """Mutual information of each pair of counted columns given the class, in nats, from relative frequencies.

    ``conditional`` is the sum over x, z and classes of P(x, z, class) log[P(x, z | class) /
    (P(x | class) P(z | class))]; ``per_class`` has P(x, z | class) as the outer weight.
    """
    sizes = plan.table_sizes
    ends = np.cumsum(sizes)
    out = np.zeros((len(sizes), len(sizes)))
    for i in range(1, len(sizes)):
        before = np.flatnonzero(sizes[:i])  # a column without levels carries no information
        if sizes[i] and len(before):
            rows = statistics.pairs[:, ends[i] - sizes[i] : ends[i], : ends[i - 1]]
            out[i, before] = out[before, i] = _information(rows, sizes[before], kind)
    return out


def _information(counts: Floats, sizes: Codes, kind: Information) -> Floats:
    """Information of a column about others, from counts of shape (n_classes, m, levels of the others)."""
    starts, owner = np.cumsum(sizes) - sizes, np.repeat(np.arange(len(sizes)), sizes)
    mass = np.add.reduceat(counts.sum(axis=1), starts, axis=1)
    total = mass[:, owner][:, None]
    share = np.divide(counts, total, out=np.zeros_like(counts), where=total > 0)
    apart = np.add.reduceat(share, starts, axis=2)[:, :, owner] * share.sum(axis=1, keepdims=True)
    ratio = np.divide(share, apart, out=np.ones_like(share), where=share > 0)
    # Rounding can make an information of 0 slightly negative.
    # A plug-in estimate is too large by about (a - 1)(b - 1) / (2 n) for a and b levels (Miller 1955), so
    # that columns with many levels attract edges.
    nats = np.maximum(np.add.reduceat((share * np.log(ratio)).sum(axis=1), starts, axis=1), 0.0)
    if kind == "per_class":
        return np.asarray(nats.sum(axis=0))
    whole = mass.sum(axis=0)
    information: Floats = np.divide(
        (nats * mass).sum(axis=0), whole, out=np.zeros_like(whole), where=whole > 0
    )
    return information


def _weighted(values: Floats, mass: Floats, kind: Information) -> float:
    if kind == "per_class":
        return float(values.sum())
    return float(values @ mass / mass.sum()) if mass.sum() > 0 else 0.0


def number_information_of(
    statistics: PairStatistics, plan: CountingPlan, kind: Information, estimates: Estimates
) -> Floats:
    """Mutual information of each counted column (columns) and each number with a normal density (rows).

    In a class it is half the log of the variance minus half the mean log of the variances at each level,
    with the variances that the densities have.
    """
    given = given_of(statistics, plan.n_classes, estimates)
    d = len(plan.table_sizes)
    if given is None:
        return np.zeros((0, d))
    ends = np.cumsum(plan.table_sizes)
    out = np.zeros((given.class_mean.shape[1], d))
    for j, m in enumerate(plan.table_sizes):
        part = slice(ends[j] - m, ends[j])
        mass = statistics.single.counts[:, part]
        total = mass.sum(axis=1, keepdims=True)
        share = np.divide(mass, total, out=np.zeros_like(mass), where=total > 0)
        # The entropy of a normal variable is half the log of its variance plus a constant, which cancels.
        lost = (share[:, :, None] * np.log(given.var[:, part])).sum(axis=1)
        gain = np.where(total > 0, 0.5 * (np.log(given.class_var) - lost), 0.0)
        for k in range(len(out)):
            out[k, j] = _weighted(np.maximum(gain[:, k], 0.0), total[:, 0], kind)
    return out


def tree_of(statistics: PairStatistics, plan: CountingPlan, weights: Floats, root: int | None) -> Codes:
    """The parent of each counted column; a column without values is never a parent, nor root by default."""
    counts = np.split(statistics.single.counts.sum(axis=0), np.cumsum(plan.table_sizes)[:-1])
    empty = np.array([part.sum() == 0 for part in counts], dtype=np.bool_)
    # Information is never negative, so -1 attaches empty columns last, as leaves.
    apart = np.where(empty[:, None] | empty, -1.0, weights) if len(weights) else weights
    return spanning_tree(apart, int(np.argmin(empty)) if root is None and len(weights) else root or 0)


def spanning_tree(weights: Floats, root: int) -> Codes:
    """The parent of each node in the spanning tree of largest weight, edges directed away from the root.

    Prim's algorithm (1957); ties in weight go to the earlier node.
    """
    d = len(weights)
    parents = np.full(d, -1, dtype=np.int32)
    if not d:
        return parents
    # For each node outside the tree, its heaviest edge into the tree and the node at the other end.
    best, above = weights[root].copy(), np.full(d, root, dtype=np.int32)
    inside = np.zeros(d, dtype=np.bool_)
    inside[root] = True
    # O(d**2), the number of edges of a complete graph, which Kruskal's algorithm would have to sort.
    for _ in range(d - 1):
        new = int(np.argmax(np.where(inside, -np.inf, best)))
        parents[new], inside[new] = above[new], True
        # Strictly greater: a later node never replaces an earlier one of equal weight.
        closer = weights[new] > best
        best, above = np.where(closer, weights[new], best), np.where(closer, new, above).astype(np.int32)
    return parents

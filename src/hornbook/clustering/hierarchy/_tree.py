"""The tree of merges: by which distances it is made, and how it is cut into clusters."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray
from scipy.spatial.distance import squareform

from hornbook import _native
from hornbook.distances import CalledSpace, Placed, Space
from hornbook.frame import require_memory
from hornbook.params import Floats

__all__ = [
    "Linkage",
    "MergeTree",
    "cut",
    "graph_tree",
    "graph_ward_tree",
    "matrix_tree",
    "rows_tree",
    "ward_tree",
]

Linkage = Literal["ward", "complete", "average", "single"]

REMEDY = (
    "linkage='ward' and linkage='single' need no matrix for numbers and named distances; else cluster a "
    "sample of the rows, or the centers of KMeans with many clusters"
)


@dataclass(frozen=True)
class MergeTree:
    """Merges in their order: from the lowest to the highest, if all rows are neighbors.

    Parameters
    ----------
    children : ndarray of shape (n_leaves - 1, 2)
        The nodes that each merge joins; below n_leaves they are leaves, else merges, counted from there.
    heights : ndarray of shape (n_leaves - 1,)
        How far apart these are.
    """

    children: NDArray[np.int64]
    heights: Floats


def ward_tree(X: Floats, mass: Floats) -> MergeTree:
    """Merge the two clusters whose union has the least additional sum of squares around its mean."""
    # Ward (1963). The sum of squares grows by m1 m2 / (m1 + m2) |c1 - c2|², so that means and weights of
    # clusters take the place of a matrix of distances.
    return MergeTree(*_native.linkage_ward(X, mass))


def rows_tree(
    space: Space | CalledSpace, rows: Placed, mass: Floats, linkage: Linkage, n_threads: int
) -> MergeTree:
    """Merge by distances of placed rows; only single linkage of named distances needs no matrix."""
    if isinstance(space, Space) and linkage == "single":
        # The edges of the minimum spanning tree in the order of their lengths (Gower and Ross 1969), by
        # Prim's algorithm in O(n) memory.
        return MergeTree(*_native.linkage_single(rows.numbers, rows.codes, *space.arguments))
    require_memory(len(rows), (len(rows) + 1) // 2, REMEDY)
    if isinstance(space, Space):
        # Condensed: n (n - 1) / 2 distances, half of the square matrix.
        condensed = _native.pairwise_condensed(rows.numbers, rows.codes, *space.arguments, n_threads)
        return _condensed_tree(condensed, mass, linkage)
    return matrix_tree(space.pairwise(rows, rows, n_threads), mass, linkage)


def matrix_tree(distances: Floats, mass: Floats, linkage: Linkage) -> MergeTree:
    """Merge by the distances of all rows."""
    require_memory(len(distances), (len(distances) + 1) // 2, REMEDY)
    return _condensed_tree(squareform(distances, checks=False), mass, linkage)


def graph_tree(edges: NDArray[np.int64], distances: Floats, mass: Floats, linkage: Linkage) -> MergeTree:
    """Merge neighbors alone, by the distances of the edges."""
    return MergeTree(*_native.linkage_graph(edges, distances, mass, linkage))


def graph_ward_tree(X: Floats, edges: NDArray[np.int64], mass: Floats) -> MergeTree:
    """Merge the two neighbors whose union has the least additional sum of squares around its mean."""
    return MergeTree(*_native.linkage_graph_ward(X, edges, mass))


def _condensed_tree(condensed: Floats, mass: Floats, linkage: Linkage) -> MergeTree:
    """Merge by the distances of all pairs, which are overwritten."""
    # Lance-Williams updates along nearest-neighbor chains (Murtagh 1983), O(n^2).
    return MergeTree(*_native.linkage_condensed(condensed, mass, linkage))


def cut(tree: MergeTree, n_clusters: int) -> NDArray[np.intp]:
    """Return the cluster of each leaf before the last n_clusters - 1 merges, in any order.

    Parameters
    ----------
    tree : MergeTree
        The tree.
    n_clusters : int
        From 1 to the number of leaves.

    Examples
    --------
    >>> tree = MergeTree(np.array([[0, 2], [1, 3]]), np.array([0.5, 2.0]))
    >>> labels = cut(tree, 2)
    >>> bool(labels[0] == labels[2] != labels[1])
    True
    """
    n_leaves = len(tree.heights) + 1
    n_merges = n_leaves - n_clusters
    n = n_leaves + n_merges
    # Every node points at the merge it is part of, then at the one above that, twice as high each time.
    tops = np.arange(n)
    tops[tree.children[:n_merges].ravel()] = np.repeat(np.arange(n_leaves, n), 2)
    # Pointer jumping: after log2(n) doublings every leaf points at the top of its cluster.
    for _ in range(n.bit_length()):
        tops = tops[tops]
    return np.unique(tops[:n_leaves], return_inverse=True)[1]

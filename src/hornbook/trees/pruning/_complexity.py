"""Minimal cost-complexity pruning (Breiman, Friedman, Olshen and Stone 1984, chapter 3).

The cost of a tree is the impurity of its leaves plus alpha times their number.
"""

from __future__ import annotations

import heapq
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from hornbook.params import Floats
from hornbook.trees._fitted import FittedTree

__all__ = ["PruningPath", "prune_to", "pruning_path"]


@dataclass(frozen=True)
class PruningPath:
    """The nested subtrees that remain when the weakest link is pruned again and again.

    Parameters
    ----------
    ccp_alphas : ndarray of shape (n_trees,)
        The alpha at which each tree becomes the best, from 0 for the first.
    impurities : ndarray of shape (n_trees,)
        Impurity of its leaves, weighted by their share of the rows.
    """

    ccp_alphas: Floats
    impurities: Floats


# Only ancestors of a cut change, and their old entries stay in the heap until they surface: a whole path
# takes O(n depth log n), and not the O(n**2) of searching all nodes for each cut.
class _WeakestLinks:
    """Inner nodes t by effective alpha g(t) = (R(t) - R(T_t)) / (|T_t| - 1), the rise per leaf saved."""

    def __init__(self, tree: FittedTree) -> None:
        self._above = tree.parent.tolist()
        self._risk = (tree.weight / tree.weight[0] * tree.impurity).tolist()
        self.is_leaf = tree.is_leaf.tolist()
        self._leaves = [int(leaf) for leaf in self.is_leaf]
        self._below = [risk if leaf else 0.0 for risk, leaf in zip(self._risk, self.is_leaf, strict=True)]
        # Children have larger numbers than their parents, so that one backward pass sums whole subtrees.
        for node in range(len(tree) - 1, 0, -1):
            self._leaves[self._above[node]] += self._leaves[node]
            self._below[self._above[node]] += self._below[node]
        self._tree = tree
        self._gone = [False] * len(tree)
        inner = [node for node, leaf in enumerate(self.is_leaf) if not leaf]
        self._heap = [(self._effective_alpha(node), node) for node in inner]
        heapq.heapify(self._heap)

    def _effective_alpha(self, node: int) -> float:
        worse = float(self._risk[node] - self._below[node])
        # A split never raises the impurity, but rounding may say so.
        return max(0.0, worse) / (self._leaves[node] - 1)

    @property
    def impurity(self) -> float:
        """Impurity of the current leaves."""
        return float(self._below[0])

    def weakest(self) -> tuple[float, int] | None:
        """Effective alpha and node of the weakest link, or None when only the root is left."""
        while self._heap:
            alpha, node = self._heap[0]
            # Entries from before a cut below are stale, and are dropped here.
            if not self._gone[node] and not self.is_leaf[node] and alpha == self._effective_alpha(node):
                return alpha, node
            heapq.heappop(self._heap)
        return None

    def cut(self, node: int) -> None:
        """Make a leaf of a node, and update its ancestors."""
        below = list(self._tree.children(node))
        while below:
            lower = below.pop()
            self._gone[lower] = True
            if not self.is_leaf[lower]:
                below += self._tree.children(lower)
        fewer, worse = self._leaves[node] - 1, self._risk[node] - self._below[node]
        self.is_leaf[node] = True
        ancestor = node
        while ancestor >= 0:
            self._leaves[ancestor] -= fewer
            self._below[ancestor] += worse
            if ancestor != node:
                heapq.heappush(self._heap, (self._effective_alpha(ancestor), ancestor))
            ancestor = self._above[ancestor]


def pruning_path(tree: FittedTree) -> PruningPath:
    """All subtrees that are the best for some alpha."""
    links = _WeakestLinks(tree)
    alphas, impurities = [0.0], [links.impurity]
    while (weakest := links.weakest()) is not None:
        alpha, node = weakest
        links.cut(node)
        if alpha <= _rounded_up(alphas[-1]):  # one alpha, several cuts
            impurities[-1] = links.impurity
        else:
            alphas.append(alpha)
            impurities.append(links.impurity)
    return PruningPath(np.array(alphas), np.array(impurities))


def _rounded_up(alpha: float) -> float:
    """Upper bound of the alphas that equal this one up to rounding."""
    return alpha * (1.0 + 1e-12) + 1e-15


def prune_to(tree: FittedTree, alpha: float) -> FittedTree:
    """The smallest subtree that is the best for this alpha."""
    if not len(tree.impurity):
        raise ValueError(
            "pruning needs the impurities of nodes, which a forest does not keep: set ccp_alpha of the "
            "forest, or take the tree from forest.tree(t, X, y)."
        )
    # Best subtrees are nested, so all nodes pruned at slightly less than alpha can go in one vectorized step.
    tree = tree.cut(_pruned_at(tree, alpha * (1.0 - 1e-9)))
    links = _WeakestLinks(tree)
    while (weakest := links.weakest()) is not None and weakest[0] <= _rounded_up(alpha):
        links.cut(weakest[1])
    return tree.cut(np.array(links.is_leaf))


def _pruned_at(tree: FittedTree, alpha: float) -> NDArray[np.bool_]:
    """Nodes that are leaves of the best subtree or lie below one, level by level from the deepest."""
    above, depth = tree.parent, tree.depth
    alone = tree.weight / tree.weight[0] * tree.impurity + alpha
    leaf, below = tree.is_leaf.copy(), np.zeros(len(tree))
    for level in range(int(depth.max()), -1, -1):
        nodes = np.flatnonzero(depth == level)
        # R(t) + alpha against the cost of the best subtree below. Ties become leaves: of several best
        # subtrees the smallest is unique (Breiman et al. 1984, section 3.2).
        leaf[nodes] |= alone[nodes] <= below[nodes]
        if level:
            np.add.at(below, above[nodes], np.where(leaf[nodes], alone[nodes], below[nodes]))
    return leaf

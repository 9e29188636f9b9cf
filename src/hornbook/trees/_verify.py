"""Checks that nodes loaded from a file form trees, before anything traverses them."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

__all__ = ["require_trees"]


def require_trees(first_child: NDArray[Any], n_children: NDArray[Any], roots: NDArray[Any]) -> None:
    """Reject nodes in which some path from a root does not end in a leaf, or that have several parents.

    Parameters
    ----------
    first_child : ndarray of shape (n_nodes,)
        The first child of each node that has any; the others follow it.
    n_children : ndarray of shape (n_nodes,)
        Number of children; 0 in leaves.
    roots : ndarray of shape (n_trees,)
        First node of each tree; the nodes of a tree are contiguous.

    Examples
    --------
    >>> require_trees(np.array([1, 0, 0]), np.array([2, 0, 0]), np.array([0]))
    >>> require_trees(np.array([0, 0]), np.array([2, 0]), np.array([0]))
    Traceback (most recent call last):
    ValueError: the children of node 0 do not come after it within its tree
    """
    n_nodes = len(first_child)
    if not n_nodes or not len(roots) or roots[0] != 0 or (np.diff(roots) <= 0).any() or roots[-1] >= n_nodes:
        raise ValueError("the roots are not the first nodes of trees")
    inner = np.flatnonzero(n_children > 0)
    first = first_child[inner].astype(np.int64)
    after = first + n_children[inner]
    end = np.append(roots[1:], n_nodes)[np.searchsorted(roots, inner, side="right") - 1]
    wrong = (first <= inner) | (after > end) | (n_children[inner] < 0)
    if wrong.any():
        node = int(inner[wrong.argmax()])
        raise ValueError(f"the children of node {node} do not come after it within its tree")
    # Children after their parents exclude cycles; exactly one parent for each node, where a root counts as
    # its own, excludes shared subtrees and nodes that nothing reaches. No more is needed for a tree.
    # Number of parents of each node as a difference array: +1 at each first child, -1 after each last.
    steps = np.zeros(n_nodes + 1, dtype=np.int32)
    np.add.at(steps, first, 1)
    np.subtract.at(steps, after, 1)
    steps[roots] += 1
    steps[roots + 1] -= 1
    if (np.cumsum(steps[:-1]) != 1).any():
        raise ValueError("a node has no parent, or several")

"""Proximities: how often rows share a leaf in a forest; outlier scores from them (Breiman)."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array

from hornbook.params import Floats

__all__ = ["outlier_scores", "shared_leaves"]

_CELLS = 1 << 24  # proximities that are held at once


def shared_leaves(leaves: NDArray[np.int32], others: NDArray[np.int32]) -> Floats:
    """Share of the trees in which a row and another one end in the same node."""
    n_nodes = 1 + int(max(leaves.max(), others.max()))
    other_marks = _marks(others, n_nodes).T
    shares = np.empty((len(leaves), len(others)))
    step = max(1, _CELLS // len(others))  # bounds the sparse product, which is larger than the dense result
    for first in range(0, len(leaves), step):
        part = slice(first, first + step)
        # Indicator matrices of leaves: their product counts the trees in which two rows meet, in time
        # proportional to such meetings instead of n^2 T.
        (_marks(leaves[part], n_nodes) @ other_marks).toarray(out=shares[part])
    shares /= leaves.shape[1]
    return shares


def _marks(leaves: NDArray[np.int32], n_nodes: int) -> Any:
    n_rows, n_trees = leaves.shape
    ends = np.arange(n_rows + 1) * n_trees
    return csr_array((np.ones(leaves.size), leaves.ravel(), ends), shape=(n_rows, n_nodes))


def outlier_scores(leaves: NDArray[np.int32], y: NDArray[np.int32]) -> Floats:
    """Breiman's score: how far a row is from its class, in deviations from the median of the class."""
    scores = np.zeros(len(y))
    for label in np.unique(y):
        members = np.flatnonzero(y == label)
        # n / sum of squared proximities within the class, then centered and scaled by class
        # (Breiman's manual). The row itself has proximity 1, so the sum is never 0.
        raw = len(y) / _squares(leaves[members])
        deviation = raw - np.median(raw)
        scores[members] = deviation / (np.abs(deviation).mean() or 1.0)
    return scores


def _squares(leaves: NDArray[np.int32]) -> Floats:
    """Sum of squared proximities of each row to all, in batches of rows to bound memory."""
    step = max(1, _CELLS // len(leaves))
    parts = [
        (shared_leaves(leaves[first : first + step], leaves) ** 2).sum(axis=1)
        for first in range(0, len(leaves), step)
    ]
    return np.concatenate(parts)

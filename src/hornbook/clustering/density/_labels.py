"""How clusters are numbered, and to which of them rows that are not core rows belong."""

from __future__ import annotations

from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from hornbook.distances import Placed
from hornbook.frame import SparseRows
from hornbook.neighbors import Memory
from hornbook.random import Stream, seed_of

__all__ = ["Border", "first_cluster", "nearest_cluster", "ranks_of"]

Border = Literal["first", "nearest"]
Labels = NDArray[np.int32]

AT_ONCE = 1 << 22  # neighbors in memory


def ranks_of(first: NDArray[np.int64], core: NDArray[np.intp], order: Any, seed: Any) -> Labels:
    """Number the clusters of core rows in the order in which they are generated.

    Parameters
    ----------
    first : ndarray of shape (n_core,)
        For each core row the lowest core row of its cluster.
    core : ndarray of shape (n_core,)
        The core rows.
    order : {"rows", "random"} or array-like of int
        As in `DBSCAN`.
    seed : int or RandomState, optional
        Of the random order.

    Examples
    --------
    >>> ranks_of(np.array([0, 1, 0]), np.array([0, 1, 4]), [1], None).tolist()
    [1, 0, 1]
    """
    lowest, whose = np.unique(first, return_inverse=True)
    turn = np.arange(len(lowest))  # when each cluster is generated
    if not isinstance(order, str):
        places = _places(order, core)
    elif order == "random":
        # The next core row is drawn from those that are in no cluster yet: the order of a permutation.
        places = Stream(seed_of(seed)).permutation(len(core))
    else:
        return np.asarray(whose, dtype=np.int32)
    drawn, when = np.unique(whose[places], return_index=True)
    turn += len(core)  # clusters of which no row is drawn come last
    turn[drawn] = when
    # argsort of argsort turns turns into ranks without gaps.
    ranks = np.argsort(np.argsort(turn, kind="stable"))
    return np.asarray(ranks[whose], dtype=np.int32)


def _places(order: Any, core: NDArray[np.intp]) -> NDArray[np.intp]:
    """Places among the core rows of given rows."""
    rows = np.asarray(order)
    if rows.ndim != 1 or (rows.size and rows.dtype.kind not in "iu"):
        raise ValueError(
            f"DBSCAN: parameter 'order' must be 'rows', 'random' or a sequence of core rows; got {order!r}."
        )
    foreign = rows[~np.isin(rows, core)]
    if len(foreign):
        raise ValueError(
            f"DBSCAN: parameter 'order' has row {foreign[0]}, which is not a core row, and clusters are "
            "generated from core rows: choose from core_sample_indices_."
        )
    return np.asarray(np.searchsorted(core, rows), dtype=np.intp)


def nearest_cluster(
    memory: Memory, queries: Placed | SparseRows, eps: float, labels: Labels, n_threads: int
) -> Labels:
    """Return the cluster of the nearest core row of each query, -1 where it is farther than eps."""
    distances, indices = memory.nearest(queries, 1, n_threads)
    # Ester et al. (1996) leave border rows to chance; the nearest core row makes prediction a
    # function.
    return np.where(distances[:, 0] <= eps, labels[indices[:, 0]], np.int32(-1))


def first_cluster(
    memory: Memory, queries: Placed | SparseRows, eps: float, labels: Labels, n_threads: int
) -> Labels:
    """Return the lowest cluster of the core rows within eps of each query, -1 without any."""
    none = np.int32(len(labels))
    first = np.full(len(queries), none)
    step = max(1, AT_ONCE // len(memory))
    for start in range(0, len(queries), step):
        part = slice(start, start + step)
        neighbors = memory.within(queries[part], eps, n_threads)
        np.minimum.at(first[part], neighbors.queries, labels[neighbors.indices])
    return np.where(first < none, first, np.int32(-1))

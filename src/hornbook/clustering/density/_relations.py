"""The relations between rows that clusters of DBSCAN are made of, as matrices of flags."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array
from scipy.sparse.csgraph import connected_components

from hornbook.distances import Metric, pairwise

__all__ = ["core_rows", "density_connected", "density_reachable", "neighborhoods"]

Flags = NDArray[np.bool_]


def neighborhoods(X: Any, eps: float, metric: Metric = "euclidean", *, p: float = 2.0) -> Flags:
    """Say which rows are in the ε-neighborhood of each row: at most ``eps`` away.

    Parameters
    ----------
    X : table of shape (n, n_columns)
        The rows.
    eps : float
        The radius.
    metric : str, Distance or callable, default "euclidean"
        As in `hornbook.distances.pairwise`.
    p : float, default 2.0
        The power of "minkowski".

    Returns
    -------
    flags : ndarray of bool of shape (n, n)
        Row j is in the neighborhood of row i; every row is in its own.

    Examples
    --------
    >>> neighborhoods([[0.0], [1.0], [3.0]], eps=1.0).astype(int).tolist()
    [[1, 1, 0], [1, 1, 0], [0, 0, 1]]
    """
    return np.asarray(pairwise(X, metric=metric, p=p) <= eps)


def core_rows(X: Any, eps: float, min_samples: int, metric: Metric = "euclidean", *, p: float = 2.0) -> Flags:
    """Say which rows are core rows: their neighborhood, themselves included, has ``min_samples`` rows.

    Parameters
    ----------
    X : table of shape (n, n_columns)
        The rows.
    eps : float
        The radius.
    min_samples : int
        Rows that make a neighborhood dense.
    metric : str, Distance or callable, default "euclidean"
        As in `hornbook.distances.pairwise`.
    p : float, default 2.0
        The power of "minkowski".

    Returns
    -------
    flags : ndarray of bool of shape (n,)
        Which rows are core rows.

    Examples
    --------
    >>> core_rows([[0.0], [1.0], [2.0], [9.0]], eps=1.0, min_samples=3).tolist()
    [False, True, False, False]
    """
    return np.asarray(neighborhoods(X, eps, metric, p=p).sum(axis=1) >= min_samples)


def density_reachable(
    X: Any, eps: float, min_samples: int, metric: Metric = "euclidean", *, p: float = 2.0
) -> Flags:
    """Say which rows are density-reachable from each: by steps from core rows into their neighborhoods.

    Parameters
    ----------
    X : table of shape (n, n_columns)
        The rows.
    eps : float
        The radius.
    min_samples : int
        Rows that make a neighborhood dense.
    metric : str, Distance or callable, default "euclidean"
        As in `hornbook.distances.pairwise`.
    p : float, default 2.0
        The power of "minkowski".

    Returns
    -------
    flags : ndarray of bool of shape (n, n)
        Row j is density-reachable from row i; from a row that is no core row, nothing is. One step, which is
        called directly density-reachable, is ``core_rows(...)[:, None] & neighborhoods(...)``.

    Examples
    --------
    >>> density_reachable([[0.0], [1.0], [2.0], [9.0]], eps=1.0, min_samples=3).astype(int).tolist()
    [[0, 0, 0, 0], [1, 1, 1, 0], [0, 0, 0, 0], [0, 0, 0, 0]]
    """
    near = neighborhoods(X, eps, metric, p=p)
    core = near.sum(axis=1) >= min_samples
    # Core rows reach one another in both directions, so that chains of them are connected components.
    chain = connected_components(csr_array(near & core & core[:, None]), directed=False)[1]
    linked = (chain[:, None] == chain) & core & core[:, None]
    # From a core row of the same chain, one step into a neighborhood: border rows are reached, too.
    return np.asarray((linked.astype(np.float64) @ near) > 0)


def density_connected(
    X: Any, eps: float, min_samples: int, metric: Metric = "euclidean", *, p: float = 2.0
) -> Flags:
    """Say which rows are density-connected: both are density-reachable from one row.

    Parameters
    ----------
    X : table of shape (n, n_columns)
        The rows.
    eps : float
        The radius.
    min_samples : int
        Rows that make a neighborhood dense.
    metric : str, Distance or callable, default "euclidean"
        As in `hornbook.distances.pairwise`.
    p : float, default 2.0
        The power of "minkowski".

    Returns
    -------
    flags : ndarray of bool of shape (n, n)
        Rows i and j are density-connected.

    Examples
    --------
    >>> density_connected([[0.0], [1.0], [2.0], [9.0]], eps=1.0, min_samples=3).astype(int).tolist()
    [[1, 1, 1, 0], [1, 1, 1, 0], [1, 1, 1, 0], [0, 0, 0, 0]]
    """
    reached = density_reachable(X, eps, min_samples, metric, p=p).astype(np.float64)
    # o reaches both p and q: (R'R)_pq counts such o.
    return np.asarray(reached.T @ reached > 0)

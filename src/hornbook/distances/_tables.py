"""Distances of whole tables: all pairs, and the nearest rows."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from hornbook.distances._called import PAIRS, CalledSpace, PairDistance
from hornbook.distances._distance import (
    Distance,
    Gower,
    Hamming,
    Mahalanobis,
    Minkowski,
    ValueDifference,
)
from hornbook.distances._space import Placed, Space
from hornbook.frame import Frame, SparseRows, align, as_frame, require_memory, require_rows_and_columns
from hornbook.params import Floats, suggest, threads

__all__ = ["NAMES", "Metric", "distance_of", "nearest", "pairwise", "space_of", "sparse_space_of"]

Metric = str | Distance | Callable[[Any, Any], float]

NAMES: dict[str, Callable[[float], Distance]] = {
    "minkowski": Minkowski,
    "p": Minkowski,
    **dict.fromkeys(("euclidean", "l2", "nan_euclidean"), lambda _: Minkowski(2.0)),
    **dict.fromkeys(("manhattan", "cityblock", "l1"), lambda _: Minkowski(1.0)),
    **dict.fromkeys(("chebyshev", "infinity"), lambda _: Minkowski(np.inf)),
    "hamming": lambda _: Hamming(),
    "mahalanobis": lambda _: Mahalanobis(),
    "gower": lambda _: Gower(),
    "vdm": ValueDifference,
}


def distance_of(
    metric: Metric, p: float = 2.0, settings: Mapping[str, Any] | None = None
) -> Distance | Callable[[Any, Any], float]:
    """Return the distance with this name; distances and functions are returned as they are.

    Parameters
    ----------
    metric : str, Distance or callable
        One of "minkowski" ("p"), "euclidean" ("l2", "nan_euclidean"), "manhattan" ("l1", "cityblock"),
        "chebyshev" ("infinity"), "seuclidean", "hamming", "mahalanobis", "gower", "vdm", one that compares
        complete numbers ("braycurtis", "canberra", "correlation", "cosine", "haversine", "sqeuclidean"), or
        sets of columns that are not 0 ("dice", "jaccard", "rogerstanimoto", "russellrao", "sokalsneath",
        "yule").
    p : float, default 2.0
        The power of "minkowski" and "vdm"; below 1 the former is no metric.
    settings : dict, optional
        ``p`` and ``w`` of "minkowski", ``V`` or ``VI`` of "mahalanobis", ``V`` of "seuclidean", or arguments
        of a function.

    Examples
    --------
    >>> distance_of("manhattan")
    Minkowski(p=1.0, weights=None)
    """
    if settings:
        return _distance_with(metric, p, dict(settings))
    # Below 1 the triangle inequality fails, so that trees and bounds must not be used.
    if metric in ("minkowski", "p") and 0 < p < 1:
        return PairDistance("minkowski", p)
    if isinstance(metric, str) and metric in PAIRS:
        return PairDistance(metric)
    if isinstance(metric, str) and metric in NAMES:
        return NAMES[metric](p)
    if isinstance(metric, Distance) or (callable(metric) and not isinstance(metric, type)):
        return metric
    known = ["seuclidean", *NAMES, *PAIRS]
    hint = suggest(metric, known) if isinstance(metric, str) else ""
    allowed = ", ".join(repr(name) for name in known)
    raise ValueError(
        f"'metric' must be one of {allowed}, a distance of hornbook.distances, or a function of two rows; "
        f"got {metric!r}.{hint}" + (" Give it metric_params={'V': variances}." * (metric == "seuclidean"))
    )


def _distance_with(
    metric: Metric, p: float, settings: dict[str, Any]
) -> Distance | Callable[[Any, Any], float]:
    """The distance with settings of its own."""
    if not isinstance(metric, str) and callable(metric) and not isinstance(metric, Distance):
        # Settings of a function are its keyword arguments, as in scikit-learn.
        return partial(metric, **settings)
    if metric in ("minkowski", "p") and settings.keys() <= {"p", "w"}:
        if "p" in settings:
            warnings.warn(
                "Parameter p is found in metric_params. The corresponding parameter from __init__ is "
                "ignored.",
                SyntaxWarning,
                stacklevel=10,
            )
        weights = settings.get("w")
        return Minkowski(settings.get("p", p), None if weights is None else np.asarray(weights))
    if metric == "mahalanobis" and settings.keys() in ({"V"}, {"VI"}):
        inverse = settings.get("VI")
        # The class takes the covariance, of which SciPy's VI is the inverse.
        return Mahalanobis(settings["V"] if inverse is None else np.linalg.inv(np.asarray(inverse)))
    if metric == "seuclidean" and settings.keys() == {"V"}:
        # The standardized Euclidean distance divides squares by variances.
        return Minkowski(2.0, 1.0 / np.asarray(settings["V"], dtype=np.float64))
    raise ValueError(
        f"metric={metric!r} takes no settings {sorted(settings)}: 'p' and 'w' are those of 'minkowski', 'V' "
        "or 'VI' of 'mahalanobis', 'V' of 'seuclidean', any others those of a function."
    )


def space_of(
    distance: Distance | Callable[[Any, Any], float],
    frame: Frame,
    y: NDArray[np.int32] | None = None,
    w: Floats | None = None,
) -> Space | CalledSpace:
    """Return the space in which the rows of a table have this distance.

    Parameters
    ----------
    distance : Distance or callable
        The distance.
    frame : Frame
        The table it learns from.
    y : ndarray of int32, optional
        Class codes of the rows.
    w : ndarray, optional
        Weights of the rows.

    Examples
    --------
    >>> frame = Frame([[0.0, 1.0], [2.0, 5.0]])
    >>> space = space_of(Gower(), frame)
    >>> space.place(frame).numbers.tolist()
    [[0.0, 0.125], [0.5, 0.625]]
    """
    return distance.space(frame, y, w) if isinstance(distance, Distance) else CalledSpace(distance)


def sparse_space_of(
    distance: Distance | Callable[[Any, Any], float], rows: SparseRows
) -> tuple[Space | CalledSpace, SparseRows]:
    """Return the space in which sparse rows have this distance, and the rows placed there.

    Parameters
    ----------
    distance : Distance or callable
        The distance; one that mixes columns, as Mahalanobis' does, would destroy sparsity and is rejected.
    rows : SparseRows
        The rows it learns from.

    Examples
    --------
    >>> rows = SparseRows.of([[0.0, 1.0], [2.0, 5.0]])
    >>> space, placed = sparse_space_of(Gower(), rows)
    >>> placed.dense().tolist()
    [[0.0, 0.125], [0.5, 0.625]]
    """
    if not isinstance(distance, Distance):
        return CalledSpace(distance), rows
    if isinstance(distance, Mahalanobis):
        raise TypeError(
            "Mahalanobis' distance mixes the columns, so a sparse matrix would become dense: pass "
            "X.toarray(), or choose another distance."
        )
    # The other distances learn only the ranges of numeric columns, for which the extremes are enough.
    extremes = np.stack([_extreme(rows, reduce) for reduce in (np.fmin, np.fmax)])
    space = distance.space(Frame(extremes), np.zeros(2, dtype=np.int32))
    return space, rows.select(space.numeric, space.transform)


def _extreme(rows: SparseRows, reduce: np.ufunc) -> Floats:
    """The minimum or maximum of each column; a cell that is not stored is 0."""
    extreme = np.full(rows.n_columns, np.nan)
    reduce.at(extreme, rows.columns, rows.values)
    # A column with a cell that is not stored also contains 0.
    everywhere = np.bincount(rows.columns, minlength=rows.n_columns) == len(rows)
    return np.where(everywhere, extreme, reduce(extreme, 0.0))


def pairwise(
    X: Any,
    Y: Any = None,
    metric: Metric = "euclidean",
    *,
    p: float = 2.0,
    y: ArrayLike | None = None,
    n_jobs: int | None = None,
) -> Floats:
    """Distances from each row of X to each row of Y.

    What a distance estimates from a table (covariances, ranges, class frequencies) it estimates from X.

    Parameters
    ----------
    X : table of shape (n, n_columns)
        The rows.
    Y : table of shape (m, n_columns), optional
        Other rows with the same columns; X itself when left out.
    metric : str, Distance or callable, default "euclidean"
        A name ("minkowski", "euclidean", "manhattan", "chebyshev", "hamming", "mahalanobis", "gower",
        "vdm"), a distance, or a function of two rows.
    p : float, default 2.0
        The power of "minkowski" and "vdm".
    y : array-like of shape (n,), optional
        Classes of the rows of X, for "vdm".
    n_jobs : int, optional
        Threads; all available when left out. The result does not depend on it.

    Returns
    -------
    distances : ndarray of shape (n, m)
        Infinite for rows that have no known column in common.

    Examples
    --------
    >>> pairwise([[0.0, 0.0], [3.0, 4.0]], metric="manhattan").tolist()
    [[0.0, 7.0], [7.0, 0.0]]
    """
    space, rows, others = _placed(X, Y, metric, p, y)
    require_memory(len(rows), len(others), "pass fewer rows as Y, or use hornbook.distances.nearest")
    return space.pairwise(others, rows, threads(n_jobs))


def nearest(
    X: Any,
    queries: Any,
    k: int = 1,
    metric: Metric = "euclidean",
    *,
    p: float = 2.0,
    y: ArrayLike | None = None,
    n_jobs: int | None = None,
) -> tuple[Floats, NDArray[np.int64]]:
    """Find the k nearest rows of X for each query.

    Parameters
    ----------
    X : table of shape (n, n_columns)
        The rows to choose from.
    queries : table of shape (m, n_columns)
        The rows to find neighbors for.
    k : int, default 1
        How many neighbors, at most n.
    metric : str, Distance or callable, default "euclidean"
        As in `pairwise`.
    p : float, default 2.0
        The power of "minkowski" and "vdm".
    y : array-like of shape (n,), optional
        Classes of the rows of X, for "vdm".
    n_jobs : int, optional
        Threads; all available when left out. The result does not depend on it.

    Returns
    -------
    distances : ndarray of shape (m, k)
        Distances to the neighbors, in ascending order.
    indices : ndarray of int64 of shape (m, k)
        The neighbors; ties go to the lower index.

    Examples
    --------
    >>> distances, indices = nearest([[0.0], [2.0], [5.0]], [[1.0], [4.0]], k=2)
    >>> indices.tolist()
    [[0, 1], [2, 1]]
    """
    space, rows, placed = _placed(X, queries, metric, p, y)
    if isinstance(k, bool) or not isinstance(k, int | np.integer) or not 1 <= k <= len(rows):
        raise ValueError(f"'k' must be an integer from 1 to the {len(rows)} rows of X; got {k!r}.")
    return space.nearest(rows, placed, int(k), threads(n_jobs))


def _placed(
    X: Any, Y: Any, metric: Metric, p: float, y: ArrayLike | None
) -> tuple[Space | CalledSpace, Placed, Placed]:
    frame = as_frame(X).features
    require_rows_and_columns(frame)
    # Only the value difference metric looks at classes; it compares levels by their class frequencies.
    codes = None if y is None else np.unique(np.asarray(y), return_inverse=True)[1].astype(np.int32)
    if codes is not None and codes.shape != (len(frame),):
        raise ValueError(f"'y' must have one class for each of the {len(frame)} rows; got {codes.shape}.")
    space = space_of(distance_of(metric, p), frame, codes)
    rows = _finite(space.place(frame))
    if Y is None:
        return space, rows, rows
    # Codes of both tables must mean the same levels.
    other = align(as_frame(Y).features, frame.schema)
    return space, rows, _finite(space.place(other))


def _finite(rows: Placed) -> Placed:
    if np.isinf(rows.numbers).any():
        raise ValueError("The table contains infinity: correct those cells, or make them missing (NaN).")
    return rows

"""DBSCAN: clusters of rows that lie close together, and noise between them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import field
from functools import partial
from typing import Annotated, Any, ClassVar, Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.utils import Tags

from hornbook.base import Accepts, Clusterer, Description, Working
from hornbook.clustering._metric import (
    PRECOMPUTED,
    distance_with,
    require_finite_distances,
    warn_unless_metric,
)
from hornbook.clustering._parameters import MetricChoice, RandomDraws, WorkingThreads
from hornbook.clustering.density._components import Components, components, components_of_matrix
from hornbook.clustering.density._description import description, neighbor_working
from hornbook.clustering.density._labels import Border, first_cluster, nearest_cluster, ranks_of
from hornbook.clustering.density._plot import draw
from hornbook.distances import (
    Placed,
    Space,
    precomputed_matrix,
    precomputed_queries,
    space_of,
    sparse_space_of,
)
from hornbook.frame import Frame, SparseRows
from hornbook.neighbors import Algorithm, Memory, placed_memory
from hornbook.params import Floats, Index, Range, Shape, Tune, declared

__all__ = ["DBSCAN"]

LARGEST = 1e150  # the squares of larger distances overflow


class DBSCANResult:
    """What DBSCAN has found.

    Attributes
    ----------
    labels_ : ndarray of shape (n_rows,)
        Cluster of each row of the fit, -1 for noise.
    core_sample_indices_ : ndarray of shape (n_core,)
        The core rows.
    core_labels_ : ndarray of shape (n_core,)
        Their clusters.
    cluster_sizes_ : ndarray of shape (n_clusters,)
        Number of rows of each cluster, core and border.
    components_ : ndarray of shape (n_core, n_columns)
        The core rows in the space of the distance: their numbers, weighted or whitened where the distance
        does so, and the codes of their categories. Not for precomputed distances.
    memory_ : Memory
        The core rows and the k-d tree over them; None for precomputed distances.
    n_features_in_ : int
        Number of columns at fit.
    feature_names_in_ : ndarray of shape (n_features_in_,)
        Their names, if they had any.
    """

    labels_: Annotated[NDArray[np.int32], Shape("n_labels")]
    core_sample_indices_: Annotated[NDArray[np.int64], Shape("n_rows"), Index("n_labels")]
    core_labels_: Annotated[NDArray[np.int32], Shape("n_rows"), Index("n_clusters")]
    cluster_sizes_: Annotated[NDArray[np.int64], Shape("n_clusters")]
    memory_: Memory | None


@declared
class DBSCAN(WorkingThreads, RandomDraws, MetricChoice, DBSCANResult, Clusterer):
    """DBSCAN: clusters are sets of rows that are connected by dense neighborhoods; other rows are noise.

    A row is a core row if at least ``min_samples`` rows, itself included, are at most ``eps`` away. Core rows
    within ``eps`` of one another share a cluster, rows around them that are not core rows are its border, and
    rows that no core row reaches are noise, labeled -1 (Ester, Kriegel, Sander and Xu 1996). Unlike
    scikit-learn's, it takes categories and missing cells, places new rows, and needs memory for the rows
    only, not for their neighbors.

    Parameters
    ----------
    eps : float, default 0.5
        Radius of a neighborhood, ε; `hornbook.plots.k_distance` helps to choose it.
    min_samples : int, default 5
        Rows that make a neighborhood dense, the row itself included (MinPts). Weights count as repeated rows;
        a row of weight 0 is never a core row.
    metric_params : dict, optional
        Further arguments of the distance, as ``{"weights": [1, 3]}``.
    algorithm : {"auto", "kd_tree", "ball_tree", "brute"}, default "auto"
        How the nearest core row of a new row is found; the result is the same.
    leaf_size : int, default 30
        As in scikit-learn; the tree here has leaves of its own size, and the clusters are the same.
    p : float, optional
        The power of "minkowski"; 2 when left out.
    border : {"first", "nearest"}, default "first"
        Which cluster gets a row that core rows of several clusters reach: the first that is generated, as in
        scikit-learn, or that of the nearest core row.
    order : {"rows", "random"} or array-like of int, default "rows"
        The order in which clusters are generated and numbered: by their first core rows, as in scikit-learn;
        by core rows that are drawn at random, one after the other; or by the given core rows, the remaining
        clusters after them by their first core rows.

    See Also
    --------
    AgglomerativeClustering : Clusters merged step by step.
    KMeans : Clusters around means.

    Examples
    --------
    >>> from hornbook import DBSCAN, datasets
    >>> model = DBSCAN(eps=0.11, min_samples=5).fit(datasets.watermelon("4.0"))
    >>> [(model.labels_ == c).sum().item() for c in range(-1, 4)]
    [2, 10, 8, 5, 5]
    >>> model.predict([{"density": 0.36, "sugar": 0.24}, {"density": 0.1, "sugar": 0.9}]).tolist()
    [1, -1]
    """

    wants: ClassVar[Literal["frame"]] = "frame"
    accepts: ClassVar[Accepts] = Accepts(sparse=True)
    scale_sensitive: ClassVar[bool] = True

    model_class = "core rows, a distance and a radius"
    objective = "none: clusters are the maximal sets of density-connected rows"
    optimizer = "none: neighborhoods are counted and united"

    eps: Annotated[float, Range(low=0.0, open_low=True), Tune(0.01, 10.0, log=True)] = field(
        default=0.5, kw_only=False
    )
    min_samples: Annotated[int, Range(low=1), Tune(2, 50, log=True)] = 5
    metric_params: dict[str, Any] | None = None
    algorithm: Algorithm = "auto"
    leaf_size: Annotated[int, Range(low=1)] = 30
    p: Annotated[float, Range(low=1.0)] | None = None
    border: Border = "first"
    order: Literal["rows", "random"] | ArrayLike = "rows"

    def _fit(self, rows: Frame | SparseRows, y: Any, w: Floats | None) -> None:
        del y
        if isinstance(self.metric, str) and self.metric == PRECOMPUTED:
            self._fit_matrix(rows, w)
        else:
            self._fit_rows(rows, w)

    def _fit_rows(self, rows: Frame | SparseRows, w: Floats | None) -> None:
        distance = distance_with(self.metric, 2.0 if self.p is None else self.p, self.metric_params)
        placed: Placed | SparseRows
        if isinstance(rows, SparseRows):
            # Rows of weight 0 must not widen the ranges that a distance learns.
            space = sparse_space_of(distance, rows if w is None else rows[np.flatnonzero(w)])[0]
            placed = rows.select(space.numeric, space.transform) if isinstance(space, Space) else rows
        else:
            space = space_of(distance, rows, None, w)
            placed = space.place(rows)
            if (
                isinstance(space, Space) and self.eps > LARGEST
            ):  # rows farther apart than all others are noise
                require_finite_distances("DBSCAN", space, placed, rows.schema.names)
        if not isinstance(space, Space) and isinstance(placed, Placed):
            warn_unless_metric("DBSCAN", lambda some: space.pairwise(placed[some], placed[some], 1), placed)
        parts = components(space, placed, w, self.eps, float(self.min_samples), self._threads())
        core = np.flatnonzero(parts.core)
        # Core rows alone decide about new rows: border and noise rows need not be kept.
        self.memory_ = placed_memory(space, placed[core], core, self.algorithm, self._threads())
        self._label(parts, partial(self._border_labels, placed))

    def _fit_matrix(self, rows: Frame | SparseRows, w: Floats | None) -> None:
        if isinstance(rows, SparseRows):
            raise TypeError(
                "DBSCAN: metric='precomputed' takes all distances, and those that a sparse matrix does not "
                "store would be 0: pass X.toarray()."
            )
        distances = precomputed_matrix("DBSCAN", rows.matrix)
        warn_unless_metric("DBSCAN", lambda some: distances[np.ix_(some, some)], distances)
        parts = components_of_matrix(distances, w, self.eps, float(self.min_samples))
        self.memory_ = None
        self._label(parts, lambda some: self._matrix_labels(distances[some], self.border))

    def _label(self, parts: Components, border: Callable[[NDArray[np.intp]], NDArray[np.int32]]) -> None:
        """Number the clusters in their order, and give border rows to them."""
        core = np.flatnonzero(parts.core)
        ranks = ranks_of(parts.first[core], core, self.order, self.random_state)
        labels = np.full(len(parts.core), -1, dtype=np.int32)
        labels[core] = ranks
        self.core_sample_indices_, self.core_labels_ = core, labels[core]
        others = np.flatnonzero(~parts.core & (parts.first >= 0))
        if self.border == "first" and isinstance(self.order, str) and self.order == "rows":
            # The kernel has noted the first cluster in reach already.
            labels[others] = labels[parts.first[others]]
        elif len(others):
            labels[others] = border(others)
        self.labels_ = labels
        self.cluster_sizes_ = np.bincount(labels[labels >= 0], minlength=ranks.max(initial=-1) + 1)

    def _border_labels(self, placed: Placed | SparseRows, some: NDArray[np.intp]) -> NDArray[np.int32]:
        assert self.memory_ is not None
        choose = nearest_cluster if self.border == "nearest" else first_cluster
        return choose(self.memory_, placed[some], self.eps, self.core_labels_, self._threads())

    def _matrix_labels(self, distances: Floats, border: Border) -> NDArray[np.int32]:
        """Labels by the distances of some rows to all rows of the fit."""
        if not len(self.core_labels_):
            return np.full(len(distances), -1, dtype=np.int32)
        near = distances[:, self.core_sample_indices_]
        within = near <= self.eps
        if border == "nearest":
            nearest = self.core_labels_[near.argmin(axis=1)]
            return np.where(within.any(axis=1), nearest, np.int32(-1))
        none = np.int32(len(self.core_labels_))
        # `none` is larger than any label, so that the minimum skips rows out of reach.
        first = np.where(within, self.core_labels_, none).min(axis=1)
        return np.where(first < none, first, np.int32(-1))

    def _predict(self, rows: Frame) -> NDArray[np.int32]:
        memory = self.memory_
        if memory is None:
            return self._matrix_labels(precomputed_queries("DBSCAN", rows.matrix), "nearest")
        if not len(memory):
            return np.full(len(rows), -1, dtype=np.int32)
        queries = memory.space.place(rows)
        return nearest_cluster(memory, queries, self.eps, self.core_labels_, self._threads())

    @property
    def components_(self) -> Any:
        """The core rows in the space of the distance."""
        memory = self.memory_
        if memory is None:
            raise AttributeError(
                "DBSCAN: components_ are rows, and with metric='precomputed' there are only distances: use "
                "core_sample_indices_."
            )
        if isinstance(memory.rows, SparseRows):
            return memory.rows.matrix
        if not isinstance(memory.space, Space):
            return memory.rows.numbers
        cells = np.empty((len(memory), len(self.schema_.columns)))
        cells[:, memory.space.numeric] = memory.rows.numbers
        cells[:, memory.space.coded] = memory.rows.codes
        return cells

    def _describe(self) -> Description:
        return description(self)

    def _working(self, row: Frame) -> Working:
        distances = precomputed_queries("DBSCAN", row.matrix)[0] if self.memory_ is None else None
        return neighbor_working(self, row, distances, int(self._answer(row)[0]), self._threads())

    def _plot(self, X: Any, y: Any, ax: Any) -> Any:
        return draw(self, X, y, ax)

    def __sklearn_tags__(self) -> Tags:
        tags = super().__sklearn_tags__()
        tags.input_tags.pairwise = isinstance(self.metric, str) and self.metric == PRECOMPUTED
        return tags

"""Which rows are nearest, without a target."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar, Literal

import numpy as np

from hornbook.base import Accepts, Description, Term, Transformer, Working
from hornbook.distances import Metric
from hornbook.frame import Frame, SparseRows
from hornbook.neighbors._description import description, distance_used
from hornbook.neighbors._kneighbors import LeafSize, NNeighbors, Power
from hornbook.neighbors._memory import Algorithm, Memory, Neighbors, OwnRows, remember
from hornbook.neighbors._plot import draw_distances
from hornbook.neighbors._queries import KQueries, RadiusQueries
from hornbook.neighbors._radius import Radius
from hornbook.params import Floats, Jobs

__all__ = ["NearestNeighbors"]

SLACK = 1e-6  # of sums of weights, which are rounded


class NearestNeighbors(KQueries, RadiusQueries, Transformer):
    """The nearest training rows of a row, and those within a radius.

    It takes numbers, categories and missing cells together. Unlike scikit-learn's, it also transforms: a row
    becomes its distances to the nearest training rows. Finding the neighbors of a row takes time that grows
    with rows x columns, or with log rows in the k-d tree of few columns.

    Parameters
    ----------
    n_neighbors : int, default 5
        How many neighbors are found (k). Of two rows at the same distance, the one with the lower index comes
        first.
    radius : float, default 1.0
        How far `radius_neighbors` looks.
    algorithm : {"auto", "kd_tree", "ball_tree", "brute"}, default "auto"
        Search by a k-d tree, or compare with every row. The predictions are the same; ``"auto"`` uses the
        tree for few numeric columns without missing cells. A sparse matrix has no tree. ``"ball_tree"`` is
        the k-d tree where there can be one, else every row.
    leaf_size : int, default 30
        As in scikit-learn; the tree here has leaves of its own size, and the neighbors are the same.
    p : float, default 2.0
        The power of "minkowski"; below 1 it is no metric, and there is no tree.
    metric : str, Distance or callable, default "minkowski"
        The distance: "minkowski", "euclidean", "manhattan", "chebyshev", "hamming", "mahalanobis", "gower",
        "seuclidean", one of `hornbook.distances`, or a function of two rows of numbers; for
        complete numbers also "braycurtis", "canberra", "correlation", "cosine", "haversine", "sqeuclidean",
        for sets of columns that are not 0 "dice", "jaccard", "rogerstanimoto", "russellrao", "sokalsneath",
        "yule".
        With ``"precomputed"`` X is the matrix of distances to the rows of the fit. Numbers are not scaled.
    metric_params : dict, optional
        ``p`` and ``w`` of "minkowski", ``V`` or ``VI`` of "mahalanobis", ``V`` of "seuclidean", or arguments
        of a function.
    n_jobs : int, optional
        Threads; all available when left out. The result does not depend on it.

    Attributes
    ----------
    memory_ : Memory
        The training rows and the k-d tree over them.
    n_features_in_ : int
        Number of columns at fit.
    feature_names_in_ : ndarray of shape (n_features_in_,)
        Their names, if they had any.

    See Also
    --------
    KNeighborsClassifier : Vote of the k nearest rows.
    KNeighborsRegressor : Mean of the k nearest rows.

    Examples
    --------
    >>> from hornbook import NearestNeighbors
    >>> model = NearestNeighbors(n_neighbors=2).fit([[0.0], [1.0], [5.0]])
    >>> distances, indices = model.kneighbors([[0.9]])
    >>> distances.round(2).tolist(), indices.tolist()
    ([[0.1, 0.9]], [[1, 0]])
    """

    wants: ClassVar[Literal["frame"]] = "frame"
    accepts: ClassVar[Accepts] = Accepts(sparse=True)
    model_class = "the training rows and a distance"
    objective = "none: the rows are kept"
    optimizer = "none: the rows are kept and looked up"
    scale_sensitive: ClassVar[bool] = True

    memory_: Memory

    def __init__(
        self,
        *,
        n_neighbors: NNeighbors = 5,
        radius: Radius = 1.0,
        algorithm: Algorithm = "auto",
        leaf_size: LeafSize = 30,
        p: Power = 2.0,
        metric: Metric = "minkowski",
        metric_params: Mapping[str, Any] | None = None,
        n_jobs: Jobs = None,
    ) -> None:
        self.n_neighbors = n_neighbors
        self.radius = radius
        self.algorithm = algorithm
        self.leaf_size = leaf_size
        self.p = p
        self.metric = metric
        self.metric_params = metric_params
        self.n_jobs = n_jobs

    def _fit(self, rows: Frame | SparseRows, _: None, w: Floats | None) -> None:
        self.memory_ = remember(
            rows,
            w,
            None,
            metric=self.metric,
            p=self.p,
            algorithm=self.algorithm,
            n_threads=self._threads(),
            settings=self.metric_params,
        )

    def _n_new_columns(self) -> int:
        # A row of weight 3 counts as three rows.
        return min(self.n_neighbors, int(np.ceil(self.memory_.mass.sum())))

    def _transform(self, rows: Frame | OwnRows) -> Floats:
        k = self._n_new_columns()
        neighbors: Neighbors = self.memory_.k_neighbors(self._placed(rows), k, None, self._threads())
        starts, ends = neighbors.offsets[:-1, None], neighbors.offsets[1:, None]
        # The j-th distance is that of the neighbor with which the weights first reach j.
        reached = np.concatenate([[0.0], np.cumsum(neighbors.masses)])
        wanted = reached[starts] + np.arange(1, k + 1) - SLACK
        places = np.searchsorted(reached[1:], wanted)
        known = places < ends
        distances = np.full((len(rows), k), np.inf)  # no further row has a known column in common
        distances[known] = neighbors.distances[places[known]]
        return distances

    def _describe(self) -> Description:
        facts = {"neighbors": self.n_neighbors, "radius": self.radius}
        return description(self, self.memory_, facts, distance_used(self))

    def _working(self, row: Frame) -> Working:
        distances = self._transform(row)[0].tolist()
        _, (rows,) = self.memory_.nearest(
            self.memory_.space.place(row), min(len(distances), len(self.memory_)), 1
        )
        names = ", ".join(str(i) for i in self.memory_.source(rows[rows >= 0]).tolist())
        terms = [Term(f"distances of the rows {names}", distances)]
        ranks = [f"neighbor {rank}" for rank in range(1, len(distances) + 1)]
        return Working("How far the nearest rows are", "sum", ranks, terms, distances)

    def _plot(self, X: Any, _: Any, ax: Any) -> Any:
        return draw_distances(self.memory_, X, ax, self.n_neighbors)

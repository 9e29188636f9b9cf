"""The k nearest neighbors: a vote or a mean."""

from __future__ import annotations

import math
import warnings
from collections.abc import Iterator, Mapping, Sequence
from typing import Annotated, Any, ClassVar, Literal

import numpy as np
from numpy.typing import NDArray

from hornbook.base import Accepts, Classifier, Description, Regressor, Working
from hornbook.distances import Metric, Placed
from hornbook.frame import Frame, SparseRows
from hornbook.neighbors._averaging import Averaging
from hornbook.neighbors._cached_neighbors import CachedKNeighbors
from hornbook.neighbors._memory import Algorithm, Memory, Neighbors, OwnRows
from hornbook.neighbors._plot import draw
from hornbook.neighbors._queries import KQueries
from hornbook.neighbors._votes import Ties, Weighting
from hornbook.neighbors._voting import VoteSmoothing, Voting
from hornbook.params import Floats, Jobs, Range, Seed, Tune

__all__ = ["KNeighborsClassifier", "KNeighborsRegressor"]

NNeighbors = Annotated[int, Range(low=1), Tune(1, 50)]
Power = Annotated[float, Range(low=0.0, high=math.inf, open_low=True), Tune(values=(1.0, 2.0))]
LeafSize = Annotated[int, Range(low=1)]
Radius = Annotated[float, Range(low=0.0)] | None


class _KNeighbors(KQueries):
    """Shared by both learners: the search for k neighbors."""

    n_neighbors: int
    weights: Weighting
    algorithm: Algorithm
    metric: Metric
    p: float
    radius: float | None
    memory_: Memory

    def _warn_of_light_rows(self, w: Floats | None) -> None:
        mass = self.memory_.mass.sum()
        if w is not None and mass < min(self.n_neighbors, len(self.memory_)):
            warnings.warn(
                f"the weights sum to {mass:.6g}, so the {len(self.memory_)} rows together count as less "
                f"than n_neighbors={self.n_neighbors} and all of them vote: a weight is the number of rows "
                "that a row counts for; scale the weights to a mean of 1.",
                UserWarning,
                stacklevel=7,
            )

    def _search(self, queries: Placed | OwnRows) -> Neighbors:
        return self.memory_.k_neighbors(queries, self.n_neighbors, self.radius, self._threads())

    def _variants(self, rows: Frame, settings: Sequence[Mapping[str, Any]]) -> Iterator[Any]:
        """Look up the neighbors once: those of a smaller k are the first of them."""
        # One search for the largest k serves all settings.
        most = max((setting.get("n_neighbors", self.n_neighbors) for setting in settings), default=1)
        memory = CachedKNeighbors.of(self.memory_, self.memory_.space.place(rows), most, self._threads())
        for twin in super()._variants(rows, settings):  # type: ignore[misc]  # that of the learner
            twin.memory_ = memory
            yield twin

    def _max_neighbors(self) -> int:
        return min(self.n_neighbors, len(self.memory_))


# Fix and Hodges (1951), Cover and Hart (1967): with many rows, the error of the nearest neighbor is at most
# twice that of the best classifier.
class KNeighborsClassifier(Voting, _KNeighbors, Classifier):
    """The class that most of the k nearest training rows have.

    It takes numbers, categories and missing cells together. Unlike in scikit-learn, vote ties go to the class
    of the nearest neighbor, weights count as repeated rows, and all rows vote when there are fewer than k.

    Parameters
    ----------
    n_neighbors : int, default 5
        How many neighbors vote (k). Of two rows at the same distance, the one with the lower index comes
        first.
    weights : {"uniform", "distance"} or callable, default "uniform"
        One vote each; 1 / D with D the distance (where some are at distance 0, those alone vote); or a
        function that returns the votes for an array of distances.
    algorithm : {"auto", "kd_tree", "ball_tree", "brute"}, default "auto"
        Search by a k-d tree, or compare with every row. The predictions are the same; ``"auto"`` uses the
        tree for few numeric columns without missing cells. A sparse matrix has no tree. ``"ball_tree"`` is
        the k-d tree where there can be one, else every row.
    leaf_size : int, default 30
        As in scikit-learn; the tree here has leaves of its own size, and the neighbors are the same.
    p : float, default 2.0
        The power of "minkowski" and "vdm"; below 1 the former is no metric, and there is no tree.
    metric : str, Distance or callable, default "minkowski"
        The distance: "minkowski", "euclidean", "manhattan", "chebyshev", "hamming", "mahalanobis", "gower",
        "vdm", "seuclidean", one of `hornbook.distances`, or a function of two rows of numbers; for
        complete numbers also "braycurtis", "canberra", "correlation", "cosine", "haversine", "sqeuclidean",
        for sets of columns that are not 0 "dice", "jaccard", "rogerstanimoto", "russellrao", "sokalsneath",
        "yule".
        With ``"precomputed"`` X is the matrix of distances to the rows of the fit. Numbers are not scaled.
    metric_params : dict, optional
        ``p`` and ``w`` of "minkowski", ``V`` or ``VI`` of "mahalanobis", ``V`` of "seuclidean", or arguments
        of a function.
    radius : float, optional
        Neighbors farther away than this do not vote: k neighbors, but none beyond the radius.
    ties : {"nearest", "random", "first"}, default "nearest"
        Which of the classes with the most votes: that of the nearest neighbor among them, a random one
        (the same for equal rows), or the first in ``classes_`` as in scikit-learn.
    vote_smoothing : float, default 0.0
        Additional votes, spread evenly over the K classes: (n_c + m / K) / (n + m) with m this number.
        No probability is 0 or 1, and the predicted class stays the same.
    random_state : int or RandomState, optional
        Seed of the draws; a fresh one each time when left out.
    n_jobs : int, optional
        Threads; all available when left out. The result does not depend on it.

    Attributes
    ----------
    classes_ : ndarray of shape (n_classes,)
        The classes.
    class_prior_ : ndarray of shape (n_classes,)
        Their fractions of the weight; the probabilities for rows without a neighbor.
    memory_ : Memory
        The training rows and the k-d tree over them.
    n_features_in_ : int
        Number of columns at fit.
    feature_names_in_ : ndarray of shape (n_features_in_,)
        Their names, if they had any.

    See Also
    --------
    KNeighborsRegressor : Mean of the k nearest rows.
    RadiusNeighborsClassifier : Vote of all rows within a radius.

    Examples
    --------
    >>> from hornbook import KNeighborsClassifier, datasets
    >>> iris = datasets.iris()
    >>> KNeighborsClassifier(n_neighbors=3).fit(iris).predict(iris.features[:1]).tolist()
    ['setosa']
    """

    wants: ClassVar[Literal["frame"]] = "frame"
    accepts: ClassVar[Accepts] = Accepts(sparse=True)
    model_class = "the training rows and a distance"
    objective = "share of training rows that agree with their neighbors"
    optimizer = "none: the rows are kept and looked up"
    scale_sensitive: ClassVar[bool] = True
    adjustable: ClassVar[frozenset[str]] = frozenset({"n_neighbors", "weights", "vote_smoothing"})

    def __init__(
        self,
        n_neighbors: NNeighbors = 5,
        *,
        weights: Weighting = "uniform",
        algorithm: Algorithm = "auto",
        leaf_size: LeafSize = 30,
        p: Power = 2.0,
        metric: Metric = "minkowski",
        metric_params: Mapping[str, Any] | None = None,
        radius: Radius = None,
        ties: Ties = "nearest",
        vote_smoothing: VoteSmoothing = 0.0,
        random_state: Seed = None,
        n_jobs: Jobs = None,
    ) -> None:
        self.n_neighbors = n_neighbors
        self.weights = weights
        self.algorithm = algorithm
        self.leaf_size = leaf_size
        self.p = p
        self.metric = metric
        self.metric_params = metric_params
        self.radius = radius
        self.ties = ties
        self.vote_smoothing = vote_smoothing
        self.random_state = random_state
        self.n_jobs = n_jobs

    def _fit(self, rows: Frame | SparseRows, y: NDArray[np.int32], w: Floats | None) -> None:
        self._remember(rows, y, w)
        self._warn_of_light_rows(w)

    def _outlier_probabilities(self, _: NDArray[np.bool_]) -> Floats:
        """The probabilities of rows without a neighbor."""
        return np.asarray(self.class_prior_)

    def _describe(self) -> Description:
        return self._vote_description({"neighbors": self.n_neighbors})

    def _working(self, row: Frame) -> Working:
        return self._vote_working(row, self.class_prior_, "")

    def _plot(self, X: Any, y: Any, ax: Any) -> Any:
        return draw(self, self.memory_, self.classes_[self.y_], X, y, ax, self.n_neighbors)


class KNeighborsRegressor(Averaging, _KNeighbors, Regressor):
    """The mean target of the k nearest training rows.

    It takes numbers, categories and missing cells together. Unlike scikit-learn's, weights count as repeated
    rows, and all rows are averaged when there are fewer than k.

    Parameters
    ----------
    n_neighbors : int, default 5
        How many neighbors are averaged (k). Of two rows at the same distance, the one with the lower index
        comes first.
    weights : {"uniform", "distance"} or callable, default "uniform"
        A plain mean; a mean weighted by 1 / D with D the distance (where some are at distance 0, those alone
        count); or by a function of an array of distances.
    algorithm : {"auto", "kd_tree", "ball_tree", "brute"}, default "auto"
        Search by a k-d tree, or compare with every row. The predictions are the same; ``"auto"`` uses the
        tree for few numeric columns without missing cells. A sparse matrix has no tree. ``"ball_tree"`` is
        the k-d tree where there can be one, else every row.
    leaf_size : int, default 30
        As in scikit-learn; the tree here has leaves of its own size, and the neighbors are the same.
    p : float, default 2.0
        The power of "minkowski"; below 1 the former is no metric, and there is no tree.
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
    radius : float, optional
        Neighbors farther away than this do not count: k neighbors, but none beyond the radius.
    n_jobs : int, optional
        Threads; all available when left out. The result does not depend on it.

    Attributes
    ----------
    mean_ : float or ndarray of shape (n_targets,)
        Mean of the target; the prediction for rows without a neighbor.
    memory_ : Memory
        The training rows and the k-d tree over them.
    n_features_in_ : int
        Number of columns at fit.
    feature_names_in_ : ndarray of shape (n_features_in_,)
        Their names, if they had any.

    See Also
    --------
    KNeighborsClassifier : Vote of the k nearest rows.
    RadiusNeighborsRegressor : Mean of all rows within a radius.

    Examples
    --------
    >>> from hornbook import KNeighborsRegressor
    >>> model = KNeighborsRegressor(n_neighbors=2).fit([[0], [1], [2], [3]], [0.0, 1.0, 4.0, 9.0])
    >>> model.predict([[0.4], [2.9]]).tolist()
    [0.5, 6.5]
    """

    wants: ClassVar[Literal["frame"]] = "frame"
    accepts: ClassVar[Accepts] = Accepts(sparse=True, multi_output=True)
    model_class = "the training rows and a distance"
    objective = "squared error among neighbors"
    optimizer = "none: the rows are kept and looked up"
    scale_sensitive: ClassVar[bool] = True
    adjustable: ClassVar[frozenset[str]] = frozenset({"n_neighbors", "weights"})

    def __init__(
        self,
        n_neighbors: NNeighbors = 5,
        *,
        weights: Weighting = "uniform",
        algorithm: Algorithm = "auto",
        leaf_size: LeafSize = 30,
        p: Power = 2.0,
        metric: Metric = "minkowski",
        metric_params: Mapping[str, Any] | None = None,
        radius: Radius = None,
        n_jobs: Jobs = None,
    ) -> None:
        self.n_neighbors = n_neighbors
        self.weights = weights
        self.algorithm = algorithm
        self.leaf_size = leaf_size
        self.p = p
        self.metric = metric
        self.metric_params = metric_params
        self.radius = radius
        self.n_jobs = n_jobs

    def _fit(self, rows: Frame | SparseRows, y: Floats, w: Floats | None) -> None:
        self._remember(rows, y, w)
        self._warn_of_light_rows(w)

    def _describe(self) -> Description:
        return self._mean_description({"neighbors": self.n_neighbors})

    def _plot(self, X: Any, y: Any, ax: Any) -> Any:
        return draw(self, self.memory_, self.y_, X, y, ax, self.n_neighbors)

"""All neighbors within a radius: a vote or a mean."""

from __future__ import annotations

import warnings
from collections.abc import Iterator, Mapping, Sequence
from typing import Annotated, Any, ClassVar, Literal

import numpy as np
from numpy.typing import NDArray

from hornbook.base import Accepts, Classifier, Description, Regressor, Working
from hornbook.distances import Metric, Placed
from hornbook.frame import Frame, SparseRows
from hornbook.neighbors._averaging import Averaging
from hornbook.neighbors._cached_neighbors import CachedRadius
from hornbook.neighbors._kneighbors import LeafSize, Power
from hornbook.neighbors._memory import Algorithm, Memory, Neighbors, OwnRows
from hornbook.neighbors._plot import draw
from hornbook.neighbors._queries import RadiusQueries
from hornbook.neighbors._votes import Ties, Weighting
from hornbook.neighbors._voting import VoteSmoothing, Voting
from hornbook.params import Floats, Jobs, Range, Seed, Shape, Tune

__all__ = ["RadiusNeighborsClassifier", "RadiusNeighborsRegressor"]

RANKS = 10  # neighbors whose distances are drawn

Radius = Annotated[float, Range(low=0.0), Tune(0.1, 10.0, log=True)]


class _RadiusNeighbors(RadiusQueries):
    """Shared by both learners: the search within a radius."""

    memory_: Memory

    def _search(self, queries: Placed | OwnRows) -> Neighbors:
        return self.memory_.within(queries, self.radius, self._threads())

    def _variants(self, rows: Frame, settings: Sequence[Mapping[str, Any]]) -> Iterator[Any]:
        """Look up the neighbors once: those of a smaller radius are among them."""
        # One search with the largest radius serves all settings of a grid.
        most = max((setting.get("radius", self.radius) for setting in settings), default=0.0)
        memory = CachedRadius.of(self.memory_, self.memory_.space.place(rows), most, self._threads())
        for twin in super()._variants(rows, settings):  # type: ignore[misc]  # that of the learner
            twin.memory_ = memory
            yield twin


class RadiusNeighborsClassifier(Voting, _RadiusNeighbors, Classifier):
    """The class that most training rows within a radius have.

    It takes numbers, categories and missing cells together. Unlike in scikit-learn, a row without neighbors
    gets the class frequencies by default.

    Parameters
    ----------
    radius : float, default 1.0
        Rows at most this far away are neighbors.
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
    outlier_label : str, bool, int, float or None, default "most_frequent"
        The class of a row without neighbors; ``"most_frequent"`` is the most frequent one, with the class
        frequencies as probabilities, and ``"error"`` or None rejects such rows. A label that is none of the
        classes is predicted for them, with probability 0 of every class and a warning.
    metric_params : dict, optional
        ``p`` and ``w`` of "minkowski", ``V`` or ``VI`` of "mahalanobis", ``V`` of "seuclidean", or arguments
        of a function.
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
        Their fractions of the weight.
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
    >>> from hornbook import RadiusNeighborsClassifier
    >>> model = RadiusNeighborsClassifier(radius=1.5).fit([[0], [1], [5], [6], [7]], list("aabbb"))
    >>> model.predict([[0.5], [40.0]]).tolist()
    ['a', 'b']
    """

    wants: ClassVar[Literal["frame"]] = "frame"
    accepts: ClassVar[Accepts] = Accepts(sparse=True)
    model_class = "the training rows, a distance and a radius"
    objective = "share of training rows that agree with those around them"
    optimizer = "none: the rows are kept and looked up"
    scale_sensitive: ClassVar[bool] = True
    adjustable: ClassVar[frozenset[str]] = frozenset({"radius", "weights", "vote_smoothing"})

    outlier_shares_: Annotated[Floats, Shape("n_classes")]

    def __init__(
        self,
        radius: Radius = 1.0,
        *,
        weights: Weighting = "uniform",
        algorithm: Algorithm = "auto",
        leaf_size: LeafSize = 30,
        p: Power = 2.0,
        metric: Metric = "minkowski",
        outlier_label: Any = "most_frequent",
        metric_params: Mapping[str, Any] | None = None,
        ties: Ties = "nearest",
        vote_smoothing: VoteSmoothing = 0.0,
        random_state: Seed = None,
        n_jobs: Jobs = None,
    ) -> None:
        self.radius = radius
        self.weights = weights
        self.algorithm = algorithm
        self.leaf_size = leaf_size
        self.p = p
        self.metric = metric
        self.outlier_label = outlier_label
        self.metric_params = metric_params
        self.ties = ties
        self.vote_smoothing = vote_smoothing
        self.random_state = random_state
        self.n_jobs = n_jobs

    def _fit(self, rows: Frame | SparseRows, y: NDArray[np.int32], w: Floats | None) -> None:
        self._remember(rows, y, w)
        self.outlier_shares_ = self._outlier_shares()

    def _outlier_shares(self) -> Floats:
        """The probabilities of rows without neighbors; all 0 for a label of their own."""
        if not isinstance(self.outlier_label, str | bool | int | float | np.generic | None):
            raise TypeError(
                "RadiusNeighborsClassifier: parameter 'outlier_label' must be one label, 'most_frequent', "
                f"'error' or None; got {self.outlier_label!r}."
            )
        if self.outlier_label is None or self._outliers_are("error") or self._outliers_are("most_frequent"):
            return np.asarray(self.class_prior_)
        # A label of another kind would turn all predictions into text when both are joined.
        label = np.asarray(self.outlier_label)
        if (label.dtype.kind in "US") != (self.classes_.dtype.kind in "USO"):
            raise TypeError(
                f"RadiusNeighborsClassifier: parameter 'outlier_label' = {self.outlier_label!r} has "
                f"another type than the classes {self.classes_.tolist()}: use a label of their type."
            )
        return np.asarray(self.classes_ == self.outlier_label).astype(np.float64)

    def _outliers_are(self, word: str) -> bool:
        """Whether the label of outliers is this word, and no class of that name."""
        return (
            isinstance(self.outlier_label, str) and self.outlier_label == word not in self.classes_.tolist()
        )

    def _answer(self, rows: Any) -> NDArray[Any]:
        labels = super()._answer(rows)
        if self.outlier_shares_.any():
            return labels
        # Probabilities that are all 0 mark rows without a neighbor here, as no class can have them.
        isolated = ~self._proba(rows).any(axis=1)
        if not isolated.any():
            return labels
        own = np.asarray([self.outlier_label])
        return np.where(isolated, own.astype(np.result_type(own, labels)), labels)

    def _max_neighbors(self) -> int:
        return len(self.memory_)

    def _outlier_probabilities(self, isolated: NDArray[np.bool_]) -> Floats:
        """The probabilities of rows without a neighbor."""
        if isolated.any() and (self.outlier_label is None or self._outliers_are("error")):
            raise ValueError(
                f"No neighbors found for {isolated.sum()} rows, the first of them row "
                f"{int(isolated.argmax())}, within radius={self.radius:g}: enlarge the radius, or choose "
                "another outlier_label."
            )
        if isolated.any() and not self.outlier_shares_.any():
            warnings.warn(
                f"Outlier label {self.outlier_label} is not in training classes. All class probabilities of "
                "outliers will be assigned with 0.",
                UserWarning,
                stacklevel=6,
            )
        return np.asarray(self.outlier_shares_)

    def _describe(self) -> Description:
        return self._vote_description({"radius": self.radius})

    def _working(self, row: Frame) -> Working:
        return self._vote_working(row, self.outlier_shares_, f" within {self.radius:g}")

    def _plot(self, X: Any, y: Any, ax: Any) -> Any:
        return draw(self, self.memory_, self.classes_[self.y_], X, y, ax, RANKS)


class RadiusNeighborsRegressor(Averaging, _RadiusNeighbors, Regressor):
    """The mean target of all training rows within a radius.

    It takes numbers, categories and missing cells together. Unlike in scikit-learn, a row without neighbors
    gets the mean of all targets instead of NaN, and weights count as repeated rows.

    Parameters
    ----------
    radius : float, default 1.0
        Rows at most this far away are neighbors.
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
    KNeighborsRegressor : Mean of the k nearest rows.
    RadiusNeighborsClassifier : Vote of all rows within a radius.

    Examples
    --------
    >>> from hornbook import RadiusNeighborsRegressor
    >>> model = RadiusNeighborsRegressor(radius=1.0).fit([[0], [1], [2], [3]], [0.0, 1.0, 4.0, 9.0])
    >>> model.predict([[0.4], [40.0]]).tolist()
    [0.5, 3.5]
    """

    wants: ClassVar[Literal["frame"]] = "frame"
    accepts: ClassVar[Accepts] = Accepts(sparse=True, multi_output=True)
    model_class = "the training rows, a distance and a radius"
    objective = "squared error among neighbors"
    optimizer = "none: the rows are kept and looked up"
    scale_sensitive: ClassVar[bool] = True
    adjustable: ClassVar[frozenset[str]] = frozenset({"radius", "weights"})

    def __init__(
        self,
        radius: Radius = 1.0,
        *,
        weights: Weighting = "uniform",
        algorithm: Algorithm = "auto",
        leaf_size: LeafSize = 30,
        p: Power = 2.0,
        metric: Metric = "minkowski",
        metric_params: Mapping[str, Any] | None = None,
        n_jobs: Jobs = None,
    ) -> None:
        self.radius = radius
        self.weights = weights
        self.algorithm = algorithm
        self.leaf_size = leaf_size
        self.p = p
        self.metric = metric
        self.metric_params = metric_params
        self.n_jobs = n_jobs

    def _fit(self, rows: Frame | SparseRows, y: Floats, w: Floats | None) -> None:
        self._remember(rows, y, w)

    def _describe(self) -> Description:
        return self._mean_description({"radius": self.radius})

    def _plot(self, X: Any, y: Any, ax: Any) -> Any:
        return draw(self, self.memory_, self.y_, X, y, ax, RANKS)

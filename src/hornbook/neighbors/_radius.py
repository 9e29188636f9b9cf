"""All neighbors within a radius: a vote."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Annotated, Any, ClassVar, Literal, Self

import numpy as np
from numpy.typing import NDArray

from hornbook.base import Accepts, Classifier, Description, Working
from hornbook.distances import Metric, Placed
from hornbook.frame import Frame, SparseRows
from hornbook.neighbors._cached_neighbors import CachedRadius
from hornbook.neighbors._memory import Algorithm, Neighbors
from hornbook.neighbors._plot import draw
from hornbook.neighbors._votes import Ties, Weighting
from hornbook.neighbors._voting import VoteSmoothing, Voting
from hornbook.params import Floats, Jobs, Range, Seed, Shape, Tune

__all__ = ["RadiusNeighborsClassifier"]

RANKS = 10  # neighbors whose distances are drawn


class RadiusNeighborsClassifier(Voting, Classifier):
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
    algorithm : {"auto", "kd_tree", "brute"}, default "auto"
        Search by a k-d tree, or compare with every row. The predictions are the same; ``"auto"`` uses the
        tree for few numeric columns without missing cells. A sparse matrix has no tree.
    metric : str, Distance or callable, default "minkowski"
        The distance: "minkowski", "euclidean", "manhattan", "chebyshev", "hamming", "mahalanobis", "gower",
        "vdm", one of `hornbook.distances`, or a function of two rows of numbers. Numbers are not scaled.
    p : float, default 2.0
        The power of "minkowski" and "vdm".
    outlier_label : str, bool, int or float, default "most_frequent"
        The class of a row without neighbors; ``"most_frequent"`` is the most frequent one, with the class
        frequencies as probabilities, and ``"error"`` rejects such rows.
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
        *,
        radius: Annotated[float, Range(low=0.0), Tune(0.1, 10.0, log=True)] = 1.0,
        weights: Weighting = "uniform",
        algorithm: Algorithm = "auto",
        metric: Metric = "minkowski",
        p: Annotated[float, Range(low=1.0)] = 2.0,
        outlier_label: str | bool | float = "most_frequent",
        ties: Ties = "nearest",
        vote_smoothing: VoteSmoothing = 0.0,
        random_state: Seed = None,
        n_jobs: Jobs = None,
    ) -> None:
        self.radius = radius
        self.weights = weights
        self.algorithm = algorithm
        self.metric = metric
        self.p = p
        self.outlier_label = outlier_label
        self.ties = ties
        self.vote_smoothing = vote_smoothing
        self.random_state = random_state
        self.n_jobs = n_jobs

    def _fit(self, rows: Frame | SparseRows, y: NDArray[np.int32], w: Floats | None) -> None:
        self._remember(rows, y, w)
        self.outlier_shares_ = self._outlier_shares()

    def _outlier_shares(self) -> Floats:
        """The probabilities of rows without neighbors."""
        labels = self.classes_.tolist()
        if self.outlier_label in labels:
            return np.asarray(self.classes_ == self.outlier_label, dtype=np.float64)
        if self.outlier_label in ("most_frequent", "error"):
            return np.asarray(self.class_prior_)
        raise ValueError(
            "RadiusNeighborsClassifier: parameter 'outlier_label' must be 'most_frequent', 'error' or one of "
            f"the classes {labels}; got {self.outlier_label!r}."
        )

    def _search(self, queries: Placed) -> Neighbors:
        return self.memory_.within(queries, self.radius, self._threads())

    def _variants(self, rows: Frame, settings: Sequence[Mapping[str, Any]]) -> Iterator[Self]:
        """Look up the neighbors once: those of a smaller radius are among them."""
        most = max((setting.get("radius", self.radius) for setting in settings), default=0.0)
        memory = CachedRadius.of(self.memory_, self.memory_.space.place(rows), most, self._threads())
        for twin in super()._variants(rows, settings):
            twin.memory_ = memory
            yield twin

    def _max_neighbors(self) -> int:
        return len(self.memory_)

    def _outlier_probabilities(self, isolated: NDArray[np.bool_]) -> Floats:
        """The probabilities of rows without a neighbor."""
        if isolated.any() and self.outlier_label == "error" and "error" not in self.classes_.tolist():
            raise ValueError(
                f"No neighbors found for {isolated.sum()} rows, the first of them row "
                f"{int(isolated.argmax())}, within radius={self.radius:g}: enlarge the radius, or choose "
                "another outlier_label."
            )
        return np.asarray(self.outlier_shares_)

    def _describe(self) -> Description:
        return self._vote_description({"radius": self.radius})

    def _working(self, row: Frame) -> Working:
        return self._vote_working(row, self.outlier_shares_, f" within {self.radius:g}")

    def _plot(self, X: Any, y: Any, ax: Any) -> Any:
        return draw(self, self.memory_, self.classes_[self.y_], X, y, ax, RANKS)

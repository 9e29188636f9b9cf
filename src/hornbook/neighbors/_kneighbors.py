"""The k nearest neighbors: a vote or a mean."""

from __future__ import annotations

import warnings
from collections.abc import Iterator, Mapping, Sequence
from typing import Annotated, Any, ClassVar, Literal

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import issparse
from sklearn.utils.validation import check_is_fitted

from hornbook.base import Accepts, Classifier, Description, Regressor, Working
from hornbook.distances import Metric, Placed, distance_of
from hornbook.frame import Frame, SparseRows
from hornbook.neighbors._cached_neighbors import CachedKNeighbors
from hornbook.neighbors._description import description, number_terms
from hornbook.neighbors._memory import Algorithm, Memory, Neighbors, remember
from hornbook.neighbors._plot import draw
from hornbook.neighbors._votes import Ties, Weighting, votes_of
from hornbook.neighbors._voting import VoteSmoothing, Voting, weighting_text
from hornbook.params import Floats, Jobs, Range, Seed, Shape, Tune

__all__ = ["KNeighborsClassifier", "KNeighborsRegressor"]

NNeighbors = Annotated[int, Range(low=1), Tune(1, 50)]
Power = Annotated[float, Range(low=1.0), Tune(values=(1.0, 2.0))]
Radius = Annotated[float, Range(low=0.0)] | None


class _KNeighbors:
    """Shared by both learners: the search for k neighbors."""

    n_neighbors: int
    weights: Weighting
    algorithm: Algorithm
    metric: Metric
    p: float
    radius: float | None
    memory_: Memory
    _threads: Any
    _prepared: Any
    _by_chunks: Any

    def _warn_of_light_rows(self, w: Floats | None) -> None:
        mass = self.memory_.mass.sum()
        if w is not None and mass < min(self.n_neighbors, len(self.memory_)):
            warnings.warn(
                f"the weights sum to {mass:.6g}, so the {len(self.memory_)} rows together count as less than "
                f"n_neighbors={self.n_neighbors} and all of them vote: a weight says as how many rows a row "
                "counts; scale the weights to mean 1.",
                UserWarning,
                stacklevel=7,
            )

    def _search(self, queries: Placed) -> Neighbors:
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

    def kneighbors(
        self, X: Any = None, n_neighbors: int | None = None, return_distance: bool = True
    ) -> tuple[Floats, NDArray[np.int64]] | NDArray[np.int64]:
        """Find the nearest training rows of each row.

        Parameters
        ----------
        X : table of shape (n_rows, n_columns), optional
            The rows; when left out the training rows, none of which is its own neighbor.
        n_neighbors : int, optional
            How many; the parameter of the learner when left out.
        return_distance : bool, default True
            Whether to return the distances, too.

        Returns
        -------
        distances : ndarray of shape (n_rows, n_neighbors)
            Infinite where no further row has a known column in common.
        indices : ndarray of shape (n_rows, n_neighbors)
            Training rows, the nearest first, ties by index; -1 where there is none.
        """
        check_is_fitted(self)
        memory, own = self.memory_, X is None
        k = self.n_neighbors if n_neighbors is None else n_neighbors
        if isinstance(k, bool) or not isinstance(k, int | np.integer) or not 1 <= k <= len(memory) - own:
            raise ValueError(
                f"Expected n_neighbors from 1 to {len(memory) - own}, the number of rows there are to choose "
                f"from; got {k!r}: ask for fewer neighbors."
            )
        distances, indices = self._nearest(X, int(k))
        return (distances, indices) if return_distance else indices

    def _nearest(self, X: Any, k: int) -> tuple[Floats, NDArray[np.int64]]:
        memory = self.memory_
        if issparse(X):
            # Distances and indices stacked in one array, since chunks return one; indices are exact in
            # float64.
            both = self._by_chunks(lambda part: np.stack(self._nearest(part, k), axis=1), X)
            return both[:, 0], both[:, 1].astype(np.int64)
        if X is None:
            # One more neighbor than requested, because each row is its own nearest.
            distances, indices = _without_self(*memory.nearest(memory.rows, k + 1, self._threads()))
        else:
            queries = memory.space.place(self._prepared(X))
            distances, indices = memory.nearest(queries, k, self._threads())
        return distances, np.where(indices < 0, -1, memory.source(indices))


def _without_self(distances: Floats, indices: NDArray[np.int64]) -> tuple[Floats, NDArray[np.int64]]:
    n_rows, k = indices.shape
    other = indices != np.arange(n_rows)[:, None]
    other[other.all(axis=1), -1] = False  # so many copies that the row is not among its own nearest
    shape = (n_rows, k - 1)
    return distances[other].reshape(shape), indices[other].reshape(shape)


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
    algorithm : {"auto", "kd_tree", "brute"}, default "auto"
        Search by a k-d tree, or compare with every row. The predictions are the same; ``"auto"`` uses the
        tree for few numeric columns without missing cells. A sparse matrix has no tree.
    metric : str, Distance or callable, default "minkowski"
        The distance: "minkowski", "euclidean", "manhattan", "chebyshev", "hamming", "mahalanobis", "gower",
        "vdm", one of `hornbook.distances`, or a function of two rows of numbers. Numbers are not scaled.
    p : float, default 2.0
        The power of "minkowski" and "vdm".
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
        *,
        n_neighbors: NNeighbors = 5,
        weights: Weighting = "uniform",
        algorithm: Algorithm = "auto",
        metric: Metric = "minkowski",
        p: Power = 2.0,
        radius: Radius = None,
        ties: Ties = "nearest",
        vote_smoothing: VoteSmoothing = 0.0,
        random_state: Seed = None,
        n_jobs: Jobs = None,
    ) -> None:
        self.n_neighbors = n_neighbors
        self.weights = weights
        self.algorithm = algorithm
        self.metric = metric
        self.p = p
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


class KNeighborsRegressor(_KNeighbors, Regressor):
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
    algorithm : {"auto", "kd_tree", "brute"}, default "auto"
        Search by a k-d tree, or compare with every row. The predictions are the same; ``"auto"`` uses the
        tree for few numeric columns without missing cells. A sparse matrix has no tree.
    metric : str, Distance or callable, default "minkowski"
        The distance: "minkowski", "euclidean", "manhattan", "chebyshev", "hamming", "mahalanobis", "gower",
        one of `hornbook.distances`, or a function of two rows of numbers. Numbers are not scaled.
    p : float, default 2.0
        The power of "minkowski".
    radius : float, optional
        Neighbors farther away than this do not count: k neighbors, but none beyond the radius.
    n_jobs : int, optional
        Threads; all available when left out. The result does not depend on it.

    Attributes
    ----------
    mean_ : float
        Mean of the target; the prediction for rows without a neighbor.
    memory_ : Memory
        The training rows and the k-d tree over them.
    n_features_in_ : int
        Number of columns at fit.
    feature_names_in_ : ndarray of shape (n_features_in_,)
        Their names, if they had any.

    Examples
    --------
    >>> from hornbook import KNeighborsRegressor
    >>> model = KNeighborsRegressor(n_neighbors=2).fit([[0], [1], [2], [3]], [0.0, 1.0, 4.0, 9.0])
    >>> model.predict([[0.4], [2.9]]).tolist()
    [0.5, 6.5]
    """

    wants: ClassVar[Literal["frame"]] = "frame"
    accepts: ClassVar[Accepts] = Accepts(sparse=True)
    model_class = "the training rows and a distance"
    objective = "squared error among neighbors"
    optimizer = "none: the rows are kept and looked up"
    scale_sensitive: ClassVar[bool] = True
    adjustable: ClassVar[frozenset[str]] = frozenset({"n_neighbors", "weights"})

    y_: Annotated[Floats, Shape("n_rows")]
    mean_: float

    def __init__(
        self,
        *,
        n_neighbors: NNeighbors = 5,
        weights: Weighting = "uniform",
        algorithm: Algorithm = "auto",
        metric: Metric = "minkowski",
        p: Power = 2.0,
        radius: Radius = None,
        n_jobs: Jobs = None,
    ) -> None:
        self.n_neighbors = n_neighbors
        self.weights = weights
        self.algorithm = algorithm
        self.metric = metric
        self.p = p
        self.radius = radius
        self.n_jobs = n_jobs

    def _fit(self, rows: Frame | SparseRows, y: Floats, w: Floats | None) -> None:
        self.memory_ = remember(
            rows, w, None, metric=self.metric, p=self.p, algorithm=self.algorithm, n_threads=self._threads()
        )
        self._warn_of_light_rows(w)
        self.y_ = y.copy() if self.memory_.origin is None else y[self.memory_.origin]
        self.mean_ = float(np.average(self.y_, weights=self.memory_.mass))

    def _predict(self, rows: Frame) -> Floats:
        neighbors = self._search(self.memory_.space.place(rows))
        votes = votes_of(neighbors, self.weights)
        n_rows, whose = len(rows), neighbors.queries
        total = np.bincount(whose, weights=votes, minlength=n_rows)
        # Votes are normalized before the sum, so that products of large targets and votes do not overflow.
        shares = votes / np.where(total > 0, total, 1.0)[whose]
        means = np.bincount(whose, weights=shares * self.y_[neighbors.indices], minlength=n_rows)
        return np.asarray(np.where(total > 0, means, self.mean_))

    def _describe(self) -> Description:
        facts = {
            "neighbors": self.n_neighbors,
            "votes": weighting_text(self.weights),
            "mean target": self.mean_,
        }
        return description(self, self.memory_, facts, distance_of(self.metric, self.p))

    def _working(self, row: Frame) -> Working:
        neighbors = self._search(self.memory_.space.place(row))
        votes = votes_of(neighbors, self.weights)
        terms = number_terms(self.memory_, neighbors, votes, self.y_, self.mean_)
        title = f"The mean of {len(votes)} neighbors, each with its share of the votes"
        return Working(title, "sum", ["value"], terms, float(self._predict(row)[0]))

    def _plot(self, X: Any, y: Any, ax: Any) -> Any:
        return draw(self, self.memory_, self.y_, X, y, ax, self.n_neighbors)

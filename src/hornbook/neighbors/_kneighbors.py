"""The k nearest neighbors: a vote or a mean."""

from __future__ import annotations

import warnings
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import field
from typing import Any, ClassVar, Literal

import numpy as np
from numpy.typing import NDArray

from hornbook.base import Accepts, Classifier, Description, Regressor, Working
from hornbook.distances import Placed
from hornbook.frame import Frame, SparseRows
from hornbook.neighbors._averaging import Averaging
from hornbook.neighbors._cached_neighbors import CachedKNeighbors
from hornbook.neighbors._memory import Neighbors, OwnRows
from hornbook.neighbors._parameters import MeanWeights, NNeighbors, Reach, RowDistance, VoteRules
from hornbook.neighbors._plot import draw
from hornbook.neighbors._queries import KQueries
from hornbook.neighbors._voting import Voting
from hornbook.params import Floats, declared

__all__ = ["KNeighborsClassifier", "KNeighborsRegressor"]


class _KNeighbors(KQueries):
    """Shared by both learners: the search for k neighbors."""

    n_neighbors: int
    radius: float | None

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
@declared
class KNeighborsClassifier(RowDistance, Reach, VoteRules, Voting, _KNeighbors, Classifier):
    """The class that most of the k nearest training rows have.

    It takes numbers, categories and missing cells together. Unlike in scikit-learn, vote ties go to the class
    of the nearest neighbor, weights count as repeated rows, and all rows vote when there are fewer than k.

    Parameters
    ----------
    n_neighbors : int, default 5
        How many neighbors vote (k). Of two rows at the same distance, the one with the lower index comes
        first.

    Attributes
    ----------
    class_prior_ : ndarray of shape (n_classes,)
        Their fractions of the weight; the probabilities for rows without a neighbor.

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
    accepts: ClassVar[Accepts] = Accepts(sparse=True, multi_output=True)
    model_class = "the training rows and a distance"
    objective = "share of training rows that agree with their neighbors"
    optimizer = "none: the rows are kept and looked up"
    scale_sensitive: ClassVar[bool] = True
    adjustable: ClassVar[frozenset[str]] = frozenset({"n_neighbors", "weights", "vote_smoothing"})

    n_neighbors: NNeighbors = field(default=5, kw_only=False)

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
        learner = self._shown()
        return draw(learner, self.memory_, learner.classes_[learner.y_], X, y, ax, self.n_neighbors)


@declared
class KNeighborsRegressor(RowDistance, Reach, MeanWeights, Averaging, _KNeighbors, Regressor):
    """The mean target of the k nearest training rows.

    It takes numbers, categories and missing cells together. Unlike scikit-learn's, weights count as repeated
    rows, and all rows are averaged when there are fewer than k.

    Parameters
    ----------
    n_neighbors : int, default 5
        How many neighbors are averaged (k). Of two rows at the same distance, the one with the lower index
        comes first.

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

    n_neighbors: NNeighbors = field(default=5, kw_only=False)

    def _fit(self, rows: Frame | SparseRows, y: Floats, w: Floats | None) -> None:
        self._remember(rows, y, w)
        self._warn_of_light_rows(w)

    def _describe(self) -> Description:
        return self._mean_description({"neighbors": self.n_neighbors})

    def _plot(self, X: Any, y: Any, ax: Any) -> Any:
        return draw(self, self.memory_, self.y_, X, y, ax, self.n_neighbors)

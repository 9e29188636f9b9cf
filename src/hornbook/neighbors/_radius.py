"""All neighbors within a radius: a vote or a mean."""

from __future__ import annotations

import warnings
from collections.abc import Iterator, Mapping, Sequence
from typing import Annotated, Any, ClassVar, Literal

import numpy as np
from numpy.typing import NDArray

from hornbook.base import Accepts, Classifier, Description, Regressor, Working
from hornbook.distances import Placed
from hornbook.frame import Frame, SparseRows
from hornbook.neighbors._averaging import Averaging
from hornbook.neighbors._cached_neighbors import CachedRadius
from hornbook.neighbors._memory import Neighbors, OwnRows
from hornbook.neighbors._parameters import MeanWeights, RowDistance, VoteRules, WithinRadius
from hornbook.neighbors._plot import draw
from hornbook.neighbors._queries import RadiusQueries
from hornbook.neighbors._voting import Voting
from hornbook.params import Floats, Shape, declared

__all__ = ["RadiusNeighborsClassifier", "RadiusNeighborsRegressor"]

RANKS = 10  # neighbors whose distances are drawn


class _RadiusNeighbors(RadiusQueries):
    """Shared by both learners: the search within a radius."""

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


class _RadiusVoting(Voting, _RadiusNeighbors, Classifier):
    """A vote of the rows within a radius, and what becomes of rows without any."""

    outlier_label: Any
    outlier_shares_: Annotated[Floats, Shape("n_classes")]

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
        if self.n_outputs_ > 1 or self.outlier_shares_.any():  # of several, the parts have looked
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


@declared
class RadiusNeighborsClassifier(RowDistance, VoteRules, WithinRadius, _RadiusVoting):
    """The class that most training rows within a radius have.

    It takes numbers, categories and missing cells together. Unlike in scikit-learn, a row without neighbors
    gets the class frequencies by default.

    Parameters
    ----------
    outlier_label : str, bool, int, float or None, default "most_frequent"
        The class of a row without neighbors; ``"most_frequent"`` is the most frequent one, with the class
        frequencies as probabilities, and ``"error"`` or None rejects such rows. A label that is none of the
        classes is predicted for them, with probability 0 of every class and a warning.

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
    accepts: ClassVar[Accepts] = Accepts(sparse=True, multi_output=True)
    model_class = "the training rows, a distance and a radius"
    objective = "share of training rows that agree with those around them"
    optimizer = "none: the rows are kept and looked up"
    scale_sensitive: ClassVar[bool] = True
    adjustable: ClassVar[frozenset[str]] = frozenset({"radius", "weights", "vote_smoothing"})

    outlier_label: Any = "most_frequent"

    def _fit(self, rows: Frame | SparseRows, y: NDArray[np.int32], w: Floats | None) -> None:
        self._remember(rows, y, w)
        parts = self._parts() if self.n_outputs_ > 1 else [self]
        self.outlier_shares_ = np.concatenate([part._outlier_shares() for part in parts])  # noqa: SLF001

    def _describe(self) -> Description:
        return self._vote_description({"radius": self.radius})

    def _working(self, row: Frame) -> Working:
        return self._vote_working(row, self.outlier_shares_, f" within {self.radius:g}")

    def _plot(self, X: Any, y: Any, ax: Any) -> Any:
        learner = self._shown()
        return draw(learner, self.memory_, learner.classes_[learner.y_], X, y, ax, RANKS)


@declared
class RadiusNeighborsRegressor(
    RowDistance, MeanWeights, WithinRadius, Averaging, _RadiusNeighbors, Regressor
):
    """The mean target of all training rows within a radius.

    It takes numbers, categories and missing cells together. Unlike in scikit-learn, a row without neighbors
    gets the mean of all targets instead of NaN, and weights count as repeated rows.

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

    def _fit(self, rows: Frame | SparseRows, y: Floats, w: Floats | None) -> None:
        self._remember(rows, y, w)

    def _describe(self) -> Description:
        return self._mean_description({"radius": self.radius})

    def _plot(self, X: Any, y: Any, ax: Any) -> Any:
        return draw(self, self.memory_, self.y_, X, y, ax, RANKS)

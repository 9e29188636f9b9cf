"""A lookup table."""

from __future__ import annotations

from typing import Annotated, Any, ClassVar, Literal

import numpy as np
from numpy.typing import NDArray
from sklearn.utils import Tags

from hornbook.base import Classifier, Description, Table, Term, Working, draw_beside_rows
from hornbook.concepts._cells import cells_of
from hornbook.frame import Frame
from hornbook.params import Floats, Shape
from hornbook.plots import bars

__all__ = ["Memorizer"]


class Memorizer(Classifier):
    """Remember every training row; know nothing else.

    A row seen in training gets the class that most of its copies had, any other the most frequent class.
    Where no two rows are equal, it makes no error on the training rows and is no better than guessing on
    others: the extreme case of overfitting. It takes as long as sorting the rows: time grows as n log n with
    the rows and linearly with the columns, and not with the number of categories.

    Attributes
    ----------
    classes_ : ndarray of shape (n_classes,)
        The classes.
    class_prior_ : ndarray of shape (n_classes,)
        Their fractions of the weight.
    rows_ : ndarray of shape (n_distinct, n_columns)
        The distinct rows, as integers: codes of levels, bits of numbers.
    shares_ : ndarray of shape (n_distinct, n_classes)
        The class probabilities among the copies of each.
    n_features_in_ : int
        Number of columns at fit.
    feature_names_in_ : ndarray of shape (n_features_in_,)
        Their names, if they had any.

    See Also
    --------
    ConjunctiveConcept : A conjunction of conditions that fits all examples.
    KNeighborsClassifier : Vote of the k nearest rows.

    Examples
    --------
    >>> from hornbook import Memorizer
    >>> model = Memorizer().fit([[1], [2], [3]], ["odd", "even", "odd"])
    >>> model.predict([[1], [2], [4]]).tolist()
    ['odd', 'even', 'odd']
    """

    counts_absent: ClassVar[bool] = True
    wants: ClassVar[Literal["frame"]] = "frame"
    model_class = "a table of all training rows"
    objective = "error on the training rows"
    optimizer = "none: the rows are kept and looked up"

    rows_: Annotated[NDArray[np.int64], Shape("n_distinct", "n_columns")]
    shares_: Annotated[Floats, Shape("n_distinct", "n_classes")]
    class_prior_: Annotated[Floats, Shape("n_classes")]

    def _fit(self, frame: Frame, y: NDArray[np.int32], w: Floats | None) -> None:
        weights = np.ones(len(y)) if w is None else w
        used = np.flatnonzero(weights > 0)
        self.rows_, place = np.unique(cells_of(frame[used]), axis=0, return_inverse=True)
        k = len(self.classes_)
        places = place.ravel() * k + y[used]
        mass = np.bincount(places, weights=weights[used], minlength=len(self.rows_) * k).reshape(-1, k)
        # Rows of weight 0 were dropped, so no sum is 0.
        self.shares_ = mass / mass.sum(axis=1, keepdims=True)
        self.class_prior_ = mass.sum(axis=0) / mass.sum()

    def _positions(self, frame: Frame) -> NDArray[np.intp]:
        """Position of each row among those remembered, -1 for others."""
        known = len(self.rows_)
        # The first occurrence of a row is a stored one exactly when it was seen in training.
        together = np.concatenate([self.rows_, cells_of(frame)])
        _, first, place = np.unique(together, axis=0, return_index=True, return_inverse=True)
        positions = first[place.ravel()[known:]]
        return np.where(positions < known, positions, -1)

    def _proba(self, frame: Frame) -> Floats:
        positions = self._positions(frame)
        return np.asarray(np.where(positions[:, None] >= 0, self.shares_[positions], self.class_prior_))

    def _describe(self) -> Description:
        rows = list(zip(self.classes_.tolist(), self.class_prior_.tolist(), strict=True))
        title = f"Memorizer of {len(self.rows_)} different rows of {len(self.schema_.columns)} columns"
        return Description(title, {}, [Table("Class of all other rows, by share", ["class", "share"], rows)])

    def _working(self, row: Frame) -> Working:
        known = self._positions(row)[0] >= 0
        name = "shares among the copies of the row" if known else "never seen: shares among all rows"
        probabilities = self._proba(row)[0]
        answer = self.classes_[int(probabilities.argmax())]
        return Working(
            "Looked up", "sum", self.classes_.tolist(), [Term(name, probabilities.tolist())], answer
        )

    def _plot(self, X: Any, y: Any, ax: Any) -> Any:
        names, title = (
            [str(label) for label in self.classes_],
            f"Shares among {len(self.rows_)} remembered rows",
        )
        return draw_beside_rows(
            self, lambda place: bars(self.class_prior_, names, ax=place, title=title), X, y, ax
        )

    def __sklearn_tags__(self) -> Tags:
        tags = super().__sklearn_tags__()
        if tags.classifier_tags is not None:
            tags.classifier_tags.poor_score = True
        return tags

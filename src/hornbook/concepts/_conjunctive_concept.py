"""Concepts as conjunctions of attribute = value."""

from __future__ import annotations

import warnings
from typing import Annotated, Any, ClassVar, Literal

import numpy as np
from numpy.typing import NDArray
from sklearn.utils import Tags

from hornbook.base import Classifier, Description, Table, Term, Working, draw_beside_rows
from hornbook.concepts._cells import cells_of
from hornbook.concepts._version_space import MOST_GENERAL, VersionSpace, conjunction_text, version_space
from hornbook.frame import Frame
from hornbook.params import Floats, Index, Shape
from hornbook.plots import bars

__all__ = ["ConjunctiveConcept"]

SHOWN = 5  # most general conjunctions that are displayed


class ConjunctiveConcept(Classifier):
    """A conjunction of attribute = value for each class but one, which gets the rows that none covers.

    The rows of a class are its positive examples and all others its negative ones. The conjunctions that
    cover all positive and no negative examples form the version space between the most specific one (all that
    the positive examples share) and the most general ones. Where there are none, a warning says so and the
    most specific one is used, which covers some negative examples. Numbers are values like any other: they
    match only if equal. Learning takes one pass over the rows for each class: time grows with rows x columns
    x classes, and not with the number of categories; of the most general conjunctions, whose number may grow
    exponentially, up to 1000 are listed. The version space is that of Mitchell (1982).

    Parameters
    ----------
    hypothesis : {"specific", "general"}, default "specific"
        Whether a row belongs to the class if the most specific conjunction covers it, or if any of the most
        general ones does. Of several classes that cover a row, the one with the most literals wins.
    negative : str, bool, int or float, optional
        The class of rows that no conjunction covers. When left out, the one of two classes that sorts first,
        and the most frequent one of several.

    Attributes
    ----------
    classes_ : ndarray of shape (n_classes,)
        The classes.
    concepts_ : list of VersionSpace
        The version space of each class but the negative one.
    owners_ : ndarray of shape (n_concepts,)
        Positions in ``classes_`` of the classes they belong to.
    negative_ : int
        Position in ``classes_`` of the negative class.
    n_features_in_ : int
        Number of columns at fit.
    feature_names_in_ : ndarray of shape (n_features_in_,)
        Their names, if they had any.

    See Also
    --------
    Memorizer : Repeats what it has seen.
    DecisionTreeClassifier : Questions about one column after the other, for classes.

    Examples
    --------
    >>> from hornbook import ConjunctiveConcept
    >>> patients = {"temperature": ["high", "medium", "high"], "spots": ["yes", "yes", "yes"]}
    >>> model = ConjunctiveConcept().fit(patients, [True, False, True])
    >>> print(model.describe().tables[0])
    Concepts
      class  most specific                       most general        conjunctions
      True   temperature = high and spots = yes  temperature = high             2
    """

    counts_absent: ClassVar[bool] = True
    wants: ClassVar[Literal["frame"]] = "frame"
    model_class = "one conjunction of attribute = value for each class but one"
    objective = "no negative example covered, and every positive one"
    optimizer = "closed form: what the positive examples share"

    negative_: int
    owners_: Annotated[NDArray[np.int64], Shape("n_concepts"), Index("n_classes")]
    concepts_: Annotated[list[VersionSpace], Shape("n_concepts")]

    def __init__(
        self,
        *,
        hypothesis: Literal["specific", "general"] = "specific",
        negative: str | bool | float | None = None,
    ) -> None:
        self.hypothesis = hypothesis
        self.negative = negative

    def _fit(self, frame: Frame, y: NDArray[np.int32], w: Floats | None) -> None:
        # A row without weight is no example: a single negative one could empty the version space.
        if w is not None:
            rows = np.flatnonzero(w > 0)
            frame, y, w = frame[rows], y[rows], w[rows]
        mass = np.bincount(y, weights=w, minlength=len(self.classes_)).astype(np.float64)
        self.negative_ = self._negative(mass)
        cells = cells_of(frame)
        present = np.unique(y)
        self.owners_ = present[present != self.negative_].astype(np.int64)
        self.concepts_ = [version_space(cells[y == c], cells[y != c]) for c in self.owners_]
        for c, concept in zip(self.owners_, self.concepts_, strict=True):
            if concept.empty:
                warnings.warn(
                    f"no conjunction covers all rows of class {self.classes_.tolist()[c]!r} and none of the "
                    "others: the version space is empty, and what the rows share is used; correct wrong "
                    "rows, or choose another learner.",
                    UserWarning,
                    stacklevel=7,
                )

    def _negative(self, mass: Floats) -> int:
        present = np.flatnonzero(mass)
        if self.negative is not None:
            labels = self.classes_[present].tolist()
            if self.negative not in labels:
                raise ValueError(
                    f"ConjunctiveConcept: parameter 'negative' must be one of the classes {labels}; got "
                    f"{self.negative!r}."
                )
            return int(present[labels.index(self.negative)])
        # Of two classes the one that sorts last is the positive one, as everywhere.
        return int(present[0]) if len(present) == 2 else int(mass.argmax())

    def _scores(self, frame: Frame) -> Floats:
        """Above 1 for classes whose conjunction covers the row, the more literals the higher."""
        cells = cells_of(frame)
        scores = np.full((len(cells), len(self.classes_)), -1.0)
        # Between a conjunction that holds (above 1) and one that does not (-1): the default class.
        scores[:, self.negative_] = 0.5
        lengths = [int(concept.specific.sum()) for concept in self.concepts_]
        for c, concept, length in zip(self.owners_, self.concepts_, lengths, strict=True):
            covered = concept.covers(cells, general=self.hypothesis == "general")
            # Of several classes the longest conjunction, the most specific one, wins.
            scores[covered, c] = 1 + length / (1 + len(self.schema_.columns))
        return scores

    def _predict(self, frame: Frame) -> NDArray[np.intp]:
        return np.asarray(self._scores(frame).argmax(axis=1))

    def _rule_text(self, concept: VersionSpace) -> str:
        """The conjunctions that decide, as text."""
        if self.hypothesis == "general" and not concept.empty:
            return " or ".join(self._general_texts(concept))
        return conjunction_text(concept, concept.specific, self.schema_)

    def _general_texts(self, concept: VersionSpace) -> list[str]:
        """Some of the most general conjunctions, and how many more there are."""
        if concept.general is None:
            return [f"any of more than {MOST_GENERAL} conjunctions"]
        conjunctions = [
            conjunction_text(concept, literals, self.schema_) for literals in concept.general[:SHOWN]
        ]
        more = len(concept.general) - SHOWN
        return [*conjunctions, f"{more} more"] if more > 0 else conjunctions

    def _describe(self) -> Description:
        labels, rows = self.classes_.tolist(), []
        for c, concept in zip(self.owners_.tolist(), self.concepts_, strict=True):
            general = "; ".join(self._general_texts(concept)) or "none: the examples contradict each other"
            rows.append(
                [labels[c], conjunction_text(concept, concept.specific, self.schema_), general, concept.size]
            )
        head = ["class", "most specific", "most general", "conjunctions"]
        facts = {"class of all other rows": labels[self.negative_], "hypothesis": self.hypothesis}
        title = f"ConjunctiveConcept over {len(self.schema_.columns)} columns"
        return Description(title, facts, [Table("Concepts", head, rows)])

    def _working(self, row: Frame) -> Working:
        labels, scores = self.classes_.tolist(), self._scores(row)[0]
        other = Term(
            "no conjunction covers the row", [0.5 * (c == self.negative_) for c in range(len(labels))]
        )
        terms = [other]
        for c, concept in zip(self.owners_.tolist(), self.concepts_, strict=True):
            status = "holds" if scores[c] > 0 else "does not hold"
            name = f"{labels[c]} if {self._rule_text(concept)}: {status}"
            terms.append(Term(name, [float(scores[c]) * (i == c) for i in range(len(labels))]))
        answer = self.classes_[int(scores.argmax())]
        return Working("Which conjunctions cover the row", "sum", labels, terms, answer)

    def _plot(self, X: Any, y: Any, ax: Any) -> Any:
        lengths = [int(concept.specific.sum()) for concept in self.concepts_] or [0]
        names = [str(self.classes_[c]) for c in self.owners_] or [str(self.classes_[0])]
        title = "Literals of each conjunction"
        return draw_beside_rows(self, lambda place: bars(lengths, names, ax=place, title=title), X, y, ax)

    def __sklearn_tags__(self) -> Tags:
        tags = super().__sklearn_tags__()
        if tags.classifier_tags is not None:
            tags.classifier_tags.poor_score = True
        return tags

"""The positive one of two classes, fixed once for all measures of a table."""

from __future__ import annotations

import inspect
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, cast

import numpy as np

from hornbook.evaluation.metrics._measure import Measure, Needs, RowMean, Unit
from hornbook.frame import Label

__all__ = ["PositiveMeasure", "choose_positive", "for_positive"]


def choose_positive(rows: Mapping[Any, float], asked: str | None = None) -> tuple[Any, str]:
    """Choose the positive one of two classes, and return the reason.

    Functions such as `precision` choose from the labels they see; what is measured fold by fold or file by
    file must not depend on the rows of a fold, so the class is chosen once for the whole table.

    Parameters
    ----------
    rows : mapping of label to float
        The two classes, and how many rows or how much weight each has.
    asked : str, optional
        The class, as the user wrote it.

    Returns
    -------
    label, reason
        The one asked for, else 1 or True, else the rarer one, else the one that sorts last.

    Examples
    --------
    >>> choose_positive({"healthy": 90, "ill": 10})
    ('ill', 'the rarer class')
    >>> choose_positive({0: 10, 1: 90})
    (1, 'the class 1')
    """
    classes = list(rows)
    if asked is not None:
        named = [label for label in classes if str(label) == str(asked)]
        if not named:
            words = " and ".join(f"'{label}'" for label in classes)
            raise ValueError(f"'{asked}' is not one of the classes {words}: name one of them as positive.")
        return named[0], "as requested"
    ones = [label for label in classes if not isinstance(label, str) and label == 1]
    if ones:
        return ones[0], f"the class {ones[0]}"
    first, last = sorted(classes)
    # The rarer class is usually the event of interest; a tie is settled by the name, which never
    # changes.
    if rows[first] == rows[last]:
        return last, "the class that sorts last, as both have as many rows"
    return min((first, last), key=rows.__getitem__), "the rarer class"


@dataclass(frozen=True)
class PositiveMeasure:
    """A measure of two classes with a fixed positive class.

    Parameters
    ----------
    measure : Measure
        One that takes ``positive``.
    classes : sequence
        Both classes; scores that rank the rows are about the second.
    positive : label
        The positive one.
    """

    measure: Measure
    classes: Sequence[Label]
    positive: Label

    @property
    def name(self) -> str:
        """The name of the measure."""
        return self.measure.name

    @property
    def greater_is_better(self) -> bool:
        """Whether larger values are better."""
        return self.measure.greater_is_better

    @property
    def needs(self) -> Needs:
        """What it is computed from."""
        return self.measure.needs

    @property
    def best(self) -> float:
        """The value of perfect predictions."""
        return self.measure.best

    @property
    def unit(self) -> Unit | None:
        """Its unit."""
        return self.measure.unit

    @property
    def row_mean(self) -> RowMean | None:
        """The row values whose mean it is."""
        return self.measure.row_mean

    def __call__(self, y_true: Any, y_pred: Any, /, **options: Any) -> float:
        """Compare predictions with the truth."""
        return self.measure(y_true, self.turned(y_pred), **{"positive": self.positive, **options})

    def turned(self, y_pred: Any) -> Any:
        """Return predictions with scores negated where they rank the rows for the negative class."""
        # A single column of scores ranks for the second class; negated, it ranks for the first.
        if self.needs == "scores" and np.ndim(y_pred) == 1 and self.positive == self.classes[0]:
            return np.negative(y_pred)
        return y_pred


def for_positive(measure: Measure, classes: Sequence[Label], positive: Label | None) -> Measure:
    """Fix the positive class of a measure; a symmetric or multiclass one is returned unchanged.

    Parameters
    ----------
    measure : Measure
        Any measure.
    classes : sequence
        The classes, in the order that the scores refer to.
    positive : label, optional
        The positive one of two; the measure's own rule applies when left out.

    Examples
    --------
    >>> from hornbook.evaluation import measure_by_name
    >>> recall = for_positive(measure_by_name("recall"), ("no", "yes"), "no")
    >>> recall(["no", "no", "yes"], ["no", "yes", "yes"])
    0.5
    """
    if positive is None or len(classes) != 2 or measure.needs not in ("labels", "scores"):
        return measure
    if "positive" not in inspect.signature(measure).parameters:
        return measure
    return cast("Measure", PositiveMeasure(measure, tuple(classes), positive))

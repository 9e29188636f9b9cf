"""Class probabilities as a checked table with one column per class."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from hornbook.evaluation.metrics._columns import label_column, score_table
from hornbook.evaluation.metrics._labels import (
    Codes,
    checked_classes,
    coded,
    distinct,
    other_of,
    positive_of,
)
from hornbook.frame import Label
from hornbook.params import Floats

__all__ = ["Probabilities", "probability_table"]


@dataclass(frozen=True)
class Probabilities:
    """The true classes as codes, and the probability of each class in each row."""

    classes: tuple[Label, ...]
    codes: Codes
    table: Floats

    @property
    def of_truth(self) -> Floats:
        """The predicted probability of the true class of each row."""
        return np.take_along_axis(self.table, self.codes[:, None], axis=1)[:, 0]


def probability_table(
    function: str, y_true: Any, y_pred: Any, labels: Sequence[Label] | None, positive: Label | None = None
) -> Probabilities:
    """Return truth and probabilities; a single column is that of the positive class of two."""
    truth = label_column(function, "y_true", y_true)
    # Read before conversion: the checked table is double precision in any case.
    single_precision = np.asarray(y_pred).dtype == np.float32
    table = score_table(function, "y_pred", y_pred, len(truth))
    _check_range(function, table)
    classes = distinct(function, truth) if labels is None else checked_classes(function, labels)
    if table.ndim == 1:
        named = positive_of(function, classes, positive)
        if len(classes) > 2:
            raise ValueError(
                f"{function}: 'y_pred' must have a column for each of the classes {list(classes)}; "
                "got one column."
            )
        other = other_of(classes, named)
        # the truth of a fold may have one class only; the single column still means the positive one
        classes = (_stand_in(named) if other is None else other, named)
        table = np.column_stack([1.0 - table, table])
    if table.shape[1] != len(classes):
        raise ValueError(
            f"{function}: 'y_pred' must have a column for each of the classes {list(classes)}; "
            f"got {table.shape[1]} columns: name all classes in 'labels', in the order of the columns."
        )
    # single precision has seven digits, fewer after a sum over classes
    _check_sums(function, table, tolerance=1e-3 if single_precision else 1e-6)
    return Probabilities(classes, coded(function, "y_true", truth, classes), table)


def _stand_in(positive: Label) -> Label:
    """Return a name for the negative class when no row has it."""
    # For numbers 0 / 1 and booleans the complement; the name only has to differ from the positive
    # one.
    return f"not {positive}" if isinstance(positive, str) else not bool(positive)


def _check_range(function: str, table: Floats) -> None:
    outside = (table < 0) | (table > 1)
    if outside.any():
        row = int(np.argwhere(outside)[0, 0])
        value = table[outside].ravel()[0]
        raise ValueError(
            f"{function}: 'y_pred' must hold probabilities between 0 and 1; got {value:g} in row {row}: "
            "use a measure of scores, such as auc, for other numbers."
        )


def _check_sums(function: str, table: Floats, *, tolerance: float) -> None:
    off = np.abs(table.sum(axis=1) - 1.0)
    worst = int(off.argmax())
    if off[worst] > tolerance:
        raise ValueError(
            f"{function}: the probabilities of a row must sum to 1; "
            f"got {table[worst].sum():.6g} in row {worst}."
        )

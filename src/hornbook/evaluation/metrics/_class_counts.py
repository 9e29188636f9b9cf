"""Counts of rows by class: true, predicted, and both."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
from numpy.typing import ArrayLike

from hornbook.evaluation.metrics._columns import label_column, weight_column
from hornbook.evaluation.metrics._confusion import ConfusionTable, refuse_more
from hornbook.evaluation.metrics._labels import checked_classes, coded, distinct, positive_of
from hornbook.frame import Label
from hornbook.params import Floats

__all__ = [
    "Average",
    "ClassCounts",
    "Truth",
    "check_average",
    "class_counts",
]

Average = Literal["binary", "macro", "macro_means", "micro", "weighted", "predicted"]
Truth = ArrayLike | ConfusionTable | Sequence[ConfusionTable]

AVERAGES = ("binary", "macro", "macro_means", "micro", "weighted", "predicted")


@dataclass(frozen=True)
class ClassCounts:
    """Weights of rows, one entry for each class or for each table of two classes."""

    names: tuple[Label, ...]
    right: Floats  # of the class and predicted as such: true positives
    true: Floats  # of the class
    predicted: Floats  # predicted as the class
    total: Floats  # all rows

    @property
    def right_negative(self) -> Floats:
        """True negatives: rows neither of the class nor predicted as such."""
        # Sums of weights have rounding errors, but a count is never negative.
        return np.maximum(self.total - self.true - self.predicted + self.right, 0.0)

    def pooled(self) -> ClassCounts:
        """Return the sums over all entries, as one."""
        sums = (np.array([part.sum()]) for part in (self.right, self.true, self.predicted, self.total))
        return ClassCounts(("all classes",), *sums)


def class_counts(
    function: str,
    y_true: Any,
    y_pred: Any,
    *,
    average: Average | None = None,
    positive: Label | None = None,
    labels: Sequence[Label] | None = None,
    sample_weight: Any = None,
) -> ClassCounts:
    """Count rows by class; with average "binary", of the positive class alone."""
    if isinstance(y_true, ConfusionTable):
        refuse_more(function, y_pred, labels, sample_weight)
        counts = _of_table(y_true)
        positive = y_true.positive if positive is None else positive
    elif _are_tables(y_true):
        refuse_more(function, y_pred, labels, sample_weight, positive)
        return _of_tables(function, y_true, average)
    else:
        counts = _of_columns(function, y_true, y_pred, labels, sample_weight)
    return _of_positive(function, counts, positive) if average == "binary" else counts


def _are_tables(y_true: Any) -> bool:
    return isinstance(y_true, list | tuple) and any(isinstance(table, ConfusionTable) for table in y_true)


def _of_table(table: ConfusionTable) -> ClassCounts:
    k = len(table.labels)
    return ClassCounts(
        tuple(table.labels),
        # `by_truth` puts the truth in the rows, however the table is laid out.
        np.diag(table.by_truth).copy(),
        table.true_totals,
        table.predicted_totals,
        np.full(k, table.true_totals.sum()),
    )


def _of_tables(function: str, tables: Sequence[Any], average: Average | None) -> ClassCounts:
    """Count the positive class of each table."""
    if not all(isinstance(table, ConfusionTable) for table in tables):
        raise ValueError(f"{function}: a list of tables must hold confusion tables only.")
    if average == "binary":
        raise ValueError(
            f"{function}: 'average' must say how to join {len(tables)} tables: 'macro', 'macro_means', "
            "'micro', 'weighted', 'predicted', or None for a value for each."
        )
    # Columns: true positives, true rows, predicted rows, all rows, as in the fields of ClassCounts.
    cells = np.array([(t.tp, t.tp + t.fn, t.tp + t.fp, t.total) for t in tables], dtype=np.float64)
    names = tuple(f"table {i + 1}" for i in range(len(tables)))
    return ClassCounts(names, cells[:, 0], cells[:, 1], cells[:, 2], cells[:, 3])


def _of_columns(
    function: str, y_true: Any, y_pred: Any, labels: Sequence[Label] | None, sample_weight: Any
) -> ClassCounts:
    truth = label_column(function, "y_true", y_true)
    predicted = label_column(function, "y_pred", y_pred, len(truth))
    weights = weight_column(function, sample_weight, len(truth))
    classes = distinct(function, truth, predicted) if labels is None else checked_classes(function, labels)
    t = coded(function, "y_true", truth, classes)
    p = coded(function, "y_pred", predicted, classes)
    k, same = len(classes), t == p
    right = np.bincount(t[same], None if weights is None else weights[same], k).astype(np.float64)
    true = np.bincount(t, weights, k).astype(np.float64)
    predictions = np.bincount(p, weights, k).astype(np.float64)
    # Every class has the same total; one entry for each keeps pooled() and the single tables alike.
    return ClassCounts(classes, right, true, predictions, np.full(k, true.sum()))


def _of_positive(function: str, counts: ClassCounts, positive: Label | None) -> ClassCounts:
    if len(counts.names) > 2:
        raise ValueError(
            f"{function}: there are {len(counts.names)} classes, so 'average' must be chosen: 'macro', "
            "'macro_means', 'micro', 'weighted', 'predicted', or None for a value for each class."
        )
    chosen = positive_of(function, counts.names, positive)
    if chosen not in counts.names:  # all rows are of the other class, and predicted as such
        return ClassCounts((chosen,), np.zeros(1), np.zeros(1), np.zeros(1), counts.total[:1])
    position = [counts.names.index(chosen)]
    parts = (counts.right, counts.true, counts.predicted, counts.total)
    return ClassCounts((chosen,), *(part[position] for part in parts))


def check_average(function: str, average: Any) -> None:
    """Reject an unknown average."""
    if average is not None and average not in AVERAGES:
        raise ValueError(
            f"{function}: 'average' must be None or one of {', '.join(AVERAGES)}; got {average!r}."
        )

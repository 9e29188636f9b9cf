"""The confusion table: how often each class was predicted as which."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

from hornbook.display import Table
from hornbook.evaluation.metrics._columns import label_column, weight_column
from hornbook.evaluation.metrics._labels import checked_classes, coded, distinct, known_positive
from hornbook.frame import Label
from hornbook.params import Floats

__all__ = ["ConfusionTable", "confusion_table", "refuse_more"]

Rows = Literal["truth", "prediction"]


@dataclass(frozen=True, eq=False)
class ConfusionTable:
    """Counts of rows by true and predicted class, or by the predictions of two classifiers.

    Parameters
    ----------
    array : array-like of shape (n_classes, n_classes)
        The counts or weights; not negative.
    labels : sequence of length n_classes
        The classes, in the order of rows and columns.
    rows : {"truth", "prediction"}, default "truth"
        What the rows of ``array`` are; the columns are the other.
    positive : label, optional
        The positive one of two classes; 1 or True when left out and there is one.
    names : tuple of two str, default ("truth", "prediction")
        Names of the two sides; the first is the one that counts as the truth.

    Examples
    --------
    >>> table = ConfusionTable([[7, 3], [7, 13]], ["P", "N"], positive="P")
    >>> table.tp, table.fn, table.fp, table.tn
    (7.0, 3.0, 7.0, 13.0)
    """

    array: NDArray[Any]
    labels: Sequence[Label]
    rows: Rows = "truth"
    positive: Label | None = None
    names: tuple[str, str] = ("truth", "prediction")

    def __post_init__(self) -> None:
        counts = np.asarray(self.array)
        classes = checked_classes("confusion_table", self.labels)
        if self.rows not in ("truth", "prediction"):
            raise ValueError(f"confusion_table: 'rows' must be 'truth' or 'prediction'; got {self.rows!r}.")
        if counts.shape != (len(classes), len(classes)) or counts.dtype.kind not in "biuf":
            raise ValueError(
                f"confusion_table: {len(classes)} classes need {len(classes)} x {len(classes)} counts; "
                f"got shape {counts.shape} of {counts.dtype}."
            )
        if not np.isfinite(counts).all() or (counts < 0).any() or not counts.any():
            raise ValueError("confusion_table: counts must be finite and not negative, and not all zero.")
        # The dataclass is frozen, and its fields hold the checked values from here on.
        object.__setattr__(self, "array", counts)
        object.__setattr__(self, "labels", classes)
        object.__setattr__(self, "positive", known_positive("confusion_table", classes, self.positive))

    @property
    def by_truth(self) -> Floats:
        """The counts with the true classes in the rows, whatever ``rows`` is."""
        counts = self.array.astype(np.float64)
        return counts if self.rows == "truth" else counts.T

    @property
    def true_totals(self) -> Floats:
        """How many rows each class has."""
        return np.asarray(self.by_truth.sum(axis=1))

    @property
    def predicted_totals(self) -> Floats:
        """How often each class is predicted."""
        return np.asarray(self.by_truth.sum(axis=0))

    @property
    def total(self) -> float:
        """How many rows there are."""
        return float(self.array.sum())

    @property
    def tp(self) -> float:
        """True positives."""
        return self._cells()[0]

    @property
    def fn(self) -> float:
        """False negatives: positives that were predicted negative."""
        return self._cells()[1]

    @property
    def fp(self) -> float:
        """False positives: negatives that were predicted positive."""
        return self._cells()[2]

    @property
    def tn(self) -> float:
        """True negatives."""
        return self._cells()[3]

    def _cells(self) -> tuple[float, float, float, float]:
        if len(self.labels) > 2 or self.positive is None:
            raise ValueError(
                f"confusion table of {list(self.labels)}: true and false positives need two classes "
                "of which one is positive; pass 'positive', or take one class with against_rest()."
            )
        if self.positive not in self.labels:  # all rows are of the other class
            return 0.0, 0.0, 0.0, self.total
        yes = self.labels.index(self.positive)
        tp = float(self.by_truth[yes, yes])
        fn = float(self.true_totals[yes]) - tp
        fp = float(self.predicted_totals[yes]) - tp
        # By subtraction: the four cells add up to the total exactly, whatever the weights.
        return tp, fn, fp, self.total - tp - fn - fp

    def against_rest(self, label: Label) -> ConfusionTable:
        """Return the one-vs-rest table: this class, which is positive, against all others together.

        Parameters
        ----------
        label : label
            The positive class.
        """
        if label not in self.labels:
            raise ValueError(f"confusion table: there is no class {label!r}; there are {list(self.labels)}.")
        place = self.labels.index(label)
        mine = np.arange(len(self.labels)) == place
        # Boolean masks pool the other classes; they are cut one axis at a time to keep both
        # dimensions.
        pooled = np.array([[self.by_truth[a][:, b].sum() for b in (mine, ~mine)] for a in (mine, ~mine)])
        rest = f"not {label}"
        return ConfusionTable(self._turned(pooled), (str(label), rest), self.rows, str(label), self.names)

    def turned(self) -> ConfusionTable:
        """Return the same table with rows and columns exchanged."""
        rows: Rows = "prediction" if self.rows == "truth" else "truth"
        return ConfusionTable(self.array.T, self.labels, rows, self.positive, self.names)

    def _turned(self, by_truth: Floats) -> Floats:
        return by_truth if self.rows == "truth" else by_truth.T

    def shares(self, of: Literal["truth", "prediction", "all"] = "all") -> Floats:
        """Return the counts as fractions, laid out as ``array``; those of a class without rows are 0.

        Parameters
        ----------
        of : {"truth", "prediction", "all"}, default "all"
            What sums to 1: each true class, each predicted class, or the whole table.
        """
        if of not in ("truth", "prediction", "all"):
            raise ValueError(f"shares: 'of' must be 'truth', 'prediction' or 'all'; got {of!r}.")
        counts = self.by_truth
        totals = counts.sum() if of == "all" else counts.sum(axis=1 if of == "truth" else 0, keepdims=True)
        return self._turned(
            np.divide(counts, totals, out=np.zeros_like(counts), where=np.asarray(totals) > 0)
        )

    def table(self) -> Table:
        """Return the table with headers and totals."""
        down, across = self.names if self.rows == "truth" else self.names[::-1]
        head = [f"{down} \\ {across}", *(str(label) for label in self.labels), "total"]
        cells = [
            [str(label), *(_count(c) for c in row), _count(row.sum())]
            for label, row in zip(self.labels, self.array, strict=True)
        ]
        sums = ["total", *(_count(c) for c in self.array.sum(axis=0)), _count(self.total)]
        return Table("confusion table", head, [*cells, sums])

    def __str__(self) -> str:
        return str(self.table())

    def _repr_html_(self) -> str:
        return self.table()._repr_html_()

    def to_dict(self) -> dict[str, Any]:
        """Return the table as plain data."""
        return {
            "labels": list(self.labels),
            "rows": self.rows,
            "names": list(self.names),
            "positive": self.positive,
            "counts": self.array.tolist(),
            "true_totals": self.true_totals.tolist(),
            "predicted_totals": self.predicted_totals.tolist(),
            "total": self.total,
        }


def confusion_table(
    y_true: ArrayLike,
    y_pred: ArrayLike,
    *,
    labels: Sequence[Label] | None = None,
    rows: Rows = "truth",
    positive: Label | None = None,
    names: tuple[str, str] = ("truth", "prediction"),
    sample_weight: ArrayLike | None = None,
) -> ConfusionTable:
    r"""Count rows by true and predicted class.

    Of two classes the positive one comes first, so that the table reads ``[[TP, FN], [FP, TN]]``
    (scikit-learn puts it last). Two classifiers are compared in the same way, with the first one in place of
    the truth.

    Parameters
    ----------
    y_true : array-like of shape (n,)
        The true classes, or the predictions of the first classifier.
    y_pred : array-like of shape (n,)
        The predicted classes, or the predictions of the second classifier.
    labels : sequence, optional
        All classes, in the order of the table. Left out, it is the classes of both columns: the positive
        one first where there is one, else sorted.
    rows : {"truth", "prediction"}, default "truth"
        What the rows of the table are; the columns are the other.
    positive : label, optional
        The positive one of two classes; 1 or True when left out and there is one.
    names : tuple of two str, default ("truth", "prediction")
        Names of the two sides in the printed table.
    sample_weight : array-like of shape (n,), optional
        Weights of the rows; every row counts once when left out.

    Returns
    -------
    ConfusionTable
        The counts with labels, sums and, with two classes, TP, FN, FP and TN.

    Examples
    --------
    >>> print(confusion_table(["ripe", "ripe", "raw", "raw"], ["ripe", "raw", "raw", "raw"], positive="ripe"))
    confusion table
      truth \ prediction  ripe  raw  total
      ripe                   1    1      2
      raw                    0    2      2
      total                  1    3      4
    """
    function = "confusion_table"
    truth = label_column(function, "y_true", y_true)
    predicted = label_column(function, "y_pred", y_pred, len(truth))
    weights = weight_column(function, sample_weight, len(truth))
    # Textbooks put the positive class first; with more than two classes the order is that of the
    # labels.
    classes = _ordered(distinct(function, truth, predicted), positive) if labels is None else labels
    classes = checked_classes(function, classes)
    k = len(classes)
    # one count of pairs of codes fills the whole table
    cells = coded(function, "y_true", truth, classes) * k + coded(function, "y_pred", predicted, classes)
    counts = np.bincount(cells, weights=weights, minlength=k * k).reshape(k, k)
    return ConfusionTable(counts if rows == "truth" else counts.T, classes, rows, positive, names)


def refuse_more(function: str, *others: Any) -> None:
    """Reject predictions or weights next to a table, which has counted them already."""
    if any(other is not None for other in others):
        raise ValueError(
            f"{function}: a confusion table has counted all rows; "
            "leave 'y_pred', 'labels' and 'sample_weight' out."
        )


def _ordered(classes: tuple[Label, ...], positive: Label | None) -> tuple[Label, ...]:
    """Put the positive one of two classes first."""
    first = known_positive("confusion_table", classes, positive)
    if len(classes) != 2 or first is None:
        return classes
    return (first, *(label for label in classes if label != first))


def _count(value: Any) -> str:
    """Format an integer in full, however large; other numbers with four decimals."""
    number = float(value)
    return f"{number:.0f}" if number.is_integer() else f"{number:.4f}"

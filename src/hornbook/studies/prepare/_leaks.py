"""Columns that give the target away."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hornbook.frame import Column, Frame
from hornbook.studies.prepare._check import Check

__all__ = ["leaks"]

ROWS_TO_JUDGE = 40  # with fewer rows, a column may fit the target by chance
ENOUGH = 10_000  # rows that suffice
ALIKE = 1 - 1e-9  # absolute correlation of the same numbers in another unit
NEAR = 0.999  # accuracy, or share of variance, of one column alone on rows it was not fitted to
REMEDY_OUT = "Keep it with keep=[{0!r}] if it is known before the target is."
REMEDY = "Leave it out with ignore=[{0!r}] if it is only known once the target is."


def leaks(frame: Frame, target: NDArray[Any], *, classes: bool) -> Iterator[Check]:
    """Checks of columns that alone determine the target.

    A column that is the target under other names (each value stands for one class, each class for one value;
    the same numbers in another unit) is left out; one that alone predicts nearly every row is a warning.

    Parameters
    ----------
    frame : Frame
        The feature columns.
    target : ndarray of shape (n_rows,)
        Class numbers, or numbers.
    classes : bool
        Whether the target is classes.
    """
    if len(frame) < ROWS_TO_JUDGE:
        return
    some = np.unique(np.linspace(0, len(frame) - 1, min(len(frame), ENOUGH)).astype(np.intp))
    for j, column in enumerate(frame.schema.columns):
        same, share = _judged(column, frame.column(j)[some], target[some], classes=classes)
        if same and len(some) < len(frame):  # what holds in a sample may not hold in all rows
            same, share = _judged(column, frame.column(j), target, classes=classes)
        if same:
            reason = f"Column {column.name!r} is the target under another name: each determines the other."
            yield Check("target_leak", "left out", (column.name,), reason, REMEDY_OUT.format(column.name))
        elif share >= NEAR:
            score = f"{share:.1%} of the {'rows right' if classes else 'variance'}"
            reason = (
                f"Column {column.name!r} alone predicts the target, {score} on rows it was not fitted to."
            )
            yield Check("target_leak", "warning", (column.name,), reason, REMEDY.format(column.name))


def _judged(column: Column, values: NDArray[Any], y: NDArray[Any], *, classes: bool) -> tuple[bool, float]:
    numeric = column.kind == "numeric"
    known = np.isfinite(values.astype(np.float64)) if numeric else values >= 0
    if known.sum() < ROWS_TO_JUDGE:
        return False, 0.0
    judge = _class_judgment if classes else _number_judgment
    return judge(values[known].astype(np.float64), y[known], numeric=numeric)


def _class_judgment(x: NDArray[Any], y: NDArray[Any], *, numeric: bool) -> tuple[bool, float]:
    """Whether values and classes determine each other, and the accuracy of the column alone."""
    levels, codes = np.unique(x, return_inverse=True)
    n_classes = int(y.max()) + 1
    if 1 < len(levels) <= n_classes:
        pairs = len(np.unique(codes * n_classes + y))
        if pairs == len(levels) == len(np.unique(y)):
            return True, 1.0
    common = np.bincount(y).max() / len(y)
    if common >= NEAR:  # so does the most frequent class
        return False, 0.0
    # Values that occur once say nothing about other rows, unless their order does.
    order = np.argsort(codes, kind="stable")
    # Every second row in the order of the column: each level, and each stretch of numbers, is in both halves.
    learn, ask = order[::2], order[1::2]
    if numeric:
        right = np.clip(np.searchsorted(x[learn], x[ask]), 1, len(learn) - 1)
        nearer = x[ask] - x[learn][right - 1] <= x[learn][right] - x[ask]
        return False, float(np.mean(y[learn][right - nearer] == y[ask]))
    counts = np.bincount(codes[learn] * n_classes + y[learn], minlength=len(levels) * n_classes)
    best = counts.reshape(-1, n_classes).argmax(axis=1)
    return False, float(np.mean(best[codes[ask]] == y[ask]))


def _number_judgment(x: NDArray[Any], y: NDArray[Any], *, numeric: bool) -> tuple[bool, float]:
    """Whether the numbers are the same in another unit, and the R² of the column alone."""
    if not numeric or x.std() == 0 or y.std() == 0:
        return False, 0.0
    if abs(float(np.corrcoef(x, y)[0, 1])) >= ALIKE:
        return True, 1.0
    # Interpolation between neighbors follows any smooth curve; a correlation sees only its straight part.
    order = np.argsort(x, kind="stable")
    learn, ask = order[::2], order[1::2]
    wrong = y[ask] - np.interp(x[ask], x[learn], y[learn])
    return False, float(1 - np.mean(wrong**2) / y[ask].var())

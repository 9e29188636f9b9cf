"""Which task a table sets: its target says."""

from __future__ import annotations

from typing import Literal

import numpy as np

from hornbook.frame._frame import Frame

__all__ = ["Task", "detect_task"]

Task = Literal["binary", "multiclass", "regression", "clustering"]
MOST_CLASSES = 20  # distinct whole numbers that still count as classes


def detect_task(frame: Frame) -> Task:
    """Tell the task from the target.

    Text, booleans, categories and at most 20 distinct whole numbers are classes, two of them (also 0 and 1,
    or -1 and +1) make the task binary; other numbers are a regression; without a target it is clustering.

    Parameters
    ----------
    frame : Frame
        The table with its target.

    Returns
    -------
    {"binary", "multiclass", "regression", "clustering"}
        The task.

    Examples
    --------
    >>> detect_task(Frame({"x": [1.0, 2.0, 3.0], "y": [-1, 1, 1]}, target="y"))
    'binary'
    """
    j = frame.schema.find("target")
    if j is None:
        return "clustering"
    column, values = frame.schema.columns[j], frame.column(j)
    if column.kind != "numeric":
        return _classes(np.unique(values[values >= 0]).size)
    known = np.unique(values[np.isfinite(values)])
    if column.source == "date" or known.size > MOST_CLASSES or (known != np.round(known)).any():
        return "regression"
    return _classes(known.size)


def _classes(n: int) -> Task:
    return "multiclass" if n > 2 else "binary"

"""Which column is the target when none is named, and which task it sets."""

from __future__ import annotations

from collections.abc import Collection
from typing import Literal

import numpy as np

from hornbook.frame._frame import Frame
from hornbook.frame._schema import Schema

__all__ = ["Task", "default_target", "detect_task"]

Task = Literal["binary", "multiclass", "regression", "clustering"]
MOST_CLASSES = 20  # distinct whole numbers that still count as classes


def default_target(schema: Schema, taken: Collection[str | None] = ()) -> str | None:
    """Choose the column to predict when none is named: the last feature; None if it is the only one.

    Parameters
    ----------
    schema : Schema
        The columns.
    taken : collection of str, default ()
        Names of columns that are used for something else.

    Examples
    --------
    >>> default_target(Frame({"x": [1.0], "y": [2.0], "id": [3]}, id="id").schema)
    'y'
    """
    free = [name for name in schema.features.names if name not in taken]
    return free[-1] if len(free) > 1 else None


def detect_task(frame: Frame) -> Task:
    """Infer the task from the target.

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

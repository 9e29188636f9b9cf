"""Fitting members on rows and columns of their own, several at a time."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable
from dataclasses import replace
from functools import cached_property
from typing import Any, Literal, TypeVar

import numpy as np
from numpy.typing import NDArray

from hornbook.base import Baseline, Prepared, prepare
from hornbook.frame import Frame, Schema
from hornbook.params import Floats, Team

__all__ = ["Training", "in_order", "with_columns"]

Task = TypeVar("Task")
Result = TypeVar("Result")


def in_order(work: Callable[[Task], Result], tasks: Iterable[Task], n_threads: int) -> Generator[Result]:
    """The results of tasks in their order, whichever thread is done first."""
    if n_threads == 1:
        yield from map(work, tasks)
        return
    with Team(n_threads) as team:
        yield from team.map(work, tasks)


class Training:
    """The rows that members learn from, prepared once for all members with the same columns.

    Parameters
    ----------
    estimator : learner
        What is fitted.
    frame : Frame
        The features.
    y : ndarray
        Class numbers, or numbers.
    w : ndarray, optional
        Weights of the rows.
    task : {"classification", "regression"}
        What the learner must be for.
    container : type, optional
        The type of the sparse matrix that the rows came in.
    """

    def __init__(
        self,
        estimator: Any,
        frame: Frame,
        y: NDArray[Any],
        w: Floats | None,
        task: Literal["classification", "regression"],
        container: Any = None,
    ) -> None:
        self._estimator, self._frame, self._y, self._w, self._task = estimator, frame, y, w, task
        self._container = container

    @cached_property
    def _whole(self) -> Prepared:
        return self._prepared(self._estimator, None)

    def member(
        self, rows: NDArray[np.intp], *, weighted: bool, columns: NDArray[np.intp] | None, seed: int | None
    ) -> Any:
        """Fit a member to some rows, with their weights or without, and to some columns."""
        w = self._w if weighted else None
        rows = rows if w is None else rows[w[rows] > 0]
        # With a single class there is nothing to learn, and many learners reject it.
        lone = self._task == "classification" and self._y[rows].min() == self._y[rows].max()
        if lone or columns is not None:
            prepared = self._prepared(Baseline() if lone else self._estimator, columns)
        else:
            prepared = self._whole
        # No copy of the table for members that learn from all rows in order.
        everything = len(rows) == len(self._y) and bool((rows == np.arange(len(rows))).all())
        return prepared.fit(self._y, w, None if everything else rows, seed)

    def _prepared(self, estimator: Any, columns: NDArray[np.intp] | None) -> Prepared:
        frame = self._frame if columns is None else with_columns(self._frame, columns)
        return prepare(estimator, frame, self._w, self._task, self._container)


def with_columns(frame: Frame, columns: NDArray[np.intp]) -> Frame:
    """Some columns of a table; a column that is drawn again is renamed, so that no two have the same name."""
    taken = set(frame.schema.names)
    chosen, seen = [], set()
    for j in columns.tolist():
        column, k = frame.schema.columns[j], 2
        if j in seen:
            while f"{column.name} ({k})" in taken:
                k += 1
            column = replace(column, name=f"{column.name} ({k})")
            taken.add(column.name)
        seen.add(j)
        chosen.append(column)
    cells = [frame.column(j) for j in columns.tolist()]
    return Frame.from_columns(Schema(tuple(chosen), frame.schema.named), cells, len(frame))

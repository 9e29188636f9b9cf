"""Least squares with absolute values and squares as penalty, for fewer rows than columns."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from hornbook.linear.solvers._elastic_net_solver import NOTHING, Advance, dual_gap
from hornbook.linear.solvers._least_squares import Problem, means
from hornbook.linear.solvers._row_space import centered_rows
from hornbook.linear.solvers._scatter import refuse_large
from hornbook.optimize import coordinate_descent
from hornbook.params import Floats, blas_threads

__all__ = ["RowShrinking", "RowSweeper"]

FIRST = 64  # columns that the work begins with
ROUNDING = 1e-12  # share of the penalty by which a slope may exceed it


@dataclass(frozen=True)
class RowShrinking:
    """The task of `Shrinking` on the rows themselves: products of all columns would be far more numbers.

    Parameters
    ----------
    rows : ndarray of shape (n_rows, n_columns)
        Columns less what is subtracted, times the root of the weight's share.
    aim : ndarray of shape (n_rows,)
        The target likewise.
    mean : ndarray of shape (n_columns + 1,)
        What is subtracted, the target's last.
    share : float
        Share of the absolute values in the penalty.
    """

    rows: Floats
    aim: Floats
    mean: Floats
    share: float

    @classmethod
    def of(cls, problem: Problem, share: float) -> RowShrinking:
        """The task for one target."""
        mass, mean = means(problem)
        held = centered_rows(problem.blocks, mean[:-1])
        root = np.sqrt((np.ones(len(held.X)) if held.w is None else held.w) / mass)
        rows, aim = held.X * root[:, None], (np.asarray(held.y) - mean[-1]) * root
        task = cls(rows, aim, mean, share)
        with np.errstate(over="ignore"):
            if not (np.isfinite(task.squares).all() and np.isfinite(task.target)):
                refuse_large(problem.learner)
        return task

    @property
    def squares(self) -> Floats:
        """Mean square of each column."""
        return np.asarray(np.einsum("ij,ij->j", self.rows, self.rows))

    @property
    def target(self) -> float:
        """Mean square of the target."""
        return float(np.einsum("i,i->", self.aim, self.aim))

    def sweeper(self, alpha: float) -> RowSweeper:
        """What goes through the coefficients for one penalty."""
        return RowSweeper(self, alpha)


class RowSweeper:
    """Coordinate descent on the columns that matter, which grow by those whose slope exceeds the penalty.

    Few rows need few columns: products of these alone are small, and one look at all columns between two
    rounds tells whether another one is missing.
    """

    def __init__(self, task: RowShrinking, alpha: float) -> None:
        self._task = task
        self._ridge = alpha * (1.0 - task.share)
        self._absolute = alpha * task.share
        self._target = task.target
        self._used: NDArray[np.intp] = np.empty(0, dtype=np.intp)
        self._bend = np.empty((0, 0))

    def __call__(self, start: Floats, sweeps: int, tol: float) -> Advance:
        """Go several times through the coefficients, and say whether they are done, as `Shrinking` does."""
        with blas_threads(1):
            pull, _ = self._pull(start)
            missing = self._grow(start, pull)
            w, done, still = start, 0, False
            if sweeps > 1:
                w, done, still = self._descend(start, pull, sweeps - 1)
            before = w
            if not still:
                w, last, still = self._descend(before, self._pull(before)[0], 1)
                done += last
            pull, left = self._pull(w)
            gap = self._gap(w, pull, left)
            missing = missing or bool(self._beyond(w, pull).size)
        moved = float(np.abs(w - before).max(initial=0.0)) > tol * float(np.abs(w).max(initial=0.0))
        return Advance(w, done, gap, (still and not missing) or (not moved and gap <= tol * self._target))

    def _pull(self, w: Floats) -> tuple[Floats, Floats]:
        """Minus the gradient of all but the absolute values, and the residuals."""
        used = np.flatnonzero(w)
        left = self._task.aim - self._task.rows[:, used] @ w[used]
        return self._task.rows.T @ left - self._ridge * w, left

    def _beyond(self, w: Floats, pull: Floats) -> NDArray[np.intp]:
        """Columns not yet used whose coefficient would leave 0, the steepest first."""
        idle = np.ones(len(w), dtype=bool)
        idle[self._used] = False
        excess = np.where(idle, np.abs(pull) - self._absolute * (1.0 + ROUNDING), 0.0)
        found = np.flatnonzero(excess > 0)
        return found[np.argsort(-excess[found], kind="stable")]

    def _grow(self, w: Floats, pull: Floats) -> bool:
        """Take in more columns, at most as many as matter already; whether some are still left out."""
        beyond, there = self._beyond(w, pull), np.flatnonzero(w)
        most = max(FIRST, len(there))
        used = np.union1d(there, beyond[:most])
        # Those that turned out to be 0 go when they are more than half of all.
        if len(np.setdiff1d(used, self._used)) or 2 * max(FIRST, len(used)) < len(self._used):
            columns = self._task.rows[:, used]
            self._used = used
            self._bend = columns.T @ columns
            self._bend[np.diag_indices(len(used))] += self._ridge
        return len(beyond) > most

    def _descend(self, start: Floats, pull: Floats, sweeps: int) -> tuple[Floats, int, bool]:
        used, w = self._used, start.copy()
        w[used], done, still = coordinate_descent(
            self._bend,
            -pull[used],
            np.full(len(used), self._absolute),
            start[used],
            tol=NOTHING * self._target,
            max_sweeps=sweeps,
        )
        return w, done, still

    def _gap(self, w: Floats, pull: Floats, left: Floats) -> float:
        fitted = float(self._task.aim @ (self._task.aim - left))
        return dual_gap(w, pull, float(left @ left), fitted, self._target, self._absolute, self._ridge)

"""Elastic net with fewer rows than columns: coordinate descent on a growing set of active columns."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from hornbook.linear.solvers._elastic_net_solver import NEGLIGIBLE, SweepResult, dual_gap, most_pull
from hornbook.linear.solvers._least_squares import Problem, means
from hornbook.linear.solvers._row_space import centered_rows
from hornbook.linear.solvers._scatter import refuse_large
from hornbook.optimize import coordinate_descent
from hornbook.params import Floats, blas_threads

__all__ = ["ElasticNetRows", "RowSweeper"]

FIRST = 64  # active columns to begin with
ROUNDING = 1e-12  # relative excess of a slope over the penalty that counts as rounding


@dataclass(frozen=True)
class ElasticNetRows:
    """`ElasticNetProblem` on the rows themselves: the Gram matrix of all columns would be far larger.

    Parameters
    ----------
    rows : ndarray of shape (n_rows, n_columns)
        Centered columns, times the square root of the normalized weights.
    aim : ndarray of shape (n_rows,)
        The target, likewise.
    mean : ndarray of shape (n_columns + 1,)
        What is subtracted, the target's last.
    share : float
        The mixing parameter, scikit-learn's l1_ratio.
    positive : bool, default False
        Whether only w without a negative entry count.
    """

    rows: Floats
    aim: Floats
    mean: Floats
    share: float
    positive: bool = False

    @classmethod
    def of(cls, problem: Problem, share: float, *, positive: bool = False) -> ElasticNetRows:
        """The problem for one target."""
        mass, mean = means(problem)
        block = centered_rows(problem.blocks, mean[:-1])
        root = np.sqrt((np.ones(len(block.X)) if block.w is None else block.w) / mass)
        rows, aim = block.X * root[:, None], (np.asarray(block.y) - mean[-1]) * root
        task = cls(rows, aim, mean, share, positive)
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
        """A callable that makes some sweeps for one penalty."""
        return RowSweeper(self, alpha)


class RowSweeper:
    """Coordinate descent on the active columns, which grow by those whose slope exceeds the penalty.

    With few rows few coefficients are nonzero: the Gram matrix of the active columns is small, and one pass
    over all columns between two rounds checks the optimality conditions of the others, as Friedman, Hastie
    and Tibshirani (2010) do.
    """

    def __init__(self, task: ElasticNetRows, alpha: float) -> None:
        self._task = task
        self._ridge = alpha * (1.0 - task.share)
        self._absolute = alpha * task.share
        self._target = task.target
        self._used: NDArray[np.intp] = np.empty(0, dtype=np.intp)
        self._gram = np.empty((0, 0))

    def __call__(self, start: Floats, sweeps: int, tol: float) -> SweepResult:
        """Make some sweeps and check convergence, as `ElasticNetProblem.advance` does."""
        # One BLAS thread: products then do not depend on the number of threads.
        with blas_threads(1):
            pull, _ = self._pull(start)
            missing = self._grow(start, pull)
            w, done, unchanged = start, 0, False
            if sweeps > 1:
                w, done, unchanged = self._descend(start, pull, sweeps - 1)
            before = w
            if not unchanged:
                w, last, unchanged = self._descend(before, self._pull(before)[0], 1)
                done += last
            pull, residual = self._pull(w)
            gap = self._gap(w, pull, residual)
            missing = missing or bool(self._violations(w, pull).size)
        moved = float(np.abs(w - before).max(initial=0.0)) > tol * float(np.abs(w).max(initial=0.0))
        return SweepResult(
            w, done, gap, (unchanged and not missing) or (not moved and gap <= tol * self._target)
        )

    def _pull(self, w: Floats) -> tuple[Floats, Floats]:
        """Minus the gradient of the smooth part, and the residuals."""
        used = np.flatnonzero(w)
        residual = self._task.aim - self._task.rows[:, used] @ w[used]
        return self._task.rows.T @ residual - self._ridge * w, residual

    def _violations(self, w: Floats, pull: Floats) -> NDArray[np.intp]:
        """Inactive columns that violate the optimality conditions, the worst first."""
        idle = np.ones(len(w), dtype=bool)
        idle[self._used] = False
        slope = pull if self._task.positive else np.abs(pull)
        excess = np.where(idle, slope - self._absolute * (1.0 + ROUNDING), 0.0)
        columns = np.flatnonzero(excess > 0)
        return columns[np.argsort(-excess[columns], kind="stable")]

    def _grow(self, w: Floats, pull: Floats) -> bool:
        """Activate more columns, at most as many as are nonzero already; return whether some are left out."""
        # Few at a time: a column that enters often makes its correlated neighbors obey the conditions.
        violations, nonzero = self._violations(w, pull), np.flatnonzero(w)
        most = max(FIRST, len(nonzero))
        used = np.union1d(nonzero, violations[:most])
        # Columns that turned out to be 0 are dropped once they are more than half of all.
        if len(np.setdiff1d(used, self._used)) or 2 * max(FIRST, len(used)) < len(self._used):
            columns = self._task.rows[:, used]
            self._used = used
            self._gram = columns.T @ columns
            self._gram[np.diag_indices(len(used))] += self._ridge
        return len(violations) > most

    def _descend(self, start: Floats, pull: Floats, sweeps: int) -> tuple[Floats, int, bool]:
        used, w = self._used, start.copy()
        w[used], done, unchanged = coordinate_descent(
            self._gram,
            -pull[used],
            np.full(len(used), self._absolute),
            start[used],
            tol=NEGLIGIBLE * self._target,
            max_sweeps=sweeps,
            positive=self._task.positive,
        )
        return w, done, unchanged

    def _gap(self, w: Floats, pull: Floats, residual: Floats) -> float:
        fitted = float(self._task.aim @ (self._task.aim - residual))
        most = most_pull(pull, positive=self._task.positive)
        return dual_gap(
            w, most, float(residual @ residual), fitted, self._target, self._absolute, self._ridge
        )

"""Two classes as a quadratic program, and what its solution says."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from hornbook import _native
from hornbook.params import Floats
from hornbook.svm._kernel_table import KernelTable

__all__ = ["ROLES", "BinaryProblem", "BinarySolution", "SmoSettings", "roles_of", "solution_of", "solve_all"]

Loss = Literal["hinge", "squared_hinge"]

# What a row is to the boundary.
ROLES = ("outside", "on the margin", "inside the margin", "misclassified")
ROUNDING = 1e-9  # of the sum of coefficients, relative to their sizes
ON_MARGIN = 1e-6  # slack that counts as none, where the loss leaves every support vector some


@dataclass(frozen=True)
class SmoSettings:
    """What the solver may use."""

    tol: float
    max_steps: int
    cache_bytes: int
    shrinking: bool
    n_threads: int


@dataclass(frozen=True)
class BinaryProblem:
    """Rows of two classes, their sides and the cost of their slack.

    Parameters
    ----------
    rows : ndarray of shape (m,)
        Rows of the training table, all of positive weight.
    signs : ndarray of shape (m,)
        +1 or -1.
    costs : ndarray of shape (m,)
        C times the weight of each row; infinite for a hard margin.
    loss : {"hinge", "squared_hinge"}
        Of the slack.
    start : ndarray of shape (m,), optional
        Coefficients that a solver begins with; none are 0.
    """

    rows: NDArray[np.intp]
    signs: Floats
    costs: Floats
    loss: Loss
    start: Floats | None = None

    @property
    def upper(self) -> Floats:
        """The largest multiplier of each row: without bound for the squared loss."""
        return self.costs if self.loss == "hinge" else np.full(len(self.costs), np.inf)

    @property
    def values(self) -> Floats:
        """What a solver begins with."""
        return np.zeros(len(self.rows)) if self.start is None else self.start

    @property
    def ridge(self) -> Floats:
        """What the squared loss adds to the diagonal of the kernel matrix, 1 / (2 C)."""
        return np.zeros(len(self.costs)) if self.loss == "hinge" else 0.5 / self.costs

    def solver(self, kernel: KernelTable, settings: SmoSettings) -> _native.SmoSolver:
        """Return a solver at its start."""
        # The variables are coefficients b = sign times multiplier. The kernel matrix then needs no signs, and
        # the constraint is that the coefficients add up to 0.
        # Sequential minimal optimization (Platt 1998), pairs by second-order information (Fan, Chen and Lin
        # 2005).
        n, upper = len(self.rows), self.upper
        return _native.smo_solver(
            kernel.table,
            *kernel.native,
            self.rows.astype(np.int64),
            np.arange(n, dtype=np.int64),
            np.where(self.signs > 0, 0.0, -upper),
            np.where(self.signs > 0, upper, 0.0),
            -self.signs,
            self.ridge,
            self.values,
            settings.tol,
            settings.max_steps,
            settings.cache_bytes,
            settings.shrinking,
            settings.n_threads,
        )

    def begun(self, coef: Floats, margin: float) -> BinaryProblem:
        """The problem with a start: coefficients of a like one, times the number that suits this one best.

        Along a line through 0 the dual objective is a parabola; what keeps all multipliers below their bounds
        limits it. Coefficients of other classes, or with another sum than 0, are of no use.
        """
        size = np.abs(coef)
        total = float(size.sum())
        if total == 0 or (coef * self.signs < 0).any() or abs(coef.sum()) > ROUNDING * total:
            return self
        # Along the ray of a feasible point t b the dual is t Σ|b| - t² (b'Kb) / 2, with b'Kb = |w|² = 1 /
        # margin². Its maximum is at Σ|b| / b'Kb, unless a bound comes first.
        square = (1 / margin**2 if margin > 0 else 0.0) + float(self.ridge @ coef**2)
        used = size > 0
        factor = float((self.upper[used] / size[used]).min())
        if square > 0:
            factor = min(factor, total / square)
        if not (np.isfinite(factor) and factor > 0):
            return self
        # The minimum is for rounding: the factor times a size may be a last bit above its bound.
        return replace(self, start=self.signs * np.minimum(factor * size, self.upper))

    def slacks(self, scores: Floats) -> Floats:
        """How far rows are from the right side of their margin."""
        return np.maximum(1 - self.signs * scores, 0.0)

    def losses(self, scores: Floats) -> float:
        """The cost of all slack; infinite costs have none."""
        slack = self.slacks(scores)
        if np.isinf(self.costs).any():
            return 0.0
        return float(self.costs @ (slack if self.loss == "hinge" else slack**2))


class BinarySolution(NamedTuple):
    """Coefficients of the rows of a problem, and how good they are.

    Parameters
    ----------
    coef : ndarray of shape (m,)
        Multiplier times side of each row.
    bias : float
        What is added to the sum.
    sums : ndarray of shape (m,)
        Sums of coefficient times kernel value, of each row.
    steps : int
        Steps of the solver.
    violation : float
        Of the conditions of Karush, Kuhn and Tucker, at most.
    dual, gap : float
        Value of the dual problem, and what the primal one has more.
    status : {"optimal", "out of steps", "unbounded", "stalled"}
        How it ended.
    """

    coef: Floats
    bias: float
    sums: Floats
    steps: int
    violation: float
    dual: float
    gap: float
    status: str
    indefinite: bool = False

    @property
    def margin(self) -> float:
        """1 / |w|, the distance of the margin from the boundary in feature space."""
        square = float(self.coef @ self.sums)
        return 1 / math.sqrt(square) if square > 0 else math.inf


_STATUS = ("running", "optimal", "out of steps", "unbounded", "stalled")


def solution_of(solver: _native.SmoSolver) -> BinarySolution:
    """Read the solution of a solver."""
    return BinarySolution(
        solver.values(),
        solver.bias,
        solver.sums(),
        solver.steps,
        solver.violation,
        solver.dual,
        solver.gap,
        _STATUS[solver.status],
        solver.indefinite,
    )


def solve_all(
    problems: list[BinaryProblem], kernel: KernelTable, settings: SmoSettings
) -> list[BinarySolution]:
    """Solve several problems with the same loss, side by side, each with this much memory."""
    starts = np.cumsum([0, *(len(problem.rows) for problem in problems)])
    begun = any(problem.start is not None for problem in problems)
    values, sums, facts = _native.smo_pairs(
        kernel.table,
        *kernel.native,
        starts,
        np.concatenate([problem.rows for problem in problems]).astype(np.int64),
        np.concatenate([problem.signs for problem in problems]),
        np.concatenate([problem.costs for problem in problems]),
        np.concatenate([problem.values for problem in problems]) if begun else np.empty(0),
        problems[0].loss == "squared_hinge",
        settings.tol,
        settings.max_steps,
        settings.cache_bytes,
        settings.shrinking,
        settings.n_threads,
    )
    return [
        BinarySolution(
            values[a:b], bias, sums[a:b], int(steps), violation, dual, gap, _STATUS[int(status)], bool(odd)
        )
        for (a, b), (bias, steps, violation, dual, gap, status, odd) in zip(
            pairwise(starts.tolist()), facts.tolist(), strict=True
        )
    ]


def roles_of(problem: BinaryProblem, solution: BinarySolution) -> NDArray[np.int8]:
    """Return the role of each row, as a position in `ROLES`.

    A row without a multiplier is outside; with one below its bound it is on the margin; at the bound it is
    inside while its slack is at most 1, and misclassified beyond.
    """
    slack = problem.slacks(solution.sums + solution.bias)
    size = np.abs(solution.coef)
    # Complementary slackness: with the hinge loss a multiplier strictly inside its bounds has slack 0. The
    # squared loss has no upper bound, so the slack itself is looked at.
    free = size < problem.upper if problem.loss == "hinge" else slack <= ON_MARGIN
    roles = np.where(size == 0, 0, np.where(free, 1, np.where(slack > 1, 3, 2)))
    return roles.astype(np.int8)

"""A primal-dual interior-point method (Mehrotra 1992) for a convex quadratic plus hinges."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray
from scipy.linalg import LinAlgError, cho_factor, cho_solve, qr, solve_triangular

from hornbook import _native
from hornbook.optimize._objective import Iterate
from hornbook.optimize._solve import solve_positive
from hornbook.params import Floats

__all__ = ["Hinges", "interior_point"]

REGULARIZATION = 1e-14  # added to a unit diagonal
SHARE = 0.995  # fraction of the step to the boundary, so that all numbers stay positive
PATIENCE = 10  # steps without a reduction of the gap by a tenth
SMALL_ENOUGH = 1e-8  # gap, relative to the value, that counts as closed when rounding stops its progress
NEGLIGIBLE = 1e-10  # relative to the first value: smaller gaps are rounding
AS_GOOD = 1e-12  # values with a smaller relative difference are the same


@dataclass(frozen=True)
class Hinges:
    """A convex quadratic plus hinges, each of which costs by how much its row falls short of its offset.

    The function is x' diag(ridge) x / 2 + pull·x + sum of weight_i max(0, offset_i - row_i·x).
    An absolute value a |x_j| is the hinge of weight 2a with offset 0 and row -e_j, and a pull of -a.

    Parameters
    ----------
    rows : ndarray of shape (n_hinges, n)
        One row for each hinge.
    offset, weight : ndarray of shape (n_hinges,)
        Where the hinges begin to cost, and their slopes; weights are positive.
    pull, ridge : ndarray of shape (n,)
        Linear term and diagonal of the quadratic term.

    Examples
    --------
    >>> task = Hinges(np.array([[1.0], [-1.0]]), np.array([3.0, 0.0]), np.ones(2), np.zeros(1), np.ones(1))
    >>> task.value(np.array([1.0]))  # 1/2 + (3 - 1) + (0 + 1)
    3.5
    """

    rows: Floats
    offset: Floats
    weight: Floats
    pull: Floats
    ridge: Floats

    def value(self, x: Floats) -> float:
        """Evaluate the function."""
        parabola = 0.5 * float(self.ridge @ x**2) + float(self.pull @ x)
        return parabola + float(self.weight @ np.maximum(self.lacking(x), 0.0))

    def lacking(self, x: Floats) -> Floats:
        """By how much each row falls short of its offset."""
        return np.asarray(self.offset - np.einsum("ij,j->i", self.rows, x))

    def gathered(self, by_hinge: Floats) -> Floats:
        """Sum of the rows, each times a number."""
        return np.asarray(np.einsum("ij,i->j", self.rows, by_hinge))


def interior_point(task: Hinges, *, tol: float = 1e-13) -> Iterator[Iterate]:
    """Minimize a convex quadratic plus hinges by Mehrotra's predictor-corrector method.

    Every hinge has two positive slacks, how far its row is over and under the offset, and a multiplier
    between 0 and its weight. At the minimum one factor of each product multiplier x over, (weight -
    multiplier) x under is 0 (complementary slackness). Newton's method drives all products to 0 together, by
    a predictor and a corrector step, and their sum, the duality gap, bounds how far the value is above the
    minimum. The last iterate solves the binding hinges as equations, so that it is exact up to rounding.

    Parameters
    ----------
    task : Hinges
        What to minimize; it must be bounded from below.
    tol : float, default 1e-13
        Largest duality gap that may be left, relative to the value.

    Yields
    ------
    iterate : Iterate
        After each step.

    Examples
    --------
    >>> task = Hinges(np.array([[1.0], [-1.0]]), np.array([3.0, 0.0]), np.ones(2), np.zeros(1), np.ones(1))
    >>> *_, last = interior_point(task)
    >>> last.x.tolist(), last.value, last.converged
    ([0.0], 3.0, True)
    """
    at = best = _InteriorPoint.start(task)
    least, mark, waited = np.inf, np.inf, 0
    floor = NEGLIGIBLE * max(float(task.weight @ np.abs(task.offset)), NEGLIGIBLE)
    while True:
        value, gap = abs(task.value(at.x)), at.gap(task)
        waited += 1
        if gap < 0.9 * mark:
            mark, waited = gap, 0
        if gap < least:
            best, least = at, gap
        if gap <= max(tol * value, NEGLIGIBLE * floor) or waited > PATIENCE or (gap <= floor and waited > 1):
            x = _exact(task, best)
            closed = least <= max(SMALL_ENOUGH * abs(task.value(x)), floor)
            yield Iterate(x, task.value(x), x - at.x, least, converged=closed)
            return
        ahead = at.ahead(task)
        yield Iterate(ahead.x, task.value(ahead.x), ahead.x - at.x, gap, converged=False)
        at = ahead


@dataclass(frozen=True)
class _InteriorPoint:
    """A primal-dual point: x with slacks and multipliers; over - under is row·x - offset throughout."""

    x: Floats
    over: Floats
    under: Floats
    dual: Floats
    rest: Floats  # weight - dual

    @classmethod
    def start(cls, task: Hinges) -> _InteriorPoint:
        x = np.zeros(len(task.pull))
        shortfall = task.lacking(x)
        room = max(float(np.abs(shortfall).mean()), 1e-3) if len(shortfall) else 1.0
        half = 0.5 * task.weight
        return cls(x, np.maximum(-shortfall, 0.0) + room, np.maximum(shortfall, 0.0) + room, half, half)

    def slope(self, task: Hinges) -> Floats:
        return np.asarray(task.ridge * self.x + task.pull - task.gathered(self.dual))

    def gap(self, task: Hinges) -> float:
        products = float(self.over @ self.dual + self.under @ self.rest)
        return products + abs(float(self.slope(task) @ self.x))

    def ahead(self, task: Hinges) -> _InteriorPoint:
        """Take one predictor-corrector step."""
        # Slacks and multipliers are eliminated from Newton's equations: what is left is a system of the size
        # of x, whose matrix is rows' diag(thick) rows plus the quadratic, whatever the number of hinges.
        thick = 1.0 / (self.over / self.dual + self.under / self.rest)
        n = len(self.x)
        solve = _solver(_native.weighted_gram(task.rows, thick)[:n, :n] + np.diag(task.ridge))
        slope = self.slope(task)

        def newton_step(one: Floats, two: Floats) -> _InteriorPoint:
            pulled = thick * (one / self.dual - two / self.rest)
            x = solve(task.gathered(pulled) - slope)
            dual = pulled - thick * np.einsum("ij,j->i", task.rows, x)
            over, under = (one - self.over * dual) / self.dual, (two + self.under * dual) / self.rest
            return _InteriorPoint(x, over, under, dual, -dual)

        one, two = self.over * self.dual, self.under * self.rest
        # Predictor: the pure Newton (affine scaling) step toward a gap of 0.
        predictor = newton_step(-one, -two)
        predicted = self.moved(predictor, min(1.0, self.reach(predictor)))
        mean = float(one.sum() + two.sum()) / (2 * len(one))
        # Mehrotra's centering: the cube of how much of the gap the predictor would leave.
        left = float(predicted.over @ predicted.dual + predicted.under @ predicted.rest) / (2 * len(one))
        aim = mean * (left / mean) ** 3
        # The gap must not shrink much faster than the gradient: this close to the boundary, steps would be
        # too short to reduce the gradient any more.
        aim = max(aim, 0.1 * float(np.abs(slope) @ np.abs(self.x)) / (2 * len(one)))
        # Corrector: it also cancels the second-order terms that the predictor neglected.
        step = newton_step(
            aim - one - predictor.over * predictor.dual, aim - two - predictor.under * predictor.rest
        )
        return self.moved(step, min(1.0, SHARE * self.reach(step))).true(task)

    def true(self, task: Hinges) -> _InteriorPoint:
        """Restore over - under = row·x - offset, from which rounding errors drift, in the larger slack."""
        shortfall = task.lacking(self.x)
        over = np.where(self.over > self.under, self.under - shortfall, self.over)
        under = np.where(self.over > self.under, self.under, self.over + shortfall)
        fine = (over > 0) & (under > 0)
        return replace(self, over=np.where(fine, over, self.over), under=np.where(fine, under, self.under))

    def reach(self, step: _InteriorPoint) -> float:
        """The longest multiple of a step that keeps all slacks and multipliers nonnegative."""
        pairs = (
            (self.over, step.over),
            (self.under, step.under),
            (self.dual, step.dual),
            (self.rest, step.rest),
        )
        return min(float((at[to < 0] / -to[to < 0]).min(initial=np.inf)) for at, to in pairs)

    def moved(self, step: _InteriorPoint, rate: float) -> _InteriorPoint:
        return _InteriorPoint(
            self.x + rate * step.x,
            self.over + rate * step.over,
            self.under + rate * step.under,
            self.dual + rate * step.dual,
            self.rest + rate * step.rest,
        )


def _solver(matrix: Floats) -> Callable[[Floats], Floats]:
    """Return a solver for a matrix that may be nearly singular, as it becomes near the optimum.

    The result does not depend on the units of the coordinates. A tiny regularization of the diagonal is
    undone by one step of iterative refinement.
    """
    size = np.sqrt(np.diag(matrix))
    unit = np.divide(1.0, size, out=np.zeros_like(size), where=size > 0)
    scaled = matrix * unit[:, None] * unit
    try:
        factor = cho_factor(scaled + REGULARIZATION * np.eye(len(unit)), lower=True)
    except LinAlgError:
        return lambda right: solve_positive(matrix, right)

    def solve(right: Floats) -> Floats:
        aim = unit * right
        x = cho_solve(factor, aim)
        return np.asarray(unit * (x + cho_solve(factor, aim - scaled @ x)))

    return solve


def _exact(task: Hinges, at: _InteriorPoint) -> Floats:
    """Solve for the minimum, given which hinges are at their corner, which are active and which are not."""
    corner = np.maximum(at.over, at.under) < np.minimum(at.dual, at.rest) / task.weight
    costs = ~corner & (at.under > at.over)
    pull = task.pull - task.gathered(np.where(costs, task.weight, 0.0))
    zero = _at_zero(task, corner)
    # The exact solution is used only if it is no worse: near-degenerate corners may be misjudged.
    snapped = np.where(zero, 0.0, at.x)
    solved = snapped.copy()
    free = ~zero
    solved[free] = _constrained_minimum(
        task.rows[corner][:, free], task.offset[corner], pull[free], task.ridge[free], snapped[free]
    )
    points = [solved, snapped, at.x]
    values = [task.value(x) for x in points]
    enough = min(values) + AS_GOOD * abs(min(values))
    return next(x for x, value in zip(points, values, strict=True) if value <= enough)


def _at_zero(task: Hinges, corner: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Coordinates that their own hinge (an absolute value) holds at 0."""
    alone = corner & (task.offset == 0) & ((task.rows != 0).sum(axis=1) == 1)
    return np.asarray((task.rows[alone] != 0).any(axis=0))


def _constrained_minimum(rows: Floats, offset: Floats, pull: Floats, ridge: Floats, x: Floats) -> Floats:
    """Minimize the quadratic subject to rows·x = offset, in the null space of the rows (by pivoted QR)."""
    if not len(x):
        return x
    basis, triangle, order = qr(rows.T, pivoting=True)
    size = np.abs(np.diag(triangle))
    rank = int((size > max(rows.shape) * np.finfo(float).eps * size.max(initial=0.0)).sum())
    wrong = (offset - rows @ x)[order[:rank]]
    x = x + basis[:, :rank] @ solve_triangular(triangle[:rank, :rank], wrong, trans="T")
    free = basis[:, rank:]
    slope = free.T @ (ridge * x + pull)
    return np.asarray(x - free @ solve_positive(free.T @ (ridge[:, None] * free), slope))

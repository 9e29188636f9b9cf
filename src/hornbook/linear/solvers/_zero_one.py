"""Zero-one loss of margins plus a penalty: local search, then branch and bound over the rows."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import chain

import numpy as np
from numpy.typing import NDArray

from hornbook.linear.solvers._active_set import ActiveRows, all_rows
from hornbook.linear.solvers._surrogate_objective import SurrogateObjective
from hornbook.optimize import Iterate, interior_point
from hornbook.params import Floats

__all__ = ["minimize_zero_one"]

Marks = NDArray[np.bool_]

WORK = 1 << 21  # numbers in all subproblems together, at most
MOST = 250  # subproblems, at most
FEWEST = 20  # subproblems that must be affordable, or the search is skipped
ABOVE = 1e-10  # required margins end above 1 by this, so that rounding does not undo them
BINDING = 1e-6  # margins above 1 by less than this are active constraints
TIE = 1e-9  # relative improvement below which two costs count as equal


@dataclass(frozen=True)
class ZeroOneProblem:
    """Penalty plus weight of the rows with a margin below 1.

    Parameters
    ----------
    active : ActiveRows
        All rows.
    ridge, l1 : ndarray
        Weights of squares and absolute values.
    """

    active: ActiveRows
    ridge: Floats
    l1: Floats

    def penalty(self, x: Floats) -> float:
        """Evaluate the penalty alone."""
        return 0.5 * float(self.ridge @ x**2) + float(self.l1 @ np.abs(x))

    def below(self, x: Floats) -> Marks:
        """Rows with a margin below 1, or so near that rounding may put it there."""
        return np.asarray(self.active.rows @ x < 1.0 + 0.5 * ABOVE)

    def cost(self, x: Floats) -> float:
        """Evaluate the whole."""
        return self.penalty(x) + float(self.active.weight[self.below(x)].sum())

    def least(self, inside: Marks, most: float) -> Floats | None:
        """The point of least penalty at which these rows have margin 1; None if it costs more than ``most``.

        The Lagrange multipliers add up to at most twice the penalty, so hinges of weight 2 ``most`` are an
        exact penalty: they act like hard constraints for every point that is cheap enough.
        """
        rows = self.active.rows[inside]
        task = ActiveRows(rows, np.full(len(rows), 2.0 * most), np.empty(0)).hinges(self.ridge, self.l1)
        *_, last = interior_point(task)  # only the last iterate matters here
        smallest = float((rows @ last.x).min(initial=np.inf))
        if not last.converged or smallest < 1.0 - 1e-6 or self.penalty(last.x) > most:
            return None
        # Scaled up slightly, so that the margins hold after rounding.
        return np.asarray(last.x * max(1.0, (1.0 + ABOVE) / smallest))


@dataclass
class Best:
    """The best point so far, how many subproblems may still be solved, and whether it is proven optimal."""

    x: Floats
    cost: float
    left: int
    proven: bool = False

    def take(self, task: ZeroOneProblem, inside: Marks, floor: float) -> Floats | None:
        """Solve with margins required of these rows, unless that cannot be better; keep a better point."""
        self.left -= 1
        x = task.least(inside, self.cost - floor) if self.cost > floor else None
        if x is not None and task.cost(x) < self.cost * (1.0 - TIE):
            self.x, self.cost = x, task.cost(x)
        return x


def minimize_zero_one(objective: SurrogateObjective, l1: Floats, start: Floats) -> Iterator[Iterate]:
    """Improve a point by local search over the rows with margin 1, then by branch and bound.

    A node that requires the margin of some rows and gives up others costs at least the weight given up plus
    the penalty that the required margins need, so it is pruned when that is no better than the best point. If
    the tree is exhausted within the work allowed, the last iterate is the minimum, and has converged.

    Parameters
    ----------
    objective : SurrogateObjective
        The rows and the weight of the squares.
    l1 : ndarray
        Weight of the absolute value of each coefficient.
    start : ndarray
        The point to improve.

    Yields
    ------
    iterate : Iterate
        The best point after each choice of rows that was solved for.
    """
    size = objective.blocks.n_rows * len(start)
    if size > WORK // FEWEST:  # too few subproblems to be worth a search
        return
    task = ZeroOneProblem(all_rows(objective), objective.ridge, l1)
    best = Best(start, task.cost(start), min(MOST, WORK // max(size, 1)))
    for _ in chain(_exchange(task, best), _branch_and_bound(task, best)):
        yield Iterate(best.x, best.cost, best.x - start, best.cost, converged=False)
    if best.proven:
        yield Iterate(best.x, best.cost, best.x - start, 0.0, converged=True)


def _branch_and_bound(task: ZeroOneProblem, best: Best) -> Iterator[Floats | None]:
    """Branch on one row after the other, the one with the smallest margin first: require it or give it up."""
    n, p = task.active.rows.shape
    none = np.zeros(n, dtype=bool)
    stack = [(none, none, np.zeros(p))]
    while stack and best.left > 0:
        required, given_up, x = stack.pop()
        floor = float(task.active.weight[given_up].sum())
        shortfall = np.where(required | given_up, 0.0, 1.0 - task.active.rows @ x)
        row = int(np.argmax(shortfall))
        if shortfall[row] <= 0 or floor + task.penalty(x) >= best.cost * (1.0 - TIE):
            continue
        # Giving the row up is visited last: required margins lead to good points sooner.
        stack.append((required, _with(given_up, row), x))
        solution = best.take(task, _with(required, row), floor)
        if solution is not None:
            stack.append((_with(required, row), given_up, solution))
        yield solution
    best.proven = not stack


def _exchange(task: ZeroOneProblem, best: Best) -> Iterator[Floats | None]:
    """Require the margins of the rows that have them; then drop or add one row at a time while that helps."""
    inside = ~task.below(best.x)
    x = best.take(task, inside, float(task.active.weight[~inside].sum()))
    yield x
    while x is not None and best.left > 0:
        before = best.cost
        margin = task.active.rows @ best.x
        inside = ~task.below(best.x)
        binding = np.flatnonzero(inside & (margin < 1.0 + BINDING))
        lacking = np.flatnonzero(~inside)
        # As many candidates to add as to drop, those nearest to their margin first.
        next_in = lacking[np.argsort(-margin[lacking], kind="stable")][: len(binding)]
        for row in [*binding.tolist(), *next_in.tolist()]:
            if best.left <= 0:
                return
            other = inside.copy()
            other[row] = not other[row]
            yield best.take(task, other, float(task.active.weight[~other & ~inside].sum()))
        if best.cost >= before:
            return


def _with(marks: Marks, row: int) -> Marks:
    more = marks.copy()
    more[row] = True
    return more

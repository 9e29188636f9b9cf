"""Fewest margins below 1, with a penalty: a search over which rows are to have their margin."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import chain

import numpy as np
from numpy.typing import NDArray

from hornbook.linear.solvers._active_set import Held, all_rows
from hornbook.linear.solvers._surrogate_objective import SurrogateObjective
from hornbook.optimize import Iterate, interior_point
from hornbook.params import Floats

__all__ = ["fewest_below"]

Marks = NDArray[np.bool_]

WORK = 1 << 21  # numbers in all tables that are solved for, at most
MOST = 250  # tables, at most
FEWEST = 20  # tables, or else nothing is tried
ABOVE = 1e-10  # margins that are to be 1 end above it by this, so that rounding does not undo them
BINDING = 1e-6  # margins above 1 by less than this hold the point where it is
TIE = 1e-9  # share of the cost by which a better one must be better


@dataclass(frozen=True)
class Counted:
    """Penalty plus weight of the rows with a margin below 1.

    Parameters
    ----------
    held : Held
        All rows.
    ridge, l1 : ndarray
        Weights of squares and absolute values.
    """

    held: Held
    ridge: Floats
    l1: Floats

    def penalty(self, x: Floats) -> float:
        """Evaluate the penalty alone."""
        return 0.5 * float(self.ridge @ x**2) + float(self.l1 @ np.abs(x))

    def below(self, x: Floats) -> Marks:
        """Rows with a margin below 1, or so near that rounding may put it there."""
        return np.asarray(self.held.rows @ x < 1.0 + 0.5 * ABOVE)

    def cost(self, x: Floats) -> float:
        """Evaluate the whole."""
        return self.penalty(x) + float(self.held.weight[self.below(x)].sum())

    def least(self, inside: Marks, most: float) -> Floats | None:
        """The point of least penalty that gives these rows their margin; None if it costs more than ``most``.

        Their multipliers add up to at most twice the penalty, so hinges of weight 2 most hold every point
        that is cheap enough as walls would.
        """
        rows = self.held.rows[inside]
        task = Held(rows, np.full(len(rows), 2.0 * most), np.empty(0)).hinges(self.ridge, self.l1)
        *_, last = interior_point(task)
        smallest = float((rows @ last.x).min(initial=np.inf))
        if not last.converged or smallest < 1.0 - 1e-6 or self.penalty(last.x) > most:
            return None
        return np.asarray(last.x * max(1.0, (1.0 + ABOVE) / smallest))


@dataclass
class Best:
    """The best point so far, how many tables may still be solved for, and whether no point is better."""

    x: Floats
    cost: float
    left: int
    proven: bool = False

    def take(self, task: Counted, inside: Marks, floor: float) -> Floats | None:
        """Solve for rows to have their margin, unless that is no better; keep a better point."""
        self.left -= 1
        x = task.least(inside, self.cost - floor) if self.cost > floor else None
        if x is not None and task.cost(x) < self.cost * (1.0 - TIE):
            self.x, self.cost = x, task.cost(x)
        return x


def fewest_below(objective: SurrogateObjective, l1: Floats, start: Floats) -> Iterator[Iterate]:
    """Improve a point by exchanging rows that have their margin, then try all ways to choose them.

    A way that demands some rows and gives up others costs at least what was given up and the penalty that
    the demands need, so it is left when that is no better than the best point. If all ways are tried or left
    before the work that is allowed is done, the last iterate is the minimum, and has converged.

    Parameters
    ----------
    objective : SurrogateObjective
        The rows and the weight of the squares.
    l1 : ndarray
        Weight of the absolute value of each coefficient.
    start : ndarray
        A point to be improved.

    Yields
    ------
    iterate : Iterate
        The best point after each choice of rows that was solved for.
    """
    size = objective.blocks.n_rows * len(start)
    if size > WORK // FEWEST:
        return
    task = Counted(all_rows(objective), objective.ridge, l1)
    best = Best(start, task.cost(start), min(MOST, WORK // max(size, 1)))
    for _ in chain(_exchange(task, best), _ways(task, best)):
        yield Iterate(best.x, best.cost, best.x - start, best.cost, converged=False)
    if best.proven:
        yield Iterate(best.x, best.cost, best.x - start, 0.0, converged=True)


def _ways(task: Counted, best: Best) -> Iterator[Floats | None]:
    """Demand or give up one row after the other, the one that lacks most first."""
    n, p = task.held.rows.shape
    none = np.zeros(n, dtype=bool)
    ways = [(none, none, np.zeros(p))]
    while ways and best.left > 0:
        demanded, given_up, x = ways.pop()
        floor = float(task.held.weight[given_up].sum())
        lack = np.where(demanded | given_up, 0.0, 1.0 - task.held.rows @ x)
        row = int(np.argmax(lack))
        if lack[row] <= 0 or floor + task.penalty(x) >= best.cost * (1.0 - TIE):
            continue
        ways.append((demanded, _with(given_up, row), x))
        there = best.take(task, _with(demanded, row), floor)
        if there is not None:
            ways.append((_with(demanded, row), given_up, there))
        yield there
    best.proven = not ways


def _exchange(task: Counted, best: Best) -> Iterator[Floats | None]:
    """Demand the margin of the rows that have it; then of one row less, or one more, while that is better."""
    inside = ~task.below(best.x)
    x = best.take(task, inside, float(task.held.weight[~inside].sum()))
    yield x
    while x is not None and best.left > 0:
        before = best.cost
        margin = task.held.rows @ best.x
        inside = ~task.below(best.x)
        binding = np.flatnonzero(inside & (margin < 1.0 + BINDING))
        lacking = np.flatnonzero(~inside)
        next_in = lacking[np.argsort(-margin[lacking], kind="stable")][: len(binding)]
        for row in [*binding.tolist(), *next_in.tolist()]:
            if best.left <= 0:
                return
            other = inside.copy()
            other[row] = not other[row]
            yield best.take(task, other, float(task.held.weight[~other & ~inside].sum()))
        if best.cost >= before:
            return


def _with(marks: Marks, row: int) -> Marks:
    more = marks.copy()
    more[row] = True
    return more

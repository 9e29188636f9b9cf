"""Hinge loss on rows anywhere: those near the margin are held, the others are told by their means."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np

from hornbook.frame import Block
from hornbook.linear.solvers._surrogate_objective import ScoreFunctions, SurrogateObjective
from hornbook.optimize import Hinges, Iterate, interior_point
from hornbook.params import Floats

__all__ = ["Held", "all_rows", "least_hinges"]

ROOM = 1 << 20  # numbers held at a time, unless more are near the margin
ROWS = 8  # rows to a column that are held at least
MOST_POINTS = 50  # passes over rows that are not held
STEPS = 30  # of the solver, roughly
MOST_WORK = 1e11  # operations of the solver, some ten seconds
CLOSE = 1e-11  # share of the objective by which what is solved may be below the truth


@dataclass(frozen=True)
class Held:
    """Rows times their class (-1 or +1): some as they are, some that stand for others.

    Parameters
    ----------
    rows : ndarray of shape (n_held, n_coefficients)
        Margins are products of these with the coefficients.
    weight : ndarray of shape (n_held,)
        Their share of the mean.
    losses : ndarray of shape (n_points,)
        Mean loss of all rows at each point that was asked for.
    """

    rows: Floats
    weight: Floats
    losses: Floats

    def merge(self, other: Held) -> Held:
        """What is held of the rows of both."""
        return Held(
            np.concatenate([self.rows, other.rows]),
            np.concatenate([self.weight, other.weight]),
            self.losses + other.losses,
        )

    def hinges(self, ridge: Floats, l1: Floats) -> Hinges:
        """The objective, with the penalty."""
        corners = -np.eye(len(l1))[l1 > 0]
        return Hinges(
            np.concatenate([self.rows, corners]),
            np.concatenate([np.ones(len(self.rows)), np.zeros(len(corners))]),
            np.concatenate([self.weight, 2.0 * l1[l1 > 0]]),
            -l1,
            ridge,
        )


def least_hinges(task: SurrogateObjective, l1: Floats) -> Iterator[Iterate]:
    """Minimize the mean hinge loss plus the penalty exactly, whatever the loss of the task.

    As many rows as there is room for are held and solved for. If they are not all, this shows where the
    margin is: rows near to it are then held, and of the others the mean of each class in each chunk, once for
    those above the margin and once for those below. The hinge of a mean is at most the mean of the hinges, so
    what is solved is never above the truth; where both agree, the minimum is found. Where they do not, rows
    have crossed the margin: they are held, too, and so on.

    Parameters
    ----------
    task : SurrogateObjective
        The rows and the weight of the squares.
    l1 : ndarray
        Weight of the absolute value of each coefficient.

    Yields
    ------
    iterate : Iterate
        After each step of the solver.
    """
    ridge, n, p = task.ridge, task.blocks.n_rows, len(l1)
    room = max(ROOM // max(p, 1), ROWS * p)
    if l1.any():
        _refuse_long(min(n, room) + int((l1 > 0).sum()), p)
    held = task.blocks.reduce(_spread_out, task.scores, min(1.0, room / n), merge=Held.merge)
    points: list[Floats] = []
    width = 0.0
    while True:
        *steps, last = interior_point(held.hinges(ridge, l1))
        yield from steps
        if n <= room:
            yield last
            return
        if not points:
            width = float(np.quantile(np.abs(1.0 - held.rows @ last.x), room / n))
        points.append(last.x)
        held = task.blocks.reduce(_near, task.scores, np.array(points), width, merge=Held.merge)
        truth = held.losses[-1] + 0.5 * float(ridge @ last.x**2) + float(l1 @ np.abs(last.x))
        agree = len(points) > 1 and truth - last.value <= CLOSE * truth
        yield replace(last, value=truth, gap=truth - last.value, converged=agree)
        if agree or len(points) >= MOST_POINTS:
            return


def _refuse_long(n_hinges: int, n_coefficients: int) -> None:
    """Refuse what would take minutes: absolute values are hinges, too, and every step multiplies all."""
    work = STEPS * n_hinges * float(n_coefficients) ** 2
    if work > MOST_WORK:
        raise ValueError(
            f"SurrogateLossClassifier: the hinge loss with penalty='l1' on {n_coefficients} coefficients "
            f"would take {work:.0e} operations, at most {MOST_WORK:.0e} are allowed: choose "
            "loss='squared_hinge', penalty='l2', or leave out columns."
        )


def all_rows(task: SurrogateObjective) -> Held:
    """Hold all rows."""
    return task.blocks.reduce(_spread_out, task.scores, 1.0, merge=Held.merge)


def _signed(block: Block, scores: ScoreFunctions) -> tuple[Floats, Floats]:
    """Centered rows times their class, with a constant if there is an intercept; their share of the mean."""
    X = scores.centered(block)
    rows = np.column_stack([X, np.ones(len(X))]) if scores.fit_intercept else X
    weight = (np.ones(len(X)) if block.w is None else block.w) / scores.mass
    return np.where(scores.is_positive(block), 1.0, -1.0)[:, None] * rows, weight


def _spread_out(block: Block, scores: ScoreFunctions, share: float) -> Held:
    """Hold an even choice of the rows of each class, with the weight of all of them."""
    rows, weight = _signed(block, scores)
    chosen, weights = [], []
    first = scores.is_positive(block)
    for side in (first, ~first):
        there = np.flatnonzero(side & (weight > 0))
        n = int(np.ceil(share * len(there)))
        if n:
            taken = there[(np.arange(n) * len(there)) // n]
            chosen.append(rows[taken])
            weights.append(weight[taken] * (weight[there].sum() / weight[taken].sum()))
    return Held(np.concatenate([rows[:0], *chosen]), np.concatenate([weight[:0], *weights]), np.empty(0))


def _near(block: Block, scores: ScoreFunctions, points: Floats, width: float) -> Held:
    """Hold rows near the margin at one of the points or on different sides of it, and means of the others."""
    rows, weight = _signed(block, scores)
    lack = 1.0 - rows @ points.T
    below, above = lack.min(axis=1) > width, lack.max(axis=1) < -width
    near = ~below & ~above & (weight > 0)
    first = scores.is_positive(block)
    groups = [np.where(side & of, weight, 0.0) for side in (below, above) for of in (first, ~first)]
    means = [(share @ rows / share.sum(), share.sum()) for share in groups if share.any()]
    return Held(
        np.concatenate([rows[near], *(row[None] for row, _ in means)]),
        np.concatenate([weight[near], [mass for _, mass in means]]),
        weight @ np.maximum(lack, 0.0),
    )

"""Hinge loss by an active set: rows near the margin are kept in memory, the others enter by their means."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np

from hornbook.frame import Block
from hornbook.linear.solvers._surrogate_objective import ScoreFunctions, SurrogateObjective
from hornbook.optimize import Hinges, Iterate, interior_point
from hornbook.params import Floats

__all__ = ["ActiveRows", "all_rows", "minimize_hinge"]

ROOM = 1 << 20  # numbers in the active set, unless more rows are near the margin
ROWS = 8  # minimum number of active rows per column
SAMPLE = 0.25  # share of the active set that a first sample takes, as it only has to show the margin
SAMPLE_ROWS = 128  # rows of each class per column in it, as far as there are so many
MOST_POINTS = 50  # passes over the inactive rows
STEPS = 30  # typical number of interior-point steps
MOST_WORK = 1e11  # operations of the solver, some ten seconds
CLOSE = 1e-11  # relative gap at which the relaxed and the true objective count as equal


@dataclass(frozen=True)
class ActiveRows:
    """Rows times their class (-1 or +1): active ones as they are, the others as weighted means.

    Parameters
    ----------
    rows : ndarray of shape (n_held, n_coefficients)
        Margins are products of these with the coefficients.
    weight : ndarray of shape (n_held,)
        Their weights in the mean loss.
    losses : ndarray of shape (n_points,)
        Mean loss of all rows at each of the given points.
    """

    rows: Floats
    weight: Floats
    losses: Floats

    def merge(self, other: ActiveRows) -> ActiveRows:
        """Active rows of both."""
        return ActiveRows(
            np.concatenate([self.rows, other.rows]),
            np.concatenate([self.weight, other.weight]),
            self.losses + other.losses,
        )

    def hinges(self, ridge: Floats, l1: Floats) -> Hinges:
        """The objective, with the penalty."""
        # |w| = -w + 2 max(0, w), so that an absolute value is a linear term plus one more hinge.
        corners = -np.eye(len(l1))[l1 > 0]
        return Hinges(
            np.concatenate([self.rows, corners]),
            np.concatenate([np.ones(len(self.rows)), np.zeros(len(corners))]),
            np.concatenate([self.weight, 2.0 * l1[l1 > 0]]),
            -l1,
            ridge,
        )


def minimize_hinge(task: SurrogateObjective, l1: Floats) -> Iterator[Iterate]:
    """Minimize the mean hinge loss plus the penalty exactly, whatever the loss of the task.

    The first problem is solved on a sample of the rows. If that is not all of them, its solution shows where
    the margin is: rows near it become active; the others are replaced by means, one for each class, chunk and
    side of the margin. By Jensen's inequality the hinge of a mean is at most the mean of the hinges, so the
    relaxed objective is a lower bound; where it equals the true one, the minimum is found. Otherwise rows
    have crossed the margin: they become active, too, and so on.

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
    # With fewer rows than a few times the columns, a sample would be separable and show no margin.
    room = max(ROOM // max(p, 1), ROWS * p)
    if l1.any():
        _check_work(min(n, room) + int((l1 > 0).sum()), p)
    shares = _sample_shares(task, room, p)
    active = task.blocks.reduce(_sampled, task.scores, shares, merge=ActiveRows.merge)
    points: list[Floats] = []
    width = 0.0
    while True:
        *steps, last = interior_point(active.hinges(ridge, l1))
        yield from steps
        if n <= room:
            yield last
            return
        if not points:
            # In quantiles of the sample: it is drawn evenly from each class, so that its rows stand for all
            # of them.
            # The band around the margin that holds about as many rows as there is room for.
            width = float(np.quantile(np.abs(1.0 - active.rows @ last.x), room / n))
        points.append(last.x)
        active = task.blocks.reduce(
            _near_margin, task.scores, np.array(points), width, merge=ActiveRows.merge
        )
        true_value = active.losses[-1] + 0.5 * float(ridge @ last.x**2) + float(l1 @ np.abs(last.x))
        # The first solution belongs to a sample, not to a lower bound, so it can prove nothing.
        agree = len(points) > 1 and true_value - last.value <= CLOSE * true_value
        yield replace(last, value=true_value, gap=true_value - last.value, converged=agree)
        if agree or len(points) >= MOST_POINTS:
            return


def _check_work(n_hinges: int, n_coefficients: int) -> None:
    """Reject what would take minutes: absolute values are hinges, too; each step costs rows x columns²."""
    work = STEPS * n_hinges * float(n_coefficients) ** 2
    if work > MOST_WORK:
        raise ValueError(
            f"SurrogateLossClassifier: the hinge loss with penalty='l1' on {n_coefficients} coefficients "
            f"would take {work:.0e} operations, at most {MOST_WORK:.0e} are allowed: choose "
            "loss='squared_hinge', penalty='l2', or leave out columns."
        )


def all_rows(task: SurrogateObjective) -> ActiveRows:
    """Make all rows active."""
    return task.blocks.reduce(_sampled, task.scores, np.ones(2), merge=ActiveRows.merge)


def _sample_shares(task: SurrogateObjective, room: int, p: int) -> Floats:
    """Share of the rows of each class in the first sample; all if there is room for them."""
    n = task.blocks.n_rows
    if n <= room:
        return np.ones(2)
    sizes = task.blocks.reduce(_class_sizes, task.scores)
    # A margin shown by few rows of a rare class is far from the true one: many rows would cross it later.
    enough = np.maximum(SAMPLE * room / n * sizes, min(SAMPLE_ROWS * p, room / 2))
    return np.minimum(1.0, enough / np.maximum(sizes, 1.0))


def _class_sizes(block: Block, scores: ScoreFunctions) -> Floats:
    first = scores.is_positive(block)
    return np.array([first.sum(), (~first).sum()], dtype=np.float64)


def _signed(block: Block, scores: ScoreFunctions) -> tuple[Floats, Floats]:
    """Centered rows times their class, with a constant for the intercept, and their weights in the mean."""
    X = scores.centered(block)
    rows = np.column_stack([X, np.ones(len(X))]) if scores.fit_intercept else X
    weight = (np.ones(len(X)) if block.w is None else block.w) / scores.mass
    return np.where(scores.is_positive(block), 1.0, -1.0)[:, None] * rows, weight


def _sampled(block: Block, scores: ScoreFunctions, shares: Floats) -> ActiveRows:
    """An evenly spaced sample of the rows of each class, with the weight of all of them."""
    rows, weight = _signed(block, scores)
    chosen, weights = [], []
    first = scores.is_positive(block)
    for side, share in zip((first, ~first), shares, strict=True):
        members = np.flatnonzero(side & (weight > 0))
        n = int(np.ceil(share * len(members)))
        if n:
            sample = members[(np.arange(n) * len(members)) // n]
            chosen.append(rows[sample])
            weights.append(weight[sample] * (weight[members].sum() / weight[sample].sum()))
    return ActiveRows(
        np.concatenate([rows[:0], *chosen]), np.concatenate([weight[:0], *weights]), np.empty(0)
    )


def _near_margin(block: Block, scores: ScoreFunctions, points: Floats, width: float) -> ActiveRows:
    """Rows near the margin at one of the points or that crossed it between two, and means of the others."""
    rows, weight = _signed(block, scores)
    shortfall = 1.0 - rows @ points.T
    below, above = shortfall.min(axis=1) > width, shortfall.max(axis=1) < -width
    near = ~below & ~above & (weight > 0)
    first = scores.is_positive(block)
    # Above the margin the hinge is 0, below it linear: a mean then has exactly the mean loss of its rows.
    groups = [np.where(side & of, weight, 0.0) for side in (below, above) for of in (first, ~first)]
    means = [(share @ rows / share.sum(), share.sum()) for share in groups if share.any()]
    return ActiveRows(
        np.concatenate([rows[near], *(row[None] for row, _ in means)]),
        np.concatenate([weight[near], [mass for _, mass in means]]),
        weight @ np.maximum(shortfall, 0.0),
    )

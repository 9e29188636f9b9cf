"""Out-of-bag predictions and errors: each row by the trees that have not seen it (Breiman 2001)."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from hornbook.ensembles.forests._bootstrap import BootstrapDraws
from hornbook.ensembles.forests._fitted_forest import FittedForest, cells_of, unit_votes
from hornbook.ensembles.forests._grow_trees import ForestRows, MemoryGrowth
from hornbook.ensembles.forests._strength import Strength, margins_of, runner_up, strength_of
from hornbook.params import Floats

__all__ = ["OutOfBag", "check_unvoted", "mean_error", "staged_errors", "unseen_errors"]


class OutOfBag:
    """Predictions of trees for the rows outside their samples, summed tree by tree.

    Parameters
    ----------
    rows : ForestRows
        The rows of the fit.
    bootstrap : BootstrapDraws
        The samples.
    hard : bool
        Whether a tree gives one vote instead of class shares.
    """

    def __init__(self, rows: ForestRows, bootstrap: BootstrapDraws, *, hard: bool) -> None:
        y, n_classes = rows.y, rows.n_classes
        self.cells, self.y, self.bootstrap = cells_of(rows.frame), y, bootstrap
        self.w = np.ones(len(y)) if rows.w is None else rows.w
        self.n_classes, self.hard = n_classes, hard
        self.total = np.zeros((len(y), n_classes or 1))
        self.n_trees = np.zeros(len(y), dtype=np.int32)
        self.losses = np.zeros(len(y))
        self.tally = np.zeros((len(y), n_classes), dtype=np.int32)
        self.votes: list[NDArray[Any]] = []
        self.tree_errors: list[float] = []
        self.errors: list[float] = []

    def add(self, tree: FittedForest, t: int, n_threads: int) -> None:
        """Predict the rows that tree t has not seen, and add the predictions."""
        self.take(*self.ask(tree, t, n_threads))

    def ask(self, tree: FittedForest, t: int, n_threads: int) -> tuple[NDArray[np.intp], Floats]:
        """The rows that tree t has not seen, and its predictions; safe to call from several threads."""
        rows = self.left_out(t)
        return rows, tree.answers(self.cells[rows], n_threads) if len(rows) else self.total[:0]

    def take(self, rows: NDArray[np.intp], answers: Floats) -> None:
        """Add the predictions of the next tree for some rows."""
        if self.n_classes:
            votes = answers.argmax(axis=1)
            self.tally[rows, votes] += 1
            # Strength needs all votes once more at the end: one byte each, as a rule.
            self.votes.append(votes.astype(np.min_scalar_type(self.n_classes)))
            answers = unit_votes(answers) if self.hard else answers
        self.tree_errors.append(self._error(answers, rows) if len(rows) else np.nan)
        total = self.total[rows] + answers
        self.total[rows] = total
        self.n_trees[rows] += 1
        means = total / self.n_trees[rows, None]
        self.losses[rows] = _losses(means, self.y[rows], classes=self.n_classes > 0)
        self.errors.append(self.error)

    def left_out(self, t: int) -> NDArray[np.intp]:
        """The rows of positive weight that tree t has not seen."""
        rows = self.bootstrap.left_out(t)
        return np.asarray(rows[self.w[rows] > 0])

    @property
    def rows(self) -> NDArray[np.intp]:
        """The rows that at least one tree has not seen."""
        return np.flatnonzero(self.n_trees)

    @property
    def error(self) -> float:
        """Error of the trees together on the rows that at least one has not seen."""
        rows = self.rows
        return float(np.average(self.losses[rows], weights=self.w[rows])) if len(rows) else np.nan

    def error_of(self, total: Floats) -> float:
        """Error of other sums of predictions than those of the trees."""
        rows = self.rows
        return self._error(total[rows] / self.n_trees[rows, None], rows) if len(rows) else np.nan

    @property
    def error_of_all_rows(self) -> float:
        """Error on all rows of positive weight; those that all trees have seen get the first class."""
        rows = np.flatnonzero(self.w > 0)
        return self._error(self.total[rows] / np.maximum(self.n_trees[rows, None], 1), rows)

    @property
    def means(self) -> Floats:
        """Class shares or means of each row; NaN for rows that all trees have seen."""
        seen_by_all = self.n_trees == 0
        means = self.total / np.where(seen_by_all, 1, self.n_trees)[:, None]
        means[seen_by_all] = np.nan
        return np.asarray(means)

    def score(self) -> float:
        """Accuracy, or the coefficient of determination."""
        rows = self.rows
        if not len(rows):
            raise ValueError(
                "every row is in the sample of every tree, so there is no out-of-bag score: grow more trees, "
                "lower max_samples, or set oob_score=False."
            )
        if self.n_classes:
            return 1.0 - self.error
        spread = _variance(self.y[rows], self.w[rows])
        if spread == 0.0:
            return 1.0 if self.error == 0.0 else 0.0
        return 1.0 - self.error / spread

    def strength(self) -> Strength:
        """Strength and correlation of trees that vote for classes, each with one vote."""
        rows = self.rows
        shares, second = self.tally[rows] / self.n_trees[rows, None], np.full(len(self.y), -1, dtype=np.intp)
        second[rows] = runner_up(shares, self.y[rows])
        right, wrong = [], []
        for t, votes in enumerate(self.votes):
            unseen = self.left_out(t)
            if len(unseen):
                right.append(np.average(votes == self.y[unseen], weights=self.w[unseen]))
                wrong.append(np.average(votes == second[unseen], weights=self.w[unseen]))
        margins = margins_of(shares, self.y[rows])
        return strength_of(margins, self.w[rows], np.array(right), np.array(wrong))

    def is_stable(self, n_trees: int, tol: float) -> bool:
        """Whether the error stayed within ``tol`` over the last trees; for numbers, times their variance."""
        last = self.errors[-n_trees - 1 :]
        if len(last) <= n_trees or not np.isfinite(last).all():
            return False
        unit = 1.0 if self.n_classes else _variance(self.y, self.w)
        return max(last) - min(last) <= tol * unit

    def _error(self, answers: Floats, rows: NDArray[np.intp]) -> float:
        return mean_error(answers, self.y[rows], self.w[rows], classes=self.n_classes > 0)


def mean_error(answers: Floats, y: NDArray[Any], w: Floats | None, *, classes: bool) -> float:
    """Weighted share of wrong classes, or mean of squared differences."""
    return float(np.average(_losses(answers, y, classes=classes), weights=w))


def _losses(answers: Floats, y: NDArray[Any], *, classes: bool) -> Floats:
    wrong = answers.argmax(axis=1) != y if classes else (answers[:, 0] - y) ** 2
    return np.asarray(wrong, dtype=np.float64)


def _variance(y: Floats, w: Floats) -> float:
    return float(np.average((y - np.average(y, weights=w)) ** 2, weights=w))


def check_unvoted(unvoted: str, *, out_of_bag_classes: bool) -> None:
    """Check the parameter for rows that no tree votes on."""
    if unvoted not in ("skip", "first"):
        raise ValueError(f"parameter 'unvoted' must be 'skip' or 'first'; got {unvoted!r}.")
    if unvoted == "first" and not out_of_bag_classes:
        raise ValueError("unvoted='first' is about classes out of bag: set oob=True, or leave it out.")


def staged_errors(forest: FittedForest, rows: ForestRows, *, hard: bool, n_threads: int) -> Floats:
    """Errors of the first 1, 2, ... trees on rows that need not be new to them."""
    total, errors = np.zeros((1, 1)), []
    for t, answers in enumerate(forest.each(rows.frame, n_threads, hard=hard)):
        total = total + answers
        errors.append(mean_error(total / (t + 1), rows.y, rows.w, classes=rows.n_classes > 0))
    return np.array(errors)


def unseen_errors(forest: FittedForest, growth: MemoryGrowth, *, hard: bool, every_row: bool) -> Floats:
    """Errors of the first 1, 2, ... trees, each row predicted by those that have not seen it.

    With ``every_row``, rows that all trees so far have seen get the first class, and count.
    """
    unseen, errors = OutOfBag(growth.rows, growth.samples, hard=hard), []
    for t in range(len(forest)):
        unseen.add(forest.tree(t), t, growth.n_threads)
        errors.append(unseen.error_of_all_rows if every_row else unseen.error)
    return np.array(errors)

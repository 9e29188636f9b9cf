"""Predictions of members for the rows they have not seen, and their errors (Breiman 1996)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, ClassVar, TypeAlias

import numpy as np
from numpy.typing import NDArray

from hornbook.ensembles.forests._fitted_forest import unit_votes
from hornbook.ensembles.forests._strength import Strength, margins_of, runner_up, strength_of
from hornbook.params import Floats

# Gives a score for true and predicted values.
Scoring: TypeAlias = Callable[[NDArray[Any], NDArray[Any]], float]

__all__ = ["Scoring", "UnseenRows", "best_classes", "check_unvoted", "mean_error"]


class UnseenRows:
    """Predictions for the rows outside the samples, summed member by member.

    Parameters
    ----------
    y : ndarray of shape (n_rows,)
        Class numbers, or numbers.
    w : ndarray of shape (n_rows,), optional
        Weights of the rows.
    n_classes : int
        Number of classes; 0 for numbers.
    left_out : callable
        The rows that are not in the sample of a numbered member.
    hard : bool
        Whether a member gives one vote instead of class probabilities.
    sizes : tuple of int, default ()
        Number of classes of each target, where there are several; ``n_classes`` is then their sum, and y has
        a column for each target.
    """

    member: ClassVar[str] = "member"

    def __init__(
        self,
        y: NDArray[Any],
        w: Floats | None,
        n_classes: int,
        left_out: Callable[[int], NDArray[np.intp]],
        *,
        hard: bool,
        sizes: tuple[int, ...] = (),
    ) -> None:
        self.sizes = sizes
        self.y, self.w = y, np.ones(len(y)) if w is None else w
        self.n_classes, self.hard, self._outside = n_classes, hard, left_out
        # (rows, classes), or a column for each number.
        self.total = np.zeros((len(y), n_classes or y[:1].size))
        self.n_members = np.zeros(len(y), dtype=np.int32)
        self.losses = np.zeros(len(y))
        self.tally = np.zeros((len(y), n_classes), dtype=np.int32)
        self.votes: list[NDArray[Any]] = []
        self.member_errors: list[float] = []
        self.errors: list[float] = []

    def take(self, rows: NDArray[np.intp], answers: Floats) -> None:
        """Add the predictions of the next member for some rows."""
        if self.n_classes and not self.sizes:
            votes = answers.argmax(axis=1)
            self.tally[rows, votes] += 1
            # Strength needs all votes once more at the end: one byte each, as a rule.
            self.votes.append(votes.astype(np.min_scalar_type(self.n_classes)))
            answers = unit_votes(answers) if self.hard else answers
        self.member_errors.append(self._error(answers, rows) if len(rows) else np.nan)
        # Read, added and written back once: `+=` on a fancy index would do the lookup twice.
        total = self.total[rows] + answers
        self.total[rows] = total
        self.n_members[rows] += 1
        # Only the rows of this member can change their answer: an error curve over T members costs
        # O(T n / e), not O(T n).
        means = total / self.n_members[rows, None]
        self.losses[rows] = _losses(means, self.y[rows], classes=self.n_classes > 0, sizes=self.sizes)
        self.errors.append(self.error)

    def left_out(self, t: int) -> NDArray[np.intp]:
        """The rows of positive weight that member t has not seen."""
        rows = self._outside(t)
        return np.asarray(rows[self.w[rows] > 0])

    @property
    def rows(self) -> NDArray[np.intp]:
        """The rows that at least one tree has not seen."""
        return np.flatnonzero(self.n_members)

    @property
    def error(self) -> float:
        """Error of the members together on the rows that at least one has not seen."""
        rows = self.rows
        return float(np.average(self.losses[rows], weights=self.w[rows])) if len(rows) else np.nan

    def error_of(self, total: Floats) -> float:
        """Error of other sums of predictions than those of the members."""
        rows = self.rows
        return self._error(total[rows] / self.n_members[rows, None], rows) if len(rows) else np.nan

    @property
    def error_of_all_rows(self) -> float:
        """Error on all rows of positive weight; those that all members have seen get the first class."""
        rows = np.flatnonzero(self.w > 0)
        return self._error(self.total[rows] / np.maximum(self.n_members[rows, None], 1), rows)

    @property
    def means(self) -> Floats:
        """Class probabilities or means of each row; NaN for rows that all members have seen."""
        seen_by_all = self.n_members == 0
        means = self.total / np.where(seen_by_all, 1, self.n_members)[:, None]
        means[seen_by_all] = np.nan
        return np.asarray(means)

    def score(self) -> float:
        """Accuracy, or the coefficient of determination."""
        rows = self.rows
        if not len(rows):
            raise ValueError(
                f"every row is in the sample of every {self.member}, so there is no out-of-bag score: raise "
                "n_estimators, lower max_samples, or set oob_score=False."
            )
        if self.n_classes:
            return 1.0 - self.error
        means = self.total[rows] / self.n_members[rows, None]
        columns = self.y[rows].reshape(len(rows), -1).T
        # Of several targets the mean, as in scikit-learn.
        return float(np.mean([_r2(y, mean, self.w[rows]) for y, mean in zip(columns, means.T, strict=True)]))

    def score_by(self, chosen: bool | Scoring, classes: NDArray[Any] | list[NDArray[Any]] | None) -> float:
        """The score by a function of truth and predictions; accuracy or R2 if none is given."""
        if not callable(chosen):
            return self.score()
        self.score()  # refuses where there is nothing to score
        rows = self.rows
        means = self.total[rows] / self.n_members[rows, None]
        if classes is None:
            return float(chosen(self.y[rows], means if self.y.ndim == 2 else means[:, 0]))
        if isinstance(classes, list):
            chosen_codes = best_classes(means, self.sizes).T
            truth, labels = (
                np.column_stack([known[codes] for known, codes in zip(classes, columns, strict=True)])
                for columns in (self.y[rows].T, chosen_codes)
            )
            return float(chosen(truth, labels))
        return float(chosen(classes[self.y[rows]], classes[means.argmax(axis=1)]))

    def strength(self) -> Strength:
        """Strength and correlation of members that vote for classes, each with one vote."""
        rows = self.rows
        shares, second = (
            self.tally[rows] / self.n_members[rows, None],
            np.full(len(self.y), -1, dtype=np.intp),
        )
        # The runner-up is that of the forest, not of the tree: Breiman's raw margin function is
        # defined by it.
        second[rows] = runner_up(shares, self.y[rows])
        right, wrong = [], []
        for t, votes in enumerate(self.votes):
            unseen = self.left_out(t)
            if len(unseen):
                right.append(np.average(votes == self.y[unseen], weights=self.w[unseen]))
                wrong.append(np.average(votes == second[unseen], weights=self.w[unseen]))
        margins = margins_of(shares, self.y[rows])
        return strength_of(margins, self.w[rows], np.array(right), np.array(wrong))

    def is_stable(self, n_members: int, tol: float) -> bool:
        """Whether the error stayed within ``tol`` over the last members (numbers: times variance)."""
        last = self.errors[-n_members - 1 :]
        if len(last) <= n_members or not np.isfinite(last).all():
            return False
        # For numbers the tolerance is relative to the variance, so that the unit of the target does
        # not matter.
        unit = 1.0 if self.n_classes else _variance(self.y, self.w)
        return max(last) - min(last) <= tol * unit

    def _error(self, answers: Floats, rows: NDArray[np.intp]) -> float:
        return mean_error(answers, self.y[rows], self.w[rows], classes=self.n_classes > 0, sizes=self.sizes)


def mean_error(
    answers: Floats, y: NDArray[Any], w: Floats | None, *, classes: bool, sizes: tuple[int, ...] = ()
) -> float:
    """Weighted share of wrong classes, or mean of squared differences.

    Of several targets, a row with any wrong class is wrong, and squared differences are averaged.
    """
    return float(np.average(_losses(answers, y, classes=classes, sizes=sizes), weights=w))


def best_classes(answers: Floats, sizes: tuple[int, ...]) -> NDArray[np.intp]:
    """The class of the largest share for each target, a column for each."""
    parts = np.split(answers, np.cumsum(sizes)[:-1], axis=1)
    return np.column_stack([part.argmax(axis=1) for part in parts])


def _losses(answers: Floats, y: NDArray[Any], *, classes: bool, sizes: tuple[int, ...] = ()) -> Floats:
    if sizes:
        wrong = (best_classes(answers, sizes) != y).any(axis=1)
    elif classes:
        wrong = answers.argmax(axis=1) != y
    else:
        return np.asarray(((answers - y.reshape(len(y), -1)) ** 2).mean(axis=1))
    return np.asarray(wrong, dtype=np.float64)


def _variance(y: Floats, w: Floats) -> float:
    """Variance; of several targets the mean."""
    return float(np.average((y - np.average(y, axis=0, weights=w)) ** 2, axis=0, weights=w).mean())


def _r2(y: Floats, answers: Floats, w: Floats) -> float:
    error, spread = float(np.average((answers - y) ** 2, weights=w)), _variance(y, w)
    if spread == 0.0:
        # R^2 of a constant target, as in `hornbook.evaluation.r2`.
        return 1.0 if error == 0.0 else 0.0
    return 1.0 - error / spread


def check_unvoted(unvoted: str, *, out_of_bag_classes: bool) -> None:
    """Check the parameter for rows that no member votes on."""
    if unvoted not in ("skip", "first"):
        raise ValueError(f"parameter 'unvoted' must be 'skip' or 'first'; got {unvoted!r}.")
    if unvoted == "first" and not out_of_bag_classes:
        raise ValueError("unvoted='first' applies to out-of-bag classes: set oob=True, or leave it out.")

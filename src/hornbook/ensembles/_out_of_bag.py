"""What a forest says about rows by those trees that have not seen them."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from hornbook.base import Floats
from hornbook.ensembles._bootstrap import Bootstrap
from hornbook.ensembles._fitted_forest import FittedForest
from hornbook.frame import Frame

__all__ = ["OutOfBag"]


class OutOfBag:
    """Answers of trees about the rows outside their samples, summed tree by tree.

    Parameters
    ----------
    frame : Frame
        The rows of the fit.
    y : ndarray
        Class numbers, or numbers.
    w : ndarray, optional
        Weights of the rows.
    bootstrap : Bootstrap
        The samples.
    n_classes : int
        Number of classes; 0 for numbers.
    hard : bool
        Whether a tree gives one vote instead of class shares.
    """

    def __init__(
        self,
        frame: Frame,
        y: NDArray[Any],
        w: Floats | None,
        bootstrap: Bootstrap,
        *,
        n_classes: int,
        hard: bool,
    ) -> None:
        self.frame, self.y, self.bootstrap = frame, y, bootstrap
        self.w = np.ones(len(y)) if w is None else w
        self.n_classes, self.hard = n_classes, hard
        self.total = np.zeros((len(y), n_classes or 1))
        self.n_trees = np.zeros(len(y), dtype=np.int32)
        self.tree_errors: list[float] = []
        self.errors: list[float] = []

    def add(self, tree: FittedForest, t: int, n_threads: int) -> None:
        """Ask tree t about the rows it has not seen."""
        rows = self.bootstrap.left_out(t)
        rows = rows[self.w[rows] > 0]
        if len(rows):
            answers = tree.answers(self.frame[rows], n_threads, hard=self.hard)
            self.total[rows] += answers
            self.n_trees[rows] += 1
            self.tree_errors.append(self._error(answers, rows))
        else:
            self.tree_errors.append(np.nan)
        self.errors.append(self.error)

    @property
    def rows(self) -> NDArray[np.intp]:
        """The rows that at least one tree has not seen."""
        return np.flatnonzero(self.n_trees)

    @property
    def error(self) -> float:
        """Error of the trees together on the rows that at least one has not seen."""
        rows = self.rows
        return self._error(self.total[rows] / self.n_trees[rows, None], rows) if len(rows) else np.nan

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

    def is_stable(self, n_trees: int, tol: float) -> bool:
        """Whether the error stayed within ``tol`` over the last trees; for numbers, times their variance."""
        last = self.errors[-n_trees - 1 :]
        if len(last) <= n_trees or not np.isfinite(last).all():
            return False
        unit = (
            1.0
            if self.n_classes
            else float(np.average((self.y - np.average(self.y, weights=self.w)) ** 2, weights=self.w))
        )
        return max(last) - min(last) <= tol * unit

    def _error(self, answers: Floats, rows: NDArray[np.intp]) -> float:
        """Weighted share of wrong classes, or mean of squared differences."""
        if self.n_classes:
            wrong = answers.argmax(axis=1) != self.y[rows]
            return float(np.average(wrong, weights=self.w[rows]))
        return float(np.average((answers[:, 0] - self.y[rows]) ** 2, weights=self.w[rows]))


def _variance(y: Floats, w: Floats) -> float:
    return float(np.average((y - np.average(y, weights=w)) ** 2, weights=w))

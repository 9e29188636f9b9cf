"""Out-of-bag predictions and errors: each row by the trees that have not seen it (Breiman 2001)."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from hornbook.ensembles._out_of_bag import UnseenRows, mean_error
from hornbook.ensembles.forests._bootstrap import BootstrapDraws
from hornbook.ensembles.forests._fitted_forest import FittedForest, cells_of
from hornbook.ensembles.forests._grow_trees import ForestRows, MemoryGrowth
from hornbook.params import Floats

__all__ = ["OutOfBag", "seen_errors", "unseen_errors"]


class OutOfBag(UnseenRows):
    """Predictions of trees for the rows outside their samples, summed tree by tree.

    Parameters
    ----------
    rows : ForestRows
        The rows of the fit.
    bootstrap : BootstrapDraws
        The samples.
    hard : bool
        Whether a tree gives one vote instead of class probabilities.
    """

    member = "tree"

    def __init__(self, rows: ForestRows, bootstrap: BootstrapDraws, *, hard: bool) -> None:
        super().__init__(rows.y, rows.w, rows.n_classes, bootstrap.left_out, hard=hard, sizes=rows.sizes)
        self.cells = cells_of(rows.frame)

    def add(self, tree: FittedForest, t: int, n_threads: int) -> None:
        """Predict the rows that tree t has not seen, and add the predictions."""
        self.take(*self.ask(tree, t, n_threads))

    def ask(self, tree: FittedForest, t: int, n_threads: int) -> tuple[NDArray[np.intp], Floats]:
        """The rows that tree t has not seen, and its predictions; safe to call from several threads."""
        rows = self.left_out(t)
        return rows, tree.answers(self.cells[rows], n_threads) if len(rows) else self.total[:0]


def seen_errors(forest: FittedForest, rows: ForestRows, *, hard: bool, n_threads: int) -> Floats:
    """Errors of the first 1, 2, ... trees on rows that need not be new to them."""
    total, errors = np.zeros((1, 1)), []
    for t, answers in enumerate(forest.each(rows.frame, n_threads, hard=hard)):
        total = total + answers
        means, classes = total / (t + 1), rows.n_classes > 0
        errors.append(mean_error(means, rows.y, rows.w, classes=classes, sizes=rows.sizes))
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

"""The error of the first trees of a forest, as more and more of them answer."""

from __future__ import annotations

import numpy as np

from hornbook.ensembles.forests._fitted_forest import FittedForest
from hornbook.ensembles.forests._grow_trees import ForestRows, Growth
from hornbook.ensembles.forests._out_of_bag import OutOfBag, mean_error
from hornbook.params import Floats

__all__ = ["staged_errors", "staged_errors_out_of_bag"]


def staged_errors(forest: FittedForest, rows: ForestRows, *, hard: bool, n_threads: int) -> Floats:
    """Errors of the first 1, 2, ... trees on rows that need not be new to them."""
    total, errors = np.zeros((1, 1)), []
    for t, answers in enumerate(forest.each(rows.frame, n_threads, hard=hard)):
        total = total + answers
        errors.append(mean_error(total / (t + 1), rows.y, rows.w, classes=rows.n_classes > 0))
    return np.array(errors)


def staged_errors_out_of_bag(forest: FittedForest, growth: Growth, *, hard: bool, every_row: bool) -> Floats:
    """Errors of the first 1, 2, ... trees, each row being answered by those that have not seen it.

    With ``every_row``, rows that all trees so far have seen get the first class, and count.
    """
    unseen, errors = OutOfBag(growth.rows, growth.samples, hard=hard), []
    for t in range(len(forest)):
        unseen.add(forest.tree(t), t, growth.n_threads)
        errors.append(unseen.error_of_all_rows if every_row else unseen.error)
    return np.array(errors)

"""Imputation by proximities in a forest (Breiman)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.base import clone, is_classifier

from hornbook.ensembles.forests._proximity import shared_leaves
from hornbook.ensembles.forests._settings import require_count
from hornbook.ensembles.forests._single_tree import require_one_target
from hornbook.frame import Frame
from hornbook.params import Floats
from hornbook.trees import as_categorical

__all__ = ["impute", "imputed"]

Bools = NDArray[np.bool_]
_CELLS = 1 << 24  # proximities that are held at once


def imputed(
    frame: Frame,
    labels: NDArray[Any],
    weights: Floats | None,
    leaves_of: Callable[[Frame], NDArray[np.int32]],
    n_iter: int,
) -> Frame:
    """Fill cells with medians and most frequent levels first, then with means and levels of close rows.

    ``labels`` are classes, within which the first guess is made; ``leaves_of`` grows a forest on a filled
    table and returns the leaves of its rows.
    """
    groups = np.unique(labels, return_inverse=True)[1]
    w = np.ones(len(labels)) if weights is None else weights
    columns = [frame.column(j) for j in range(len(frame.schema))]
    coded = [column.kind != "numeric" for column in frame.schema.columns]
    holes = [_missing(column, is_coded) for column, is_coded in zip(columns, coded, strict=True)]
    for j, missing in enumerate(holes):
        if missing[w > 0].all():
            raise ValueError(
                f"column {frame.schema.names[j]!r} has no value in any row, so its cells cannot be "
                "filled: leave it out."
            )
    open_columns = [j for j, missing in enumerate(holes) if missing.any()]
    for j in open_columns:
        columns[j] = _first_guess(columns[j], holes[j], groups, w, is_coded=coded[j])
    for _ in range(n_iter if open_columns else 0):
        # A forest for each iteration: proximities depend on the cells filled so far.
        leaves = leaves_of(Frame.from_columns(frame.schema, columns))
        for j in open_columns:
            known = ~holes[j] & (w > 0)
            filled, rows = columns[j].copy(), np.flatnonzero(holes[j])
            # Rows with a gap in parts: proximities are (rows with a gap) x (rows without).
            for some in np.array_split(rows, 1 + len(rows) * len(w) // _CELLS):
                close = shared_leaves(leaves[some], leaves[known]) * w[known]
                filled[some] = _closer(columns[j][some], columns[j][known], close, is_coded=coded[j])
            columns[j] = filled
    return Frame.from_columns(frame.schema, columns)


def _missing(column: NDArray[Any], is_coded: bool) -> Bools:
    return np.asarray(column < 0 if is_coded else np.isnan(column.astype(np.float64)))


def _first_guess(
    column: NDArray[Any], missing: Bools, groups: NDArray[np.intp], w: Floats, *, is_coded: bool
) -> NDArray[Any]:
    """The median or most frequent level of the group, or of all rows where the group has no value."""
    filled = column.copy()
    for group in np.unique(groups[missing]):
        known = ~missing & (w > 0) & (groups == group)
        if not known.any():
            known = ~missing & (w > 0)
        if is_coded:
            guess = np.bincount(column[known], weights=w[known]).argmax()
        else:
            guess = _median(column[known].astype(np.float64), w[known])
        filled[missing & (groups == group)] = guess
    return filled


def _median(numbers: Floats, w: Floats) -> Any:
    """Weighted median: half-way between two numbers when exactly half the weight is below."""
    order = np.argsort(numbers, kind="stable")
    below = np.cumsum(w[order])
    # Both ends coincide unless half of the weight is reached exactly between two numbers.
    low, high = (np.searchsorted(below, below[-1] / 2, side) for side in ("left", "right"))
    return (numbers[order[low]] + numbers[order[min(high, len(order) - 1)]]) / 2


def _closer(old: NDArray[Any], known: NDArray[Any], close: Floats, *, is_coded: bool) -> NDArray[Any]:
    """Means of close rows, or their heaviest level; the old guess for a row that is close to none."""
    total = close.sum(axis=1)
    if is_coded:
        levels = np.zeros((len(known), int(known.max()) + 1))
        levels[np.arange(len(known)), known] = 1.0
        filled = (close @ levels).argmax(axis=1).astype(known.dtype)
    else:
        filled = close @ known.astype(np.float64) / np.where(total > 0, total, 1.0)
    return np.where(total > 0, filled, old)


def impute(self: Any, X: Any, y: Any = None, sample_weight: Any = None, *, n_iter: int = 5) -> Frame:
    """Fill missing cells from rows of high proximity, as Breiman does; the forest does not change.

    Parameters
    ----------
    X : table of shape (n_rows, n_columns)
        The rows.
    y : array-like of shape (n_rows,), optional
        Their target; a Frame with a target needs none.
    sample_weight : array-like of shape (n_rows,), optional
        Weights of the rows; every row counts once when left out.
    n_iter : int, default 5
        Number of times that a forest is grown on the filled table and cells are filled again.

    Returns
    -------
    filled : Frame
        The table without missing cells. They start as the median or most frequent level of the row's
        class and become the mean or heaviest level of the rows that have one, weighted by proximity.
    """
    require_count("n_iter", n_iter)
    require_one_target(self, "impute")
    block = self._whole_table(X, y, sample_weight)
    frame, target = as_categorical(block.X, self.categorical_features), np.asarray(block.y)

    def leaves_of(filled: Frame) -> NDArray[np.int32]:
        model = clone(self).set_params(oob_score=False, stop_when_stable=None, categorical_features=None)
        model.fit(filled, target, sample_weight=block.w)
        return np.asarray(model.apply(filled) + model.forest_.roots)

    labels = target if is_classifier(self) else np.zeros(len(target))
    return imputed(frame, labels, block.w, leaves_of, n_iter)

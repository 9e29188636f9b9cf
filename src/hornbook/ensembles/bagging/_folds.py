"""Rows of a cross-validation: dealt by their content, not by their place, or as the user says."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated, Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from hornbook.ensembles.bagging._samples import Rows, RowSamples
from hornbook.evaluation import Splitter
from hornbook.frame import Frame
from hornbook.params import Floats, Range, Tune
from hornbook.random import row_bits

__all__ = ["Cv", "FoldRows", "folds_of"]

Cv: TypeAlias = Annotated[int, Range(low=2), Tune(5, 20)] | Splitter | Sequence[Any]


@dataclass(frozen=True)
class FoldRows(RowSamples):
    """Pairs of rows to learn from and rows to be tested on.

    Parameters
    ----------
    pairs : list of pairs of ndarray
        One for each fold.
    """

    pairs: list[tuple[Rows, Rows]]

    def rows(self, t: int) -> Rows:
        """The rows that member t learns from."""
        return self.pairs[t][0]

    def left_out(self, t: int) -> Rows:
        """The rows that member t is tested on."""
        return self.pairs[t][1]


def folds_of(
    who: str, frame: Frame, y: NDArray[np.int32] | Floats, w: Floats | None, cv: Any, seed: int
) -> FoldRows:
    """The folds that the parameter ``cv`` asks for."""
    if isinstance(cv, int | np.integer):
        fold_of = _dealt(who, frame, y, w, int(cv), seed)
        # Rows of weight 0 are in fold -1.
        pairs = [
            (np.flatnonzero((fold_of != k) & (fold_of >= 0)), np.flatnonzero(fold_of == k)) for k in range(cv)
        ]
        return FoldRows(len(y), pairs)
    given = cv.split(frame, y) if isinstance(cv, Splitter) else cv
    pairs = [(_places(who, train, w, len(y)), _places(who, test, w, len(y))) for train, test in given]
    if not pairs:
        raise ValueError(f"{who}: parameter 'cv' gives no folds: pass pairs of training and test rows.")
    return FoldRows(len(y), pairs)


def _places(who: str, rows: Any, w: Floats | None, n_rows: int) -> Rows:
    """Positions of rows of positive weight, from positions or a mask."""
    given = np.asarray(rows)
    places = np.flatnonzero(given) if given.dtype == np.bool_ else given.astype(np.intp)
    if places.size and not 0 <= places.min() <= places.max() < n_rows:
        raise ValueError(
            f"{who}: parameter 'cv' names rows from {places.min()} to {places.max()}, but there are {n_rows} "
            "rows: pass positions from 0."
        )
    used = places if w is None else places[w[places] > 0]
    if not used.size:
        raise ValueError(
            f"{who}: parameter 'cv' gives a fold without rows of positive weight: pass other folds."
        )
    return used


def _dealt(
    who: str, frame: Frame, y: NDArray[np.int32] | Floats, w: Floats | None, cv: int, seed: int
) -> NDArray[np.intp]:
    """The fold of each row, dealt in random order, class by class if y are classes.

    Equal rows are dealt together: no fold is tested on rows that it has learned, and a weight of 3 is the
    same as three equal rows. Numbers of different rows in two folds, of all and of each class, differ by at
    most one.
    """
    usable = np.arange(len(y)) if w is None else np.flatnonzero(w > 0)
    # Without the classes that have no weight, so that those do not change the others.
    target = np.unique(y[usable], return_inverse=True)[1] if y.dtype.kind == "i" else y[usable]
    columns = [*(frame.column(j)[usable] for j in range(len(frame.schema))), target]
    # Equal rows have equal bits and go to the same fold: a duplicate in training and test would leak.
    _, first, which = np.unique(row_bits(columns, len(usable), seed), return_index=True, return_inverse=True)
    if len(first) < cv:
        raise ValueError(
            f"{who}: cv={cv} folds need at least {cv} different rows; got {len(first)} "
            f"sample{'s' * (len(first) != 1)} of positive weight: lower cv, or pass more rows."
        )
    # Different rows are in random order already: that of their bits.
    strata = target[first] if y.dtype.kind == "i" else np.zeros(len(first), dtype=np.intp)
    dealt = np.empty(len(first), dtype=np.intp)
    # Round robin within strata: class counts of folds differ by one at most.
    dealt[np.argsort(strata, kind="stable")] = np.arange(len(first)) % cv
    fold_of = np.full(len(y), -1, dtype=np.intp)
    fold_of[usable] = dealt[which]
    return fold_of

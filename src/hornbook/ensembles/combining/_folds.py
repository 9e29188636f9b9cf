"""Rows that members have not learned from, for what learns from their predictions."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from hornbook.evaluation import KFold, dealt_by_stratum, part_numbers
from hornbook.frame import Frame
from hornbook.params import Floats, ParameterError, Seed
from hornbook.random import row_bits

__all__ = ["Splits", "held_out", "is_fraction"]

Splits: TypeAlias = list[tuple[NDArray[np.intp], NDArray[np.intp]]]

DEFAULT = 5


def held_out(
    owner: str, cv: Any, frame: Frame, y: NDArray[Any], w: Floats | None, *, classes: bool, seed: Seed = None
) -> Splits:
    """Return pairs of rows to learn from and rows held out; none where a single row cannot be divided.

    A number of folds, or a fraction to hold out, divides the distinct rows of positive weight: rows that are
    equal in everything are never on both sides, so that a row of weight 3 is the same as three rows.

    Parameters
    ----------
    owner : str
        The learner that errors name.
    cv : int, float, splitter, iterable of pairs, or None
        How rows are held out; None is five folds.
    frame : Frame
        The rows.
    y : ndarray of shape (n_rows,)
        Their target: class numbers, or numbers.
    w : ndarray of shape (n_rows,), optional
        Their weights.
    classes : bool
        Whether the target is classes, of which every fold gets its share.
    seed : int, RandomState or None
        Seed of the draw of a fraction.
    """
    cv = DEFAULT if cv is None else cv
    if hasattr(cv, "split") and not isinstance(cv, str):
        return [(np.asarray(train), np.asarray(test)) for train, test in cv.split(frame, y)]
    if is_fraction(cv) or _is_count(cv):
        return _divided(owner, cv, frame, y, w, classes=classes, seed=seed)
    if isinstance(cv, Iterable) and not isinstance(cv, str):
        return _pairs(owner, cv, len(y))
    raise ParameterError(
        f"{owner}: parameter 'cv' must be a number of folds, at least 2, a fraction of rows to hold out, a "
        f"splitter, or pairs of training and test rows; got {cv!r}."
    )


def is_fraction(cv: Any) -> bool:
    """Whether a value is a fraction of the rows."""
    return isinstance(cv, float | np.floating) and 0 < float(cv) < 1


def _is_count(cv: Any) -> bool:
    return isinstance(cv, int | np.integer) and not isinstance(cv, bool) and int(cv) >= 2


def _pairs(owner: str, cv: Iterable[Any], n_rows: int) -> Splits:
    try:
        pairs = [(np.arange(n_rows)[train], np.arange(n_rows)[test]) for train, test in cv]
    except (TypeError, ValueError, IndexError):
        pairs = []
    if not pairs or not all(len(train) and len(test) for train, test in pairs):
        raise ParameterError(
            f"{owner}: parameter 'cv' must hold pairs of training and test rows, positions below {n_rows}, "
            "and no side may be empty."
        )
    return pairs


def _divided(
    owner: str, cv: Any, frame: Frame, y: NDArray[Any], w: Floats | None, *, classes: bool, seed: Seed
) -> Splits:
    columns = [*(frame.column(j) for j in range(len(frame.schema))), y]
    # By content, with a fixed seed: equal rows stay in one fold, and folds do not depend on the
    # random state.
    keys = row_bits(columns, len(frame), 0)
    counted = np.arange(len(y)) if w is None else np.flatnonzero(w > 0)
    _, first, group = np.unique(keys[counted], return_index=True, return_inverse=True)
    # In order of appearance: without repeated rows these are the folds of scikit-learn.
    place = np.argsort(np.argsort(first))
    rows = counted[np.sort(first)]
    if len(rows) < 2:
        return []
    part = _parts(owner, cv, frame[rows], y[rows], classes=classes, seed=seed)[place[group]]
    return [
        (counted[part != fold], counted[part == fold])
        # For a fraction there is one split, whose test rows are part 1.
        for fold in (range(part.max() + 1) if _is_count(cv) else [1])
    ]


def _parts(
    owner: str, cv: Any, frame: Frame, y: NDArray[Any], *, classes: bool, seed: Seed
) -> NDArray[np.intp]:
    """The fold of each of several distinct rows; for a fraction 1 means held out."""
    if is_fraction(cv):
        stratify = classes and len(np.unique(y)) > 1
        return part_numbers(owner, frame, y, {"cv": cv}, stratify, True, seed)
    n_splits = min(int(cv), len(y))
    if not classes:
        return KFold(n_splits).fold_numbers(frame)
    _, first, codes = np.unique(y, return_index=True, return_inverse=True)
    # Strata are numbered by first appearance, as scikit-learn numbers them.
    return dealt_by_stratum(np.argsort(np.argsort(first))[codes], n_splits, np.arange(len(y)))

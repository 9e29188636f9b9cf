"""The folds of a study: the same for all learners."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from hornbook.evaluation import GroupKFold, KFold, StratifiedGroupKFold, StratifiedKFold
from hornbook.studies._settings import Settings
from hornbook.studies.prepare._training_data import TrainingData

__all__ = ["dealt", "fold_numbers", "forward_folds", "training_and_test"]

NEVER = -1  # fold of rows that are only trained on


def fold_numbers(training: TrainingData, settings: Settings) -> NDArray[np.int64]:
    """Return the fold in which each row is tested, for each repeat: an array (n_repeats, n_rows).

    Repeats that would be the same folds again are left out.
    """
    if training.times is not None:
        return forward_folds(training.times, settings.cv)[None]
    asked = {"cv": settings.cv, "repeats": settings.repeats, "seed": settings.seed}
    return dealt(training.y, len(training.classes), training.groups, **asked)


def dealt(
    y: NDArray[Any], n_classes: int, groups: NDArray[Any] | None, *, cv: int, repeats: int, seed: int
) -> NDArray[np.int64]:
    """Return the fold of each row, for each repeat that differs from those before it.

    Folds have the same share of every class, as far as classes have as many rows as there are folds; rows of
    one group stay together.

    Parameters
    ----------
    y : ndarray of shape (n_rows,)
        Numbers, or class numbers.
    n_classes : int
        How many classes there are; 0 for numbers.
    groups : ndarray of shape (n_rows,), optional
        Group of each row.
    cv, repeats, seed : int
        Folds in one repeat, repeats, and seed of the draws.
    """
    strata = _strata(y, n_classes, cv) if n_classes else None
    kind: Any
    if groups is not None:
        kind = GroupKFold if strata is None else StratifiedGroupKFold
    else:
        kind = KFold if strata is None else StratifiedKFold
    split = kind(cv, shuffle=True, random_state=seed)
    numbers = np.stack(split.repeated_fold_numbers(np.empty((len(y), 1)), strata, groups, repeats))
    # Groups of different sizes are always assigned in the same way, and equal folds add no information.
    different = {repeat.tobytes(): repeat for repeat in numbers}
    return np.stack(list(different.values())).astype(np.int64)


def forward_folds(times: NDArray[np.float64], cv: int) -> NDArray[np.int64]:
    """Return the fold of each row, in the order of time; -1 for the earliest rows, which are never tested.

    Time is cut into ``cv`` + 1 parts with about the same number of rows. Rows of the same time stay together.

    Parameters
    ----------
    times : ndarray of shape (n_rows,)
        When each row was seen.
    cv : int
        Folds; there must be more distinct times.

    Examples
    --------
    >>> forward_folds(np.array([3.0, 1.0, 1.0, 1.0, 2.0, 4.0]), 2)
    array([ 1, -1, -1, -1,  0,  1])
    """
    distinct, place, counts = np.unique(times, return_inverse=True, return_counts=True)
    step = np.arange(len(distinct))
    part = (np.cumsum(counts) - counts) * (cv + 1) // len(times)
    # Where many rows have the same time, no part may be skipped, ...
    part = np.minimum.accumulate(part - step) + step
    # ... and enough distinct times must be left for the last ones.
    part = np.maximum(part, cv - (len(distinct) - 1 - step))
    return np.asarray(part[place] + NEVER, dtype=np.int64)


def training_and_test(
    fold_of: NDArray[np.int64], fold: int, *, forward: bool
) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """Return training and test rows of a fold: all other rows or, forward in time, the earlier ones.

    Parameters
    ----------
    fold_of : ndarray of shape (n_rows,)
        The fold in which each row is tested.
    fold : int
        The fold.
    forward : bool
        Whether folds are in the order of time.
    """
    # Forward in time: a rolling origin with a growing window (Tashman 2000), as in use, where the future is
    # unknown.
    train = fold_of < fold if forward else fold_of != fold
    return np.flatnonzero(train), np.flatnonzero(fold_of == fold)


def _strata(y: NDArray[np.int64], n_classes: int, cv: int) -> NDArray[np.int64] | None:
    """Class numbers, with the classes that have fewer rows than there are folds taken as one."""
    counts = np.bincount(y, minlength=n_classes)
    large = counts >= cv
    if large.all():
        return y
    # Rare classes as one stratum: together they are spread evenly, where one by one some folds would get most
    # of them.
    names = np.where(large, np.arange(len(counts)), -1)
    if counts[~large].sum() < cv:  # too few even together: with the most frequent class
        names[~large] = int(counts.argmax())
    strata = names[y]
    return strata if np.bincount(strata + 1).max() >= cv else None

"""The folds of a study: the same for all learners."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from hornbook.evaluation import GroupKFold, KFold, StratifiedGroupKFold, StratifiedKFold
from hornbook.studies._settings import Settings
from hornbook.studies.prepare._training_data import TrainingData

__all__ = ["dealt", "fold_numbers"]


def fold_numbers(training: TrainingData, settings: Settings) -> NDArray[np.int64]:
    """Return the fold in which each row is tested, for each repeat: an array (n_repeats, n_rows).

    Repeats that would be the same folds again are left out.
    """
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


def _strata(y: NDArray[np.int64], n_classes: int, cv: int) -> NDArray[np.int64] | None:
    """Class numbers, with the classes that have fewer rows than there are folds taken as one."""
    counts = np.bincount(y, minlength=n_classes)
    large = counts >= cv
    if large.all():
        return y
    names = np.where(large, np.arange(len(counts)), -1)
    if counts[~large].sum() < cv:  # too few even together: with the most frequent class
        names[~large] = int(counts.argmax())
    strata = names[y]
    return strata if np.bincount(strata + 1).max() >= cv else None

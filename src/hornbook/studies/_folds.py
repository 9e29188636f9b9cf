"""The folds of a study: the same for all learners."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from hornbook.evaluation import GroupKFold, KFold, StratifiedGroupKFold, StratifiedKFold
from hornbook.studies._material import Material
from hornbook.studies._settings import Settings

__all__ = ["fold_numbers"]


def fold_numbers(material: Material, settings: Settings) -> NDArray[np.int64]:
    """Return the fold in which each row is tested, for each repeat: an array (n_repeats, n_rows).

    Repeats that would be the same folds again are left out.

    Folds have the same share of every class, as far as classes have as many rows as there are folds; rows of
    one group stay together.
    """
    X, cv = material.features, settings.cv
    strata = _strata(material, cv) if material.classes else None
    kind: Any
    if material.groups is not None:
        kind = GroupKFold if strata is None else StratifiedGroupKFold
    else:
        kind = KFold if strata is None else StratifiedKFold
    split = kind(cv, shuffle=True, random_state=settings.seed)
    found = np.stack(split.repeated_fold_numbers(X, strata, material.groups, settings.repeats))
    # Groups of different sizes are dealt the same way each time: the same folds twice teach nothing new.
    different = {repeat.tobytes(): repeat for repeat in found}
    return np.stack(list(different.values())).astype(np.int64)


def _strata(material: Material, cv: int) -> NDArray[np.int64] | None:
    """Class numbers, with the classes that have fewer rows than there are folds taken as one."""
    counts = np.bincount(material.y, minlength=len(material.classes))
    large = counts >= cv
    if large.all():
        return material.y
    names = np.where(large, np.arange(len(counts)), -1)
    if counts[~large].sum() < cv:  # too few even together: with the most frequent class
        names[~large] = int(counts.argmax())
    strata = names[material.y]
    return strata if np.bincount(strata + 1).max() >= cv else None

"""Rows of classes: which class each has, and what it weighs by that."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from hornbook.base import Floats, class_weights

__all__ = ["by_class", "class_codes"]


def class_codes(target: NDArray[Any], classes: NDArray[Any]) -> NDArray[np.intp]:
    """Position of each target among the classes; -1 for one that is not among them."""
    place = {label: k for k, label in enumerate(classes.tolist())}
    return np.array([place.get(label, -1) for label in target.tolist()], dtype=np.intp)


def by_class(model: Any, codes: NDArray[Any], w: Floats | None) -> Floats | None:
    """Weights of rows times those that the learner gives to their classes."""
    if model.class_weight is None:
        return w
    mass = np.bincount(codes, weights=w, minlength=len(model.classes_)).astype(np.float64)
    factor = class_weights(model.class_weight, model.classes_, mass, type(model).__name__)
    return np.asarray(factor[codes] if w is None else w * factor[codes])

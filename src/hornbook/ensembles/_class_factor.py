"""Weights of classes as weights of rows."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from hornbook.base import ClassWeight, Floats, class_weights

__all__ = ["class_factor"]


def class_factor(
    class_weight: ClassWeight, classes: NDArray[Any], y: NDArray[np.int32], w: Floats | None, learner: str
) -> Floats | None:
    """How much each row counts by its class."""
    if class_weight is None:
        return None
    mass = np.bincount(y, weights=w, minlength=len(classes)).astype(np.float64)
    return np.asarray(class_weights(class_weight, classes, mass, learner)[y])

"""Weights of classes."""

from __future__ import annotations

from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from hornbook.linear._sums import Floats

__all__ = ["ClassWeight", "class_weights", "require_classes"]

ClassWeight = Literal["balanced"] | dict[Any, float] | None


def class_weights(class_weight: ClassWeight, classes: NDArray[Any], mass: Floats, learner: str) -> Floats:
    """Weight of each class, in their order; classes that a dict does not name have weight 1.

    ``"balanced"`` makes all classes weigh the same: total mass / (number of classes x mass of the class).
    """
    if class_weight is None:
        return np.ones(len(classes))
    if isinstance(class_weight, str):
        return np.asarray(mass.sum() / (len(classes) * mass))
    labels = classes.tolist()
    unknown = [label for label in class_weight if label not in labels]
    if unknown:
        raise ValueError(
            f"{learner}: parameter 'class_weight' names {unknown[0]!r}, which is not among the classes "
            f"{labels!r}; name classes of y only."
        )
    weights = np.array([class_weight.get(label, 1.0) for label in labels], dtype=np.float64)
    if not (np.isfinite(weights) & (weights > 0)).all():
        wrong = labels[int(np.argmin(np.isfinite(weights) & (weights > 0)))]
        raise ValueError(
            f"{learner}: parameter 'class_weight' must give numbers above 0; class {wrong!r} has "
            f"{class_weight[wrong]!r}: drop the rows of a class that shall not count."
        )
    return weights


def require_classes(mass: Floats, classes: NDArray[Any], learner: str) -> None:
    """Refuse a single class, and classes that weigh nothing."""
    if (mass > 0).sum() < 2:
        (only,) = classes[mass > 0].tolist()
        raise ValueError(
            f"{learner} needs at least 2 classes, and all weight is on the one class {only!r}: "
            "check the target."
        )
    if not mass.all():
        raise ValueError(
            f"the weights of all rows of class {classes[mass == 0].tolist()[0]!r} are 0: leave out "
            "the rows of a class that shall not count."
        )

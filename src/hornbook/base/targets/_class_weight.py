"""Weights of classes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from hornbook.params import Floats

__all__ = ["ClassWeight", "ClassWeightByTarget", "class_weights"]

ClassWeight = Literal["balanced"] | dict[Any, float] | None
# Of several targets a list with one for each; rows weigh the product.
ClassWeightByTarget = ClassWeight | list[dict[Any, float]]


def class_weights(
    class_weight: ClassWeightByTarget,
    classes: NDArray[Any],
    mass: Floats,
    learner: str,
    absent: Sequence[Any] = (),
) -> Floats:
    """Weight of each class, in their order.

    Parameters
    ----------
    class_weight : dict, "balanced" or None
        Classes that a dict does not name have weight 1. ``"balanced"`` makes all classes weigh the same:
        total mass / (number of classes with mass x mass of the class); one without mass gets weight 0.
    classes : ndarray of shape (n_classes,)
        The classes.
    mass : ndarray of shape (n_classes,)
        Weight of the rows of each class.
    learner : str
        Name of the learner, for messages.
    absent : sequence, optional
        Classes without weight that a dict may name all the same.

    Returns
    -------
    weights : ndarray of shape (n_classes,)
        One factor for each class.

    Examples
    --------
    >>> import numpy as np
    >>> class_weights("balanced", np.array(["a", "b"]), np.array([1.0, 3.0]), "Tree").tolist()
    [2.0, 0.6666666666666666]
    """
    if class_weight is None:
        return np.ones(len(classes))
    if isinstance(class_weight, str):
        # n / (k n_j), so that all classes have the same total weight and the total stays n. A class without
        # rows counts neither in k nor otherwise: its weight is 0 instead of infinity.
        return np.asarray(mass.sum() / ((mass > 0).sum() * np.where(mass > 0, mass, np.inf)))
    if isinstance(class_weight, list):
        raise ValueError(  # noqa: TRY004 - scikit-learn's kind of error
            f"{learner}: parameter 'class_weight' is a list, which is for several targets, and y has one: "
            "pass one dict, or 'balanced'."
        )
    labels = classes.tolist()
    unknown = [label for label in class_weight if label not in labels and label not in absent]
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
            f"{class_weight[wrong]!r}: drop the rows of a class that should not count."
        )
    return weights

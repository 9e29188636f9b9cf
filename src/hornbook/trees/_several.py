"""What trees for several targets at once are grown for."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hornbook.base import ClassWeight, ClassWeightByTarget, class_weights
from hornbook.params import Floats
from hornbook.trees._targets import NumberTarget
from hornbook.trees.binned._row_weights import class_mass, in_memory, refuse_weights

__all__ = ["SeveralTarget", "several_factors"]


@dataclass(frozen=True)
class SeveralTarget:
    """Several targets; the values of a node are the class weights of one after the other, or their numbers.

    Parameters
    ----------
    codes : ndarray of int32 of shape (n_rows, n_targets), optional
        Classes.
    sizes : tuple of int
        Number of classes of each target; empty for numbers.
    numbers : ndarray of shape (n_rows, n_targets), optional
        Numbers less the shift.
    w : ndarray, optional
        Weights of the rows.
    shift : ndarray of shape (n_values,)
        What is added to the values of nodes.
    """

    codes: NDArray[np.int32] | None
    sizes: tuple[int, ...]
    numbers: Floats | None
    w: Floats | None
    shift: Floats

    @staticmethod
    def of(
        y: NDArray[Any],
        sizes: tuple[int, ...],
        w: Floats | None,
        criterion: str,
        drawn_by: Floats | None = None,
    ) -> SeveralTarget:
        """The targets in the columns of y; ``drawn_by`` are the sampling weights where rows are drawn."""
        if sizes:
            refuse_weights(1.0 if w is None else float(w.max()))
            return SeveralTarget(
                np.ascontiguousarray(y, dtype=np.int32), sizes, None, w, np.zeros(sum(sizes))
            )
        # Centered, and refused, as single targets are.
        single = [
            NumberTarget.of(column, None, criterion, drawn_by=w if drawn_by is None else drawn_by)
            for column in y.T
        ]
        refuse_weights(1.0 if w is None else float(w.max()))
        numbers = np.ascontiguousarray(np.column_stack([one.sums for one in single]))
        return SeveralTarget(None, (), numbers, w, np.array([one.shift for one in single]))

    @property
    def n_classes(self) -> int:
        """Number of the classes of all targets; 0 for numbers."""
        return sum(self.sizes)


def several_factors(
    class_weight: ClassWeightByTarget,
    classes: Sequence[NDArray[Any]],
    codes: NDArray[np.integer[Any]],
    w: Floats | None,
    learner: str,
) -> Floats | None:
    """The product of the class weights of each row; None if all are 1."""
    if class_weight is None:
        return None
    if isinstance(class_weight, dict):
        raise ValueError(  # noqa: TRY004 - scikit-learn's kind of error
            f"{learner}: parameter 'class_weight' is one dict, but there are {len(classes)} targets: For "
            "multi-output, class_weight should be a list of dicts, or the string 'balanced'."
        )
    chosen: Sequence[ClassWeight] = (
        [class_weight] * len(classes) if isinstance(class_weight, str) else class_weight
    )
    if len(chosen) != len(classes):
        raise ValueError(
            f"{learner}: parameter 'class_weight' has {len(chosen)} items for {len(classes)} targets: For "
            "multi-output, number of elements in class_weight should match number of outputs."
        )
    factor = np.ones(len(codes))
    for one, labels, column in zip(chosen, classes, codes.T, strict=True):
        mass = class_mass(in_memory(column, w), len(labels))
        factor *= class_weights(one, labels, mass, learner)[column]
    return factor

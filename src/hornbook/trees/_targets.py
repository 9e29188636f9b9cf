"""What trees are grown for: classes, numbers, or the gradient pairs of a loss."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from hornbook.base import ClassWeightByTarget, class_weights
from hornbook.frame import Blocks
from hornbook.params import Floats
from hornbook.trees.binned._fixed_point import FixedPoint
from hornbook.trees.binned._row_weights import class_mass, refuse_spread, refuse_weights

__all__ = [
    "ClassTarget",
    "GradientTarget",
    "NumberTarget",
    "Target",
    "class_codes",
    "class_factors",
    "target_of",
    "weighted",
]

Ints = NDArray[np.int32]


# A target holds what the kernel takes, one entry per row of the table: ``codes`` are classes, or None;
# ``sums`` are numbers times weights (under absolute error the numbers), or None; ``w`` are weights, or None
# when all are 1. ``shift`` is added to node values, which have ``n_outputs`` columns. Where sums must be
# exact, squares are rounded to multiples of ``square_unit``; it is 0 elsewhere.


@dataclass(frozen=True)
class ClassTarget:
    """Class labels; the value of a node is the weight of each class.

    Parameters
    ----------
    codes : ndarray of int32
        Class of each row: 0, 1, ...
    n_classes : int
        Number of classes.
    w : ndarray, optional
        Weights of the rows.
    """

    codes: Ints
    n_classes: int
    w: Floats | None = None
    sums = None
    shift = 0.0
    square_unit = 0.0

    @staticmethod
    def of(
        codes: NDArray[np.integer[Any]], n_classes: int, w: Floats | None, fixed: FixedPoint | None = None
    ) -> ClassTarget:
        """The target of class codes; weights that float64 cannot sum are rejected."""
        refuse_weights(_largest(w))
        # Rounded to a common unit, of which sums are exact in any order.
        rounded = w if fixed is None else fixed.weights(w)
        return ClassTarget(np.ascontiguousarray(codes, dtype=np.int32), n_classes, rounded)

    @property
    def n_outputs(self) -> int:
        """One weight for each class."""
        return self.n_classes

    def part(self, rows: NDArray[np.intp]) -> ClassTarget:
        """The target of some rows."""
        return ClassTarget(self.codes[rows], self.n_classes, _taken(self.w, rows))


@dataclass(frozen=True)
class NumberTarget:
    """Numbers; the value of a node is their mean or median.

    Parameters
    ----------
    sums : ndarray of float64
        Numbers less the shift, times the weights; for medians the numbers themselves. Poisson deviances need
        numbers as they are, without a shift.
    w : ndarray, optional
        Weights of the rows.
    shift : float
        Constant subtracted from the numbers.
    square_unit : float
        Unit that squares are rounded to; 0 for no rounding.
    """

    sums: Floats
    w: Floats | None = None
    shift: float = 0.0
    square_unit: float = 0.0
    codes = None
    n_classes = 0
    n_outputs = 1

    @staticmethod
    def of(
        values: Floats,
        w: Floats | None,
        criterion: str,
        *,
        drawn_by: Floats | None = None,
        fixed: FixedPoint | None = None,
    ) -> NumberTarget:
        """The target of numbers; ``drawn_by`` are the sampling weights where rows are drawn."""
        refuse_weights(_largest(w))
        if criterion == "poisson":
            _refuse_negative(values, w if drawn_by is None else drawn_by)
            # Not centered: the deviance needs the logarithms of the means themselves.
            return NumberTarget(np.ascontiguousarray(values if w is None else values * w), w)
        if criterion != "squared_error":
            # Medians are values of rows: nothing is summed, and nothing can cancel.
            return NumberTarget(np.ascontiguousarray(values), w)
        if fixed is not None:
            refuse_spread(float(np.abs(values - fixed.shift).max()))
            w = fixed.weights(w)
            return NumberTarget(fixed.sums(values, w), w, fixed.shift, fixed.square_unit)
        # Sums of deviations from the mean suffer no cancellation.
        shift = float(np.average(values, weights=w if drawn_by is None else drawn_by))
        centered = values - shift
        refuse_spread(float(np.abs(centered).max()))
        return NumberTarget(centered if w is None else centered * w, w, shift)

    def part(self, rows: NDArray[np.intp]) -> NumberTarget:
        """The target of some rows."""
        return NumberTarget(self.sums[rows], _taken(self.w, rows), self.shift, self.square_unit)


@dataclass(frozen=True)
class GradientTarget:
    """First and second derivatives of a loss; the value of a node is the Newton step that minimizes it.

    Let G be the sum of -g and H that of h over the rows of a node. To second order, a step s lowers the loss
    by G s - (H + l2) s**2 / 2, where l2 is the penalty of `GrowerSettings`. The best step G / (H + l2) lowers
    it by Q / 2 with Q = G**2 / (H + l2). A split lowers it further by half the difference between the sum of
    Q over the children and Q of the node, and is made if that exceeds gamma (Chen and Guestrin 2016). The
    tree's ``gain`` is twice this decrease divided by H. Grow it with ``criterion="squared_error"``, and with
    ``min_gain=0`` to accept only splits that lower the loss. With ``max_bins`` of at most 255 as well, and
    best splits in two, trees grow several times faster: pairs are summed as integers, and nodes have impurity
    0.

    Parameters
    ----------
    sums : ndarray of float64
        Negative gradients -g, times the weights of the rows.
    w : ndarray of float64
        Hessians h, times the weights of the rows; rows with h = 0 are ignored.
    """

    sums: Floats
    w: Floats
    codes = None
    n_classes = 0
    shift = 0.0
    square_unit = 0.0
    n_outputs = 1

    @staticmethod
    def of(gradient: Floats, hessian: Floats, w: Floats | None = None) -> GradientTarget:
        """The target of the derivatives of the loss of each row, with row weights w."""
        pairs = GradientTarget.of_some(gradient, hessian, w)
        refuse_weights(_largest(pairs.w))
        return pairs

    @staticmethod
    def of_some(gradient: Floats, hessian: Floats, w: Floats | None = None) -> GradientTarget:
        """The target of some of the rows: whether weights are too large or small shows in all of them."""
        return GradientTarget(
            -gradient if w is None else -gradient * w, hessian if w is None else hessian * w
        )


Target: TypeAlias = ClassTarget | NumberTarget | GradientTarget


def target_of(
    y: NDArray[Any],
    n_classes: int,
    w: Floats | None,
    criterion: str,
    *,
    drawn_by: Floats | None = None,
    fixed: FixedPoint | None = None,
) -> ClassTarget | NumberTarget:
    """The target of class codes, or of numbers when there are no classes."""
    if n_classes:
        return ClassTarget.of(y, n_classes, w, fixed)
    return NumberTarget.of(y, w, criterion, drawn_by=drawn_by, fixed=fixed)


def _taken(w: Floats | None, rows: NDArray[np.intp]) -> Floats | None:
    return None if w is None else w[rows]


def class_codes(target: NDArray[Any], classes: NDArray[Any]) -> NDArray[np.intp]:
    """Position of each target among the classes; -1 for one that is not among them."""
    place = {label: k for k, label in enumerate(classes.tolist())}
    return np.array([place.get(label, -1) for label in target.tolist()], dtype=np.intp)


def class_factors(
    class_weight: ClassWeightByTarget, classes: NDArray[Any], blocks: Blocks, learner: str
) -> Floats | None:
    """Weight of each class; None if all are 1."""
    if class_weight is None:
        return None
    return class_weights(class_weight, classes, class_mass(blocks, len(classes)), learner)


def weighted(w: Floats | None, factor: Floats | None) -> Floats | None:
    """Weights times a factor; None if all are 1."""
    if w is None or factor is None:
        return factor if w is None else w
    return w * factor


def _refuse_negative(values: Floats, w: Floats | None) -> None:
    """Reject numbers that are no counts or rates: some below 0, or all of weight 0."""
    if values.min() < 0.0:
        raise ValueError(
            f"y goes down to {values.min():g} (Some value(s) of y are negative which is not allowed for "
            "Poisson regression): choose another criterion."
        )
    refuse_spread(float(values.max()))
    if not (values if w is None else values[w > 0.0]).any():
        raise ValueError(
            "y is 0 in all rows (Sum of y is not strictly positive which is necessary for Poisson "
            "regression): choose another criterion."
        )


def _largest(w: Floats | None) -> float:
    return 1.0 if w is None else float(w.max())

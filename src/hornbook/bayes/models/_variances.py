"""Variances of normal densities, and the substitute for that of a column with one value in a class."""

from __future__ import annotations

import warnings
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from hornbook.frame import Moments, Schema
from hornbook.params import Floats

__all__ = [
    "VarScale",
    "constant_columns",
    "raised",
    "smoothing_unit",
    "substitute_variance",
    "warn_of_constant",
]

VarScale = Literal["column", "largest"]

CONSTANT = 1e-9  # a variance below this fraction of the column's own is that of a constant, up to rounding


def substitute_variance(spread: Floats, mass: Floats) -> Floats:
    """Variance for a column with one value in N rows: v / (2 ln(N + 1)), but at most v, its own variance.

    A value one standard deviation of the column away then has 1 / (N + 1) times the density of the one value,
    as Laplace's rule of succession gives a value that did not occur in N rows. A smaller variance would
    let this column alone decide, for the class as well as against it.
    """
    spread = np.where(spread > 0, spread, 1.0)
    # Solves exp(-v / (2 var)) = 1 / (N + 1) for var.
    # log1p keeps the digits of tiny weights, for which log(N + 1) would be 0.
    narrower = 2.0 * np.log1p(np.maximum(mass, 0.0))
    return np.asarray(spread / np.maximum(narrower, 1.0))


def _one_value(var: Floats, spread: Floats) -> NDArray[np.bool_]:
    return np.asarray((var <= CONSTANT * spread) & (spread > 0))


def raised(var: Floats, spread: Floats, mass: Floats) -> Floats:
    """Variances in which `substitute_variance` replaces those of columns with one value.

    Parameters
    ----------
    var : ndarray
        Variances of some rows.
    spread : ndarray
        Variances of the columns over all rows; a column that never varies counts as if it were 1, in
        every class alike, so that it decides nothing.
    mass : ndarray
        Weight of the rows.
    """
    held = np.where(_one_value(var, spread), substitute_variance(spread, mass), var)
    return np.where(spread == 0, 1.0, held)


def smoothing_unit(spread: Floats, scale: VarScale = "column") -> Floats:
    """The variance that ``var_smoothing`` multiplies: each column's own, or the largest of all columns."""
    if scale == "largest":
        spread = np.broadcast_to(spread.max(axis=-1, initial=0.0, keepdims=True), spread.shape)
    return np.where(spread > 0, spread, 1.0)


def constant_columns(moments: Moments) -> NDArray[np.bool_]:
    """Columns that vary, but not within a class that has values of them; of shape (n_classes, n_columns)."""
    with np.errstate(over="ignore", invalid="ignore"):
        spread = moments.pooled().variance()
        return np.asarray(_one_value(moments.variance(), spread) & (moments.mass > 0))


def warn_of_constant(
    constant: NDArray[np.bool_],
    class_mass: Floats,
    schema: Schema,
    classes: NDArray[Any],
    scale: VarScale = "column",
) -> None:
    """Name a class of one row, or a column that has one value in a class; one warning of each."""
    alone = np.flatnonzero(constant.any(axis=1) & (class_mass <= 1.0))
    several = constant.copy()
    several[alone] = False
    effect = "its normal density gets the variance of all rows, narrowed as the docs of var_smoothing say"
    if scale == "largest":
        effect = "its normal density is as narrow as var_smoothing makes it and outvotes other columns"
    if len(alone):
        more = f" ({len(alone) - 1} more classes as well)" if len(alone) > 1 else ""
        warnings.warn(
            f"class {classes.tolist()[alone[0]]!r} has only one row{more}, which shows nothing of how its "
            f"columns vary: {effect}; add rows, or leave the class out.",
            UserWarning,
            stacklevel=7,
        )
    places = np.argwhere(several)
    if len(places):
        c, j = places[0]
        more = f" ({len(places) - 1} more such pairs)" if len(places) > 1 else ""
        name, label = schema.names[schema.numeric[j]], classes.tolist()[c]
        warnings.warn(
            f"column {name!r} has one value in class {label!r}{more}: {effect}; set density='bins', or leave "
            "the column out.",
            UserWarning,
            stacklevel=7,
        )

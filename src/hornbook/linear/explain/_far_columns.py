"""Warnings about columns so far from 0 that predictions lose digits in double precision."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np

from hornbook.params import Floats

__all__ = ["warn_far", "warn_powers", "warn_steps"]


EXACT = 1e-6  # rounding error, relative to the scale of the predictions, that is tolerated
SLOW = 100.0  # means, in standard deviations, at which a perceptron needs some 10,000 times as many steps
FLAT = 1e-5  # standard deviation over mean below which columns are nearly proportional


def warn_far(model: Any, mean: Floats, variance: Floats, scale: float = 1.0) -> None:
    """Name a column whose offset costs digits of the answers, or of the coefficients without an intercept.

    The fit itself works on centered columns and loses nothing. But a prediction from the original columns is
    a difference of numbers as large as coefficient times mean, each rounded to 53 bits; ``scale`` is the
    scale of the predictions. Without an intercept columns cannot be centered, and two that hardly vary are
    nearly proportional.
    """
    learner, names = type(model).__name__, model.encoded_names_
    with np.errstate(over="ignore"):
        lost = np.finfo(float).eps * np.abs(np.atleast_2d(model.coef_)) * np.abs(mean)
    # Rounding errors of the terms add up in the worst case; name the column with the largest.
    worst = lost[lost.sum(axis=1).argmax()] if lost.size else np.zeros(1)
    if worst.sum() > EXACT * scale > 0:
        j = int(worst.argmax())
        warnings.warn(
            f"{learner}: column {str(names[j])!r} lies so far from 0 (mean {mean[j]:.3g}, standard deviation "
            f"{np.sqrt(variance[j]):.3g}) that rounding changes answers by up to {worst.sum() / scale:.0e}: "
            "subtract its mean before the fit.",
            UserWarning,
            stacklevel=7,
        )
    far = np.flatnonzero((np.sqrt(variance) < FLAT * np.abs(mean)) & (variance > 0))
    if not getattr(model, "fit_intercept", True) and len(far) > 1:
        warnings.warn(
            f"{learner}: columns {str(names[far[0]])!r} and {str(names[far[1]])!r} hardly vary for their "
            "size, and without an intercept they cannot be told apart to all digits: subtract their means "
            "before the fit, or leave fit_intercept at True.",
            UserWarning,
            stacklevel=7,
        )


def warn_powers(model: Any, mean: Floats, variance: Floats, degree: int) -> None:
    """Name a column whose products lose their differences.

    For x = mean + deviation, x^degree is about as large as mean^degree; what distinguishes it from lower
    powers is smaller by (deviation / mean)^degree, and must not drown in rounding errors.
    """
    with np.errstate(over="ignore", divide="ignore"):
        # A constant column has no differences to lose.
        ratio = np.where(variance > 0, np.abs(mean) / np.sqrt(variance), 0.0)
        lost = np.finfo(float).eps * np.maximum(ratio, 1.0) ** degree
    if lost.max(initial=0.0) > EXACT:
        j = int(lost.argmax())
        warnings.warn(
            f"{type(model).__name__}: column {str(model.encoded_names_[j])!r} lies so far from 0 (mean "
            f"{mean[j]:.3g}, standard deviation {np.sqrt(variance[j]):.3g}) that its products of degree "
            f"{degree} keep {lost[j]:.0e} of rounding: subtract its mean before the fit.",
            UserWarning,
            stacklevel=7,
        )


def warn_steps(model: Any, mean: Floats, variance: Floats) -> None:
    """Name a column whose offset dominates every update of a learner that goes from row to row."""
    far = np.flatnonzero((np.abs(mean) > SLOW * np.sqrt(variance)) & (variance > 0))
    if len(far):
        j = int(far[0])
        warnings.warn(
            f"{type(model).__name__}: column {str(model.encoded_names_[j])!r} lies far from 0 (mean "
            f"{mean[j]:.3g}, standard deviation {np.sqrt(variance[j]):.3g}), and corrections by single rows "
            "hardly tell its values apart: subtract its mean before the fit, for example with "
            "hornbook.Encoder(scale='standard').",
            UserWarning,
            stacklevel=7,
        )

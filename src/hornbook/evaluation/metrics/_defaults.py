"""The default measure, and the default region of equivalence."""

from __future__ import annotations

from typing import Any

import numpy as np

from hornbook.evaluation.metrics._measure import Measure, measure_by_name, measures

__all__ = [
    "EQUIVALENCE",
    "default_equivalence",
    "default_measure",
    "measures_beside",
    "row_mean_measures",
    "usual_measures",
]

EQUIVALENCE = 0.01  # of the measure; of the standard deviation of the target for errors in its own unit


def default_measure(*, classes: bool, probabilities: bool) -> Measure:
    """Choose the deciding measure when none is named.

    Parameters
    ----------
    classes : bool
        Whether classes are predicted; numbers otherwise.
    probabilities : bool
        Whether all learners that are compared predict class probabilities.

    Returns
    -------
    Measure
        Log loss where there are probabilities, else error rate; root mean squared error for numbers.

    Examples
    --------
    >>> default_measure(classes=True, probabilities=False).name
    'error_rate'
    """
    if not classes:
        return measure_by_name("rmse")
    # A proper scoring rule where there are probabilities: it notices overconfidence, which the error
    # rate does not.
    return measure_by_name("log_loss" if probabilities else "error_rate")


def default_equivalence(measure: Measure, y: Any) -> float:
    """Choose the largest difference that does not matter in practice.

    Parameters
    ----------
    measure : Measure
        The measure.
    y : array-like of shape (n_rows,)
        The target.

    Returns
    -------
    float
        0.01, or for errors in the unit of the target 0.01 of its standard deviation.

    Examples
    --------
    >>> default_equivalence(measure_by_name("rmse"), [0.0, 200.0])
    1.0
    """
    in_unit = getattr(measure, "unit", None) == "target"  # a user's own measure may have no unit
    # A difference of 1 % of the target's standard deviation, so that the unit of the target does not
    # matter.
    return EQUIVALENCE * float(np.std(np.asarray(y, dtype=np.float64))) if in_unit else EQUIVALENCE


def measures_beside(measure: str, n_classes: int) -> tuple[str, ...]:
    """List the measures to show next to the deciding one.

    Parameters
    ----------
    measure : str
        The deciding one.
    n_classes : int
        Number of classes; 0 for regression.

    Examples
    --------
    >>> measures_beside("rmse", 0)
    ('r2', 'mae')
    """
    shown = ("accuracy", "error_rate", "log_loss") if n_classes else ("r2", "rmse", "mae")
    return tuple(name for name in (*shown, *_ranked(n_classes)) if name != measure)


def usual_measures(n_classes: int, *, probabilities: bool) -> tuple[str, ...]:
    """List the usual measures for a single model.

    Parameters
    ----------
    n_classes : int
        Number of classes; 0 for regression.
    probabilities : bool
        Whether the model predicts class probabilities.

    Examples
    --------
    >>> usual_measures(3, probabilities=True)
    ('accuracy', 'balanced_accuracy', 'log_loss', 'brier_score')
    """
    if not n_classes:
        return ("rmse", "mae", "r2")
    probabilistic = ("log_loss", "brier_score", *_ranked(n_classes)) if probabilities else ()
    return ("accuracy", "balanced_accuracy", *probabilistic)


def _ranked(n_classes: int) -> tuple[str, ...]:
    return ("auc",) if n_classes == 2 else ()


def row_mean_measures() -> list[str]:
    """List the measures that are declared as means over rows."""
    return [name for name in measures() if measure_by_name(name).row_mean is not None]

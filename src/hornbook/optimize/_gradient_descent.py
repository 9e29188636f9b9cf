"""Gradient descent and ascent, with a fixed rate or a line search."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Literal

import numpy as np
from scipy.optimize import minimize_scalar

from hornbook.optimize._objective import FirstOrder, Iterate
from hornbook.params import Floats

__all__ = ["gradient_descent", "line_minimum"]


def line_minimum(function: Callable[[float], float], *, scale: float = 1.0, tol: float = 1e-10) -> float:
    """Find a local minimum on a line by Brent's method (1973), beginning at 0.

    Parameters
    ----------
    function : callable
        A function of one number, which may be negative.
    scale : float, default 1.0
        Length of the first step; the search goes on for as long as the function falls.
    tol : float, default 1e-10
        Relative precision of the minimum.

    Returns
    -------
    float
        Where the minimum is.

    Examples
    --------
    >>> round(line_minimum(lambda b: (b - 3) ** 2), 6)
    3.0
    """
    minimum = None
    try:
        with np.errstate(over="ignore", invalid="ignore"):
            minimum = minimize_scalar(function, bracket=(0.0, scale), method="brent", tol=tol)
    except (RuntimeError, OverflowError):  # SciPy could not bracket a minimum
        pass
    if minimum is None or not np.isfinite(minimum.x) or not np.isfinite(minimum.fun):
        raise ValueError("line_minimum: the function falls without end along the line, so it has no minimum.")
    return float(minimum.x)


def gradient_descent(
    objective: FirstOrder,
    start: Floats,
    *,
    rate: float | Literal["line"] = "line",
    maximize: bool = False,
    tol: float = 1e-6,
) -> Iterator[Iterate]:
    """Follow the gradient downward, or upward: x becomes x ∓ rate · gradient.

    A fixed rate that is too large diverges, one that is too small takes long. With ``"line"`` the rate b of
    each step is the one that is best along the line, arg min f(x + b · gradient), which is negative for a
    minimum. Other optimizers need far fewer steps; this is the one that others are explained by.

    Parameters
    ----------
    objective : FirstOrder
        The function.
    start : ndarray
        Where to begin.
    rate : float or "line", default "line"
        Factor of the gradient.
    maximize : bool, default False
        Whether to go upward.
    tol : float, default 1e-6
        Largest entry of the gradient that may be left.

    Yields
    ------
    iterate : Iterate
        After each step; the first one is the first step, not the start.

    Examples
    --------
    >>> class Bowl:
    ...     def first(self, x):
    ...         return float((x - 1) @ (x - 1)), 2 * (x - 1)
    >>> *_, last = gradient_descent(Bowl(), np.array([3.0, -4.0]), rate=0.25)
    >>> last.converged, last.x.round(4).tolist()
    (True, [1.0, 1.0])
    """
    sign = 1.0 if maximize else -1.0
    x = np.asarray(start, dtype=np.float64)
    value, gradient = objective.first(x)
    while True:
        gap = float(np.abs(gradient).max(initial=0.0))
        if not np.isfinite(gap) or not np.isfinite(value):
            return  # it has diverged
        if gap <= tol:
            yield Iterate(x, value, np.zeros_like(x), gap, converged=True)
            return
        factor = sign * rate if rate != "line" else _best_rate(objective, x, gradient, sign)
        step = factor * gradient
        x = x + step
        value, gradient = objective.first(x)
        yield Iterate(x, value, step, gap, converged=False)


def _best_rate(objective: FirstOrder, x: Floats, gradient: Floats, sign: float) -> float:
    # The first step has length 1 at most, whatever the size of the gradient.
    scale = sign / max(1.0, float(np.abs(gradient).max()))
    return line_minimum(lambda b: -sign * objective.first(x + b * gradient)[0], scale=scale)

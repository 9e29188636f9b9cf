"""Roots of functions of one variable."""

from __future__ import annotations

import math
from collections.abc import Callable

__all__ = ["newton_root"]

ROUNDING = 1e-12  # of a root: shorter steps that do not shrink are lost in the rounding of the function


def newton_root(
    function: Callable[[float], tuple[float, float]],
    start: float,
    *,
    between: tuple[float, float] | None = None,
    max_steps: int = 200,
) -> float:
    """Find a root by the method of Newton and Raphson: x becomes x - f(x) / f'(x).

    Between two points where the function has different signs the root is certain to be found: a step that
    would leave the interval, or that shrinks it too slowly, is replaced by its middle.

    Parameters
    ----------
    function : callable
        Returns the value and the derivative at a point.
    start : float
        Where to begin.
    between : pair of float, optional
        Two points; the value at the first is at most 0 and at the second at least 0.
    max_steps : int, default 200
        The most steps.

    Returns
    -------
    float
        The root, to the precision of floating-point numbers.

    Examples
    --------
    >>> newton_root(lambda x: (x * x - 2, 2 * x), 1.0)
    1.414213562373095
    """
    low, high = (-math.inf, math.inf) if between is None else between
    x, last = start, math.inf
    for _ in range(max_steps):
        value, slope = function(x)
        if value == 0.0:
            return x
        if between is not None:
            low, high = (x, high) if value < 0 else (low, x)
        ahead = x - value / slope if slope else math.inf
        # A step that is not half as long as the last one converges no faster than halving the interval.
        slow = 2 * abs(ahead - x) > abs(last)
        if slow and abs(ahead - x) <= ROUNDING * abs(x):
            return x  # what is left is the rounding of the function
        if between is not None and (slow or not low < ahead < high):
            ahead = (low + high) / 2
            if not low < ahead < high:
                return ahead  # no number lies between the two
        if not math.isfinite(ahead):
            break
        x, last = ahead, ahead - x
    if between is not None:
        return x  # near 0, where numbers are dense, steps go on for long after it is reached
    raise ValueError(
        f"newton_root found no root of the function from {start} in {max_steps} steps: begin closer to it, "
        "or pass two points of different sign as 'between'."
    )

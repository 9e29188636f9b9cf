"""Taylor expansions: a function near a point from its derivatives there."""

from __future__ import annotations

import math
from collections.abc import Sequence

from hornbook.params import Floats

__all__ = ["quadratic_change", "taylor"]


def taylor(derivatives: Sequence[float], step: float) -> float:
    """Value of the Taylor polynomial: the sum of f^(k)(a) (x - a)^k / k!.

    Parameters
    ----------
    derivatives : sequence of float
        Value, first derivative, second derivative and so on at the point a; at a = 0 it is the Maclaurin
        polynomial.
    step : float
        Distance x - a from that point.

    Returns
    -------
    float
        The value.

    Examples
    --------
    >>> round(taylor([1.0, 1.0, 1.0, 1.0, 1.0], 0.5), 4), round(math.exp(0.5), 4)
    (1.6484, 1.6487)
    """
    # fsum adds without rounding errors: terms of alternating sign nearly cancel for negative steps.
    return math.fsum(d * step**k / math.factorial(k) for k, d in enumerate(derivatives))


def quadratic_change(gradient: Floats, hessian: Floats, step: Floats) -> float:
    """Change of a function along a step, by its expansion to second order: g·s + s'Hs / 2.

    Parameters
    ----------
    gradient : ndarray of shape (n,)
        First derivatives g.
    hessian : ndarray of shape (n, n)
        Second derivatives H.
    step : ndarray of shape (n,)
        The step s.

    Returns
    -------
    float
        The change.

    Examples
    --------
    >>> import numpy as np
    >>> quadratic_change(np.array([2.0, 0.0]), np.eye(2), np.array([-2.0, 1.0]))
    -1.5
    """
    return float(gradient @ step) + 0.5 * float(step @ hessian @ step)

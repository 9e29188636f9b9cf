"""Square roots by Heron's algorithm."""

from __future__ import annotations

import math
from collections.abc import Iterator

__all__ = ["heron"]


def heron(x: float, start: float = 1.0) -> Iterator[float]:
    """Approach the square root of a number: y becomes (y + x / y) / 2.

    The root is where y = x / y. One of the two sides is held fixed, their mean is taken, and the step is
    repeated: as in expectation maximization, what cannot be solved at once is solved in alternation. From
    the second step on the error is at most the last change, and every step about doubles the digits.

    Parameters
    ----------
    x : float
        A number that is not negative.
    start : float, default 1.0
        A positive number to begin with.

    Yields
    ------
    y : float
        The next approximation; the last one is as near as floating-point numbers come.

    Examples
    --------
    >>> [round(y, 6) for y in heron(2.0)]
    [1.5, 1.416667, 1.414216, 1.414214, 1.414214]
    """
    if not 0 <= x < math.inf:
        raise ValueError(f"heron: x must be a finite number that is not negative; got {x}.")
    if not 0 < start < math.inf:
        raise ValueError(f"heron: start must be a positive finite number; got {start}.")
    y, first = float(start), True
    while True:
        after = y / 2 + x / y / 2
        # After the first step approximations fall; once they do not, only rounding is left.
        if not first and after >= y:
            return
        yield after
        if after == 0:
            return
        y, first = after, False

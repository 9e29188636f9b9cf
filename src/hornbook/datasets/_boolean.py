"""The four corners of the unit square, labeled by a Boolean function."""

from __future__ import annotations

from typing import Literal

from hornbook.datasets._table import choose
from hornbook.frame import Frame

__all__ = ["boolean"]

# The corners (0, 0), (0, 1), (1, 0), (1, 1): "A" where the function is 1.
_CLASSES = {"xor": "BAAB", "and": "BBBA", "or": "BAAA"}


def boolean(function: Literal["xor", "and", "or"] = "xor") -> Frame:
    """Make the four points of a Boolean function of two numbers.

    A line separates the classes of AND and OR; none separates those of XOR.

    Parameters
    ----------
    function : {"xor", "and", "or"}, default "xor"
        The function; its value is 1 in class A and 0 in class B.

    Returns
    -------
    Frame
        ``x1``, ``x2`` and the target ``class``.

    Examples
    --------
    >>> boolean("xor").y.tolist()
    ['B', 'A', 'A', 'B']
    """
    choose("boolean", "function", function, _CLASSES)
    columns = {"x1": [0.0, 0.0, 1.0, 1.0], "x2": [0.0, 1.0, 0.0, 1.0], "class": list(_CLASSES[function])}
    return Frame(columns, target="class")

"""Markers written inside ``Annotated``: shapes of the arrays of a fitted model, and what they may contain.

``coef_: Annotated[Floats, Shape("n_classes", "n_encoded")]`` declares a shape. A size is a number,
a name, or a sum or product of these; a name has the same value in all parts of a model. Model files are
validated against these declarations before any index is used or any memory is allocated.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from math import prod

import numpy as np
from numpy.typing import NDArray

__all__ = ["Finite", "Floats", "Index", "Shape", "size_of"]

Floats = NDArray[np.float64]
Size = int | str


def size_of(size: Size, known: Mapping[str, int]) -> int:
    """Evaluate a size from named sizes.

    Parameters
    ----------
    size : int or str
        A number, a name, or a sum of products of them, such as ``"2 * n_rows + 1"``.
    known : mapping
        Sizes by name; an unknown name raises KeyError.

    Examples
    --------
    >>> size_of("2 * n_rows + 1", {"n_rows": 4})
    9
    """
    if isinstance(size, int):
        return size
    # Parsed rather than evaluated: this runs on model files before they are trusted.
    terms = [[factor.strip() for factor in term.split("*")] for term in size.split("+")]
    return sum(prod(int(name) if name.isdecimal() else known[name] for name in term) for term in terms)


@dataclass(frozen=True, init=False)
class Shape:
    """The sizes of an array, or the length of a list; with several such markers, any one of them.

    Parameters
    ----------
    *sizes : int or str
        One for each dimension, as `size_of` evaluates them.

    Examples
    --------
    >>> Shape("n_rows + 1", 2)
    Shape(sizes=('n_rows + 1', 2))
    """

    sizes: tuple[Size, ...]

    def __init__(self, *sizes: Size) -> None:
        # The only way to set a field of a frozen dataclass in its own constructor.
        object.__setattr__(self, "sizes", sizes)


@dataclass(frozen=True)
class Finite:
    """Every entry is a finite number, as LAPACK needs it: on others some of its routines never end.

    Without this marker there may be others, as there are in thresholds, in logarithms of probabilities and
    where cells are missing.
    """


@dataclass(frozen=True)
class Index:
    """Every entry is an integer from ``low`` up to but not including ``below``.

    Parameters
    ----------
    below : int or str
        The end, as `size_of` evaluates it.
    low : int, default 0
        The smallest index; -1 where -1 stands for none.

    Examples
    --------
    >>> Index("n_classes")
    Index(below='n_classes', low=0)
    """

    below: Size
    low: int = 0

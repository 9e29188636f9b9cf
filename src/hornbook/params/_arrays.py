"""Markers written inside ``Annotated``: how long the arrays of a fitted model are, and what they may hold.

``coef_: Annotated[Floats, Shape("n_classes", "n_encoded")]`` says how long the array is. A size is a number,
a name, or a sum or product of these; one name is one size in all parts of a model. Model files are checked
against what is declared before anything follows an index or makes room for a count.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from math import prod

__all__ = ["Index", "Shape", "size_of"]

Size = int | str


def size_of(size: Size, known: Mapping[str, int]) -> int:
    """Work out a size from those that have names.

    Parameters
    ----------
    size : int or str
        A number, a name, or sums of products of them, as ``"2 * n_rows + 1"``.
    known : mapping
        Sizes by name; a name that is not there is a KeyError.

    Examples
    --------
    >>> size_of("2 * n_rows + 1", {"n_rows": 4})
    9
    """
    if isinstance(size, int):
        return size
    factors = [[factor.strip() for factor in term.split("*")] for term in size.split("+")]
    return sum(prod(int(each) if each.isdecimal() else known[each] for each in term) for term in factors)


@dataclass(frozen=True, init=False)
class Shape:
    """The sizes of an array, or the length of a list; with several such markers, any one of them.

    Parameters
    ----------
    *sizes : int or str
        One for each dimension, as `size_of` reads them.

    Examples
    --------
    >>> Shape("n_rows + 1", 2)
    Shape(sizes=('n_rows + 1', 2))
    """

    sizes: tuple[Size, ...]

    def __init__(self, *sizes: Size) -> None:
        object.__setattr__(self, "sizes", sizes)


@dataclass(frozen=True)
class Index:
    """Every entry is a whole number from ``low`` up to ``below``, which itself is left out.

    Parameters
    ----------
    below : int or str
        The end, as `size_of` reads it.
    low : int, default 0
        The beginning; -1 where entries may be absent.

    Examples
    --------
    >>> Index("n_classes")
    Index(below='n_classes', low=0)
    """

    below: Size
    low: int = 0

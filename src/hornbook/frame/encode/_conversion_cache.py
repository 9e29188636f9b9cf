"""What several learners make of the same rows, made once: statistics, scaled columns, encoded matrices.

Only tables that somebody asked for are kept, and what is made of them goes with them.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Hashable
from typing import Any, TypeVar
from weakref import WeakKeyDictionary

from hornbook.frame._frame import Frame

__all__ = ["converted_once", "keep_conversions", "keeps_conversions", "spared_seconds"]

MOST_CELLS = 2**24  # of a table whose conversions are kept; beyond, memory is dearer than time

_T = TypeVar("_T")
# For each table and each conversion: what was made, and how long that took.
_kept: WeakKeyDictionary[Frame, dict[Hashable, tuple[Any, float]]] = WeakKeyDictionary()
_spared = [0.0]


def keep_conversions(frame: Frame) -> Frame:
    """Have what learners make of a table made once, for as long as the table is there.

    Parameters
    ----------
    frame : Frame
        Rows that several learners are to learn from or to predict; a very large one is left alone.

    Returns
    -------
    Frame
        The same.

    Examples
    --------
    >>> rows = keep_conversions(Frame({"color": ["red", "green"]}))
    >>> converted_once(rows, "length", lambda: len(rows)), converted_once(rows, "length", lambda: 7)
    (2, 2)
    """
    if len(frame) * len(frame.schema) <= MOST_CELLS:
        _kept.setdefault(frame, {})
    return frame


def keeps_conversions(frame: Frame) -> bool:
    """Whether what learners make of a table is made once.

    Parameters
    ----------
    frame : Frame
        The table.

    Examples
    --------
    >>> keeps_conversions(Frame({"color": ["red", "green"]}))
    False
    """
    return frame in _kept


def converted_once(frame: Frame | None, key: Hashable, make: Callable[[], _T]) -> _T:
    """Return what is made of a table: by the first who asks, if its conversions are kept.

    Parameters
    ----------
    frame : Frame or None
        The table; None for rows that are no single table, of which nothing is kept.
    key : hashable
        Tells conversions of the table apart.
    make : function
        Makes it. Nobody may change the result afterwards.

    Examples
    --------
    >>> converted_once(None, "length", lambda: 7)
    7
    """
    conversions = None if frame is None else _kept.get(frame)
    if conversions is None:
        return make()
    if key in conversions:
        value, seconds = conversions[key]
        _spared[0] += seconds
        return value  # type: ignore[no-any-return]  # of the type that the first one made
    start = time.perf_counter()
    made = make()
    if isinstance(made, Frame):
        keep_conversions(made)
    conversions[key] = made, time.perf_counter() - start
    return made


def spared_seconds() -> float:
    """Return how long the conversions took that others have found made, in all.

    The time of a fit and what it was spared are what it takes alone, whoever came before.

    Examples
    --------
    >>> spared_seconds() >= 0
    True
    """
    return _spared[0]

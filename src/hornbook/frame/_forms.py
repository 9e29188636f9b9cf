"""What learners make of one table: each form is made by the first learner that wants it."""

from __future__ import annotations

import time
from collections.abc import Callable, Hashable
from typing import Any, TypeVar

__all__ = ["Forms", "TimeSaved"]

_T = TypeVar("_T")


class TimeSaved:
    """Seconds of work that learners did not repeat, because another one had done it on the same rows.

    What a learner takes plus what it was saved is what it takes alone, whichever learner came first.
    """

    __slots__ = ("seconds",)

    def __init__(self) -> None:
        self.seconds = 0.0


class Forms:
    """Statistics, scaled columns and encoded matrices of one table, and how long each took to make.

    Parameters
    ----------
    saved : TimeSaved
        Where the time of work that is not repeated is counted.

    Examples
    --------
    >>> forms = Forms(TimeSaved())
    >>> forms.once("length", lambda: 2), forms.once("length", lambda: 7)
    (2, 2)
    """

    __slots__ = ("_made", "saved")

    def __init__(self, saved: TimeSaved) -> None:
        self.saved = saved
        self._made: dict[Hashable, tuple[Any, float]] = {}

    def __reduce__(self) -> tuple[type[Forms], tuple[TimeSaved]]:
        # Another process makes its own: sending a matrix takes longer than encoding it.
        return Forms, (TimeSaved(),)

    def once(self, key: Hashable, make: Callable[[], _T]) -> _T:
        """Return a form; the first call makes it, and nobody may change it afterwards.

        Parameters
        ----------
        key : hashable
            Identifies the form.
        make : function
            Makes it.
        """
        if key in self._made:
            form, seconds = self._made[key]
            self.saved.seconds += seconds
            return form  # type: ignore[no-any-return]  # of the type that the first call made
        start = time.perf_counter()
        form = make()
        self._made[key] = form, time.perf_counter() - start
        return form

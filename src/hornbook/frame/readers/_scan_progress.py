"""Progress of a long pass over a file, on a terminal."""

from __future__ import annotations

import sys
from time import monotonic
from types import TracebackType
from typing import Self

__all__ = ["Progress"]

PATIENCE = 1.0  # seconds before anything is shown
PAUSE = 0.1  # seconds between updates


class Progress:
    """One line on stderr: how much is done, and how long the rest takes; nothing if that is no terminal.

    Parameters
    ----------
    what : str
        What is being done.
    n_rows : int, optional
        How many rows there are, where it is known.
    """

    def __init__(self, what: str, n_rows: int | None = None) -> None:
        self._what, self._n_rows, self._done = what, n_rows, 0
        self._start = monotonic()
        self._next = self._start + PATIENCE
        self._shown = False

    def __enter__(self) -> Self:
        return self

    def show(self, share: float, n_more: int) -> None:
        """Show that this fraction is done, with so many rows more than before."""
        now = monotonic()
        self._done += n_more
        if now < self._next or sys.stderr is None or not sys.stderr.isatty():
            return
        self._next, self._shown = now + PAUSE, True
        sys.stderr.write(f"\r\x1b[K{self._what}: {min(share, 1.0):.0%}{self._rows_and_time(now)}")
        sys.stderr.flush()

    def _rows_and_time(self, now: float) -> str:
        if self._n_rows is None or not self._done:
            return ""
        left = (now - self._start) * (self._n_rows - self._done) / self._done
        return f", {self._done:,} of {self._n_rows:,} rows, about {max(0.0, left):.0f} s left"

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._shown:
            sys.stderr.write("\r\x1b[K")  # clear the line
            sys.stderr.flush()

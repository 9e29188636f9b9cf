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
    """One line on stderr that says which share is done; nothing if that is no terminal.

    Parameters
    ----------
    what : str
        What is being done.
    """

    def __init__(self, what: str) -> None:
        self._what = what
        self._next = monotonic() + PATIENCE
        self._shown = False

    def __enter__(self) -> Self:
        return self

    def show(self, share: float) -> None:
        """Show that this fraction is done."""
        now = monotonic()
        if now < self._next or sys.stderr is None or not sys.stderr.isatty():
            return
        self._next, self._shown = now + PAUSE, True
        sys.stderr.write(f"\r{self._what}: {min(share, 1.0):4.0%}")
        sys.stderr.flush()

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._shown:
            sys.stderr.write("\r\x1b[K")  # clear the line
            sys.stderr.flush()

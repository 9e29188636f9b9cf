"""Ctrl-C during a study: recorded when it comes, raised where nothing is half done."""

from __future__ import annotations

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType
from typing import Self

__all__ = ["Interrupts"]


class Interrupts:
    """Holds a first Ctrl-C back until the study waits for its processes; a second one is raised at once.

    Between two waits a study starts processes, writes records and puts its report together: an exception at
    that time would leave one of them half done. Where Python does not handle the signal itself (other
    threads, a handler of the user, Ctrl-C switched off) nothing is changed.
    """

    def __init__(self) -> None:
        self._pressed = 0
        self._waiting = False
        self._installed = False

    def __enter__(self) -> Self:
        main = threading.current_thread() is threading.main_thread()
        self._installed = main and signal.getsignal(signal.SIGINT) is signal.default_int_handler
        if self._installed:
            signal.signal(signal.SIGINT, self._press)
        return self

    def __exit__(self, *_: object) -> None:
        if self._installed:
            signal.signal(signal.SIGINT, signal.default_int_handler)

    def _press(self, _: int, __: FrameType | None) -> None:
        self._pressed += 1
        if self._waiting or self._pressed > 1:
            raise KeyboardInterrupt

    @contextmanager
    def waiting(self) -> Iterator[None]:
        """Raise Ctrl-C inside this block, also one that came before it."""
        # The flag first: a Ctrl-C after this line is raised by the handler, one before it by the next lines.
        self._waiting = True
        try:
            if self._pressed:
                raise KeyboardInterrupt
            yield
        finally:
            self._waiting = False

"""Progress of a study: a live line on a terminal, plain lines every few seconds elsewhere."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from time import monotonic
from typing import TYPE_CHECKING, Any

import hornbook
from hornbook.cli._console import Console, shown

if TYPE_CHECKING:
    from hornbook.studies import Event

__all__ = ["progress", "time_left"]

PAUSE = 10.0  # seconds between two plain lines
MOST_NAMES = 3  # running learners to list


@contextmanager
def progress(console: Console) -> Iterator[Callable[[Event], None]]:
    """Give a function that shows the events of a study.

    Parameters
    ----------
    console : Console
        Where to show them, and how many.
    """
    if console.quiet:
        yield lambda _: None
    # Log files and simple terminals cannot move the cursor, and would show each state of the bar as a line.
    elif sys.stderr.isatty() and os.environ.get("TERM") != "dumb":
        with _live() as show:
            yield _ProgressLines(console, show).live
    else:
        yield _ProgressLines(console).plain


class _ProgressLines:
    """Turns events into output."""

    def __init__(self, console: Console, show: Any = None) -> None:
        self._console = console
        self._show = show
        self._next = monotonic() + PAUSE

    def plain(self, event: Event) -> None:
        """A line for each notable event, and the progress every few seconds."""
        if line := self._line(event):
            self._console.note(line)
        elif event.kind == "done" and monotonic() >= self._next:
            self._next = monotonic() + PAUSE
            self._console.note(_state(event))

    def live(self, event: Event) -> None:
        """Notable events above the progress bar."""
        bar, task = self._show
        if line := self._line(event):
            # Without markup: names of columns may contain brackets, which rich would take for styles.
            bar.console.print(shown(line), markup=False, highlight=False, soft_wrap=True)
        if event.total:
            bar.update(task, completed=event.done, total=event.total, text=shown(_now(event)), visible=True)

    def _line(self, event: Event) -> str:
        if event.kind in ("note", "failed"):
            return hornbook.studies.for_shell(event.text)
        return (
            f"{_state(event)}: {event.text}"
            if self._console.verbose and event.kind in ("done", "phase")
            else ""
        )


@contextmanager
def _live() -> Iterator[Any]:
    from rich.console import Console as RichConsole  # noqa: PLC0415 - slow to import, and only terminals need it
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn  # noqa: PLC0415 - as above

    columns = (BarColumn(bar_width=24), MofNCompleteColumn(), TextColumn("{task.fields[text]}", markup=False))
    with Progress(*columns, console=RichConsole(stderr=True), transient=True) as bar:
        yield bar, bar.add_task("folds", total=None, text="", visible=False)


def _now(event: Event) -> str:
    return event.text if event.kind == "phase" else _running(event)


def _state(event: Event) -> str:
    return "; ".join(word for word in (f"{event.done} of {event.total} folds done", _running(event)) if word)


def _running(event: Event) -> str:
    names = sorted(set(event.running))
    shown = ", ".join(names[:MOST_NAMES]) + (", ..." if len(names) > MOST_NAMES else "")
    left = "" if event.seconds_left is None else f"about {time_left(event.seconds_left)} left"
    return "; ".join(word for word in (shown and f"running {shown}", left) if word)


def time_left(seconds: float) -> str:
    """Format a duration for people.

    Parameters
    ----------
    seconds : float
        The duration.
    """
    whole = max(1, round(seconds))
    if whole < 60:
        return f"{whole} s"
    minutes, rest = divmod(whole, 60)
    if minutes < 60:
        return f"{minutes} min {rest} s" if minutes < 10 and rest else f"{minutes} min"
    hours, minutes = divmod(minutes, 60)
    return f"{hours} h {minutes} min" if minutes else f"{hours} h"

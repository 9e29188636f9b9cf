"""Where events of a study go: to the user's function, a bar on the terminal, or nowhere."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from hornbook.display import printable
from hornbook.studies._event import Event

__all__ = ["Progress", "telling"]

Progress = Callable[[Event], None] | bool | None


@contextmanager
def telling(progress: Progress) -> Iterator[Callable[[Event], None]]:
    """Provide the function that takes events.

    Parameters
    ----------
    progress : function, bool or None
        The user's own function; True for a bar on standard error, False for nothing; None for a bar if
        standard error is a terminal.
    """
    if callable(progress):
        yield progress
    # In a script whose output is redirected, a bar would fill the log.
    elif progress is True or (progress is None and sys.stderr.isatty()):
        with _bar() as tell:
            yield tell
    else:
        yield lambda _: None


@contextmanager
def _bar() -> Iterator[Callable[[Event], None]]:
    from rich.console import Console  # noqa: PLC0415 - imported only if shown
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn  # noqa: PLC0415 - as above

    console = Console(stderr=True)
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn())
    with Progress(*columns, console=console, transient=console.is_terminal) as bar:
        task = bar.add_task("study", total=None)

        def tell(event: Event) -> None:
            if event.kind in ("note", "failed"):
                # Text may contain names from the table: brackets are no markup, and control characters are
                # escaped.
                bar.print(printable(event.text, "\n"), markup=False)
            if event.total:
                left = "" if event.seconds_left is None else f", about {event.seconds_left:.0f} s left"
                words = event.text if event.kind == "phase" else f"{', '.join(event.running)}{left}"
                bar.update(task, description=printable(words), completed=event.done, total=event.total)

        yield tell

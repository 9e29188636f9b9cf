"""Output of commands: results on stdout, everything else on stderr."""

from __future__ import annotations

import json as json_format
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import click

__all__ = ["Console", "shown"]


@dataclass(frozen=True)
class Console:
    """Where output goes.

    Parameters
    ----------
    quiet : bool
        Nothing on stderr.
    verbose : bool
        Also details on stderr.
    json : bool
        The result is printed as JSON.
    """

    quiet: bool = False
    verbose: bool = False
    json: bool = False

    def __post_init__(self) -> None:
        if self.quiet and self.verbose:
            raise click.UsageError("Choose one of --quiet and --verbose.")

    def result(self, text: object, data: Any) -> None:
        """Print the result, as text or as JSON.

        Parameters
        ----------
        text : object
            For people; printed by ``str``.
        data : dict, list, or callable that returns one
            The same for programs.
        """
        if self.json:
            # A function, because plain data of a large result take time that is wasted where text is printed.
            value = data() if callable(data) else data
            click.echo(_json_text(value))
        else:
            click.echo(shown(str(text)))

    def note(self, text: str) -> None:
        """Print something the user should know."""
        if not self.quiet:
            click.echo(shown(text), err=True)

    def detail(self, text: str) -> None:
        """Print something for users who want details."""
        if self.verbose:
            click.echo(shown(text), err=True)

    def warning(self, text: str) -> None:
        """Print a warning."""
        if not self.quiet:
            click.echo(f"{click.style('warning:', fg='yellow')} {shown(text)}", err=True)


def shown(text: str) -> str:
    """Escape control characters, which a terminal would interpret; line breaks stay.

    Parameters
    ----------
    text : str
        Text to print, which may contain names and labels from files.
    """
    return _without_commands(text)


def _json_text(value: Any) -> str:
    """JSON with control characters escaped; they can only occur inside strings."""
    from hornbook.display import plain_data  # noqa: PLC0415 - needs NumPy, which would slow down --help

    # NaN is not part of JSON, and other programs would refuse the whole document for it.
    text = json_format.dumps(plain_data(value, other=_listed), indent=2, allow_nan=False, ensure_ascii=False)
    return _without_commands(text, lambda character: json_format.dumps(character)[1:-1])


def _without_commands(text: str, escape: Callable[[str], str] | None = None) -> str:
    # Plain ASCII is the usual case, and needs no import.
    if text.isascii() and text.replace("\n", "").isprintable():
        return text
    from hornbook.display import printable  # noqa: PLC0415 - needs NumPy, which would slow down --help

    return printable(text, keep="\n", escape=escape)


def _listed(value: Any) -> Any:
    """Arrays and sequences of other libraries as lists, everything else as text."""
    if hasattr(value, "tolist") or isinstance(value, Sequence):
        from hornbook.display import plain_data  # noqa: PLC0415 - as above

        return plain_data(value.tolist() if hasattr(value, "tolist") else list(value), other=_listed)
    return str(value)

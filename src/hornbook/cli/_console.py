"""What a command says: results on stdout, everything else on stderr."""

from __future__ import annotations

import json as json_format
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import click

__all__ = ["Console", "shown"]


@dataclass(frozen=True)
class Console:
    """Where words go.

    Parameters
    ----------
    quiet : bool
        Nothing on stderr.
    verbose : bool
        Details on stderr too.
    json : bool
        The result is JSON, and nothing else is on stdout.
    """

    quiet: bool = False
    verbose: bool = False
    json: bool = False

    def __post_init__(self) -> None:
        if self.quiet and self.verbose:
            raise click.UsageError("Choose one of --quiet and --verbose.")

    def result(self, text: object, data: Any) -> None:
        """Print what was asked for: as text, or the same as data.

        Parameters
        ----------
        text : object
            What people read; printed by ``str``.
        data : dict, list, or callable that makes one
            What programs read.
        """
        if self.json:
            value = data() if callable(data) else data
            click.echo(_json_text(value))
        else:
            click.echo(shown(str(text)))

    def note(self, text: str) -> None:
        """Say something that the user should know."""
        if not self.quiet:
            click.echo(shown(text), err=True)

    def detail(self, text: str) -> None:
        """Say something for those who asked for more."""
        if self.verbose:
            click.echo(shown(text), err=True)

    def warning(self, text: str) -> None:
        """Say something that may be wrong."""
        if not self.quiet:
            click.echo(f"{click.style('warning:', fg='yellow')} {shown(text)}", err=True)


def shown(text: str) -> str:
    """Text for a terminal: lines as they are, and nothing that a terminal would obey.

    Parameters
    ----------
    text : str
        What is printed; names and labels from files may be anywhere in it.
    """
    return _without_commands(text)


def _json_text(value: Any) -> str:
    """JSON in which all that a terminal would obey is escaped: it can only be inside strings."""
    from hornbook.display import plain_data  # noqa: PLC0415 - it needs NumPy, which help must not wait for

    text = json_format.dumps(plain_data(value, other=_listed), indent=2, allow_nan=False, ensure_ascii=False)
    return _without_commands(text, lambda character: json_format.dumps(character)[1:-1])


def _without_commands(text: str, escape: Callable[[str], str] | None = None) -> str:
    if text.isascii() and text.replace("\n", "").isprintable():
        return text
    from hornbook.display import printable  # noqa: PLC0415 - it needs NumPy, which help must not wait for

    return printable(text, keep="\n", escape=escape)


def _listed(value: Any) -> Any:
    """Lists of other libraries as lists, and whatever else there is as text."""
    if hasattr(value, "tolist") or isinstance(value, Sequence):
        from hornbook.display import plain_data  # noqa: PLC0415 - as above

        return plain_data(value.tolist() if hasattr(value, "tolist") else list(value), other=_listed)
    return str(value)

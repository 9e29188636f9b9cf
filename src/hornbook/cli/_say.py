"""What a command says: results on stdout, everything else on stderr."""

from __future__ import annotations

import json as json_format
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import click

__all__ = ["Say"]


@dataclass(frozen=True)
class Say:
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
            found = data() if callable(data) else data
            click.echo(json_format.dumps(_plain(found), indent=2, allow_nan=False, ensure_ascii=False))
        else:
            click.echo(str(text))

    def note(self, text: str) -> None:
        """Say something that the user should know."""
        if not self.quiet:
            click.echo(text, err=True)

    def detail(self, text: str) -> None:
        """Say something for those who asked for more."""
        if self.verbose:
            click.echo(text, err=True)

    def warning(self, text: str) -> None:
        """Say something that may be wrong."""
        self.note(f"{click.style('warning:', fg='yellow')} {text}")


def _plain(value: Any) -> Any:
    """What JSON can hold: no NumPy, and null for numbers that are none or infinite."""
    if hasattr(value, "tolist"):
        value = value.tolist()
    if isinstance(value, Mapping):
        return {str(key): _plain(each) for key, each in value.items()}
    if isinstance(value, Sequence) and not isinstance(value, str):
        return [_plain(each) for each in value]
    if isinstance(value, float) and not math.isfinite(value):
        return None
    return value if value is None or isinstance(value, str | bool | int | float) else str(value)

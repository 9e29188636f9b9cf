"""Options for reading DATA: kinds of columns, delimiter, missing-value markers."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import wraps
from typing import Any

import click

import hornbook
from hornbook.cli._types import DELIMITER, KIND

__all__ = ["Reading", "reading_options"]


@dataclass(frozen=True)
class Reading:
    """How to read DATA.

    Parameters
    ----------
    kinds : tuple of str, default ()
        Texts like ``zip=nominal``.
    delimiter : str, optional
        Separates the cells of a line.
    missing : tuple of str, default ()
        Markers of missing cells, in addition to the defaults.
    """

    kinds: tuple[str, ...] = ()
    delimiter: str | None = None
    missing: tuple[str, ...] = ()

    @property
    def file_options(self) -> dict[str, Any]:
        """Parameters of `hornbook.read` and `hornbook.scan`, without those left out."""
        options: dict[str, Any] = {}
        if self.kinds:
            options["kinds"] = hornbook.frame.kinds_from_text(self.kinds)
        if self.delimiter is not None:
            options["delimiter"] = self.delimiter
        if self.missing:
            # In addition to the usual markers, which the library's own parameter replaces.
            options["missing"] = [*hornbook.frame.MISSING, *self.missing]
        return options

    def dataset(self, name: str) -> hornbook.Frame:
        """Load a data set with the kinds requested.

        Parameters
        ----------
        name : str
            Its name.
        """
        for option, value in (("--delimiter", self.delimiter), ("--missing", self.missing)):
            if value:
                raise click.UsageError(f"{option} is for files, and '{name}' is a data set: leave it out.")
        table = hornbook.datasets.load(name)
        return hornbook.Frame(table, kinds=self.file_options["kinds"]) if self.kinds else table


def reading_options(command: Callable[..., None]) -> Callable[..., None]:
    """Add ``--kinds``, ``--delimiter`` and ``--missing`` to a command, which gets them as ``reading``.

    Parameters
    ----------
    command : function
        The command.
    """

    @wraps(command)
    def with_reading(*arguments: Any, **options: Any) -> None:
        # One argument for all commands: a new option for reading changes no signature.
        fields = {name: options.pop(name) for name in ("kinds", "delimiter", "missing")}
        command(*arguments, reading=Reading(**fields), **options)

    for option in (
        click.option("--missing", multiple=True, help="Another marker of missing cells; can be repeated."),
        click.option(
            "--delimiter", type=DELIMITER, help="Separates the cells of a line; guessed by default."
        ),
        click.option("--kinds", type=KIND, multiple=True, help="The kind of a column; can be repeated."),
    ):
        # Decorators are applied from the inside out, so that the help lists the last of them first.
        with_reading = option(with_reading)
    return with_reading

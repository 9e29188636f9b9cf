"""How DATA is to be read: kinds of columns, the delimiter, words for missing cells."""

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
    """What the user knows about DATA.

    Parameters
    ----------
    kinds : tuple of str, default ()
        Texts like ``zip=nominal``.
    delimiter : str, optional
        What stands between two cells of a line.
    missing : tuple of str, default ()
        Words for missing cells, beside the usual ones.
    """

    kinds: tuple[str, ...] = ()
    delimiter: str | None = None
    missing: tuple[str, ...] = ()

    @property
    def file_options(self) -> dict[str, Any]:
        """The same as parameters of `hornbook.read` and `hornbook.scan`; only those that were given."""
        options: dict[str, Any] = {}
        if self.kinds:
            options["kinds"] = hornbook.frame.kinds_from_text(self.kinds)
        if self.delimiter is not None:
            options["delimiter"] = self.delimiter
        if self.missing:
            options["missing"] = [*hornbook.frame.MISSING, *self.missing]
        return options

    def dataset(self, name: str) -> hornbook.Frame:
        """Load a data set, with the kinds that were asked for.

        Parameters
        ----------
        name : str
            The data set.
        """
        for option, value in (("--delimiter", self.delimiter), ("--missing", self.missing)):
            if value:
                raise click.UsageError(f"{option} is for files; '{name}' is a data set.")
        table = hornbook.datasets.load(name)
        return hornbook.Frame(table, kinds=self.file_options["kinds"]) if self.kinds else table


def reading_options(command: Callable[..., None]) -> Callable[..., None]:
    """Give a command ``--kinds``, ``--delimiter`` and ``--missing``; it gets them as ``reading``.

    Parameters
    ----------
    command : function
        The command.
    """

    @wraps(command)
    def with_reading(*arguments: Any, **options: Any) -> None:
        fields = {name: options.pop(name) for name in ("kinds", "delimiter", "missing")}
        command(*arguments, reading=Reading(**fields), **options)

    for option in (
        click.option("--missing", multiple=True, help="Another word for missing cells; can be repeated."),
        click.option(
            "--delimiter", type=DELIMITER, help="Stands between two cells; found out when left out."
        ),
        click.option("--kinds", type=KIND, multiple=True, help="The kind of a column; can be repeated."),
    ):
        with_reading = option(with_reading)
    return with_reading

"""``hornbook datasets``: the bundled data sets."""

from __future__ import annotations

import click

import hornbook
from hornbook.cli._command import Command, examples
from hornbook.cli._console import Console

__all__ = ["command"]


@click.command(
    "datasets",
    cls=Command,
    short_help="List the bundled data sets.",
    epilog=examples(
        "hornbook datasets",
        "hornbook inspect iris      kinds of columns, missing cells, problems",
        "hornbook study iris        use it in place of a file",
    ),
)
@click.pass_obj
def command(console: Console) -> None:
    """List the bundled data sets; their names can be used in place of files."""
    names = hornbook.datasets.names()
    width = max(map(len, names))
    console.result("\n".join(f"{name.ljust(width)}  {line}" for name, line in names.items()), names)

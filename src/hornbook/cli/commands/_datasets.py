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
    short_help="List the tables that come with the library.",
    epilog=examples(
        "hornbook datasets",
        "hornbook inspect iris      what is in one of them",
        "hornbook study iris        its name stands wherever a file can",
    ),
)
@click.pass_obj
def command(console: Console) -> None:
    """List the tables that come with the library; their names stand wherever a file can."""
    names = hornbook.datasets.names()
    width = max(map(len, names))
    console.result("\n".join(f"{name.ljust(width)}  {line}" for name, line in names.items()), names)

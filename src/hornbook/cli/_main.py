"""The commands of the program."""

from __future__ import annotations

import json as json_format

import click

from hornbook import __version__

__all__ = ["main"]


@click.group(context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, prog_name="hornbook")
def main() -> None:
    """Classical machine learning, whole: learners, measures and tests behind one interface.

    \b
    Examples:
      hornbook learners --can missing,weights
      hornbook datasets
    """  # noqa: D301 - \b keeps click from folding the lines


@main.command()
@click.option(
    "--can", default="", metavar="WORDS", help="Only those that can do all of this: missing,weights"
)
@click.option(
    "--task",
    type=click.Choice(["classification", "regression", "clustering", "transformation"]),
    help="Only those for this task.",
)
@click.option("--json", is_flag=True, help="Print JSON.")
def learners(can: str, task: str | None, json: bool) -> None:
    """List the learners and what they can do."""
    from hornbook import registry  # noqa: PLC0415 - lazy: help must not wait for it

    try:
        cards = registry.learners(can=can, task=task)  # type: ignore[arg-type]  # click checked the choice
    except ValueError as error:
        raise click.BadParameter(str(error), param_hint="--can") from error
    if json:
        click.echo(json_format.dumps([vars(card) for card in cards], indent=2))
        return
    for card in cards:
        click.echo(
            f"{card.name}\n  {card.summary}\n  for {', '.join(card.tasks)}; can: {', '.join(card.can)}"
        )


@main.command()
@click.option("--json", is_flag=True, help="Print JSON.")
def datasets(json: bool) -> None:
    """List the tables that come with the library."""
    from hornbook import datasets as tables  # noqa: PLC0415 - lazy, as above

    names = tables.names()
    if json:
        click.echo(json_format.dumps(names, indent=2))
        return
    width = max(map(len, names))
    for name, line in names.items():
        click.echo(f"{name.ljust(width)}  {line}")

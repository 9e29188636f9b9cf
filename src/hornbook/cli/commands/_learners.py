"""``hornbook learners``: what there is to learn with."""

from __future__ import annotations

from typing import Any

import click

import hornbook
from hornbook.cli._command import Command, examples
from hornbook.cli._console import Console

__all__ = ["command"]


@click.command(
    "learners",
    cls=Command,
    short_help="List the learners and what they can do.",
    epilog=examples(
        "hornbook learners --task regression",
        "hornbook learners --can missing,weights",
        "hornbook learners --json",
        "hornbook fit --learner NaiveBayes --show     the parameters of one of them",
    ),
)
@click.option(
    "--can", default="", metavar="WORDS", help="Only those that can do all of this: missing,weights"
)
@click.option(
    "--task",
    type=click.Choice(["classification", "regression", "clustering", "outliers", "transformation"]),
    help="Only those for this task.",
)
@click.pass_obj
def command(console: Console, can: str, task: Any) -> None:
    """List the learners, what each is, what it is for, and what it can do with a table as it is."""
    try:
        cards = hornbook.learners(can=can, task=task)
    except ValueError as error:
        # A wrong word is wrong use of the program, which has an exit code of its own.
        raise click.BadParameter(str(error), param_hint="--can") from error
    text = "\n".join(
        f"{card.name}\n  {card.summary}\n  for {', '.join(card.tasks)}; can: {', '.join(card.can)}"
        for card in cards
    )
    console.result(text, [vars(card) for card in cards])

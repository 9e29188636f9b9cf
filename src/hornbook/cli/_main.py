"""The program; each command is imported when it is called."""

from __future__ import annotations

import sys
from importlib import import_module
from typing import Any

import click

from hornbook import __version__
from hornbook.cli._command import Interrupted, sentence
from hornbook.cli._console import shown

__all__ = ["COMMANDS", "main"]

# In the order in which people need them; each is the object `command` in its own file.
COMMANDS = {
    name: f"hornbook.cli.commands._{name}"
    for name in (
        *("study", "fit", "predict", "explain", "evaluate", "compare", "report", "inspect", "learners"),
        "datasets",
    )
}


class Program(click.Group):
    """A group whose commands are looked up in `COMMANDS`."""

    def list_commands(self, _: click.Context) -> list[str]:
        """Names of the commands, in their order."""
        return list(COMMANDS)

    def get_command(self, _: click.Context, name: str) -> click.Command | None:
        """Import a command."""
        if name not in COMMANDS:
            return None
        command: click.Command = import_module(COMMANDS[name]).command
        return command

    def main(self, *arguments: Any, **options: Any) -> Any:
        """Run the program; without --debug, even bugs are reported in one line."""
        try:
            return super().main(*arguments, **options)
        except Exception as error:
            if "--debug" in sys.argv:
                raise
            click.echo(f"Error: {shown(sentence(error))}", err=True)
            sys.exit(1)

    def invoke(self, ctx: click.Context) -> Any:
        """Parse the arguments and run the command; control characters in error messages are escaped."""
        try:
            return super().invoke(ctx)
        except click.ClickException as error:
            vars(error)["message"] = shown(error.message)
            raise
        except KeyboardInterrupt:  # while arguments are parsed; a running command has its own message
            if "--debug" in sys.argv:
                raise
            raise Interrupted("interrupted; nothing was done yet.") from None

    def resolve_command(self, ctx: click.Context, args: list[str]) -> Any:
        """Find the command, or suggest one with a similar name."""
        if args and not args[0].startswith("-") and args[0] not in COMMANDS:
            from hornbook.params import suggest  # noqa: PLC0415 - needs NumPy, which would slow down --help

            ctx.fail(f"There is no command '{args[0]}'.{suggest(args[0], COMMANDS)}")
        return super().resolve_command(ctx, args)


EXAMPLES = """\b
Examples:
  hornbook study data.csv --target price     compare learners, write a report
  hornbook study iris                        the same on a bundled table
  hornbook fit data.csv --learner NaiveBayes --out model.hornbook
  hornbook predict model.hornbook new.csv --out predictions.csv
  hornbook learners --can missing,weights

DATA is a file (CSV, JSON lines or Parquet) or the name of a bundled data set. Results go to stdout,
everything else to stderr. The exit code is 0 for success, 1 for a problem with data or a model, 2 for a usage
error."""


@click.command(
    cls=Program,
    epilog=EXAMPLES,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 110},
)
@click.version_option(__version__, prog_name="hornbook")
def main() -> None:
    """Classical machine learning, from a table to a verdict, a report and a model file."""

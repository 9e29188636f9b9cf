"""What all commands share: the output options, and the one place where exceptions become error messages."""

from __future__ import annotations

import errno
import os
import sys
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import click

from hornbook.cli._console import Console
from hornbook.cli._types import WORDS

__all__ = ["Command", "Interrupted", "examples", "sentence"]

INTERRUPTED = 128 + 2  # the exit code shells report for a program stopped by Ctrl-C
CUT_OFF = 128 + 13  # and for one whose output pipe was closed
OURS = (ValueError, TypeError, OSError, OverflowError, RuntimeError, click.ClickException)


class Interrupted(click.ClickException):
    """The user pressed Ctrl-C; the message says how to continue."""

    exit_code = INTERRUPTED


class Command(click.Command):
    """A command with ``--quiet``, ``--verbose``, ``--json`` and ``--debug``; its object is a `Console`."""

    def __init__(self, *arguments: Any, **options: Any) -> None:
        super().__init__(*arguments, **options)
        self.params += [
            click.Option(["--quiet", "-q"], is_flag=True, help="Nothing on stderr but errors."),
            click.Option(["--verbose", "-v"], is_flag=True, help="More on stderr."),
            click.Option(["--json"], is_flag=True, help="Print the result as JSON."),
            click.Option(["--debug"], is_flag=True, help="Show the traceback of an error."),
        ]

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Parse the arguments; keep them for shell completion, where the last option has no value yet."""
        if ctx.resilient_parsing:
            ctx.meta[WORDS] = list(args)
        return super().parse_args(ctx, args)

    def invoke(self, ctx: click.Context) -> Any:
        """Run the command; every failure becomes one sentence and an exit code."""
        if os.environ.get("NO_COLOR"):
            ctx.color = False
        debug = ctx.params.pop("debug")
        ctx.obj = Console(**{name: ctx.params.pop(name) for name in ("quiet", "verbose", "json")})
        with _fence(debug=debug), _noted_warnings(ctx.obj):
            answer = super().invoke(ctx)
            sys.stdout.flush()  # notice a closed pipe here, not at interpreter exit
            return answer


def examples(*lines: str) -> str:
    """Lay out examples for the end of a help page."""
    return "\n".join(["\b", "Examples:", *(f"  {line}" for line in lines)])


@contextmanager
def _fence(*, debug: bool) -> Iterator[None]:
    try:
        yield
    except (click.exceptions.Exit, click.exceptions.Abort):
        raise
    except click.ClickException:
        raise
    except BrokenPipeError:
        _leave_quietly()
    except KeyboardInterrupt:
        if debug:
            raise
        raise Interrupted("interrupted; no incomplete file was left behind.") from None
    except Exception as error:
        if debug:
            raise
        raise click.ClickException(sentence(error)) from error


def _leave_quietly() -> None:
    """Exit as other programs do when their output pipe is closed."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())  # discard buffered output
    raise click.exceptions.Exit(CUT_OFF)


@contextmanager
def _noted_warnings(console: Console) -> Iterator[None]:
    """Show warnings of the library as notes: each once, without its source location."""
    shown: set[str] = set()

    def show(message: Warning | str, *_: Any, **__: Any) -> None:
        text = " ".join(str(message).split())
        if text not in shown:
            shown.add(text)
            console.warning(text)

    with warnings.catch_warnings():
        warnings.simplefilter("always")
        warnings.simplefilter("ignore", DeprecationWarning)
        warnings.simplefilter("ignore", ResourceWarning)
        warnings.showwarning = show
        yield


def sentence(error: BaseException) -> str:
    """Describe an error in one line."""
    text = " ".join(str(error).split())
    if isinstance(error, MemoryError):
        reason = f" ({text})" if text else ""
        return f"there is not enough memory{reason}: use fewer rows or columns, or close other programs."
    if isinstance(error, OSError) and error.strerror:
        return _of_system(error)
    if isinstance(error, OURS) or type(error).__module__.startswith("polars"):
        return text or type(error).__name__
    what = f"{type(error).__name__}: {text}".removesuffix(": ")
    return f"internal error ({what}); --debug shows the traceback."


def _of_system(error: OSError) -> str:
    """Add a remedy to an error of the operating system, which has a reason and usually a file."""
    remedies = {
        errno.ENOENT: "check the spelling and the folder",
        errno.EACCES: "change its permissions or choose another place",
        errno.EROFS: "choose another place",
        errno.ENOSPC: "free disk space or choose another disk",
        errno.ENOTDIR: "choose another place",
    }
    remedy = remedies.get(error.errno or 0, "choose another place")
    file = f"'{os.fsdecode(error.filename)}'" if error.filename else "the output"
    return f"{file} cannot be used: {error.strerror}; {remedy}."

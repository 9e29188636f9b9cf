"""Sentences of the library for people at a command line."""

from __future__ import annotations

import ast
import re
import shlex
from dataclasses import fields
from functools import cache

from hornbook.studies._settings import Settings

__all__ = ["for_shell"]

VALUE = r"\[[^\]]*\]|'[^']*'|\"[^\"]*\"|True|False|\d+(?:\.\d+)?|"


def for_shell(text: str) -> str:
    """Write settings of a study as options: ``cv=5`` becomes ``--cv 5``.

    Parameters
    ----------
    text : str
        A sentence of the library.

    Examples
    --------
    >>> for_shell("Leave it out with ignore=['row id'], or take scale=False.")
    "Leave it out with --ignore 'row id', or take --no-scale."
    """
    return _settings().sub(lambda found: _option(found[1], found[2]), text)


@cache
def _settings() -> re.Pattern[str]:
    names = "|".join([*(field.name for field in fields(Settings)), "out"])
    return re.compile(rf"(?<![\w.-])({names})=({VALUE})(?!\w)")


def _option(name: str, value: str) -> str:
    flag = name.replace("_", "-")
    if value == "False":
        return f"--no-{flag}"
    if value in ("", "True"):
        return f"--{flag}"
    meant = ast.literal_eval(value)
    words = meant if isinstance(meant, list) else [meant]
    return " ".join(f"--{flag} {shlex.quote(str(word))}" for word in words)

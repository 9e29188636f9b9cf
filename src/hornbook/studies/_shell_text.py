"""Messages of the library in terms of command line options."""

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
    """Rewrite settings of a study as options: ``cv=5`` becomes ``--cv 5``.

    Parameters
    ----------
    text : str
        A message of the library.

    Examples
    --------
    >>> for_shell("Leave it out with ignore=['row id'], or take scale=False.")
    "Leave it out with --ignore 'row id', or take --no-scale."
    """
    return _settings().sub(lambda match: _option(match[1], match[2]), text)


@cache
def _settings() -> re.Pattern[str]:
    names = "|".join([*(field.name for field in fields(Settings)), "out"])
    # Not after a word or a dot, so that parameters of learners such as model.alpha=1 are left alone.
    return re.compile(rf"(?<![\w.-])({names})=({VALUE})(?!\w)")


def _option(name: str, value: str) -> str:
    flag = name.replace("_", "-")
    if value == "False":
        return f"--no-{flag}"
    if value in ("", "True"):
        return f"--{flag}"
    # Values are Python literals by the pattern above, and nothing else is evaluated.
    parsed = ast.literal_eval(value)
    words = parsed if isinstance(parsed, list) else [parsed]
    return " ".join(f"--{flag} {shlex.quote(str(word))}" for word in words)

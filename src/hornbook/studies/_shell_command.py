"""The shell command that reproduces a study."""

from __future__ import annotations

import shlex
from dataclasses import fields
from pathlib import Path
from typing import Any

from hornbook.studies._settings import Settings

__all__ = ["command_of"]

SECONDS = ("time_limit", "budget")


def command_of(settings: Settings, folder: Path | None) -> str:
    """Return the command; empty for a table in memory, which a shell cannot name.

    Parameters
    ----------
    settings : Settings
        The settings of the study.
    folder : path, optional
        The folder of the study.
    """
    if not settings.data:
        return ""
    words = ["hornbook", "study", settings.data]
    for field in fields(settings):
        value = getattr(settings, field.name)
        # Only what differs from the defaults: a command that people can read and change.
        if field.name != "data" and value != field.default:
            words += _option(field.name, value)
    return shlex.join([*words, *(["--out", str(folder)] if folder is not None else [])])


def _option(name: str, value: Any) -> list[str]:
    flag = f"--{name.replace('_', '-')}"
    if value is False:
        return [f"--no-{name.replace('_', '-')}"]
    if value is True:
        return [flag]
    if name in SECONDS:
        # With its unit, as durations are written elsewhere.
        return [flag, f"{value:g}s"]
    if name in ("learners", "clusters"):
        return [flag, ",".join(map(str, value))]
    return (
        [word for item in value for word in (flag, item)] if isinstance(value, tuple) else [flag, str(value)]
    )

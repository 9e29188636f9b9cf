"""Command-line options made from `hornbook.studies.Settings`: names, types, defaults and help."""

from __future__ import annotations

import re
from dataclasses import Field, fields
from types import NoneType
from typing import Annotated, Any, Literal, get_args, get_origin, get_type_hints

import click

from hornbook.cli._types import CLUSTERS, COLUMN, DATA, DELIMITER, DURATION, KIND, LEARNERS_LIST, METRIC

__all__ = ["options_of"]

# Settings that are not plain numbers or text.
KINDS = {
    **dict.fromkeys(("target", "ignore", "keep", "weight", "group", "time", "id"), COLUMN),
    **dict.fromkeys(("time_limit", "budget"), DURATION),
    "test": DATA,
    "learners": LEARNERS_LIST,
    "metric": METRIC,
    "kinds": KIND,
    "delimiter": DELIMITER,
    "clusters": CLUSTERS,
}
SEVERAL = ("ignore", "keep", "kinds", "missing", "costs", "plan")
SHORT = {"target": ["-y"], "learners": ["-l"], "jobs": ["-j"]}
ENTRY = re.compile(r"^    ([a-z_, ]+) : .*\n((?:        .*\n)+)", re.MULTILINE)


def options_of(settings: Any, *, without: tuple[str, ...] = ()) -> list[click.Option]:
    """Make an option from each field of a dataclass; its default is None.

    Parameters
    ----------
    settings : type
        A dataclass with annotated fields that its docstring describes.
    without : tuple of str, default ()
        Fields to leave out.
    """
    words = _descriptions(settings.__doc__)
    hints = get_type_hints(settings, include_extras=True)
    return [
        _option(field, hints[field.name], words[field.name])
        for field in fields(settings)
        if field.name not in without
    ]


def _option(field: Field[Any], hint: Any, words: str) -> click.Option:
    flag = f"--{field.name.replace('_', '-')}"
    names = [flag, *SHORT.get(field.name, [])]
    if field.default is True:
        # A setting that is on by default can only be switched off, and an option says what it changes.
        off = f"--no-{field.name}"
        text = f"Without this, {words.removeprefix('Whether ')}"
        # The default is None, not the default of the setting: None says that the option was not typed, so
        # that a configuration file may decide.
        return click.Option([off, field.name], flag_value=False, default=None, help=text)
    if field.default is False:
        return click.Option([*names, field.name], flag_value=True, default=None, help=_stated(words))
    several = field.name in SEVERAL
    text = words + (" Like 90s, 10m or 1h30m." if KINDS.get(field.name) is DURATION else "")
    text += (" Can be repeated." if several else "") + _default(field.default)
    kind = KINDS.get(field.name) or _kind(hint)
    return click.Option([*names, field.name], type=kind, default=None, multiple=several, help=text)


def _stated(words: str) -> str:
    """Turn "Whether ..." into a statement."""
    rest = words.removeprefix("Whether ")
    return rest[0].upper() + rest[1:]


def _default(value: Any) -> str:
    if value is None or value == ():
        return ""
    return f"  [default: {value:g}]" if isinstance(value, int | float) else f"  [default: {value}]"


def _kind(hint: Any) -> Any:
    """The option type for an annotation."""
    if get_origin(hint) is Annotated:
        # Bounds come from the annotation of the setting, so that the program and the library refuse the same
        # values.
        number, within = get_args(hint)
        low, high = (None if end is None else number(end) for end in (within.low, within.high))
        kind = click.IntRange if number is int else click.FloatRange
        return kind(low, high, min_open=within.open_low, max_open=within.open_high)
    if get_origin(hint) is Literal:
        return click.Choice(get_args(hint))
    inner = [part for part in get_args(hint) if part is not NoneType]
    return _kind(inner[0]) if inner else {int: click.INT, float: click.FLOAT}.get(hint, click.STRING)


def _descriptions(doc: str) -> dict[str, str]:
    """The description of each field in a docstring."""
    descriptions = {}
    for names, text in ENTRY.findall(doc):
        for name in names.split(", "):
            descriptions[name] = " ".join(text.split())
    return descriptions

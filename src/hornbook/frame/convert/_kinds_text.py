"""Kinds of columns as text, for command lines and configuration files."""

from __future__ import annotations

from collections.abc import Iterable
from typing import get_args

from hornbook.frame._schema import Kind
from hornbook.params import suggest

__all__ = ["kinds_from_text"]


def kinds_from_text(texts: Iterable[str]) -> dict[str, str | list[str | float]]:
    """Read kinds such as ``zip=nominal`` or, for ordered levels, ``size=small<medium<large``.

    Parameters
    ----------
    texts : iterable of str
        One text for each column.

    Examples
    --------
    >>> kinds_from_text(["zip=nominal", "size=small<medium<large"])
    {'zip': 'nominal', 'size': ['small', 'medium', 'large']}
    """
    kinds: dict[str, str | list[str | float]] = {}
    for text in texts:
        # The last equals sign, because the name of a column may contain one and a kind cannot.
        name, equals, kind = (part.strip() for part in text.rpartition("="))
        if not equals or not name or not kind:
            raise ValueError(f"'{text}' is no column with its kind: write column=nominal.")
        if name in kinds:
            raise ValueError(f"column '{name}' has two kinds, '{text}' and one before: give one.")
        kinds[name] = _levels(kind) if "<" in kind else _kind(name, kind)
    return kinds


def _kind(name: str, kind: str) -> str:
    known = get_args(Kind)
    if kind not in known:
        raise ValueError(
            f"column '{name}' cannot be '{kind}': write numeric, ordinal or nominal, or the levels "
            f"in their order, as in {name}=low<middle<high.{suggest(kind, known)}"
        )
    return kind


def _levels(text: str) -> list[str | float]:
    """Levels in their order; numbers if all of them are, as a column of numbers has no others."""
    levels = [level.strip() for level in text.split("<")]
    try:
        return [float(level) for level in levels]
    except ValueError:
        return list(levels)

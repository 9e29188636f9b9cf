"""The columns of a table for a report: a line of text and a small histogram each."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from hornbook.frame import ColumnProfile, Profile
from hornbook.studies.report._numbers import count_text, number_text, truncated

__all__ = ["ColumnLine", "Columns", "bars_of", "columns_of"]

MOST_SEEN = 25  # the others are folded away
MOST = 300
MOST_BARS = 20
LONGEST = 120  # characters of a name
LONGEST_LEVEL = 30
MOST_LEVELS = 4


@dataclass(frozen=True)
class ColumnLine:
    """One column: the text of each cell of its line, and the bars of its histogram as a path."""

    name: str
    role: str
    kind: str
    missing: str
    distinct: int
    words: str
    bars: str


@dataclass(frozen=True)
class Columns:
    """The columns that are shown, those that are folded away, and how many more there are."""

    seen: tuple[ColumnLine, ...]
    folded: tuple[ColumnLine, ...]
    left_out: int


def columns_of(profile: Profile) -> Columns:
    """Return the target first, then the columns in their order."""
    ordered = sorted(profile.columns, key=lambda column: column.role != "target")
    lines = tuple(_line(column) for column in ordered[:MOST])
    return Columns(lines[:MOST_SEEN], lines[MOST_SEEN:], max(0, len(ordered) - MOST))


def _line(column: ColumnProfile) -> ColumnLine:
    share = f"{100 * column.missing_share:.2g} %" if column.n_missing else ""
    spread, levels = column.spread, column.frequent
    counts = [count for _, count in levels][:MOST_BARS] if spread is None else list(spread.counts)
    missing = f"{count_text(column.n_missing)} ({share})" if share else "none"
    kind = column.source if column.source == "date" else column.kind
    return ColumnLine(
        name=truncated(column.name, LONGEST),
        role=column.role,
        kind=kind,
        missing=missing,
        distinct=column.n_distinct,
        words=_values_text(column),
        bars=bars_of(counts),
    )


def _values_text(column: ColumnProfile) -> str:
    if column.dates:
        return column.dates
    if (s := column.spread) is not None:
        return (
            f"{number_text(s.low)} to {number_text(s.high)}, median {number_text(s.median)}, "
            f"mean {number_text(s.mean)}, sd {number_text(s.sd)}"
        )
    named = [f"{truncated(str(level), LONGEST_LEVEL)} ({count_text(n)})" for level, n in column.frequent]
    rest = column.n_distinct - MOST_LEVELS
    return ", ".join(named[:MOST_LEVELS]) + (f" and {rest} more" if rest > 0 else "")


def bars_of(counts: Sequence[float]) -> str:
    """Return bars in a box of 100 by 20, as the data of one SVG path."""
    most = max(counts, default=0)
    if not most:
        return ""
    step = 100 / max(len(counts), 6)
    wide = step - min(1.2, step / 4)
    tall = [20 * count / most if count else 0 for count in counts]
    return "".join(
        f"M{i * step:.1f} 20v{-max(height, 0.6):.1f}h{wide:.1f}V20z"
        for i, height in enumerate(tall)
        if height
    )

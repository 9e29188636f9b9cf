"""The profile of a table: summaries of its columns, and its problems."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict, dataclass
from html import escape
from typing import Any

from hornbook.display import printable
from hornbook.frame._cells import Cells
from hornbook.frame.profile._findings import Compared, Finding, findings
from hornbook.frame.profile._summaries import ColumnProfile, Spread, summary
from hornbook.params import Team, threads

__all__ = ["ColumnProfile", "Finding", "Profile", "Spread", "profiled"]

HEAD = ("column", "kind", "role", "missing", "distinct", "values")
BLOCKS = " ▁▂▃▄▅▆▇█"


@dataclass(frozen=True)
class Profile:
    """What is in a table.

    Parameters
    ----------
    n_rows : int
        Rows.
    columns : tuple of ColumnProfile
        Summary of each column.
    findings : tuple of Finding
        Problems, and what to do about them.

    Examples
    --------
    >>> from hornbook.frame import Frame
    >>> profile = Frame({"age": [31.0, 44.0, None], "unit": ["kg", "kg", "kg"]}).profile()
    >>> print(profile.findings[0])
    Column 'unit' has the same value in every row. Leave it out.
    >>> profile.columns[0].spread.mean
    37.5
    """

    n_rows: int
    columns: tuple[ColumnProfile, ...]
    findings: tuple[Finding, ...]

    def to_dict(self) -> dict[str, Any]:
        """All of it as plain dicts, lists, numbers and text."""
        plain = asdict(self)
        plain["columns"] = [dict(column) for column in plain["columns"]]
        return plain

    def __str__(self) -> str:
        rows = [HEAD, *(tuple(map(printable, _cells(column))) for column in self.columns)]
        widths = [max(len(row[i]) for row in rows) for i in range(len(HEAD) - 1)]
        lines = ["  ".join([*map(str.ljust, row, widths), row[-1]]).rstrip() for row in rows]
        notes = [f"- {printable(note)}" for note in self._notes()]
        count = f"{self.n_rows} rows, {len(self.columns)} columns"
        return "\n".join([count, *lines, *notes])

    def _notes(self) -> Iterator[str]:
        for column in self.columns:
            if column.note:
                yield f"Column {column.name!r}: {column.note}."
        yield from map(str, self.findings)

    def _repr_html_(self) -> str:
        head = "".join(f"<th>{word}</th>" for word in HEAD)
        rows = "".join(
            f"<tr>{''.join(f'<td>{escape(cell)}</td>' for cell in _cells(column))}</tr>"
            for column in self.columns
        )
        notes = "".join(f"<li>{escape(note)}</li>" for note in self._notes())
        return (
            f"<table><caption>{self.n_rows} rows, {len(self.columns)} columns</caption>"
            f"<thead><tr>{head}</tr></thead><tbody>{rows}</tbody></table><ul>{notes}</ul>"
        )


def profiled(frame: Cells) -> Profile:
    """Return the profile of a frame."""
    # Threads help although this is Python: NumPy releases the interpreter's lock while it sorts a column.
    with Team(threads(None)) as team:
        cells = map(frame.column, range(len(frame.schema)))
        columns = tuple(team.map(summary, frame.schema.columns, cells))
    return Profile(len(frame), columns, tuple(findings(Compared.of(frame), columns)))


def _cells(column: ColumnProfile) -> tuple[str, ...]:
    missing = f"{column.n_missing} ({column.missing_share:.1%})" if column.n_missing else "0"
    return column.name, column.kind, column.role, missing, str(column.n_distinct), _values(column)


def _values(column: ColumnProfile) -> str:
    if column.spread is not None:
        s = column.spread
        most = max(s.counts)
        # Rounded up, so that one value in a bin is seen beside bins with thousands.
        bars = "".join(BLOCKS[-(-8 * count // most)] for count in s.counts)
        if column.dates:
            return f"{column.dates}  {bars}"
        return f"{s.low:g} to {s.high:g}, median {s.median:g}, mean {s.mean:g}, sd {s.sd:g}  {bars}"
    return ", ".join(f"{level} ({count})" for level, count in column.frequent[:5])

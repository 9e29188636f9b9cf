"""Means with their intervals side by side: one scale for a page, the same picture in characters."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import isfinite
from statistics import median

from hornbook.display._printable import printable

__all__ = ["IntervalRow", "interval_lines", "interval_scale"]

FAR = 4.0  # times as far from the best as half of the rows: where the scale ends
LEAST = 20  # characters of the scale
LONGEST = 34  # characters of a name


@dataclass(frozen=True)
class IntervalRow:
    """One row: a name, a mean and its interval.

    Parameters
    ----------
    name : str
        Its name.
    estimate, low, high : float
        The mean, and the ends of its interval.
    mark : str
        The character that marks the mean.
    """

    name: str
    estimate: float
    low: float
    high: float
    mark: str = "●"


def interval_scale(rows: Sequence[IntervalRow]) -> tuple[float, float]:
    """Return the ends of a scale on which the rows near the first one can be told apart.

    One row that is far off would press all others into a corner, so the scale ends before it.

    Parameters
    ----------
    rows : sequence of IntervalRow
        At least one, the best first.

    Examples
    --------
    >>> near, far = IntervalRow("a", 1.0, 0.5, 1.5), IntervalRow("b", 90.0, 80.0, 99.0)
    >>> interval_scale([near, IntervalRow("c", 2.0, 1.0, 3.0), far])
    (0.5, 5.0)
    """
    low, high = min(row.low for row in rows), max(row.high for row in rows)
    best = rows[0].estimate
    reach = FAR * median(abs(row.estimate - best) for row in rows)
    reach = max(reach, rows[0].high - best, best - rows[0].low)
    low, high = max(low, best - reach), min(high, best + reach)
    if low == high:
        pad = abs(low) / 10 or 1.0
        return low - pad, high + pad
    return low, high


def interval_lines(rows: Sequence[IntervalRow], *, width: int = 80, digits: int = 3) -> list[str]:
    r"""Return the rows as lines of text: name, mean, and the interval on a common scale.

    Parameters
    ----------
    rows : sequence of IntervalRow
        The best first.
    width : int, default 80
        Characters of a line.
    digits : int, default 3
        Significant digits of the means.

    Returns
    -------
    list of str
        One line for each row, and the scale. An arrow says that an interval goes on beyond it.

    Examples
    --------
    >>> rows = [IntervalRow("tree", 0.2, 0.1, 0.3), IntervalRow("rule", 0.6, 0.4, 0.9, "○")]
    >>> print("\n".join(interval_lines(rows, width=40)))
    tree  0.2 ├───●──┤
    rule  0.6            ├──────○──────────┤
              0.1                        0.9
    """
    if not rows:
        return []
    names = [_short(printable(row.name)) for row in rows]
    values = [f"{row.estimate:.{digits}g}" for row in rows]
    left, middle = max(map(len, names)), max(map(len, values))
    across = max(LEAST, width - left - middle - 3)
    low, high = interval_scale(rows)
    lines = [
        f"{name:<{left}}  {value:>{middle}} {_drawn(row, low, high, across)}".rstrip()
        for name, value, row in zip(names, values, rows, strict=True)
    ]
    ends = f"{low:.{digits}g}", f"{high:.{digits}g}"
    scale = ends[0] + ends[1].rjust(across - len(ends[0]))
    return [*lines, f"{'':<{left + 2}}{'':>{middle}} {scale}".rstrip()]


def _short(name: str) -> str:
    return name if len(name) <= LONGEST else f"{name[: LONGEST - 1]}…"


def _drawn(row: IntervalRow, low: float, high: float, across: int) -> str:
    def place(value: float) -> int:
        share = (value - low) / (high - low) if isfinite(value) else float(value > 0)
        return round(min(max(share, 0.0), 1.0) * (across - 1))

    first, dot, last = place(row.low), place(row.estimate), place(row.high)
    line = [" "] * across
    line[first : last + 1] = "─" * (last + 1 - first)
    if last > first:
        line[first] = "←" if row.low < low else "├"
        line[last] = "→" if row.high > high else "┤"
    line[dot] = row.mark
    if row.estimate > high:
        line[-1] = "→"
    elif row.estimate < low:
        line[0] = "←"
    return "".join(line)

"""Where lines end, where fields end, and what quotation marks hide."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

__all__ = ["Lines", "last_line_end", "line_table", "without_blank_lines"]

NEWLINE, RETURN = ord("\n"), ord("\r")


@dataclass(frozen=True)
class Lines:
    """The lines of some text: where each starts and ends (at its newline), and how many delimiters it has."""

    starts: NDArray[np.intp]
    ends: NDArray[np.intp]
    delimiters: NDArray[np.intp]
    blank: NDArray[np.bool_]


def line_table(data: bytes, delimiter: str, quote: str | None) -> Lines:
    """Find the lines of text that ends with a newline; nothing between quotation marks counts."""
    # Quoting as in RFC 4180, which allows newlines inside quotation marks.
    cells = np.frombuffer(data, dtype=np.uint8)
    newlines, delimiters = cells == NEWLINE, cells == ord(delimiter)
    if quote is not None and quote.encode() in data:
        # A doubled quotation mark inside a cell closes and opens it again, so parity needs no special case.
        outside = np.cumsum(cells == ord(quote)) % 2 == 0
        newlines &= outside
        delimiters &= outside
    ends = np.flatnonzero(newlines)
    starts = np.concatenate([[0], ends[:-1] + 1]).astype(np.intp)[: len(ends)]
    before = np.searchsorted(np.flatnonzero(delimiters), ends)
    blank = (ends == starts) | ((ends == starts + 1) & (cells[starts] == RETURN))
    return Lines(starts, ends, np.diff(before, prepend=0).astype(np.intp), blank)


def without_blank_lines(data: bytes, delimiter: str, quote: str | None) -> bytes:
    """Leave out lines with nothing in them."""
    if data[:1] not in (b"\n", b"\r") and b"\n\n" not in data and b"\n\r\n" not in data:
        return data
    lines = line_table(data, delimiter, quote)
    kept = np.ones(len(data), dtype=np.bool_)
    kept[lines.starts[lines.blank]] = False
    kept[lines.ends[lines.blank]] = False
    return np.frombuffer(data, dtype=np.uint8)[kept].tobytes()


def last_line_end(data: bytes, quote: str | None) -> int:
    """Position after the last newline that is not between quotation marks; 0 if there is none."""
    end = data.rfind(b"\n") + 1
    mark = None if quote is None else quote.encode()
    if mark is None or mark not in data:
        return end
    before = data.count(mark, 0, end)
    while end and before % 2:
        previous = data.rfind(b"\n", 0, end - 1) + 1
        before -= data.count(mark, previous, end)
        end = previous
    return end

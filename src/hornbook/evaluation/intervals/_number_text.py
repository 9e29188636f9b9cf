"""Numbers as text that never contradicts the decisions made with them."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from typing import Any

from hornbook.display import plain_data

__all__ = ["decimals_for", "fixed", "plain", "significant"]

_MOST_DIGITS = 17  # enough to identify any double


def _side(value: float, reference: float) -> int:
    return (value > reference) - (value < reference)


def _faithful(value: float, texts: Iterator[str], references: Iterable[float]) -> str:
    """Return the first text that lies on the same side of every reference as the value itself."""
    sides = [(reference, _side(value, reference)) for reference in references]
    return next(
        # Rounding must not turn 0.0496 < 0.05 into the text "0.05 <= 0.05": digits are added until it
        # does not.
        (text for text in texts if all(_side(float(text), number) == side for number, side in sides)),
        repr(value),
    )


def significant(value: float, digits: int = 3, references: Iterable[float] = ()) -> str:
    """Format a number with a few significant digits, and more where rounding would cross a reference.

    Parameters
    ----------
    value : float
        The number.
    digits : int, default 3
        Significant digits, at least.
    references : iterable of float, default ()
        Numbers the value is compared with; the rounded one lies on the same side of each.

    Returns
    -------
    str
        The text.

    Examples
    --------
    >>> significant(0.04996), significant(0.04996, references=[0.05])
    ('0.05', '0.04996')
    """
    number = float(value) + 0.0  # no minus sign before a zero
    return _faithful(number, (f"{number:.{n}g}" for n in range(digits, _MOST_DIGITS)), references)


def fixed(value: float, decimals: int, references: Iterable[float] = ()) -> str:
    """Format a number with fixed decimals, and more where rounding would cross a reference.

    Parameters
    ----------
    value : float
        The number.
    decimals : int
        Decimals, at least.
    references : iterable of float, default ()
        Numbers the value is compared with; the rounded one lies on the same side of each.

    Returns
    -------
    str
        The text.

    Examples
    --------
    >>> fixed(0.0004, 2), fixed(0.0004, 2, references=[0.0])
    ('0.00', '0.0004')
    """
    number = float(value) + 0.0
    # from 1e15 on, decimals would be digits that a double does not have
    if not math.isfinite(number) or abs(number) >= 1e15 or decimals > _MOST_DIGITS:
        return significant(number, 3, references)
    return _faithful(number, (f"{number:.{n}f}" for n in range(decimals, _MOST_DIGITS + 1)), references)


def decimals_for(width: float) -> int:
    """Return how many decimals show two digits of a width."""
    if not (math.isfinite(width) and width > 0):
        return 3
    # Two digits of a width w are at most 0.1 w apart: one decimal beyond its leading digit.
    return max(0, 1 - math.floor(math.log10(width)))


def plain(value: Any) -> Any:
    """Return data that JSON can store: infinities become the strings "inf" and "-inf"."""
    return plain_data(value, infinite=str)

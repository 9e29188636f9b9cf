"""Numbers and names for readers: few digits, units, and no rounding across a limit."""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import Any

import numpy as np

__all__ = ["count_text", "decimals_of", "number_text", "p_text", "seconds_text", "truncated"]

_MOST_DIGITS = 17  # enough to identify any double
_THIN = "\u202f"  # a thin space that does not break


def number_text(value: Any, digits: int = 4) -> str:
    """Format a number with a few significant digits and a proper minus sign."""
    value = value.item() if isinstance(value, np.generic) else value
    if isinstance(value, float):
        whole = value.is_integer() and abs(value) < 1e6
        return (f"{value:.0f}" if whole else f"{value:.{digits}g}").replace("-", "\u2212")
    return "" if value is None else str(value)


def count_text(value: float | None) -> str:
    """Format a count in groups of three digits."""
    return "" if value is None else f"{value:,.0f}".replace(",", _THIN)


def decimals_of(widths: Iterable[float], most: int = 6) -> int:
    """Return how many decimals show two digits of the smallest of these widths."""
    known = [width for width in widths if math.isfinite(width) and width > 0]
    return min(most, max(0, 1 - math.floor(math.log10(min(known))))) if known else 3


def p_text(p: float | None, alpha: float) -> str:
    """Format a p-value so that it lies on the right side of alpha: never 0.05 for 0.0501."""
    if p is None:
        return ""
    if p < 0.001 and alpha > 0.001:
        return "< 0.001"
    texts = (f"{p:.{digits}g}" for digits in range(2, _MOST_DIGITS))
    return next((text for text in texts if (float(text) <= alpha) == (p <= alpha)), repr(p))


def seconds_text(value: float | None) -> str:
    """Format a time with a suitable unit."""
    if value is None or not math.isfinite(value):
        return ""
    if value < 0.9995:
        return f"{1000 * value:.3g} ms"
    if value < 60:
        return f"{value:.3g} s"
    minutes, seconds = divmod(round(value), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours} h {minutes} min" if hours else f"{minutes} min {seconds} s"


def truncated(text: str, longest: int) -> str:
    """Cut the end of a long text; an ellipsis marks it."""
    return text if len(text) <= longest else f"{text[: longest - 1]}…"

"""A statistic that the caller wrote: its number, and whether it takes many samples at once."""

from __future__ import annotations

import inspect
import math
from collections.abc import Callable
from typing import Any

__all__ = ["Statistic", "as_number", "takes_axis"]

Statistic = Callable[..., Any]


def takes_axis(statistic: Statistic) -> bool:
    """Whether a function says that it works along an axis."""
    try:
        return "axis" in inspect.signature(statistic).parameters
    except (TypeError, ValueError):
        return False


def as_number(function: str, value: Any) -> float:
    """Return what a statistic gave back, when it is a finite number."""
    try:
        number = float(value)
    except (TypeError, ValueError):
        number = math.nan
    if math.isfinite(number):
        return number
    raise ValueError(f"{function}: 'statistic' must return a finite number; got {value!r}.")

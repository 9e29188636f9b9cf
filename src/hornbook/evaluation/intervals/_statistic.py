"""Statistics passed as functions: their result, and whether they are vectorized."""

from __future__ import annotations

import inspect
import math
from collections.abc import Callable
from typing import Any

__all__ = ["Statistic", "as_number", "takes_axis"]

Statistic = Callable[..., Any]


def takes_axis(statistic: Statistic) -> bool:
    """Return whether a function has a parameter `axis`."""
    try:
        return "axis" in inspect.signature(statistic).parameters
    # Built-in functions may have no signature; they are then called once per resample.
    except (TypeError, ValueError):
        return False


def as_number(function: str, value: Any) -> float:
    """Return the result of a statistic if it is a finite number; raise otherwise."""
    try:
        number = float(value)
    except (TypeError, ValueError):
        number = math.nan
    if math.isfinite(number):
        return number
    raise ValueError(f"{function}: 'statistic' must return a finite number; got {value!r}.")

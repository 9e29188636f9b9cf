"""Chosen settings as text."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

__all__ = ["range_text", "setting_text"]


def setting_text(setting: Mapping[str, Any]) -> str:
    """Write a setting as it would be typed.

    Parameters
    ----------
    setting : mapping of str to object
        Values by the names of parameters.

    Examples
    --------
    >>> setting_text({"n_neighbors": 7}), setting_text({"alpha": 0.05})
    ('n_neighbors=7', 'alpha=0.05')
    """
    return ", ".join(f"{name}={_value(value)}" for name, value in setting.items())


def range_text(values: Sequence[Any]) -> str:
    """Say from where to where values go.

    Parameters
    ----------
    values : sequence of int or float
        What was chosen, fold by fold.

    Examples
    --------
    >>> range_text([7, 5, 11, 7]), range_text([7, 7]), range_text([])
    ('5 to 11', '7', '')
    """
    if not values:
        return ""
    low, high = min(values), max(values)
    return _value(low) if low == high else f"{_value(low)} to {_value(high)}"


def _value(value: Any) -> str:
    return f"{value:g}" if isinstance(value, int | float) else str(value)

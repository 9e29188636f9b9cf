"""Input checks of intervals and tests, with the same messages everywhere."""

from __future__ import annotations

import math
import operator
from collections.abc import Sequence
from typing import Any, Literal

import numpy as np
from numpy.typing import ArrayLike

from hornbook.params import Floats, ParameterError, suggest

__all__ = [
    "Alternative",
    "Divisor",
    "differences",
    "finite",
    "finite_number",
    "mean_and_deviation",
    "numbers",
    "one_of",
    "positive",
    "ranking_keys",
    "share",
    "whole",
]

Alternative = Literal["two-sided", "less", "greater"]
Divisor = Literal["n-1", "n"]

_ROUNDING = 8 * float(np.finfo(np.float64).eps)  # a few operations on each score


def numbers(function: str, name: str, values: ArrayLike, *, least: int = 1, of: str = "values") -> Floats:
    """Return one column of finite numbers; reject anything else."""
    try:
        raw = np.asarray(values)
        # a complex number would lose its imaginary part
        column = raw.astype(np.float64, copy=False, casting="unsafe" if raw.dtype.kind != "c" else "safe")
    except (TypeError, ValueError):
        raise ValueError(f"{function}: '{name}' must be numbers; got {_shown(values)}.") from None
    if column.ndim != 1:
        raise ValueError(
            f"{function}: '{name}' must be one column of numbers; got an array of shape {column.shape}."
        )
    if len(column) < least:
        raise ValueError(f"{function}: '{name}' must have at least {least} {of}; got {len(column)}.")
    finite(function, name, column)
    return column


def finite(function: str, name: str, array: Floats) -> None:
    """Reject NaN and infinity, and report where the first is."""
    wrong = np.argwhere(~np.isfinite(array))
    if len(wrong):
        place = tuple(int(i) for i in wrong[0])
        raise ValueError(
            f"{function}: '{name}' must be finite numbers; got {array[place]} at position "
            f"{place[0] if len(place) == 1 else place}, leave such cases out on both sides."
        )


def differences(
    function: str, first: ArrayLike, second: ArrayLike | None, *, least: int = 2, of: str = "folds"
) -> Floats:
    """Return first - second, or `first` itself when it holds the differences already.

    A difference within the rounding error of the two scores becomes 0: sums of the same numbers in another
    order must not look like a small but consistent difference.
    """
    one = numbers(function, "first", first, least=least, of=of)
    if second is None:
        return one
    two = numbers(function, "second", second)
    if len(one) != len(two):
        raise ValueError(
            f"{function}: 'first' and 'second' must be scores of the same {of}; "
            f"got {len(one)} and {len(two)}."
        )
    diff = one - two
    # 0.9 - 0.8 and 0.8 - 0.7 differ in the last bit; such residue would count as a win in rank and
    # sign tests, and as variance in a t-test.
    diff[np.abs(diff) <= _ROUNDING * np.maximum(np.abs(one), np.abs(two))] = 0.0
    return diff


def mean_and_deviation(values: Floats, divisor: Divisor = "n-1") -> tuple[float, float]:
    """Return the mean and the standard deviation of at least two numbers, or of one with divisor n."""
    largest = float(np.abs(values).max())
    if values.min() == values.max():
        return float(values[0]), 0.0  # exactly, not a rounding error that looks significant
    power = math.frexp(largest)[1]  # scaling by a power of two is exact and keeps the squares in range
    scaled = np.ldexp(values, -power)
    mean = float(scaled.mean())
    # Degrees of freedom; a single number only comes with divisor n.
    rest = len(values) - (divisor == "n-1")
    deviation = math.sqrt(float(np.sum((scaled - mean) ** 2)) / rest)
    return math.ldexp(mean, power), math.ldexp(deviation, power)


def share(function: str, name: str, value: Any) -> float:
    """Return a number strictly between 0 and 1."""
    if _is_number(value) and 0 < value < 1:
        return float(value)
    raise ParameterError(f"{function}: '{name}' must be a number in (0, 1); got {_shown(value)}.")


def positive(function: str, name: str, value: Any, *, zero: bool = False) -> float:
    """Return a finite number above 0 (or, with `zero`, not below it)."""
    if _is_number(value) and (value > 0 or (zero and value == 0)) and math.isfinite(value):
        return float(value)
    raise ParameterError(
        f"{function}: '{name}' must be a number in {'[' if zero else '('}0, inf); got {_shown(value)}."
    )


def finite_number(function: str, name: str, value: Any) -> float:
    """Return a number that is neither NaN nor infinite."""
    if _is_number(value) and math.isfinite(value):
        return float(value)
    raise ParameterError(f"{function}: '{name}' must be a finite number; got {_shown(value)}.")


def ranking_keys(values: Floats) -> Floats:
    """Return numbers to rank by: values that differ by rounding error only become equal.

    A table is processed row by row.
    """
    # 12 digits of the largest value: far above rounding error, far below a difference that matters
    largest = np.abs(values).max(axis=-1, keepdims=True, initial=0.0)
    # Adding 0.0 turns -0.0 into 0.0, which np.unique and == would treat alike but text would not.
    return np.asarray(np.round(values / np.where(largest > 0, largest, 1.0), 12) + 0.0)


def whole(function: str, name: str, value: Any, *, least: int) -> int:
    """Return an integer of at least `least`."""
    try:
        # True is an integer in Python, but never meant as a count
        number = -1 if isinstance(value, bool | np.bool_) else operator.index(value)
    except TypeError:
        number = least - 1
    if number >= least:
        return number
    raise ParameterError(f"{function}: '{name}' must be an integer of at least {least}; got {_shown(value)}.")


def one_of(function: str, name: str, value: Any, allowed: Sequence[str]) -> None:
    """Reject a word that is not in the list."""
    if value not in allowed:
        listed = ", ".join(f"'{word}'" for word in allowed)
        hint = suggest(value, allowed) if isinstance(value, str) else ""
        raise ParameterError(f"{function}: '{name}' must be one of {listed}; got {_shown(value)}.{hint}")


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float | np.integer | np.floating) and not isinstance(value, bool)


def _shown(value: Any) -> str:
    text = " ".join(repr(value.item() if isinstance(value, np.generic) else value).split())
    return text if len(text) <= 60 else f"{text[:60]}..."

"""The one rule for 0 / 0 in a measure."""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from typing import Literal

import numpy as np

from hornbook.frame import Label
from hornbook.params import Floats

__all__ = ["ZeroDivision", "ratios"]

ZeroDivision = Literal["warn"] | float


def ratios(
    function: str,
    names: Sequence[Label],
    numerator: Floats,
    denominator: Floats,
    zero_division: ZeroDivision,
    *,
    stacklevel: int = 4,
) -> Floats:
    """Divide; 0 / 0 is the chosen value, or 0 with one warning that names the classes."""
    if zero_division != "warn" and not (isinstance(zero_division, int | float) and 0 <= zero_division <= 1):
        raise ValueError(
            f"{function}: 'zero_division' must be 'warn' or a number in [0, 1]; got {zero_division!r}."
        )
    empty = denominator == 0
    if empty.any() and zero_division == "warn":
        absent = [name for name, none in zip(names, empty, strict=True) if none]
        shown = ", ".join(repr(name) for name in absent[:5]) + (" and others" if len(absent) > 5 else "")
        warnings.warn(
            f"{function} of {shown} is 0 / 0 because no row counts, and is set to 0; "
            "choose another value with 'zero_division'.",
            UserWarning,
            stacklevel=stacklevel,
        )
    value = 0.0 if zero_division == "warn" else float(zero_division)
    # Where the divisor is 0 the chosen value stays from `out`; no warning of NumPy is raised.
    return np.asarray(np.divide(numerator, denominator, out=np.full(len(denominator), value), where=~empty))

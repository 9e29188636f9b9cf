"""Truth, predictions and weights as checked arrays: one value per row, none missing."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from hornbook.params import Floats

__all__ = ["label_column", "number_column", "score_table", "weight_column"]


def _array(function: str, name: str, values: Any) -> NDArray[Any]:
    try:
        return np.asarray(values.to_numpy() if hasattr(values, "to_numpy") else values)
    except ValueError:
        raise ValueError(f"{function}: the rows of '{name}' must all have the same length.") from None


def _column(function: str, name: str, values: Any) -> NDArray[Any]:
    array = _array(function, name, values)
    if array.ndim == 2 and array.shape[1] == 1:
        array = array[:, 0]
    if array.ndim != 1:
        raise ValueError(
            f"{function}: '{name}' must be one column with a value for each row; got shape {array.shape}."
        )
    if not len(array):
        raise ValueError(f"{function}: '{name}' must have at least one row; got none.")
    return array


def _same_length(function: str, name: str, array: NDArray[Any], n_rows: int | None) -> None:
    if n_rows is not None and len(array) != n_rows:
        raise ValueError(
            f"{function}: '{name}' must have one value for each of the {n_rows} rows of 'y_true'; "
            f"got {len(array)}."
        )


def label_column(function: str, name: str, values: Any, n_rows: int | None = None) -> NDArray[Any]:
    """Return class labels: text, booleans or integers, one per row."""
    array = _column(function, name, values)
    _same_length(function, name, array, n_rows)
    if array.dtype.kind == "f":
        _refuse_fractions(function, name, array)
    elif array.dtype == object:
        _refuse_missing(function, name, array)
    elif array.dtype.kind not in "biuUS":
        raise ValueError(
            f"{function}: '{name}' must hold text, whole numbers or booleans as labels; got {array.dtype}."
        )
    return array


def _refuse_fractions(function: str, name: str, array: NDArray[Any]) -> None:
    odd = array != np.floor(array)  # true for NaN, too
    odd |= np.isinf(array)
    if odd.any():
        row = int(odd.argmax())
        raise ValueError(
            f"{function}: '{name}' must hold class labels; got {array[row]} in row {row}: "
            "drop rows without a label, and cut scores into classes first (hornbook.evaluation.classify)."
        )


def _refuse_missing(function: str, name: str, array: NDArray[Any]) -> None:
    values = array.tolist()
    try:
        # Over the distinct values: a column of a million labels has few of them.
        missing = any(map(_is_missing, set(values)))
    except TypeError:
        raise ValueError(
            f"{function}: '{name}' must hold text, numbers or booleans as labels; got other objects."
        ) from None
    if missing:
        row = next(i for i, value in enumerate(values) if _is_missing(value))
        raise ValueError(f"{function}: '{name}' has no label in row {row}: drop the rows without one.")


def _is_missing(value: Any) -> bool:
    """Return whether a value is None, NaN, or one that cannot be compared with itself, like pandas.NA."""
    try:
        return value is None or bool(value != value)  # noqa: PLR0124 - NaN
    # pandas.NA refuses to be a truth value.
    except TypeError:
        return True


def number_column(function: str, name: str, values: Any, n_rows: int | None = None) -> Floats:
    """Return finite numbers, one per row."""
    array = _column(function, name, values)
    _same_length(function, name, array, n_rows)
    return _numbers(function, name, array)


def score_table(function: str, name: str, values: Any, n_rows: int, *, infinite: bool = False) -> Floats:
    """Return scores of rows: one column, or one for each class."""
    array = _array(function, name, values)
    if array.ndim not in (1, 2) or 0 in array.shape:
        raise ValueError(
            f"{function}: '{name}' must have one score for each row, or a column for each class; "
            f"got shape {array.shape}."
        )
    _same_length(function, name, array, n_rows)
    numbers = _numbers(function, name, array, infinite=infinite)
    return numbers[:, 0].copy() if numbers.ndim == 2 and numbers.shape[1] == 1 else numbers


def _numbers(function: str, name: str, array: NDArray[Any], *, infinite: bool = False) -> Floats:
    """Return numbers without NaN and, unless they are allowed, infinities."""
    if array.dtype.kind not in "biufO":
        raise ValueError(f"{function}: '{name}' must hold numbers; got {array.dtype}.")
    try:
        numbers = np.ascontiguousarray(array, dtype=np.float64)
    except (TypeError, ValueError):
        raise ValueError(f"{function}: '{name}' must hold numbers; got other objects.") from None
    # A finite sum means that all are finite, and is much faster than checking each.
    with np.errstate(over="ignore", invalid="ignore"):
        if np.isfinite(numbers.sum()):
            return numbers
    odd = np.isnan(numbers) if infinite else ~np.isfinite(numbers)
    if odd.any():
        place = np.unravel_index(int(odd.argmax()), odd.shape)
        raise ValueError(
            f"{function}: '{name}' must hold {'numbers' if infinite else 'finite numbers'}; "
            f"got {numbers[place]} in row {place[0]}: drop that row or repair its value."
        )
    return numbers


def weight_column(function: str, values: Any, n_rows: int) -> Floats | None:
    """Return weights of the rows, or None when every row counts once."""
    if values is None:
        return None
    weights = number_column(function, "sample_weight", values, n_rows)
    if (weights < 0).any():
        row = int((weights < 0).argmax())
        raise ValueError(
            f"{function}: 'sample_weight' must not be negative; got {weights[row]} in row {row}."
        )
    if not weights.any():
        raise ValueError(
            f"{function}: 'sample_weight' is zero for every row; give at least one a positive weight."
        )
    return weights

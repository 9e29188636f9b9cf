"""Points of a grid as a table of the same make as the data, so that a fitted learner takes them."""

from __future__ import annotations

from typing import Any

import narwhals as nw
import numpy as np
from numpy.typing import NDArray

from hornbook.frame import Frame, as_frame

__all__ = ["grid_like", "numeric_columns", "span"]

MARGIN = 0.05  # of the range, on each side


def numeric_columns(function: str, X: Any, count: int) -> tuple[NDArray[np.float64], tuple[str, ...]]:
    """Return the columns of a table with this many numeric columns, and their names ("" for an array)."""
    frame = as_frame(X).features
    if len(frame.schema) != count or len(frame.schema.numeric) != count:
        raise ValueError(
            f"{function}: X must have {count} numeric column{'s' * (count != 1)}; got "
            f"{len(frame.schema.numeric)} numeric and {len(frame.schema.coded)} other columns."
        )
    if not len(frame) or not np.isfinite(frame.matrix).all():
        raise ValueError(f"{function}: X must have at least one row and no missing or infinite cell.")
    return frame.matrix, frame.schema.names if frame.schema.named else ("",) * count


def span(values: NDArray[np.float64], count: int) -> NDArray[np.float64]:
    """Return evenly spaced points from a little below the least to a little above the greatest value."""
    low, high = float(values.min()), float(values.max())
    margin = MARGIN * (high - low) or 1.0
    return np.linspace(low - margin, high + margin, count)


def grid_like(X: Any, columns: NDArray[np.float64]) -> Any:
    """Return points, one row each, as a table of the same make and with the same names as X."""
    if isinstance(X, Frame):
        return Frame({name: columns[:, j] for j, name in enumerate(X.features.schema.names)})
    native = nw.from_native(X, eager_only=True, pass_through=True)
    if not isinstance(native, nw.DataFrame):
        return columns
    named = {name: columns[:, j] for j, name in enumerate(native.columns)}
    return nw.from_dict(named, backend=native.implementation).to_native()

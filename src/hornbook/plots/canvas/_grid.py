"""Rows in the plane or on a line, and grid points as a table of the same type as the data."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import narwhals as nw
import numpy as np
from numpy.typing import ArrayLike, NDArray

from hornbook.frame import Frame, as_frame

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = ["PlacedRows", "grid_like", "placed_rows", "span"]

MARGIN = 0.05  # of the range, on each side


@dataclass(frozen=True)
class PlacedRows:
    """The rows that can be drawn: complete ones, with their targets.

    Parameters
    ----------
    points : ndarray of shape (n_complete, n_columns)
        Their numbers.
    y : ndarray of shape (n_complete,)
        Their targets.
    names : tuple of str
        Names of the columns, "" for those of an array.
    left_out : int
        Rows with a missing cell.
    """

    points: NDArray[np.float64]
    y: NDArray[Any]
    names: tuple[str, ...]
    left_out: int

    def say_left_out(self, ax: Axes) -> None:
        """Write above the plot how many rows are not in it."""
        if self.left_out:
            total = self.left_out + len(self.points)
            ax.set_title(f"{self.left_out} of {total} rows have missing values", loc="right", fontsize=9)


def placed_rows(function: str, X: Any, y: ArrayLike, count: int, what: str) -> PlacedRows:
    """Return the complete rows of a table with this many numeric columns; `what` a target is."""
    frame = as_frame(X).features
    if len(frame.schema) != count or len(frame.schema.numeric) != count:
        raise ValueError(
            f"{function}: X must have {count} numeric column{'s' * (count != 1)}; got "
            f"{len(frame.schema.numeric)} numeric and {len(frame.schema.coded)} other columns."
        )
    targets, matrix = np.asarray(y), frame.matrix
    if targets.shape != (len(matrix),):
        raise ValueError(
            f"{function}: 'y' must have one {what} for each of the {len(matrix)} rows of X; got shape "
            f"{targets.shape}."
        )
    complete = ~np.isnan(matrix).any(axis=1)
    if not complete.any() or not np.isfinite(matrix[complete]).all():
        raise ValueError(
            f"{function}: X must have at least one row without a missing cell and no infinite cell."
        )
    names = frame.schema.names if frame.schema.named else ("",) * count
    return PlacedRows(matrix[complete], targets[complete], names, int((~complete).sum()))


def span(values: NDArray[np.float64], count: int) -> NDArray[np.float64]:
    """Return evenly spaced points from a little below the least to a little above the greatest value."""
    low, high = float(values.min()), float(values.max())
    # A single value has no range: one unit on each side.
    margin = MARGIN * (high - low) or 1.0
    return np.linspace(low - margin, high + margin, count)


def grid_like(X: Any, columns: NDArray[np.float64]) -> Any:
    """Return points, one row each, as a table of the same type and with the same names as X."""
    if isinstance(X, Frame):
        return Frame.from_columns(X.features.schema, columns)
    native = nw.from_native(X, eager_only=True, pass_through=True)
    if not isinstance(native, nw.DataFrame):
        return columns
    named = {name: columns[:, j] for j, name in enumerate(native.columns)}
    return nw.from_dict(named, backend=native.implementation).to_native()

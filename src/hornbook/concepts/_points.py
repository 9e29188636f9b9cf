"""Points as an array of numbers."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from hornbook.frame import as_frame, require_rows_and_columns

__all__ = ["points_of"]


def points_of(function: str, X: Any) -> NDArray[np.float64]:
    """Return the rows of a table of complete numbers."""
    frame = as_frame(X).features
    require_rows_and_columns(frame)
    for column in frame.schema.columns:
        if column.kind != "numeric":
            raise ValueError(
                f"{function}: column {column.name!r} is {column.kind}, but points have numbers: encode it "
                "with hornbook.Encoder, or leave it out."
            )
    points = frame.matrix
    if not np.isfinite(points).all():
        row = int(np.argwhere(~np.isfinite(points))[0, 0])
        raise ValueError(f"{function}: row {row} has missing or infinite cells: correct it, or leave it out.")
    return points

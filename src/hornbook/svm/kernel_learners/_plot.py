"""Plots of weighted sums of kernel values: boundary or curve among rows, else the largest coefficients."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from hornbook.base import draw_beside_rows, in_plane, on_line
from hornbook.frame import Frame
from hornbook.params import Floats
from hornbook.plots import bars, boundaries, fits

__all__ = ["draw_classifier", "draw_regressor"]

MOST_BARS = 15


def _draw_coefficients(coef: Floats, rows: NDArray[Any], ax: Any) -> Any:
    size = np.abs(coef).max(axis=1)
    order = np.argsort(-size, kind="stable")[:MOST_BARS]
    of = "" if len(order) == len(size) else f", the largest {len(order)} of {len(size)}"
    values = coef[order, 0] if coef.shape[1] == 1 else size[order]
    return bars(values, [f"row {rows[i]}" for i in order], ax, title=f"Coefficients of training rows{of}")


def draw_classifier(model: Any, coef: Floats, kept: NDArray[Any], rows: Frame | None, y: Any, ax: Any) -> Any:
    """Draw the boundary among points of the plane, else the largest coefficients beside the rows.

    With one direction to project on, the curves of equal coordinate are drawn too.
    """
    if in_plane(rows):
        one_direction = hasattr(model, "transform") and coef.shape[1] == 1
        # One direction can be drawn as heights over the plane; several cannot.
        heights = (lambda table: model.transform(table)[:, 0]) if one_direction else None
        labels = model.predict(rows) if y is None else y
        return boundaries([], rows, labels, ax, bold=model, heights=heights)
    return draw_beside_rows(model, lambda place: _draw_coefficients(coef, kept, place), rows, y, ax)


def draw_regressor(model: Any, coef: Floats, rows: Frame | None, y: Any, ax: Any) -> Any:
    """Draw the curve over one numeric column, else the largest coefficients beside the rows."""
    if coef.shape[1] == 1 and on_line(rows):
        return fits({type(model).__name__: model}, rows, model.predict(rows) if y is None else y, ax)
    numbers = np.arange(len(coef))
    return draw_beside_rows(model, lambda place: _draw_coefficients(coef, numbers, place), rows, y, ax)

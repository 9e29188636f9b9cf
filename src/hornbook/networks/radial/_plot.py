"""Plots of radial basis function networks: regions or a curve with the centers, else the output weights."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from hornbook.base import draw_beside_rows, in_plane, on_line
from hornbook.frame import Frame
from hornbook.plots import bars, boundaries, coefficients, fits

__all__ = ["draw_classes", "draw_numbers"]

Target = NDArray[Any] | None


def draw_classes(model: Any, rows: Frame | None, y: Target, ax: Any) -> Any:
    """Draw the boundary among points of the plane with the centers, else the output weights."""
    if rows is None or not in_plane(rows):
        return draw_beside_rows(model, lambda place: _weights(model, place), rows, y, ax)
    labels = np.asarray(model.predict(rows) if y is None else y)
    ax = boundaries([], rows, labels, ax, bold=model)
    sides = ax.get_xlim(), ax.get_ylim()
    ax.plot(*model.centers_.T, linestyle="none", marker="+", markersize=12, color="black", zorder=5)
    ax.set_xlim(sides[0])
    ax.set_ylim(sides[1])
    return ax


def draw_numbers(model: Any, rows: Frame | None, y: Target, ax: Any) -> Any:
    """Draw the curve of one column with the centers, else the output weights."""
    if rows is None or not on_line(rows):
        return draw_beside_rows(model, lambda place: _weights(model, place), rows, y, ax)
    numbers = np.asarray(model.predict(rows) if y is None else y)
    ax = fits({f"{len(model.centers_)} centers": model}, rows, numbers, ax=ax)
    low, high = ax.get_ylim()
    ax.plot(
        model.centers_[:, 0], np.full(len(model.centers_), low), linestyle="none", marker="|", color="black"
    )
    ax.set_ylim(low, high)
    return ax


def _weights(model: Any, ax: Any) -> Any:
    names = [f"center {i + 1}" for i in range(len(model.centers_))]
    if len(model.coef_) == 1:
        return bars(model.coef_[0], names, ax, title="Output weights")
    return coefficients(model.coef_, names, ax, classes=model.classes_.tolist(), title="Output weights")

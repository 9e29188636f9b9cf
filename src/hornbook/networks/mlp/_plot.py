"""Pictures of multilayer perceptrons."""

from __future__ import annotations

from typing import Any

import numpy as np

from hornbook.base import draw_beside_rows, in_plane
from hornbook.frame import Frame
from hornbook.plots import boundaries, layers

__all__ = ["draw"]


def draw(model: Any, outputs: list[str], rows: Frame | None, y: Any, ax: Any) -> Any:
    """Draw the network; with rows the boundaries of classes in the plane, or what it says of them."""
    if rows is not None and hasattr(model, "classes_") and in_plane(rows):
        labels = np.asarray(model.predict(rows) if y is None else y)
        return boundaries([], rows, labels, ax, bold=model)

    def draw_layers(place: Any) -> Any:
        names = [str(name) for name in model.encoded_names_]
        return layers([W for W, _ in model.network_.split()], inputs=names, outputs=outputs, ax=place)

    return draw_beside_rows(model, draw_layers, rows, y, ax)

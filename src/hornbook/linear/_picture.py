"""The picture of a linear classifier: its boundary in the plane, else its coefficients."""

from __future__ import annotations

from typing import Any

import numpy as np

from hornbook.frame import Schema
from hornbook.plots import Panel, bars, boundaries, class_densities

__all__ = ["draw"]


def draw(model: Any, schema: Schema, X: Any, y: Any, ax: Any) -> Any:
    """Draw the boundary among given points of two numeric columns, else bars of the coefficients."""
    if X is not None and len(schema.numeric) == len(schema.columns) == 2:
        labels = getattr(X, "y", None) if y is None else y
        if labels is None:
            labels = model.predict(X)
        return boundaries([], X, np.asarray(labels), ax, bold=model)
    names = [str(name) for name in model.encoded_names_]
    if len(model.coef_) == 1:
        title = f"Coefficients: log odds of {model.classes_[1]}"
        return bars(model.coef_[0], names, ax=ax, title=title)
    curves = {str(label): row for label, row in zip(model.classes_, model.coef_, strict=True)}
    return class_densities([Panel("coefficients", names, curves, "bars")], ax=ax)

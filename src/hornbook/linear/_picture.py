"""The picture of a linear classifier: its boundary in the plane, else its coefficients."""

from __future__ import annotations

from typing import Any

import numpy as np

from hornbook.base import Floats
from hornbook.frame import Schema
from hornbook.plots import Panel, bars, boundaries, class_densities

__all__ = ["draw", "draw_mapped", "draw_regions", "is_plane", "regions"]


def draw(model: Any, schema: Schema, X: Any, y: Any, ax: Any) -> Any:
    """Draw the boundary among given points of two numeric columns, else bars of the coefficients."""
    if is_plane(schema, X):
        return regions(model, X, y, ax)
    return _coefficients(model, [str(name) for name in model.encoded_names_], ax)


def draw_mapped(model: Any, names: Any, ax: Any) -> Any:
    """Draw bars of the coefficients of a classifier on mapped columns, else its own picture."""
    if hasattr(model, "coef_"):
        return _coefficients(model, [str(name) for name in names], ax)
    if hasattr(model, "plot"):
        return model.plot(ax=ax)
    return bars(np.ones(len(names)), [str(name) for name in names], ax=ax, title="Mapped columns")


def _coefficients(model: Any, names: list[str], ax: Any) -> Any:
    if len(model.coef_) == 1:
        what = "log odds of" if hasattr(model, "predict_proba") else "positive for"
        title = f"Coefficients: {what} {model.classes_[1]}"
        return bars(model.coef_[0], names, ax=ax, title=title)
    curves = {str(label): row for label, row in zip(model.classes_, model.coef_, strict=True)}
    return class_densities([Panel("coefficients", names, curves, "bars")], ax=ax)


def draw_regions(model: Any, schema: Schema, means: Floats, X: Any, y: Any, ax: Any) -> Any:
    """Draw the boundary among given points of two numeric columns, else bars of the means of the classes."""
    if is_plane(schema, X):
        return regions(model, X, y, ax)
    names = [str(name) for name in model.encoded_names_]
    curves = {str(label): row for label, row in zip(model.classes_, means, strict=True)}
    return class_densities([Panel("means", names, curves, "bars")], ax=ax)


def is_plane(schema: Schema, X: Any) -> bool:
    """Whether there are points and they lie in a plane of two numbers."""
    return X is not None and len(schema.numeric) == len(schema.columns) == 2


def regions(model: Any, X: Any, y: Any, ax: Any) -> Any:
    """Draw the boundary of a classifier among points of the plane."""
    labels = getattr(X, "y", None) if y is None else y
    if labels is None:
        labels = model.predict(X)
    return boundaries([], X, np.asarray(labels), ax, bold=model)

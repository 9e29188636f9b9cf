"""The picture of a linear classifier: its boundary in the plane, else its coefficients."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from hornbook.base import Floats
from hornbook.frame import Schema
from hornbook.plots import Panel, bars, boundaries, class_densities, linear_boundary

__all__ = ["draw", "draw_mapped", "draw_means", "draw_regions", "is_plane", "regions"]


def draw(model: Any, schema: Schema, X: Any, y: Any, ax: Any) -> Any:
    """Draw the boundary among given points of two numeric columns, else bars of the coefficients."""
    if is_plane(schema, X):
        return regions(model, X, y, ax)
    return _coefficients(model, [str(name) for name in model.encoded_names_], ax)


def draw_means(model: Any, schema: Schema, X: Any, y: Any, ax: Any) -> Any:
    """Draw the boundary halfway between the means of two classes in the plane, else as `draw`."""
    if not is_plane(schema, X) or len(model.coef_) > 1 or not model.coef_.any():
        return draw(model, schema, X, y, ax)
    return linear_boundary(
        X, _labels(model, X, y), model.coef_[0], -float(model.intercept_[0]), ax, means=True
    )


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
    return boundaries([], X, _labels(model, X, y), ax, bold=model)


def _labels(model: Any, X: Any, y: Any) -> NDArray[Any]:
    """The classes given, or else those the model would say."""
    given = getattr(X, "y", None) if y is None else y
    return np.asarray(model.predict(X) if given is None else given)

"""Plots of linear models: boundary in the plane, coefficients, and contributions of the columns."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from hornbook.base import class_codes, draw_beside_rows, draw_outcomes, in_plane
from hornbook.frame import Frame
from hornbook.params import Floats
from hornbook.plots import (
    bars,
    boundaries,
    class_plane,
    coefficients,
    contributions,
    linear_boundary,
    side_by_side,
    strips,
)

__all__ = [
    "draw",
    "draw_directions",
    "draw_mapped",
    "draw_means",
    "draw_numbers_of_rows",
    "draw_regions",
    "grouped_coefficients",
    "regions",
]

Labels = NDArray[Any] | None


def draw(model: Any, rows: Frame | None, y: Labels, ax: Any) -> Any:
    """Draw the coefficients; with rows the boundary in the plane, or what columns add to their scores."""
    if rows is None:
        return _class_coefficients(model, ax)
    if in_plane(rows):
        return regions(model, rows, y, ax)
    codes, labels = class_codes(model, rows, y), model.classes_.tolist()
    if len(model.coef_) == 1:
        what = "log odds" if hasattr(model, "predict_proba") else "score"
        names, added = column_contributions(model, rows, model.coef_[0])
        return contributions(
            added, names, ax, groups=codes, classes=labels, name=f"added to the {what} of {labels[1]}"
        )
    scores = model._prepared(rows) @ model.coef_.T  # noqa: SLF001 - the learner's own matrix
    plane = _main_plane(scores)
    directions = ("main direction of the scores", "second direction of the scores")
    return class_plane(plane, codes, labels, ax, names=directions)


def draw_directions(model: Any, rows: Frame | None, y: Labels, ax: Any) -> Any:
    """Draw rows on the discriminant axes, as far as there are any; else as `draw`."""
    if rows is None or in_plane(rows) or not model.scalings_.shape[1]:
        return draw(model, rows, y, ax)
    places = (model._prepared(rows) - model.xbar_) @ model.scalings_[:, :2]  # noqa: SLF001
    codes, labels = class_codes(model, rows, y), model.classes_.tolist()
    axis_names = [
        f"discriminant {i + 1} ({share:.0%} of the scatter between classes)"
        for i, share in enumerate(model.explained_variance_ratio_[:2])
    ]
    if places.shape[1] == 1:
        return strips(places[:, 0], codes, labels, ax, name=axis_names[0])
    return class_plane(places, codes, labels, ax, names=(axis_names[0], axis_names[1]))


def draw_means(model: Any, rows: Frame | None, y: Labels, ax: Any) -> Any:
    """Draw the boundary halfway between the means of two classes in the plane, else as `draw`."""
    if rows is None or not in_plane(rows) or len(model.coef_) > 1 or not model.coef_.any():
        return draw(model, rows, y, ax)
    return linear_boundary(
        rows, _labels(model, rows, y), model.coef_[0], -float(model.intercept_[0]), ax, means=True
    )


def draw_mapped(model: Any, names: Any, ax: Any) -> Any:
    """Draw the coefficients of a classifier on mapped columns, else its own plot."""
    if hasattr(model, "coef_"):
        return _named_coefficients(model, [str(name) for name in names], None, ax)
    if hasattr(model, "plot"):
        return model.plot(ax=ax)
    return bars(np.ones(len(names)), [str(name) for name in names], ax=ax, title="Mapped columns")


def draw_regions(model: Any, means: Floats, rows: Frame | None, y: Labels, ax: Any) -> Any:
    """Draw the means of the classes; with rows the boundary in the plane, or how sure the model is."""
    if rows is not None and in_plane(rows):
        return regions(model, rows, y, ax)
    labels = model.classes_.tolist()

    def draw_centers(place: Any) -> Any:
        return grouped_coefficients(model, means, place, classes=labels, name="mean of the class")

    return draw_beside_rows(model, draw_centers, rows, y, ax)


def draw_numbers_of_rows(model: Any, rows: Frame, y: Labels, ax: Any) -> Any:
    """Draw what each column adds to the number of each row, and predicted against true numbers."""
    names, added = column_contributions(model, rows, model.coef_)
    if y is None:
        return contributions(added, names, ax, name="added to the sum")
    left, right = side_by_side(ax, (10.0, 3.6))
    contributions(added, names, left, name="added to the sum")
    draw_outcomes(model, rows, y, right)
    return left


def column_contributions(model: Any, rows: Frame, coef: Floats) -> tuple[list[str], Floats]:
    """Return the columns, and for each row coefficient times difference from the mean, summed by column."""
    X = model._prepared(rows)  # noqa: SLF001 - the learner's own matrix
    # Relative to the mean row, so that a column that hardly varies contributes hardly anything.
    added = (X - X.mean(axis=0)) * coef
    starts = model.encoding_.offsets[:-1]
    used = np.flatnonzero(np.diff(model.encoding_.offsets))  # a column without levels has no encoded ones
    names = [model.encoding_.schema.names[j] for j in used.tolist()]
    return names, np.add.reduceat(added, starts[used], axis=1)


def grouped_coefficients(model: Any, values: Floats, ax: Any, **more: Any) -> Any:
    """Draw numbers of the encoded columns of a model, set apart by column."""
    groups = np.repeat(np.arange(len(model.encoding_.schema)), np.diff(model.encoding_.offsets))
    return coefficients(values, [str(name) for name in model.encoded_names_], ax, groups=groups, **more)


def regions(model: Any, rows: Frame, y: Labels, ax: Any) -> Any:
    """Draw the boundary of a classifier among points of the plane."""
    return boundaries([], rows, _labels(model, rows, y), ax, bold=model)


def _class_coefficients(model: Any, ax: Any) -> Any:
    groups = np.repeat(np.arange(len(model.encoding_.schema)), np.diff(model.encoding_.offsets))
    return _named_coefficients(model, [str(name) for name in model.encoded_names_], groups, ax)


def _named_coefficients(model: Any, names: list[str], groups: NDArray[np.intp] | None, ax: Any) -> Any:
    if len(model.coef_) == 1:
        what = "log odds of" if hasattr(model, "predict_proba") else "positive for"
        title = f"Coefficients: {what} {model.classes_[1]}"
        return coefficients(model.coef_[0], names, ax, groups=groups, title=title)
    return coefficients(model.coef_, names, ax, groups=groups, classes=model.classes_.tolist())


def _main_plane(scores: Floats) -> Floats:
    """Coordinates of rows along the two directions in which their scores vary most."""
    centered = scores - scores.mean(axis=1, keepdims=True)  # only differences between scores decide
    centered = centered - centered.mean(axis=0)
    directions = np.zeros((2, scores.shape[1]))
    # Singular vectors have an arbitrary sign: make the largest entry positive.
    axes = np.linalg.svd(centered, full_matrices=False)[2][:2]
    directions[: len(axes)] = axes * np.sign(axes[np.arange(len(axes)), np.abs(axes).argmax(axis=1)])[:, None]
    return np.asarray(centered @ directions.T)


def _labels(model: Any, rows: Frame, y: Labels) -> NDArray[Any]:
    """The given classes, or else those that the model predicts."""
    return np.asarray(model.predict(rows) if y is None else y)

"""Pictures of support vector machines."""

from __future__ import annotations

from typing import Any

import numpy as np

from hornbook.base import class_codes, draw_beside_rows, draw_outcomes, draw_outlier_scores, in_plane
from hornbook.frame import Frame
from hornbook.plots import bars, boundaries, margins, strips
from hornbook.svm._description import pair_names

__all__ = ["draw_machine", "draw_numbers", "draw_outliers"]

MOST_BARS = 20


def draw_machine(model: Any, rows: Frame | None, y: Any, ax: Any) -> Any:
    """Draw boundary, margins and support vectors in the plane; else scores of rows, or coefficients."""
    if rows is None:
        return draw_support(model, ax)
    labels = np.asarray(model.predict(rows) if y is None else y)
    two = len(model.classes_) == 2 and not hasattr(model, "absent_classes_")
    if in_plane(rows):
        return margins(model, rows, labels, ax) if two else boundaries([], rows, labels, ax, bold=model)
    if not two:
        return draw_outcomes(model, rows, y, ax)
    codes, names = class_codes(model, rows, y), [str(label) for label in model.classes_.tolist()]
    scores = np.asarray(model.decision_function(rows))
    ax = strips(scores, codes, names, ax, name=f"score of {pair_names(model)[0]}")
    for place, style in ((-1.0, ":"), (0.0, "-"), (1.0, ":")):
        ax.axvline(place, color="gray", linestyle=style, linewidth=1.0, zorder=0)
    return ax


def draw_support(model: Any, ax: Any) -> Any:
    """Draw the largest coefficients of support vectors."""
    coef = model.dual_coef_[np.abs(model.dual_coef_).argmax(axis=0), np.arange(model.dual_coef_.shape[1])]
    if not len(coef):  # all rows are within the tube
        return bars(model.intercept_, ["intercept"], ax, title="No support vectors")
    largest = np.argsort(-np.abs(coef), kind="stable")[:MOST_BARS]
    names = [f"row {model.support_[i]}" for i in largest]
    title = f"Coefficients of {len(largest)} of {len(coef)} support vectors"
    return bars(coef[largest], names, ax, title=title)


def draw_numbers(model: Any, rows: Frame | None, y: Any, ax: Any) -> Any:
    """Draw the largest coefficients, and beside them what the machine says of rows."""
    return draw_beside_rows(model, lambda place: draw_support(model, place), rows, y, ax)


def draw_outliers(model: Any, rows: Frame | None, y: Any, ax: Any) -> Any:
    """Draw the scores of rows, by the given groups or by what they are taken for; else coefficients."""
    if rows is None:
        return draw_support(model, ax)
    return draw_outlier_scores(model, rows, y, ax)

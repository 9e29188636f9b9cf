"""Plots of boosted ensembles."""

from __future__ import annotations

from typing import Any

from hornbook.base import draw_beside_rows, in_plane
from hornbook.ensembles.adaboost._boosted import Boosted
from hornbook.ensembles.adaboost._description import counted
from hornbook.plots import boundaries, staged_error

__all__ = ["draw_rounds"]


def draw_rounds(boosted: Boosted, X: Any, y: Any, ax: Any) -> Any:
    """Draw the regions of the classes in a plane; otherwise the errors, round by round."""
    classes = hasattr(boosted, "classes_")
    if in_plane(X) and classes:
        labels = boosted.predict(X) if y is None else y
        title = f"{type(boosted).__name__}, {counted(len(boosted.alphas_), 'round')}"
        return boundaries([], X, labels, ax, bold=boosted, title=title)
    lines = {"of each round, weighted": boosted.estimator_errors_}
    if X is not None and y is not None and classes:  # of numbers, errors have another unit than losses
        lines["of the rounds so far, on these rows"] = boosted.staged_errors(X, y)

    def draw(place: Any) -> Any:
        if not len(boosted.alphas_):  # one class: there is no round
            return staged_error({"of the only class": [0.0]}, members="rounds", ax=place)
        return staged_error(lines, members="rounds", ax=place)

    return draw_beside_rows(boosted, draw, X, y, ax)

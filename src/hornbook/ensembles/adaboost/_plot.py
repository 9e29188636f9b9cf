"""Plots of boosted ensembles."""

from __future__ import annotations

from typing import Any

from hornbook.base import draw_beside_rows, in_plane
from hornbook.plots import boundaries, staged_error

__all__ = ["draw_rounds"]


def draw_rounds(model: Any, X: Any, y: Any, ax: Any) -> Any:
    """Draw the regions of the classes in a plane; otherwise the errors, round by round."""
    if in_plane(X) and hasattr(model, "classes_"):
        labels = model.predict(X) if y is None else y
        return boundaries(
            [], X, labels, ax, bold=model, title=f"{type(model).__name__}, {len(model.alphas_)} rounds"
        )
    lines = {"of each round, weighted": model.estimator_errors_}
    if X is not None and y is not None:
        lines["of the rounds so far, on these rows"] = model.staged_errors(X, y)

    def draw(place: Any) -> Any:
        if not len(model.alphas_):  # one class: there is no round
            return staged_error({"of the only class": [0.0]}, members="rounds", ax=place)
        return staged_error(lines, members="rounds", ax=place)

    return draw_beside_rows(model, draw, X, y, ax)

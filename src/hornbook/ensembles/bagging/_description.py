"""Descriptions and plots of members that answer together."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from hornbook.base import Description, Table, draw_beside_rows, in_plane
from hornbook.ensembles.bagging._committee import Committee
from hornbook.params import Floats
from hornbook.plots import bars, boundaries, staged_error

__all__ = ["describe_members", "draw_members"]

LISTED = 20  # most members that are listed one by one


def describe_members(
    model: Committee, facts: dict[str, Any], columns: dict[str, Sequence[Any]] | None = None
) -> Description:
    """The description of a model: facts, and a line for each of the first members."""
    inner, n_members = type(model._inner()).__name__, len(model.estimators_)  # noqa: SLF001 - of its package
    title = f"{type(model).__name__} of {n_members} {'member' if n_members == 1 else 'members'}"
    facts = {"learner": inner, **facts}
    if model._predicts_classes():  # noqa: SLF001
        facts["vote"] = "one for each member" if model._is_hard() else "mean of the probabilities"  # noqa: SLF001
    if not columns:
        return Description(title, facts)
    lines = zip(range(1, LISTED + 1), *columns.values(), strict=False)
    heading = "Members" if n_members <= LISTED else f"The first {LISTED} members"
    return Description(title, facts, [Table(heading, ["member", *columns], [list(line) for line in lines])])


def draw_members(
    model: Committee, title: str, values: Any, X: Any, y: Any, ax: Any, errors: Floats | None = None
) -> Any:
    """Draw the boundaries of the members in a plane, else errors out of bag, else a bar for each member."""
    if model._predicts_classes() and model._columns(0) is None and in_plane(X):  # noqa: SLF001
        heading = f"{type(model).__name__} (bold) and its {len(model.estimators_)} members"
        labels = model.classes_[model._predict(X)] if y is None else y  # noqa: SLF001
        return boundaries(model.estimators_, X, labels, ax, bold=model, title=heading)

    def draw(place: Any) -> Any:
        if errors is not None:
            return staged_error({"out of bag": errors}, members="members", ax=place)
        return bars(values, range(1, len(values) + 1), ax=place, title=title)

    return draw_beside_rows(model, draw, X, y, ax)

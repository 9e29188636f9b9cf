"""Members in words and pictures: what learners that combine have in common."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from hornbook.base import Description, Table, draw_beside_rows
from hornbook.ensembles.combining._members import kind_of
from hornbook.params import Floats
from hornbook.plots import bars

__all__ = ["draw_weights", "member_description", "members_text"]


def members_text(n: int) -> str:
    """Return how many members there are."""
    return f"{n} member{'s' * (n != 1)}"


def member_description(
    learner: Any, facts: dict[str, Any], names: Sequence[str], head: Sequence[str], *columns: Sequence[Any]
) -> Description:
    """Describe the members, one line each."""
    kinds = [kind_of(member) for member in learner.estimators_]
    rows = [list(row) for row in zip(names, kinds, *columns, strict=True)]
    title = f"{type(learner).__name__} of {members_text(len(kinds))}"
    return Description(title, facts, [Table("Members", ["name", "learner", *head], rows)])


def draw_weights(learner: Any, weights: Floats, names: Sequence[str], X: Any, y: Any, ax: Any) -> Any:
    """Draw the weight of each member, and beside it what the learner says of rows."""
    shares = np.asarray(weights, dtype=np.float64)
    title = "Weights of the members"
    return draw_beside_rows(learner, lambda place: bars(shares, names, ax=place, title=title), X, y, ax)

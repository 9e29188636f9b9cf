"""Members in words and pictures: what learners that combine have in common."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from hornbook.base import Description, Learner, Table, draw_beside_rows
from hornbook.ensembles.combining._members import kind_of
from hornbook.params import Floats
from hornbook.plots import bars

__all__ = ["draw_weights", "member_description", "members_text"]


def members_text(n: int) -> str:
    """Return how many members there are."""
    return f"{n} member{'s' * (n != 1)}"


def member_description(
    owner: str,
    facts: dict[str, Any],
    named: Sequence[tuple[str, Any]],
    head: Sequence[str],
    *columns: Sequence[Any],
) -> Description:
    """Describe the fitted members of a learner, one line each."""
    known = [(name, kind_of(member)) for name, member in named]
    rows = [[*pair, *row] for pair, *row in zip(known, *columns, strict=True)]
    title = f"{owner} of {members_text(len(rows))}"
    return Description(title, facts, [Table("Members", ["name", "learner", *head], rows)])


def draw_weights(learner: Learner, weights: Floats, names: Sequence[str], X: Any, y: Any, ax: Any) -> Any:
    """Draw the weight of each member, and beside it what the learner says of rows."""
    shares = np.asarray(weights, dtype=np.float64)
    title = "Weights of the members"
    return draw_beside_rows(learner, lambda place: bars(shares, names, ax=place, title=title), X, y, ax)

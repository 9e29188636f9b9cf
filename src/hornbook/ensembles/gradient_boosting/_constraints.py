"""Constraints of boosted trees: columns that may be used together."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import combinations
from typing import Any

from hornbook.frame import Schema

__all__ = ["sets_of"]


def sets_of(constraint: Any, schema: Schema, learner: str) -> list[list[int]] | None:
    """The sets of columns, by position, that may be used together on a path; None without any."""
    if constraint is None:
        return None
    every = range(len(schema))
    if constraint == "no_interactions":
        return [[j] for j in every]
    if constraint == "pairwise":
        return [list(pair) for pair in combinations(every, 2)]
    if not (_is_sequence(constraint) and all(_is_sequence(group) for group in constraint)):
        raise ValueError(
            f"{learner}: Interaction constraints must be a sequence of tuples or lists of columns by name or "
            f"position, 'pairwise' or 'no_interactions'; parameter 'interaction_cst' is {constraint!r}."
        )
    try:
        return [[schema.position(column) for column in group] for group in constraint]
    except (TypeError, ValueError) as error:
        raise ValueError(
            f"{learner}: Interaction constraints must consist of integer indices in [0, n_features - 1] = "
            f"[0, {len(schema) - 1}], specifying the position of features, or of names; in parameter "
            f"'interaction_cst': {error}"
        ) from None


def _is_sequence(value: Any) -> bool:
    return isinstance(value, Iterable) and not isinstance(value, str)

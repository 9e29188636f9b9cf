"""Constraints of boosted trees: directions of columns, and columns that may be used together."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from itertools import combinations
from typing import Any

import numpy as np

from hornbook.frame import Schema

__all__ = ["directions_of", "sets_of"]


def directions_of(constraint: Any, schema: Schema, learner: str) -> list[int] | None:
    """For each column 1, -1 or 0, from one number for each or from a dict by name; None without any."""
    if constraint is None:
        return None
    if isinstance(constraint, Mapping):
        signs = [0] * len(schema)
        for name, sign in constraint.items():
            try:
                signs[schema.position(name)] = sign
            except (TypeError, ValueError) as error:
                raise ValueError(f"{learner}: in parameter 'monotonic_cst': {error}") from None
    else:
        signs = np.asarray(constraint).ravel().tolist()
        if len(signs) != len(schema):
            raise ValueError(
                f"{learner}: parameter 'monotonic_cst' has {len(signs)} numbers, but the table has "
                f"{len(schema)} columns: pass one for each, or a dict by name."
            )
    for column, sign in zip(schema.columns, signs, strict=True):
        if sign not in (-1, 0, 1):
            raise ValueError(
                f"{learner}: parameter 'monotonic_cst' is {sign!r} for column {column.name!r}: choose 1 "
                "(predictions must not fall as it rises), -1 or 0."
            )
        if sign and column.kind == "nominal":
            raise ValueError(
                f"{learner}: parameter 'monotonic_cst' is {sign} for column {column.name!r}, whose "
                "categories have no order: set it to 0, or make the column ordinal."
            )
    return [int(sign) for sign in signs]


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
            f"{learner}: parameter 'interaction_cst' must be 'pairwise', 'no_interactions', or a sequence of "
            f"sequences of columns by name or position; got {constraint!r}."
        )
    try:
        return [[schema.position(column) for column in group] for group in constraint]
    except (TypeError, ValueError) as error:
        raise ValueError(f"{learner}: in parameter 'interaction_cst': {error}") from None


def _is_sequence(value: Any) -> bool:
    return isinstance(value, Iterable) and not isinstance(value, str)

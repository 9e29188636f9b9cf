"""Directions in which predictions may change with a column."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from hornbook.frame import Schema

__all__ = ["directions_of"]


def directions_of(constraint: Any, schema: Schema, learner: str) -> list[int] | None:
    """For each column 1, -1 or 0, from one number for each or from a dict by name; None if all are free."""
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
                f"{learner}: monotonic_cst has shape {len(signs)} but the input data X has {len(schema)} "
                "features: pass one number for each, or a dict by name."
            )
    for column, sign in zip(schema.columns, signs, strict=True):
        if sign not in (-1, 0, 1):
            raise ValueError(
                f"{learner}: monotonic_cst must be None or an array-like of -1, 0 or 1, but is {sign!r} for "
                f"column {column.name!r} (values: {list(dict.fromkeys(signs))}): choose 1 if predictions "
                "must not fall as it rises."
            )
        # Ordered categories are fine: their codes rise as numbers do.
        if sign and column.kind == "nominal":
            raise ValueError(
                f"{learner}: Categorical features cannot have monotonic constraints, but 'monotonic_cst' is "
                f"{sign} for column {column.name!r}: set it to 0, or make the column ordinal."
            )
    return [int(sign) for sign in signs] if any(signs) else None

"""How many instances and how many hypotheses there are."""

from __future__ import annotations

import math
from typing import Any, Literal

import numpy as np

from hornbook.frame import Frame, as_frame

__all__ = ["hypothesis_space_size", "instance_space_size"]

MOST_INSTANCES = 10**8  # larger powers of two have too many digits


def instance_space_size(values: Any) -> int:
    """Count the distinct instances: the product of the numbers of values.

    Parameters
    ----------
    values : sequence of int, or table
        How many values each attribute has; or a table, whose levels and distinct numbers are counted.

    Returns
    -------
    int
        However large.

    Examples
    --------
    Courses by quarter, department, level and topic:

    >>> instance_space_size([4, 40, 2, 500])
    160000
    """
    return math.prod(_counts(values))


def hypothesis_space_size(
    values: Any, kind: Literal["conjunctive", "boolean"] = "conjunctive", *, empty: bool = False
) -> int:
    """Count the concepts that can be expressed: the size of the hypothesis space.

    Parameters
    ----------
    values : sequence of int, or table
        As in `instance_space_size`.
    kind : {"conjunctive", "boolean"}, default "conjunctive"
        Conjunctions in which each attribute has one value or may have any: the product of n_i + 1. All
        Boolean functions of the instances: 2 to the power of their number.
    empty : bool, default False
        Whether to count the empty concept, which is not such a conjunction but is a Boolean function anyway.

    Returns
    -------
    int
        However large.

    Examples
    --------
    >>> hypothesis_space_size([4, 40, 2, 500])
    308115
    >>> hypothesis_space_size([2, 2], kind="boolean")
    16
    """
    counts = _counts(values)
    if kind == "conjunctive":
        return math.prod(n + 1 for n in counts) + empty
    if kind != "boolean":
        raise ValueError(
            f"hypothesis_space_size: 'kind' must be one of 'conjunctive', 'boolean'; got {kind!r}."
        )
    instances = math.prod(counts)
    if instances > MOST_INSTANCES:
        raise ValueError(
            f"hypothesis_space_size: there are 2^{instances} Boolean functions, a number too long to write: "
            "ask for kind='conjunctive', or for fewer attributes."
        )
    return 1 << instances


def _counts(values: Any) -> list[int]:
    """How many values each attribute has."""
    # A flat list is a list of counts; anything else is a table.
    if isinstance(values, list | tuple | np.ndarray) and np.ndim(np.asarray(values, dtype=object)) == 1:
        counts = [int(n) if _is_count(n) else 0 for n in values]
        if not counts or min(counts) < 1:
            raise ValueError(
                "'values' must be whole numbers >= 1, one for each attribute, or a table; got "
                f"{list(values)!r}."
            )
        return counts
    frame: Frame = as_frame(values).features
    columns = enumerate(frame.schema.columns)
    return [len(c.levels) if c.kind != "numeric" else _distinct(frame.column(j)) for j, c in columns]


def _is_count(n: Any) -> bool:
    return isinstance(n, int | np.integer) and not isinstance(n, bool)


def _distinct(numbers: Any) -> int:
    return len(np.unique(numbers[~np.isnan(numbers)]))

"""Which levels get an indicator, what stands for missing cells, how columns are scaled."""

from __future__ import annotations

import warnings
from typing import Literal, NoReturn

import numpy as np

from hornbook.frame._schema import Label, Schema, listed
from hornbook.frame.encode._column_statistics import Statistics
from hornbook.params import Floats

__all__ = ["Scale", "fills", "kept_levels", "refuse_missing", "scaling", "spaced", "warn_of_empty"]

Scale = Literal["standard", "range"] | None


def spaced(n_levels: int) -> Floats:
    """Evenly spaced numbers from 0 to 1, one for each level; a single level is 0."""
    return np.linspace(0.0, 1.0, n_levels) if n_levels > 1 else np.zeros(n_levels)


def kept_levels(
    schema: Schema, statistics: Statistics, most: int
) -> tuple[tuple[tuple[Label, ...], ...], tuple[bool, ...]]:
    """Levels of each nominal column with an indicator of their own, and whether others share one."""
    kept: list[tuple[Label, ...]] = [() for _ in schema.columns]
    other = [False] * len(schema)
    cut = []
    for j, counts in zip(schema.coded.tolist(), statistics.counts, strict=True):
        column = schema.columns[j]
        if column.kind == "ordinal":
            continue
        kept[j] = column.levels
        if len(column.levels) > most:
            # A level that is itself called "other" goes with the others: its indicator has that name.
            ranked = [i for i in np.argsort(-counts, kind="stable").tolist() if column.levels[i] != "other"]
            kept[j], other[j] = tuple(column.levels[i] for i in sorted(ranked[: most - 1])), True
            cut.append(f"{column.name!r} has {len(column.levels)} levels")
    if cut:
        warnings.warn(
            f"Column {'; column '.join(cut)}: the {most - 1} most frequent keep an indicator each, the rest "
            "share 'other'; raise max_categories to keep more.",
            UserWarning,
            stacklevel=3,
        )
    return tuple(kept), tuple(other)


def fills(schema: Schema, statistics: Statistics, kept: tuple[tuple[Label, ...], ...]) -> Floats:
    """Return what replaces missing cells: a mean, a mean position, or the most frequent level's indicator."""
    fill = np.zeros(len(schema))
    fill[schema.numeric] = statistics.moments.mean[0]
    for j, counts in zip(schema.coded.tolist(), statistics.counts, strict=True):
        if schema.columns[j].kind == "ordinal":
            # The smallest normal number instead of 0: an empty column is filled with 0, without a warning of
            # NumPy.
            fill[j] = spaced(len(counts)) @ counts / max(counts.sum(), np.finfo(float).tiny)
        elif len(counts):
            mode = schema.columns[j].levels[int(np.argmax(counts))]
            fill[j] = kept[j].index(mode) if mode in kept[j] else len(kept[j])
        else:
            fill[j] = -1
    return fill


def scaling(schema: Schema, statistics: Statistics, j: int, scale: Scale) -> tuple[float, float]:
    """Say what to subtract from a column and to divide it by.

    Parameters
    ----------
    schema : Schema
        The columns.
    statistics : Statistics
        Of their rows, as made by `column_statistics`.
    j : int
        Position of a numeric or ordinal column.
    scale : {"standard", "range"}
        Mean and standard deviation (divisor n), or lowest value and range.

    Returns
    -------
    center, spread : float
        A spread of 0 stands for "make the column 0".

    Examples
    --------
    >>> from hornbook.frame import Frame, column_statistics
    >>> frame = Frame({"age": [20.0, 40.0]})
    >>> scaling(frame.schema, column_statistics(frame), 0, "standard")
    (30.0, 10.0)
    """
    if schema.columns[j].kind == "numeric":
        place = int(np.searchsorted(schema.numeric, j))
        low, high = float(statistics.low[place]), float(statistics.high[place])
        mean, variance = statistics.moments.mean[0, place], statistics.moments.variance()[0, place]
    else:
        counts = statistics.counts[int(np.searchsorted(schema.coded, j))]
        values, mass = spaced(len(counts))[counts > 0], counts[counts > 0]
        low, high = (values[0], values[-1]) if len(values) else (0.0, 0.0)
        mean = values @ mass / mass.sum() if len(values) else 0.0
        variance = (values - mean) ** 2 @ mass / mass.sum() if len(values) else 0.0
    # By the range, not by the variance: that of a constant may be a rounding error above 0.
    if not low < high:
        return 0.0, 0.0
    center, spread = (float(mean), float(np.sqrt(variance))) if scale == "standard" else (low, high - low)
    if not np.isfinite(spread):
        raise ValueError(f"Column {schema.names[j]!r} spans too wide a range to be scaled: divide it first.")
    return center, spread


def warn_of_empty(schema: Schema, statistics: Statistics) -> None:
    """Warn of columns without a single value."""
    mass = np.zeros(len(schema))
    mass[schema.numeric] = statistics.moments.mass[0]
    mass[schema.coded] = [counts.sum() for counts in statistics.counts]
    empty = [name for name, weight in zip(schema.names, mass, strict=True) if weight == 0]
    if empty:
        warnings.warn(
            f"Column {listed(empty)} has no values at all, so nothing can be learned from it: leave it out.",
            UserWarning,
            stacklevel=3,
        )


def refuse_missing(name: str) -> NoReturn:
    """Refuse missing values in a column."""
    raise ValueError(
        f"Column {name!r} has missing values: fill them first, or choose missing='impute' or 'indicate'."
    )

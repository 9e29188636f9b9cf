"""Settings to try: all points of a grid, or points drawn at random, from the ranges that learners name."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, TypeAlias

from hornbook.evaluation.tuning._result import Setting
from hornbook.params import Tune, parameters, suggest
from hornbook.random import Stream

__all__ = ["Grid", "drawn_settings", "grid_settings"]

Grid: TypeAlias = Mapping[str, Tune | Sequence[Any]]

STREAM = int.from_bytes(b"tuning", "big")  # draws of this module, apart from everybody else's


def grid_settings(learner: Any, grid: Grid | None, n_values: int) -> tuple[Setting, ...]:
    """Make every combination of values."""
    axes = {name: _values(span, n_values) for name, span in _ranges("grid_search", learner, grid).items()}
    return tuple(dict(zip(axes, point, strict=True)) for point in itertools.product(*axes.values()))


def drawn_settings(learner: Any, grid: Grid | None, n_iter: int, seed: int) -> tuple[Setting, ...]:
    """Draw settings, each from a stream of its own; a setting that comes again is left out."""
    ranges = _ranges("random_search", learner, grid)
    settings: list[Setting] = []
    for i in range(n_iter):
        # One stream per setting: the first 20 of 40 draws are the 20 draws of a shorter search.
        draws = Stream(seed, STREAM, i).uniform(len(ranges)).tolist()
        setting = {name: _at(span, u) for (name, span), u in zip(ranges.items(), draws, strict=True)}
        if setting not in settings:
            settings.append(setting)
    return tuple(settings)


def _ranges(who: str, learner: Any, grid: Grid | None) -> dict[str, Tune | Sequence[Any]]:
    if grid is None:
        named = {known.name: known.tune for known in parameters(type(learner)) if known.tune is not None}
        if not named:
            raise ValueError(
                f"{who}: {type(learner).__name__} names no ranges to look in: give grid, a dict of "
                "parameters and their values."
            )
        return dict(named)
    if not grid:
        raise ValueError(f"{who}: 'grid' has no parameter; name at least one, or leave it out.")
    known = list(learner.get_params())
    for name, values in grid.items():
        if name not in known:
            raise ValueError(
                f"{who}: {type(learner).__name__} has no parameter '{name}'.{suggest(name, known)}"
            )
        if isinstance(values, str) or not isinstance(values, Tune | Iterable):
            raise TypeError(f"{who}: the values of '{name}' must be a list or a Tune; got {values!r}.")
        if not isinstance(values, Tune) and not len(values):
            raise ValueError(f"{who}: the list of values of '{name}' is empty; give at least one.")
    return dict(grid)


def _values(span: Tune | Sequence[Any], n_values: int) -> Sequence[Any]:
    return span.grid(n_values) if isinstance(span, Tune) else span


def _at(span: Tune | Sequence[Any], u: float) -> Any:
    """Value at the share u of a range or of a list, so that uniform shares give every value its chance."""
    if not isinstance(span, Tune):
        return span[int(u * len(span))]
    if span.values:
        return span.values[int(u * len(span.values))]
    assert span.low is not None  # a Tune without span has both ends
    assert span.high is not None
    whole = isinstance(span.low, int) and isinstance(span.high, int)
    low, high = span.low, span.high + whole  # the last integer needs room of its own
    # Uniform in the logarithm: scale parameters deserve as many tries below 1 as above.
    value = math.exp(math.log(low) + u * math.log(high / low)) if span.log else low + u * (high - low)
    return min(int(value), int(span.high)) if whole else min(max(value, span.low), span.high)

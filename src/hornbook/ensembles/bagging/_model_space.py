"""A space of models that the user names: a list of learners, or all settings of one learner."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import product
from typing import Any

import numpy as np
from numpy.typing import ArrayLike
from sklearn.base import clone

from hornbook.params import Floats

__all__ = ["log_prior_of", "model_space"]

MOST = 100_000  # models that can be listed


def model_space(who: str, estimators: Any, grid: Mapping[str, Sequence[Any]] | None) -> dict[str, Any]:
    """The models by name."""
    if grid is not None:
        return _settings(who, estimators, grid)
    given = list(estimators) if isinstance(estimators, list | tuple) else [estimators]
    pairs = [item if isinstance(item, tuple | list) and len(item) == 2 else (None, item) for item in given]
    kinds = Counter(type(model).__name__ for name, model in pairs if name is None)
    numbers: Counter[str] = Counter()
    named: dict[str, Any] = {}
    for name, model in pairs:
        kind = type(model).__name__
        numbers[kind] += 1
        label = str(name) if name is not None else kind if kinds[kind] == 1 else f"{kind} {numbers[kind]}"
        if label in named:
            raise ValueError(f"{who}: two models are named {label!r}: give each a name of its own.")
        named[label] = model
    return named


def _settings(who: str, estimator: Any, grid: Mapping[str, Sequence[Any]]) -> dict[str, Any]:
    """One learner with every combination of values."""
    if not hasattr(estimator, "set_params") or isinstance(estimator, type):
        raise TypeError(f"{who}: parameter 'grid' lists settings of one learner; got {estimator!r} for it.")
    unknown = [name for name in grid if name not in estimator.get_params()]
    if unknown:
        raise ValueError(
            f"{who}: parameter 'grid' names {unknown[0]!r}, which is not a parameter of "
            f"{type(estimator).__name__}: it has {', '.join(sorted(estimator.get_params()))}."
        )
    # In floating point: a product of long lists may exceed 64 bits.
    count = int(np.prod([len(values) for values in grid.values()], dtype=np.float64))
    if not 0 < count <= MOST:
        raise ValueError(f"{who}: parameter 'grid' has {count} combinations; from 1 to {MOST} are allowed.")
    models = {}
    for values in product(*grid.values()):
        setting = dict(zip(grid, values, strict=True))
        name = ", ".join(f"{key}={value!r}" for key, value in setting.items())
        models[name] = clone(estimator).set_params(**setting)
    return models


def log_prior_of(who: str, prior: ArrayLike | None, n_models: int) -> Floats:
    """Logarithms of the prior probabilities: of equal ones, or of those given, which need not sum to 1."""
    if prior is None:
        return np.full(n_models, -np.log(n_models))
    weights = np.asarray(prior, dtype=np.float64)
    if (
        weights.shape != (n_models,)
        or not np.isfinite(weights).all()
        or weights.min() < 0
        or not weights.any()
    ):
        raise ValueError(
            f"{who}: parameter 'prior' must have one weight of 0 or more for each of the {n_models} models, "
            f"and one above 0; got {prior!r}."
        )
    with np.errstate(divide="ignore"):
        return np.asarray(np.log(weights) - np.log(weights.sum()))

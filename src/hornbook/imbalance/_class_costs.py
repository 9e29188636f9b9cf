"""Costs of mistakes: a number for each class, or for each pair of a decision and the truth."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from hornbook.params import Floats

__all__ = ["Costs", "cost_table", "factors_of", "per_class"]

Costs = Mapping[Any, float] | ArrayLike

AGREE = 1e-9  # relative difference up to which the costs of pairs are consistent


def per_class(owner: str, name: str, costs: Any, classes: NDArray[Any]) -> Floats:
    """Return one positive number for each class, from a dict or a sequence in the order of the classes."""
    labels = classes.tolist()
    if isinstance(costs, Mapping):
        unknown = [label for label in costs if label not in labels]
        missing = [label for label in labels if label not in costs]
        if unknown or missing:
            raise ValueError(
                f"{owner}: parameter '{name}' must name each of the classes {labels} and no others; got "
                f"{list(costs)}."
            )
        costs = [costs[label] for label in labels]
    values = np.asarray(costs, dtype=np.float64)
    if values.shape != (len(labels),) or not np.isfinite(values).all() or not (values > 0).all():
        raise ValueError(
            f"{owner}: parameter '{name}' must be a number above 0 for each of the classes {labels}; got "
            f"{np.asarray(costs).tolist()!r}."
        )
    return values


def cost_table(owner: str, costs: Any, classes: NDArray[Any]) -> Floats:
    """Return the cost of deciding i when the truth is j; a cost for each class is that of missing it."""
    k = len(classes)
    if costs is None:
        return 1 - np.eye(k)
    if isinstance(costs, Mapping) or np.ndim(costs) == 1:
        return np.tile(per_class(owner, "costs", costs, classes), (k, 1)) * (1 - np.eye(k))
    table = np.asarray(costs, dtype=np.float64)
    if table.shape != (k, k) or not np.isfinite(table).all():
        raise ValueError(
            f"{owner}: parameter 'costs' must be a number for each of the {k} classes {classes.tolist()}, or "
            f"{k} x {k} finite numbers; got shape {table.shape}."
        )
    return table


def factors_of(owner: str, table: Floats, classes: NDArray[Any]) -> Floats:
    """Return one factor for each class so that the ratio of any two is that of the costs of confusing them.

    With c(i, j) the cost of deciding i when the truth is j, beyond that of being right, class j must weigh
    c(i, j) / c(j, i) times as much as class i. With three classes or more, not every table is consistent
    (Zhou and Liu 2010).
    """
    if len(classes) == 1:
        return np.ones(1)
    extra = table - np.diag(table)  # what a mistake costs beyond the right decision
    apart = ~np.eye(len(classes), dtype=bool)
    if not (extra[apart] > 0).all():
        raise ValueError(
            f"{owner}: parameter 'costs' must make every mistake cost more than the right answer for "
            "method='weights'; use method='decision' for such a table."
        )
    # In logarithms the ratios are differences, and the least-squares factors their means.
    logs = np.log(np.where(apart, extra, 1.0))
    wanted = logs - logs.T
    means = wanted.mean(axis=0)
    factors = np.exp(means - means.max())
    if np.abs(means - means[:, None] - wanted).max() > AGREE * max(1.0, float(np.abs(wanted).max())):
        raise ValueError(
            f"{owner}: no weights of the classes {classes.tolist()} are consistent with all pairs of "
            "'costs': give one cost for each class, or use method='decision'."
        )
    return np.asarray(factors)

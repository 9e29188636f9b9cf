"""The rules by name: how members' probabilities combine, and what each of them contributes."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
from numpy.typing import ArrayLike

from hornbook.ensembles.combining._checks import shares_of
from hornbook.ensembles.combining._probability_rules import (
    borda_count,
    dempster_shafer,
    max_rule,
    median_rule,
    min_rule,
    plausibilities,
    points_of,
    product_rule,
    reliabilities_of,
    sum_rule,
)
from hornbook.params import Floats

__all__ = ["RULES", "CombinationRule"]

Combine: TypeAlias = Callable[[Floats, ArrayLike | None], Floats]


@dataclass(frozen=True)
class CombinationRule:
    """One way to combine the probabilities of members.

    Parameters
    ----------
    combine : callable
        Makes scores of the classes from the probabilities and the weights of the members.
    contributions : callable
        What each member adds to the scores, up to a factor that is the same for all classes.
    logarithms : bool, default False
        Whether contributions are logarithms of factors.
    weighted : bool, default True
        Whether members may have weights.
    probabilities : bool, default True
        Whether the scores are probabilities.
    """

    combine: Combine
    contributions: Combine
    logarithms: bool = False
    weighted: bool = True
    probabilities: bool = True


def _shared(tables: Floats, weights: ArrayLike | None) -> Floats:
    return np.asarray(shares_of("weights", weights, len(tables))[:, None, None] * tables)


def _logarithms(tables: Floats, weights: ArrayLike | None) -> Floats:
    shares = shares_of("weights", weights, len(tables))[:, None, None]
    with np.errstate(divide="ignore"):
        logs = np.log(tables)
    # 0 log 0 of a member without weight is 0, not NaN.
    return np.asarray(np.where(shares > 0, shares * np.where(shares > 0, logs, 0.0), 0.0))


def _evidence(tables: Floats, reliabilities: ArrayLike | None) -> Floats:
    with np.errstate(divide="ignore"):
        return np.asarray(np.log(plausibilities(tables, reliabilities_of(reliabilities, len(tables)))))


def _at_ranks(first: Callable[[int], int], last: Callable[[int], int]) -> Combine:
    """Contributions of the members in the middle, or at an end, of those in order of their probabilities."""

    def contributions(tables: Floats, _: ArrayLike | None) -> Floats:
        low, high = first(len(tables)), last(len(tables))
        order = np.argsort(tables, axis=0, kind="stable")[low : high + 1]
        parts = np.zeros_like(tables)
        # Two middle members of an even number share the median, half of the value each.
        chosen = np.take_along_axis(tables, order, axis=0) / (high - low + 1)
        np.put_along_axis(parts, order, chosen, axis=0)
        return parts

    return contributions


RULES: dict[str, CombinationRule] = {
    "plurality": CombinationRule(sum_rule, _shared),
    "majority": CombinationRule(sum_rule, _shared),
    "sum": CombinationRule(sum_rule, _shared),
    "product": CombinationRule(product_rule, _logarithms, logarithms=True),
    "median": CombinationRule(
        lambda tables, _: median_rule(tables),
        _at_ranks(lambda n: (n - 1) // 2, lambda n: n // 2),
        weighted=False,
    ),
    "min": CombinationRule(
        lambda tables, _: min_rule(tables), _at_ranks(lambda _: 0, lambda _: 0), weighted=False
    ),
    "max": CombinationRule(
        lambda tables, _: max_rule(tables), _at_ranks(lambda n: n - 1, lambda n: n - 1), weighted=False
    ),
    "borda": CombinationRule(
        borda_count, lambda tables, weights: _shared(points_of(tables), weights), probabilities=False
    ),
    "dempster_shafer": CombinationRule(dempster_shafer, _evidence, logarithms=True),
}

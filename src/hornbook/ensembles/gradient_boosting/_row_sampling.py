"""Rows that a round of boosting learns from."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from hornbook.params import Floats
from hornbook.random import Stream

__all__ = ["RowSampling"]

_ROWS = 2  # random stream of the rows of each round
_LARGEST = 2.0 / 3.0  # part of the sample that has the largest gradients: 0.2 and 0.1 of all rows for 0.3


@dataclass(frozen=True)
class RowSampling:
    """Draws without replacement, anew in each round.

    Parameters
    ----------
    share : float
        Share of the rows of positive weight.
    by : {"uniform", "gradient"}
        Whether all rows are alike, or those with large gradients come first.
    seed : int
        Seed of the draws.
    """

    share: float
    by: Literal["uniform", "gradient"]
    seed: int

    @property
    def takes_all(self) -> bool:
        """Whether every round has all rows."""
        return self.share >= 1.0

    def factors(self, t: int, gradient: Floats, w: Floats | None) -> Floats:
        """Factors of the weights of the rows in round t: 0 for those that are not drawn."""
        n = len(gradient)
        rows = np.arange(n) if w is None else np.flatnonzero(w > 0)
        # At least one row, and rounded down, so that the share is never exceeded.
        count = max(1, int(self.share * len(rows)))
        # Drawn for all rows, so that weights of 0 do not change the draws of the others.
        order = Stream(self.seed, _ROWS, t).bits(n)[rows]
        factors = np.zeros(n)
        if self.by == "uniform":
            # Stochastic gradient boosting (Friedman 2002).
            factors[rows[_smallest(order, count)]] = 1.0
            return factors
        size = np.abs(gradient) if gradient.ndim == 1 else np.abs(gradient).sum(axis=1)
        size = size[rows] if w is None else size[rows] * w[rows]
        # GOSS (Ke et al. 2017): rows with large gradients always, others at random and scaled up.
        first = _smallest(-size, int(_LARGEST * count), order)
        others = np.delete(np.arange(len(rows)), first)
        drawn = others[_smallest(order[others], count - len(first))]
        factors[rows[first]] = 1.0
        # (1 - a) / b in the paper: keeps the sums of gradients unbiased.
        factors[rows[drawn]] = len(others) / max(1, len(drawn))
        return factors


def _smallest(
    values: NDArray[np.uint64] | Floats, count: int, order: NDArray[np.uint64] | None = None
) -> NDArray[np.intp]:
    """Places of the smallest values; of equal ones those that come first in the order, or in the table."""
    if count < 1:
        return np.zeros(0, dtype=np.intp)
    # O(n) selection; a full sort is not needed.
    limit = np.partition(values, count - 1)[count - 1]
    below, equal = np.flatnonzero(values < limit), np.flatnonzero(values == limit)
    need = count - len(below)
    chosen = equal[:need] if order is None else equal[_smallest(order[equal], need)]
    return np.concatenate([below, chosen])

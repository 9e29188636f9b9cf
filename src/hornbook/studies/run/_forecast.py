"""What a fold of a learner will cost, by fits to growing samples of large tables."""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from hornbook.evaluation import Clock
from hornbook.random import Stream
from hornbook.studies.run._predict import predict
from hornbook.studies.run._recipe import MANY, Recipe
from hornbook.studies.run._shared_table import Shared

__all__ = ["LEAST", "CostTask", "extrapolated", "sample_sizes"]

STREAM = int.from_bytes(b"forecast", "big")  # random numbers of this file, distinct from all others
SHARE = 8  # the largest sample has one of so many training rows
LEAST = 2 * SHARE * MANY  # training rows; with fewer, the first fold is soon done and says more
ROUNDS, SHORT = 3, 1.0  # fits of one sample, as long as they have taken fewer seconds
POWERS = (0.5, 2.5)  # of the number of rows, between which the time of a fit grows


@dataclass(frozen=True)
class CostTask:
    """Forecast the time of one fold of a learner: a fit with its tuning, and predictions.

    Parameters
    ----------
    recipe : Recipe
        What is fitted.
    metric : str
        The measure that decides the study.
    most : float
        Seconds: no further sample is fitted that would take longer.
    seed : int
        Seed of the samples.
    """

    recipe: Recipe
    metric: str
    most: float
    seed: int

    def run(self, shared: Shared) -> float:
        """Fit growing samples of the first fold, and extrapolate."""
        train, test = (self._shuffled(rows, place) for place, rows in enumerate(shared.split(0, 0)))
        sizes = sample_sizes(len(train))
        seconds: list[float] = []
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # the folds report them
            for place, size in enumerate(sizes):
                if seconds and extrapolated(sizes[:place], seconds, size) > self.most:
                    break
                share = size / len(train)
                rows = np.sort(train[:size]), np.sort(test[: max(1, round(share * len(test)))])
                seconds.append(self._least(shared, *rows))
        return extrapolated(sizes[: len(seconds)], seconds, len(train))

    def _least(self, shared: Shared, train: NDArray[np.intp], test: NDArray[np.intp]) -> float:
        """The least time of up to three fits, if they are short: the first one may import modules."""
        spent = [self._seconds(shared, train, test)]
        while len(spent) < ROUNDS and sum(spent) < SHORT:
            spent.append(self._seconds(shared, train, test))
        return min(spent)

    def _seconds(self, shared: Shared, train: NDArray[np.intp], test: NDArray[np.intp]) -> float:
        """Time of a fit to some rows, and of the predictions for others."""
        fitted, clock = self.recipe.fit(shared, train), Clock(shared.time_saved)
        predict(fitted.model, shared.part(test).X, test, self.metric, shared)
        return fitted.seconds + clock.seconds

    def _shuffled(self, rows: NDArray[np.intp], place: int) -> NDArray[np.intp]:
        return np.asarray(rows[Stream(self.seed, STREAM, place).permutation(len(rows))])


def sample_sizes(n_rows: int) -> list[int]:
    """Return how many rows the samples have, each twice as many as the one before.

    Parameters
    ----------
    n_rows : int
        Training rows.

    Examples
    --------
    >>> sample_sizes(90_000), sample_sizes(LEAST - 1)
    ([5625, 11250], [])
    """
    # No sample is so small that settings are chosen in another way than on all rows.
    sizes, size = [], n_rows // SHARE
    while n_rows >= LEAST and size > MANY:
        sizes.append(size)
        size //= 2
    return sizes[::-1]


def extrapolated(sizes: Sequence[int], seconds: Sequence[float], n_rows: int) -> float:
    """Return the time for more rows, by a power law through the two largest samples.

    Parameters
    ----------
    sizes : sequence of int
        Rows of the samples, ascending; at least one.
    seconds : sequence of float
        How long they took.
    n_rows : int
        For how many rows.

    Examples
    --------
    >>> extrapolated([1_000, 2_000], [1.0, 4.0], 4_000), extrapolated([1_000], [1.0], 4_000)
    (16.0, 4.0)
    """
    power = 1.0
    if len(seconds) > 1 and min(seconds[-2:]) > 0:
        power = float(np.log(seconds[-1] / seconds[-2]) / np.log(sizes[-1] / sizes[-2]))
    # Samples that take milliseconds are measured too coarsely to give any power.
    return float(seconds[-1] * (n_rows / sizes[-1]) ** np.clip(power, *POWERS))

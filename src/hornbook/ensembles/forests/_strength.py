"""Strength and correlation of the trees of a forest, and the bound on its error (Breiman 2001)."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from hornbook.params import Floats

__all__ = ["Strength", "margins_of", "runner_up", "strength_of"]


@dataclass(frozen=True)
class Strength:
    """Strength of a forest, mean correlation of its trees, and the resulting bound on its error.

    Parameters
    ----------
    strength : float
        Mean margin s: share of votes for the true class minus the largest share of another class.
    correlation : float
        Variance of the margin over the squared mean of the trees' standard deviations.
    bound : float
        ``correlation * (1 - s**2) / s**2``; infinite when s is not above 0.
    """

    strength: float
    correlation: float
    bound: float


def margins_of(shares: Floats, y: NDArray[np.int32]) -> Floats:
    """Share of the true class minus the largest share of another class."""
    rows = np.arange(len(y))
    others = shares.copy()
    others[rows, y] = 0.0
    return np.asarray(shares[rows, y] - others.max(axis=1))


def runner_up(shares: Floats, y: NDArray[np.int32]) -> NDArray[np.intp]:
    """The class with most votes other than the true one; -1 when there is no other class."""
    if shares.shape[1] == 1:
        return np.full(len(y), -1, dtype=np.intp)
    others = shares.copy()
    others[np.arange(len(y)), y] = -1.0  # below any share, so that the true class is never the second
    return np.asarray(others.argmax(axis=1))


def strength_of(margins: Floats, w: Floats, right: Floats, second: Floats) -> Strength:
    """Strength and correlation from out-of-bag margins and the trees' out-of-bag votes.

    ``right`` and ``second`` are for each tree the shares of its votes that go to the true class and to the
    runner-up of the forest; the raw margin of a tree, 1, -1 or 0, then has the variance
    ``right + second - (right - second)**2``. (Breiman's paper has a plus there, an error.)
    """
    s = float(np.average(margins, weights=w))
    variance = float(np.average((margins - s) ** 2, weights=w))
    # Deviation of a tree's raw margin, which is +1, 0 or -1: E[m^2] - E[m]^2 with E[m^2] = right +
    # second.
    spread = float(np.mean(np.sqrt(np.maximum(right + second - (right - second) ** 2, 0.0))))
    # Breiman (2001), equation 8: rho = Var(margin) / (E[sd of a tree])^2.
    correlation = variance / spread**2 if spread > 0 else 0.0
    bound = correlation * (1.0 - s * s) / (s * s) if s > 0 else math.inf
    return Strength(s, correlation, bound)

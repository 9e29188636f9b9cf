"""Margins of votes: strength, correlation and bounds of the error (Breiman 2001)."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from hornbook.ensembles.forests._strength import margins_of, runner_up
from hornbook.params import Floats

__all__ = ["VoteMargins", "vote_margins"]


@dataclass(frozen=True)
class VoteMargins:
    """Margins of a vote in which every voter has answered every row.

    Parameters
    ----------
    margins : ndarray of shape (n_rows,)
        Share of votes for the true class minus the largest share of another class.
    raw : ndarray of shape (n_voters, n_rows)
        Raw margin of each voter: 1 for a vote for the true class, -1 for one for the class that gets most
        votes beside it, 0 for any other. Their mean is the margin.
    """

    margins: Floats
    raw: Floats

    @property
    def error(self) -> float:
        """Share of the rows with a margin below 0; ties do not count as errors."""
        return float((self.margins < 0).mean())

    @property
    def strength(self) -> float:
        """Mean margin."""
        return float(self.margins.mean())

    @property
    def chebyshev_bound(self) -> float:
        """Variance of the margin over the squared strength, if that is above 0: a bound on the error."""
        s = self.strength
        # P(margin < 0) <= Var(margin) / s^2 by Chebyshev's inequality.
        return float(self.margins.var() / s**2) if s > 0 else math.inf

    @property
    def pair_correlations(self) -> Floats:
        """Correlation over the rows of the raw margins of each pair of voters; 0 if one never varies."""
        centered = self.raw - self.raw.mean(axis=1, keepdims=True)
        spread = self.raw.std(axis=1)
        unit = np.where(spread > 0, spread, 1.0)
        return np.asarray(centered @ centered.T / self.raw.shape[1] / np.outer(unit, unit))

    @property
    def correlation(self) -> float:
        """Mean of the correlations over all pairs, weighted by the deviations of both."""
        spread = self.raw.std(axis=1)
        total = spread.sum() ** 2
        # Weighted by both deviations: the numerator is then the variance of the mean raw margin,
        # exactly as in Breiman's derivation of rho.
        return float(spread @ self.pair_correlations @ spread / total) if total > 0 else 0.0

    @property
    def bound(self) -> float:
        """Breiman's bound on the error, ``correlation * (1 - s**2) / s**2`` with the strength s."""
        s = self.strength
        return self.correlation * (1.0 - s * s) / (s * s) if s > 0 else math.inf


def vote_margins(votes: ArrayLike, y: ArrayLike) -> VoteMargins:
    """Compute margins from the votes of trees, or of any voters, on rows they all answer.

    Parameters
    ----------
    votes : array-like of shape (n_voters, n_rows)
        The class that each voter gives to each row.
    y : array-like of shape (n_rows,)
        The true classes.

    Returns
    -------
    margins : VoteMargins
        Margins, error, strength, correlation and bounds.

    Examples
    --------
    >>> result = vote_margins([["a", "b", "b"], ["a", "b", "a"], ["a", "a", "a"]], ["a", "b", "b"])
    >>> result.margins.round(3).tolist(), round(result.error, 3)
    ([1.0, 0.333, -0.333], 0.333)
    """
    cast, truth = np.asarray(votes), np.asarray(y)
    if cast.ndim != 2 or truth.shape != cast.shape[1:] or not cast.size:
        raise ValueError(
            f"vote_margins: 'votes' must have a row for each voter and a column for each of the rows of 'y'; "
            f"got shapes {cast.shape} and {truth.shape}."
        )
    classes, codes = np.unique(np.concatenate([truth[None], cast]), return_inverse=True)
    codes = codes.reshape(len(cast) + 1, -1)
    labels, chosen = codes[0].astype(np.int32), codes[1:]
    shares = np.stack([(chosen == c).mean(axis=0) for c in range(len(classes))], axis=1)
    second = runner_up(shares, labels)
    # +1 if the voter is right, -1 if it votes for the runner-up, 0 otherwise.
    raw = (chosen == labels).astype(np.float64) - (chosen == second)
    return VoteMargins(margins_of(shares, labels), raw)

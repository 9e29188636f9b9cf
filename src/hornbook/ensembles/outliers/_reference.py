"""Scores of other rows, with which the score of a row is compared."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from hornbook.params import Floats

__all__ = ["ScoreDistribution"]

MOST_VALUES = 4_096  # that are stored of a distribution


@dataclass(frozen=True, eq=False)
class ScoreDistribution:
    """A distribution of scores.

    Parameters
    ----------
    values : ndarray of shape (n_values,)
        Distinct scores, ascending.
    below : ndarray of shape (n_values + 1,)
        The weight of all scores below each value, as a share of all; 1 at the end.
    """

    values: Floats
    below: Floats

    @classmethod
    def of(cls, scores: Floats, w: Floats | None) -> ScoreDistribution:
        """Return the distribution of scores with weights, thinned if there are many of them."""
        values, place = np.unique(scores, return_inverse=True)
        mass = np.bincount(place, w, len(values))
        below = np.concatenate([[0.0], np.cumsum(mass) / mass.sum()])
        below[-1] = 1.0
        if len(values) > MOST_VALUES:
            kept = np.unique(np.linspace(0, len(values) - 1, MOST_VALUES).round().astype(np.intp))
            values, below = values[kept], np.concatenate([below[kept], [1.0]])
        return cls(values, below)

    def share_below(self, scores: Floats) -> Floats:
        """Return for each score the share of the distribution below it; equal scores count half."""
        left = self.below[np.searchsorted(self.values, scores, side="left")]
        right = self.below[np.searchsorted(self.values, scores, side="right")]
        return np.asarray((left + right) / 2)

    def verify(self, _: object) -> None:
        """Reject a distribution of a model file whose scores or shares do not increase."""
        finite = np.isfinite(self.values).all() and len(self.below) == len(self.values) + 1 > 1
        steps = finite and (np.diff(self.values) > 0).all() and (np.diff(self.below) >= 0).all()
        if not steps or self.below[0] < 0 or self.below[-1] > 1:
            raise ValueError(
                "the scores of a distribution do not increase, or their shares are not from 0 to 1"
            )

    def cut(self, share: float) -> float:
        """Return a number between two scores with at most this share below it, but at least one score."""
        if len(self.values) < 2:
            return float(self.values[0]) - 1.0  # nothing can be set apart
        place = int(np.searchsorted(self.below, share + 1e-12, side="right")) - 1
        place = min(max(place, 1), len(self.values) - 1)
        # In the middle of the gap: rounding must not decide on which side a score is.
        return float((self.values[place - 1] + self.values[place]) / 2)

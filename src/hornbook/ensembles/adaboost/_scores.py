"""From the answers of members to scores, and from scores to probabilities and margins.

Scores have one column for two classes, that of the second class (the first has the negative), and a column
for each class otherwise.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray
from scipy.special import expit, softmax

from hornbook.ensembles.adaboost._member_outputs import Kind
from hornbook.params import Floats

__all__ = ["BoostScoring", "Variant", "by_class"]

Variant: TypeAlias = Literal["samme", "discrete", "real", "gentle", "logit"]

_KINDS: dict[Variant, Kind] = {
    "samme": "votes",
    "discrete": "votes",
    "real": "probabilities",
    "gentle": "numbers",
    "logit": "numbers",
}


@dataclass(frozen=True)
class BoostScoring:
    """How a variant turns answers into scores, and scores into probabilities.

    Parameters
    ----------
    variant : str
        The variant.
    n_classes : int
        Number of classes.
    clip : float
        Smallest probability that a member is believed to give, under ``"real"``.
    """

    variant: Variant
    n_classes: int
    clip: float

    @property
    def kind(self) -> Kind:
        """What members are asked for."""
        return _KINDS[self.variant]

    @property
    def per_round(self) -> int:
        """Members of a round: one, or a regressor for each of more than two classes."""
        return self.n_classes if self.kind == "numbers" and self.n_classes > 2 else 1

    @property
    def width(self) -> int:
        """Columns of the scores."""
        return self.n_classes if self.n_classes > 2 else 1

    def contribution(
        self, output: NDArray[Any], alpha: float | Floats, place: int | NDArray[np.intp] = 0
    ) -> Floats:
        """What a member of weight alpha adds to the scores; ``place`` is its class where each has its own.

        Rows of the output may be of different members, with a weight and a place for each row.
        """
        k, weight = self.n_classes, np.asarray(alpha)[..., None]
        if self.kind == "votes":
            if k == 2:
                return np.asarray(alpha * (2.0 * output - 1.0))[:, None]
            # Zhu's coding: the codes of a vote sum to 0 over the classes.
            code = np.full((len(output), k), -1.0 / (k - 1))
            code[np.arange(len(output)), output] = 1.0
            return np.asarray(weight * code)
        if self.kind == "probabilities":
            # Clipped as a probability of 0 would make the score of a class minus infinity for good.
            logs = np.log(np.maximum(output, self.clip))
            centered = logs - logs.mean(axis=1, keepdims=True)
            return np.asarray(weight * (centered[:, 1:] if k == 2 else (k - 1) * centered))
        if k == 2:
            return np.asarray(alpha * (0.5 if self.variant == "logit" else 1.0) * output)[:, None]
        own = np.eye(k)[place]
        if self.variant == "logit":
            # The symmetric constraint of LogitBoost: f_j <- (k - 1) / k (f_j - mean f), so scores sum
            # to 0.
            own = (k - 1) / k * (own - 1.0 / k)
        return np.asarray(weight * output[:, None] * own)

    def probabilities(self, scores: Floats) -> Floats:
        """Class probabilities under which the scores minimize the expected loss."""
        k = self.n_classes
        if self.variant == "gentle" and k > 2:
            # One against rest: each column is half the log odds of its class, normalized afterward.
            alone = expit(2.0 * scores)
            return np.asarray(alone / alone.sum(axis=1, keepdims=True))
        # For two classes, scores are half of the log odds.
        factor = self._loss_factor() if self.variant != "logit" else 1.0
        return np.asarray(softmax(factor * by_class(scores), axis=1))

    def mean_probabilities(self, means: Floats) -> Floats:
        """Class probabilities as scikit-learn has them, from scores over the sum of the weights."""
        return np.asarray(softmax(by_class(means) / (self.n_classes - 1), axis=1))

    def row_factors(self, scores: Floats, own: tuple[NDArray[np.intp], NDArray[np.intp]]) -> Floats:
        """By how much the weights of rows have changed, up to a common factor, when they have these scores.

        ``own`` is the place of each row's class in the scores by class.
        """
        k = self.n_classes
        if k == 1:
            return np.ones(len(scores))
        if self.variant == "logit":
            chance = self.probabilities(scores)[own]
            return np.asarray(chance * (1.0 - chance))
        factor = 1.0 if self.variant == "gentle" else self._loss_factor()
        loss = -factor * by_class(scores)[own]
        # Only ratios of weights matter; subtracting the maximum avoids overflow.
        return np.asarray(np.exp(loss - loss.max()))

    def _loss_factor(self) -> float:
        """What scores are multiplied by so that they minimize the exponential loss (Zhu et al. 2009)."""
        k = self.n_classes
        votes = {"samme": (k - 1) / k, "discrete": 2.0 * (k - 1) / k}
        return votes[self.variant] if self.variant in votes else 1.0 / (k - 1)


def by_class(scores: Floats) -> Floats:
    """Scores with a column for each class."""
    return np.concatenate([-scores, scores], axis=1) if scores.shape[1] == 1 else scores

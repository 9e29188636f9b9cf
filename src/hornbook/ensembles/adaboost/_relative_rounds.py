"""The rounds of AdaBoost.R2."""

from __future__ import annotations

import math
from typing import Any, Literal, TypeAlias

import numpy as np

from hornbook.ensembles.adaboost._formulas import scaled
from hornbook.ensembles.adaboost._rounds import BoostRound, MemberSampler
from hornbook.params import Floats

__all__ = ["RelativeLoss", "RelativeRounds", "relative_losses"]

RelativeLoss: TypeAlias = Literal["linear", "square", "exponential"]


def relative_losses(errors: Floats, loss: RelativeLoss) -> Floats:
    """The loss of each row from absolute errors, which are divided by the largest."""
    # Rows of weight 0 were set to an error of 0 and cannot be the largest.
    largest = errors.max(initial=0.0)
    share = errors / largest if largest > 0 else errors
    if loss == "square":
        return np.asarray(share**2)
    return np.asarray(1.0 - np.exp(-share)) if loss == "exponential" else share


class RelativeRounds:
    """Rounds of regressors whose errors are seen relative to the largest.

    Parameters
    ----------
    sampler : MemberSampler
        Fits the members.
    learning_rate : float
        Factor of each member's weight.
    loss : {"linear", "square", "exponential"}
        The loss.
    y : ndarray of shape (n_rows,)
        The target.
    w : ndarray of shape (n_rows,)
        Weights to begin with.
    """

    def __init__(
        self, sampler: MemberSampler, learning_rate: float, loss: RelativeLoss, y: Floats, w: Floats
    ) -> None:
        self.sampler, self.learning_rate, self.loss = sampler, learning_rate, loss
        self.y, self.w, self.total = y, w, float(w.sum())
        self.weighs = w > 0
        self.failed: tuple[Any, float] | None = None  # the member whose loss was too large

    def step(self, t: int, n_members: int) -> BoostRound:  # noqa: ARG002 - all rounds are alike
        """Fit member t."""
        member, answers = self.sampler.fit(self.y, self.w, t)
        losses = relative_losses(np.where(self.weighs, np.abs(answers - self.y), 0.0), self.loss)
        # The mean loss L; beta = L / (1 - L), of which log_odds is minus the logarithm.
        error = float((self.w * losses).sum() / self.w.sum())
        if error <= 0.0:
            return BoostRound([member], 1.0, 0.0, last=True)
        if error >= 0.5:
            self.failed = member, error
            return BoostRound([], 0.0, error, last=True)
        log_odds = math.log((1.0 - error) / error)
        # w beta^(1 - loss): rows with a small loss lose weight.
        w = self.w * np.exp(-log_odds * self.learning_rate * (1.0 - losses))
        # No weight underflows to 0: a row once predicted well may be needed again.
        floor = np.finfo(np.float64).eps * self.total
        self.w = np.where(self.weighs, np.maximum(scaled(w, self.total), floor), 0.0)
        return BoostRound([member], self.learning_rate * log_odds, error, last=False)

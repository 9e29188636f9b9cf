"""Costs of outputs that are probabilities: one Bernoulli variable for each output."""

from __future__ import annotations

from typing import Any, ClassVar, Literal

import numpy as np
from numpy.typing import NDArray
from scipy.special import xlogy

from hornbook.losses._logistic import log_odds, logistic
from hornbook.losses._loss import Loss
from hornbook.params import Floats, Range

__all__ = ["CrossEntropy", "RelativeEntropy"]


class _BernoulliLoss(Loss):
    """Base of costs of probabilities p = logistic(z), summed over the outputs of a row."""

    link_name: ClassVar[Literal["identity", "log", "logit"]] = "logit"
    target_range: ClassVar[Range] = Range(low=0, high=1)

    def link(self, mean: Floats) -> Floats:
        """Log odds of a probability."""
        return log_odds(mean)

    def inverse_link(self, z: Floats) -> Floats:
        """Probability for log odds."""
        return logistic(z)

    @staticmethod
    def _summed(costs: Floats) -> Floats:
        return costs if costs.ndim == 1 else np.asarray(costs.sum(axis=1))

    @staticmethod
    def _spread(curves: Floats) -> Floats:
        """Second derivatives by each output alone; as matrices where rows have several."""
        return curves if curves.ndim == 1 else curves[:, :, None] * np.eye(curves.shape[1])


class CrossEntropy(_BernoulliLoss):
    """Cross-entropy of each output on its own: -t ln p - (1 - t) ln(1 - p), for targets t from 0 to 1.

    Unlike the softmax loss, outputs need not sum to 1. For targets of 0 and 1 and one output it is the log
    loss. Its minimum, at p = t, is the entropy of the targets; ``zero_minimum`` subtracts it.

    Parameters
    ----------
    zero_minimum : bool, default False
        Whether to subtract the minimum: t ln(t / p) + (1 - t) ln((1 - t) / (1 - p)), with 0 ln 0 = 0.

    Examples
    --------
    >>> t, z = np.array([[0.2, 0.7]]), log_odds([[0.3, 0.6]])
    >>> CrossEntropy().value(t, z).round(6).tolist()
    [1.1586]
    >>> CrossEntropy(zero_minimum=True).value(t, z).round(6).tolist()
    [0.047333]
    """

    mean_is_enough: ClassVar[bool] = True
    well_formed: ClassVar[bool] = True

    def __init__(self, *, zero_minimum: bool = False) -> None:
        self.zero_minimum = zero_minimum

    def value(self, y: NDArray[Any], z: Floats) -> Floats:
        """Cost of each row."""
        # Around the nearer end, so that nothing cancels where the output is almost right.
        costs = np.where(y >= 0.5, np.logaddexp(0.0, -z) + (1.0 - y) * z, np.logaddexp(0.0, z) - y * z)
        if self.zero_minimum:
            costs = costs + xlogy(y, y) + xlogy(1.0 - y, 1.0 - y)
        return self._summed(costs)

    def gradient(self, y: NDArray[Any], z: Floats) -> Floats:
        """First derivative by the scores: p - t."""
        # p - 1 cancels where p is near 1, and -logistic(-z) has all its digits.
        return np.where(y == 1, -logistic(-z), logistic(z) - y)

    def hessian(self, y: NDArray[Any], z: Floats) -> Floats:  # noqa: ARG002 - it does not depend on the truth
        """Second derivative by the scores: p (1 - p)."""
        return self._spread(logistic(z) * logistic(-z))

    def minimizer(self, y: NDArray[Any], w: Floats | None = None) -> Floats:
        """Return the log odds of the weighted mean."""
        return self.link(np.asarray(np.average(y, weights=w)))


class RelativeEntropy(_BernoulliLoss):
    """Relative entropy (Kullback-Leibler divergence): t ln(t / p), the terms of the targets alone.

    It makes sense for outputs that sum to 1, such as those of a softmax; outputs that do not can all be 1.

    Examples
    --------
    >>> RelativeEntropy().value(np.array([[0.2, 0.7]]), log_odds([[0.3, 0.6]])).round(6).tolist()
    [0.026812]
    """

    def value(self, y: NDArray[Any], z: Floats) -> Floats:
        """Cost of each row."""
        return self._summed(y * np.logaddexp(0.0, -z) + xlogy(y, y))

    def gradient(self, y: NDArray[Any], z: Floats) -> Floats:
        """First derivative by the scores: -t (1 - p)."""
        return np.asarray(-y * logistic(-z))

    def hessian(self, y: NDArray[Any], z: Floats) -> Floats:
        """Second derivative by the scores: t p (1 - p)."""
        return self._spread(np.asarray(y * logistic(z) * logistic(-z)))

"""Log loss of two classes."""

from __future__ import annotations

from typing import Any, ClassVar, Literal

import numpy as np
from numpy.typing import NDArray

from hornbook import _native
from hornbook.losses._logistic import log_odds, logistic
from hornbook.losses._loss import Loss
from hornbook.params import Floats

__all__ = ["LogLoss"]


class LogLoss(Loss):
    """Log loss of two classes: minus the logarithm of the predicted probability of the true class.

    For y in {0, 1} and a score z, the log odds of class 1, it is ln(1 + exp(z)) - y z. With the classes
    written as -1 and +1 and a margin m = z the same number is ln(1 + exp(-y m)). It is half the deviance and
    the cross-entropy of one row.

    Examples
    --------
    >>> loss = LogLoss()
    >>> loss.value(np.array([0, 1]), np.array([0.0, 3.0])).round(4).tolist()
    [0.6931, 0.0486]
    >>> float(loss.minimizer(np.array([0, 1, 1, 1])).round(4))  # ln 3
    1.0986
    """

    link_name: ClassVar[Literal["identity", "log", "logit"]] = "logit"
    well_formed: ClassVar[bool] = True

    def value(self, y: NDArray[Any], z: Floats) -> Floats:
        """Cost of each row."""
        # logaddexp does not overflow for large scores, as log(1 + exp(z)) would.
        return np.logaddexp(0.0, np.where(y == 1, -z, z))

    def gradient(self, y: NDArray[Any], z: Floats) -> Floats:
        """First derivative by the score: p - y."""
        # 1 - p computed as the logistic of -z does not lose digits to cancellation when p is close to 1.
        return np.where(y == 1, -logistic(-z), logistic(z))

    def hessian(self, y: NDArray[Any], z: Floats) -> Floats:  # noqa: ARG002 - it does not depend on the truth
        """Second derivative by the score: p (1 - p)."""
        return logistic(z) * logistic(-z)

    def derivatives(self, y: NDArray[Any], z: Floats) -> tuple[Floats, Floats]:
        """First and second derivative by the score, in one native pass."""
        downhill, hessian = np.empty(len(z)), np.empty(len(z))
        scores, is_one = np.ascontiguousarray(z), (y == 1).astype(np.int32)
        _native.log_loss_pairs(scores, is_one, None, downhill, hessian, None, None, 1)
        return np.negative(downhill, out=downhill), hessian

    def link(self, mean: Floats) -> Floats:
        """Log odds of a probability."""
        return log_odds(mean)

    def inverse_link(self, z: Floats) -> Floats:
        """Probability of class 1 for log odds."""
        return logistic(z)

    def minimizer(self, y: NDArray[Any], w: Floats | None = None) -> Floats:
        """Return the log odds of the weighted frequency of class 1: ln(P1 / P0)."""
        return self.link(np.asarray(np.average(y == 1, weights=w)))

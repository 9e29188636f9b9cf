"""Losses: what a score costs given the truth, with everything a learner needs to minimize it.

A `Loss` takes targets y and raw scores z. Row by row it has a ``value``, a ``gradient`` and a ``hessian`` by
the score; ``total`` returns the weighted sum and the weighted gradients. ``link`` maps a mean (a
probability, a number) to its score, ``inverse_link`` back, and ``minimizer`` is the constant score with the
smallest weighted total. `LogLoss` is for two classes, `SoftmaxLoss` for several, `SquaredError` for numbers.
`HingeLoss`, `SquaredHingeLoss`, `SquaredMarginLoss`, `ExponentialLoss` and `ZeroOneLoss` are margin losses.
`logistic`, `odds`, `log_odds` and `unit_step` are the functions used in logistic regression.
"""

from __future__ import annotations

from hornbook.losses._log_loss import LogLoss
from hornbook.losses._logistic import log_odds, logistic, odds, unit_step
from hornbook.losses._loss import Loss
from hornbook.losses._margin_losses import (
    ExponentialLoss,
    HingeLoss,
    MarginLoss,
    SquaredHingeLoss,
    SquaredMarginLoss,
    ZeroOneLoss,
)
from hornbook.losses._softmax import SoftmaxLoss
from hornbook.losses._squared_error import SquaredError

__all__ = [
    "ExponentialLoss",
    "HingeLoss",
    "LogLoss",
    "Loss",
    "MarginLoss",
    "SoftmaxLoss",
    "SquaredError",
    "SquaredHingeLoss",
    "SquaredMarginLoss",
    "ZeroOneLoss",
    "log_odds",
    "logistic",
    "odds",
    "unit_step",
]

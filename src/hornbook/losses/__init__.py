"""Losses: what a score costs given the truth, with everything a learner needs to minimize it.

A `Loss` takes targets y and raw scores z. Row by row it has a ``value``, a ``gradient`` and a ``hessian`` by
the score; ``total`` returns the weighted sum and the weighted gradients. ``link`` maps a mean (a probability,
a number) to its score, ``inverse_link`` back, and ``minimizer`` is the constant score with the smallest
weighted total. `LogLoss` is for two classes, `SoftmaxLoss` for several, `SquaredError`, `AbsoluteError`,
`QuantileLoss` and `HuberLoss` for numbers, `PoissonLoss`, `GammaLoss` and `TweedieLoss` for amounts,
`CrossEntropy` and `RelativeEntropy` for probabilities. `HingeLoss`, `SquaredHingeLoss`, `SquaredMarginLoss`,
`ExponentialLoss` and `ZeroOneLoss` are margin losses. ``well_formed`` says which losses classify all rows
where that is possible. ``region_minimizers`` and ``region_steps`` are the steps of boosting in the leaves of
a tree. `logistic`, `odds`, `log_odds` and `unit_step` are the functions used in logistic regression.
"""

from __future__ import annotations

from hornbook.losses._cross_entropy import CrossEntropy, RelativeEntropy
from hornbook.losses._huber import HuberLoss
from hornbook.losses._log_loss import LogLoss
from hornbook.losses._log_mean_losses import GammaLoss, PoissonLoss, TweedieLoss
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
from hornbook.losses._quantile_losses import AbsoluteError, QuantileLoss
from hornbook.losses._region_search import Regions as Regions
from hornbook.losses._region_search import line_minimizers as line_minimizers
from hornbook.losses._softmax import SoftmaxLoss
from hornbook.losses._squared_error import SquaredError

__all__ = [
    "AbsoluteError",
    "CrossEntropy",
    "ExponentialLoss",
    "GammaLoss",
    "HingeLoss",
    "HuberLoss",
    "LogLoss",
    "Loss",
    "MarginLoss",
    "PoissonLoss",
    "QuantileLoss",
    "RelativeEntropy",
    "SoftmaxLoss",
    "SquaredError",
    "SquaredHingeLoss",
    "SquaredMarginLoss",
    "TweedieLoss",
    "ZeroOneLoss",
    "log_odds",
    "logistic",
    "odds",
    "unit_step",
]

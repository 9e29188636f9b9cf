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

from hornbook._lazy import attach

HOMES = {
    "AbsoluteError": "_quantile_losses",
    "CrossEntropy": "_cross_entropy",
    "ExponentialLoss": "_margin_losses",
    "GammaLoss": "_log_mean_losses",
    "HingeLoss": "_margin_losses",
    "HuberLoss": "_huber",
    "LogLoss": "_log_loss",
    "Loss": "_loss",
    "MarginLoss": "_margin_losses",
    "PoissonLoss": "_log_mean_losses",
    "QuantileLoss": "_quantile_losses",
    "RelativeEntropy": "_cross_entropy",
    "SoftmaxLoss": "_softmax",
    "SquaredError": "_squared_error",
    "SquaredHingeLoss": "_margin_losses",
    "SquaredMarginLoss": "_margin_losses",
    "TweedieLoss": "_log_mean_losses",
    "ZeroOneLoss": "_margin_losses",
    "log_odds": "_logistic",
    "logistic": "_logistic",
    "odds": "_logistic",
    "unit_step": "_logistic",
}

# Lent to other packages, not for users.
LENT = {
    "Regions": "_region_search",
    "line_minimizers": "_region_search",
}

__all__ = list(HOMES)
__getattr__, __dir__ = attach(__name__, HOMES, LENT)

"""From the parameter ``loss`` to a loss."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from hornbook.losses import (
    AbsoluteError,
    ExponentialLoss,
    GammaLoss,
    HuberLoss,
    LogLoss,
    Loss,
    PoissonLoss,
    QuantileLoss,
    SoftmaxLoss,
    SquaredError,
    TweedieLoss,
)
from hornbook.params import Floats

__all__ = ["class_loss", "loss_name", "number_loss", "refuse_infinite", "refuse_targets"]


def class_loss(loss: str | Loss, n_classes: int, learner: str) -> Loss:
    """The loss for this many classes."""
    if loss == "log_loss":
        return LogLoss() if n_classes <= 2 else SoftmaxLoss(n_classes)
    if n_classes > 2:
        raise ValueError(
            f"{learner}: loss {loss_name(loss)} is for two classes, but y has {n_classes}: set "
            "loss='log_loss', or use OneVsRest."
        )
    return loss if isinstance(loss, Loss) else ExponentialLoss()


def number_loss(loss: str | Loss, quantile: float | None, power: float, learner: str) -> Loss:
    """The loss for numbers; ``quantile`` is that of quantile loss, or of Huber's, whose usual one is 0.9."""
    if isinstance(loss, Loss):
        return loss
    if loss == "quantile":
        if quantile is None:
            raise ValueError(
                f"{learner}: loss='quantile' needs a quantile: set quantile to a number between 0 and 1."
            )
        return QuantileLoss(quantile)
    if loss == "huber":
        return HuberLoss(quantile=0.9 if quantile is None else quantile)
    if loss == "tweedie":
        return TweedieLoss(power)
    return _PLAIN[loss]()


_PLAIN: dict[str, Callable[[], Loss]] = {
    "squared_error": SquaredError,
    "absolute_error": AbsoluteError,
    "poisson": PoissonLoss,
    "gamma": GammaLoss,
}


def loss_name(loss: str | Loss) -> str:
    """The loss as it reads in a message."""
    return repr(loss) if isinstance(loss, str) else type(loss).__name__


# scikit-learn's words for it.
_REQUIRES = {
    "gamma": " (loss='gamma' requires strictly positive y.)",
    "poisson": " (loss='poisson' requires non-negative y and sum(y) > 0.)",
}


def refuse_targets(low: float, high: float, loss: str | Loss, resolved: Loss, learner: str) -> None:
    """Reject targets between these extremes for which the loss is not defined."""
    for extreme in (low, high):
        if extreme not in resolved.target_range:
            raise ValueError(
                f"{learner}: loss {loss_name(loss)} needs a target in {resolved.target_range}, but y has "
                f"{extreme:g}{_REQUIRES.get(str(loss), '')}: correct those rows, or choose another loss."
            )


def refuse_infinite(base: Floats, loss: str | Loss, learner: str) -> None:
    """Reject targets without a finite score to start from, such as counts that are all 0."""
    if not np.isfinite(base).all():
        raise ValueError(
            f"{learner}: loss {loss_name(loss)} is smallest at a score of {base[~np.isfinite(base)][0]} for "
            f"this target, as for counts that are all 0{_REQUIRES.get(str(loss), '')}: choose another loss, "
            "or set init='zero'."
        )

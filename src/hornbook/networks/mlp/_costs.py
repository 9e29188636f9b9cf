"""Costs of networks: names, the losses that they are, and their codes in the kernels."""

from __future__ import annotations

from hornbook.losses import CrossEntropy, Loss, PoissonLoss, RelativeEntropy, SoftmaxLoss, SquaredError

__all__ = ["COSTS", "cost_code", "loss_of"]

COSTS: dict[str, int] = {
    "squared_error": 0,
    "cross_entropy": 1,
    "relative_cross_entropy": 2,
    "kl": 3,
    "log_loss": 4,
    "poisson": 5,
}


def cost_code(cost: str, output: str) -> int:
    """Code of a cost in the kernels; of two classes, the log loss is the cross-entropy of one output."""
    return COSTS["cross_entropy"] if cost == "log_loss" and output == "logistic" else COSTS[cost]


def loss_of(cost: str, output: str, n_outputs: int) -> Loss:
    """The loss that a cost is: a function of targets and of the net inputs of output units.

    The squared error is a function of targets and outputs instead.

    Parameters
    ----------
    cost, output : str
        Cost and output unit by name.
    n_outputs : int
        Number of output units.

    Examples
    --------
    >>> loss_of("log_loss", "softmax", 3).well_formed, loss_of("squared_error", "logistic", 3).well_formed
    (True, False)
    """
    # With softmax units and any of the logarithmic costs the derivative by the net input is output minus
    # target, so one loss stands for all of them.
    if output == "softmax":
        return SoftmaxLoss(n_outputs)
    if cost == "squared_error":
        return SquaredError()
    if cost == "poisson":
        return PoissonLoss()
    if cost == "kl":
        return RelativeEntropy()
    return CrossEntropy(zero_minimum=cost == "relative_cross_entropy")

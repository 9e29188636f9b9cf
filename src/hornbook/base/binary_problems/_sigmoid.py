"""Probabilities from scores: a sigmoid fitted to the classes of some rows."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from hornbook.losses import logistic
from hornbook.optimize import SecondOrder, newton
from hornbook.params import Floats

__all__ = ["PlattSigmoid"]

MOST_STEPS = 100


@dataclass(frozen=True)
class PlattSigmoid:
    """The probability 1 / (1 + exp(-(slope f + intercept))) of the positive class of a row with score f.

    Parameters
    ----------
    slope : float
        Positive where larger scores speak for the positive class.
    intercept : float
        The log odds at score 0.
    """

    slope: float
    intercept: float

    @classmethod
    def fit(cls, scores: Floats, positive: NDArray[np.bool_], w: Floats | None = None) -> PlattSigmoid:
        """Minimize the log loss on rows whose scores are those of new rows: held out, or cross-validated.

        The targets are not 0 and 1 but those after one further row of each class, which keeps the slope
        finite where the scores separate the classes (Platt, Probabilistic outputs for support vector
        machines, 1999). Newton's method with a line search, as Lin, Lin and Weng recommend (Machine Learning
        2007), because Platt's own pseudo-code may fail to converge.

        Parameters
        ----------
        scores : ndarray of shape (n_rows,)
            The scores.
        positive : ndarray of bool of shape (n_rows,)
            Whether each row is of the positive class.
        w : ndarray of shape (n_rows,), optional
            Weights of the rows.
        """
        weights = np.ones(len(scores)) if w is None else w
        above, below = float(weights[positive].sum()), float(weights[~positive].sum())
        # Platt's targets (1999), the posterior means under a uniform prior: with 0 and 1 the slope would grow
        # without bound where scores separate the rows.
        targets = np.where(positive, (above + 1) / (above + 2), 1 / (below + 2))
        size = float(np.abs(scores).max(initial=0.0)) or 1.0  # squares of huge scores would overflow
        objective = _LogLossOfLine(scores / size, targets, weights)
        x = np.array([0.0, np.log((above + 1) / (below + 1))])
        for step, _ in zip(newton(objective, x, tol=1e-12), range(MOST_STEPS), strict=False):
            x = step.x
        return cls(float(x[0]) / size, float(x[1]))

    def probabilities(self, scores: Floats) -> Floats:
        """Return the probability of the positive class for each score."""
        return logistic(self.slope * scores + self.intercept)


@dataclass(frozen=True)
class _LogLossOfLine(SecondOrder):
    """Log loss of the scores a f + b against targets between 0 and 1, as a function of (a, b)."""

    scores: Floats
    targets: Floats
    weights: Floats

    def second(self, x: Floats) -> tuple[float, Floats, Floats]:
        """Value, gradient and Hessian."""
        columns = np.column_stack([self.scores, np.ones_like(self.scores)])
        z = columns @ x
        p = logistic(z)
        # As in Lin, Lin and Weng, A note on Platt's probabilistic outputs (2007): log(1 + exp(z)) without
        # overflow, and p (1 - p) as a product that does not cancel where p is near 1.
        value = float(self.weights @ (np.logaddexp(0.0, z) - self.targets * z))
        curvatures = self.weights * p * logistic(-z)
        return value, (self.weights * (p - self.targets)) @ columns, (columns.T * curvatures) @ columns

"""The four sources of error: the data, the model class, the sample, the optimizer."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike
from sklearn.base import clone

from hornbook.display import Cell, Table
from hornbook.evaluation.decomposition._parts import Loss
from hornbook.evaluation.decomposition._truth import Sampler, Truth, training_sets
from hornbook.evaluation.intervals._samples import one_of
from hornbook.evaluation.splits._rows import stack_rows
from hornbook.params import Seed

__all__ = ["ErrorSources", "error_sources"]


@dataclass(frozen=True)
class ErrorSources:
    """Expected loss of a learner as the sum of its four sources.

    Parameters
    ----------
    bayes : float
        Bayes error, which no model can avoid.
    bias : float
        Approximation error: the excess loss of the best model of the class.
    sample : float
        Estimation error: the further excess loss of training on a finite sample.
    algorithmic : float
        Optimization error: the excess loss over an exact optimizer of the same model class on the same
        samples.
    """

    bayes: float
    bias: float
    sample: float
    algorithmic: float

    @property
    def loss(self) -> float:
        """Expected loss of the learner: the sum."""
        return self.bayes + self.bias + self.sample + self.algorithmic

    def __str__(self) -> str:
        return (
            f"expected loss {self.loss:.4g} = Bayes error {self.bayes:.4g} + bias error {self.bias:.4g} + "
            f"sample error {self.sample:.4g} + algorithmic error {self.algorithmic:.4g}"
        )

    def _repr_html_(self) -> str:
        rows: list[list[Cell]] = [[name, value] for name, value in self.to_dict().items()]
        return Table("expected loss by source", ("source", "loss"), rows)._repr_html_()

    def to_dict(self) -> dict[str, float]:
        """Return the sources and their sum as plain data."""
        return {
            "bayes": self.bayes,
            "bias": self.bias,
            "sample": self.sample,
            "algorithmic": self.algorithmic,
            "loss": self.loss,
        }


def error_sources(
    learner: Any,
    sampler: Sampler,
    X: Any,
    y: Any,
    *,
    exact: Any = None,
    loss: Loss = "squared",
    noise: ArrayLike | None = None,
    n_samples: int = 50,
    random_state: Seed = None,
) -> ErrorSources:
    """Estimate by simulation where the expected loss of a learner comes from.

    With f* the best possible prediction, g the exact model of all ``n_samples`` training sets together
    (nearly the best of its class), e the exact models of single training sets, a those of the learner itself:

    - Bayes error = loss(f*),
    - bias error = loss(g) - loss(f*),
    - sample error = mean loss(e) - loss(g),
    - algorithmic error = mean loss(a) - mean loss(e).

    All losses are expected losses at the points X, where the truth is known.

    Parameters
    ----------
    learner : estimator
        With ``fit`` and ``predict``; it is cloned, not changed.
    sampler : callable
        Takes a NumPy random generator and returns a training set ``(X, y)``.
    X : Frame, DataFrame, array or list
        The points of evaluation.
    y : array-like
        The truth there, as for `bias_variance` by simulation.
    exact : estimator, optional
        A learner of the same model class that finds the global optimum. Left out, the learner itself is
        taken to be exact and its algorithmic error is 0.
    loss : {"squared", "zero_one"}, default "squared"
        The loss.
    noise : float or array-like of shape (n_points,), optional
        Var[y|x], or the probability of any but the most probable class.
    n_samples : int, default 50
        Number of training sets.
    random_state : int, RandomState or None
        Seed of the draws; a fresh one each time when left out.

    Returns
    -------
    ErrorSources
        The four parts, whose sum is the expected loss of the learner.

    Examples
    --------
    >>> from sklearn.linear_model import LinearRegression
    >>> def sampler(rng):
    ...     x = rng.uniform(-1, 1, (20, 1))
    ...     return x, x[:, 0] ** 2 + rng.normal(0, 0.1, 20)
    >>> points = np.linspace(-1, 1, 41)[:, None]
    >>> truth = points[:, 0] ** 2
    >>> print(error_sources(LinearRegression(), sampler, points, truth, noise=0.01, random_state=0))
    expected loss 0.1243 = Bayes error 0.01 + bias error 0.09803 + sample error 0.01628 + algorithmic error 0
    """
    one_of("error_sources", "loss", loss, ("squared", "zero_one"))
    if n_samples < 1:
        raise ValueError(f"error_sources: 'n_samples' must be at least 1; got {n_samples}.")
    truth = Truth("error_sources", loss, X, y, noise)
    sets = list(training_sets("error_sources", sampler, n_samples, random_state))
    # All training sets together stand in for an infinite sample: what error is left is that of the
    # model class.
    together = stack_rows([part for part, _ in sets]), stack_rows([target for _, target in sets])
    seen = np.unique(np.asarray(together[1])) if loss == "zero_one" else np.empty(0)

    def loss_of(model: Any, training: tuple[Any, Any]) -> float:
        return truth.expected_loss(np.asarray(clone(model).fit(*training).predict(X)), seen)

    best = loss_of(learner if exact is None else exact, together)
    own = float(np.mean([loss_of(learner, training) for training in sets]))
    exactly = own if exact is None else float(np.mean([loss_of(exact, training) for training in sets]))
    least = truth.least_loss(seen)
    # Telescoping: Bayes, best of the class, exact fit of a sample, the learner's own fit of it.
    return ErrorSources(least, best - least, exactly - best, own - exactly)

"""Bias and variance as a function of a parameter of the learner."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

from hornbook.display import Table, plain
from hornbook.evaluation.decomposition._bias_variance import bias_variance
from hornbook.evaluation.decomposition._parts import BiasVariance, Loss
from hornbook.evaluation.decomposition._truth import Sampler
from hornbook.params import Floats, Seed
from hornbook.random import seed_of

__all__ = ["BiasVarianceCurve", "bias_variance_curve"]


@dataclass(frozen=True, eq=False)
class BiasVarianceCurve:
    """Bias, variance and loss of a learner for each value of a parameter.

    Parameters
    ----------
    name : str
        The parameter.
    values : tuple
        Its values.
    results : tuple of BiasVariance
        The decomposition for each value.
    """

    name: str
    values: tuple[Any, ...]
    results: tuple[BiasVariance, ...]

    @property
    def loss(self) -> Floats:
        """Expected loss for each value."""
        return self._all("loss")

    @property
    def noise(self) -> Floats:
        """Noise for each value."""
        return self._all("noise")

    @property
    def bias(self) -> Floats:
        """Bias for each value."""
        return self._all("bias")

    @property
    def variance(self) -> Floats:
        """Variance for each value."""
        return self._all("variance")

    @property
    def best(self) -> Any:
        """The value with the smallest loss; the first one if tied."""
        return self.values[int(self.loss.argmin())]

    def _all(self, part: str) -> NDArray[np.float64]:
        return np.array([getattr(result, part) for result in self.results])

    @property
    def table(self) -> Table:
        """One row for each value."""
        parts = ("loss", "noise", "bias", "variance")
        rows = [
            [str(value), *(getattr(result, part) for part in parts)]
            for value, result in zip(self.values, self.results, strict=True)
        ]
        title = f"least {self.results[0].measured.replace('_', '-')} loss at {self.name} = {self.best}"
        return Table(title, (self.name, *parts), rows)

    def __str__(self) -> str:
        return str(self.table)

    def _repr_html_(self) -> str:
        return self.table._repr_html_()

    def to_dict(self) -> dict[str, Any]:
        """Return the curve as plain data."""
        return {
            "name": self.name,
            "values": [plain(value) for value in self.values],
            "results": [result.to_dict() for result in self.results],
        }


def bias_variance_curve(
    make_learner: Callable[[Any], Any],
    values: Sequence[Any],
    X: Any,
    y: Any = None,
    *,
    name: str = "value",
    loss: Loss = "squared",
    method: Literal["bootstrap", "simulation"] = "bootstrap",
    n_samples: int = 50,
    sampler: Sampler | None = None,
    noise: ArrayLike | None = None,
    X_test: Any = None,
    y_test: Any = None,
    random_state: Seed = None,
) -> BiasVarianceCurve:
    """Decompose the loss of a learner for each value of a parameter, with the same training sets for all.

    Parameters
    ----------
    make_learner : callable
        Takes a value and returns a learner.
    values : sequence
        The values, such as ``[0.01, 0.1, 1, 10, 100]`` for the C of a support vector machine.
    X, y
        As for `bias_variance`.
    name : str, default "value"
        Name of the parameter in tables and plots.
    loss, method, n_samples, sampler, noise, X_test, y_test
        As for `bias_variance`.
    random_state : int, RandomState or None
        Seed of the draws; a fresh one each time when left out.

    Returns
    -------
    BiasVarianceCurve
        For each value the parts of the loss.

    Examples
    --------
    >>> from sklearn.neighbors import KNeighborsRegressor
    >>> x = np.linspace(0, 1, 60)
    >>> y = np.sin(9 * x) + np.random.default_rng(0).normal(0, 0.5, 60)
    >>> curve = bias_variance_curve(KNeighborsRegressor, [1, 5, 25], x[:, None], y, random_state=0)
    >>> bool(curve.variance[0] > curve.variance[2]), bool(curve.bias[0] < curve.bias[2])
    (True, True)
    """
    if not len(values):
        raise ValueError("bias_variance_curve: 'values' must have at least one value; got none.")
    seed = seed_of(random_state)  # one seed for all values: their differences are not due to the samples
    results = tuple(
        bias_variance(
            make_learner(value),
            X,
            y,
            loss=loss,
            method=method,
            n_samples=n_samples,
            sampler=sampler,
            noise=noise,
            X_test=X_test,
            y_test=y_test,
            random_state=seed,
        )
        for value in values
    )
    return BiasVarianceCurve(name, tuple(values), results)

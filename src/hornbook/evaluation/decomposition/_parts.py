"""The parts of the expected loss: noise, bias and variance, at each point and on average."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray

from hornbook.display import Table
from hornbook.params import Floats

__all__ = ["BiasVariance", "Loss", "squared_parts", "zero_one_parts"]

Loss: TypeAlias = Literal["squared", "zero_one"]


@dataclass(frozen=True, eq=False)
class BiasVariance:
    """The decomposition of the expected loss of a learner: ``loss = noise + bias + variance``.

    Under the squared loss ``bias`` is the squared bias (Geman, Bienenstock and Doursat, 1992). Under the
    zero-one loss (Domingos, 2000) ``bias`` is the fraction of points where the main prediction is not the
    optimal one, ``variance`` the net variance (what deviating from the main prediction costs where that is
    right, minus what it saves where that is wrong), and ``noise`` what noise adds to the loss of these
    predictions (the Bayes error, minus what chance agreement with a noisy label saves).

    Parameters
    ----------
    measured : {"squared", "zero_one"}
        The loss.
    n_samples : int
        Number of training sets.
    main : ndarray of shape (n_points,)
        The main prediction at each point: the mean, or the most frequent class.
    loss_at, noise_at, bias_at, variance_at : ndarray of shape (n_points,)
        Expected loss at each point and its parts.
    spread_at : ndarray of shape (n_points,)
        How much the predictions vary around the main one: their variance, or the fraction that differs.
    """

    measured: Loss
    n_samples: int
    main: NDArray[Any]
    loss_at: Floats
    noise_at: Floats
    bias_at: Floats
    variance_at: Floats
    spread_at: Floats

    @property
    def loss(self) -> float:
        """Expected loss, averaged over the points."""
        return float(self.loss_at.mean())

    @property
    def noise(self) -> float:
        """Contribution of noise to the loss."""
        return float(self.noise_at.mean())

    @property
    def bias(self) -> float:
        """Contribution of bias to the loss; the squared bias under the squared loss."""
        return float(self.bias_at.mean())

    @property
    def variance(self) -> float:
        """Contribution of variance to the loss; the net variance under the zero-one loss."""
        return float(self.variance_at.mean())

    @property
    def unbiased_variance(self) -> float:
        """Loss from deviating from a main prediction that is right (zero-one loss)."""
        return float(np.where(self.bias_at == 0, self.variance_at, 0.0).mean())

    @property
    def biased_variance(self) -> float:
        """Loss saved by deviating from a main prediction that is wrong (zero-one loss)."""
        return float(-np.where(self.bias_at == 0, 0.0, self.variance_at).mean())

    def __str__(self) -> str:
        name = {"squared": "squared", "zero_one": "zero-one"}[self.measured]
        squared = "²" if self.measured == "squared" else ""
        return (
            f"{name} loss {self.loss:.4g} = noise {self.noise:.4g} + bias{squared} {self.bias:.4g} + "
            f"variance {self.variance:.4g} ({self.n_samples} samples, {len(self.main)} points)"
        )

    def _repr_html_(self) -> str:
        rows = [[self.loss, self.noise, self.bias, self.variance]]
        return Table(str(self), ("loss", "noise", "bias", "variance"), rows)._repr_html_()

    def to_dict(self) -> dict[str, Any]:
        """Return the averages as plain data."""
        averages = {name: getattr(self, name) for name in ("loss", "noise", "bias", "variance")}
        return {
            "measured": self.measured,
            "n_samples": self.n_samples,
            "n_points": len(self.main),
            **averages,
        }


def squared_parts(predictions: Floats, expected: Floats, noise: Floats) -> BiasVariance:
    """Decompose the squared loss (Geman, Bienenstock and Doursat, 1992).

    Parameters
    ----------
    predictions : ndarray of shape (n_samples, n_points)
        Predicted numbers, one row for each training set.
    expected : ndarray of shape (n_points,)
        E[y|x].
    noise : ndarray of shape (n_points,)
        Var[y|x].
    """
    main = predictions.mean(axis=0)
    # Divisor n: then loss = noise + bias + variance holds exactly for these samples.
    variance = predictions.var(axis=0)
    loss = noise + ((predictions - expected) ** 2).mean(axis=0)
    return BiasVariance(
        "squared", len(predictions), main, loss, noise, (main - expected) ** 2, variance, variance
    )


def zero_one_parts(predictions: NDArray[Any], probabilities: Floats, classes: NDArray[Any]) -> BiasVariance:
    """Decompose the zero-one loss (Domingos, 2000).

    Parameters
    ----------
    predictions : ndarray of shape (n_samples, n_points)
        Predicted classes, one row for each training set.
    probabilities : ndarray of shape (n_points, n_classes)
        P(y|x).
    classes : ndarray of shape (n_classes,)
        The classes, in the order of the columns; of equally frequent ones the first is the main one.
    """
    shares = np.stack([(predictions == label).mean(axis=0) for label in classes], axis=1)
    best, main = probabilities.argmax(axis=1), shares.argmax(axis=1)
    point = np.arange(len(best))
    # (points,): how often the optimal class is predicted, and how often the most frequent one is.
    right, followed = shares[point, best], shares[point, main]
    bias = (main != best).astype(np.float64)
    # deviating costs where the main prediction is optimal; elsewhere it pays where it hits the optimal class
    variance = np.where(main == best, 1 - followed, -right)
    loss = 1 - (shares * probabilities).sum(axis=1)
    # Without noise the loss is 1 - right. Noise turns correct predictions into errors, and some errors into
    # hits.
    noise = loss - (1 - right)
    return BiasVariance(
        "zero_one", len(predictions), classes[main], loss, noise, bias, variance, 1 - followed
    )

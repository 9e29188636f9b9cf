"""Weighted moments of columns within classes, merged without cancellation."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from hornbook import _native
from hornbook.params import Floats

__all__ = ["Moments"]


@dataclass(frozen=True)
class Moments:
    """Mass, mean and scatter of each column within each class, missing cells left out.

    Two sets of moments of disjoint rows merge into the moments of all rows by Chan's formula.

    Parameters
    ----------
    mass : ndarray of shape (n_classes, n_columns)
        Sum of the weights of the cells that are not missing.
    mean : ndarray of shape (n_classes, n_columns)
        Weighted mean, 0 where the mass is 0.
    scatter : ndarray of shape (n_classes, n_columns)
        Weighted sum of squared deviations from the mean.

    Examples
    --------
    >>> import numpy as np
    >>> one, two = Moments.of_rows(np.array([[1.0], [3.0]])), Moments.of_rows(np.array([[8.0]]))
    >>> both = one.merge(two)
    >>> both.mean.item(), both.variance().item()
    (4.0, 8.666666666666666)
    """

    mass: Floats
    mean: Floats
    scatter: Floats

    def verify(self, _: object) -> None:
        """Refuse arrays of different shapes, as a damaged model file may hold."""
        if self.mass.ndim != 2 or not self.mass.shape == self.mean.shape == self.scatter.shape:
            raise ValueError("moments need a mass, a mean and a scatter for each class and column")

    @classmethod
    def of(cls, X: Floats, y: NDArray[np.int32], w: Floats | None, n_classes: int) -> Moments:
        """Moments of the rows of one chunk."""
        return cls(*_native.class_moments(X, y, w, n_classes))

    @classmethod
    def of_rows(cls, X: Floats, w: Floats | None = None) -> Moments:
        """Moments of the rows of one chunk, all of them in a single class."""
        return cls.of(X, np.zeros(len(X), dtype=np.int32), w, 1)

    def merge(self, other: Moments) -> Moments:
        """Moments of the rows of both."""
        # Chan, Golub and LeVeque (The American Statistician 1983). A difference of sums of squares would lose
        # all digits of columns that lie far from 0.
        mass = self.mass + other.mass
        share = np.divide(other.mass, mass, out=np.zeros_like(mass), where=mass > 0)
        with np.errstate(over="ignore", invalid="ignore"):
            gap = other.mean - self.mean
            scatter = self.scatter + other.scatter + gap * gap * (self.mass * share)
            return Moments(mass, self.mean + gap * share, scatter)

    def pooled(self) -> Moments:
        """Moments over all classes together, of shape (1, n_columns)."""
        whole = Moments(self.mass[:1], self.mean[:1], self.scatter[:1])
        for c in range(1, len(self.mass)):
            whole = whole.merge(Moments(self.mass[c : c + 1], self.mean[c : c + 1], self.scatter[c : c + 1]))
        return whole

    def variance(self, *, unbiased: bool = False) -> Floats:
        """Scatter over mass, or over mass - 1 when ``unbiased``; 0 where that is not positive."""
        divisor = self.mass - 1.0 if unbiased else self.mass
        return np.divide(self.scatter, divisor, out=np.zeros_like(self.scatter), where=divisor > 0)

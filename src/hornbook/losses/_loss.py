"""The interface of losses."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import Any

from numpy.typing import NDArray

from hornbook.params import Floats

__all__ = ["Loss"]


class Loss(ABC):
    """Base of losses: the cost of a score, row by row, and its derivatives by the score.

    Scores z have shape (n_rows,), or (n_rows, n_scores) where a row has several.
    """

    @abstractmethod
    def value(self, y: NDArray[Any], z: Floats) -> Floats:
        """Cost of each row."""

    @abstractmethod
    def gradient(self, y: NDArray[Any], z: Floats) -> Floats:
        """First derivative by the score, of the shape of z."""

    @abstractmethod
    def hessian(self, y: NDArray[Any], z: Floats) -> Floats:
        """Second derivative by the score: (n_rows,), or (n_rows, n_scores, n_scores)."""

    @abstractmethod
    def link(self, mean: Floats) -> Floats:
        """Score that corresponds to a mean of the target."""

    @abstractmethod
    def inverse_link(self, z: Floats) -> Floats:
        """Mean of the target that corresponds to a score."""

    @abstractmethod
    def minimizer(self, y: NDArray[Any], w: Floats | None = None) -> Floats:
        """Return the constant score with the smallest weighted total: the link of the weighted mean."""

    def total(self, y: NDArray[Any], z: Floats, w: Floats | None = None) -> tuple[float, Floats]:
        """Weighted sum of the costs, and the gradient of each row times its weight."""
        value, gradient = self.value(y, z), self.gradient(y, z)
        if w is None:
            return float(value.sum()), gradient
        # Weights multiply rows, whatever the number of scores in a row.
        return float(w @ value), gradient * (w if gradient.ndim == 1 else w[:, None])

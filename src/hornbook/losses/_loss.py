"""The interface of losses."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import Any, ClassVar, Literal

import numpy as np
from numpy.typing import NDArray

from hornbook.losses._region_search import Regions, line_minimizers
from hornbook.params import Floats, Range

__all__ = ["Loss"]


class Loss(ABC):
    """Base of losses: the cost of a score, row by row, and its derivatives by the score.

    Scores z have shape (n_rows,), or (n_rows, n_scores) where a row has several. A loss of one's own needs
    ``value``, ``gradient`` and ``hessian`` of one score per row; the score is then the prediction itself, and
    minimizers are searched for.

    Examples
    --------
    >>> class LogCosh(Loss):
    ...     def value(self, y, z):
    ...         return np.log(np.cosh(z - y))
    ...
    ...     def gradient(self, y, z):
    ...         return np.tanh(z - y)
    ...
    ...     def hessian(self, y, z):
    ...         return 1.0 - np.tanh(z - y) ** 2
    >>> float(LogCosh().minimizer(np.array([1.0, 2.0, 6.0])).round(3))
    2.175
    """

    # Whether the second derivative is above 0 wherever it matters, so that a Newton step makes sense.
    has_curvature: ClassVar[bool] = True
    # Whether the best constant score depends on nothing but the mean of the target.
    mean_is_enough: ClassVar[bool] = False
    # Whether minimizing it finds weights that classify all rows correctly wherever there are such weights:
    # the cost of a row that is far on the wrong side of the boundary then has a slope.
    well_formed: ClassVar[bool] = False
    # The targets that the loss is defined for.
    target_range: ClassVar[Range] = Range()
    # The function of the mean that the score is, by name.
    link_name: ClassVar[Literal["identity", "log", "logit"]] = "identity"

    @abstractmethod
    def value(self, y: NDArray[Any], z: Floats) -> Floats:
        """Cost of each row."""

    @abstractmethod
    def gradient(self, y: NDArray[Any], z: Floats) -> Floats:
        """First derivative by the score, of the shape of z."""

    @abstractmethod
    def hessian(self, y: NDArray[Any], z: Floats) -> Floats:
        """Second derivative by the score: (n_rows,), or (n_rows, n_scores, n_scores)."""

    def link(self, mean: Floats) -> Floats:
        """Score that corresponds to a mean of the target."""
        return np.asarray(mean, dtype=np.float64)

    def inverse_link(self, z: Floats) -> Floats:
        """Mean of the target that corresponds to a score."""
        return z

    def minimizer(self, y: NDArray[Any], w: Floats | None = None) -> Floats:
        """Return the constant score with the smallest weighted total."""
        everywhere = Regions.whole(len(y), w)
        return np.asarray(self.region_minimizers(y, np.zeros(len(y)), everywhere)[0])

    def total(self, y: NDArray[Any], z: Floats, w: Floats | None = None) -> tuple[float, Floats]:
        """Weighted sum of the costs, and the gradient of each row times its weight."""
        value, gradient = self.value(y, z), self.gradient(y, z)
        if w is None:
            return float(value.sum()), gradient
        # Weights multiply rows, whatever the number of scores in a row.
        return float(w @ value), gradient * (w if gradient.ndim == 1 else w[:, None])

    def derivatives(self, y: NDArray[Any], z: Floats) -> tuple[Floats, Floats]:
        """First and second derivative by each score alone, of the shape of z."""
        return self.gradient(y, z), self.hessian(y, z)

    def adapted(self, y: NDArray[Any], z: Floats, w: Floats | None = None) -> Loss:  # noqa: ARG002 - for Huber's
        """Return the loss for residuals of this size; most losses do not depend on it."""
        return self

    def region_minimizers(self, y: NDArray[Any], z: Floats, regions: Regions) -> Floats:
        """For each region, the step that added to the scores of its rows lowers their loss most.

        Where the best step is infinite, as for the log loss of rows of one class, the result is one after
        which a 1e-8th of the gradient is left.
        """
        return line_minimizers(self, y, z, regions)

    def region_steps(self, y: NDArray[Any], z: Floats, regions: Regions) -> Floats:
        """For each region, one Newton step: minus the sum of gradients over the sum of second derivatives."""
        gradient, hessian = self.derivatives(y, z)
        return regions.newton_steps(gradient, hessian)

"""Mean loss of a linear score plus a penalty as an objective for the optimizers."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from hornbook import _native
from hornbook.frame import Block, Blocks
from hornbook.linear.solvers._log_loss_sums import LogLossSums
from hornbook.losses import Loss
from hornbook.optimize import FirstOrder, SecondOrder
from hornbook.params import Floats

__all__ = ["ScoreFunctions", "SurrogateObjective"]


@dataclass(frozen=True)
class ScoreFunctions:
    """Linear scores of one class against the others: the part of the objective that sums over rows need.

    Parameters
    ----------
    code : int
        The class that is to have positive scores.
    columns : ndarray of int
        The columns that have a coefficient.
    center : ndarray
        What is subtracted from those columns.
    fit_intercept : bool
        Whether there is an intercept, then the last coefficient.
    mass : float
        Weight of all rows.
    """

    code: int
    columns: NDArray[np.intp]
    center: Floats
    fit_intercept: bool
    mass: float

    def is_positive(self, block: Block) -> NDArray[np.bool_]:
        """Which rows are of the class."""
        return np.asarray(np.asarray(block.y) == self.code)

    def centered(self, block: Block) -> Floats:
        """The columns of a chunk minus their center."""
        # A copy of all rows takes longer than the sums over them: only where columns or center need it.
        X = block.X
        if not np.array_equal(self.columns, np.arange(X.shape[1])):
            X = X[:, self.columns]
        return np.asarray(X - self.center if self.center.any() else X)


@dataclass(frozen=True)
class SurrogateObjective(FirstOrder, SecondOrder):
    """Mean loss of one class against the others, plus half of l2 times the squares of the coefficients.

    The coefficients are those of centered columns: an intercept that is not penalized makes it the same
    problem, and columns far from 0 keep their digits.

    Parameters
    ----------
    blocks : Blocks
        The rows.
    loss : Loss
        The loss of a score.
    code : int
        The class that is to have positive scores.
    columns : ndarray of int
        The columns that have a coefficient.
    fit_intercept : bool
        Whether there is an intercept, then the last coefficient.
    mass : float
        Weight of all rows, by which the loss is divided.
    l2 : ndarray
        Weight of the square for each of all columns.
    center : ndarray
        What is subtracted from all columns: their means, or 0 without an intercept.
    variance : ndarray
        Variance of all columns.
    intercept_l2 : float, default 0.0
        Weight of the square of the intercept.
    """

    blocks: Blocks
    loss: Loss
    code: int
    columns: NDArray[np.intp]
    fit_intercept: bool
    mass: float
    l2: Floats
    center: Floats
    variance: Floats
    intercept_l2: float = 0.0

    def with_loss(self, loss: Loss) -> SurrogateObjective:
        """The same with another loss."""
        return replace(self, loss=loss)

    def with_columns(self, columns: NDArray[np.intp]) -> SurrogateObjective:
        """The same with other columns."""
        return replace(self, columns=columns)

    @property
    def ridge(self) -> Floats:
        """Weight of the square of each coefficient, the intercept last."""
        return np.append(self.l2[self.columns], np.full(int(self.fit_intercept), self.intercept_l2))

    @property
    def sizes(self) -> Floats:
        """Spread of each column, 1 where it has none and for the intercept."""
        size = np.append(np.sqrt(self.variance[self.columns]), np.ones(int(self.fit_intercept)))
        return np.where(size > 0, size, 1.0)

    def mean_loss(self, x: Floats, loss: Loss) -> float:
        """Mean of a loss, without penalty."""
        return self._sums(x, loss, curvature=False).value / self.mass

    def first(self, x: Floats) -> tuple[float, Floats]:
        """Value and gradient."""
        sums = self._sums(x, self.loss, curvature=False)
        ridge = self.ridge
        return sums.value / self.mass + 0.5 * float(ridge @ x**2), sums.gradient / self.mass + ridge * x

    def second(self, x: Floats) -> tuple[float, Floats, Floats]:
        """Value, gradient and Hessian."""
        sums = self._sums(x, self.loss, curvature=True)
        ridge = self.ridge
        value = sums.value / self.mass + 0.5 * float(ridge @ x**2)
        return value, sums.gradient / self.mass + ridge * x, sums.hessian / self.mass + np.diag(ridge)

    def _sums(self, x: Floats, loss: Loss, *, curvature: bool) -> LogLossSums:
        return self.blocks.reduce(_sums_of, self.scores, x, loss, curvature, merge=LogLossSums.merge)

    @property
    def scores(self) -> ScoreFunctions:
        """The part that sums over rows need."""
        center = self.center[self.columns]
        return ScoreFunctions(self.code, self.columns, center, self.fit_intercept, self.mass)


def _sums_of(block: Block, scores: ScoreFunctions, x: Floats, loss: Loss, curvature: bool) -> LogLossSums:
    y = scores.is_positive(block).astype(np.int32)
    X = np.ascontiguousarray(scores.centered(block))  # a choice of columns is strided, the kernel is not
    d = len(scores.columns)
    z = X @ x[:d] + (x[d] if scores.fit_intercept else 0.0)
    value, residual = loss.total(y, z, block.w)
    used = d + scores.fit_intercept  # the kernel always appends the intercept
    # The exponential loss of a long step overflows; the line search then halves it.
    with np.errstate(invalid="ignore", over="ignore"):
        gradient = np.append(X.T @ residual, residual.sum())[:used]
    if not curvature:
        return LogLossSums(value, gradient, np.empty((0, 0)))
    curvatures = loss.hessian(y, z)
    gram = _native.weighted_gram(
        X, np.ascontiguousarray(curvatures if block.w is None else curvatures * block.w)
    )
    return LogLossSums(value, gradient, gram[:used, :used])

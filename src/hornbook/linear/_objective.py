"""Penalised mean log loss as a function of the coefficients, as the optimisers want it."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from hornbook.frame import Block, Blocks, Moments
from hornbook.linear._sums import Floats, Sums, sums_of
from hornbook.optimize import FirstOrder, SecondOrder

__all__ = ["LogisticObjective", "Standardised", "standardised"]


@dataclass(frozen=True)
class LogisticObjective(FirstOrder, SecondOrder):
    """Mean log loss plus l2 / 2 times the squares of the coefficients.

    Parameters
    ----------
    blocks : Blocks
        The rows.
    n_scores : int
        1 for two classes, else the number of classes.
    n_columns : int
        Number of columns.
    fit_intercept : bool
        Whether there is an intercept.
    mass : float
        Weight of all rows, by which the loss is divided.
    l2 : float
        Weight of the squares.
    """

    blocks: Blocks
    n_scores: int
    n_columns: int
    fit_intercept: bool
    mass: float
    l2: float

    @property
    def width(self) -> int:
        """Coefficients of one score."""
        return self.n_columns + self.fit_intercept

    def theta(self, x: Floats) -> Floats:
        """Coefficients with an intercept in the last column, one row for each score."""
        theta = x.reshape(self.n_scores, self.width)
        return theta if self.fit_intercept else np.column_stack([theta, np.zeros(self.n_scores)])

    def point(self, coef: Floats, intercept: Floats) -> Floats:
        """Coefficients as one vector."""
        return np.column_stack([coef, intercept][: 1 + self.fit_intercept]).ravel()

    def penalised(self, weight: float) -> Floats:
        """The weight for each coefficient, 0 for the intercepts."""
        return self.point(np.full((self.n_scores, self.n_columns), weight), np.zeros(self.n_scores))

    def first(self, x: Floats) -> tuple[float, Floats]:
        """Value and gradient."""
        value, gradient, _ = self._mean(x, self._sums(x, curvature=False))
        return value, gradient

    def second(self, x: Floats) -> tuple[float, Floats, Floats]:
        """Value, gradient and Hessian."""
        sums = self._sums(x, curvature=True)
        if not np.isfinite(sums.hessian).all():
            refuse_large()
        value, gradient, hessian = self._mean(x, sums)
        hessian[np.diag_indices(len(x))] += self.penalised(self.l2)
        if self.n_scores > 1 and self.fit_intercept:
            # The intercepts of all classes can be raised together without any effect. The gradient is 0 that
            # way, so any bend will do to make the step definite.
            last = np.arange(self.width - 1, len(x), self.width)
            hessian[np.ix_(last, last)] += 1.0 / self.n_scores
        return value, gradient, hessian

    def _sums(self, x: Floats, *, curvature: bool) -> Sums:
        theta = np.ascontiguousarray(self.theta(x))
        return self.blocks.reduce(sums_of, theta, curvature, merge=Sums.merge)

    def _mean(self, x: Floats, sums: Sums) -> tuple[float, Floats, Floats]:
        full = self.n_columns + 1
        kept = np.flatnonzero(np.arange(self.n_scores * full) % full < self.width)
        gradient = (sums.gradient[kept] / self.mass).reshape(self.n_scores, self.width)
        coef = x.reshape(self.n_scores, self.width)[:, : self.n_columns]
        value = sums.value / self.mass + 0.5 * self.l2 * float((coef**2).sum())
        gradient[:, : self.n_columns] += self.l2 * coef
        hessian = sums.hessian[np.ix_(kept, kept)] / self.mass if sums.hessian.size else sums.hessian
        return value, gradient.ravel(), hessian


@dataclass(frozen=True)
class Standardised(FirstOrder):
    """The same objective as a function of the coefficients of columns brought to one scale.

    In these units all coordinates bend about equally, which is what L-BFGS needs to be quick; the minimum is
    the same.

    Parameters
    ----------
    objective : LogisticObjective
        As a function of the coefficients of the columns as they are.
    center, spread : ndarray of shape (n_columns,)
        What would be subtracted from each column, and what it would then be divided by.
    """

    objective: LogisticObjective
    center: Floats
    spread: Floats

    def first(self, u: Floats) -> tuple[float, Floats]:
        """Value and gradient."""
        value, gradient = self.objective.first(self.outside(u))
        slope = gradient.reshape(self.objective.n_scores, self.objective.width)
        scaled = slope.copy()
        n = self.objective.n_columns
        if self.objective.fit_intercept:
            scaled[:, :n] -= slope[:, n:] * self.center
        scaled[:, :n] /= self.spread
        return value, scaled.ravel()

    def absolute(self, l1: Floats) -> Floats:
        """Weights of absolute values in these units."""
        weights = l1.reshape(self.objective.n_scores, self.objective.width).copy()
        weights[:, : self.objective.n_columns] /= self.spread
        return weights.ravel()

    def outside(self, u: Floats) -> Floats:
        """Coefficients of the columns as they are."""
        x = u.reshape(self.objective.n_scores, self.objective.width).copy()
        n = self.objective.n_columns
        x[:, :n] /= self.spread
        if self.objective.fit_intercept:
            x[:, n] -= x[:, :n] @ self.center
        return x.ravel()

    def inside(self, x: Floats) -> Floats:
        """Coefficients of the standardised columns."""
        u = x.reshape(self.objective.n_scores, self.objective.width).copy()
        n = self.objective.n_columns
        if self.objective.fit_intercept:
            u[:, n] += u[:, :n] @ self.center
        u[:, :n] *= self.spread
        return u.ravel()


def standardised(objective: LogisticObjective) -> Standardised:
    """Find centre and scale of the columns in one pass; without an intercept they are not centred."""
    moments = objective.blocks.reduce(_moments, merge=Moments.merge)
    center, square = moments.mean[0], moments.variance()[0]
    if not objective.fit_intercept:
        square = square + center**2
        center = np.zeros_like(center)
    # p (1 - p) is at most 1/4: with the penalty, no coordinate bends by more than that in these units.
    spread = np.sqrt(square + 4.0 * objective.l2)
    if not np.isfinite(spread).all():
        refuse_large()
    return Standardised(objective, center, np.where(spread > 0, spread, 1.0))


def refuse_large() -> None:
    """Say that squares of the columns do not fit."""
    raise ValueError(
        "LogisticRegression: a column of X has numbers so large that their squares overflow; "
        "scale it first, for example with hornbook.Encoder(scale='standard')."
    )


def _moments(block: Block) -> Moments:
    return Moments.of(block.X, np.zeros(len(block), dtype=np.int32), block.w, 1)

"""Penalized mean log loss as an objective for the optimizers."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from hornbook.frame import Block, Blocks, Moments
from hornbook.linear.solvers._log_loss_sums import LogLossSums, sampled_gram, sampled_sums, sums_of
from hornbook.linear.solvers._row_space import RowSpace
from hornbook.linear.solvers._scatter import refuse_large
from hornbook.optimize import FirstOrder, RescaledObjective, SecondOrder
from hornbook.params import Floats

__all__ = ["LogisticObjective", "column_moments", "standardized"]

MOST_STRETCHED = 1e6  # beyond it, only rounding errors of the gradient would be compared


@dataclass(frozen=True)
class LogisticObjective(FirstOrder, SecondOrder):
    """Mean log loss plus l2 / 2 times the squares of the coefficients.

    Its argument are the coefficients of centered columns: the minimum is the same, since the intercept is not
    penalized, and columns far from 0 keep their digits.

    Parameters
    ----------
    blocks : Blocks
        The rows.
    n_scores : int
        1 for two classes, else the number of classes.
    center : ndarray of shape (n_columns,)
        What is subtracted from the columns; 0 without an intercept.
    fit_intercept : bool
        Whether there is an intercept.
    mass : float
        Weight of all rows, by which the loss is divided.
    l2 : float
        Weight of the squares.
    intercept_scaling : float
        Where finite, the intercept divided by it is penalized as the coefficients are (LIBLINEAR's way),
        and nothing is centered.
    space : RowSpace, optional
        The map from the original columns to those of the blocks, if there are fewer rows than columns.
    """

    blocks: Blocks
    n_scores: int
    center: Floats
    fit_intercept: bool
    mass: float
    l2: float
    intercept_scaling: float = math.inf
    space: RowSpace | None = None

    @property
    def n_columns(self) -> int:
        """Columns that have a coefficient."""
        return len(self.center)

    @property
    def width(self) -> int:
        """Coefficients of one score."""
        return self.n_columns + self.fit_intercept

    def within_rows(self) -> LogisticObjective:
        """The same restricted to the span of the rows: other coefficients are longer, and no better."""
        space = RowSpace.of(self.blocks, self.center)
        return LogisticObjective(
            space.blocks,
            self.n_scores,
            np.zeros(space.basis.shape[1]),
            self.fit_intercept,
            self.mass,
            self.l2,
            self.intercept_scaling,
            space,
        )

    def inner(self, x: Floats) -> Floats:
        """Coefficients of the centered columns with an intercept in the last column, a row for each score."""
        theta = x.reshape(self.n_scores, self.width)
        return theta if self.fit_intercept else np.column_stack([theta, np.zeros(self.n_scores)])

    def theta(self, x: Floats) -> Floats:
        """The same for the original columns."""
        inner = self.inner(x)
        coef, center = inner[:, :-1], self.center
        if self.space is not None:
            coef, center = coef @ self.space.basis.T, self.space.center
        return np.column_stack([coef, inner[:, -1] - coef @ center])

    def point(self, coef: Floats, intercept: Floats) -> Floats:
        """Coefficients of the original columns as one vector of arguments."""
        center = self.center if self.space is None else self.space.center
        inside = coef if self.space is None else coef @ self.space.basis
        return np.column_stack([inside, intercept + coef @ center][: 1 + self.fit_intercept]).ravel()

    def penalized(self, weight: float | Floats) -> Floats:
        """The weight for each coefficient, 0 for the intercepts."""
        coef = np.broadcast_to(weight, (self.n_scores, self.n_columns))
        return np.column_stack([coef, np.zeros((self.n_scores, int(self.fit_intercept)))]).ravel()

    def squares(self) -> Floats:
        """The weight of the square of each coefficient, twice the half."""
        return self._with_intercept(self.l2, self.l2 / self.intercept_scaling**2)

    def absolute(self, l1: float) -> Floats:
        """The weight of the absolute value of each coefficient."""
        return self._with_intercept(l1, l1 / self.intercept_scaling)

    def _with_intercept(self, weight: float, of_intercept: float) -> Floats:
        coef = np.full((self.n_scores, self.n_columns), weight)
        last = np.full((self.n_scores, int(self.fit_intercept)), of_intercept)
        return np.column_stack([coef, last]).ravel()

    def stretched(self, size: Floats, stricter: float) -> Floats:
        """Factors for the entries of the gradient by size x before they are compared with the tolerance.

        At least ``stricter``; more where the gradient by the coefficients of the original columns is larger:
        each of those is size times its entry plus center times the entry of the intercept.
        """
        stretch = np.maximum(stricter, 2.0 * size)
        if self.fit_intercept:
            most = 2.0 * float(np.abs(self.center).max(initial=0.0))
            stretch = np.where(self.penalized(1.0) > 0, stretch, max(stricter, most))
        return np.asarray(np.minimum(stretch, MOST_STRETCHED))

    def first(self, x: Floats) -> tuple[float, Floats]:
        """Value and gradient."""
        value, gradient, _ = self._mean(x, self._sums(x, curvature=False))
        return value, gradient

    def second(self, x: Floats) -> tuple[float, Floats, Floats]:
        """Value, gradient and Hessian."""
        return self._with_hessian(x, self._sums(x, curvature=True))

    def sampled_hessian(self, x: Floats, stride: int) -> Floats:
        """The Hessian as every so many-th row shows it."""
        theta = np.ascontiguousarray(self.inner(x))
        sums = self.blocks.reduce(sampled_sums, theta, self.center, stride, merge=LogLossSums.merge)
        return self._with_hessian(x, sums)[2]

    def sampled_even_hessian(self, stride: int) -> Floats:
        """Its block for one score where all coefficients are 0 and all classes equally probable."""
        gram = self.blocks.reduce(sampled_gram, self.center, stride)[: self.width, : self.width]
        # Curvature of the log loss at equal probabilities: 1/4 for one score; of K classes 1/K for the parts
        # of the coefficients that sum to 0 over the classes, and 0 for the others.
        hessian = gram / (self.mass * max(self.n_scores, 4))
        hessian[np.diag_indices_from(hessian)] += self.squares()[: self.width]
        return hessian

    def _with_hessian(self, x: Floats, sums: LogLossSums) -> tuple[float, Floats, Floats]:
        if not np.isfinite(sums.hessian).all():
            refuse_large("LogisticRegression", "X")
        value, gradient, hessian = self._mean(x, sums)
        hessian[np.diag_indices(len(x))] += self.squares()
        if self.n_scores > 1 and self.fit_intercept:
            # Raising the intercepts of all classes together has no effect: the Hessian is singular and the
            # gradient 0 in that direction, so any curvature will do to make the step unique.
            last = np.arange(self.width - 1, len(x), self.width)
            hessian[np.ix_(last, last)] += 1.0 / self.n_scores
        return value, gradient, hessian

    def _sums(self, x: Floats, *, curvature: bool) -> LogLossSums:
        theta = np.ascontiguousarray(self.inner(x))
        return self.blocks.reduce(sums_of, theta, self.center, curvature, merge=LogLossSums.merge)

    def _mean(self, x: Floats, sums: LogLossSums) -> tuple[float, Floats, Floats]:
        # Sums always have intercepts; without them in the model their entries are dropped.
        full = self.n_columns + 1
        kept = np.flatnonzero(np.arange(self.n_scores * full) % full < self.width)
        gradient = (sums.gradient[kept] / self.mass).reshape(self.n_scores, self.width)
        if self.n_scores > 1:
            # Residuals of a row sum to 0, and so do the classes' gradients. What rounding leaves would be
            # blown up along this direction, which has no curvature but the penalty's.
            gradient -= gradient.mean(axis=0)
        pulls = self.squares() * x
        value = sums.value / self.mass + 0.5 * float(pulls @ x)
        gradient += pulls.reshape(gradient.shape)
        hessian = sums.hessian[np.ix_(kept, kept)] / self.mass if sums.hessian.size else sums.hessian
        return value, gradient.ravel(), hessian


def standardized(objective: LogisticObjective, square: Floats) -> RescaledObjective:
    """The objective in units in which all coefficients have similar curvature, which L-BFGS needs to be fast.

    ``square`` has the mean square of each centered column.
    """
    # p (1 - p) is at most 1/4: with the penalty, no curvature exceeds that in these units.
    spread = np.sqrt(square + 4.0 * objective.l2)
    size = objective.penalized(np.where(spread > 0, spread, 1.0))
    return RescaledObjective(objective, np.where(size > 0, size, 1.0))


def column_moments(blocks: Blocks) -> Moments:
    """Mass, mean and scatter of every column."""
    moments = blocks.reduce(_moments, merge=Moments.merge)
    if not np.isfinite(moments.scatter).all() or not np.isfinite(moments.mean).all():
        refuse_large("LogisticRegression", "X")
    return moments


def _moments(block: Block) -> Moments:
    return Moments.of_rows(block.X, block.w)

"""Candidate directions of a node: coefficients of linear learners fitted to its rows."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import islice
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.base import clone

from hornbook import _native
from hornbook.linear import LogisticRegression, Ridge
from hornbook.optimize import SecondOrder, newton, solve_positive
from hornbook.params import Floats

__all__ = ["FitCoef", "coef_of", "directions", "logistic_coef", "ridge_coef"]

# Coefficients of a linear learner, from standardized columns, a target and row weights.
FitCoef = Callable[[Floats, NDArray[Any], Floats], Floats]

# Below these sizes, the checks and conversions of a whole learner take longer than what it computes.
FEW_ROWS = 4096
FEW_COLUMNS = 128

SMALLEST = 1e-305  # coefficients of columns whose values are all smaller would overflow


def directions(X: Floats, targets: Sequence[NDArray[Any]], w: Floats, fit_coef: FitCoef) -> Floats:
    """Coefficients for each target, fitted to standardized columns so that a penalty treats them alike."""
    largest = np.abs(X).max(axis=0)
    unit = np.where(largest > 0, largest, 1.0)  # squares of huge or tiny numbers would overflow or underflow
    X = X / unit
    column = w[:, None]
    mass = column.sum(axis=0)
    X = X - (X * column).sum(axis=0) / mass
    spread = np.sqrt((X**2 * column).sum(axis=0) / mass)
    varied = (spread > 1e-12) & (unit > SMALLEST)
    coefs = np.zeros((len(targets), X.shape[1]))
    if varied.any():
        standard = np.ascontiguousarray((X / np.where(varied, spread, 1.0))[:, varied])
        fitted = np.array([fit_coef(standard, y, w) for y in targets])
        # From standardized columns back to the original ones. Means only move the threshold, which is
        # searched later.
        coefs[:, varied] = fitted / spread[varied] / unit[varied]
    return coefs


def coef_of(member: Any) -> FitCoef:
    """A function that returns the coefficients of a clone of a linear learner."""
    return partial(_fitted_coef, member)


def logistic_coef(X: Floats, y: NDArray[Any], w: Floats) -> Floats:
    """Coefficients of `LogisticRegression` for whether y is true."""
    learner = LogisticRegression()
    if not _small(X):
        return _fitted_coef(learner, X, y, w)
    mass = float(w.sum())
    # C times the sum of losses plus |x|**2 / 2, divided by C times the mass: the same minimum, in a scale in
    # which one tolerance suits nodes of any size.
    loss = NodeLoss(X, y.astype(np.int32), w, mass, 1.0 / (learner.C * mass))
    weights = np.zeros(X.shape[1] + 1)
    # Newton stops by the predicted decrease, which is of the order of the squared gradient.
    for step in islice(newton(loss, weights, tol=learner.tol**2), learner.max_iter):
        weights = step.x
    return weights[:-1]


def ridge_coef(X: Floats, y: NDArray[Any], w: Floats) -> Floats:
    """Coefficients of `Ridge` for the numbers y."""
    learner = Ridge()
    if not _small(X):
        return _fitted_coef(learner, X, y, w)
    # The columns have mean 0 by these weights (see `directions`), so that the intercept, last in the matrix,
    # is the mean of y and drops out of the equations.
    gram = _native.weighted_gram(X, w)[:-1, :-1]
    gram[np.diag_indices(len(gram))] += learner.alpha
    # Not a BLAS product, whose last digits may depend on the number of threads.
    return solve_positive(gram, np.einsum("ij,i->j", X, w * (y - (y * w).sum() / w.sum())))


@dataclass(frozen=True)
class NodeLoss(SecondOrder):
    """Mean log loss plus l2 / 2 times the squares of the weights, as in `LogisticRegression`."""

    X: Floats
    y: NDArray[np.int32]
    w: Floats
    mass: float
    l2: float

    def second(self, x: Floats) -> tuple[float, Floats, Floats]:
        """Value, gradient and Hessian; the intercept, which comes last, is not penalized."""
        value, gradient, hessian = _native.logistic_sums(self.X, self.y, self.w, x, True)
        shrinkage = self.l2 * x
        shrinkage[-1] = 0.0
        hessian /= self.mass
        diagonal = np.einsum("ii->i", hessian)  # a view
        diagonal[:-1] += self.l2
        return value / self.mass + 0.5 * float(shrinkage @ x), gradient / self.mass + shrinkage, hessian


def _small(X: Floats) -> bool:
    return len(X) <= FEW_ROWS and X.shape[1] <= FEW_COLUMNS


def _fitted_coef(member: Any, X: Floats, y: NDArray[Any], w: Floats) -> Floats:
    fitted = clone(member).fit(X, y, sample_weight=w)
    if not hasattr(fitted, "coef_"):
        raise ValueError(
            f"parameter 'estimator' must be a linear learner with coef_; {type(member).__name__} has none: "
            "use LogisticRegression, LinearDiscriminant or Ridge."
        )
    return np.ravel(fitted.coef_)

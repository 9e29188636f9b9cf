"""Elastic net by coordinate descent on the Gram matrix (Friedman, Hastie and Tibshirani 2010)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

import numpy as np

from hornbook.linear.solvers._least_squares import LeastSquaresSums
from hornbook.optimize import coordinate_descent
from hornbook.params import Floats

__all__ = ["NEGLIGIBLE", "ElasticNetProblem", "SweepResult", "dual_gap", "most_pull"]

SWEEPS = 10
# Sweeps whose gain, relative to the mean square of the target, is below this only move rounding errors.
NEGLIGIBLE = 1e-26


@dataclass(frozen=True)
class SweepResult:
    """Result of some sweeps: coefficients, number of sweeps, duality gap, and whether they converged."""

    w: Floats
    sweeps: int
    gap: float
    converged: bool


@dataclass(frozen=True)
class ElasticNetProblem:
    """Half the mean squared error plus alpha (a sum |w| + (1 - a) sum w² / 2) as a function of w.

    Parameters
    ----------
    gram : ndarray of shape (n, n)
        Mean products of columns.
    cross : ndarray of shape (n,)
        Mean products of columns and target.
    target : float
        Mean square of the target.
    share : float
        The mixing parameter a, scikit-learn's l1_ratio.
    positive : bool, default False
        Whether only w without a negative entry count.
    """

    gram: Floats
    cross: Floats
    target: float
    share: float
    positive: bool = False

    @classmethod
    def of(cls, sums: LeastSquaresSums, share: float, *, positive: bool = False) -> ElasticNetProblem:
        """The problem for one target."""
        target = float(sums.products[-1, -1]) / sums.mass
        return cls(sums.x / sums.mass, sums.xy[:, 0] / sums.mass, target, share, positive)

    def largest(self) -> float:
        """The smallest alpha for which all coefficients are 0; without an l1 part, one that is large."""
        # At w = 0 a coefficient stays 0 while its slope is at most alpha times the l1 part.
        top = most_pull(self.cross, positive=self.positive)
        return top / max(self.share, 1e-3) * (1.0 + 4.0 * np.finfo(float).eps)  # rounded up

    def hessian(self, alpha: float) -> Floats:
        """Second derivatives of the smooth part."""
        return self.gram + np.diag(np.full(len(self.cross), alpha * (1.0 - self.share)))

    def sweeper(self, alpha: float) -> Callable[[Floats, int, float], SweepResult]:
        """A function that makes some sweeps for one penalty."""
        return partial(self.advance, alpha, self.hessian(alpha))

    def advance(self, alpha: float, hessian: Floats, start: Floats, sweeps: int, tol: float) -> SweepResult:
        """Make some sweeps over all coefficients, and check convergence.

        They have converged when the last sweep changed no coefficient by more than ``tol`` times the largest,
        and the duality gap is at most ``tol`` times the mean square of the target: scikit-learn's rule.
        """
        w, done, unchanged = start, 0, False
        if sweeps > 1:
            w, done, unchanged = self._descend(alpha, hessian, start, sweeps - 1)
        # The last sweep is made apart, so that its largest change is known.
        gap, converged = self.gap(alpha, w) if unchanged else np.inf, unchanged
        if not unchanged:
            before = w
            w, last, unchanged = self._descend(alpha, hessian, before, 1)
            done, gap = done + last, self.gap(alpha, w)
            moved = float(np.abs(w - before).max(initial=0.0)) > tol * float(np.abs(w).max(initial=0.0))
            converged = unchanged or (not moved and gap <= tol * self.target)
        return SweepResult(w, done, gap, converged)

    def _descend(self, alpha: float, hessian: Floats, start: Floats, sweeps: int) -> tuple[Floats, int, bool]:
        """Make some sweeps; the flag says whether the last one changed nothing but rounding."""
        gradient = _times(hessian, start) - self.cross
        absolute = np.full(len(start), alpha * self.share)
        tol = NEGLIGIBLE * self.target
        return coordinate_descent(
            hessian, gradient, absolute, start, tol=tol, max_sweeps=sweeps, positive=self.positive
        )

    def solve(self, alpha: float, start: Floats, tol: float, max_sweeps: int) -> tuple[Floats, bool]:
        """Sweep until convergence, at most so many times."""
        w, done, advance = start, 0, self.sweeper(alpha)
        while done < max_sweeps:
            result = advance(w, min(SWEEPS, max_sweeps - done), tol)
            w, done = result.w, done + result.sweeps
            if result.converged:
                return w, True
        return w, False

    def gap(self, alpha: float, w: Floats) -> float:
        """Duality gap: how far the objective is above a lower bound of the minimum."""
        ridge, absolute = alpha * (1.0 - self.share), alpha * self.share
        fitted = float(self.cross @ w)
        gram_w = _times(self.gram, w)
        mse = max(self.target - 2.0 * fitted + float(w @ gram_w), 0.0)  # mean squared error
        pull = self.cross - gram_w - ridge * w
        most = most_pull(pull, positive=self.positive)
        if absolute == 0 and most > 0:
            # Without an l1 part that bound is useless; the gain of a gradient step takes its place.
            return most * float(np.abs(pull).sum()) / max(float(np.diag(self.gram).max()) + ridge, 1e-300)
        return dual_gap(w, most, mse, fitted, self.target, absolute, ridge)


def most_pull(pull: Floats, *, positive: bool) -> float:
    """The largest slope at which a coefficient would leave 0; downward none can, if all must be positive."""
    return float((pull if positive else np.abs(pull)).max(initial=0.0))


def dual_gap(
    w: Floats, most: float, mse: float, fitted: float, target: float, absolute: float, ridge: float
) -> float:
    """Duality gap: how far the objective is above a lower bound of the minimum.

    The dual point is the residual, scaled until no column's slope exceeds the l1 penalty.

    Parameters
    ----------
    w : ndarray of shape (n,)
        Coefficients.
    most : float
        `most_pull` of minus the gradient of the smooth part there.
    mse, fitted, target : float
        Mean squared error, mean product of target and predictions, mean square of the target.
    absolute, ridge : float
        Weights of the absolute values and of half the squares.
    """
    # Where no slope exceeds the penalty, the residual itself is dual feasible.
    scale = absolute / most if most > absolute else 1.0
    # The ridge part is seen as more rows of the table, sqrt(ridge) times the identity, with a target of 0:
    # what is left is a lasso, whose dual point is this residual (as in scikit-learn; Kim et al. 2007).
    cost = 0.5 * mse * (1.0 + scale**2) + absolute * float(np.abs(w).sum())
    bound = scale * (target - fitted) - 0.5 * ridge * (1.0 + scale**2) * float(w @ w)
    return max(cost - bound, 0.0)


def _times(symmetric: Floats, w: Floats) -> Floats:
    """A symmetric matrix times sparse coefficients: reads only the rows of those that are not 0."""
    used = np.flatnonzero(w)
    return np.asarray(w[used] @ symmetric[used] if 2 * len(used) < len(w) else symmetric @ w)

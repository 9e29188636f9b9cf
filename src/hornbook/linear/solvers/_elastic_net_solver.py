"""Least squares with absolute values and squares as penalty, on products of columns."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

import numpy as np

from hornbook.linear.solvers._least_squares import LeastSquaresSums
from hornbook.optimize import coordinate_descent
from hornbook.params import Floats

__all__ = ["NOTHING", "Advance", "Shrinking", "dual_gap"]

SWEEPS = 10
# Steps that gain less than this share of the target's square are rounding.
NOTHING = 1e-26


@dataclass(frozen=True)
class Advance:
    """Some sweeps over the coefficients: where they led, their number, the gap, whether they may end."""

    w: Floats
    sweeps: int
    gap: float
    settled: bool


@dataclass(frozen=True)
class Shrinking:
    """Half the mean squared error plus alpha (a sum |w| + (1 - a) sum w² / 2) as a function of w.

    Parameters
    ----------
    bend : ndarray of shape (n, n)
        Mean products of columns.
    slope : ndarray of shape (n,)
        Mean products of columns and target.
    target : float
        Mean square of the target.
    share : float
        Share a of the absolute values.
    """

    bend: Floats
    slope: Floats
    target: float
    share: float

    @classmethod
    def of(cls, sums: LeastSquaresSums, share: float) -> Shrinking:
        """The task for one target."""
        target = float(sums.products[-1, -1]) / sums.mass
        return cls(sums.x / sums.mass, sums.xy[:, 0] / sums.mass, target, share)

    def largest(self) -> float:
        """The least alpha for which all coefficients are 0; without absolute values, one that is large."""
        top = float(np.abs(self.slope).max(initial=0.0))
        return top / max(self.share, 1e-3) * (1.0 + 4.0 * np.finfo(float).eps)  # not short of it by rounding

    def hessian(self, alpha: float) -> Floats:
        """Second derivatives of all but the absolute values."""
        return self.bend + np.diag(np.full(len(self.slope), alpha * (1.0 - self.share)))

    def sweeper(self, alpha: float) -> Callable[[Floats, int, float], Advance]:
        """What goes through the coefficients for one penalty."""
        return partial(self.advance, alpha, self.hessian(alpha))

    def advance(self, alpha: float, hessian: Floats, start: Floats, sweeps: int, tol: float) -> Advance:
        """Go several times through all coefficients, and say whether they are done.

        They are when the last sweep changed no coefficient by more than ``tol``, as a share of the largest,
        and the gap is no larger than ``tol``, as a share of the target's square: scikit-learn's rule.
        """
        w, done, still = start, 0, False
        if sweeps > 1:
            w, done, still = self._descend(alpha, hessian, start, sweeps - 1)
        gap = self.gap(alpha, w) if still else np.inf
        if not still:
            before = w
            w, last, still = self._descend(alpha, hessian, before, 1)
            done, gap = done + last, self.gap(alpha, w)
            moved = float(np.abs(w - before).max(initial=0.0)) > tol * float(np.abs(w).max(initial=0.0))
            still = still or (not moved and gap <= tol * self.target)
        return Advance(w, done, gap, still)

    def _descend(self, alpha: float, hessian: Floats, start: Floats, sweeps: int) -> tuple[Floats, int, bool]:
        """Go once or several times through all coefficients; whether the last sweep changed nothing."""
        gradient = _times(hessian, start) - self.slope
        absolute = np.full(len(start), alpha * self.share)
        tol = NOTHING * self.target
        return coordinate_descent(hessian, gradient, absolute, start, tol=tol, max_sweeps=sweeps)

    def settle(self, alpha: float, start: Floats, tol: float, max_sweeps: int) -> tuple[Floats, bool]:
        """Go on until the gap is within the tolerance."""
        w, done, advance = start, 0, self.sweeper(alpha)
        while done < max_sweeps:
            there = advance(w, min(SWEEPS, max_sweeps - done), tol)
            w, done = there.w, done + there.sweeps
            if there.settled:
                return w, True
        return w, False

    def gap(self, alpha: float, w: Floats) -> float:
        """How far the objective is above a bound that no coefficients can get below (the dual problem)."""
        ridge, absolute = alpha * (1.0 - self.share), alpha * self.share
        fitted = float(self.slope @ w)
        bent = _times(self.bend, w)
        left = max(self.target - 2.0 * fitted + float(w @ bent), 0.0)  # mean squared error
        pull = self.slope - bent - ridge * w
        most = float(np.abs(pull).max(initial=0.0))
        if absolute == 0 and most > 0:
            # Without absolute values there is no such bound; what one step along the gradient gains tells.
            return most * float(np.abs(pull).sum()) / max(float(np.diag(self.bend).max()) + ridge, 1e-300)
        return dual_gap(w, pull, left, fitted, self.target, absolute, ridge)


def dual_gap(
    w: Floats, pull: Floats, left: float, fitted: float, target: float, absolute: float, ridge: float
) -> float:
    """How far the objective is above a bound that no coefficients can get below (the dual problem).

    Parameters
    ----------
    w, pull : ndarray of shape (n,)
        Coefficients, and minus the gradient there of all but the absolute values.
    left, fitted, target : float
        Mean squared error, mean product of target and answers, mean square of the target.
    absolute, ridge : float
        Weights of the absolute values and of half the squares.
    """
    most = float(np.abs(pull).max(initial=0.0))
    scale = absolute / most if most > absolute else 1.0
    cost = 0.5 * left * (1.0 + scale**2) + absolute * float(np.abs(w).sum())
    bound = scale * (target - fitted) - 0.5 * ridge * (1.0 + scale**2) * float(w @ w)
    return max(cost - bound, 0.0)


def _times(symmetric: Floats, w: Floats) -> Floats:
    """A symmetric matrix times coefficients most of which are 0: of many columns, few rows are read."""
    used = np.flatnonzero(w)
    return np.asarray(w[used] @ symmetric[used] if 2 * len(used) < len(w) else symmetric @ w)

"""Least squares with absolute values and squares as penalty, on products of columns."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from hornbook.linear._least_squares import Sums
from hornbook.linear._scatter import Floats
from hornbook.optimize import coordinate_descent

__all__ = ["Shrinking", "refuse_wide"]

WIDEST = 16_384  # columns; their products then take 2 GB
SWEEPS = 10
# Steps that gain less than this share of the target's square are rounding.
NOTHING = 1e-26


def refuse_wide(n_columns: int, learner: str) -> None:
    """Refuse more columns than whose products can be held."""
    if n_columns > WIDEST:
        raise ValueError(
            f"{learner}: the products of {n_columns} encoded columns do not fit into memory, at most "
            f"{WIDEST} are taken; leave out columns, or join rare categories first."
        )


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
    def of(cls, sums: Sums, share: float) -> Shrinking:
        """The task for one target."""
        target = float(sums.products[-1, -1]) / sums.mass
        return cls(sums.x / sums.mass, sums.xy[:, 0] / sums.mass, target, share)

    def largest(self) -> float:
        """The least alpha for which all coefficients are 0; without absolute values, one that is large."""
        top = float(np.abs(self.slope).max(initial=0.0))
        return top / max(self.share, 1e-3) * (1.0 + 4.0 * np.finfo(float).eps)  # not short of it by rounding

    def descend(self, alpha: float, start: Floats, sweeps: int) -> tuple[Floats, int, bool]:
        """Go once or several times through all coefficients; whether the last sweep changed nothing."""
        ridge = alpha * (1.0 - self.share)
        hessian = self.bend + ridge * np.eye(len(start))
        gradient = hessian @ start - self.slope
        absolute = np.full(len(start), alpha * self.share)
        tol = NOTHING * self.target
        return coordinate_descent(hessian, gradient, absolute, start, tol=tol, max_sweeps=sweeps)

    def settle(self, alpha: float, start: Floats, tol: float, max_sweeps: int) -> tuple[Floats, bool]:
        """Go on until the gap is within the tolerance."""
        w, done = start, 0
        while done < max_sweeps:
            w, sweeps, still = self.descend(alpha, w, min(SWEEPS, max_sweeps - done))
            done += sweeps
            if still or self.gap(alpha, w) <= tol * self.target:
                return w, True
        return w, False

    def gap(self, alpha: float, w: Floats) -> float:
        """How far the objective is above a bound that no coefficients can get below (the dual problem)."""
        ridge, absolute = alpha * (1.0 - self.share), alpha * self.share
        fitted = float(self.slope @ w)
        left = max(self.target - 2.0 * fitted + float(w @ self.bend @ w), 0.0)  # mean squared error
        pull = self.slope - self.bend @ w - ridge * w
        most = float(np.abs(pull).max(initial=0.0))
        if absolute == 0 and most > 0:
            # Without absolute values there is no such bound; what one step along the gradient gains tells.
            return most * float(np.abs(pull).sum()) / max(float(np.diag(self.bend).max()) + ridge, 1e-300)
        scale = absolute / most if most > absolute else 1.0
        cost = 0.5 * left * (1.0 + scale**2) + absolute * float(np.abs(w).sum())
        bound = scale * (self.target - fitted) - 0.5 * ridge * (1.0 + scale**2) * float(w @ w)
        return max(cost - bound, 0.0)

"""The conditions of Karush, Kuhn and Tucker for a minimum under inequalities."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from hornbook.optimize._objective import SecondOrder
from hornbook.params import Floats

__all__ = ["KKT", "kkt_residuals"]


@dataclass(frozen=True)
class KKT:
    """By how much a point violates the conditions of Karush, Kuhn and Tucker; all 0 at a regular minimum.

    Parameters
    ----------
    stationarity : float
        Largest derivative of f + sum of m_i g_i + sum of l_j h_j.
    feasibility : float
        Largest violation of g_i <= 0 and h_j = 0.
    dual_feasibility : float
        How far the smallest m_i is below 0.
    complementarity : float
        Largest product m_i g_i: a constraint that does not bind has no multiplier.
    """

    stationarity: float
    feasibility: float
    dual_feasibility: float
    complementarity: float

    @property
    def largest(self) -> float:
        """The largest violation."""
        return max(self.stationarity, self.feasibility, self.dual_feasibility, self.complementarity)


def kkt_residuals(
    objective: SecondOrder,
    x: Floats,
    *,
    inequalities: Sequence[SecondOrder] = (),
    equalities: Sequence[SecondOrder] = (),
    multipliers: Floats | None = None,
    equality_multipliers: Floats | None = None,
) -> KKT:
    """Check the conditions for a minimum of f with g_i <= 0 and h_j = 0 (Karush 1939; Kuhn and Tucker 1951).

    Parameters
    ----------
    objective : SecondOrder
        The function f.
    x : ndarray of shape (n,)
        The point to check.
    inequalities, equalities : sequence of SecondOrder, default ()
        The functions g_i and h_j.
    multipliers, equality_multipliers : ndarray, optional
        One m_i for each g_i, and one l_j for each h_j; 0 when left out.

    Returns
    -------
    residuals : KKT
        By how much each condition is violated.

    Examples
    --------
    >>> from hornbook.optimize import NumericDerivatives
    >>> bowl = NumericDerivatives(lambda x: x @ x)
    >>> at_least_one = NumericDerivatives(lambda x: 1 - x[0])
    >>> residuals = kkt_residuals(
    ...     bowl, np.array([1.0, 0.0]), inequalities=[at_least_one], multipliers=np.array([2.0])
    ... )
    >>> round(residuals.largest, 6)
    0.0
    """
    slope = objective.second(x)[1]
    at_most, zero = ([part.second(x) for part in parts] for parts in (inequalities, equalities))
    m = np.zeros(len(at_most)) if multipliers is None else np.asarray(multipliers, dtype=np.float64)
    free = np.zeros(len(zero)) if equality_multipliers is None else np.asarray(equality_multipliers)
    # The gradient of the Lagrangian f + Σ m g + Σ k h, which must be 0.
    for factor, part in zip([*m, *free], [*at_most, *zero], strict=True):
        slope = slope + factor * part[1]
    above = np.array([part[0] for part in at_most])
    off = np.array([part[0] for part in zero])
    return KKT(
        float(np.abs(slope).max(initial=0.0)),
        max(float(above.max(initial=0.0)), float(np.abs(off).max(initial=0.0))),
        # A negative multiplier would mean that moving into the allowed side lowers f.
        float((-m).max(initial=0.0)),
        # A constraint that is not active must have the multiplier 0.
        float(np.abs(m * above).max(initial=0.0)),
    )

"""Stationary points, with and without constraints."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np

from hornbook.optimize._objective import SecondOrder
from hornbook.params import Floats

__all__ = [
    "NumericDerivatives",
    "StationaryPoint",
    "constrained_quadratic",
    "stationary_point",
]

FLAT = 1e-7  # eigenvalues of a Hessian below this fraction of the largest have no sign
Kind = Literal["minimum", "maximum", "saddle", "undecided"]


@dataclass(frozen=True)
class NumericDerivatives(SecondOrder):
    """A function whose derivatives are central differences; good to about six digits.

    Parameters
    ----------
    function : callable
        A smooth function of a vector.
    step : float, default 1e-4
        Distance of the points, relative to the coordinates.
    """

    function: Callable[[Floats], float]
    step: float = 1e-4

    def second(self, x: Floats) -> tuple[float, Floats, Floats]:
        """Value, gradient and Hessian."""
        f, n = self.function, len(x)
        # Near the fourth root of the rounding unit, 1.2e-4, at which the errors of second differences by
        # truncation and by rounding are equal.
        h = self.step * np.maximum(1.0, np.abs(x))
        moves = np.diag(h)
        center = float(f(x))
        plus, minus = (np.array([float(f(x + sign * move)) for move in moves]) for sign in (1, -1))
        hessian = np.diag((plus - 2 * center + minus) / h**2)
        for i in range(n):
            for j in range(i):
                # Two new values for a mixed derivative instead of four: the others are known from the
                # diagonal.
                both = f(x + moves[i] + moves[j]) + f(x - moves[i] - moves[j])
                mixed = both - plus[i] - plus[j] - minus[i] - minus[j] + 2 * center
                hessian[i, j] = hessian[j, i] = mixed / (2 * h[i] * h[j])
        return center, (plus - minus) / (2 * h), hessian


@dataclass(frozen=True)
class StationaryPoint:
    """A point where all derivatives are 0, of the function or of its Lagrangian.

    Parameters
    ----------
    x : ndarray of shape (n,)
        The point.
    value : float
        The function there.
    multipliers : ndarray of shape (n_constraints,)
        Lagrange multipliers: the gradient of the function is the sum of those of the constraints times these.
    kind : {"minimum", "maximum", "saddle", "undecided"}
        What it is, as far as second derivatives say, among the points that satisfy the constraints.
    """

    x: Floats
    value: float
    multipliers: Floats
    kind: Kind


def stationary_point(
    objective: SecondOrder,
    start: Floats,
    *,
    constraints: Sequence[SecondOrder] = (),
    multipliers: Floats | None = None,
    tol: float = 1e-9,
    max_steps: int = 100,
) -> StationaryPoint:
    """Solve for a point where all derivatives of f, or of the Lagrangian f - sum of m_i C_i, are 0.

    Newton's method on the derivatives finds minima, maxima and saddle points alike; of a quadratic function
    with linear constraints in one step. That derivatives are 0 is necessary for an extremum, not sufficient.

    Parameters
    ----------
    objective : SecondOrder
        The function f.
    start : ndarray of shape (n,)
        Where to begin.
    constraints : sequence of SecondOrder, default ()
        Functions C_i that must be 0.
    multipliers : ndarray of shape (n_constraints,), optional
        First guess of the multipliers m_i; those that fit the gradients at the start best when left out.
    tol : float, default 1e-9
        Largest derivative of the Lagrangian, and largest constraint, that may be left.
    max_steps : int, default 100
        The most steps.

    Returns
    -------
    point : StationaryPoint
        The point, its multipliers, and what it is.

    Examples
    --------
    >>> circle = NumericDerivatives(lambda x: x @ x)
    >>> line = NumericDerivatives(lambda x: x[0] + x[1] - 1)
    >>> point = stationary_point(circle, np.zeros(2), constraints=[line])
    >>> point.x.round(6).tolist(), point.multipliers.round(6).tolist(), point.kind
    ([0.5, 0.5], [1.0], 'minimum')
    """
    x, last = np.asarray(start, dtype=np.float64), np.inf
    m = multipliers
    for _ in range(max_steps + 1):
        value, gradient, hessian = objective.second(x)
        parts = [constraint.second(x) for constraint in constraints]
        zero = np.array([part[0] for part in parts])
        rows = np.array([part[1] for part in parts]).reshape(len(parts), len(x))
        if m is None:
            # The multipliers that come closest to making the point stationary.
            m = np.linalg.lstsq(rows.T, gradient, rcond=None)[0]
        slope = gradient - m @ rows
        curvature = hessian - sum(
            (k * part[2] for k, part in zip(m, parts, strict=True)), np.zeros_like(hessian)
        )
        size = max(1.0, float(np.abs(gradient).max(initial=0.0)))
        gap = float(np.abs(np.concatenate([slope / size, zero])).max(initial=0.0))
        # Numeric derivatives leave a rest that no further step makes smaller.
        if gap <= tol or (gap <= FLAT and gap >= last / 2):
            return StationaryPoint(x, float(value), np.asarray(m), _kind(curvature, rows))
        if not np.isfinite(gap):
            break
        last = gap
        step, less = constrained_quadratic(curvature, slope, rows, -zero)
        x, m = x + step, m - less
    raise ValueError(
        "stationary_point: Newton's method did not converge: begin closer to the point that is looked for."
    )


def constrained_quadratic(
    hessian: Floats, gradient: Floats, rows: Floats, offset: Floats
) -> tuple[Floats, Floats]:
    """Solve for the stationary point of g·s + s'Hs / 2 with A s = b, by Lagrange multipliers.

    They are the unknowns of the linear equations H s + A'm = -g and A s = b. Where these have many solutions,
    or none, the one of least squares and least norm is returned.

    Parameters
    ----------
    hessian : ndarray of shape (..., n, n)
        Second derivatives H, of one or of many problems.
    gradient : ndarray of shape (..., n)
        First derivatives g.
    rows : ndarray of shape (n_constraints, n)
        The matrix A.
    offset : ndarray of shape (..., n_constraints)
        The right side b.

    Returns
    -------
    solution : ndarray of shape (..., n)
        The point s.
    multipliers : ndarray of shape (..., n_constraints)
        The multipliers m, with the sign of H s + A'm = -g.

    Examples
    --------
    >>> s, m = constrained_quadratic(2 * np.eye(2), np.zeros(2), np.ones((1, 2)), np.ones(1))
    >>> s.tolist(), m.tolist()
    ([0.5, 0.5], [-1.0])
    """
    n, k = rows.shape[1], len(rows)
    equations = np.zeros((*gradient.shape[:-1], n + k, n + k))
    equations[..., :n, :n] = hessian
    equations[..., :n, n:], equations[..., n:, :n] = rows.T, rows
    right = np.concatenate([-gradient, np.broadcast_to(offset, (*gradient.shape[:-1], k))], axis=-1)
    try:
        solved = np.linalg.solve(equations, right[..., None])[..., 0]
    except np.linalg.LinAlgError:
        solved = (np.linalg.pinv(equations) @ right[..., None])[..., 0]
    return solved[..., :n], solved[..., n:]


def _kind(curvature: Floats, rows: Floats) -> Kind:
    """What second derivatives say in the directions that the constraints leave free."""
    if len(rows):
        # Second derivatives count only in directions that keep the constraints, to first order.
        basis, sizes, _ = np.linalg.svd(rows.T)
        rank = int((sizes > 1e-12 * sizes.max(initial=1.0)).sum())
        free = basis[:, rank:]
        curvature = free.T @ curvature @ free
    if not len(curvature):
        return "undecided"
    values = np.linalg.eigvalsh((curvature + curvature.T) / 2)
    largest = float(np.abs(values).max())
    if (np.abs(values) <= FLAT * largest).any() or largest == 0.0:
        return "undecided"
    return "minimum" if values[0] > 0 else "maximum" if values[-1] < 0 else "saddle"

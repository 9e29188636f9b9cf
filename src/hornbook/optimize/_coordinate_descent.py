"""Coordinate descent with soft thresholding."""

from __future__ import annotations

import numpy as np

from hornbook import _native
from hornbook.params import Floats

__all__ = ["coordinate_descent"]

WORK = 100_000_000  # multiplications in one call of the kernel, about a tenth of a second


def coordinate_descent(
    hessian: Floats,
    gradient: Floats,
    l1: Floats,
    start: Floats,
    *,
    tol: float = 1e-12,
    max_sweeps: int = 10_000,
    positive: bool = False,
) -> tuple[Floats, int, bool]:
    """Minimize a quadratic function plus weighted absolute values, one coordinate after another.

    The function is g·(x - s) + (x - s)'H(x - s) / 2 + sum of l1_j |x_j|, with gradient g and Hessian H at the
    start s. Along one coordinate the minimum is that of the parabola, soft-thresholded by l1_j / H_jj
    (Friedman, Hastie and Tibshirani 2010) and, with ``positive``, raised to 0.

    Parameters
    ----------
    hessian : ndarray of shape (n, n)
        Second derivatives; symmetric, without negative eigenvalues.
    gradient : ndarray of shape (n,)
        First derivatives at the start.
    l1 : ndarray of shape (n,)
        Weights of the absolute values, 0 or more.
    start : ndarray of shape (n,)
        Where to begin.
    tol : float, default 1e-12
        Stop after a sweep whose steps gain no more than this.
    max_sweeps : int, default 10000
        The most sweeps over all coordinates.
    positive : bool, default False
        Whether only points without a negative coordinate count; the start must be one.

    Returns
    -------
    x : ndarray of shape (n,)
        The minimizer.
    sweeps : int
        How many sweeps were made.
    converged : bool
        Whether the last one gained no more than ``tol``.

    Examples
    --------
    >>> x, sweeps, converged = coordinate_descent(
    ...     np.eye(2), np.array([-3.0, 0.5]), l1=np.array([1.0, 1.0]), start=np.zeros(2)
    ... )
    >>> x.tolist(), sweeps, converged
    ([2.0, 0.0], 2, True)
    """
    curvature, slope, weights, begin = (
        np.ascontiguousarray(part, dtype=np.float64) for part in (hessian, gradient, l1, start)
    )
    x, sweeps, converged = begin, 0, False
    # Sweeps in one call of the kernel; interrupts are handled between calls.
    at_once = max(1, WORK // max(len(begin) ** 2, 1))
    while True:
        most = min(at_once, max_sweeps - sweeps)
        x, done, converged = _native.coordinate_descent(curvature, slope, weights, x, tol, most, positive)
        sweeps += done
        if converged or sweeps >= max_sweeps:
            return x, sweeps, converged
        # Recomputed from the start, so that rounding errors of the updates do not add up.
        slope = np.ascontiguousarray(gradient + curvature @ (x - begin))

"""Linear equations with a positive semidefinite matrix."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from scipy.linalg import eigh
from scipy.linalg.lapack import dpotrf, dpotrs

from hornbook.params import Floats

__all__ = ["positive_solver", "solve_positive"]

SMALLEST = 1e-12  # eigenvalues below this fraction of the largest count as 0
DAMPING = 1e-8  # part of the diagonal by which an estimated matrix is made positive definite


def solve_positive(matrix: Floats, right: Floats) -> Floats:
    """Solve ``matrix @ x = right`` for a symmetric positive semidefinite matrix.

    Rows and columns are first scaled to a unit diagonal, so units do not matter. Where the matrix is
    singular, as with collinear columns, x is the minimum-norm solution in those units.

    Parameters
    ----------
    matrix : ndarray of shape (n, n)
        The matrix.
    right : ndarray of shape (n,)
        The right side.

    Returns
    -------
    ndarray of shape (n,)
        The solution.

    Examples
    --------
    >>> solve_positive(np.array([[4.0, 0.0], [0.0, 2.0]]), np.array([4.0, 6.0])).round(9).tolist()
    [1.0, 3.0]
    >>> solve_positive(np.ones((2, 2)), np.array([1.0, 1.0])).round(9).tolist()
    [0.5, 0.5]
    """
    size = np.sqrt(np.diagonal(matrix))
    unit = np.divide(1.0, size, out=np.zeros_like(size), where=size > 0)
    scaled = np.asarray_chkfinite(matrix * unit[:, None] * unit)
    aim = np.asarray_chkfinite(right * unit)
    if not len(aim):
        return aim
    # LAPACK called directly: for few unknowns, SciPy's wrapper takes several times as long as the solution.
    factor, failed = dpotrf(scaled, lower=True, clean=False)
    # The squares of the pivots bound the smallest eigenvalue from above.
    if failed or np.diagonal(factor).min() ** 2 < SMALLEST:
        return unit * _minimum_norm(scaled, aim)
    solved, _ = dpotrs(factor, aim, lower=True)
    return np.asarray(unit * solved)


def positive_solver(matrix: Floats) -> Callable[[Floats], Floats] | None:
    """Factor a symmetric positive semidefinite matrix once, to solve for many right sides.

    It is slightly regularized: good for an estimate, such as a preconditioner, not for exact solutions.

    Parameters
    ----------
    matrix : ndarray of shape (n, n)
        The matrix.

    Returns
    -------
    callable or None
        Takes a right side, returns the solution; None if the matrix is not positive semidefinite.

    Examples
    --------
    >>> solve = positive_solver(np.array([[4.0, 0.0], [0.0, 2.0]]))
    >>> solve(np.array([4.0, 6.0])).round(6).tolist()
    [1.0, 3.0]
    """
    size = np.sqrt(np.diagonal(matrix))
    unit = np.divide(1.0, size, out=np.zeros_like(size), where=size > 0)
    scaled = matrix * unit[:, None] * unit
    scaled[np.diag_indices_from(scaled)] += DAMPING
    factor, failed = dpotrf(scaled, lower=True, clean=False)
    if failed or not np.isfinite(factor.diagonal()).all():
        return None
    return lambda right: np.asarray((unit * dpotrs(factor, (unit * right.T).T, lower=True)[0].T).T)


def _minimum_norm(matrix: Floats, right: Floats) -> Floats:
    # The pseudoinverse: directions without curvature get no component.
    values, vectors = eigh(matrix)
    used = values > SMALLEST * max(values[-1], 0.0)
    return np.asarray(vectors[:, used] @ ((vectors[:, used].T @ right) / values[used]))

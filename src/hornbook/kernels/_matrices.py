"""Kernel matrices of tables, the check of Mercer's condition, and distances in feature space."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any, Literal, cast

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.sparse import issparse

from hornbook.frame import Encoding, Frame, SparseRows, as_frame, require_memory
from hornbook.kernels._kernel import CalledKernel, Kernel
from hornbook.kernels._kernels import (
    Gaussian,
    Laplacian,
    Linear,
    Polynomial,
    Precomputed,
    Sigmoid,
    cell_variance,
)
from hornbook.params import Floats, suggest

__all__ = [
    "NAMES",
    "is_mercer",
    "is_no_product",
    "kernel_distance",
    "kernel_matrix",
    "kernel_of",
    "negative_square",
]

NAMES = ("linear", "poly", "rbf", "laplacian", "sigmoid", "precomputed")

ROUNDING = 1e-10  # of the largest eigenvalue: smaller negative ones are rounding
NEGATIVE = 1e-6  # below minus this part of the largest value, a square is not negative by rounding alone
FEW = 256  # rows whose squared distances are in memory at a time


def kernel_of(
    kernel: str | Kernel | Callable[[Any, Any], float],
    X: Floats | SparseRows,
    w: Floats | None = None,
    *,
    gamma: float | Literal["scale", "auto"] = "scale",
    degree: int = 3,
    coef0: float = 0.0,
    sizes: NDArray[Any] | None = None,
) -> Kernel:
    """Return the kernel with this name and scikit-learn's parameters, fitted to a table.

    Parameters
    ----------
    kernel : str, Kernel or callable
        One of "linear", "poly", "rbf", "laplacian", "sigmoid", "precomputed", a kernel, or a function.
    X : ndarray of shape (n, n_columns) or SparseRows
        The table, for widths that depend on it.
    w : ndarray of shape (n,), optional
        Weights of its rows.
    gamma : float, "scale" or "auto", default "scale"
        1 / (columns times variance) with "scale", 1 / columns with "auto".
    degree : int, default 3
        Of "poly".
    coef0 : float, default 0.0
        Of "poly" and "sigmoid".
    sizes : ndarray of int, optional
        By how many columns of X each column of the table is encoded, for kernels of mixed columns.

    Examples
    --------
    >>> kernel_of("rbf", np.array([[0.0], [2.0]]), gamma=0.5)
    Gaussian(sigma=1.0, form='2sigma2')
    """
    if isinstance(kernel, Kernel):
        # Kernels that learn from a table are never given a sparse one.
        return (kernel if sizes is None else kernel.over(sizes)).fitted(cast("Floats", X), w)
    if callable(kernel) and not isinstance(kernel, type):
        return CalledKernel(kernel)
    if kernel not in NAMES:
        allowed = ", ".join(repr(name) for name in NAMES)
        hint = suggest(kernel, NAMES) if isinstance(kernel, str) else ""
        raise ValueError(
            f"'kernel' must be one of {allowed}, a kernel of hornbook.kernels, or a function of two rows; "
            f"got {kernel!r}.{hint}"
        )
    if kernel in ("linear", "precomputed"):
        return Linear() if kernel == "linear" else Precomputed()
    rate = _rate(gamma, X, w)
    if kernel == "rbf":
        return Gaussian.of_gamma(rate)
    if kernel == "laplacian":
        return Laplacian(1 / rate, norm="l1")
    return Polynomial(degree, coef0, rate) if kernel == "poly" else Sigmoid(rate, coef0)


def _rate(gamma: Any, X: Floats | SparseRows, w: Floats | None) -> float:
    if isinstance(gamma, str):
        if gamma not in ("scale", "auto"):
            raise ValueError(f"'gamma' must be a number above 0, 'scale' or 'auto'; got {gamma!r}.")
        n_columns = X.n_columns if isinstance(X, SparseRows) else X.shape[1]
        # Overflow is looked for in the result, so NumPy's warning would only say the same twice.
        with np.errstate(over="ignore", invalid="ignore"):
            spread = n_columns * (cell_variance(X, w) if gamma == "scale" else 1.0)
        if not math.isfinite(spread):
            raise ValueError(
                "The cells are so large that their variance overflows, from which gamma='scale' follows: "
                "rescale the columns, or choose gamma yourself."
            )
        # A constant table has no variance; scikit-learn takes 1 as well.
        return 1 / spread if spread > 0 else 1.0
    return float(gamma)


def _table(X: Any) -> Floats:
    if issparse(X):
        stored = SparseRows.of(X)
        require_memory(len(stored), stored.n_columns, "pass fewer rows or columns")
        X = stored.dense()
    rows = as_frame(X).features.matrix
    if not np.isfinite(rows).all():
        raise ValueError("Kernels take finite numbers: fill missing values and correct infinite ones first.")
    return rows


def kernel_matrix(
    X: Any, Y: Any = None, kernel: str | Kernel | Callable[[Any, Any], float] = "rbf", **options: Any
) -> Floats:
    """Values of a kernel for each row of X with each row of Y: the Gram matrix if they are the same.

    Parameters
    ----------
    X : table of shape (n, n_columns)
        Rows of numbers, for `Mixed` also categories and missing cells; widths that depend on a table are
        estimated from it.
    Y : table of shape (m, n_columns), optional
        Other rows; X itself when left out.
    kernel : str, Kernel or callable, default "rbf"
        A name ("linear", "poly", "rbf", "laplacian", "sigmoid"), a kernel, or a function of two rows.
    **options : object
        scikit-learn's ``gamma``, ``degree`` and ``coef0`` for kernels by name.

    Returns
    -------
    matrix : ndarray of shape (n, m)
        The values.

    Examples
    --------
    >>> kernel_matrix([[1.0, 2.0], [3.0, 1.0]], kernel="linear").tolist()
    [[5.0, 5.0], [5.0, 10.0]]
    """
    if isinstance(kernel, Kernel) and kernel.takes_missing:
        return _mixed_matrix(as_frame(X).features, None if Y is None else as_frame(Y).features, kernel)
    rows = _table(X)
    others = rows if Y is None else _table(Y)
    require_memory(len(rows), len(others), "pass fewer rows")
    return kernel_of(kernel, rows, **options).matrix(rows, others)


def _mixed_matrix(X: Frame, Y: Frame | None, kernel: Kernel) -> Floats:
    encoding = Encoding.fit(X, missing="keep")
    rows = encoding.apply(X)
    others = rows if Y is None else encoding.apply(Y)
    if np.isinf(rows).any() or np.isinf(others).any():
        raise ValueError("Kernels take finite numbers: correct infinite ones first.")
    require_memory(len(rows), len(others), "pass fewer rows")
    return kernel_of(kernel, rows, sizes=np.diff(encoding.offsets)).matrix(rows, others)


def is_mercer(K: ArrayLike, *, rounding: float = ROUNDING) -> bool:
    """Whether a matrix is symmetric and positive semidefinite, as those of Mercer kernels are.

    Parameters
    ----------
    K : array-like of shape (n, n)
        A kernel matrix.
    rounding : float, default 1e-10
        Eigenvalues down to minus this fraction of the largest count as 0.

    Returns
    -------
    bool
        True for a matrix of scalar products of n vectors.

    Examples
    --------
    >>> is_mercer([[2.0, 1.0], [1.0, 2.0]]), is_mercer([[1.0, 2.0], [2.0, 1.0]])
    (True, False)
    """
    matrix = np.asarray(K, dtype=np.float64)
    if matrix.ndim != 2 or matrix.shape[0] != matrix.shape[1] or not len(matrix):
        raise ValueError(f"is_mercer: 'K' must be a square matrix; got shape {matrix.shape}.")
    if not np.isfinite(matrix).all():
        raise ValueError("is_mercer: 'K' must hold finite numbers; got NaN or infinity.")
    largest = np.abs(matrix).max()
    if np.abs(matrix - matrix.T).max() > rounding * largest:
        return False
    # Made exactly symmetric first: the solver reads one triangle only, and would not see the other.
    values = np.linalg.eigvalsh((matrix + matrix.T) / 2)
    # Errors of computed eigenvalues are bounded by the norm of the matrix times a modest function of its
    # size, hence the factor n.
    return bool(values[0] >= -rounding * max(abs(values[-1]), largest) * len(matrix))


def negative_square(K: Floats) -> tuple[int, int, float] | None:
    """Return two rows with a negative squared distance in feature space, and the square; None without any.

    Unlike the eigenvalues of `is_mercer` this takes n² operations, and misses kernels that are no scalar
    products for three rows and more.
    """
    diagonal = np.diag(K)
    slack = NEGATIVE * float(np.abs(K).max(initial=0.0))
    for start in range(0, len(K), FEW):
        squares = diagonal[start : start + FEW, None] - 2 * K[start : start + FEW] + diagonal
        i, j = np.unravel_index(int(squares.argmin()), squares.shape)
        if squares[i, j] < -slack:
            return start + int(i), int(j), float(squares[i, j])
    return None


def is_no_product(kernel: Kernel, K: Floats) -> bool:
    """Whether lengths and distances of rows show that the kernel of this matrix is no scalar product."""
    if isinstance(kernel, Linear | Gaussian | Laplacian):
        return False
    slack = NEGATIVE * float(np.abs(K).max(initial=0.0))
    return bool((np.diag(K) < -slack).any()) or negative_square(K) is not None


def kernel_distance(
    x: ArrayLike, y: ArrayLike, kernel: str | Kernel | Callable[[Any, Any], float] = "rbf", **options: Any
) -> float:
    """Distance of two rows in the feature space of a kernel, √(k(x, x) - 2 k(x, y) + k(y, y)).

    Parameters
    ----------
    x, y : array-like of shape (n_columns,)
        The rows.
    kernel : str, Kernel or callable, default "rbf"
        As in `kernel_matrix`; a width that depends on a table is estimated from the two rows.
    **options : object
        scikit-learn's ``gamma``, ``degree`` and ``coef0`` for kernels by name.

    Returns
    -------
    float
        At least 0; with the linear kernel the Euclidean distance.

    Examples
    --------
    >>> kernel_distance([0.0, 0.0], [3.0, 4.0], "linear")
    5.0
    """
    points = [np.asarray(row, dtype=np.float64) for row in (x, y)]
    if points[0].ndim != 1 or points[0].shape != points[1].shape:
        raise ValueError(
            f"kernel_distance: 'x' and 'y' must be two rows of equal length; got shapes {points[0].shape} "
            f"and {points[1].shape}."
        )
    rows = np.array(points)
    K = kernel_of(kernel, rows, **options).matrix(rows, rows)
    square = float(K[0, 0] - 2 * K[0, 1] + K[1, 1])
    if square < -1e-9 * float(np.abs(K).max()):
        raise ValueError(
            "kernel_distance: the square of the distance is negative, so the kernel is not positive "
            "semidefinite: choose another."
        )
    # The three terms nearly cancel for rows close to each other, so rounding may leave less than 0.
    return float(np.sqrt(max(square, 0.0)))

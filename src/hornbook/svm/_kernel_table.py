"""Kernel values as solvers and predictions take them: computed by native code from rows, or a matrix."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from hornbook import _native
from hornbook.frame import SparseRows, require_memory
from hornbook.kernels import Gaussian, Kernel, Linear, Polynomial, Precomputed, Sigmoid
from hornbook.params import Floats, blas_threads

__all__ = ["PRECOMPUTED", "KernelTable", "kernel_sums", "native_kernel", "reads_stored"]

# Kind, gamma, coef0 and degree, as native code numbers them.
NativeKernel: TypeAlias = tuple[int, float, float, int]

PRECOMPUTED: NativeKernel = (4, 0.0, 0.0, 1)
ASYMMETRY = 1e-8  # of a kernel matrix, relative to its largest value, that counts as rounding


def native_kernel(kernel: Kernel) -> NativeKernel | None:
    """Return how native code computes a kernel, or None if it cannot."""
    if isinstance(kernel, Linear):
        return 0, 1.0, 0.0, 1
    if isinstance(kernel, Polynomial):
        return 1, float(kernel.scale), float(kernel.constant), int(kernel.degree)
    if isinstance(kernel, Gaussian):
        return 2, kernel.gamma, 0.0, 1
    if isinstance(kernel, Sigmoid):
        return 3, float(kernel.scale), float(kernel.offset), 1
    return None


def reads_stored(kernel: Any) -> bool:
    """Whether the values of a kernel can be computed from the stored numbers of sparse rows."""
    if isinstance(kernel, Gaussian):
        return kernel.sigma is not None
    return isinstance(kernel, Linear | Polynomial | Sigmoid) or (
        isinstance(kernel, str) and kernel in ("linear", "poly", "rbf", "sigmoid")
    )


@dataclass(frozen=True)
class KernelTable:
    """Training rows with what gives their kernel values.

    Parameters
    ----------
    rows : ndarray of shape (n, n_columns) or (n, n), or SparseRows
        The rows, or their kernel matrix.
    native : tuple
        How native code gets values from it.
    """

    rows: Floats | SparseRows
    native: NativeKernel

    @property
    def table(self) -> Any:
        """The rows as native code takes them."""
        return _native_rows(self.rows)

    @classmethod
    def of(cls, kernel: Kernel, data: Floats | SparseRows, learner: str) -> KernelTable:
        """Check a kernel on training rows; one that native code does not know is computed for all pairs."""
        native = native_kernel(kernel)
        if isinstance(data, SparseRows):
            assert native is not None
            with np.errstate(over="ignore"):
                # A vector of the same length in one dimension has the same kernel value with itself, as these
                # kernels depend on scalar products and distances alone: the check needs no dense rows.
                lengths = np.sqrt(data.matrix.multiply(data.matrix).sum(axis=1))
                _require_finite(kernel.diagonal(np.ravel(lengths)[:, None]), learner)
            return cls(data, native)
        rows = np.ascontiguousarray(data)
        if native is not None:
            with np.errstate(over="ignore"):
                _require_finite(kernel.diagonal(rows), learner)
            return cls(rows, native)
        n = len(rows)
        require_memory(n, n, "use fewer rows, or one of the named kernels")
        # scikit-learn's own sentence is part of the message, because its checks of estimators look for it.
        if isinstance(kernel, Precomputed) and rows.shape[1] != n:
            raise ValueError(
                f"{learner}: a precomputed kernel needs a square matrix; Precomputed matrix must be a square "
                f"matrix, and X is a {n} by {rows.shape[1]} matrix: pass the values of all pairs of rows."
            )
        with blas_threads(1), np.errstate(over="ignore", invalid="ignore"):
            matrix = np.ascontiguousarray(kernel.matrix(rows, rows))
        _require_finite(matrix, learner)
        if np.abs(matrix - matrix.T).max() > ASYMMETRY * np.abs(matrix).max():
            raise ValueError(
                f"{learner}: the kernel matrix must be symmetric, and is not: repair the kernel."
            )
        return cls(matrix, PRECOMPUTED)

    def matrix(self, rows: NDArray[np.intp], others: NDArray[np.intp], n_threads: int) -> Floats:
        """Values of some rows with others."""
        if self.native == PRECOMPUTED:
            return np.ascontiguousarray(self.table[np.ix_(rows, others)])
        left, right = (_native_rows(self.rows[places]) for places in (rows, others))
        return _native.kernel_values(left, right, *self.native, n_threads)


def _native_rows(rows: Floats | SparseRows) -> Any:
    if isinstance(rows, SparseRows):
        return rows.values, rows.columns, rows.offsets, rows.n_columns
    return rows


def kernel_sums(
    kernel: Kernel, X: Floats, rows: Floats, coef: Floats, starts: NDArray[np.int64], n_threads: int
) -> Floats:
    """Sum coefficients times kernel values over segments of rows, for each row of X.

    Parameters
    ----------
    kernel : Kernel
        The kernel; with a precomputed one X holds the values, and the rows do not matter.
    X : ndarray of shape (n, n_columns)
        New rows.
    rows : ndarray of shape (m, n_columns)
        Rows of the fit.
    coef : ndarray of shape (n_coef, m)
        Their coefficients.
    starts : ndarray of shape (n_segments + 1,)
        Where segments of rows begin, and the last ends.
    n_threads : int
        Number of threads.

    Returns
    -------
    ndarray of shape (n, n_segments * n_coef)
        The sums.
    """
    native = native_kernel(kernel)
    weights = np.ascontiguousarray(coef)
    if native is not None:
        return _native.kernel_sums(np.ascontiguousarray(X), rows, *native, weights, starts, n_threads)
    with blas_threads(1):
        values = X if isinstance(kernel, Precomputed) else kernel.matrix(X, rows)
    # The kernel values are passed as rows, and the rows that they belong to have no columns then.
    places = np.empty((coef.shape[1], 0))
    return _native.kernel_sums(np.ascontiguousarray(values), places, *PRECOMPUTED, weights, starts, n_threads)


def _require_finite(values: Floats, learner: str) -> None:
    if not np.isfinite(values).all():
        raise ValueError(
            f"{learner}: the kernel has values that are not finite: scale the columns, or choose another "
            "kernel."
        )

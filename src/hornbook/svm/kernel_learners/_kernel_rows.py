"""What learners have in common that compare rows with those of the fit by a kernel."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from typing import Annotated, Any, Literal

import numpy as np

from hornbook.base import KernelColumns
from hornbook.frame import require_memory
from hornbook.kernels import Kernel, is_no_product, kernel_of
from hornbook.params import Floats, Shape, blas_threads
from hornbook.svm._warnings import warn_scales

__all__ = ["KernelRows"]

ASYMMETRY = 1e-8  # of the largest value: below it, differences are rounding
CELLS = 1 << 22  # kernel values that are held at once for new rows


class KernelRows(KernelColumns):
    """Mixin of learners with the parameters of a kernel; keeps the rows that new ones are compared with.

    Attributes
    ----------
    X_fit_ : ndarray of shape (n_kept, n_encoded)
        The training rows, which new rows are compared with; none with a kernel matrix.
    kernel_ : Kernel
        The kernel with its width.
    encoded_names_ : ndarray of shape (n_encoded,)
        Names of the encoded columns.
    n_features_in_ : int
        Number of columns at fit.
    feature_names_in_ : ndarray of shape (n_features_in_,)
        Their names, if they had any.
    """

    kernel: str | Kernel | Callable[[Any, Any], float]
    gamma: Any  # as of SupportVectors; None, which kernel ridge takes, is "auto"
    degree: int
    coef0: float

    kernel_: Kernel
    X_fit_: Annotated[Floats, Shape("n_kept", "n_encoded")]

    def _points(self, X: Floats) -> Floats:
        """The rows as the kernel sees them."""
        return X

    def _gram(self, data: Floats, w: Floats | None) -> Floats:
        """Fit the kernel, and return its values for all pairs of rows."""
        name, n = type(self).__name__, len(data)
        require_memory(n, n, "use fewer rows, or a linear model on the columns of hornbook.Nystroem")
        if not self._precomputed:
            warn_scales(self, data)
        points = self._points(data)
        gamma: float | Literal["scale", "auto"] = "auto" if self.gamma is None else self.gamma
        with blas_threads(1), np.errstate(over="ignore", invalid="ignore"):  # sums never depend on threads
            self.kernel_ = kernel_of(
                self.kernel,
                points,
                w,
                gamma=gamma,
                degree=self.degree,
                coef0=self.coef0,
                sizes=self._sizes(points.shape[1] - data.shape[1]),
            )
            K = self.kernel_.matrix(points, points)
        # The sum first: it needs no second matrix, and is finite in almost all cases.
        if not np.isfinite(K.sum()) and not np.isfinite(K).all():
            raise ValueError(
                f"{name}: the kernel has values that are not finite: scale the columns, or choose another "
                "kernel."
            )
        # Kernels by name are symmetric by construction, so the n² comparisons are spared.
        known = isinstance(self.kernel, str) and not self._precomputed
        if not known and np.abs(K - K.T).max() > ASYMMETRY * float(np.abs(K).max()):
            raise ValueError(
                f"{name}: the kernel matrix must be symmetric, k(x, y) = k(y, x): choose another kernel."
            )
        return K

    def _warn_indefinite(self, K: Floats, consequence: str) -> None:
        """Say what a kernel that is no scalar product means for this learner."""
        if is_no_product(self.kernel_, K):
            warnings.warn(
                f"{type(self).__name__}: the kernel is not positive semidefinite, so {consequence}: choose "
                "another kernel.",
                UserWarning,
                stacklevel=8,
            )

    def _remember(self, data: Floats) -> None:
        self.X_fit_ = np.empty((0, data.shape[1])) if self._precomputed else data.copy()

    def _expansion(self, X: Floats, coef: Floats) -> Floats:
        """Sums of the columns of ``coef`` times kernel values, a few rows at a time."""
        step = max(1, CELLS // max(1, len(coef)))
        with blas_threads(1):
            parts = [self._values(X[i : i + step]) @ coef for i in range(0, len(X), step)]
        return np.concatenate(parts) if parts else np.empty((0, coef.shape[1]))

    def _values(self, X: Floats) -> Floats:
        """Kernel values of new rows with the rows of the fit."""
        return X if self._precomputed else self.kernel_.matrix(self._points(X), self._points(self.X_fit_))

    def _kernel_text(self) -> str:
        return str(self.kernel_) if isinstance(self.kernel, str | Kernel) else "a function"

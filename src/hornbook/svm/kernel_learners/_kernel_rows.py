"""What learners have in common that compare rows with those of the fit by a kernel."""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated, Any, Literal

import numpy as np
from numpy.typing import NDArray
from sklearn.utils import Tags

from hornbook.frame import Encoding, require_memory
from hornbook.kernels import Kernel, Precomputed, kernel_of
from hornbook.params import Floats, Shape, blas_threads

__all__ = ["KernelRows"]

ASYMMETRY = 1e-8  # of the largest value: below it, differences are rounding
CELLS = 1 << 22  # kernel values that are held at once for new rows


class KernelRows:
    """Mixin of learners with the parameters of a kernel; keeps the rows that new ones are compared with."""

    kernel: str | Kernel | Callable[[Any, Any], float]
    gamma: float | Literal["scale", "auto"] | None
    degree: int
    coef0: float

    encoding_: Encoding
    kernel_: Kernel
    X_fit_: Annotated[Floats, Shape("n_kept", "n_encoded")]

    @property
    def _precomputed(self) -> bool:
        return isinstance(self.kernel, Precomputed) or self.kernel == "precomputed"

    def __sklearn_tags__(self) -> Tags:
        tags: Tags = super().__sklearn_tags__()  # type: ignore[misc]  # of the learner this is mixed into
        tags.input_tags.pairwise = self._precomputed
        return tags

    def _missing_cells(self) -> Literal["indicate", "keep"]:
        takes_missing = isinstance(self.kernel, Kernel) and self.kernel.takes_missing
        return "keep" if takes_missing else "indicate"

    def _points(self, X: Floats) -> Floats:
        """The rows as the kernel sees them."""
        return X

    def _gram(self, data: Floats, w: Floats | None) -> Floats:
        """Fit the kernel, and return its values for all pairs of rows."""
        name, n = type(self).__name__, len(data)
        require_memory(
            n, n, "learn from fewer rows, or from the columns of hornbook.Nystroem by a linear model"
        )
        points = self._points(data)
        gamma = "auto" if self.gamma is None else self.gamma
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
        if not np.isfinite(K.sum()) and not np.isfinite(K).all():
            raise ValueError(
                f"{name}: the kernel has values that are not finite: scale the columns, or choose another "
                "kernel."
            )
        known = isinstance(self.kernel, str) and not self._precomputed
        if not known and np.abs(K - K.T).max() > ASYMMETRY * float(np.abs(K).max()):
            raise ValueError(
                f"{name}: the kernel matrix must be symmetric, k(x, y) = k(y, x): choose another kernel."
            )
        return K

    def _sizes(self, appended: int) -> NDArray[np.intp] | None:
        """By how many columns each column of the table is encoded, for kernels that take missing cells."""
        if self._missing_cells() == "indicate":
            return None
        return np.append(np.diff(self.encoding_.offsets), np.ones(appended, dtype=np.intp))

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

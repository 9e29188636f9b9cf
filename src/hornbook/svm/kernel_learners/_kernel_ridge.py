"""Kernel ridge regression."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from dataclasses import field
from typing import Annotated, Any, ClassVar, Literal

import numpy as np
from numpy.typing import ArrayLike
from scipy.linalg import LinAlgWarning, cho_factor, cho_solve, eigh

from hornbook.base import Accepts, Description, Regressor, Working
from hornbook.kernels import Kernel, Linear
from hornbook.linear import refuse_large
from hornbook.params import Floats, Range, Shape, Tune, blas_threads, declared
from hornbook.svm._parameters import KernelForm, Width
from hornbook.svm._warnings import warn_scales
from hornbook.svm.kernel_learners._description import expansion_table, kernel_terms
from hornbook.svm.kernel_learners._kernel_rows import KernelRows
from hornbook.svm.kernel_learners._plot import draw_regressor

__all__ = ["KernelRidge"]

LOST_DIGITS = 0.01  # of the largest target: rounding errors of predictions that are worth a warning


class RowCoefficients(KernelRows, Regressor):
    """A coefficient for each training row.

    Attributes
    ----------
    dual_coef_ : ndarray of shape (n_rows,) or (n_rows, n_targets)
        Coefficients of the training rows.
    """

    dual_coef_: Annotated[Floats, Shape("n_rows"), Shape("n_rows", "n_targets")]


@declared
class KernelRidge(KernelForm, RowCoefficients):
    """Kernel ridge regression: least squares in the feature space of a kernel, with a penalty on the weights.

    The prediction is a sum over the training rows of coefficient times kernel value, and the coefficients
    solve (K + alpha I) c = y exactly. Unlike scikit-learn's, it takes categories and missing cells (through
    its Encoder), and gives the same digits for any number of threads. There is no intercept: center the
    target, or add a constant to the kernel.

    Time grows with rows³ and memory with rows²; with the linear kernel and more rows than columns, time with
    rows x columns².

    Parameters
    ----------
    alpha : float or array-like of shape (n_targets,), default 1.0
        Weight of the penalty, one for all targets or one for each: the sum of squared errors plus alpha times
        the squared length of the weights in feature space is minimized. 0 interpolates where it can.
    gamma : float, "scale" or "auto", optional
        Coefficient of all kernels by name but the linear one: 1 / (columns times variance) with ``"scale"``,
        1 / columns with ``"auto"`` and, as in scikit-learn, when left out.

    See Also
    --------
    Ridge : Least squares with a squared penalty.
    SVR : Regression with a tube in the space of a kernel.

    Examples
    --------
    >>> from hornbook import KernelRidge
    >>> X, y = [[0.0], [1.0], [2.0], [3.0]], [0.0, 1.0, 0.0, 1.0]
    >>> model = KernelRidge(alpha=0.01, kernel="rbf", gamma=1.0).fit(X, y)
    >>> model.predict(X).round(2).tolist()
    [0.01, 0.98, 0.01, 0.99]
    """

    wants: ClassVar[Literal["matrix"]] = "matrix"
    accepts: ClassVar[Accepts] = Accepts(sparse=True, multi_output=True)
    scale_sensitive: ClassVar[bool] = True

    model_class = "weighted sum of kernel values with the training rows"
    objective = "sum of squared errors plus a penalty on the squared length of the weights in feature space"
    optimizer = "closed form: one system of linear equations"

    alpha: Annotated[float, Range(low=0.0), Tune(1e-4, 1e2, log=True)] | ArrayLike = field(
        default=1.0, kw_only=False
    )
    kernel: str | Kernel | Callable[[Any, Any], Any] = "linear"
    gamma: Width | None = None
    coef0: float = 1.0

    def _fit(self, data: Floats, y: Floats, w: Floats | None) -> None:
        # Saunders, Gammerman and Vovk (1998).
        targets = y[:, None] if y.ndim == 1 else y
        with np.errstate(over="ignore"):
            # Sums of squared errors are minimized, and `score` is made of them.
            if not np.isfinite(np.square(targets).sum()):
                refuse_large(type(self).__name__, "y")
        penalties = self._penalties(targets.shape[1])
        n, d = data.shape
        # Equations for d columns instead of n rows: O(n d²) instead of O(n³), with the same solution, since
        # (XᵀX + aI)⁻¹Xᵀ = Xᵀ(XXᵀ + aI)⁻¹.
        if self._is_linear and n > d and (penalties > 0).all():
            self.kernel_ = Linear()
            warn_scales(self, data)
            with blas_threads(1):
                dual = _from_columns(data, targets, w, penalties)
            largest = float(np.square(data).sum(axis=1).max())
        else:
            K = self._gram(data, w)
            with blas_threads(1):
                dual = _from_rows(K, targets, w, penalties)
            largest = float(np.abs(np.diag(K)).max())
        _warn_rounding(largest, dual, targets)
        self.dual_coef_ = dual[:, 0] if y.ndim == 1 else dual
        self._remember(data)

    @property
    def _is_linear(self) -> bool:
        return isinstance(self.kernel, Linear) or self.kernel == "linear"

    def _penalties(self, n_targets: int) -> Floats:
        penalties = np.asarray(self.alpha, dtype=np.float64)
        fits = penalties.ndim == 0 or penalties.shape == (n_targets,)
        if not fits or not (np.isfinite(penalties) & (penalties >= 0)).all():
            raise ValueError(
                "KernelRidge: parameter 'alpha' must be one number >= 0, or one for each of the "
                f"{n_targets} targets; got {self.alpha!r}."
            )
        return np.broadcast_to(penalties, n_targets)

    @property
    def _columns(self) -> Floats:
        """The coefficients with a column for each target."""
        return self.dual_coef_[:, None] if self.dual_coef_.ndim == 1 else self.dual_coef_

    def _predict(self, X: Floats) -> Floats:
        answers = self._expansion(X, self._columns)
        return answers[:, 0] if self.dual_coef_.ndim == 1 else answers

    def _target_names(self) -> list[str]:
        n = self._columns.shape[1]
        return ["value"] if self.dual_coef_.ndim == 1 else [f"y{i + 1}" for i in range(n)]

    def _describe(self) -> Description:
        n = len(self.dual_coef_)
        alpha = np.asarray(self.alpha)
        facts = {
            "kernel": self._kernel_text(),
            "penalty": f"alpha = {alpha.tolist()}",
        }
        heads = ["coefficient"] if self.dual_coef_.ndim == 1 else self._target_names()
        table = expansion_table("Largest coefficients", self._columns, heads, np.arange(n))
        return Description(f"Kernel ridge regression on {n} rows", facts, [table])

    def _working(self, X: Floats) -> Working:
        terms = kernel_terms(self._values(X)[0], self._columns, np.arange(len(self.dual_coef_)))
        answer = self._predict(X)[0]
        prediction: Any = float(answer) if np.ndim(answer) == 0 else answer.tolist()
        title = "Kernel ridge regression: the answer is the sum of coefficient times kernel value"
        return Working(title, "sum", self._target_names(), terms, prediction)

    def _plot(self, X: Any, y: Any, ax: Any) -> Any:
        return draw_regressor(self, self._columns, X, y, ax)


def _from_columns(X: Floats, y: Floats, w: Floats | None, penalties: Floats) -> Floats:
    """The coefficients for the linear kernel from the weights v of the columns: c = w (y - X v) / alpha."""
    weighted = X if w is None else X * w[:, None]
    products, along = weighted.T @ X, weighted.T @ y
    dual = np.empty_like(y)
    # Targets with the same penalty share one factorization.
    for alpha in np.unique(penalties):
        own = penalties == alpha
        left = y[:, own] - X @ _solved(products, along[:, own], alpha)
        dual[:, own] = (left if w is None else left * w[:, None]) / alpha
    return dual


def _from_rows(K: Floats, y: Floats, w: Floats | None, penalties: Floats) -> Floats:
    """The coefficients from (√w K √w + alpha I) b = √w y, which are √w b."""
    # The roots of the weights on both sides keep the matrix symmetric, as Cholesky needs it.
    root = np.ones(len(K)) if w is None else np.sqrt(w)
    scaled = K if w is None else K * root[:, None] * root
    dual = np.empty_like(y)
    for alpha in np.unique(penalties):
        own = penalties == alpha
        dual[:, own] = root[:, None] * _solved(scaled, root[:, None] * y[:, own], alpha)
    return dual


def _solved(A: Floats, b: Floats, alpha: float) -> Floats:
    """Solve (A + alpha I) x = b for a symmetric A; the shortest x of least squares where it is singular."""
    scale = float(np.abs(np.diag(A)).max(initial=0.0))
    # Below that, rounding decides whether the factorization exists; eigenvectors cost far more, but give the
    # shortest solution then.
    if alpha > len(A) * np.finfo(np.float64).eps * scale:
        try:
            factor = cho_factor(_shifted(A, alpha), lower=True, overwrite_a=True, check_finite=False)
            return np.asarray(cho_solve(factor, b, check_finite=False))
        except np.linalg.LinAlgError:  # negative eigenvalues
            pass
    values, vectors = eigh(_shifted(A, alpha))
    cut = len(A) * np.finfo(np.float64).eps * max(np.abs(values).max(initial=0.0), scale)
    if values.size and values[0] < -1e-6 * np.abs(values).max():
        warnings.warn(
            "KernelRidge: the kernel matrix plus alpha has negative eigenvalues, so the penalized errors "
            "have no minimum: raise alpha, or choose a positive semidefinite kernel.",
            LinAlgWarning,
            stacklevel=8,
        )
    inverse = np.divide(1.0, values, out=np.zeros_like(values), where=np.abs(values) > cut)
    return np.asarray(vectors @ (inverse[:, None] * (vectors.T @ b)))


def _warn_rounding(largest: float, dual: Floats, y: Floats) -> None:
    """Say when the terms of a prediction are so much larger than their sum that its digits are lost."""
    errors = np.finfo(np.float64).eps * largest * np.abs(dual).sum(axis=0)
    lost = errors > LOST_DIGITS * np.abs(y).max(axis=0, initial=0.0)
    if lost.any():
        warnings.warn(
            f"KernelRidge: kernel values up to {largest:.3g} with coefficients of this size leave rounding "
            f"errors of up to {errors.max():.2g} in predictions: scale the columns, or raise alpha.",
            LinAlgWarning,
            stacklevel=8,
        )


def _shifted(A: Floats, alpha: float) -> Floats:
    """A + alpha I for a symmetric A, in the order of columns, which LAPACK needs."""
    shifted = A.T.copy(order="F")
    shifted.ravel(order="K")[:: len(A) + 1] += alpha
    return shifted

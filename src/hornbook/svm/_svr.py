"""Support vector regression."""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated, Any, ClassVar, Literal

import numpy as np

from hornbook import _native
from hornbook.base import Description, Regressor, Term, Working
from hornbook.frame import SparseRows
from hornbook.kernels import Kernel, Linear
from hornbook.linear import refuse_large
from hornbook.params import Floats, Jobs, Range, Shape, Tol, Tune, Verbose
from hornbook.svm._binary_problem import ROUNDING
from hornbook.svm._description import kernel_terms, kernel_text, support_terms
from hornbook.svm._kernel_table import KernelTable, kernel_sums
from hornbook.svm._plot import draw_numbers
from hornbook.svm._solve import run_watched, settings_of
from hornbook.svm._support_vectors import SupportVectors
from hornbook.svm._warnings import warn_fit

__all__ = ["SVR"]


class SVR(SupportVectors, Regressor):
    """Support vector regression: a function in the feature space of a kernel, with a tube of free errors.

    Errors up to epsilon cost nothing, larger ones C times what is beyond; rows inside the tube do not matter.
    Parameters and attributes are those of scikit-learn, but ``tol`` is relative to the spread of the target,
    so that other units of the target give the same fit.

    Time grows with the square of the number of rows, memory is bounded by ``cache_size``, for kernels that
    are functions, sums or products with the square of the number of rows.

    Parameters
    ----------
    kernel : str, Kernel or callable, default "rbf"
        ``"linear"``, ``"poly"``, ``"rbf"``, ``"laplacian"``, ``"sigmoid"``, a kernel of `hornbook.kernels`, a
        function of two rows or two tables, or ``"precomputed"``: X is the kernel matrix.
    degree : int, default 3
        Of ``"poly"``.
    gamma : float, "scale" or "auto", default "scale"
        Of kernels by name but the linear one: 1 / (columns times variance) with ``"scale"``, 1 / columns with
        ``"auto"``.
    coef0 : float, default 0.0
        Of ``"poly"`` and ``"sigmoid"``.
    tol : float, default 1e-3
        How much the optimality conditions may be violated, in standard deviations of the target.
    C : float, default 1.0
        Cost of errors beyond the tube.
    epsilon : float, default 0.1
        Half the width of the tube, in units of the target.
    shrinking : bool, default True
        Whether the solver leaves out rows that will most likely not change any more; the result is the same.
    cache_size : float, default 200
        Memory for kernel values, in MB.
    verbose : int, default 0
        Whether to print the objective on the way.
    max_iter : int, default -1
        The most steps; -1 is no limit but a very large one.
    warm_start : bool, default False
        Whether the next fit begins with the coefficients of the last one, scaled to the new bounds, where the
        number of rows is the same: for a path of values of C. The result is the same within ``tol``.
    n_jobs : int, optional
        Threads; all available when left out. The result does not depend on it.

    Attributes
    ----------
    support_ : ndarray of shape (n_support,)
        Rows of the fit that are support vectors: on the edge of the tube, or outside.
    support_vectors_ : ndarray of shape (n_support, n_encoded)
        Those rows; none with a kernel matrix.
    dual_coef_ : ndarray of shape (1, n_support)
        Their coefficients.
    intercept_ : ndarray of shape (1,)
        Added to the sum.
    coef_ : ndarray of shape (1, n_encoded)
        Weights of the columns; only with the linear kernel.
    kernel_ : Kernel
        The kernel with its width.
    kkt_ : float
        By how much the optimality conditions are violated at most.
    objective_ : ndarray of shape (2,)
        Value of the dual and of the primal problem.
    n_iter_ : int
        Number of steps.
    history_ : dict
        Dual and primal objective, and the gap between them, on the way. While the solver leaves out rows,
        the primal objective is the lowest that is known.
    encoded_names_ : ndarray of shape (n_encoded,)
        Names of the encoded columns.
    n_features_in_ : int
        Number of columns at fit.
    feature_names_in_ : ndarray of shape (n_features_in_,)
        Their names, if they had any.

    Examples
    --------
    >>> from hornbook import SVR
    >>> X, y = [[0.0], [1.0], [2.0], [3.0]], [0.0, 1.0, 2.0, 3.0]
    >>> model = SVR(kernel="linear", C=10.0, epsilon=0.3, tol=1e-9).fit(X, y)
    >>> model.coef_.round(3).tolist(), model.predict([[1.5]]).round(3).tolist(), model.support_.tolist()
    ([[0.8]], [1.5], [0, 3])
    """

    wants: ClassVar[Literal["matrix"]] = "matrix"
    scale_sensitive: ClassVar[bool] = True

    model_class = "function in the feature space of a kernel, a sum over support vectors"
    objective = "half the square length of the weights plus C times the errors beyond epsilon"
    optimizer = "sequential minimal optimization of the dual"

    dual_coef_: Annotated[Floats, Shape(1, "n_support")]
    intercept_: Annotated[Floats, Shape(1)]
    kkt_: float
    objective_: Annotated[Floats, Shape(2)]
    n_iter_: int

    def __init__(
        self,
        *,
        kernel: str | Kernel | Callable[[Any, Any], Any] = "rbf",
        degree: Annotated[int, Range(low=1)] = 3,
        gamma: Annotated[float, Range(low=0.0, open_low=True), Tune(1e-4, 10.0, log=True)]
        | Literal["scale", "auto"] = "scale",
        coef0: float = 0.0,
        tol: Tol = 1e-3,
        C: Annotated[float, Range(low=0.0, open_low=True), Tune(1e-2, 1e3, log=True)] = 1.0,
        epsilon: Annotated[float, Range(low=0.0), Tune(1e-3, 1.0, log=True)] = 0.1,
        shrinking: bool = True,
        cache_size: Annotated[float, Range(low=0.0, open_low=True)] = 200.0,
        verbose: Verbose = 0,
        max_iter: Annotated[int, Range(low=-1)] = -1,
        warm_start: bool = False,
        n_jobs: Jobs = None,
    ) -> None:
        self.kernel = kernel
        self.degree = degree
        self.gamma = gamma
        self.coef0 = coef0
        self.tol = tol
        self.C = C
        self.epsilon = epsilon
        self.shrinking = shrinking
        self.cache_size = cache_size
        self.verbose = verbose
        self.max_iter = max_iter
        self.warm_start = warm_start
        self.n_jobs = n_jobs

    @property
    def coef_(self) -> Floats:
        """Weights of the columns; with the linear kernel only."""
        if not isinstance(getattr(self, "kernel_", None), Linear):
            raise AttributeError("SVR: 'coef_' needs a fit with kernel='linear'.")  # noqa: TRY004 - for hasattr
        return np.asarray(np.einsum("ij,jc->ic", self.dual_coef_, self.support_vectors_))

    def _fit(self, data: Floats | SparseRows, y: Floats, w: Floats | None) -> None:
        data = self._rows_for_kernel(data)
        self.kernel_ = self._fitted_kernel(data, w)
        table = self._kernel_table(data)
        rows = np.arange(len(data)) if w is None else np.flatnonzero(w)
        weights = np.ones(len(rows)) if w is None else w[rows]
        start = self._start(len(data), rows, y[rows], self.C * weights)
        solution = run_watched(self, self._solver(table, rows, y[rows], weights, start))
        above, below = np.split(solution.coef, 2)
        coef = above + below
        used = np.flatnonzero(coef)
        self._keep_vectors(data, rows[used].astype(np.int32))
        self.dual_coef_, self.intercept_ = coef[None, used], np.array([solution.bias])
        self.kkt_, self.n_iter_ = solution.violation, solution.steps
        self.objective_ = np.array([solution.dual, solution.dual + solution.gap])
        warn_fit(self, [solution])

    def _start(self, n_rows: int, rows: Any, y: Floats, costs: Floats) -> Floats:
        """What the solver begins with: coefficients of the last fit times what suits these costs best."""
        none = np.zeros(len(rows))
        before = self._last_fit(n_rows)
        if before is None:
            return none
        coef = before["coef"][0, rows]
        size = np.abs(coef)
        if not coef.any() or abs(coef.sum()) > ROUNDING * size.sum():
            return none
        # Along a line through 0 the dual objective is a parabola.
        slope = float(y @ coef) - self.epsilon * float(size.sum())
        square = 2 * (slope - float(before["objective_"][0]))
        best = slope / square if slope > 0 and square > 0 else 1.0
        factor = min(best, float((costs[size > 0] / size[size > 0]).min()))
        return np.asarray(np.clip(factor * coef, -costs, costs))

    def _solver(
        self, table: KernelTable, rows: Any, y: Floats, weights: Floats, start: Floats
    ) -> _native.SmoSolver:
        """Two variables for each row: one lifts the function to it, one lowers it."""
        n, none = len(rows), np.zeros(len(rows))
        settings = settings_of(self)
        with np.errstate(over="ignore", invalid="ignore"):
            spread = float(np.sqrt(np.average((y - y.mean()) ** 2, weights=weights)))
        if not np.isfinite(spread):
            refuse_large(type(self).__name__)
        costs = self.C * weights
        return _native.smo_solver(
            table.table,
            *table.native,
            rows.astype(np.int64),
            np.tile(np.arange(n, dtype=np.int64), 2),
            np.concatenate([none, -costs]),
            np.concatenate([costs, none]),
            np.concatenate([self.epsilon - y, -self.epsilon - y]),
            np.zeros(2 * n),
            np.concatenate([np.maximum(start, 0.0), np.minimum(start, 0.0)]),
            self.tol * (spread or 1.0),
            settings.max_steps,
            settings.cache_bytes,
            settings.shrinking,
            settings.n_threads,
        )

    def _predict(self, X: Floats) -> Floats:
        starts = np.array([0, len(self.support_)], dtype=np.int64)
        rows = self._values_with_support(X)
        sums = kernel_sums(
            self.kernel_, rows, self.support_vectors_, self.dual_coef_, starts, self._threads()
        )
        return np.asarray(sums[:, 0] + self.intercept_[0])

    def _describe(self) -> Description:
        facts = {
            "kernel": kernel_text(self),
            "loss": f"errors beyond {self.epsilon:g}, C = {self.C:g}",
            "intercept": float(self.intercept_[0]),
            "dual objective": float(self.objective_[0]),
            "primal objective": float(self.objective_[1]),
            "violation": self.kkt_,
        }
        title = f"SVR with {len(self.support_)} support vectors"
        return Description(title, facts, [support_terms(self)])

    def _working(self, X: Floats) -> Working:
        terms = [Term(name, [value]) for name, value in kernel_terms(self, X)]
        title = "SVR: the number is a sum over support vectors"
        return Working(title, "sum", ["value"], terms, float(self._predict(X)[0]))

    def _plot(self, X: Any, y: Any, ax: Any) -> Any:
        return draw_numbers(self, X, y, ax)

"""The support vector machine of one class, for outliers."""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated, Any, ClassVar, Literal

import numpy as np

from hornbook import _native
from hornbook.base import Description, OutlierDetector, Term, Working
from hornbook.frame import SparseRows
from hornbook.kernels import Kernel, Linear
from hornbook.params import Floats, Jobs, Range, Shape, Tol, Tune, Verbose
from hornbook.svm._description import kernel_terms, kernel_text, support_terms
from hornbook.svm._kernel_table import KernelTable, kernel_sums
from hornbook.svm._plot import draw_outliers
from hornbook.svm._solve import run_watched, settings_of
from hornbook.svm._support_vectors import SupportVectors
from hornbook.svm._warnings import warn_fit

__all__ = ["OneClassSVM"]

ROUNDING = 1e-9  # of scores, relative to the offset


class OneClassSVM(SupportVectors, OutlierDetector):
    """One-class support vector machine: where the bulk of the rows is; what lies outside is an outlier.

    In the feature space of a kernel a hyperplane separates most rows from the origin by as much as possible
    (Schölkopf et al. 2001); at most the fraction nu of the rows is outside, at least nu are support vectors.
    Parameters, attributes and scores are those of scikit-learn; it also takes categories and missing cells,
    through its Encoder.

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
        How much the optimality conditions may be violated.
    nu : float, default 0.5
        Fraction of the rows that may be outliers, above 0 and at most 1.
    shrinking : bool, default True
        Whether the solver leaves out rows that will most likely not change any more; the result is the same.
    cache_size : float, default 200
        Memory for kernel values, in MB.
    verbose : int, default 0
        Whether to print the objective on the way.
    max_iter : int, default -1
        The most steps; -1 is no limit but a very large one.
    n_jobs : int, optional
        Threads; all available when left out. The result does not depend on it.

    Attributes
    ----------
    support_ : ndarray of shape (n_support,)
        Rows of the fit that are support vectors: on the boundary, or outliers.
    support_vectors_ : ndarray of shape (n_support, n_encoded)
        Those rows; none with a kernel matrix.
    dual_coef_ : ndarray of shape (1, n_support)
        Their coefficients, between 0 and the weight of the row; the sum is nu times the weight of all rows.
    intercept_ : ndarray of shape (1,)
        Added to the sum.
    offset_ : float
        Minus the intercept: what scores of rows are compared with.
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
    >>> from hornbook import OneClassSVM
    >>> X = [[0.0], [0.1], [0.2], [0.3], [5.0]]
    >>> model = OneClassSVM(nu=0.5, gamma=1.0).fit(X)
    >>> model.predict(X).tolist(), model.score_samples([[0.15], [5.0]]).round(2).tolist()
    ([1, 1, 1, 1, -1], [1.47, 1.0])
    """

    wants: ClassVar[Literal["matrix"]] = "matrix"
    scale_sensitive: ClassVar[bool] = True

    model_class = "hyperplane in the feature space of a kernel, a sum over support vectors"
    objective = "distance of the hyperplane from the origin, less the slack of rows beyond it"
    optimizer = "sequential minimal optimization of the dual"

    dual_coef_: Annotated[Floats, Shape(1, "n_support")]
    intercept_: Annotated[Floats, Shape(1)]
    offset_: float
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
        nu: Annotated[float, Range(0.0, 1.0, open_low=True), Tune(0.01, 0.5, log=True)] = 0.5,
        shrinking: bool = True,
        cache_size: Annotated[float, Range(low=0.0, open_low=True)] = 200.0,
        verbose: Verbose = 0,
        max_iter: Annotated[int, Range(low=-1)] = -1,
        n_jobs: Jobs = None,
    ) -> None:
        self.kernel = kernel
        self.degree = degree
        self.gamma = gamma
        self.coef0 = coef0
        self.tol = tol
        self.nu = nu
        self.shrinking = shrinking
        self.cache_size = cache_size
        self.verbose = verbose
        self.max_iter = max_iter
        self.n_jobs = n_jobs

    @property
    def coef_(self) -> Floats:
        """Weights of the columns; with the linear kernel only."""
        if not isinstance(getattr(self, "kernel_", None), Linear):
            raise AttributeError("OneClassSVM: 'coef_' needs a fit with kernel='linear'.")  # noqa: TRY004 - for hasattr
        return np.asarray(np.einsum("ij,jc->ic", self.dual_coef_, self.support_vectors_))

    def _fit(self, data: Floats | SparseRows, y: None, w: Floats | None) -> None:  # noqa: ARG002 - of all learners
        data = self._rows_for_kernel(data)
        self.kernel_ = self._fitted_kernel(data, w)
        table = self._kernel_table(data)
        rows = np.arange(len(data)) if w is None else np.flatnonzero(w)
        weights = np.ones(len(rows)) if w is None else w[rows]
        solution = run_watched(self, self._solver(table, rows, weights))
        used = np.flatnonzero(solution.coef)
        self._keep_vectors(data, rows[used].astype(np.int32))
        self.dual_coef_, self.intercept_ = solution.coef[None, used], np.array([solution.bias])
        self.offset_ = -solution.bias
        self.kkt_, self.n_iter_ = solution.violation, solution.steps
        self.objective_ = np.array([solution.dual, solution.dual + solution.gap])
        warn_fit(self, [solution])

    def _solver(self, table: KernelTable, rows: Any, weights: Floats) -> _native.SmoSolver:
        """A variable for each row; the first rows have the whole sum at the start."""
        settings, n, none = settings_of(self), len(rows), np.zeros(len(rows))
        before = np.cumsum(weights) - weights
        start = np.clip(self.nu * weights.sum() - before, 0.0, weights)
        return _native.smo_solver(
            table.table,
            *table.native,
            rows.astype(np.int64),
            np.arange(n, dtype=np.int64),
            none,
            weights,
            none,
            none,
            start,
            settings.tol,
            settings.max_steps,
            settings.cache_bytes,
            settings.shrinking,
            settings.n_threads,
        )

    def _decision(self, X: Floats) -> Floats:
        starts = np.array([0, len(self.support_)], dtype=np.int64)
        rows = self._values_with_support(X)
        sums = kernel_sums(
            self.kernel_, rows, self.support_vectors_, self.dual_coef_, starts, self._threads()
        )
        scores = sums[:, 0] + self.intercept_[0]
        # Support vectors on the boundary are no outliers, whatever rounding says.
        return np.where(np.abs(scores) <= self._rounding, 0.0, scores)

    @property
    def _rounding(self) -> float:
        """What scores may be off by."""
        return ROUNDING * abs(self.offset_)

    def _predict(self, X: Floats) -> Any:
        return self._answer(X)

    def _describe(self) -> Description:
        facts = {
            "kernel": kernel_text(self),
            "outliers": f"at most {self.nu:.3g} of the rows (nu)",
            "offset": self.offset_,
            "dual objective": float(self.objective_[0]),
            "primal objective": float(self.objective_[1]),
            "violation": self.kkt_,
        }
        title = f"One Class SVM with {len(self.support_)} support vectors"
        return Description(title, facts, [support_terms(self)])

    def _working(self, X: Floats) -> Working:
        terms = [Term(name, [value, 0.0]) for name, value in kernel_terms(self, X)]
        terms.append(Term("what counts as rounding", [self._rounding, 0.0]))
        title = "One-class SVM: a usual row (1) scores a sum over support vectors, an outlier (-1) 0"
        return Working(title, "sum", [1, -1], terms, int(self._answer(X)[0]))

    def _plot(self, X: Any, y: Any, ax: Any) -> Any:
        return draw_outliers(self, X, y, ax)

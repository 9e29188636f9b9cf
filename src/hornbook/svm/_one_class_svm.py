"""The support vector machine of one class, for outliers."""

from __future__ import annotations

from typing import Annotated, Any, ClassVar, Literal

import numpy as np

from hornbook import _native
from hornbook.base import Description, OutlierDetector, Term, Working
from hornbook.frame import SparseRows
from hornbook.params import Floats, Range, Tune, declared
from hornbook.svm._description import kernel_terms, kernel_text, support_terms
from hornbook.svm._kernel_table import KernelTable
from hornbook.svm._one_problem import OneProblem
from hornbook.svm._parameters import KernelChoice, SmoWork
from hornbook.svm._plot import draw_outliers
from hornbook.svm._solve import run_watched, settings_of

__all__ = ["OneClassSVM"]

ROUNDING = 1e-9  # of scores, relative to the offset


class OffsetOfScores(OneProblem):
    """What scores of rows are compared with.

    Attributes
    ----------
    support_ : ndarray of shape (n_support,)
        Rows of the fit that are support vectors: on the boundary, or outliers.
    dual_coef_ : ndarray of shape (1, n_support)
        Their coefficients, between 0 and the weight of the row; the sum is nu times the weight of all rows.
    offset_ : float
        Minus the intercept: what scores of rows are compared with.
    """

    offset_: float


@declared
class OneClassSVM(SmoWork, KernelChoice, OffsetOfScores, OutlierDetector):
    """One-class support vector machine: where the bulk of the rows is; what lies outside is an outlier.

    In the feature space of a kernel a hyperplane separates most rows from the origin by as much as possible
    (Schölkopf et al. 2001); at most the fraction nu of the rows is outside, at least nu are support vectors.
    Parameters, attributes and scores are those of scikit-learn; it also takes categories and missing cells,
    through its Encoder.

    Time grows with the square of the number of rows, memory is bounded by ``cache_size``, for kernels that
    are functions, sums or products with the square of the number of rows.

    Parameters
    ----------
    nu : float, default 0.5
        Fraction of the rows that may be outliers, above 0 and at most 1.

    See Also
    --------
    SVC : Classifier with a wide margin in the space of a kernel.
    DBSCAN : Clusters of dense rows, and noise.

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

    nu: Annotated[float, Range(0.0, 1.0, open_low=True), Tune(0.01, 0.5, log=True)] = 0.5

    def _fit(self, data: Floats | SparseRows, y: None, w: Floats | None) -> None:  # noqa: ARG002 - of all learners
        data = self._rows_for_kernel(data)
        self.kernel_ = self._fitted_kernel(data, w)
        table = self._kernel_table(data)
        rows = np.arange(len(data)) if w is None else np.flatnonzero(w)
        weights = np.ones(len(rows)) if w is None else w[rows]
        solution = run_watched(self, self._solver(table, rows, weights))
        self._keep_solution(data, rows, solution.coef, solution)
        self.offset_ = -solution.bias

    def _solver(self, table: KernelTable, rows: Any, weights: Floats) -> _native.SmoSolver:
        """A variable for each row; the first rows have the whole sum at the start."""
        settings, n, none = settings_of(self), len(rows), np.zeros(len(rows))
        # A feasible start as in LIBSVM (Schölkopf and others 2001): the multipliers must add up to nu times
        # the mass and none may exceed the weight of its row.
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
        scores = self._sums(X)
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

"""Support vector regression."""

from __future__ import annotations

from typing import Annotated, Any, ClassVar, Literal

import numpy as np

from hornbook import _native
from hornbook.base import Description, Regressor, Term, Working
from hornbook.frame import SparseRows
from hornbook.linear import refuse_large
from hornbook.params import Floats, Range, Tol, Tune, declared
from hornbook.svm._binary_problem import ROUNDING
from hornbook.svm._description import kernel_terms, kernel_text, support_terms
from hornbook.svm._kernel_table import KernelTable
from hornbook.svm._one_problem import OneProblem
from hornbook.svm._parameters import KernelChoice, SmoWork, WarmStart
from hornbook.svm._plot import draw_numbers
from hornbook.svm._solve import run_watched, settings_of

__all__ = ["SVR"]


@declared
class SVR(WarmStart, SmoWork, KernelChoice, OneProblem, Regressor):
    """Support vector regression: a function in the feature space of a kernel, with a tube of free errors.

    Errors up to epsilon cost nothing, larger ones C times what is beyond; rows inside the tube do not matter.
    Parameters and attributes are those of scikit-learn, but ``tol`` is relative to the spread of the target,
    so that other units of the target give the same fit.

    Time grows with the square of the number of rows, memory is bounded by ``cache_size``, for kernels that
    are functions, sums or products with the square of the number of rows.

    Parameters
    ----------
    tol : float, default 1e-3
        How much the optimality conditions may be violated, in standard deviations of the target.
    C : float, default 1.0
        Cost of errors beyond the tube.
    epsilon : float, default 0.1
        Half the width of the tube, in units of the target.

    Attributes
    ----------
    support_ : ndarray of shape (n_support,)
        Rows of the fit that are support vectors: on the edge of the tube, or outside.

    See Also
    --------
    LinearSVR : Linear regression with a tube.
    SVC : Classifier with a wide margin in the space of a kernel.

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
    objective = "half the squared length of the weights plus C times the errors beyond epsilon"
    optimizer = "sequential minimal optimization of the dual"

    tol: Tol = 1e-3
    C: Annotated[float, Range(low=0.0, open_low=True), Tune(1e-2, 1e3, log=True)] = 1.0
    epsilon: Annotated[float, Range(low=0.0), Tune(1e-3, 1.0, log=True)] = 0.1

    def _fit(self, data: Floats | SparseRows, y: Floats, w: Floats | None) -> None:
        data = self._rows_for_kernel(data)
        self.kernel_ = self._fitted_kernel(data, w)
        table = self._kernel_table(data)
        rows = np.arange(len(data)) if w is None else np.flatnonzero(w)
        weights = np.ones(len(rows)) if w is None else w[rows]
        start = self._start(len(data), rows, y[rows], self.C * weights)
        solution = run_watched(self, self._solver(table, rows, y[rows], weights, start))
        above, below = np.split(solution.coef, 2)
        self._keep_solution(data, rows, above + below, solution)

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
        # No further than the first bound, so that no coefficient is clipped and their sum stays 0.
        factor = min(best, float((costs[size > 0] / size[size > 0]).min()))
        return np.asarray(np.clip(factor * coef, -costs, costs))

    def _solver(
        self, table: KernelTable, rows: Any, y: Floats, weights: Floats, start: Floats
    ) -> _native.SmoSolver:
        """Two variables for each row: one lifts the function to it, one lowers it."""
        # The dual of the insensitive loss (Vapnik 1995; Smola and Schölkopf 2004). A row is never too low and
        # too high at once: if epsilon is above 0, one of its two variables is 0 at the optimum, and their sum
        # is its coefficient.
        n, none = len(rows), np.zeros(len(rows))
        settings = settings_of(self)
        with np.errstate(over="ignore", invalid="ignore"):
            # The tolerance is relative to the spread of the target: violations of the conditions have its
            # unit, so that the fit does not depend on whether it is in meters or millimeters.
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
            # Both variables of a row share its kernel values; the linear terms differ by the width of the
            # tube.
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
        return self._sums(X)

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

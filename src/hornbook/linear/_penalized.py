"""What lasso and elastic net have in common: coordinate descent on products of columns."""

from __future__ import annotations

import warnings
from typing import Annotated, Any, ClassVar, Literal

import numpy as np
from numpy.typing import ArrayLike
from scipy.sparse import csr_matrix
from sklearn.exceptions import ConvergenceWarning
from sklearn.utils.validation import check_is_fitted

from hornbook.base import Accepts, Description, Regressor, Working
from hornbook.frame import Blocks
from hornbook.linear.explain._far_columns import warn_far
from hornbook.linear.explain._number_description import (
    coefficient_table,
    draw_numbers,
    linear_prediction,
    linear_working,
)
from hornbook.linear.explain._path import CoefficientPath, alphas_of, path_of, path_sums
from hornbook.linear.solvers._elastic_net_rows import ElasticNetRows
from hornbook.linear.solvers._elastic_net_solver import ElasticNetProblem
from hornbook.linear.solvers._least_squares import Problem, least_squares, normal_equations
from hornbook.linear.solvers._scatter import refuse_wide
from hornbook.params import Floats, Shape

__all__ = ["PenalizedRegressor"]

SWEEPS = 10  # sweeps per iteration that callbacks see


class PenalizedRegressor(Regressor):
    """Least squares with a penalty that makes weights exactly 0; subclasses say how much of it does.

    Attributes
    ----------
    coef_ : ndarray of shape (n_encoded,)
        Weights of the encoded columns.
    sparse_coef_ : csr_matrix of shape (1, n_encoded)
        The weights as a sparse matrix.
    intercept_ : float
        The constant term.
    n_iter_ : int
        Number of sweeps.
    dual_gap_ : float
        The duality gap at the end.
    history_ : dict
        The duality gap after every ten sweeps.
    encoded_names_ : ndarray of shape (n_encoded,)
        Names of the encoded columns.
    n_features_in_ : int
        Number of columns at fit.
    feature_names_in_ : ndarray of shape (n_features_in_,)
        Their names, if they had any.
    """

    wants: ClassVar[Literal["matrix"]] = "matrix"
    accepts: ClassVar[Accepts] = Accepts(sparse=True)
    scale_sensitive: ClassVar[bool] = True

    model_class = "weighted sum of the columns"
    optimizer = "coordinate descent on products of columns"
    title: ClassVar[str]

    coef_: Annotated[Floats, Shape("n_encoded")]
    intercept_: float
    dual_gap_: float
    n_iter_: int

    # Parameters, which subclasses declare.
    alpha: float
    fit_intercept: bool
    positive: bool
    tol: float
    max_iter: int
    warm_start: bool

    def _forget(self) -> None:
        kept = None
        if self.warm_start and hasattr(self, "coef_"):
            kept = (self.encoded_names_, self.coef_)
        super()._forget()
        self._before = kept

    def _l1_ratio(self) -> float:
        """Weight of the absolute values in the penalty."""
        raise TypeError("subclasses say how much of the penalty is absolute values")

    def _fit_blocks(self, blocks: Blocks) -> None:
        before = vars(self).pop("_before")
        refuse_wide(len(self.encoded_names_), type(self).__name__)
        problem = Problem(blocks, type(self).__name__, self.fit_intercept)
        w, closed = (
            np.zeros(len(self.encoded_names_)),
            self.alpha * self._l1_ratio() == 0 and not self.positive,
        )
        task: ElasticNetProblem | ElasticNetRows
        # The Gram matrix has columns² numbers; with fewer rows than columns the rows are smaller.
        if blocks.n_rows < len(w) and not closed:
            task = ElasticNetRows.of(problem, self._l1_ratio(), positive=self.positive)
            mean, squares = task.mean, task.squares
        else:
            sums = normal_equations(problem)
            task = ElasticNetProblem.of(sums, self._l1_ratio(), positive=self.positive)
            mean, squares = sums.mean, np.diag(task.gram)
        if closed:
            # Without an l1 part the minimum has a closed form; sweeps then only confirm it.
            w = least_squares(problem, self.alpha * sums.mass).coef[0]
        elif before is not None and np.array_equal(before[0], self.encoded_names_):
            w = np.maximum(before[1], 0.0) if self.positive else before[1]
        self.n_iter_ = 0
        converged, advance = False, task.sweeper(self.alpha)
        # The gap costs as much as a sweep, so it is checked every few of them.
        for i in self.iterate(-(-self.max_iter // SWEEPS)):
            sweeps = min(SWEEPS, self.max_iter - i * SWEEPS)
            result = advance(w, sweeps, self.tol)
            w, converged = result.w, result.converged
            self.coef_ = w
            # Columns and target are centered, which minimizes over the intercept exactly: it is never
            # penalized.
            self.intercept_ = float(mean[-1] - w @ mean[:-1])
            self.n_iter_ += result.sweeps
            self.dual_gap_ = result.gap
            self.record(gap=self.dual_gap_)
            if converged:
                break
        if not converged and self.n_iter_ >= self.max_iter:
            warnings.warn(
                f"{type(self).__name__}: parameter 'max_iter' = {self.max_iter} was too small to converge: "
                "raise it, raise 'alpha', or scale the columns.",
                ConvergenceWarning,
                stacklevel=6,
            )
        warn_far(self, mean[:-1], squares, float(np.sqrt(task.target)))

    @property
    def sparse_coef_(self) -> csr_matrix:
        """The weights as a sparse matrix of one row."""
        check_is_fitted(self)
        return csr_matrix(self.coef_)

    def path(
        self,
        X: Any,
        y: Any = None,
        *,
        alphas: int | ArrayLike = 100,
        eps: float = 1e-3,
        sample_weight: Any = None,
    ) -> CoefficientPath:
        """Coefficients for a range of penalties, each started from the one before.

        Parameters
        ----------
        X : Frame, DataFrame, array-like of shape (n_rows, n_columns), Blocks, or sparse matrix
            The table. A Frame or Blocks with a target needs no y.
        y : array-like of shape (n_rows,), optional
            The target.
        alphas : int or array-like, default 100
            The penalties, or how many to spread from the least that makes all coefficients 0 downward.
        eps : float, default 1e-3
            The smallest of these over the largest.
        sample_weight : array-like of shape (n_rows,), optional
            Weights of the rows; every row counts once when left out.

        Returns
        -------
        path : CoefficientPath
            Penalties, coefficients and intercepts; the learner itself is left as it is.
        """
        learner = type(self).__name__
        sums, names = path_sums(self, X, y, sample_weight)
        refuse_wide(len(names), learner)
        task = ElasticNetProblem.of(sums, self._l1_ratio(), positive=self.positive)
        used = alphas_of(alphas, task.largest(), eps, learner)
        coefs = np.zeros((len(used), len(names)))
        w = np.zeros(len(names))
        slow = 0
        for i, alpha in enumerate(used.tolist()):
            # Warm start: neighboring penalties have similar solutions.
            w, converged = task.solve(alpha, w, self.tol, self.max_iter)
            coefs[i] = w
            slow += not converged
        if slow:
            warnings.warn(
                f"{learner}.path: parameter 'max_iter' = {self.max_iter} was too small for {slow} "
                f"of {len(used)} penalties: raise it, or 'eps'.",
                ConvergenceWarning,
                stacklevel=2,
            )
        return path_of(used, coefs, sums, names)

    def _predict(self, X: Floats) -> Floats:
        return linear_prediction(X, self.coef_, self.intercept_)

    def _describe(self) -> Description:
        used = int((self.coef_ != 0).sum())
        title = f"{type(self).__name__}: {self.title} on {len(self.encoded_names_)} columns"
        facts = {
            "penalty": f"alpha = {self.alpha:g}, share of absolute values {self._l1_ratio():g}",
            "coefficients other than 0": used,
            "sweeps": self.n_iter_,
        }
        table = coefficient_table(self.coef_, self.intercept_, self.encoded_names_)
        return Description(title, facts, [table])

    def _working(self, X: Floats) -> Working:
        title = f"{self.title}: the answer is the intercept plus coefficient times value"
        return linear_working(title, X[0], self.coef_, self.intercept_, self.encoded_names_)

    def _plot(self, X: Any, y: Any, ax: Any) -> Any:
        return draw_numbers(self, X, y, ax)

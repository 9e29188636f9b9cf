"""Ridge regression."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import field
from typing import Annotated, Any, ClassVar, Literal, TypeAlias

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.linalg import eigh
from scipy.optimize import nnls

from hornbook.base import Description, Working
from hornbook.frame import Blocks
from hornbook.linear._least_squares_methods import LeastSquaresMethods
from hornbook.linear._parameters import Intercept, LinearWork, NotNegative, UntouchedRows
from hornbook.linear.explain._far_columns import warn_far
from hornbook.linear.explain._inference import CODING, coded_coefficients
from hornbook.linear.explain._number_description import (
    as_fitted,
    coefficient_table,
    linear_working,
)
from hornbook.linear.explain._path import CoefficientPath, alphas_of, path_of, path_sums
from hornbook.linear.explain._reference_levels import ReferenceLevels
from hornbook.linear.solvers._least_squares import Problem, has_one_target, penalized
from hornbook.params import Floats, MaxIter, Range, Seed, Tune, declared

__all__ = ["Ridge"]

Penalty: TypeAlias = Annotated[float, Range(low=0.0), Tune(1e-4, 1e4, log=True)]
Solver: TypeAlias = Literal["auto", "svd", "cholesky", "lsqr", "sparse_cg", "sag", "saga", "lbfgs"]
WAYS = {
    "cholesky": "normal equations, Cholesky factor",
    "svd": "singular values of an orthogonal factor",
    "nnls": "active set of positive coefficients",
}


class RidgeMethods(LeastSquaresMethods):
    """What ridge regression knows besides its coefficients.

    Attributes
    ----------
    solver_ : {"cholesky", "svd", "nnls"}
        How the minimum was found: by normal equations, by singular values of an orthogonal factor, or by an
        active set of positive weights.
    n_iter_ : int
        1: the solution is direct.
    reference_levels_ : ndarray of shape (n_categories,)
        Indices of the encoded columns of the reference levels, with which `describe` compares the others;
        none with a penalty, which makes the weights of all levels unique.
    """

    solver_: Literal["cholesky", "svd", "nnls"]
    n_iter_: int


@declared
class Ridge(LinearWork, UntouchedRows, Intercept, RidgeMethods):
    """Ridge regression: least squares with a penalty on the squares of the weights.

    The penalty shrinks weights toward 0, most where columns are nearly redundant (Hoerl and Kennard 1970).
    Unlike scikit-learn's, it takes categories and missing cells (through its Encoder) and reads files larger
    than memory.

    Time grows with rows x columns², memory with columns²; a category counts as many columns as it has levels.

    Parameters
    ----------
    alpha : float or array-like of shape (n_targets,), default 1.0
        Weight of the penalty: the sum of squared errors plus alpha times the sum of squared weights is
        minimized; one number, or one for each target. The intercept is not penalized; 0 is
        `LinearRegression`.
    solver : {"auto", "svd", "cholesky", "lsqr", "sparse_cg", "sag", "saga", "lbfgs"}
        As in scikit-learn. The way is always chosen by the columns (``"auto"``), and `describe` names it: all
        of them lead to the same minimum, here to the last digits rather than to ``tol``.
    max_iter : int, optional
        As in scikit-learn; the solution is direct.
    tol : float
        As in scikit-learn; the solution is direct.
    random_state : int, optional
        Seed of the draws; a fresh one each time when left out.

    See Also
    --------
    Lasso : Least squares with an absolute penalty.
    ElasticNet : Least squares with absolute and squared penalties.

    Examples
    --------
    >>> from hornbook import Ridge
    >>> X, y = [[0.0], [1.0], [2.0]], [0.0, 1.0, 2.0]
    >>> [Ridge(alpha=alpha).fit(X, y).coef_.round(3).tolist() for alpha in (0.0, 1.0, 2.0)]
    [[1.0], [0.667], [0.5]]
    """

    scale_sensitive: ClassVar[bool] = True
    objective = "sum of squared errors plus a penalty on the squares of the weights"

    alpha: Penalty | Sequence[float] | NDArray[Any] = field(default=1.0, kw_only=False)
    solver: Solver = "auto"
    max_iter: MaxIter | None = None
    tol: NotNegative = 1e-4
    random_state: Seed = None

    def _fit_blocks(self, blocks: Blocks) -> None:
        problem = Problem(blocks, type(self).__name__, self.fit_intercept)
        fit = penalized(problem, self.alpha, positive=self.positive)
        self.coef_, self.intercept_ = as_fitted(fit.coef, fit.intercept, single=has_one_target(blocks))
        self.solver_, self.n_iter_ = fit.method, 1
        unpenalized = not np.any(self.alpha) and not self.positive
        self.reference_levels_ = ReferenceLevels.without_penalty(self, fit.mean, unpenalized).places
        warn_far(self, fit.mean, fit.variance, fit.scale)

    def path(
        self,
        X: Any,
        y: Any = None,
        *,
        alphas: int | ArrayLike = 100,
        eps: float = 1e-6,
        sample_weight: Any = None,
    ) -> CoefficientPath:
        """Coefficients for a range of penalties, all from one decomposition of the products of columns.

        Parameters
        ----------
        X : Frame, DataFrame, array-like of shape (n_rows, n_columns), Blocks, or sparse matrix
            The table. A Frame or Blocks with a target needs no y.
        y : array-like of shape (n_rows,), optional
            The target.
        alphas : int or array-like, default 100
            The penalties, or how many to spread from ten times the largest eigenvalue downward.
        eps : float, default 1e-6
            The smallest of these over the largest.
        sample_weight : array-like of shape (n_rows,), optional
            Weights of the rows; every row counts once when left out.

        Returns
        -------
        path : CoefficientPath
            Penalties, coefficients (0 and more with ``positive``) and intercepts; the learner itself is left
            as it is.
        """
        sums, names = path_sums(self, X, y, sample_weight)
        # X'X = V diag(values) V': for any alpha the solution is V diag(1 / (values + alpha)) V'X'y.
        values, vectors = eigh(sums.x)
        # At ten times the largest eigenvalue the solution is shrunk to less than a tenth in every direction.
        used = alphas_of(alphas, 10.0 * float(values.max(initial=0.0)), eps, type(self).__name__)
        along = vectors.T @ sums.xy[:, 0]
        pull = np.maximum(values, 0.0) + used[:, None]
        # A direction without scatter has no coefficient, however small the penalty.
        flat = values <= len(values) * np.finfo(float).eps * values.max(initial=0.0)
        if self.positive:
            return path_of(used, _positive_path(pull, vectors, np.where(flat, 0.0, along)), sums, names)
        inside = np.divide(along, pull, out=np.zeros_like(pull), where=(pull > 0) & ~flat)
        return path_of(used, inside @ vectors.T, sums, names)

    def _describe(self) -> Description:
        title = f"Ridge regression on {len(self.encoded_names_)} columns"
        alphas = ", ".join(f"{alpha:g}" for alpha in np.atleast_1d(self.alpha))
        facts = {"penalty": f"squares, alpha = {alphas}"}
        if hasattr(self, "solver_"):  # models of older files have none
            facts["solver"] = WAYS[self.solver_]
        if ReferenceLevels.of(self).groups:
            facts["categories"] = CODING
        return Description(title, facts, [coefficient_table(*coded_coefficients(self, self.encoded_names_))])

    def _working(self, X: Floats) -> Working:
        title = "Ridge regression: the answer is the intercept plus coefficient times value"
        return linear_working(title, X[0], self.coef_, self.intercept_, self.encoded_names_)


def _positive_path(pull: Floats, vectors: Floats, along: Floats) -> Floats:
    """Coefficients of 0 and more for each penalty, by an active set (Lawson and Hanson 1974).

    V diag(pull) V' is X'X plus the penalty, so the rows of diag(√pull) V' have the same squared residuals as
    the penalized table.
    """
    coefs = np.empty_like(pull)
    for i, root in enumerate(np.sqrt(pull)):
        aim = np.divide(along, root, out=np.zeros_like(along), where=root > 0)
        coefs[i] = nnls(root[:, None] * vectors.T, aim)[0]
    return coefs

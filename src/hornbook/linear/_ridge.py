"""Ridge regression."""

from __future__ import annotations

from typing import Annotated, Any, ClassVar, Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.linalg import eigh

from hornbook.base import Accepts, Description, Regressor, Working
from hornbook.frame import Blocks
from hornbook.linear.explain._far_columns import warn_far
from hornbook.linear.explain._inference import CODING, coded_coefficients
from hornbook.linear.explain._number_description import (
    as_fitted,
    coefficient_table,
    draw_numbers,
    linear_prediction,
    linear_working,
)
from hornbook.linear.explain._path import CoefficientPath, alphas_of, path_of, path_sums
from hornbook.linear.explain._reference_levels import ReferenceLevels
from hornbook.linear.solvers._least_squares import Problem, has_one_target, least_squares
from hornbook.params import Floats, Jobs, Range, Shape, Tune

__all__ = ["Ridge"]


class Ridge(Regressor):
    """Ridge regression: least squares with a penalty on the squares of the weights.

    The penalty shrinks weights toward 0, most where columns are nearly redundant (Hoerl and Kennard 1970).
    Unlike scikit-learn's, it takes categories and missing cells (through its Encoder) and reads files larger
    than memory.

    Time grows with rows x columns², memory with columns²; a category counts as many columns as it has levels.

    Parameters
    ----------
    alpha : float, default 1.0
        Weight of the penalty: the sum of squared errors plus alpha times the sum of squared weights is
        minimized. The intercept is not penalized; 0 is `LinearRegression`.
    fit_intercept : bool, default True
        Whether to fit an intercept.
    n_jobs : int, optional
        Threads; all available when left out. The result does not depend on it.

    Attributes
    ----------
    coef_ : ndarray of shape (n_encoded,) or (n_targets, n_encoded)
        Weights of the encoded columns.
    intercept_ : float or ndarray of shape (n_targets,)
        The constant term.
    reference_levels_ : ndarray of shape (n_categories,)
        Indices of the encoded columns of the reference levels, with which `describe` compares the others;
        none with a penalty, which makes the weights of all levels unique.
    encoded_names_ : ndarray of shape (n_encoded,)
        Names of the encoded columns.
    n_features_in_ : int
        Number of columns at fit.
    feature_names_in_ : ndarray of shape (n_features_in_,)
        Their names, if they had any.

    Examples
    --------
    >>> from hornbook import Ridge
    >>> X, y = [[0.0], [1.0], [2.0]], [0.0, 1.0, 2.0]
    >>> [Ridge(alpha=alpha).fit(X, y).coef_.round(3).tolist() for alpha in (0.0, 1.0, 2.0)]
    [[1.0], [0.667], [0.5]]
    """

    wants: ClassVar[Literal["matrix"]] = "matrix"
    accepts: ClassVar[Accepts] = Accepts(sparse=True, multi_output=True)
    scale_sensitive: ClassVar[bool] = True

    model_class = "weighted sum of the columns"
    objective = "sum of squared errors plus a penalty on the squares of the weights"
    optimizer = "closed form: normal equations, or orthogonal factors where those lose digits"

    coef_: Annotated[Floats, Shape("n_encoded"), Shape("n_targets", "n_encoded")]
    intercept_: float | Annotated[Floats, Shape("n_targets")]
    reference_levels_: NDArray[np.int64]

    def __init__(
        self,
        alpha: Annotated[float, Range(low=0.0), Tune(1e-4, 1e4, log=True)] = 1.0,
        *,
        fit_intercept: bool = True,
        n_jobs: Jobs = None,
    ) -> None:
        self.alpha = alpha
        self.fit_intercept = fit_intercept
        self.n_jobs = n_jobs

    def _fit_blocks(self, blocks: Blocks) -> None:
        fit = least_squares(Problem(blocks, type(self).__name__, self.fit_intercept), self.alpha)
        single = has_one_target(blocks)
        self.coef_, self.intercept_ = as_fitted(fit.coef, fit.intercept, single=single)
        self.reference_levels_ = ReferenceLevels.without_penalty(self, fit.mean, self.alpha == 0).places
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
            Penalties, coefficients and intercepts; the learner itself is left as it is.
        """
        sums, names = path_sums(self, X, y, sample_weight)
        # X'X = V diag(values) V': for any alpha the solution is V diag(1 / (values + alpha)) V'X'y.
        values, vectors = eigh(sums.x)
        used = alphas_of(alphas, 10.0 * float(values.max(initial=0.0)), eps, type(self).__name__)
        along = vectors.T @ sums.xy[:, 0]
        pull = np.maximum(values, 0.0) + used[:, None]
        # A direction without scatter has no coefficient, however small the penalty.
        flat = values <= len(values) * np.finfo(float).eps * values.max(initial=0.0)
        inside = np.divide(along, pull, out=np.zeros_like(pull), where=(pull > 0) & ~flat)
        return path_of(used, inside @ vectors.T, sums, names)

    def _predict(self, X: Floats) -> Floats:
        return linear_prediction(X, self.coef_, self.intercept_)

    def _describe(self) -> Description:
        title = f"Ridge regression on {len(self.encoded_names_)} columns"
        facts = {"penalty": f"squares, alpha = {self.alpha:g}"}
        if ReferenceLevels.of(self).groups:
            facts["categories"] = CODING
        return Description(title, facts, [coefficient_table(*coded_coefficients(self, self.encoded_names_))])

    def _working(self, X: Floats) -> Working:
        title = "Ridge regression: the answer is the intercept plus coefficient times value"
        return linear_working(title, X[0], self.coef_, self.intercept_, self.encoded_names_)

    def _plot(self, X: Any, y: Any, ax: Any) -> Any:
        return draw_numbers(self, X, y, ax)

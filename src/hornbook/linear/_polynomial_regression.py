"""Polynomial regression."""

from __future__ import annotations

from typing import Annotated, Any, ClassVar, Literal

import numpy as np
from numpy.typing import NDArray

from hornbook.base import Accepts, Description, Regressor, Working
from hornbook.frame import CHUNK, Blocks
from hornbook.linear.explain._far_columns import warn_powers
from hornbook.linear.explain._inference import inference_description, store_fit
from hornbook.linear.explain._number_description import draw_numbers, linear_prediction, linear_working
from hornbook.linear.features._monomials import Monomials, monomials
from hornbook.linear.solvers._least_squares import Problem, least_squares
from hornbook.params import Floats, Jobs, Range, Shape, Tune

__all__ = ["PolynomialRegression"]


class PolynomialRegression(Regressor):
    """Polynomial regression: least squares on products of the columns.

    With one column and degree n it fits a polynomial with n + 1 coefficients; with several, all products of
    up to n columns, such as x1 x2 and x1². scikit-learn needs two steps for this; here coefficients carry the
    names of the products, and `describe` tests them.

    Time grows with rows x products², memory with products²; d columns give (d + n over n) - 1 products. A
    category counts as many columns as it has levels.

    Parameters
    ----------
    degree : int, default 2
        Maximum number of columns multiplied in one product; 0 leaves only the constant term.
    fit_intercept : bool, default True
        Whether there is a constant term.
    confidence : float, default 0.95
        Level of the intervals in `describe`.
    n_jobs : int, optional
        Threads; all available when left out. The result does not depend on it.

    Attributes
    ----------
    coef_ : ndarray of shape (n_products,) or (n_targets, n_products)
        Weights of the products.
    intercept_ : float or ndarray of shape (n_targets,)
        The constant term.
    term_names_ : ndarray of shape (n_products,)
        Names of the products: linear, then mixed, then pure powers of each degree.
    products_ : Monomials
        The products themselves.
    rank_ : int
        How many products are not combinations of others.
    standard_errors_ : ndarray of shape (n_products + 1,) or (n_targets, n_products + 1)
        Standard error of each coefficient, the intercept's last; empty when no degrees of freedom are left.
    residual_variance_ : float or ndarray of shape (n_targets,)
        Sum of squared errors over the degrees of freedom; 0 when none are left.
    degrees_of_freedom_ : float
        Weight of all rows minus the number of identifiable coefficients.
    r_squared_ : float or ndarray of shape (n_targets,)
        Share of the squares of the target that the model explains.
    encoded_names_ : ndarray of shape (n_encoded,)
        Names of the encoded columns.
    n_features_in_ : int
        Number of columns at fit.
    feature_names_in_ : ndarray of shape (n_features_in_,)
        Their names, if they had any.

    See Also
    --------
    LinearRegression : Least squares.
    PolynomialClassifier : A linear classifier over products of columns.

    Examples
    --------
    >>> from hornbook import PolynomialRegression
    >>> x = [[0.0], [1.0], [2.0], [3.0]]
    >>> model = PolynomialRegression(degree=2).fit(x, [1.0, 2.0, 5.0, 10.0])
    >>> model.term_names_.tolist(), model.coef_.round(6).tolist(), round(model.intercept_, 6)
    (['x0', 'x0^2'], [-0.0, 1.0], 1.0)
    """

    wants: ClassVar[Literal["matrix"]] = "matrix"
    accepts: ClassVar[Accepts] = Accepts(multi_output=True)

    model_class = "polynomial of the columns"
    objective = "sum of squared errors"
    optimizer = "closed form: normal equations, or orthogonal factors where those lose digits"

    coef_: Annotated[Floats, Shape("n_products"), Shape("n_targets", "n_products")]
    intercept_: float | Annotated[Floats, Shape("n_targets")]
    rank_: int
    degrees_of_freedom_: float
    residual_variance_: float | Annotated[Floats, Shape("n_targets")]
    r_squared_: float | Annotated[Floats, Shape("n_targets")]
    standard_errors_: Floats
    products_: Monomials
    term_names_: Annotated[NDArray[Any], Shape("n_products")]

    def __init__(
        self,
        degree: Annotated[int, Range(low=0), Tune(1, 5)] = 2,
        *,
        fit_intercept: bool = True,
        confidence: Annotated[float, Range(low=0.0, high=1.0, open_low=True, open_high=True)] = 0.95,
        n_jobs: Jobs = None,
    ) -> None:
        self.degree = degree
        self.fit_intercept = fit_intercept
        self.confidence = confidence
        self.n_jobs = n_jobs

    def _fit_blocks(self, blocks: Blocks) -> None:
        self.products_ = monomials(len(self.encoded_names_), self.degree, type(self).__name__)
        names = self.products_.names(self.encoded_names_.tolist())
        self.term_names_ = np.array(names, dtype=object)
        # Products are computed chunk by chunk and never stored.
        # Powers are nearly collinear; where the normal equations would lose digits, `least_squares` goes over
        # to QR.
        problem = Problem(blocks, type(self).__name__, self.fit_intercept, self.products_.apply)
        fit = least_squares(problem)
        store_fit(self, problem, fit)
        if self.degree:
            n = len(self.encoded_names_)  # products of one factor come first
            warn_powers(self, fit.mean[:n], fit.variance[:n], self.degree)

    def _predict(self, X: Floats) -> Floats:
        # In chunks: all products of all rows at once may not fit into memory.
        parts = [X[start : start + CHUNK] for start in range(0, len(X), CHUNK)]
        made = [linear_prediction(self.products_.apply(part), self.coef_, self.intercept_) for part in parts]
        return np.concatenate(made)

    def _describe(self) -> Description:
        title = f"Polynomial regression of degree {self.degree} on {len(self.encoded_names_)} columns"
        return inference_description(self, title, self.term_names_)

    def _working(self, X: Floats) -> Working:
        title = "Polynomial regression: the answer is the intercept plus coefficient times product"
        row = self.products_.apply(X[:1])[0]
        return linear_working(title, row, self.coef_, self.intercept_, self.term_names_)

    def _plot(self, X: Any, y: Any, ax: Any) -> Any:
        return draw_numbers(self, X, y, ax)

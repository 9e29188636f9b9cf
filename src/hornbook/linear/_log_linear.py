"""Log-linear regression."""

from __future__ import annotations

from typing import Annotated, Any, ClassVar, Literal

import numpy as np
from numpy.typing import NDArray
from sklearn.utils import Tags

from hornbook.base import Accepts, Description, Regressor, Working
from hornbook.frame import Block, Blocks
from hornbook.linear.explain._far_columns import warn_far
from hornbook.linear.explain._inference import inference_description, store_fit, store_reference_levels
from hornbook.linear.explain._number_description import draw_numbers, linear_prediction, linear_working
from hornbook.linear.solvers._least_squares import Problem, least_squares
from hornbook.params import Floats, Jobs, Range, Shape

__all__ = ["LogLinearRegression"]


class LogLinearRegression(Regressor):
    """Log-linear regression: the logarithm of the number is a weighted sum of the columns.

    It is least squares on ln y, and predicts exp(w·x + b), so every column multiplies the answer. Relative
    errors count, and the prediction is the middle rather than the mean of what to expect; for the mean take
    `GeneralizedLinearRegressor` with link="log". scikit-learn has it only as a transformed target.

    Time grows with rows x columns², memory with columns²; a category counts as many columns as it has levels.

    Parameters
    ----------
    fit_intercept : bool, default True
        Whether to fit an intercept.
    confidence : float, default 0.95
        Level of the intervals in `describe`.
    n_jobs : int, optional
        Threads; all available when left out. The result does not depend on it.

    Attributes
    ----------
    coef_ : ndarray of shape (n_encoded,)
        Weights of the encoded columns.
    intercept_ : float
        The constant term.
    rank_ : int
        Number of linearly independent encoded columns.
    standard_errors_ : ndarray of shape (n_encoded + 1,)
        Standard error of each coefficient, the intercept's last; empty when no degrees of freedom are left.
    reference_levels_ : ndarray of shape (n_categories,)
        Indices of the encoded columns of the reference levels, with which `describe` compares the others.
    reference_errors_ : ndarray of shape (n_encoded + 1,)
        Standard errors of these comparisons and of all other coefficients, the intercept's last.
    residual_variance_ : float
        Sum of squared errors of the logarithm over the degrees of freedom; 0 when none are left.
    degrees_of_freedom_ : float
        Weight of all rows minus the number of identifiable coefficients.
    r_squared_ : float
        Share of the squares of the logarithm that the model explains.
    encoded_names_ : ndarray of shape (n_encoded,)
        Names of the encoded columns.
    n_features_in_ : int
        Number of columns at fit.
    feature_names_in_ : ndarray of shape (n_features_in_,)
        Their names, if they had any.

    See Also
    --------
    LinearRegression : Least squares.
    GeneralizedLinearRegressor : Families of distributions with a link function.

    Examples
    --------
    >>> from hornbook import LogLinearRegression
    >>> model = LogLinearRegression().fit([[0.0], [1.0], [2.0]], [1.0, 10.0, 100.0])
    >>> model.predict([[3.0]]).round(6).tolist()
    [1000.0]
    """

    wants: ClassVar[Literal["matrix"]] = "matrix"
    accepts: ClassVar[Accepts] = Accepts(sparse=True)

    model_class = "exponential of a weighted sum of the columns"
    objective = "sum of squared errors of the logarithm"
    optimizer = "closed form: normal equations, or orthogonal factors where those lose digits"

    coef_: Annotated[Floats, Shape("n_encoded"), Shape("n_targets", "n_encoded")]
    intercept_: float | Annotated[Floats, Shape("n_targets")]
    rank_: int
    degrees_of_freedom_: float
    residual_variance_: float | Annotated[Floats, Shape("n_targets")]
    r_squared_: float | Annotated[Floats, Shape("n_targets")]
    standard_errors_: Floats
    reference_levels_: NDArray[np.int64]
    reference_errors_: Floats

    def __init__(
        self,
        *,
        fit_intercept: bool = True,
        confidence: Annotated[float, Range(low=0.0, high=1.0, open_low=True, open_high=True)] = 0.95,
        n_jobs: Jobs = None,
    ) -> None:
        self.fit_intercept = fit_intercept
        self.confidence = confidence
        self.n_jobs = n_jobs

    def _fit_blocks(self, blocks: Blocks) -> None:
        # Least squares of the logarithm estimates the median of a log-normal target, not its mean, which a
        # generalized linear model with a log link does.
        problem = Problem(blocks.map(_with_logarithm), type(self).__name__, self.fit_intercept)
        fit = least_squares(problem)
        store_fit(self, problem, fit)
        store_reference_levels(self, fit)
        warn_far(self, fit.mean, fit.variance)

    def _predict(self, X: Floats) -> Floats:
        with np.errstate(over="ignore"):
            made = np.exp(linear_prediction(X, self.coef_, self.intercept_))
        # Far outside the training data the exponential overflows; a prediction must be finite.
        return np.minimum(made, np.finfo(float).max)

    def _describe(self) -> Description:
        title = f"Log-linear regression (LogLinearRegression) on {len(self.encoded_names_)} columns"
        return inference_description(self, title, self.encoded_names_)

    def _working(self, X: Floats) -> Working:
        title = "Log-linear regression: the logarithm is the intercept plus coefficient times value"
        working = linear_working(title, X[0], self.coef_, self.intercept_, self.encoded_names_)
        return Working(title, "sum", ["value"], working.terms, float(self._predict(X[:1])[0]), link="log")

    def _plot(self, X: Any, y: Any, ax: Any) -> Any:
        return draw_numbers(self, X, y, ax)

    def __sklearn_tags__(self) -> Tags:
        tags = super().__sklearn_tags__()
        tags.target_tags.positive_only = True
        return tags


def _with_logarithm(block: Block) -> Block:
    y = np.asarray(block.y)
    if not (y > 0).all():
        row = int(np.flatnonzero(~(y > 0))[0])
        raise ValueError(
            f"LogLinearRegression: the target y must be above 0 to have a logarithm; row {block.start + row} "
            f"has {y[row]:g}: correct it, or use GeneralizedLinearRegressor(family='poisson')."
        )
    # Taken as the rows are read, so that rows from a file need no second copy of the target.
    return Block(block.X, np.log(y), block.w, block.start)

"""Linear regression by least squares."""

from __future__ import annotations

from typing import Annotated

from hornbook.base import Description, Working
from hornbook.frame import Blocks
from hornbook.linear._least_squares_methods import LeastSquaresMethods
from hornbook.linear._parameters import Intercept, LinearWork, NotNegative, UntouchedRows
from hornbook.linear.explain._far_columns import warn_far
from hornbook.linear.explain._inference import inference_description, store_fit, store_reference_levels
from hornbook.linear.explain._number_description import linear_working
from hornbook.linear.solvers._least_squares import Problem, least_squares
from hornbook.params import Floats, Range, Shape, declared

__all__ = ["LinearRegression"]


class InferenceMethods(LeastSquaresMethods):
    """What linear regression knows about its coefficients.

    Attributes
    ----------
    rank_ : int
        Number of linearly independent encoded columns.
    standard_errors_ : ndarray of shape (n_encoded + 1,) or (n_targets, n_encoded + 1)
        Standard error of each coefficient, the intercept's last; empty when no degrees of freedom are left. A
        row of weight 2 counts as two rows.
    reference_levels_ : ndarray of shape (n_categories,)
        Indices of the encoded columns of the reference levels, with which `describe` compares the others.
    reference_errors_ : ndarray of shape (n_encoded + 1,) or (n_targets, n_encoded + 1)
        Standard errors of these comparisons and of all other coefficients, the intercept's last.
    residual_variance_ : float or ndarray of shape (n_targets,)
        Sum of squared errors over the degrees of freedom; 0 when none are left.
    degrees_of_freedom_ : float
        Weight of all rows minus the number of identifiable coefficients.
    r_squared_ : float or ndarray of shape (n_targets,)
        Fraction of the variance of the target that the model explains.
    """

    rank_: int
    degrees_of_freedom_: float
    residual_variance_: float | Annotated[Floats, Shape("n_targets")]
    r_squared_: float | Annotated[Floats, Shape("n_targets")]
    standard_errors_: Floats
    reference_errors_: Floats


@declared
class LinearRegression(LinearWork, UntouchedRows, Intercept, InferenceMethods):
    """Linear regression: the number is a weighted sum of the columns.

    The weights are those with the smallest sum of squared errors. Unlike scikit-learn's, it takes categories
    and missing cells (through its Encoder), reads files larger than memory, and `describe`
    gives the standard error, test and interval of every coefficient. When columns are redundant, as the 0/1
    columns of a category are, the coefficients are the shortest of all that fit best.

    Time grows with rows x columns², memory with columns²; a category counts as many columns as it has levels.

    Parameters
    ----------
    confidence : float, default 0.95
        Level of the intervals in `describe`.
    tol : float, default 1e-6
        As in scikit-learn; the solution is direct and does not depend on it.

    See Also
    --------
    Ridge : Least squares with a squared penalty.
    PolynomialRegression : Least squares over products of columns.

    Examples
    --------
    >>> from hornbook import LinearRegression, datasets
    >>> melons = datasets.watermelon("3.0a").features.numbers
    >>> model = LinearRegression().fit(melons[:, :1], melons[:, 1])
    >>> model.coef_.round(5).tolist(), round(model.intercept_, 5)
    ([0.1407], 0.13788)
    """

    objective = "sum of squared errors"

    confidence: Annotated[float, Range(low=0.0, high=1.0, open_low=True, open_high=True)] = 0.95
    tol: NotNegative = 1e-6

    def _fit_blocks(self, blocks: Blocks) -> None:
        problem = Problem(blocks, type(self).__name__, self.fit_intercept)
        fit = least_squares(problem, positive=self.positive)
        store_fit(self, problem, fit)
        store_reference_levels(self, fit)
        warn_far(self, fit.mean, fit.variance, fit.scale)

    def _describe(self) -> Description:
        title = f"Linear regression on {len(self.encoded_names_)} columns"
        return inference_description(self, title, self.encoded_names_)

    def _working(self, X: Floats) -> Working:
        title = "Linear regression: the answer is the intercept plus coefficient times value"
        return linear_working(title, X[0], self.coef_, self.intercept_, self.encoded_names_)

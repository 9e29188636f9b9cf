"""Linear regression by least squares."""

from __future__ import annotations

from typing import Annotated, Any, ClassVar, Literal

import numpy as np
from scipy.stats import f as fisher

from hornbook.base import Accepts, Description, Floats, Regressor, Table, Working
from hornbook.frame import Blocks
from hornbook.linear._inference import inference_table
from hornbook.linear._least_squares import Problem, least_squares, residual_squares, target_squares
from hornbook.linear._number_words import (
    as_fitted,
    coefficient_table,
    draw_numbers,
    linear_answer,
    linear_working,
    target_names,
)
from hornbook.params import Jobs, Range

__all__ = ["LinearRegression"]


class LinearRegression(Regressor):
    """Linear regression: the number is a weighted sum of the columns.

    The weights are those with the smallest sum of squared errors. Unlike scikit-learn's, it takes categories
    and missing cells (as its Encoder makes numbers of them), reads files larger than memory, and `describe`
    gives the standard error, test and interval of every coefficient. When columns are redundant, as the 0/1
    columns of a category are, the coefficients are the shortest of all that fit best.

    Time grows with rows x columns², memory with columns²; a category counts as many columns as it has levels.

    Parameters
    ----------
    fit_intercept : bool, default True
        Whether the sum has a constant term.
    confidence : float, default 0.95
        Level of the intervals in `describe`.
    n_jobs : int, optional
        Threads; all available when left out. The result does not depend on it.

    Attributes
    ----------
    coef_ : ndarray of shape (n_encoded,) or (n_targets, n_encoded)
        Weights of the encoded columns.
    intercept_ : float or ndarray of shape (n_targets,)
        The constant term.
    rank_ : int
        How many encoded columns are not combinations of others.
    standard_errors_ : ndarray of shape (n_encoded + 1,) or (n_targets, n_encoded + 1)
        Standard error of each coefficient, the intercept's last; empty when no degrees of freedom are left. A
        row of weight 2 counts as two rows.
    residual_variance_ : float or ndarray of shape (n_targets,)
        Sum of squared errors over the degrees of freedom; 0 when none are left.
    degrees_of_freedom_ : float
        Weight of all rows less the number of coefficients that the data can tell apart.
    r_squared_ : float or ndarray of shape (n_targets,)
        Share of the squares of the target that the model explains.
    encoded_names_ : ndarray of shape (n_encoded,)
        Names of the encoded columns.
    n_features_in_ : int
        Number of columns at fit.
    feature_names_in_ : ndarray of shape (n_features_in_,)
        Their names, if they had any.

    Examples
    --------
    >>> from hornbook import LinearRegression, datasets
    >>> melons = datasets.watermelon("3.0a").features.numbers
    >>> model = LinearRegression().fit(melons[:, :1], melons[:, 1])
    >>> model.coef_.round(5).tolist(), round(model.intercept_, 5)
    ([0.1407], 0.13788)
    """

    wants: ClassVar[Literal["matrix"]] = "matrix"
    accepts: ClassVar[Accepts] = Accepts(sparse=True, multi_output=True)

    model_class = "weighted sum of the columns"
    objective = "sum of squared errors"
    optimiser = "closed form: normal equations, or orthogonal factors where those lose digits"

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
        problem = Problem(blocks, type(self).__name__, self.fit_intercept)
        found = least_squares(problem)
        single = blocks_have_one_target(blocks)
        left = residual_squares(problem, found.coef, found.intercept)
        whole = target_squares(problem)
        explained = 1.0 - np.divide(left, whole, out=np.zeros_like(left), where=whole > 0)
        self.coef_, self.intercept_ = as_fitted(found.coef, found.intercept, single=single)
        self.rank_ = found.rank
        self.degrees_of_freedom_ = max(found.mass - found.rank - self.fit_intercept, 0.0)
        sure = self.degrees_of_freedom_ > 0
        variance = left / self.degrees_of_freedom_ if sure else np.zeros_like(left)
        spread = found.spread if self.fit_intercept else np.append(found.spread[:-1], 0.0)
        errors = np.sqrt(variance[:, None] * spread) if sure else np.empty((len(left), 0))
        self.residual_variance_ = float(variance[0]) if single else variance
        self.r_squared_ = float(explained[0]) if single else explained
        self.standard_errors_ = errors[0] if single else errors

    def _predict(self, X: Floats) -> Floats:
        return linear_answer(X, self.coef_, self.intercept_)

    def _describe(self) -> Description:
        n = len(self.encoded_names_)
        title = f"Linear regression on {n} columns"
        facts: dict[str, Any] = {
            "R squared": _listed(self.r_squared_),
            "residual standard deviation": _listed(np.sqrt(self.residual_variance_)),
            "degrees of freedom": self.degrees_of_freedom_,
        }
        if self.rank_ < n:
            facts["rank"] = f"{self.rank_} of {n}: some columns follow from others"
        if not self.standard_errors_.size:
            facts["tests"] = "none: there are as many coefficients as rows"
            return Description(
                title, facts, [coefficient_table(self.coef_, self.intercept_, self.encoded_names_)]
            )
        if self.coef_.ndim == 1 and self.residual_variance_ > 0:
            facts |= self._whole_test()
        return Description(title, facts, self._tables())

    def _whole_test(self) -> dict[str, float]:
        """The F test of all coefficients but the intercept together."""
        if not self.rank_ or self.r_squared_ >= 1:
            return {}
        ratio = self.r_squared_ / (1.0 - self.r_squared_) * self.degrees_of_freedom_ / self.rank_
        p = float(fisher.sf(ratio, self.rank_, self.degrees_of_freedom_))
        return {"F": float(ratio), "p of F": p}

    def _tables(self) -> list[Table]:
        coef, errors = np.atleast_2d(self.coef_), np.atleast_2d(self.standard_errors_)
        names = target_names(self.coef_)
        tables = []
        for i, name in enumerate(names):
            terms = [str(each) for each in self.encoded_names_]
            values, sure = coef[i], errors[i, :-1]
            if self.fit_intercept:
                terms = ["intercept", *terms]
                values = np.append(np.atleast_1d(self.intercept_)[i], values)
                sure = np.append(errors[i, -1], sure)
            title = "Coefficients" if len(names) == 1 else f"Coefficients of {name}"
            tables.append(
                inference_table(terms, values, sure, self.confidence, self.degrees_of_freedom_, title)
            )
        return tables

    def _working(self, X: Floats) -> Working:
        title = "Linear regression: the answer is the intercept plus coefficient times value"
        return linear_working(title, X[0], self.coef_, self.intercept_, self.encoded_names_)

    def _plot(self, X: Any, y: Any, ax: Any) -> Any:
        return draw_numbers(self, self.schema_, X, y, ax)


def blocks_have_one_target(blocks: Blocks) -> bool:
    """Whether the target is one number a row, not a row of them."""
    return np.asarray(next(iter(blocks)).y).ndim == 1


def _listed(numbers: Any) -> Any:
    return float(numbers) if np.ndim(numbers) == 0 else ", ".join(f"{each:.4g}" for each in numbers)

"""Linear support vector regression."""

from __future__ import annotations

import warnings
from typing import Annotated, Any, ClassVar, Literal

import numpy as np
from sklearn.exceptions import ConvergenceWarning

from hornbook.base import Accepts, Description, Regressor, Working
from hornbook.frame import Block, Blocks, Moments
from hornbook.linear import (
    coefficient_table,
    draw_numbers,
    linear_prediction,
    linear_working,
    refuse_large,
    warn_far,
)
from hornbook.optimize import Hinges, interior_point
from hornbook.params import Floats, Range, Shape, Tol, Tune, blas_threads, declared
from hornbook.svm._parameters import Cost, LinearMachineWork
from hornbook.svm._warnings import warn_spread
from hornbook.svm.linear_machines._dual_descent import DescentRows, LinearDual
from hornbook.svm.linear_machines._solve import Solved, descend, follow, primal_suits, run_dual
from hornbook.svm.linear_machines._tube_objective import TubeObjective

__all__ = ["LinearSVR"]

SQUARED = "squared_epsilon_insensitive"


class TubeWeights(Regressor):
    """The weights, and what they cost.

    Attributes
    ----------
    coef_ : ndarray of shape (n_encoded,)
        Weights of the encoded columns.
    intercept_ : float
        The constant term.
    objective_ : float
        Penalty plus C times the losses.
    n_iter_ : int
        Number of steps or passes.
    history_ : dict
        In the primal the mean objective, in the dual its value and the largest violation, on the way.
    encoded_names_ : ndarray of shape (n_encoded,)
        Names of the encoded columns.
    n_features_in_ : int
        Number of columns at fit.
    feature_names_in_ : ndarray of shape (n_features_in_,)
        Their names, if they had any.
    """

    coef_: Annotated[Floats, Shape("n_encoded")]
    intercept_: float
    objective_: float
    n_iter_: int


@declared
class LinearSVR(LinearMachineWork, TubeWeights):
    """Linear support vector regression: a weighted sum of the columns with a tube of free errors.

    Errors up to epsilon cost nothing; larger ones cost C times what is beyond, or its square. The problem is
    scikit-learn's (and LIBLINEAR's), penalized intercept included; ``tol`` is relative to the spread of the
    target, and squared errors are also minimized from files larger than memory.

    Time of the primal solver grows with rows x columns², of the dual one with passes x numbers other than 0.

    Parameters
    ----------
    epsilon : float, default 0.0
        Half the width of the tube, in units of the target.
    tol : float, default 1e-4
        In the dual, how much the optimality conditions may be violated, in standard deviations of the target.
        In the primal, stop when the mean objective is expected to fall by at most the square of that; errors
        that are not squared are minimized to the last digits.
    C : float, default 1.0
        Cost of errors beyond the tube.
    loss : {"epsilon_insensitive", "squared_epsilon_insensitive"}, default "epsilon_insensitive"
        C Σ max(0, |y - f(x)| - epsilon), or the squares of these.
    dual : bool or "auto", default "auto"
        True: coordinate descent on the dual, one row after the other, for tables with many columns. False:
        Newton's method on the primal for the squared loss, interior points for the other. ``"auto"``: the
        primal unless there are many columns. Both have the same minimum; all rows are in memory, but for
        the squared loss in the primal.

    See Also
    --------
    SVR : Regression with a tube in the space of a kernel.
    LinearRegression : Least squares.

    Examples
    --------
    >>> from hornbook import LinearSVR
    >>> X, y = [[0.0], [1.0], [2.0], [3.0]], [0.0, 1.0, 2.0, 3.0]
    >>> model = LinearSVR(epsilon=0.3, C=10.0, fit_intercept=False, tol=1e-9).fit(X, y)
    >>> model.coef_.round(3).tolist(), model.predict([[1.5]]).round(3).tolist()
    ([0.9], [1.35])
    """

    wants: ClassVar[Literal["matrix"]] = "matrix"
    accepts: ClassVar[Accepts] = Accepts(sparse=True)
    scale_sensitive: ClassVar[bool] = True

    model_class = "weighted sum of the columns"
    objective = "half the squares of the weights plus C times the errors beyond epsilon"
    optimizer = "Newton's method, interior points, or coordinate descent on the dual"

    epsilon: Annotated[float, Range(low=0.0), Tune(1e-3, 1.0, log=True)] = 0.0
    tol: Tol = 1e-4
    C: Cost = 1.0
    loss: Literal["epsilon_insensitive", "squared_epsilon_insensitive"] = "epsilon_insensitive"
    dual: bool | Literal["auto"] = "auto"

    def _fit_blocks(self, blocks: Blocks) -> None:
        name = type(self).__name__
        in_dual = self._in_dual(len(self.encoded_names_))
        columns, target = blocks.reduce(_moments, merge=_merged)
        spread = float(np.sqrt(target.variance()[0, 0])) or 1.0
        if not np.isfinite(columns.variance()).all() or not np.isfinite(spread):
            refuse_large(name)
        if in_dual:
            solved = self._by_dual(blocks, spread)
        elif self.loss == SQUARED:
            solved = self._by_newton(blocks, columns, spread)
        else:
            solved = self._by_points(blocks)
        self.coef_, self.intercept_, self.objective_ = solved.coef, solved.intercept, solved.value
        # Warnings come after the result is kept: a user who makes them errors can still look at the model.
        self.n_iter_ = solved.n_iter
        warn_far(self, columns.mean[0], columns.variance()[0], spread)
        warn_spread(self, np.sqrt(columns.variance()[0]))
        if not solved.converged:
            warnings.warn(
                f"{name}: parameter 'max_iter' = {self.max_iter} was too small to converge: raise it, scale "
                "the columns, or lower C.",
                ConvergenceWarning,
                stacklevel=6,
            )

    def _in_dual(self, n_columns: int) -> bool:
        if self.dual == "auto":
            return not primal_suits(n_columns, interior_points=self.loss != SQUARED)
        return bool(self.dual)

    def _ridge(self, n_columns: int) -> Floats:
        """Weight of the square of each coefficient, the intercept last."""
        ridge = np.ones(n_columns + self.fit_intercept)
        ridge[n_columns:] /= self.intercept_scaling**2
        return ridge

    def _by_newton(self, blocks: Blocks, columns: Moments, spread: float) -> Solved:
        d, mass = columns.mean.shape[1], float(columns.mass[0, 0])
        scale = self.C * mass
        task = TubeObjective(blocks, self.epsilon, self.fit_intercept, mass, self._ridge(d) / scale)
        start = np.zeros(d + self.fit_intercept)
        # The objective has the square of the unit of the target, hence the square of the tolerance.
        x, _, n_iter, converged = descend(self, task, start, np.zeros_like(start), (self.tol * spread) ** 2)
        return Solved(x[:d], float(x[d:].sum()), scale * task.first(x)[0], n_iter, converged)

    def _by_points(self, blocks: Blocks) -> Solved:
        rows = DescentRows.of(blocks)
        X = np.column_stack([rows.dense(), np.ones((len(rows.y), int(self.fit_intercept)))])
        d, y, costs = rows.X.shape[1], rows.y.astype(np.float64), self.C * rows.w
        # Too low and too high by more than epsilon.
        hinges = Hinges(
            # An error beyond the tube is a hinge on either side, so that one solver of hinges serves both.
            np.vstack([X, -X]),
            np.concatenate([y - self.epsilon, -y - self.epsilon]),
            np.tile(costs, 2),
            np.zeros(X.shape[1]),
            self._ridge(d),
        )
        with blas_threads(1):
            x, _, n_iter, converged = follow(self, interior_point(hinges), np.zeros(X.shape[1]))
        return Solved(x[:d], float(x[d:].sum()), hinges.value(x), n_iter, converged)

    def _by_dual(self, blocks: Blocks, spread: float) -> Solved:
        rows = DescentRows.of(blocks)
        y, costs, none = rows.y.astype(np.float64), self.C * rows.w, np.zeros(len(rows.y))
        squared = self.loss == SQUARED
        # The squared loss replaces the bound of a multiplier by a ridge 1 / (2 C) on the diagonal.
        bound = np.full(len(y), np.inf) if squared else costs
        constant = self.intercept_scaling if self.fit_intercept else 0.0
        problem = LinearDual(-bound, bound, y, 0.5 / costs if squared else none, self.epsilon, constant)

        def losses(values: Floats) -> float:
            beyond = np.maximum(np.abs(values - y) - self.epsilon, 0.0)
            return float(costs @ (beyond**2 if squared else beyond))

        return run_dual(self, rows, problem, self.tol * spread, losses)

    def _predict(self, X: Floats) -> Floats:
        return linear_prediction(X, self.coef_, self.intercept_)

    def _describe(self) -> Description:
        facts = {
            "loss": f"{self.loss}, epsilon = {self.epsilon:g}, C = {self.C:g}",
            "penalty plus C times losses": self.objective_,
            "iterations": self.n_iter_,
        }
        title = f"Linear SVR on {len(self.encoded_names_)} columns"
        return Description(
            title, facts, [coefficient_table(self.coef_, self.intercept_, self.encoded_names_)]
        )

    def _working(self, X: Floats) -> Working:
        title = "Linear SVR: the number is the intercept plus coefficient times value"
        return linear_working(title, X[0], self.coef_, self.intercept_, self.encoded_names_)

    def _plot(self, X: Any, y: Any, ax: Any) -> Any:
        return draw_numbers(self, X, y, ax)


def _moments(block: Block) -> tuple[Moments, Moments]:
    target = np.ascontiguousarray(block.y, dtype=np.float64)[:, None]
    return Moments.of_rows(block.X, block.w), Moments.of_rows(target, block.w)


def _merged(one: tuple[Moments, Moments], other: tuple[Moments, Moments]) -> tuple[Moments, Moments]:
    return one[0].merge(other[0]), one[1].merge(other[1])

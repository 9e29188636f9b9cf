"""Logistic regression for two and for several classes."""

from __future__ import annotations

import math
import warnings
from collections.abc import Iterator
from functools import partial
from typing import Annotated, Any, ClassVar, Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray
from sklearn.exceptions import ConvergenceWarning

from hornbook import _native
from hornbook.base import Accepts, Classifier, ClassWeight, Description, Working, class_weights
from hornbook.frame import Blocks, Moments
from hornbook.linear._linear_scores import class_scores, linear_scores
from hornbook.linear.explain._description import coefficient_tables, terms_of
from hornbook.linear.explain._far_columns import warn_far
from hornbook.linear.explain._inference import CODING, coded_coefficients
from hornbook.linear.explain._plot import draw
from hornbook.linear.explain._reference_levels import ReferenceLevels
from hornbook.linear.solvers._log_loss_objective import LogisticObjective, column_moments
from hornbook.linear.solvers._log_loss_sums import class_mass, reweighted
from hornbook.linear.solvers._penalty_names import check_liblinear, check_penalty
from hornbook.linear.solvers._quasi_newton import quasi_newton, steepest_descent
from hornbook.linear.solvers._require_classes import require_classes
from hornbook.linear.solvers._separability import separates
from hornbook.optimize import Iterate, newton
from hornbook.params import Floats, Jobs, Range, Seed, Shape, Tune

__all__ = ["LogisticRegression"]

MOST_CURVED = 256  # coefficients up to which solver="auto" uses the Hessian
MOST_OF_CLASSES = 48  # the same for several classes: every pair of them has a block of it
FEW_PRODUCTS = 10_000_000  # of rows and entries of the Hessian: below, they take no time
# L-BFGS goes on to smaller gradients than tol, or its coefficients would be far less exact than Newton's;
# still further where solver="auto" chose it, so that both agree to six digits.
STRICTER = 1e2
EXACT = 1e4
SMALLEST = 1e-100  # C times the weight of all rows; squares of its inverse must not overflow


Solver: TypeAlias = Literal[
    "auto", "newton", "lbfgs", "gradient_descent", "newton-cg", "newton-cholesky", "sag", "saga", "liblinear"
]
# scikit-learn's names of solvers, and what runs for them.
NAMES = {
    "newton-cg": "newton",
    "newton-cholesky": "newton",
    "sag": "auto",
    "saga": "auto",
    "liblinear": "auto",
}
TITLES = {"newton": "Newton", "lbfgs": "L-BFGS", "gradient_descent": "gradient descent"}


class LogisticRegression(Classifier):
    """Logistic regression: the log odds of a class are a weighted sum of the columns.

    The weights maximize the likelihood of the training classes, with a penalty on their size. Unlike
    scikit-learn's, it takes categories and missing cells (through its Encoder), prefers Newton's method, and
    warns when classes are separable, so that no finite weights are best.

    Parameters
    ----------
    penalty : {"l1", "l2", "elasticnet", "deprecated"} or None, default "deprecated"
        scikit-learn's older way to say what ``l1_ratio`` (1, 0, or as it is) and ``C`` (infinite for None)
        say, which they do when it is left out.
    dual : bool, default False
        With ``solver="liblinear"`` and squares: scikit-learn solves the dual problem, which has the same
        minimum, so nothing changes here.
    C : float, default 1.0
        Inverse strength of the penalty: C times the sum of the log losses of the rows plus the penalty is
        minimized. ``inf`` means no penalty.
    l1_ratio : float, default 0.0
        Weight a of absolute values in the penalty: a sum |w| + (1 - a) sum w² / 2; 0 is ridge, 1 is lasso,
        between them elastic net. Intercepts are not penalized, but by ``solver="liblinear"``.
    solver : str, default "auto"
        ``"newton"`` uses first and second derivatives and takes few passes over the rows; ``"lbfgs"`` needs
        no Hessian of all rows, whose size is the square of the number of coefficients, only one of a sample;
        ``"auto"`` is Newton up to 256 coefficients, with several classes, many rows and no absolute values
        up to 48.
        ``"gradient_descent"`` with a line search is the plain method that the others improve on: it takes
        many more iterations, and no absolute values. All find the same minimum. scikit-learn's
        ``"newton-cg"`` and ``"newton-cholesky"`` are ``"newton"``, its ``"sag"`` and ``"saga"`` are
        ``"auto"``; its ``"liblinear"``, for two classes, is ``"auto"`` with a penalty on the intercept, too.
    class_weight : {"balanced"} or dict, optional
        Weights of the classes, which multiply those of their rows: a dict from class to weight, or
        ``"balanced"`` for rows / (classes x rows of the class).
    fit_intercept : bool, default True
        Whether to fit an intercept.
    intercept_scaling : float, default 1.0
        With ``solver="liblinear"`` the intercept is this times the weight of a column of ones, which is
        penalized as all are: the larger, the smaller the penalty on the intercept.
    tol : float, default 1e-4
        Newton stops when it expects the mean objective to fall by at most the square of this; L-BFGS when no
        entry of its gradient exceeds it in the units of the columns, nor a hundredth of it with standardized
        columns (a ten-thousandth if the solver was chosen by ``"auto"``); gradient descent when none exceeds
        it with standardized columns.
    max_iter : int, default 100
        Maximum number of iterations.
    warm_start : bool, default False
        Start from the coefficients of the previous fit, if columns and classes are the same.
    random_state : int, optional
        Seed of the draws; a fresh one each time when left out.
    n_jobs : int, optional
        Threads; all available when left out. The result does not depend on it.
    verbose : int, default 0
        Whether to print each iteration.

    Attributes
    ----------
    classes_ : ndarray of shape (n_classes,)
        The classes.
    coef_ : ndarray of shape (1, n_encoded) or (n_classes, n_encoded)
        Weights of the encoded columns; with two classes, for the second.
    intercept_ : ndarray of shape (1,) or (n_classes,)
        The constant terms.
    reference_levels_ : ndarray of shape (n_categories,)
        Indices of the encoded columns of the reference levels, with which `describe` compares the others;
        none with a penalty, which makes the weights of all levels unique.
    encoded_names_ : ndarray of shape (n_encoded,)
        Names of the encoded columns.
    solver_ : {"newton", "lbfgs", "gradient_descent"}
        The solver that ran.
    n_iter_ : ndarray of shape (1,)
        Number of iterations.
    history_ : dict
        The mean objective and the solver's gap after each iteration.
    n_features_in_ : int
        Number of columns at fit.
    feature_names_in_ : ndarray of shape (n_features_in_,)
        Their names, if they had any.

    See Also
    --------
    LinearDiscriminant : Normal densities with one covariance for all classes.
    SurrogateLossClassifier : A linear classifier for a loss and a penalty of choice.

    Examples
    --------
    >>> from hornbook import LogisticRegression, datasets
    >>> melons = datasets.watermelon("3.0a")
    >>> model = LogisticRegression(C=float("inf")).fit(melons)
    >>> model.coef_.round(3).tolist(), model.intercept_.round(3).tolist()
    ([[3.158, 12.521]], [-4.429])
    >>> model.predict_proba([{"density": 0.697, "sugar": 0.46}]).round(3).tolist()
    [[0.028, 0.972]]
    """

    wants: ClassVar[Literal["matrix"]] = "matrix"
    accepts: ClassVar[Accepts] = Accepts(sparse=True)
    scale_sensitive: ClassVar[bool] = True

    model_class = "weighted sum of the columns, taken as the logarithm of odds"
    objective = "likelihood of the training rows, less a penalty on the weights"
    optimizer = "Newton, L-BFGS, coordinate descent or gradient descent"

    coef_: Annotated[Floats, Shape("n_scores", "n_encoded")]
    intercept_: Annotated[Floats, Shape("n_scores")]
    reference_levels_: NDArray[np.int64]
    solver_: Literal["newton", "lbfgs", "gradient_descent"]
    n_iter_: Annotated[NDArray[np.int32], Shape(1)]

    def __init__(
        self,
        penalty: Literal["l1", "l2", "elasticnet", "deprecated"] | None = "deprecated",
        *,
        dual: bool = False,
        C: Annotated[float, Range(low=0.0, high=math.inf, open_low=True), Tune(1e-4, 1e4, log=True)] = 1.0,
        l1_ratio: Annotated[float, Range(low=0.0, high=1.0), Tune(0.0, 1.0)] = 0.0,
        solver: Solver = "auto",
        class_weight: ClassWeight = None,
        fit_intercept: bool = True,
        intercept_scaling: Annotated[float, Range(low=0.0, open_low=True)] = 1.0,
        tol: Annotated[float, Range(low=0.0, open_low=True)] = 1e-4,
        max_iter: Annotated[int, Range(low=1)] = 100,
        warm_start: bool = False,
        random_state: Seed = None,
        n_jobs: Jobs = None,
        verbose: Annotated[int, Range(low=0)] | bool = 0,
    ) -> None:
        self.penalty = penalty
        self.dual = dual
        self.C = C
        self.l1_ratio = l1_ratio
        self.solver = solver
        self.class_weight = class_weight
        self.fit_intercept = fit_intercept
        self.intercept_scaling = intercept_scaling
        self.tol = tol
        self.max_iter = max_iter
        self.warm_start = warm_start
        self.random_state = random_state
        self.n_jobs = n_jobs
        self.verbose = verbose

    def _forget(self) -> None:
        kept = None
        if self.warm_start and hasattr(self, "coef_"):
            kept = (self._core().classes_, self.encoded_names_, self.coef_, self.intercept_)
        super()._forget()
        self._before = kept

    def _fit_blocks(self, blocks: Blocks) -> None:
        before = vars(self).pop("_before")
        check_penalty(self)
        blocks, mass = self._weighted(blocks)
        if self._inverse_strength * mass < SMALLEST:
            raise ValueError(
                f"LogisticRegression: parameter 'C' = {self.C:g} times the weight of all rows, {mass:g}, is "
                "too small for the loss to matter beside the penalty; raise C or the weights."
            )
        if self.solver == "gradient_descent" and self._absolute_share > 0:
            raise ValueError(
                f"LogisticRegression: parameter 'l1_ratio' = {self.l1_ratio:g} needs derivatives at 0, which "
                "absolute values have not; use solver='newton' or 'lbfgs', or l1_ratio=0."
            )
        penalty = 1.0 / (self._inverse_strength * mass)  # of the mean loss; 0 for C = inf
        l1, l2 = penalty * self._absolute_share, penalty * (1.0 - self._absolute_share)
        moments = column_moments(blocks)
        if self.solver == "liblinear":
            check_liblinear(self, self._absolute_share, self._inverse_strength, moments)
        objective = self._objective(blocks, moments, mass, l2)
        # The representer theorem holds for squares only: an l1 penalty depends on the columns themselves.
        if self._uses_hessian(objective) and not l1 and blocks.n_rows < objective.n_columns:
            objective = objective.within_rows()
        self.solver_ = self._chosen(objective)
        start = self._start(objective, before)
        last, trouble = self._descend(objective, start, self._steps(objective, start, l1, moments))
        # Only without a penalty can coefficients diverge.
        if math.isinf(self._inverse_strength) and separates(objective, last):
            trouble = (
                "the classes can be separated by a linear function, and without a penalty (C=inf) the "
                "coefficients grow without bound: set a finite C. Those of iteration "
                f"{self.n_iter_[0]} are kept."
            )
        if trouble:
            warnings.warn(f"LogisticRegression: {trouble}", ConvergenceWarning, stacklevel=6)
        free = math.isinf(self._inverse_strength)
        self.reference_levels_ = ReferenceLevels.without_penalty(self, moments.mean[0], free).places
        warn_far(self, moments.mean[0], moments.variance()[0])

    @property
    def _inverse_strength(self) -> float:
        """C, infinite where scikit-learn's name of the penalty says that there is none."""
        return math.inf if self.penalty is None else float(self.C)

    @property
    def _absolute_share(self) -> float:
        """Weight of absolute values in the penalty, by scikit-learn's name of it or by ``l1_ratio``."""
        return {"l1": 1.0, "l2": 0.0, None: 0.0}.get(self.penalty, float(self.l1_ratio))

    def _objective(self, blocks: Blocks, moments: Moments, mass: float, l2: float) -> LogisticObjective:
        k = len(self.classes_)
        # A penalty on the intercept is one on that of the columns as they are, not of centered ones.
        scaling = self.intercept_scaling if self.solver == "liblinear" else math.inf
        free = self.fit_intercept and math.isinf(scaling)
        center = moments.mean[0] if free else np.zeros_like(moments.mean[0])
        scores = 1 if k == 2 else k
        return LogisticObjective(blocks, scores, center, self.fit_intercept, mass, l2, scaling)

    def _uses_hessian(self, objective: LogisticObjective) -> bool:
        """Whether to use second derivatives; with few rows there are as few coefficients."""
        solver = NAMES.get(self.solver, self.solver)
        if solver != "auto":
            return solver == "newton"
        width = min(objective.n_columns, objective.blocks.n_rows) + 1
        count = objective.n_scores * (objective.n_columns if self._absolute_share else width)
        if (
            objective.n_scores == 1
            or self._absolute_share
            or objective.blocks.n_rows * count**2 <= FEW_PRODUCTS
        ):
            return count <= MOST_CURVED
        return count <= MOST_OF_CLASSES

    def _chosen(self, objective: LogisticObjective) -> Literal["newton", "lbfgs", "gradient_descent"]:
        if self._uses_hessian(objective):
            return "newton"
        return "gradient_descent" if self.solver == "gradient_descent" else "lbfgs"

    def _weighted(self, blocks: Blocks) -> tuple[Blocks, float]:
        """The rows with the weights of their classes, and the weight of all of them."""
        mass = blocks.reduce(class_mass, len(self.classes_))
        require_classes(mass, self.classes_, type(self).__name__)
        if self.class_weight is None:
            return blocks, float(mass.sum())
        absent = getattr(self, "absent_classes_", np.empty(0)).tolist()
        factor = class_weights(self.class_weight, self.classes_, mass, type(self).__name__, absent)

        return blocks.map(partial(reweighted, factor=factor)), float(mass @ factor)

    def _start(self, objective: LogisticObjective, before: Any) -> Floats:
        if before is not None:
            classes, names, coef, intercept = before
            if np.array_equal(classes, self.classes_) and np.array_equal(names, self.encoded_names_):
                return objective.point(coef, intercept)
        # Even odds. The problem is convex, so that the start decides about the time only, not about the
        # result.
        return np.zeros(objective.n_scores * objective.width)

    def _descend(
        self, objective: LogisticObjective, start: Floats, steps: Iterator[Iterate]
    ) -> tuple[Iterate, str]:
        """Run the solver, each step seen by the callbacks; return the last step, and a problem if any."""
        last, least = Iterate(start, math.nan, np.zeros_like(start), math.inf, converged=False), math.inf
        self._keep(objective.theta(start), 0)
        for i in self.iterate(self.max_iter):
            iterate = next(steps, None)
            if iterate is None:
                return (
                    last,
                    f"rounding stopped the solver in iteration {i + 1}: scale the columns, or lower C.",
                )
            last, least = iterate, min(least, iterate.gap)
            self._keep(objective.theta(last.x), i + 1)
            self.record(objective=last.value, gap=last.gap)
            if last.converged:
                return last, ""
        # Stopped by a callback; or good enough at some point, and the objective only fell since.
        if self.n_iter_[0] < self.max_iter or (not self._uses_hessian(objective) and least <= self.tol):
            return last, ""
        return last, (
            f"parameter 'max_iter' = {self.max_iter} was too small to converge: raise it, scale the columns, "
            "or lower C."
        )

    def _steps(
        self, objective: LogisticObjective, start: Floats, l1: float, moments: Moments
    ) -> Iterator[Iterate]:
        absolute = objective.absolute(l1) if l1 > 0 else None
        if self._uses_hessian(objective):
            # Newton's gap is the predicted decrease, which is quadratic in the gradient that the other
            # solvers compare.
            yield from newton(objective, start, l1=absolute, tol=self.tol**2)
            return
        if self.solver == "gradient_descent":
            yield from steepest_descent(objective, start, moments, tol=self.tol)
            return
        stricter = STRICTER if self.solver == "lbfgs" else EXACT
        yield from quasi_newton(objective, start, moments, l1=absolute, tol=self.tol, stricter=stricter)

    def _keep(self, theta: Floats, n_iter: int) -> None:
        """Make the learner a usable model, as callbacks see it between iterations."""
        coef, intercept = theta[:, :-1].copy(), theta[:, -1].copy()
        if len(theta) > 1:
            # A part common to all classes has no effect; unless penalized, it is arbitrary and set to 0.
            intercept -= intercept.mean()
            coef -= coef.mean(axis=0) if math.isinf(self._inverse_strength) else 0.0
        self.coef_, self.intercept_ = coef, intercept
        self.n_iter_ = np.array([n_iter], dtype=np.int32)

    def _decision(self, X: Floats) -> Floats:
        return linear_scores(X, self.coef_, self.intercept_)

    def _class_scores(self, X: Floats) -> Floats:
        return class_scores(self._decision(X))

    def _log_proba(self, X: Floats) -> Floats:
        return _native.log_softmax(self._class_scores(X), self._threads())[0]

    def _proba(self, X: Floats) -> Floats:
        return np.exp(self._log_proba(X))

    def _predict(self, X: Floats) -> NDArray[np.intp]:
        return np.asarray(self._class_scores(X).argmax(axis=1))

    def _describe(self) -> Description:
        facts = {
            "penalty": self._penalty_text(),
            "iterations": int(self.n_iter_[0]),
            "mean objective": self.history_["objective"][-1],
        }
        if hasattr(self, "solver_"):  # models of older files have none
            facts["solver"] = TITLES[self.solver_]
        if ReferenceLevels.of(self).groups:
            facts["categories"] = CODING
        title = f"Logistic regression with {len(self.classes_)} classes and {self.coef_.shape[1]} columns"
        tables = coefficient_tables(*coded_coefficients(self, self.encoded_names_), self.classes_)
        return Description(title, facts, tables)

    def _penalty_text(self) -> str:
        if math.isinf(self._inverse_strength):
            return "none (C = inf)"
        kind = {0.0: "squares", 1.0: "absolute values"}.get(
            self._absolute_share, f"elastic net, l1_ratio = {self.l1_ratio:g}"
        )
        return f"{kind}, C = {self.C:g}"

    def _working(self, X: Floats) -> Working:
        terms = terms_of(X[0], self.coef_, self.intercept_, self.encoded_names_)
        title = "Logistic regression: the log odds are the intercept plus coefficient times value"
        return Working(title, "sum", self.classes_.tolist(), terms, self._answer(X)[0], softmax=True)

    def _plot(self, X: Any, y: Any, ax: Any) -> Any:
        return draw(self, X, y, ax)

"""Linear classifiers by regularized surrogate losses."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterator
from dataclasses import replace
from itertools import islice
from typing import Annotated, Any, ClassVar, Literal

import numpy as np
from numpy.typing import NDArray
from sklearn.exceptions import ConvergenceWarning

from hornbook.base import Accepts, Classifier, Description, Working
from hornbook.frame import Blocks, Moments
from hornbook.linear._linear_scores import LinearClassifierMixin
from hornbook.linear.explain._description import score_table, terms_of
from hornbook.linear.explain._far_columns import warn_far
from hornbook.linear.explain._plot import draw
from hornbook.linear.solvers._active_set import minimize_hinge
from hornbook.linear.solvers._best_subset import MOST_FITS, Subset, best_subset
from hornbook.linear.solvers._require_classes import require_classes
from hornbook.linear.solvers._row_space import RowSpace
from hornbook.linear.solvers._scatter import Scatter, moments_of_classes, refuse_large, total_scatter
from hornbook.linear.solvers._surrogate_objective import SurrogateObjective
from hornbook.linear.solvers._zero_one import minimize_zero_one
from hornbook.losses import (
    ExponentialLoss,
    HingeLoss,
    LogLoss,
    Loss,
    SquaredHingeLoss,
    SquaredMarginLoss,
    ZeroOneLoss,
)
from hornbook.optimize import Iterate, RescaledObjective, lbfgs, newton
from hornbook.params import Floats, Jobs, MaxIter, Range, Tol, Tune

__all__ = ["SurrogateLossClassifier"]

SMOOTH: dict[str, Loss] = {
    "squared_hinge": SquaredHingeLoss(),
    "exponential": ExponentialLoss(),
    "log_loss": LogLoss(),
    "squared_error": SquaredMarginLoss(),
}
# Graduated non-convexity (Blake and Zisserman 1987): wide sigmoids have few local minima, steep ones are
# close to counting mistakes.
STEPS = (1.0, 0.5, 0.2, 0.1, 0.05, 0.02)  # widths of the sigmoids, ever steeper
MOST_CURVED = 256  # coefficients up to which the Hessian is used with an l1 penalty
MOST_SHAPED = 60  # iterations on each sigmoid
MOST_WORK = 2e12  # operations of a best-subset search: some minutes
HELD = 1e-8  # l2 penalty, in units of the columns, that keeps coefficients finite under l0


class SurrogateLossClassifier(LinearClassifierMixin, Classifier):
    """Linear classifier that minimizes a penalty plus C times a surrogate of the number of mistakes.

    The number of mistakes is hard to minimize, so a convex loss of the margin replaces it: which one, and
    which penalty, is the whole difference between ridge classifiers, support vector machines, logistic
    regression and boosting's objective. scikit-learn's SGDClassifier has most of these by stochastic steps;
    here the minimum is found, for each class against the rest if there are more than two.

    Time grows with iterations x rows x columns² (x classes, if more than two; x 1024 at most for ``"l0"``;
    for the hinge loss with ``"l1"``, columns count among the rows).
    Memory grows with columns², for the hinge loss also with the rows near the margin (all, if they are no
    more than a million numbers). A category counts as many columns as it has levels.

    Parameters
    ----------
    loss : {"hinge", "squared_hinge", "exponential", "log_loss", "squared_error", "zero_one"}, default "hinge"
        Cost of a margin m = y (w·x + b), with y = -1 or +1: max(0, 1 - m), its square, exp(-m),
        ln(1 + exp(-m)), (1 - m)², and 1 for m < 1 (the soft margin with zero-one loss). The last is NP-hard
        to minimize: from the minimum of the hinge loss, ever steeper sigmoids, then a local search over the
        rows with margin 1, then branch and bound within a limit of work. With a dozen rows this finds the
        minimum, with more a good point.
    penalty : {"l2", "l1", "l0"}, default "l2"
        Half the sum of squared weights, the sum of absolute weights, or the number of weights that are not 0.
        The last is NP-hard to minimize: branch and bound over subsets of columns, up to 1024 fits. With ten
        columns or fewer this finds the minimum, with more often, too (see ``proven_``); with the zero-one
        loss it is backward elimination.
    C : float, default 1.0
        Inverse strength of the penalty: penalty + C times the sum of losses is minimized.
    fit_intercept : bool, default True
        Whether to fit an intercept, which is never penalized.
    tol : float, default 1e-4
        Stop when the mean objective is expected to fall by at most the square of this; the hinge loss is
        always minimized to the last digits.
    max_iter : int, default 1000
        Maximum number of iterations.
    n_jobs : int, optional
        Threads; all available when left out. The result does not depend on it.

    Attributes
    ----------
    classes_ : ndarray of shape (n_classes,)
        The classes.
    coef_ : ndarray of shape (1, n_encoded) or (n_classes, n_encoded)
        Weights of the encoded columns; with two classes, for the second.
    intercept_ : ndarray of shape (1,) or (n_classes,)
        The constant terms.
    objective_ : float
        Penalty plus C times the sum of losses, over all scores.
    proven_ : bool
        Whether this is the global minimum. It is False for the zero-one loss and for ``penalty="l0"`` when
        the search ended before all candidates were tried or ruled out.
    n_iter_ : int
        Number of iterations.
    history_ : dict
        The mean objective after each iteration.
    encoded_names_ : ndarray of shape (n_encoded,)
        Names of the encoded columns.
    n_features_in_ : int
        Number of columns at fit.
    feature_names_in_ : ndarray of shape (n_features_in_,)
        Their names, if they had any.

    See Also
    --------
    LogisticRegression : Linear log odds of the classes.
    LinearSVC : Linear classifier with a wide margin.

    Examples
    --------
    >>> from hornbook import SurrogateLossClassifier
    >>> X, y = [[0.0], [1.0], [3.0], [4.0]], ["low", "low", "high", "high"]
    >>> model = SurrogateLossClassifier(loss="hinge", C=10.0).fit(X, y)
    >>> model.coef_.round(3).tolist(), model.intercept_.round(3).tolist()
    ([[-1.0]], [2.0])
    """

    wants: ClassVar[Literal["matrix"]] = "matrix"
    accepts: ClassVar[Accepts] = Accepts(sparse=True)
    scale_sensitive: ClassVar[bool] = True

    model_class = "weighted sum of the columns"
    objective = "a penalty on the weights plus C times a loss of the margins"
    optimizer = "Newton's method, with coordinate descent for absolute values; interior points for hinges"

    objective_: float
    proven_: bool
    n_iter_: int

    def __init__(
        self,
        *,
        loss: Literal[
            "hinge", "squared_hinge", "exponential", "log_loss", "squared_error", "zero_one"
        ] = "hinge",
        penalty: Literal["l2", "l1", "l0"] = "l2",
        C: Annotated[float, Range(low=0.0, open_low=True), Tune(1e-3, 1e3, log=True)] = 1.0,
        fit_intercept: bool = True,
        tol: Tol = 1e-4,
        max_iter: MaxIter = 1000,
        n_jobs: Jobs = None,
    ) -> None:
        self.loss = loss
        self.penalty = penalty
        self.C = C
        self.fit_intercept = fit_intercept
        self.tol = tol
        self.max_iter = max_iter
        self.n_jobs = n_jobs

    def _fit_blocks(self, blocks: Blocks) -> None:
        k, d = len(self.classes_), len(self.encoded_names_)
        moments = blocks.reduce(moments_of_classes, k, merge=Moments.merge)
        require_classes(moments.mass[:, 0], self.classes_, type(self).__name__)
        whole = moments.pooled()
        mean, variance, mass = whole.mean[0], whole.variance()[0], float(whole.mass[0, 0])
        if not np.isfinite(variance).all() or not np.isfinite(mean).all():
            refuse_large(type(self).__name__)
        self.n_iter_, self._slow = 0, False
        codes = [1] if k == 2 else list(range(k))
        self.coef_, self.intercept_ = np.zeros((len(codes), d)), np.zeros(len(codes))
        self._watch.begin(max_subtasks=None)  # several fits follow each other, of max_iter iterations each
        self.objective_, self.proven_ = 0.0, True
        center = mean if self.fit_intercept else np.zeros(d)
        task, space = self._task(blocks, center, variance, mass)
        spread = self._mean_products(blocks, mass)
        # One problem for each class against the rest; two classes need only one.
        for i, code in enumerate(codes):
            subset = self._minimum(replace(task, code=code), spread)
            inner = np.zeros(len(task.columns))
            inner[subset.columns] = subset.x[: len(subset.columns)]
            self.coef_[i] = inner if space is None else space.basis @ inner
            self.intercept_[i] = subset.x[-1] - self.coef_[i] @ center if self.fit_intercept else 0.0
            self.objective_ += self.C * mass * subset.value + self._penalty_of(self.coef_[i])
        warn_far(self, mean, variance)
        if vars(self).pop("_slow"):
            warnings.warn(
                f"SurrogateLossClassifier: parameter 'max_iter' = {self.max_iter} was too small to converge: "
                "raise it, scale the columns, or lower C.",
                ConvergenceWarning,
                stacklevel=6,
            )

    def _task(
        self, blocks: Blocks, center: Floats, variance: Floats, mass: float
    ) -> tuple[SurrogateObjective, RowSpace | None]:
        """The problem for any class; with an l2 penalty and fewer rows than columns, in the row space."""
        # Only squares depend on the length of the weights alone; absolute values and counts depend on the
        # columns.
        space = RowSpace.of(blocks, center) if self.penalty == "l2" and blocks.n_rows < len(center) else None
        if space is not None:
            blocks, center = space.blocks, np.zeros(space.basis.shape[1])
            variance = (space.inside**2).mean(axis=0)
        d = len(center)
        squares = {"l2": np.full(d, 1.0 / (self.C * mass)), "l1": np.zeros(d), "l0": HELD * variance}
        columns, ridge = np.arange(d), squares[self.penalty]
        task = SurrogateObjective(
            blocks, LogLoss(), 1, columns, self.fit_intercept, mass, ridge, center, variance
        )
        return task, space

    def _mean_products(self, blocks: Blocks, mass: float) -> Floats:
        """Mean products of the columns, by which the subset search ranks them; empty without it."""
        d = len(self.encoded_names_)
        if self.penalty != "l0":
            return np.empty((0, 0))
        work = MOST_FITS * (blocks.n_rows + d) * float(d) ** 2
        if work > MOST_WORK:
            raise ValueError(
                f"SurrogateLossClassifier: penalty='l0' on {blocks.n_rows} rows and {d} encoded columns can "
                f"take {work:.0e} operations, at most {MOST_WORK:.0e} are allowed: choose "
                "penalty='l1', or leave out columns."
            )
        spread = blocks.reduce(total_scatter, merge=Scatter.merge).within / mass
        if not np.isfinite(spread).all():
            refuse_large(type(self).__name__)
        return spread

    def _penalty_of(self, coef: Floats) -> float:
        if self.penalty == "l2":
            return 0.5 * float(coef @ coef)
        return float(np.abs(coef).sum()) if self.penalty == "l1" else float((coef != 0).sum())

    def _minimum(self, task: SurrogateObjective, spread: Floats) -> Subset:
        """Coefficients, the columns they belong to, and the mean loss."""

        def fit(columns: NDArray[np.intp], start: Floats) -> Subset:
            restricted = task.with_columns(columns)
            x = self._descend(restricted, start)
            return Subset(columns, x, restricted.mean_loss(x, self._exact_loss()))

        first = fit(task.columns, np.zeros_like(task.ridge))
        if self.penalty != "l0":
            return first
        # The zero-one loss is only minimized locally, so bounds prove nothing: one greedy descent will do.
        most = MOST_FITS if self.loss != "zero_one" else len(task.columns) + 1
        best, proven = best_subset(first, fit, self.C * task.mass, spread, most)
        self.proven_ = self.proven_ and proven and self.loss != "zero_one"
        return best

    def _exact_loss(self) -> Loss:
        """The loss itself, without smoothing."""
        return {"hinge": HingeLoss(), "zero_one": ZeroOneLoss(margin=1.0)}.get(self.loss) or SMOOTH[self.loss]

    def _descend(self, task: SurrogateObjective, x: Floats) -> Floats:
        """The minimum over the coefficients, from a start."""
        absolute = None
        if self.penalty == "l1":
            absolute = np.full_like(x, 1.0 / (self.C * task.mass))
            absolute[len(task.columns) :] = 0.0
        if self.loss in SMOOTH:
            inside = task.with_loss(SMOOTH[self.loss])

            def cost(at: Floats) -> float:
                return inside.first(at)[0] + (0.0 if absolute is None else float(absolute @ np.abs(at)))

            if absolute is not None and len(x) > MOST_CURVED:
                return self._without_hessian(inside, x, absolute)
            return self._follow(newton(inside, x, l1=absolute, tol=self.tol**2), x, cost=cost)[0]
        weights = np.zeros_like(x) if absolute is None else absolute
        x, converged = self._follow(minimize_hinge(task, weights), x)
        self._slow = self._slow or not converged
        if self.loss == "hinge":
            return x
        x = self._anneal(task, x, weights)
        x, proven = self._follow(minimize_zero_one(task, weights, x), x, patient=True)
        self.proven_ = self.proven_ and proven
        return x

    def _without_hessian(self, task: SurrogateObjective, x: Floats, absolute: Floats) -> Floats:
        """The minimum by L-BFGS, for so many coefficients that a Hessian is too expensive."""
        size = task.sizes
        stretch = np.full_like(x, 1.0 / self.tol)  # the gradient is compared with the square of tol
        steps = lbfgs(
            RescaledObjective(task, size), x * size, l1=absolute / size, tol=self.tol, stretch=stretch
        )
        return self._follow(steps, x * size)[0] / size

    def _anneal(self, task: SurrogateObjective, x: Floats, weights: Floats) -> Floats:
        """From the minimum of the hinge loss to fewer margins below 1, by a sequence of steeper sigmoids."""
        size = task.sizes

        def cost(at: Floats) -> float:
            ridge = 0.5 * float(task.ridge @ at**2)
            return task.mean_loss(at, self._exact_loss()) + ridge + float(weights @ np.abs(at))

        # Continuation: each sigmoid starts from the minimum of the wider one before; the best point is kept.
        best, least = x, cost(x)
        for width in STEPS:
            shaped = RescaledObjective(task.with_loss(ZeroOneLoss(width, margin=1.0)), size)
            steps = islice(lbfgs(shaped, x * size, l1=weights / size, tol=self.tol), MOST_SHAPED)
            x = self._follow(steps, x * size, patient=True)[0] / size
            value = cost(x)
            if value < least:
                best, least = x, value
        return best

    def _follow(
        self,
        steps: Iterator[Iterate],
        x: Floats,
        *,
        cost: Callable[[Floats], float] | None = None,
        patient: bool = False,
    ) -> tuple[Floats, bool]:
        """Take the steps of an optimizer, each seen by the callbacks; return whether it converged.

        Newton's last step is not evaluated; across a kink it can go wrong, so it is accepted by its cost.
        """
        for _ in self.iterate(self.max_iter):
            iterate = next(steps, None)
            if iterate is None:
                return x, False
            self.n_iter_ += 1
            self.record(objective=iterate.value)
            if iterate.converged:
                return x if cost is not None and cost(iterate.x) > cost(x) else iterate.x, True
            x = iterate.x
        self._slow = self._slow or not patient
        return x, False

    def _describe(self) -> Description:
        n = len(self.encoded_names_)
        title = f"Surrogate loss classifier with {len(self.classes_)} classes and {n} columns"
        facts = {
            "loss": self.loss,
            "penalty": f"{self.penalty}, C = {self.C:g}",
            "penalty plus C times losses": self.objective_,
            "weights other than 0": int((self.coef_ != 0).sum()),
            "least possible": "yes" if self.proven_ else "not known: the search ended early",
            "iterations": self.n_iter_,
        }
        table = score_table(self.coef_, self.intercept_, self.encoded_names_, self.classes_)
        return Description(title, facts, [table])

    def _working(self, X: Floats) -> Working:
        terms = terms_of(X[0], self.coef_, self.intercept_, self.encoded_names_)
        title = "Surrogate loss classifier: the score is the intercept plus coefficient times value"
        return Working(title, "sum", self.classes_.tolist(), terms, self._answer(X)[0])

    def _plot(self, X: Any, y: Any, ax: Any) -> Any:
        return draw(self, X, y, ax)

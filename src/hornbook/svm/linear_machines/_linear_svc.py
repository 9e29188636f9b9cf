"""Linear support vector classification."""

from __future__ import annotations

import warnings
from functools import partial
from typing import Annotated, Any, ClassVar, Literal

import numpy as np
from sklearn.exceptions import ConvergenceWarning

from hornbook.base import Accepts, Classifier, ClassWeight, Description, Working, class_weights
from hornbook.frame import Blocks, Moments
from hornbook.linear import (
    LinearClassifierMixin,
    SurrogateObjective,
    draw,
    moments_of_classes,
    refuse_large,
    require_classes,
    reweighted,
    score_table,
    terms_of,
    warn_far,
)
from hornbook.losses import HingeLoss, SquaredHingeLoss
from hornbook.params import Floats, Jobs, MaxIter, Range, Seed, Shape, Tol, Tune, Verbose
from hornbook.svm._warnings import warn_spread
from hornbook.svm.linear_machines._dual_descent import DescentRows
from hornbook.svm.linear_machines._solve import by_dual, by_primal, primal_suits

__all__ = ["LinearSVC"]

LOSSES = {"hinge": HingeLoss(), "squared_hinge": SquaredHingeLoss()}


class LinearSVC(LinearClassifierMixin, Classifier):
    """Linear support vector machine: weights of the columns such that the classes are far apart.

    Rows within the margin or on its wrong side cost C times their slack, or its square; with more than two
    classes each is separated from all others. The problem is scikit-learn's (and LIBLINEAR's), penalized
    intercept included, but in the primal it is solved by Newton's method or, for the hinge loss, interior
    points: exactly, from files larger than memory too.

    Time of the primal solvers grows with rows x columns², of the dual one with passes x numbers other than 0.

    Parameters
    ----------
    penalty : {"l2", "l1"}, default "l2"
        Half the sum of squared weights, or the sum of absolute weights, which makes some of them 0.
    loss : {"squared_hinge", "hinge"}, default "squared_hinge"
        C Σ slack² or C Σ slack, where slack is max(0, 1 - y f(x)).
    dual : bool or "auto", default "auto"
        True: coordinate descent on the dual, one row after the other, for tables with many columns; all rows
        are in memory then. False: Newton's method on the primal, interior points for the hinge loss.
        ``"auto"``: the primal unless there are many columns. Both have the same minimum. The dual knows no
        ``penalty="l1"``.
    tol : float, default 1e-4
        In the primal, stop when the mean objective is expected to fall by at most the square of this; the
        hinge loss is minimized to the last digits. In the dual, how much the optimality conditions may be
        violated.
    C : float, default 1.0
        Cost of slack.
    fit_intercept : bool, default True
        Whether to fit an intercept.
    intercept_scaling : float, default 1.0
        What a further column holds in every row; its weight is penalized like the others, and intercept_ is
        the product of the two. Large values let the intercept be free.
    class_weight : dict, "balanced" or None, default None
        Factors of C by class.
    verbose : int, default 0
        Whether to print the objective on the way.
    random_state : int or RandomState, optional
        Seed of the order in which the dual solver takes the rows; 0 when left out.
    max_iter : int, default 1000
        The most steps, or passes over the rows, for each class.
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
    objective_ : ndarray of shape (n_problems,)
        Penalty plus C times the losses, of each class against the others.
    n_iter_ : int
        Number of steps or passes, the most of any class.
    history_ : dict
        In the primal the mean objective, in the dual its value and the largest violation, on the way.
    encoded_names_ : ndarray of shape (n_encoded,)
        Names of the encoded columns.
    n_features_in_ : int
        Number of columns at fit.
    feature_names_in_ : ndarray of shape (n_features_in_,)
        Their names, if they had any.

    Examples
    --------
    >>> from hornbook import LinearSVC
    >>> X, y = [[0.0, 1.0], [1.0, 0.0], [3.0, 4.0], [4.0, 3.0]], ["low", "low", "high", "high"]
    >>> model = LinearSVC(loss="hinge", C=10.0).fit(X, y)
    >>> model.coef_.round(3).tolist(), model.intercept_.round(3).tolist()
    ([[-0.333, -0.333]], [1.333])
    >>> model.predict([[2.0, 1.0]]).tolist()
    ['low']
    """

    wants: ClassVar[Literal["matrix"]] = "matrix"
    accepts: ClassVar[Accepts] = Accepts(sparse=True)
    scale_sensitive: ClassVar[bool] = True

    model_class = "weighted sum of the columns"
    objective = "a penalty on the weights plus C times the slack"
    optimizer = "Newton's method, interior points, or coordinate descent on the dual"

    objective_: Annotated[Floats, Shape("n_scores")]
    n_iter_: int

    def __init__(
        self,
        *,
        penalty: Literal["l2", "l1"] = "l2",
        loss: Literal["squared_hinge", "hinge"] = "squared_hinge",
        dual: bool | Literal["auto"] = "auto",
        tol: Tol = 1e-4,
        C: Annotated[float, Range(low=0.0, open_low=True), Tune(1e-3, 1e3, log=True)] = 1.0,
        fit_intercept: bool = True,
        intercept_scaling: Annotated[float, Range(low=0.0, open_low=True)] = 1.0,
        class_weight: ClassWeight = None,
        verbose: Verbose = 0,
        random_state: Seed = None,
        max_iter: MaxIter = 1000,
        n_jobs: Jobs = None,
    ) -> None:
        self.penalty = penalty
        self.loss = loss
        self.dual = dual
        self.tol = tol
        self.C = C
        self.fit_intercept = fit_intercept
        self.intercept_scaling = intercept_scaling
        self.class_weight = class_weight
        self.verbose = verbose
        self.random_state = random_state
        self.max_iter = max_iter
        self.n_jobs = n_jobs

    def _fit_blocks(self, blocks: Blocks) -> None:
        name, k, d = type(self).__name__, len(self.classes_), len(self.encoded_names_)
        in_dual = self._in_dual(d)
        moments = blocks.reduce(moments_of_classes, k, merge=Moments.merge)
        require_classes(moments.mass[:, 0], self.classes_, name)
        whole = moments.pooled()
        if not np.isfinite(whole.variance()).all() or not np.isfinite(whole.mean).all():
            refuse_large(name)
        mass = moments.mass[:, 0]
        if self.class_weight is not None:
            absent = getattr(self, "absent_classes_", np.empty(0)).tolist()
            factor = class_weights(self.class_weight, self.classes_, mass, name, absent)
            blocks, mass = blocks.map(partial(reweighted, factor=factor)), mass * factor
        codes = [1] if k == 2 else list(range(k))
        self.coef_, self.intercept_ = np.zeros((len(codes), d)), np.zeros(len(codes))
        self.objective_, self.n_iter_ = np.zeros(len(codes)), 0
        self._watch.begin(max_subtasks=None)  # one fit after the other, of max_iter iterations each
        rows = DescentRows.of(blocks) if in_dual else None
        slow = False
        for i, code in enumerate(codes):
            if rows is not None:
                solved = by_dual(self, rows, np.where(rows.y == code, 1.0, -1.0))
            else:
                solved = by_primal(self, self._task(blocks, code, float(mass.sum()), whole.variance()[0]))
            self.coef_[i], self.intercept_[i], self.objective_[i] = (
                solved.coef,
                solved.intercept,
                solved.value,
            )
            self.n_iter_, slow = max(self.n_iter_, solved.n_iter), slow or not solved.converged
        warn_far(self, whole.mean[0], whole.variance()[0])
        warn_spread(self, np.sqrt(whole.variance()[0]))
        if slow:
            warnings.warn(
                f"{name}: parameter 'max_iter' = {self.max_iter} was too small to converge: raise it, scale "
                "the columns, or lower C.",
                ConvergenceWarning,
                stacklevel=6,
            )

    def _in_dual(self, n_columns: int) -> bool:
        if self.dual is True and self.penalty == "l1":
            raise ValueError(
                "LinearSVC: penalty='l1' has no dual that goes from row to row: set dual=False, or "
                "penalty='l2'."
            )
        if self.dual == "auto":
            return self.penalty == "l2" and not primal_suits(n_columns, interior_points=self.loss == "hinge")
        return bool(self.dual)

    def _task(self, blocks: Blocks, code: int, mass: float, variance: Floats) -> SurrogateObjective:
        d, weight = len(variance), 1.0 / (self.C * mass)
        squares = np.full(d, weight if self.penalty == "l2" else 0.0)
        return SurrogateObjective(
            blocks,
            LOSSES[self.loss],
            code,
            np.arange(d),
            self.fit_intercept,
            mass,
            squares,
            np.zeros(d),
            variance,
            weight / self.intercept_scaling**2 if self.penalty == "l2" else 0.0,
        )

    def _describe(self) -> Description:
        n = len(self.encoded_names_)
        facts = {
            "loss": f"{self.loss}, C = {self.C:g}",
            "penalty": self.penalty,
            "penalty plus C times losses": float(self.objective_.sum()),
            "weights other than 0": int((self.coef_ != 0).sum()),
            "iterations": self.n_iter_,
        }
        lengths = np.linalg.norm(self.coef_, axis=1)
        if len(self.coef_) == 1 and lengths[0] > 0:
            facts["distance of the margin from the boundary"] = float(1 / lengths[0])
        title = f"Linear SVC with {len(self.classes_)} classes and {n} columns"
        table = score_table(self.coef_, self.intercept_, self.encoded_names_, self.classes_)
        return Description(title, facts, [table])

    def _working(self, X: Floats) -> Working:
        terms = terms_of(X[0], self.coef_, self.intercept_, self.encoded_names_)
        title = "Linear SVC: the score is the intercept plus coefficient times value"
        return Working(title, "sum", self.classes_.tolist(), terms, self._answer(X)[0])

    def _plot(self, X: Any, y: Any, ax: Any) -> Any:
        return draw(self, X, y, ax)

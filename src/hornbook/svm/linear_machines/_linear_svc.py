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
from hornbook.params import Floats, Shape, Tol, declared
from hornbook.svm._parameters import Cost, LinearMachineWork
from hornbook.svm._warnings import warn_spread
from hornbook.svm.linear_machines._dual_descent import DescentRows
from hornbook.svm.linear_machines._joint_descent import solve_jointly
from hornbook.svm.linear_machines._solve import by_dual, by_primal, primal_suits

__all__ = ["LinearSVC"]

LOSSES = {"hinge": HingeLoss(), "squared_hinge": SquaredHingeLoss()}


class ClassBoundaries(LinearClassifierMixin, Classifier):
    """The weights of each class, and what they cost.

    Attributes
    ----------
    classes_ : ndarray of shape (n_classes,)
        The classes.
    coef_ : ndarray of shape (1, n_encoded) or (n_classes, n_encoded)
        Weights of the encoded columns; with two classes, for the second.
    intercept_ : ndarray of shape (1,) or (n_classes,)
        The constant terms.
    objective_ : ndarray of shape (n_problems,)
        Penalty plus C times the losses, of each class against the others, or of all at once.
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
    """

    objective_: Annotated[Floats, Shape("n_problems")]
    n_iter_: int


@declared
class LinearSVC(LinearMachineWork, ClassBoundaries):
    """Linear support vector machine: weights of the columns such that the classes are far apart.

    Rows within the margin or on its wrong side cost C times their slack, or its square; with more than two
    classes each is separated from all others, or all at once. The problem is scikit-learn's (and
    LIBLINEAR's), penalized intercept included, but in the primal it is solved by Newton's method or, for the
    hinge loss, interior points: exactly, from files larger than memory too.

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
    multi_class : {"ovr", "crammer_singer"}, default "ovr"
        Separate each class from all others, or all at once (Crammer and Singer 2001), so that the score of a
        row's own class exceeds those of the others by 1. A row then costs C times the most that is missing,
        max(0, 1 + f_m(x) - f_y(x)) over the other classes m, whatever ``loss`` is, as in scikit-learn; the
        solver is the dual one, and the penalty ``"l2"``.
    tol : float, default 1e-4
        In the primal, stop when the mean objective is expected to fall by at most the square of this; the
        hinge loss is minimized to the last digits. In the dual, how much the optimality conditions may be
        violated.
    C : float, default 1.0
        Cost of slack.
    class_weight : dict, "balanced" or None, default None
        Factors of C by class.

    See Also
    --------
    SVC : Classifier with a wide margin in the space of a kernel.
    LogisticRegression : Linear log odds of the classes.

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

    penalty: Literal["l2", "l1"] = "l2"
    loss: Literal["squared_hinge", "hinge"] = "squared_hinge"
    dual: bool | Literal["auto"] = "auto"
    multi_class: Literal["ovr", "crammer_singer"] = "ovr"
    tol: Tol = 1e-4
    C: Cost = 1.0
    class_weight: ClassWeight = None

    def _fit_blocks(self, blocks: Blocks) -> None:
        name, k, d = type(self).__name__, len(self.classes_), len(self.encoded_names_)
        in_dual = self._in_dual(d)
        # One pass gives mass of classes, scales and the check of the numbers, before any solver starts.
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
        rows = DescentRows.of(blocks) if in_dual else None
        if rows is not None and self.multi_class == "crammer_singer":
            converged = self._fit_all_at_once(rows)
        else:
            converged = self._fit_one_by_one(blocks, rows, float(mass.sum()), whole.variance()[0])
        warn_far(self, whole.mean[0], whole.variance()[0])
        warn_spread(self, np.sqrt(whole.variance()[0]))
        if not converged:
            warnings.warn(
                f"{name}: parameter 'max_iter' = {self.max_iter} was too small to converge: raise it, scale "
                "the columns, or lower C.",
                ConvergenceWarning,
                stacklevel=6,
            )

    def _fit_one_by_one(
        self, blocks: Blocks, rows: DescentRows | None, mass: float, variance: Floats
    ) -> bool:
        """Separate each class from the others; returns whether all problems were solved."""
        k, d = len(self.classes_), len(variance)
        codes = [1] if k == 2 else list(range(k))
        self.coef_, self.intercept_ = np.zeros((len(codes), d)), np.zeros(len(codes))
        self.objective_, self.n_iter_ = np.zeros(len(codes)), 0
        self._watch.begin(max_subtasks=None)  # one fit after the other, of max_iter iterations each
        converged = True
        for i, code in enumerate(codes):
            if rows is not None:
                solved = by_dual(self, rows, np.where(rows.y == code, 1.0, -1.0))
            else:
                solved = by_primal(self, self._task(blocks, code, mass, variance))
            self.coef_[i], self.intercept_[i] = solved.coef, solved.intercept
            self.objective_[i] = solved.value
            self.n_iter_, converged = max(self.n_iter_, solved.n_iter), converged and solved.converged
        return converged

    def _fit_all_at_once(self, rows: DescentRows) -> bool:
        """Separate all classes in one problem; returns whether it was solved."""
        solved = solve_jointly(self, rows, len(self.classes_))
        self.coef_, self.intercept_ = solved.coef, solved.intercept
        if len(self.classes_) == 2:  # scores of the second against the first
            self.coef_, self.intercept_ = np.diff(self.coef_, axis=0), np.diff(self.intercept_)
        self.objective_, self.n_iter_ = np.array([solved.value]), solved.n_iter
        return solved.converged

    def _in_dual(self, n_columns: int) -> bool:
        if self.multi_class == "crammer_singer" and (self.penalty == "l1" or self.dual is False):
            raise ValueError(
                "LinearSVC: multi_class='crammer_singer' is solved in the dual with squared weights: set "
                "penalty='l2' and dual='auto', or multi_class='ovr'."
            )
        if self.multi_class == "crammer_singer":
            return True
        if self.dual is True and self.penalty == "l1":
            raise ValueError(
                "LinearSVC: penalty='l1' cannot be minimized by dual coordinate descent: set dual=False, or "
                "penalty='l2'."
            )
        if self.dual == "auto":
            return self.penalty == "l2" and not primal_suits(n_columns, interior_points=self.loss == "hinge")
        return bool(self.dual)

    def _task(self, blocks: Blocks, code: int, mass: float, variance: Floats) -> SurrogateObjective:
        # Divided by C times the mass, the objective is a mean over rows plus a penalty, as the solvers of
        # linear models take it; it is multiplied back for `objective_`.
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
            # As in LIBLINEAR, the intercept is the weight of a constant column and is penalized with it.
            weight / self.intercept_scaling**2 if self.penalty == "l2" else 0.0,
        )

    def _describe(self) -> Description:
        n = len(self.encoded_names_)
        facts = {
            "loss": f"{self._loss_text()}, C = {self.C:g}",
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

    def _loss_text(self) -> str:
        return self.loss if self.multi_class == "ovr" else "hinge of the nearest rival class"

    def _working(self, X: Floats) -> Working:
        terms = terms_of(X[0], self.coef_, self.intercept_, self.encoded_names_)
        title = "Linear SVC: the score is the intercept plus coefficient times value"
        return Working(title, "sum", self.classes_.tolist(), terms, self._answer(X)[0])

    def _plot(self, X: Any, y: Any, ax: Any) -> Any:
        return draw(self, X, y, ax)

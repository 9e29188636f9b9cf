"""Support vector classification."""

from __future__ import annotations

import math
from typing import Annotated, Any, ClassVar, Literal

import numpy as np
from numpy.typing import NDArray
from sklearn.exceptions import NotFittedError

from hornbook import _native
from hornbook._scikit import available_if
from hornbook.base import (
    Classifier,
    ClassWeight,
    Description,
    PlattSigmoid,
    Working,
    class_weights,
    coupled,
    pair_votes,
    pair_wins,
)
from hornbook.frame import SparseRows
from hornbook.kernels import Linear
from hornbook.linear import require_classes
from hornbook.params import Floats, Index, Range, Seed, Shape, Tol, Tune, declared
from hornbook.random import seed_of
from hornbook.svm._augmented import augmented
from hornbook.svm._binary_problem import ROLES, BinaryProblem, BinarySolution, roles_of
from hornbook.svm._class_pairs import (
    begun_problems,
    class_code,
    linear_weights,
    pair_problems,
    pair_scores,
    support_table,
)
from hornbook.svm._description import describe_classes, working_of
from hornbook.svm._kernel_table import KernelTable, kernel_sums
from hornbook.svm._parameters import KernelChoice, SmoWork, WarmStart
from hornbook.svm._platt import cross_validated_sigmoid
from hornbook.svm._plot import draw_machine
from hornbook.svm._solve import refuse_solver, settings_of, solve
from hornbook.svm._support_vectors import SupportVectors
from hornbook.svm._warnings import warn_fit

__all__ = ["SVC"]


class PairsOfClasses(SupportVectors, Classifier):
    """What is known after solving a problem for each pair of classes.

    Attributes
    ----------
    classes_ : ndarray of shape (n_classes,)
        The classes.
    n_support_ : ndarray of shape (n_classes,)
        How many there are of each class.
    dual_coef_ : ndarray of shape (n_classes - 1, n_support)
        Multiplier times side of each support vector, in the problems of its class.
    intercept_ : ndarray of shape (n_problems,)
        Added to the sums.
    coef_ : ndarray of shape (n_problems, n_encoded)
        Weights of the columns; only with the linear kernel.
    margin_ : ndarray of shape (n_problems,)
        1 / |w|, half the width of the margin in feature space.
    kkt_ : ndarray of shape (n_problems,)
        By how much the optimality conditions are violated at most.
    objective_ : ndarray of shape (n_problems, 2)
        Value of the dual and of the primal problem.
    role_codes_ : ndarray of shape (n_rows,)
        With two classes the role of each row, as a number; ``roles_`` has the names.
    n_iter_ : ndarray of shape (n_problems,)
        Number of steps.
    probA_, probB_ : ndarray of shape (n_problems,)
        With ``probability``: a score f has the probability 1 / (1 + exp(A f + B)).
    """

    n_support_: Annotated[NDArray[np.int32], Shape("n_learned")]
    dual_coef_: Annotated[Floats, Shape("n_rows_of_coef", "n_support")]
    intercept_: Annotated[Floats, Shape("n_problems")]
    margin_: Annotated[Floats, Shape("n_problems")]
    kkt_: Annotated[Floats, Shape("n_problems")]
    objective_: Annotated[Floats, Shape("n_problems", 2)]
    role_codes_: Annotated[NDArray[np.int8], Shape("n_rows"), Index(len(ROLES))]
    n_iter_: Annotated[NDArray[np.int64], Shape("n_problems")]
    probA_: Annotated[Floats, Shape("n_problems")]  # noqa: N815 - scikit-learn's name
    probB_: Annotated[Floats, Shape("n_problems")]  # noqa: N815 - as above


@declared
class SVC(WarmStart, SmoWork, KernelChoice, PairsOfClasses):
    """Support vector machine: the boundary in the feature space of a kernel farthest from both classes.

    Rows inside the margin or beyond it cost C times their slack. Only some rows, the support vectors, decide
    where the boundary is. Many classes are separated by pairs, and the pairs vote. Parameters and attributes
    are those of scikit-learn; loss, solver and augmentation are further choices of textbooks.

    Time grows with the square of the number of rows, memory is bounded by ``cache_size``, for kernels that
    are functions, sums or products with the square of the number of rows.

    Parameters
    ----------
    C : float, default 1.0
        Cost of slack; infinite for a hard margin, which needs classes that the kernel can separate.
    probability : bool, default False
        Whether to fit a sigmoid to cross-validated scores, for ``predict_proba``.
    tol : float, default 1e-3
        How much the optimality conditions may be violated, in units of the margin. For
        ``solver="dual_ascent"`` the largest change of the multipliers in a pass, for ``"primal_newton"`` that
        of the scores in a step.
    class_weight : dict, "balanced" or None, default None
        Factors of C by class.
    decision_function_shape : {"ovr", "ovo"}, default "ovr"
        With more than two classes: a score for each class, from the votes of the pairs, or for each pair.
    break_ties : bool, default False
        Whether scores settle ties of votes; otherwise the first class wins.
    random_state : int or RandomState, optional
        Seed that shuffles rows before cross-validation, for ``probability``; when left out they are taken in
        their order.
    loss : {"hinge", "squared_hinge"}, default "hinge"
        C Σ slack, or C Σ slack².
    solver : {"smo", "dual_ascent", "primal_newton"}, default "smo"
        ``"smo"``: sequential minimal optimization. ``"dual_ascent"``: stochastic gradient ascent on the dual,
        row after row; it needs ``augment=True``. ``"primal_newton"``: Newton's method on the primal, with the
        squared hinge loss. ``warm_start`` works with ``"smo"`` alone.
    augment : bool, default False
        Whether a column of 1 is added to the rows before the kernel and takes the place of the intercept. Its
        weight is penalized, so the problem is another one. Not with ``solver="smo"``.

    See Also
    --------
    LinearSVC : Linear classifier with a wide margin.
    SVR : Regression with a tube in the space of a kernel.

    Examples
    --------
    >>> from hornbook import SVC
    >>> X, y = [[0, 0], [0, 1], [1, 0], [1, 1]], [0, 1, 1, 0]
    >>> model = SVC(C=10.0, gamma=2.0).fit(X, y)
    >>> model.predict(X).tolist(), model.n_support_.tolist()
    ([0, 1, 1, 0], [2, 2])
    """

    wants: ClassVar[Literal["matrix"]] = "matrix"
    scale_sensitive: ClassVar[bool] = True

    model_class = "boundary in the feature space of a kernel, a sum over support vectors"
    objective = "half the squared length of the weights plus C times the slack"
    optimizer = "sequential minimal optimization of the dual"

    C: Annotated[float, Range(0.0, math.inf, open_low=True), Tune(1e-2, 1e3, log=True)] = 1.0
    probability: bool = False
    tol: Tol = 1e-3
    class_weight: ClassWeight = None
    decision_function_shape: Literal["ovr", "ovo"] = "ovr"
    break_ties: bool = False
    random_state: Seed = None
    loss: Literal["hinge", "squared_hinge"] = "hinge"
    solver: Literal["smo", "dual_ascent", "primal_newton"] = "smo"
    augment: bool = False

    @property
    def roles_(self) -> NDArray[Any]:
        """Role of each row of the fit: "outside", "on the margin", "inside the margin", "misclassified"."""
        if not hasattr(self, "role_codes_"):
            raise AttributeError("SVC: 'roles_' needs a fit with two classes.")
        return np.array(ROLES)[self.role_codes_]

    @property
    def coef_(self) -> Floats:
        """Weights of the columns for each problem; with the linear kernel only."""
        if not isinstance(getattr(self, "kernel_", None), Linear):
            raise AttributeError("SVC: 'coef_' needs a fit with kernel='linear'.")  # noqa: TRY004 - for hasattr
        return linear_weights(self.dual_coef_, self.support_vectors_, self.n_support_)

    def _fit(self, data: Floats | SparseRows, y: NDArray[np.integer], w: Floats | None) -> None:
        name, k = type(self).__name__, len(self.classes_)
        refuse_solver(self)
        weights = np.ones(len(data)) if w is None else w
        mass = np.asarray(np.bincount(y, weights, minlength=k), dtype=np.float64)
        require_classes(mass, self.classes_, name)
        absent = getattr(self, "absent_classes_", ())
        factors = class_weights(self.class_weight, self.classes_, mass, name, list(absent))
        # C may be infinite, the hard margin, and infinity times a weight of 0 is NaN, which `where` discards.
        with np.errstate(invalid="ignore"):
            costs = np.where(weights > 0, self.C * weights * factors[y], 0.0)
        data = self._rows_for_kernel(data)
        kernel = self._fitted_kernel(data, w)
        self.kernel_ = augmented(kernel, name) if self.augment else kernel
        table = self._kernel_table(data)
        problems = pair_problems(y, costs, k, self.loss)
        before = self._last_fit(len(data))
        # Other solvers have no start to give: they begin from nothing by construction.
        if before is not None and self.solver == "smo":
            problems = begun_problems(problems, before["coef"], before["margin_"], k)
        solutions = solve(self, problems, table)
        support = support_table(y, k, problems, solutions)
        self.n_support_, self.dual_coef_ = support.counts, support.coef
        self._keep_vectors(data, support.rows)
        self._keep(problems, solutions, len(data))
        if self.probability:
            self._learn_probabilities(problems, table, weights)
        warn_fit(self, solutions)

    def _keep(self, problems: list[BinaryProblem], solutions: list[BinarySolution], n: int) -> None:
        """Facts about the solutions."""
        self.intercept_ = np.array([solution.bias for solution in solutions])
        self.margin_ = np.array([solution.margin for solution in solutions])
        self.kkt_ = np.array([solution.violation for solution in solutions])
        self.objective_ = np.array([[solution.dual, solution.dual + solution.gap] for solution in solutions])
        self.n_iter_ = np.array([solution.steps for solution in solutions], dtype=np.int64)
        if len(problems) == 1:
            self.role_codes_ = np.zeros(n, dtype=np.int8)
            self.role_codes_[problems[0].rows] = roles_of(problems[0], solutions[0])

    def _learn_probabilities(
        self, problems: list[BinaryProblem], table: KernelTable, weights: Floats
    ) -> None:
        seed = None if self.random_state is None else seed_of(self.random_state)
        sigmoids = [
            cross_validated_sigmoid(problem, table, settings_of(self), weights, seed) for problem in problems
        ]
        # LIBSVM writes 1 / (1 + exp(A f + B)), with the opposite signs of our sigmoid.
        self.probA_ = np.array([-sigmoid.slope for sigmoid in sigmoids])
        self.probB_ = np.array([-sigmoid.intercept for sigmoid in sigmoids])

    def _problem_scores(self, X: Floats) -> Floats:
        """A score for each row and problem."""
        k = len(self.n_support_)
        starts = np.concatenate([[0], np.cumsum(self.n_support_)]).astype(np.int64)
        if isinstance(self.kernel_, Linear):
            rows = np.ascontiguousarray(X)
            # One product with the weights instead of one with every support vector.
            return _native.kernel_values(rows, self.coef_, 0, 1.0, 0.0, 1, self._threads()) + self.intercept_
        sums = kernel_sums(
            self.kernel_,
            self._values_with_support(X),
            self.support_vectors_,
            self.dual_coef_,
            starts,
            self._threads(),
        )
        return pair_scores(sums, k, self.intercept_)

    def _decision(self, X: Floats) -> Floats:
        scores = self._problem_scores(X)
        if len(self.classes_) == 2:
            return scores[:, 0]
        return (
            scores
            if self.decision_function_shape == "ovo"
            else pair_votes(class_code(len(self.classes_)), scores)
        )

    def _spread_scores(self, scores: Floats) -> Floats:
        # Scores of pairs are those of the classes that were learned.
        pairs = self.decision_function_shape == "ovo" and scores.ndim == 2
        return scores if pairs else super()._spread_scores(scores)

    def _predict(self, X: Floats) -> NDArray[np.intp]:
        scores, k = self._problem_scores(X), len(self.classes_)
        if k == 2:
            return (scores[:, 0] > 0).astype(np.intp)
        # Max wins (Friedman 1996), as in LIBSVM and scikit-learn.
        votes = (pair_votes if self.break_ties else pair_wins)(class_code(k), scores)
        return np.asarray(votes.argmax(axis=1))

    @available_if(lambda model: model.probability)
    def _proba(self, X: Floats) -> Floats:
        if not hasattr(self, "probA_"):
            raise NotFittedError(
                "SVC: predict_proba is not available when fitted with probability=False: fit again."
            )
        scores, k = self._problem_scores(X), len(self.classes_)
        pairs = np.column_stack(
            [
                PlattSigmoid(-a, -b).probabilities(scores[:, j])
                for j, (a, b) in enumerate(zip(self.probA_.tolist(), self.probB_.tolist(), strict=True))
            ]
        )
        return np.column_stack([1 - pairs, pairs]) if k == 2 else coupled(class_code(k), pairs)

    def _describe(self) -> Description:
        return describe_classes(self)

    def _working(self, X: Floats) -> Working:
        return working_of(self, X)

    def _plot(self, X: Any, y: Any, ax: Any) -> Any:
        return draw_machine(self, X, y, ax)

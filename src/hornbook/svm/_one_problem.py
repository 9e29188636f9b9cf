"""Machines with one problem to solve: one coefficient for each support vector, and one intercept."""

from __future__ import annotations

from typing import Annotated, Any

import numpy as np
from numpy.typing import NDArray

from hornbook.base import Learner
from hornbook.frame import SparseRows
from hornbook.kernels import Linear
from hornbook.params import Floats, Shape
from hornbook.svm._binary_problem import BinarySolution
from hornbook.svm._kernel_table import kernel_sums
from hornbook.svm._support_vectors import SupportVectors
from hornbook.svm._warnings import warn_fit

__all__ = ["OneProblem"]


class OneProblem(SupportVectors, Learner):
    """Mixin of machines whose answer is one sum over support vectors.

    Attributes
    ----------
    dual_coef_ : ndarray of shape (1, n_support)
        Coefficients of the support vectors.
    intercept_ : ndarray of shape (1,)
        Added to the sum.
    coef_ : ndarray of shape (1, n_encoded)
        Weights of the columns; only with the linear kernel.
    kkt_ : float
        By how much the optimality conditions are violated at most.
    objective_ : ndarray of shape (2,)
        Value of the dual and of the primal problem.
    n_iter_ : int
        Number of steps.
    n_support_ : ndarray of shape (1,)
        Number of support vectors.
    """

    dual_coef_: Annotated[Floats, Shape(1, "n_support")]
    intercept_: Annotated[Floats, Shape(1)]
    kkt_: float
    objective_: Annotated[Floats, Shape(2)]
    n_iter_: int

    @property
    def n_support_(self) -> NDArray[np.int32]:
        """Number of support vectors."""
        return np.array([len(self.support_)], dtype=np.int32)

    @property
    def coef_(self) -> Floats:
        """Weights of the columns; with the linear kernel only."""
        if not isinstance(getattr(self, "kernel_", None), Linear):
            name = type(self).__name__
            raise AttributeError(f"{name}: 'coef_' needs a fit with kernel='linear'.")  # noqa: TRY004 - for hasattr
        return np.asarray(np.einsum("ij,jc->ic", self.dual_coef_, self.support_vectors_))

    def _keep_solution(
        self, data: Floats | SparseRows, rows: Any, coef: Floats, solution: BinarySolution
    ) -> None:
        """Keep the rows with a coefficient, and facts about the solution."""
        used = np.flatnonzero(coef)
        self._keep_vectors(data, rows[used].astype(np.int32))
        self.dual_coef_, self.intercept_ = coef[None, used], np.array([solution.bias])
        self.kkt_, self.n_iter_ = solution.violation, solution.steps
        # Dual below, primal above: the optimum lies between them, whatever ended the solver.
        self.objective_ = np.array([solution.dual, solution.dual + solution.gap])
        warn_fit(self, [solution])

    def _sums(self, X: Floats) -> Floats:
        """Sums of coefficient times kernel value, plus the intercept."""
        starts = np.array([0, len(self.support_)], dtype=np.int64)
        rows = self._values_with_support(X)
        sums = kernel_sums(
            self.kernel_, rows, self.support_vectors_, self.dual_coef_, starts, self._threads()
        )
        return np.asarray(sums[:, 0] + self.intercept_[0])

"""All classes in one problem: the machine of Crammer and Singer."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
from scipy.sparse import csr_array

from hornbook import _native
from hornbook.frame import require_memory
from hornbook.params import Floats
from hornbook.random import seed_of
from hornbook.svm.linear_machines._dual_descent import DescentRows, DescentStep, descent_passes

__all__ = ["JointSolution", "solve_jointly"]


@dataclass(frozen=True)
class JointSolution:
    """Weights of all classes, and how they were found.

    Parameters
    ----------
    coef : ndarray of shape (n_classes, n_columns)
        Of the columns.
    intercept : ndarray of shape (n_classes,)
        Constant terms.
    value : float
        Penalty plus costs.
    n_iter : int
        Passes over the rows.
    converged : bool
        Whether the optimality conditions hold.
    """

    coef: Floats
    intercept: Floats
    value: float
    n_iter: int
    converged: bool


def solve_jointly(model: Any, rows: DescentRows, n_classes: int) -> JointSolution:
    """Minimize ½ Σ |w_m|² + Σ C max over m of (1 - [m = y] + w_m x - w_y x), seen by the callbacks."""
    y, costs = rows.y.astype(np.int64), model.C * rows.w
    constant = model.intercept_scaling if model.fit_intercept else 0.0
    seed = 0 if model.random_state is None else seed_of(model.random_state)
    require_memory(len(y), n_classes, "use fewer rows, or set multi_class='ovr'")
    steps = _joint_descent(rows, y, costs, n_classes, constant, model.tol, seed)
    n_iter, last = 1, next(steps)
    for i in model.iterate(model.max_iter, name="pass"):
        n_iter, last = i + 1, last if i == 0 else next(steps)
        model.record(dual=last.dual, violation=last.violation)
        if last.converged:
            break
    weights = last.weights
    coef, intercept = np.ascontiguousarray(weights[:-1].T), weights[-1] * constant
    scores = rows.products(weights[:-1]) + intercept
    # The loss of a row is its lead deficit against the strongest rival (Crammer and Singer 2001); the own
    # class contributes 0, not the 1 of the margin.
    behind = scores - scores[np.arange(len(y)), y][:, None] + 1.0
    behind[np.arange(len(y)), y] = 0.0
    value = 0.5 * float(np.square(weights).sum()) + float(costs @ behind.max(axis=1))
    return JointSolution(coef, intercept, value, n_iter, last.converged or n_iter < model.max_iter)


def _joint_descent(
    rows: DescentRows, y: Any, costs: Floats, k: int, constant: float, tol: float, seed: int
) -> Iterator[DescentStep]:
    """Yield weights, columns by classes with those of the constant last, after each pass over the rows."""
    # One kernel for dense and sparse rows: an index that is read serves the weights of all k classes.
    table = csr_array(rows.X)
    n, d = table.shape
    a, weights = np.zeros(n * k), np.zeros((d + 1) * k)
    own = np.arange(n) * k + y
    step = partial(
        _native.joint_descent_pass,
        table.data,
        table.indices.astype(np.int32),
        table.indptr.astype(np.int64),
        d,
        constant,
        y,
        costs,
        k,
        a,
        weights,
    )
    for violation, converged in descent_passes(step, n, tol, seed):
        dual = float(a[own].sum()) - 0.5 * float(weights @ weights)
        yield DescentStep(weights.reshape(d + 1, k).copy(), dual, violation, converged)

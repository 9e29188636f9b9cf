"""Solving the problems of linear machines while callbacks watch."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from hornbook.frame import require_memory
from hornbook.linear import SurrogateObjective, minimize_hinge
from hornbook.optimize import Iterate, RescaledObjective, lbfgs, newton
from hornbook.params import Floats, blas_threads
from hornbook.random import seed_of
from hornbook.svm.linear_machines._dual_descent import DescentRows, LinearDual, dual_descent
from hornbook.svm.linear_machines._tube_objective import TubeObjective

__all__ = ["Solved", "by_dual", "by_primal", "descend", "follow", "primal_suits", "run_dual"]

MOST_CURVED = 512  # columns up to which products of columns are cheaper than passes over the rows
MOST_OF_POINTS = 128  # the same for interior points, which need them for every step
MOST_ABSOLUTE = 256  # coefficients up to which the Hessian is used with absolute values


@dataclass(frozen=True)
class Solved:
    """Weights, and how they were found.

    Parameters
    ----------
    coef : ndarray of shape (n_columns,)
        Of the columns.
    intercept, value : float
        Constant term, and the objective: penalty plus C times the losses.
    n_iter : int
        Steps or passes.
    converged : bool
        Whether the solver came to its end.
    """

    coef: Floats
    intercept: float
    value: float
    n_iter: int
    converged: bool


def primal_suits(n_columns: int, *, interior_points: bool) -> bool:
    """Whether there are so few columns that the primal is solved sooner than the dual."""
    return n_columns <= (MOST_OF_POINTS if interior_points else MOST_CURVED)


def by_primal(model: Any, task: SurrogateObjective) -> Solved:
    """Minimize the penalty plus the losses of one class against the others."""
    d, scale = len(task.columns), model.C * task.mass
    x, absolute = np.zeros(d + model.fit_intercept), np.zeros(d + model.fit_intercept)
    if model.penalty == "l1":
        absolute[:] = 1.0 / scale
        absolute[d:] /= model.intercept_scaling
    if model.loss == "hinge":
        with blas_threads(1):
            x, value, n_iter, converged = follow(model, minimize_hinge(task, absolute), x)
    else:
        x, value, n_iter, converged = descend(model, task, x, absolute, model.tol**2)
    value = task.first(x)[0] + float(absolute @ np.abs(x)) if model.loss != "hinge" else value
    return Solved(x[:d], float(x[d]) if model.fit_intercept else 0.0, scale * value, n_iter, converged)


def descend(
    model: Any, task: SurrogateObjective | TubeObjective, x: Floats, absolute: Floats, tol: float
) -> tuple[Floats, float, int, bool]:
    """Minimize a smooth objective plus absolute values."""
    if isinstance(task, SurrogateObjective) and absolute.any() and len(x) > MOST_ABSOLUTE:
        size = task.sizes
        inside = RescaledObjective(task, size)
        # `tol` here is for Newton's predicted decrease; gradients are compared with the tolerance of the
        # model instead.
        stretch = np.full_like(x, model.tol / tol)
        steps = lbfgs(inside, x * size, l1=absolute / size, tol=model.tol, stretch=stretch)
        x, value, n_iter, converged = follow(model, steps, x * size)
        return x / size, value, n_iter, converged
    # The squared hinge has no second derivative at its corner. With a generalized Hessian, Newton's method
    # still ends after finitely many steps (Mangasarian 2002).
    require_memory(len(x), len(x), "set dual=True")

    def cost(at: Floats) -> float:
        return task.first(at)[0] + float(absolute @ np.abs(at))

    l1 = absolute if absolute.any() else None
    with blas_threads(1):
        return follow(model, newton(task, x, l1=l1, tol=tol), x, cost)


def follow(
    model: Any, steps: Iterator[Iterate], x: Floats, cost: Callable[[Floats], float] | None = None
) -> tuple[Floats, float, int, bool]:
    """Take the steps of an optimizer, each seen by the callbacks.

    Newton's last step is not evaluated; across a kink it can go wrong, so it is accepted by its cost.
    """
    value, n_iter = np.nan, 0
    for i in model.iterate(model.max_iter):
        iterate = next(steps, None)
        if iterate is None:  # rounding keeps the objective from falling
            return x, value, n_iter, True
        n_iter, value = i + 1, iterate.value
        model.record(objective=value)
        if iterate.converged:
            worse = cost is not None and cost(iterate.x) > cost(x)
            return (x if worse else iterate.x), value, n_iter, True
        x = iterate.x
    return x, value, n_iter, n_iter < model.max_iter  # else a callback said so


def by_dual(model: Any, rows: DescentRows, signs: Floats) -> Solved:
    """Find the weights of one class against the others by the multipliers of the rows."""
    costs, none = model.C * rows.w, np.zeros(len(signs))
    squared = model.loss == "squared_hinge"
    upper = np.full(len(signs), np.inf) if squared else costs
    problem = LinearDual(
        np.where(signs > 0, none, -upper),
        np.where(signs > 0, upper, none),
        signs,
        0.5 / costs if squared else none,
        0.0,
        model.intercept_scaling if model.fit_intercept else 0.0,
    )

    def losses(scores: Floats) -> float:
        slack = np.maximum(1.0 - signs * scores, 0.0)
        return float(costs @ (slack**2 if squared else slack))

    return run_dual(model, rows, problem, model.tol, losses)


def run_dual(
    model: Any, rows: DescentRows, problem: LinearDual, tol: float, losses: Callable[[Floats], float]
) -> Solved:
    """Take passes of dual coordinate descent until the optimality conditions hold."""
    seed = 0 if model.random_state is None else seed_of(model.random_state)
    steps = dual_descent(rows, problem, tol, seed)
    n_iter, last = 1, next(steps)
    for i in model.iterate(model.max_iter, name="pass"):
        n_iter, last = i + 1, last if i == 0 else next(steps)
        model.record(dual=last.dual, violation=last.violation)
        if last.converged:
            break
    weights = last.weights
    coef, intercept = weights[:-1], float(weights[-1] * problem.constant)
    value = 0.5 * float(weights @ weights) + losses(rows.products(coef) + intercept)
    return Solved(coef, intercept, value, n_iter, last.converged or n_iter < model.max_iter)

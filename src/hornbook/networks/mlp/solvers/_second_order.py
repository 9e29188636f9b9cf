"""Methods that know the curvature: L-BFGS, Newton's method, and Levenberg and Marquardt's."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from scipy.linalg import LinAlgError, cho_factor, cho_solve, eigh

from hornbook.networks.mlp._objective import Objective
from hornbook.networks.mlp.solvers._line_search import searched
from hornbook.networks.mlp.solvers._step import Options, SolverStep
from hornbook.optimize import FirstOrder
from hornbook.optimize import lbfgs as minimized
from hornbook.params import Floats, blas_threads

__all__ = ["levenberg_marquardt", "limited_memory", "newton"]

FLATTEST = 1e-8  # of the largest curvature: flatter directions are taken to be as steep
DAMPING, MOST_DAMPING = 1e-3, 1e16


class _Counted(FirstOrder):
    """An objective that counts how often it is computed."""

    def __init__(self, objective: Objective) -> None:
        self.objective = objective
        self.calls = 0

    def first(self, x: Floats) -> tuple[float, Floats]:
        self.calls += 1
        return self.objective.first(x)


def limited_memory(objective: Objective, start: Floats, options: Options) -> Iterator[SolverStep]:
    """L-BFGS, until no derivative exceeds ``tol`` or the objective was computed ``max_fun`` times."""
    counted = _Counted(objective)
    for iterate in minimized(counted, start, tol=options.tol):
        yield SolverStep(iterate.x, iterate.value, converged=iterate.converged)
        if iterate.converged or counted.calls >= options.max_fun:
            return
        start = iterate.x
    yield SolverStep(start, objective.value(start), converged=True)  # rounding stopped it


def newton(objective: Objective, start: Floats, options: Options) -> Iterator[SolverStep]:
    """Newton's method with a line search; where the surface curves downward, it goes down by as much.

    The step is minus the gradient divided by the absolute eigenvalues of the Hessian, so that saddle points
    repel instead of attracting (Dauphin et al. 2014).
    """
    x = start
    while True:
        value, gradient = objective.first(x)
        if np.abs(gradient).max() <= options.tol:
            yield SolverStep(x, value, converged=True)
            return
        hessian = objective.hessian(x)
        if not np.isfinite(hessian).all():
            yield SolverStep(x, float("nan"))
            return
        with blas_threads(1):
            curves, axes = eigh(hessian)
            steep = np.maximum(np.abs(curves), FLATTEST * max(np.abs(curves).max(), 1e-300))
            direction = objective.network.masked(-(axes @ ((axes.T @ gradient) / steep)))
        slope = float(np.einsum("i,i->", gradient, direction))
        reached = searched(objective, x, value, direction, slope, 1.0) if slope < 0 else None
        if reached is None:
            yield SolverStep(x, value, converged=True)
            return
        x, (value, _), _ = reached
        yield SolverStep(x, value)


def levenberg_marquardt(objective: Objective, start: Floats, options: Options) -> Iterator[SolverStep]:
    """Gauss-Newton steps, damped until they go down (Levenberg 1944, Marquardt 1963).

    The step solves (G + m I) d = -g, where G is the Gauss-Newton matrix: J'J for least squares. The damping m
    falls tenfold after a step that helped and rises tenfold before one that does not.
    """
    x, damping = start, DAMPING
    value, gradient, matrix = objective.curvature(x)
    # Damping in units of the largest curvature of the start, so that the scale of the cost does not matter.
    scale = max(float(np.diag(matrix).max()), 1e-12)
    while True:
        if np.abs(gradient).max() <= options.tol:
            yield SolverStep(x, value, converged=True)
            return
        if not (np.isfinite(matrix).all() and np.isfinite(gradient).all()):
            yield SolverStep(x, float("nan"))
            return
        while damping <= MOST_DAMPING:
            step = _solved(matrix + damping * scale * np.eye(len(x)), -gradient)
            trial = x if step is None else x + objective.network.masked(step)
            if objective.value(trial) < value:
                break
            damping *= 10.0
        else:
            yield SolverStep(x, value, converged=True)
            return
        x, damping = trial, max(damping / 10.0, 1e-12)
        value, gradient, matrix = objective.curvature(x)
        yield SolverStep(x, value)


def _solved(matrix: Floats, right: Floats) -> Floats | None:
    """The solution, or None where rounding has made the matrix indefinite: it needs more damping."""
    with blas_threads(1):
        try:
            return np.asarray(cho_solve(cho_factor(matrix), right))
        except LinAlgError:
            return None

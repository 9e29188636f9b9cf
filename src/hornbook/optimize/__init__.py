"""Optimizers as iterators of ever better points.

`newton` and `lbfgs` are iterators. Each takes the smooth part of the objective (a `SecondOrder` or
`FirstOrder`: one method that returns the value and its derivatives), a start and, for an L1 penalty, the
weights ``l1``; it yields an `Iterate` for every step, the last one with ``converged``. The
learner decides how many to take, so that callbacks are called at each of them:

    steps = newton(objective, start, tol=1e-8)
    for _ in self.iterate(self.max_iter):
        step = next(steps)
        ...
        if step.converged:
            break

With ``l1``, Newton's step is found by `coordinate_descent`, which minimizes any quadratic function plus
absolute values; L-BFGS stays within an orthant (OWL-QN). `solve_positive` is the step of Newton's method
alone, `positive_solver` an estimate of it that L-BFGS can begin from. `interior_point` is for piecewise
functions: a convex quadratic plus `Hinges`, held in memory. `gradient_descent` is an iterator, too, with a
fixed rate or a line search (`line_minimum`).

`newton_root` finds where a function of one number is 0, `heron` square roots, `stationary_point` where all
derivatives of a function are 0, also under constraints, by Lagrange multipliers; `kkt_residuals` checks a
minimum under inequalities. `taylor` and `quadratic_change` expand a function around a point.
"""

from __future__ import annotations

from hornbook.optimize._coordinate_descent import coordinate_descent
from hornbook.optimize._gradient_descent import gradient_descent, line_minimum
from hornbook.optimize._heron import heron
from hornbook.optimize._interior_point import Hinges, interior_point
from hornbook.optimize._kkt import KKT, kkt_residuals
from hornbook.optimize._lagrange import (
    NumericDerivatives,
    StationaryPoint,
    constrained_quadratic,
    stationary_point,
)
from hornbook.optimize._lbfgs import lbfgs
from hornbook.optimize._newton import newton
from hornbook.optimize._objective import FirstOrder, Iterate, RescaledObjective, SecondOrder
from hornbook.optimize._root import newton_root
from hornbook.optimize._solve import positive_solver, solve_positive
from hornbook.optimize._taylor import quadratic_change, taylor

__all__ = [
    "KKT",
    "FirstOrder",
    "Hinges",
    "Iterate",
    "NumericDerivatives",
    "RescaledObjective",
    "SecondOrder",
    "StationaryPoint",
    "constrained_quadratic",
    "coordinate_descent",
    "gradient_descent",
    "heron",
    "interior_point",
    "kkt_residuals",
    "lbfgs",
    "line_minimum",
    "newton",
    "newton_root",
    "positive_solver",
    "quadratic_change",
    "solve_positive",
    "stationary_point",
    "taylor",
]

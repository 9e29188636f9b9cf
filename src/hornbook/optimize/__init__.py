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

from hornbook._lazy import attach

HOMES = {
    "KKT": "_kkt",
    "FirstOrder": "_objective",
    "Hinges": "_interior_point",
    "Iterate": "_objective",
    "NumericDerivatives": "_lagrange",
    "RescaledObjective": "_objective",
    "SecondOrder": "_objective",
    "StationaryPoint": "_lagrange",
    "constrained_quadratic": "_lagrange",
    "coordinate_descent": "_coordinate_descent",
    "gradient_descent": "_gradient_descent",
    "heron": "_heron",
    "interior_point": "_interior_point",
    "kkt_residuals": "_kkt",
    "lbfgs": "_lbfgs",
    "line_minimum": "_gradient_descent",
    "newton": "_newton",
    "newton_root": "_root",
    "positive_solver": "_solve",
    "quadratic_change": "_taylor",
    "solve_positive": "_solve",
    "stationary_point": "_lagrange",
    "taylor": "_taylor",
}

__all__ = list(HOMES)
__getattr__, __dir__ = attach(__name__, HOMES)

"""Solving the problems of a machine while callbacks watch."""

from __future__ import annotations

from typing import Any

import numpy as np

from hornbook import _native
from hornbook.frame import require_memory
from hornbook.kernels import is_no_product
from hornbook.svm._augmented import dual_ascent, primal_newton
from hornbook.svm._binary_problem import BinaryProblem, BinarySolution, SmoSettings, solution_of, solve_all
from hornbook.svm._kernel_table import KernelTable

__all__ = ["refuse_solver", "run_watched", "settings_of", "solve"]

ROUNDS = 8  # of a solver between two looks at it
AT_ONCE = 64  # problems between two looks at them
MOST_STEPS = 10_000_000  # of a solver whose steps are not limited
MOST_PASSES = 1_000_000  # of gradient ascent
MOST_NEWTON_STEPS = 1000


def refuse_solver(model: Any) -> None:
    """Refuse a solver for problems that are not its own."""
    if model.solver == "smo" and model.augment:
        raise ValueError(
            "SVC: solver='smo' has an intercept, and augment=True puts a penalized column in its place: set "
            "augment=False, or solver='dual_ascent' or 'primal_newton'."
        )
    if model.solver == "dual_ascent" and not model.augment:
        raise ValueError(
            "SVC: solver='dual_ascent' changes one multiplier at a time, which an intercept does not allow: "
            "set augment=True."
        )
    if model.solver == "primal_newton" and (model.loss != "squared_hinge" or np.isinf(model.C)):
        raise ValueError(
            "SVC: solver='primal_newton' needs a loss with curvature: set loss='squared_hinge' and a "
            "finite C."
        )


def settings_of(model: Any) -> SmoSettings:
    """Return what the solver of a machine may use."""
    return SmoSettings(
        model.tol,
        MOST_STEPS if model.max_iter < 0 else model.max_iter,
        int(model.cache_size * 2**20),
        model.shrinking,
        model._threads(),  # noqa: SLF001 - of the machine this is a part of
    )


def solve(model: Any, problems: list[BinaryProblem], table: KernelTable) -> list[BinarySolution]:
    """Solve the problem of each pair of classes, and refuse those without a solution."""
    if model.solver != "smo":
        solutions = [_textbook(model, problem, table) for problem in problems]
    elif len(problems) == 1:
        solutions = [run_watched(model, problems[0].solver(table, settings_of(model)))]
    else:
        solutions = _side_by_side(model, problems, table)
    for problem, solution in zip(problems, solutions, strict=True):
        _require_solution(model, problem, solution)
    return solutions


def run_watched(model: Any, solver: _native.SmoSolver) -> BinarySolution:
    """Run one solver to its end."""
    more = True
    for _ in model.iterate(MOST_STEPS, name="rounds"):
        more = solver.run(ROUNDS, model._threads())  # noqa: SLF001 - as above
        model.record(dual=solver.dual, primal=solver.dual + solver.gap, gap=solver.gap)
        if not more:
            break
    solver.settle(model._threads())  # noqa: SLF001 - as above
    return solution_of(solver)


def _side_by_side(model: Any, problems: list[BinaryProblem], table: KernelTable) -> list[BinarySolution]:
    settings = settings_of(model)
    part = SmoSettings(
        settings.tol,
        settings.max_steps,
        # As many problems as threads run at a time, and together they stay within cache_size.
        settings.cache_bytes // max(settings.n_threads, 1),
        settings.shrinking,
        settings.n_threads,
    )
    groups = [problems[i : i + AT_ONCE] for i in range(0, len(problems), AT_ONCE)]
    solutions: list[BinarySolution] = []
    # Every pair is needed: a callback that wants to stop is heard after the last.
    for i in model.iterate(len(groups), name="pairs of classes"):
        reached = solve_all(groups[i], table, part)
        dual, gap = sum(s.dual for s in reached), sum(s.gap for s in reached)
        model.record(dual=dual, primal=dual + gap, gap=gap)
        solutions += reached
    if len(solutions) < len(problems):
        solutions += solve_all(problems[len(solutions) :], table, part)
    return solutions


def _textbook(model: Any, problem: BinaryProblem, table: KernelTable) -> BinarySolution:
    n, limit = len(problem.rows), model.max_iter
    require_memory(n, n, "use fewer rows, or solver='smo'")
    K = table.matrix(problem.rows, problem.rows, model._threads())  # noqa: SLF001 - as above
    if model.solver == "dual_ascent":
        most = MOST_PASSES if limit < 0 else max(limit, 1)
        steps = dual_ascent(K, problem, model.tol, most)
    else:
        most = MOST_NEWTON_STEPS if limit < 0 else max(limit, 1)
        steps = primal_newton(K, problem, model.tol, most, intercept=not model.augment)
    solution = next(steps)
    for i in model.iterate(most, name="pass"):
        solution = solution if i == 0 else next(steps, solution)
        model.record(dual=solution.dual, primal=solution.dual + solution.gap, gap=solution.gap)
        if solution.status != "out of steps":
            break
    return solution._replace(indefinite=is_no_product(model.kernel_, K))


def _require_solution(model: Any, problem: BinaryProblem, solution: BinarySolution) -> None:
    if solution.status == "optimal":
        return
    hard = problem.loss == "hinge" or not problem.ridge.any()
    late = (
        hard and np.isinf(problem.upper).any() and solution.status in ("unbounded", "out of steps", "stalled")
    )
    if late and not problem.slacks(solution.sums + solution.bias).max() <= 10 * model.tol:  # or no number
        raise ValueError(
            "SVC: C=inf asks for a hard margin, and this kernel does not separate the classes: set a finite "
            "C, or use a kernel with more features, such as 'rbf'."
        )
    # Without a bound, steps along a direction of negative curvature grow until numbers overflow.
    grown = solution.status == "stalled" and solution.indefinite and np.isinf(problem.upper).any()
    if (solution.status == "unbounded" or grown) and not late:
        raise ValueError(
            "SVC: the kernel is not positive semidefinite, and with this loss the objective has no optimum: "
            "set loss='hinge', or use another kernel."
        )

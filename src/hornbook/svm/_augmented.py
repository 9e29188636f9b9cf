"""Solvers of textbooks: gradient ascent on the dual, and Newton's method on the primal."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from hornbook import _native
from hornbook.kernels import (
    Gaussian,
    Kernel,
    KernelProduct,
    KernelSum,
    Laplacian,
    Linear,
    Polynomial,
    ScaledKernel,
    Sigmoid,
)
from hornbook.params import Floats, blas_threads
from hornbook.svm._binary_problem import BinaryProblem, BinarySolution

__all__ = ["augmented", "dual_ascent", "primal_newton"]

HALVINGS = 40  # of a Newton step that does not lower the objective
LEAST_MARGIN = 1e-10  # its square, relative to the largest row


def augmented(kernel: Kernel, learner: str) -> Kernel:
    """Return the kernel of rows with a further column of 1, k((x, 1), (y, 1)).

    The weight of that column takes the place of the intercept, and is penalized like the others.
    """
    if isinstance(kernel, Linear):
        return Polynomial(1, 1.0, 1.0)
    if isinstance(kernel, Polynomial):
        # (s (x·y + 1) + c)^d = (s x·y + c + s)^d.
        return Polynomial(kernel.degree, kernel.constant + kernel.scale, kernel.scale)
    if isinstance(kernel, Sigmoid):
        return Sigmoid(kernel.scale, kernel.offset + kernel.scale)
    if isinstance(kernel, Gaussian | Laplacian):  # distances stay what they are
        return kernel
    if isinstance(kernel, KernelSum | KernelProduct):
        return type(kernel)(augmented(kernel.one, learner), augmented(kernel.other, learner))
    if isinstance(kernel, ScaledKernel):
        return ScaledKernel(augmented(kernel.kernel, learner), kernel.factor)
    raise ValueError(
        f"{learner}: augment=True adds a column to the rows before the kernel, which needs one of the "
        "kernels of hornbook.kernels; got a function or a matrix: set augment=False."
    )


def dual_ascent(K: Floats, problem: BinaryProblem, tol: float, max_iter: int) -> Iterator[BinarySolution]:
    """Yield the solution after each pass of stochastic gradient ascent on the dual, without an intercept.

    Rows correct their multipliers one after the other, in their order, by (1 - y f(x)) / k(x, x), kept
    between 0 and C; with the squared loss 1 / (2 C) is added to the diagonal, and there is no upper bound.
    It ends when a pass moves the multipliers by no more than ``tol``, or when a hard margin turns out to be
    impossible: passes then add the same to the multipliers forever, see `_unbounded`.
    """
    ridge = problem.ridge
    hard = bool(np.isinf(problem.upper).any() and not ridge.any())
    # The kernel adatron (Frieß, Cristianini and Campbell 1998). Without an intercept the multipliers need not
    # add up to 0, so that they can be corrected one at a time and not only in pairs.
    full = np.ascontiguousarray(K + np.diag(ridge))
    alpha, sums, before = np.zeros(len(K)), np.zeros(len(K)), np.zeros(len(K))
    for i in range(max_iter):
        change = _native.ascent_pass(full, problem.signs, problem.upper, alpha, sums)
        coef = problem.signs * alpha
        own = sums - ridge * coef  # without what the loss adds
        status = "optimal" if change <= tol else "out of steps"
        # After 1, 2, 4, ... passes: the growth since the last check then lasted for half of all passes, in
        # which what still converges has faded, and all checks together cost as much as a few passes.
        if hard and (i + 1) & i == 0:  # after 1, 2, 4, ... passes
            status = "unbounded" if _unbounded(K, problem.signs, alpha - before) else status
            before = alpha.copy()
        yield _solution(problem, coef, 0.0, own, i + 1, change, status)
        if status != "out of steps":
            return


def _unbounded(K: Floats, signs: Floats, growth: Floats) -> bool:
    """Whether multipliers can grow this way forever: it moves the weights by no more than rounding.

    Then 0 is a convex combination of the rows times their sides, and by Farkas' lemma no weights put all rows
    on their sides.
    """
    rising = np.maximum(growth, 0.0)
    mass, coef = float(rising.sum()), signs * rising
    return mass > 0 and float(coef @ K @ coef) <= LEAST_MARGIN * float(K.diagonal().max()) * mass**2


# Chapelle, "Training a support vector machine in the primal" (Neural Computation 2007).
def primal_newton(
    K: Floats, problem: BinaryProblem, tol: float, max_iter: int, *, intercept: bool
) -> Iterator[BinarySolution]:
    """Yield the solution after each Newton step on the primal with the squared loss.

    The weights are a sum of rows with coefficients b, and the objective is ½ b'Kb + C Σ max(0, 1 - y f)²
    with f = K b, plus an intercept that is not penalized if there is one. Gradient and Hessian, K + 2 K C_a K
    over rows a with slack, have the factor K in common: without it, (I + 2 C_a K) b = 2 C_a y, which has a
    solution even if K is singular. It ends when a step moves the scores by no more than ``tol``.
    """
    n = len(K)
    coef, bias, scores = np.zeros(n), 0.0, np.zeros(n)
    value = problem.losses(scores)
    with blas_threads(1):
        for i in range(max_iter):
            full_coef, full_bias = _newton_target(K, problem, scores, intercept=intercept)
            step = 1.0
            for _ in range(HALVINGS):
                next_coef = coef + step * (full_coef - coef)
                next_bias = bias + step * (full_bias - bias)
                sums = K @ next_coef
                next_value = 0.5 * float(next_coef @ sums) + problem.losses(sums + next_bias)
                if next_value <= value * (1 + 1e-12):
                    break
                step /= 2
            change = float(np.abs(sums + next_bias - scores).max())
            coef, bias, scores, value = next_coef, next_bias, sums + next_bias, next_value
            done = change <= tol
            status = "optimal" if done else "out of steps"
            yield _solution(problem, coef, bias, sums, i + 1, change, status)
            if done:
                return


def _newton_target(
    K: Floats, problem: BinaryProblem, scores: Floats, *, intercept: bool
) -> tuple[Floats, float]:
    """Coefficients and intercept that are best if the same rows keep their slack."""
    inside = np.flatnonzero(problem.signs * scores < 1)
    coef = np.zeros(len(K))
    if not len(inside):
        return coef, 0.0
    m = len(inside)
    # On rows with slack b = 2 C (y - f), so K b + b / (2 C) + intercept = y; elsewhere b = 0.
    system = np.zeros((m + 1, m + 1))
    system[:m, :m] = K[np.ix_(inside, inside)] + np.diag(0.5 / problem.costs[inside])
    right = np.append(problem.signs[inside], 0.0)
    if intercept:
        system[:m, m] = system[m, :m] = 1.0
    else:
        system[m, m] = 1.0
    # Least squares, because equal rows without a loss on the diagonal, or rows of one class alone, make it
    # singular.
    solved = np.linalg.lstsq(system, right, rcond=None)[0]
    coef[inside] = solved[:m]
    return coef, float(solved[m])


def _solution(
    problem: BinaryProblem, coef: Floats, bias: float, sums: Floats, steps: int, change: float, status: str
) -> BinarySolution:
    square = float(coef @ sums)
    primal = 0.5 * square + problem.losses(sums + bias)
    dual = float(coef @ problem.signs) - 0.5 * square - 0.5 * float(problem.ridge @ coef**2)
    return BinarySolution(coef, bias, sums, steps, change, dual, primal - dual, status)

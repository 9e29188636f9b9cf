"""Optimizers on functions whose minimum is known."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import linprog
from scipy.special import expit

from hornbook.optimize import Hinges, coordinate_descent, interior_point, lbfgs, newton, solve_positive


class Quadratic:
    """(x - goal)' H (x - goal) / 2"""

    def __init__(self, H, goal):
        self.H, self.goal, self.looks = H, goal, 0

    def first(self, x):
        self.looks += 1
        away = x - self.goal
        return 0.5 * away @ self.H @ away, self.H @ away

    def second(self, x):
        return *self.first(x), self.H


class Softplus:
    """Sum of ln(1 + e^x) - s x: convex, and far away nearly straight, where full steps overshoot."""

    def __init__(self, shares):
        self.shares = shares

    def first(self, x):
        p = expit(x)
        return np.sum(np.logaddexp(0, x) - self.shares * x), p - self.shares

    def second(self, x):
        p = expit(x)
        return *self.first(x), np.diag(p * (1 - p))


def quadratic(n, seed):
    rng = np.random.default_rng(seed)
    A = rng.normal(size=(2 * n, n)) * 10.0 ** rng.uniform(-2, 2, n)
    return Quadratic(A.T @ A / n, rng.normal(size=n) * 3)


def lasso_conditions(slope, l1, x, atol):
    """The gradient of the smooth part is balanced by the l1 penalty, or within it at 0."""
    np.testing.assert_allclose(slope[x != 0], (-l1 * np.sign(x))[x != 0], atol=atol)
    assert (np.abs(slope[x == 0]) <= l1[x == 0] + atol).all()


@settings(derandomize=True, max_examples=50, deadline=None)
@given(n=st.integers(1, 8), seed=st.integers(0, 2**32))
def test_newton_needs_one_step_for_a_parabola(n, seed):
    bowl = quadratic(n, seed)
    first, last = list(newton(bowl, np.zeros(n)))
    np.testing.assert_allclose(first.x, bowl.goal, rtol=1e-6, atol=1e-6)
    assert last.converged
    assert bowl.looks == 2


@pytest.mark.parametrize("method", [newton, lbfgs])
def test_values_fall_and_steps_add_up(method):
    shares = np.array([0.9, 0.5, 0.01])
    start = np.array([9.0, -8.0, 7.0])
    steps = list(method(Softplus(shares), start, tol=1e-9))
    values = [step.value for step in steps]
    assert values == sorted(values, reverse=True)
    assert [step.converged for step in steps] == [False] * (len(steps) - 1) + [True]
    np.testing.assert_allclose(start + sum(step.step for step in steps), steps[-1].x, atol=1e-12)
    np.testing.assert_allclose(steps[-1].x, np.log(shares / (1 - shares)), atol=1e-4)


def test_last_step_of_newton_squares_the_error():
    *_, before, last = newton(Softplus(np.array([0.9])), np.zeros(1), tol=1e-6)
    goal = np.log(9.0)
    assert abs(last.x[0] - goal) < 2 * (before.x[0] - goal) ** 2


@pytest.mark.parametrize("method", [newton, lbfgs])
@settings(derandomize=True, max_examples=40, deadline=None)
@given(n=st.integers(1, 6), seed=st.integers(0, 2**32))
def test_absolute_values_make_zeros(method, n, seed):
    rng = np.random.default_rng(seed)
    A = rng.normal(size=(3 * n, n))
    bowl = Quadratic(A.T @ A / n, rng.normal(size=n))
    l1 = rng.uniform(0, 3, n) * (rng.random(n) < 0.8)
    *_, last = method(bowl, rng.normal(size=n), l1=l1, tol=1e-10 if method is lbfgs else 1e-18)
    assert last.converged
    lasso_conditions(bowl.first(last.x)[1], l1, last.x, 1e-6)


def test_an_optimizer_that_cannot_go_on_ends_without_convergence():
    class Liar(Softplus):
        def first(self, x):
            value, gradient = super().first(x)
            return value, -gradient

    for method in (newton, lbfgs):
        assert list(method(Liar(np.array([0.2])), np.zeros(1))) == []


def test_lbfgs_at_the_minimum_says_so():
    (only,) = lbfgs(Quadratic(np.eye(2), np.ones(2)), np.ones(2))
    assert only.converged
    assert only.x.tolist() == [1.0, 1.0]


@settings(derandomize=True, max_examples=50, deadline=None)
@given(n=st.integers(1, 8), seed=st.integers(0, 2**32))
def test_equations_in_any_units(n, seed):
    rng = np.random.default_rng(seed)
    A = rng.normal(size=(n + 5, n))
    H, x, units = A.T @ A, rng.normal(size=n), 10.0 ** rng.uniform(-8, 8, n)
    solution = solve_positive(H * units[:, None] * units, (H @ x) * units)
    np.testing.assert_allclose(solution * units, x, rtol=1e-6, atol=1e-6)


def test_redundant_columns_share_the_solution():
    A = np.random.default_rng(0).normal(size=(20, 3))
    A = np.column_stack([A, A[:, 0], np.zeros(20)])
    H, right = A.T @ A, A.T @ np.arange(20.0)
    x = solve_positive(H, right)
    np.testing.assert_allclose(H @ x, right, atol=1e-9)
    assert x[0] == pytest.approx(x[3])
    assert x[4] == 0.0


def test_equations_without_unknowns_or_without_numbers():
    assert solve_positive(np.zeros((0, 0)), np.zeros(0)).shape == (0,)
    for matrix, right in (
        ([[np.nan]], [1.0]),
        ([[1.0]], [np.inf]),
        ([[1.0, np.inf], [np.inf, 1.0]], [1.0, 1.0]),
    ):
        with pytest.raises(ValueError, match="infs or NaNs"):
            solve_positive(np.array(matrix), np.array(right))


def test_coordinate_descent_is_soft_thresholding_for_separate_coordinates():
    x, _, settled = coordinate_descent(
        np.diag([2.0, 4.0]), np.array([-6.0, 1.0]), l1=np.array([2.0, 2.0]), start=np.zeros(2)
    )
    assert settled
    assert x.tolist() == [2.0, 0.0]


@settings(derandomize=True, max_examples=60, deadline=None)
@given(n=st.integers(1, 30), d=st.integers(1, 5), coarse=st.booleans(), seed=st.integers(0, 2**16))
def test_interior_points_end_in_the_corner_of_a_linear_program(n, d, coarse, seed):
    rng = np.random.default_rng(seed)
    rows = rng.integers(-1, 2, (n, d)).astype(float) if coarse else rng.normal(size=(n, d))
    offset, weight = rng.normal(size=n), rng.uniform(0.1, 2, n)
    l1 = rng.uniform(0.1, 1, d)
    task = Hinges(
        np.vstack([rows, -np.eye(d)]),
        np.append(offset, np.zeros(d)),
        np.append(weight, 2 * l1),
        -l1,
        np.zeros(d),
    )
    *_, last = interior_point(task)
    cost = np.concatenate([l1, l1, weight])
    best = linprog(cost, A_ub=np.hstack([-rows, rows, -np.eye(n)]), b_ub=-offset, bounds=(0, None))
    assert last.converged
    assert task.value(last.x) == pytest.approx(last.value)
    assert last.value == pytest.approx(best.fun, rel=1e-10, abs=1e-12)


def test_interior_points_solve_a_parabola_with_hinges_to_the_last_digits():
    """The gradient is balanced by multipliers: the weight above a hinge, 0 below, between at its kink."""
    rng = np.random.default_rng(0)
    rows, offset, weight = rng.normal(size=(200, 6)), rng.normal(size=200), rng.uniform(0.1, 2, 200)
    task = Hinges(rows, offset, weight, rng.normal(size=6), rng.uniform(0.5, 2, 6))
    *steps, last = interior_point(task)
    assert len(steps) < 25
    lack = task.lacking(last.x)
    at = np.abs(lack) < 1e-12
    slope = task.ridge * last.x + task.pull - weight[lack > 1e-12] @ rows[lack > 1e-12]
    shares = np.linalg.lstsq(rows[at].T, slope, rcond=None)[0]
    np.testing.assert_allclose(rows[at].T @ shares, slope, atol=1e-10)
    assert ((shares >= 0) & (shares <= weight[at])).all()


def test_interior_points_give_up_on_what_has_no_minimum():
    task = Hinges(np.ones((1, 1)), np.zeros(1), np.ones(1), np.full(1, -1.0), np.zeros(1))
    *_, last = interior_point(task)
    assert not last.converged

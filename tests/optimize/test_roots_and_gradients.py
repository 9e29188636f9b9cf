"""Roots, gradient descent, line searches, stationary points and multipliers."""

from __future__ import annotations

import math
from itertools import islice, pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import brentq, minimize

from hornbook.optimize import (
    NumericDerivatives,
    constrained_quadratic,
    gradient_descent,
    kkt_residuals,
    line_minimum,
    newton_root,
    quadratic_change,
    stationary_point,
    taylor,
)


class Bowl:
    """x' H x / 2 - b·x"""

    def __init__(self, H, b):
        self.H, self.b = np.asarray(H, dtype=float), np.asarray(b, dtype=float)

    def first(self, x):
        return 0.5 * x @ self.H @ x - self.b @ x, self.H @ x - self.b

    def second(self, x):
        return *self.first(x), self.H


class TestTaylor:
    def test_a_polynomial_is_its_expansion(self):
        coefficients = [6.0, -18.0, 115 / 6, -7.0, 5 / 6]
        poly = np.polynomial.Polynomial(coefficients)
        at, x = 1.3, 2.9
        derivatives = [float(poly.deriv(k)(at)) for k in range(5)]
        assert taylor(derivatives, x - at) == pytest.approx(poly(x), rel=1e-12)

    @pytest.mark.parametrize("step", [0.1, -0.1])
    def test_the_error_of_second_order_falls_with_the_cube(self, step):
        errors = [abs(math.exp(s) - taylor([1.0, 1.0, 1.0], s)) for s in (step, step / 2)]
        assert errors[0] / errors[1] == pytest.approx(8, rel=0.05)

    def test_change_of_a_quadratic_function_is_exact(self):
        bowl = Bowl([[3.0, 1.0], [1.0, 2.0]], [1.0, -1.0])
        x, step = np.array([0.3, -2.0]), np.array([1.5, 0.7])
        value, gradient, hessian = bowl.second(x)
        change = quadratic_change(gradient, hessian, step)
        assert value + change == pytest.approx(bowl.first(x + step)[0])


class TestRoots:
    def test_newton_and_raphson(self):
        assert newton_root(lambda x: (x * x - 2, 2 * x), 1.0) == pytest.approx(math.sqrt(2), abs=1e-15)
        assert newton_root(lambda x: (math.cos(x) - x, -math.sin(x) - 1), 1.0) == pytest.approx(
            0.7390851332151607
        )

    def test_an_interval_makes_it_certain(self):
        # Newton's steps from 2 run away; those between two signs do not.
        def arctan(x):
            return math.atan(x), 1 / (1 + x * x)

        with pytest.raises(ValueError, match="found no root"):
            newton_root(arctan, 2.0)
        assert newton_root(arctan, 2.0, between=(-1.0, 30.0)) == pytest.approx(0.0, abs=1e-300)

    @settings(derandomize=True, max_examples=50, deadline=None)
    @given(root=st.floats(-50, 50), power=st.sampled_from([1, 3, 5]), start=st.floats(-60, 60))
    def test_flat_roots_are_found(self, root, power, start):
        def function(x):
            return (x - root) ** power, power * (x - root) ** (power - 1)

        zero = newton_root(function, start, between=(-60.0, 60.0))
        assert zero == pytest.approx(root, abs=1e-4 if power > 1 else 1e-12)

    def test_as_scipy(self):
        zero = newton_root(lambda x: (math.exp(x) - 5, math.exp(x)), 0.0, between=(0.0, 9.0))
        assert zero == pytest.approx(brentq(lambda x: math.exp(x) - 5, 0, 9), rel=1e-12)

    def test_no_root_is_said(self):
        with pytest.raises(ValueError, match="found no root"):
            newton_root(lambda _: (1.0, 0.0), 0.0)


class TestGradientDescent:
    BOWL = Bowl([[3.0, 1.0], [1.0, 2.0]], [1.0, -1.0])
    LOWEST = np.linalg.solve(BOWL.H, BOWL.b)

    @pytest.mark.parametrize("rate", [0.3, "line"])
    def test_descent_and_ascent(self, rate):
        *steps, last = gradient_descent(self.BOWL, np.array([4.0, 4.0]), rate=rate)
        assert last.converged
        np.testing.assert_allclose(last.x, self.LOWEST, atol=1e-6)
        values = [step.value for step in steps]
        assert all(b <= a + 1e-12 for a, b in pairwise(values))
        hill = Bowl(-self.BOWL.H, -self.BOWL.b)
        *_, top = gradient_descent(hill, np.array([4.0, 4.0]), rate=rate, maximize=True)
        np.testing.assert_allclose(top.x, self.LOWEST, atol=1e-6)

    def test_a_line_search_goes_to_the_lowest_point_of_the_line(self):
        start = np.array([4.0, 4.0])
        step = next(gradient_descent(self.BOWL, start))
        _, gradient = self.BOWL.first(start)
        best = -gradient @ gradient / (gradient @ self.BOWL.H @ gradient)
        assert best < 0
        np.testing.assert_allclose(step.step, best * gradient, rtol=1e-6)
        # Its next direction is at right angles.
        assert gradient @ self.BOWL.first(step.x)[1] == pytest.approx(0, abs=1e-4)

    def test_a_rate_that_is_too_large_diverges_and_never_says_converged(self):
        with np.errstate(all="ignore"):
            steps = list(islice(gradient_descent(self.BOWL, np.array([4.0, 4.0]), rate=1.0), 5000))
        assert len(steps) < 5000
        assert not any(step.converged for step in steps)

    def test_a_line_without_a_minimum_is_said(self):
        assert line_minimum(lambda b: (b + 7) ** 4) == pytest.approx(-7, abs=1e-2)
        with pytest.raises(ValueError, match="no minimum"):
            line_minimum(lambda b: -b)


class TestStationaryPoints:
    @pytest.mark.parametrize(
        ("signs", "kind"),
        [((1, 1), "minimum"), ((-1, -1), "maximum"), ((1, -1), "saddle"), ((1, 0), "undecided")],
    )
    def test_kinds(self, signs, kind):
        point = stationary_point(Bowl(np.diag(np.array(signs, dtype=float)), [1.0, 0.0]), np.ones(2))
        assert point.kind == kind
        assert point.x[0] == pytest.approx(signs[0])

    def test_numeric_derivatives(self):
        def function(x):
            return math.sin(x[0]) * x[1] ** 2 + math.exp(x[2] * x[0])

        x = np.array([0.4, -1.2, 2.0])
        value, gradient, hessian = NumericDerivatives(function).second(x)
        e = math.exp(0.8)
        assert value == function(x)
        expected = [math.cos(0.4) * 1.44 + 2 * e, 2 * math.sin(0.4) * -1.2, 0.4 * e]
        np.testing.assert_allclose(gradient, expected, rtol=1e-6)
        mixed = [
            [-math.sin(0.4) * 1.44 + 4 * e, 2 * math.cos(0.4) * -1.2, e + 0.8 * e],
            [2 * math.cos(0.4) * -1.2, 2 * math.sin(0.4), 0.0],
            [1.8 * e, 0.0, 0.16 * e],
        ]
        np.testing.assert_allclose(hessian, mixed, atol=1e-5)

    def test_constraints_of_a_quadratic(self):
        draw = np.random.default_rng(0)
        A = draw.normal(size=(5, 5))
        H, g, rows, offset = A @ A.T, draw.normal(size=5), draw.normal(size=(2, 5)), draw.normal(size=2)
        s, m = constrained_quadratic(H, g, rows, offset)
        np.testing.assert_allclose(rows @ s, offset)
        np.testing.assert_allclose(H @ s + g + rows.T @ m, 0, atol=1e-10)
        judge = minimize(
            lambda x: g @ x + 0.5 * x @ H @ x,
            np.zeros(5),
            constraints={"type": "eq", "fun": lambda x: rows @ x - offset},
            options={"maxiter": 500, "ftol": 1e-14},
        )
        np.testing.assert_allclose(s, judge.x, atol=1e-4)

    def test_a_redundant_constraint_does_no_harm(self):
        s, _ = constrained_quadratic(np.eye(2), np.zeros(2), np.ones((2, 2)), np.ones(2))
        np.testing.assert_allclose(s, [0.5, 0.5])

    def test_no_point_is_said(self):
        with pytest.raises(ValueError, match="did not converge"):
            stationary_point(NumericDerivatives(lambda x: math.exp(x[0])), np.zeros(1), max_steps=20)


class TestKKT:
    """The nearest point of the half-plane x + y >= 2 to the origin, and of one that holds it."""

    def conditions(self, x, bound, m):
        half = Bowl(np.zeros((2, 2)), [1.0, 1.0])

        class Half:
            def second(self, x):
                value, gradient, hessian = half.second(x)
                return value + bound, gradient, hessian

        bowl = Bowl(2 * np.eye(2), [0.0, 0.0])
        return kkt_residuals(bowl, np.array(x), inequalities=[Half()], multipliers=np.array([m]))

    def test_a_binding_constraint_has_a_multiplier(self):
        assert self.conditions([1.0, 1.0], 2.0, 2.0).largest == pytest.approx(0, abs=1e-12)

    def test_one_that_does_not_bind_has_none(self):
        assert self.conditions([0.0, 0.0], -2.0, 0.0).largest == 0

    @pytest.mark.parametrize(
        ("x", "bound", "m", "violated"),
        [
            ([0.0, 0.0], 2.0, 0.0, "feasibility"),
            ([1.0, 1.0], 2.0, 1.0, "stationarity"),
            ([1.0, 1.0], -2.0, 2.0, "complementarity"),
            ([-1.0, -1.0], -2.0, -2.0, "dual_feasibility"),
        ],
    )
    def test_each_condition_is_checked(self, x, bound, m, violated):
        residuals = self.conditions(x, bound, m)
        assert getattr(residuals, violated) == residuals.largest > 0.5

"""Optimization in the notes: gradient descent step by step, and extrema under constraints."""

from __future__ import annotations

import math
from itertools import islice

import numpy as np
import pytest

from hornbook.optimize import (
    NumericDerivatives,
    gradient_descent,
    newton,
    newton_root,
    stationary_point,
    taylor,
)

F = np.polynomial.Polynomial([6.0, -18.0, 115 / 6, -7.0, 5 / 6])


class Quartic:
    """5/6 u^4 - 7 u^3 + 115/6 u^2 - 18 u + 6"""

    def first(self, u):
        return float(F(u[0])), np.array([F.deriv()(u[0])])

    def second(self, u):
        return *self.first(u), np.array([[F.deriv(2)(u[0])]])


# u, f(u), f'(u) and the step of each of ten steps from 0.2 at rate 0.01, as printed.
TABLE = [
    (0.200, 3.112, -11.147, 0.111),
    (0.311, 2.050, -7.999, 0.080),
    (0.391, 1.491, -6.015, 0.060),
    (0.451, 1.171, -4.667, 0.047),
    (0.498, 0.976, -3.704, 0.037),
    (0.535, 0.852, -2.990, 0.030),
    (0.565, 0.771, -2.444, 0.024),
    (0.589, 0.716, -2.019, 0.020),
    (0.610, 0.679, -1.681, 0.017),
    (0.626, 0.653, -1.409, 0.014),
]


def test_ten_steps_of_gradient_descent():
    start = np.array([0.2])
    steps = list(islice(gradient_descent(Quartic(), start, rate=0.01), 10))
    points = [start, *(step.x for step in steps)]
    for (u, value, slope, length), point, step in zip(TABLE, points, steps, strict=False):
        first = Quartic().first(point)
        assert [point[0], first[0], first[1][0], step.step[0]] == pytest.approx(
            [u, value, slope, length], abs=0.003
        )
    assert points[10][0] == pytest.approx(0.640, abs=0.003)
    assert steps[9].value == pytest.approx(0.635, abs=0.003)


def test_where_descent_and_ascent_end():
    ends = [(0.2, False, 0.7232, 0.5871), (4.0, False, 3.3437, 2.5839), (2.0, True, 2.2332, 4.1551)]
    for start, maximize, u, value in ends:
        *_, last = gradient_descent(Quartic(), np.array([start]), rate=0.01, maximize=maximize)
        assert last.converged
        assert [last.x[0], last.value] == pytest.approx([u, value], abs=1e-4)
    *_, last = gradient_descent(Quartic(), np.array([0.2]))
    assert last.x[0] == pytest.approx(0.7232, abs=1e-4)


def test_newton_finds_minima_maxima_and_needs_one_step_for_a_parabola():
    for start, u, kind in ((0.5, 0.7232, "minimum"), (2.2, 2.2332, "maximum"), (3.2, 3.3437, "minimum")):
        point = stationary_point(Quartic(), np.array([start]))
        assert point.x[0] == pytest.approx(u, abs=1e-4)
        assert point.kind == kind
        root = newton_root(lambda v: (F.deriv()(v), F.deriv(2)(v)), start)
        assert root == pytest.approx(point.x[0], rel=1e-9)
    *_, last = newton(Quartic(), np.array([0.5]))
    assert last.x[0] == pytest.approx(0.7232, abs=1e-4)

    class Parabola:
        looks = 0

        def second(self, x):
            self.looks += 1
            return float(3 * x[0] ** 2 - 5 * x[0]), 6 * x - 5, np.array([[6.0]])

    parabola = Parabola()
    assert stationary_point(parabola, np.array([40.0])).x[0] == pytest.approx(5 / 6)
    assert parabola.looks == 2  # at the start, and at the end


def test_a_root_by_newton_and_raphson():
    """x becomes x - f(x) / f'(x)."""
    assert newton_root(lambda x: (x**2 - 612, 2 * x), 10.0) == pytest.approx(math.sqrt(612), rel=1e-15)


def test_maclaurin_series_of_the_exponential():
    assert taylor([1.0] * 20, 1.0) == pytest.approx(math.e, rel=1e-15)
    assert taylor([1.0] * 3, 1.0) == 2.5


def test_minimum_without_constraints():
    function = NumericDerivatives(lambda v: v[0] ** 2 + v[1] ** 2 + v[0] * v[1] - 4 * v[0] - 5 * v[1])
    point = stationary_point(function, np.zeros(2))
    np.testing.assert_allclose(point.x, [1, 2], atol=1e-6)
    assert point.value == pytest.approx(-7)
    assert point.kind == "minimum"


def test_a_pendulum_has_one_coordinate():
    """x^2 + y^2 = r^2 is gone when the angle is the coordinate; both ways lead to the same points."""
    r, g = 2.0, 9.81

    def at(angle):
        return np.array([r * math.sin(angle), -r * math.cos(angle)])

    height = NumericDerivatives(lambda angle: g * at(angle[0])[1])
    low = stationary_point(height, np.array([0.4]))
    assert at(low.x[0]) @ at(low.x[0]) == pytest.approx(r * r)
    np.testing.assert_allclose(at(low.x[0]), [0, -r], atol=1e-6)
    rod = NumericDerivatives(lambda p: p @ p - r * r)
    bound = stationary_point(NumericDerivatives(lambda p: g * p[1]), np.array([0.5, -1.8]), constraints=[rod])
    np.testing.assert_allclose(bound.x, [0, -r], atol=1e-6)
    assert low.kind == bound.kind == "minimum"
    assert bound.multipliers[0] == pytest.approx(-g / (2 * r), rel=1e-6)


def test_the_point_of_a_line_nearest_to_the_origin():
    point = stationary_point(
        NumericDerivatives(lambda v: v @ v),
        np.array([3.0, -4.0]),
        constraints=[NumericDerivatives(lambda v: v[0] + v[1] - 1)],
    )
    np.testing.assert_allclose(point.x, [0.5, 0.5], atol=1e-6)
    assert point.multipliers[0] == pytest.approx(1.0, abs=1e-6)
    assert point.kind == "minimum"


@pytest.mark.parametrize("S", [6.0, 20.0])
def test_the_largest_box_of_a_given_surface_is_a_cube(S):
    side = math.sqrt(S / 6)
    point = stationary_point(
        NumericDerivatives(lambda v: v[0] * v[1] * v[2]),
        side * np.array([0.8, 1.1, 1.2]),
        constraints=[NumericDerivatives(lambda v: 2 * (v[0] * v[1] + v[0] * v[2] + v[1] * v[2]) - S)],
    )
    np.testing.assert_allclose(point.x, [side] * 3, rtol=1e-5)
    assert point.multipliers[0] == pytest.approx(side / 4, rel=1e-5)
    assert point.kind == "maximum"

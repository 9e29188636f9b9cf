"""What the figures of note N2 about searches and constraints show."""

from __future__ import annotations

import numpy as np
import pytest

from gallery import n2_optimization as shown

QUARTIC = shown.QUARTIC


def test_apex_is_where_newtons_step_leads():
    [ax] = shown.quadratic_approximation().axes
    curve, near, start, apex = ax.lines[:4]
    np.testing.assert_allclose(curve.get_ydata(), QUARTIC(curve.get_xdata()))
    at = start.get_xdata()[0]
    x, y = apex.get_xydata()[0]
    assert x == pytest.approx(at - QUARTIC.deriv()(at) / QUARTIC.deriv(2)(at))
    assert near.get_ydata().min() == pytest.approx(y, abs=1e-4)


def test_tangents_lead_to_the_cube_root_of_two():
    [ax] = shown.newton_tangents().axes
    points = ax.lines[-1].get_xdata()
    assert points[0] == 3.0
    np.testing.assert_allclose(points[1:], points[:-1] - (points[:-1] ** 3 - 2) / (3 * points[:-1] ** 2))
    assert (np.diff(np.abs(points - 2 ** (1 / 3))) < 0).all()
    assert [text.get_text() for text in ax.texts] == ["$x_{0}$", "$x_{1}$", "$x_{2}$", "$x_{3}$"]


def test_gradient_points_uphill_from_the_point():
    [ax] = shown.gradient_vector().axes
    x, y, z = (side[0] for side in ax.lines[-1].get_data_3d())
    assert z == pytest.approx(0.5 * x**2 + y**2)
    shaft = np.array(ax.collections[-1]._segments3d[0])[:, :2]
    way = shaft[np.argmax(np.linalg.norm(shaft - [x, y], axis=1))] - [x, y]
    np.testing.assert_allclose(
        way / np.linalg.norm(way), np.array([x, 2 * y]) / np.hypot(x, 2 * y), atol=1e-5
    )
    assert [text.get_text() for text in ax.texts] == ["gradient"]


def test_ten_steps_are_those_of_the_table():
    [ax] = shown.descent_steps().axes
    curve, steps = ax.lines
    u = [0.200, 0.311, 0.391, 0.451, 0.498, 0.535, 0.565, 0.589, 0.610, 0.626, 0.640]
    f = [3.112, 2.050, 1.491, 1.171, 0.976, 0.852, 0.771, 0.716, 0.679, 0.653, 0.635]
    np.testing.assert_allclose(steps.get_xydata(), np.column_stack([u, f]), atol=0.003)
    np.testing.assert_allclose(curve.get_ydata(), QUARTIC(curve.get_xdata()))
    assert curve.get_xdata()[[0, -1]].tolist() == [0.0, 4.0]


def test_pendulum_has_its_four_symbols():
    [ax] = shown.stick_pendulum().axes
    x, y = ax.lines[-1].get_xydata()[0]
    assert np.hypot(x, y) == pytest.approx(1.0)
    assert [text.get_text() for text in ax.texts] == ["x", "y", "r", "φ"]


def test_both_constraints_hold_on_the_line():
    [ax] = shown.two_constraints().axes
    ends = np.array(ax.lines[0].get_data_3d()).T
    np.testing.assert_allclose(ends @ np.array([[0.35, 0.0, 1.0], [0.2, 1.0, -0.25]]).T, 0.0, atol=1e-12)
    assert len(ax.collections) == 4  # two planes, two gradients


def test_lagrange_example_ends_at_one_half():
    f, constraint, lagrangian, gradients, field = shown.lagrange_example().axes
    for ax, name in ((f, "optimum"), (lagrangian, "minimum")):
        *_, point = ax.lines
        np.testing.assert_allclose(np.ravel(point.get_data_3d()), [0.5, 0.5, 0.5], atol=1e-6)
        assert [text.get_text() for text in ax.texts] == [name]
    assert lagrangian.get_title() == "f - 1 C"
    for ax in (f, constraint):
        x, y, z = ax.lines[0].get_data_3d()
        np.testing.assert_allclose(x + y, 1.0)
        np.testing.assert_allclose(z, x**2 + y**2 if ax is f else 0.0, atol=1e-12)
    for ax in (gradients, field):
        of_function, of_constraint = ax.collections[-2:]
        np.testing.assert_allclose(
            of_function.U / of_function.V, of_constraint.U / of_constraint.V, rtol=1e-4
        )
    assert len(field.collections) == len(gradients.collections) + 1

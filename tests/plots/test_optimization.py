"""Searches step by step, and an optimum under a constraint."""

from __future__ import annotations

import math

import numpy as np
import pytest
from tests.plots.layout import complaints

from hornbook import plots


def square(x):
    return x**2


def test_descent_has_the_curve_and_the_points_on_it():
    ax = plots.descent(square, [1.0, 0.5, 0.25], reach=(-1, 2), name="u", title="down")
    curve, steps = ax.lines
    assert curve.get_xdata()[[0, -1]].tolist() == [-1, 2]
    assert steps.get_xydata().tolist() == [[1, 1], [0.5, 0.25], [0.25, 0.0625]]
    assert [text.get_text() for text in ax.texts] == ["start", "step 2"]
    assert [ax.get_xlabel(), ax.get_ylabel(), ax.get_title()] == ["u", "f(u)", "down"]
    assert complaints(ax) == []
    assert [text.get_text() for text in plots.descent(square, [1.0]).texts] == ["start"]


def test_tangents_lead_from_the_curve_to_the_next_point():
    points = [2.0, 1.5, 17 / 12]
    ax = plots.tangents(lambda x: x**2 - 2, points)
    down, slope = ax.lines[2:4]
    assert down.get_xydata().tolist() == [[2, 0], [2, 2]]
    assert slope.get_xydata().tolist() == [[2, 2], [1.5, 0]]
    # Its slope is the derivative 2x.
    slopes = [np.diff(line.get_xydata(), axis=0)[0] for line in ax.lines[3:7:2]]
    assert [up / across for across, up in slopes] == pytest.approx([4.0, 3.0])
    assert [text.get_text() for text in ax.texts] == ["$x_{0}$", "$x_{1}$", "$x_{2}$"]
    assert complaints(ax) == []


def test_parabola_touches_the_function_and_has_its_apex_at_the_newton_step():
    ax = plots.parabola(np.exp, [1.0, 1.0, 1.0], 0.0, reach=(-2, 1), title="exp")
    curve, near, start, apex = ax.lines[:4]
    x = curve.get_xdata()
    np.testing.assert_allclose(curve.get_ydata(), np.exp(x))
    np.testing.assert_allclose(near.get_ydata(), 1 + x + x**2 / 2)
    assert start.get_xydata().tolist() == [[0, 1]]
    assert apex.get_xydata().tolist() == [[-1, 0.5]]
    assert [text.get_text() for text in ax.texts] == ["start", "apex -1"]
    assert complaints(ax) == []


def test_gradients_point_the_same_way_at_a_constrained_optimum():
    ax = plots.constrained(lambda v: v @ v, lambda v: v.sum() - 1, [0.5, 0.5], (-1, 2), (-1, 2), field=True)
    of_function, of_constraint = ax.collections[-2:]
    np.testing.assert_allclose(of_function.U / of_function.V, 1.0, rtol=1e-5)
    np.testing.assert_allclose(of_constraint.U / of_constraint.V, 1.0, rtol=1e-5)
    line = ax.collections[1].get_paths()[0].vertices
    np.testing.assert_allclose(line.sum(axis=1), 1.0, atol=1e-9)
    field = ax.collections[2]
    np.testing.assert_allclose(np.column_stack([field.U, field.V]), 2 * field.XY, atol=1e-4)
    assert complaints(ax) == []
    assert len(plots.constrained(lambda v: v @ v, lambda v: v[0], [0, 0], (-1, 1), (-1, 1)).collections) == 4


def test_pendulum_is_on_its_circle():
    ax = plots.pendulum(-math.pi / 6, 2.0)
    x, y = ax.lines[-1].get_xydata()[0]
    assert [x, y] == pytest.approx([-1.0, -math.sqrt(3)])
    assert [text.get_text() for text in ax.texts] == ["x", "y", "r", "φ"]
    assert complaints(ax) == []


@pytest.mark.parametrize(
    ("draw", "message"),
    [
        (lambda: plots.descent(square, []), "descent: 'points' .* at least 1; got an array of shape"),
        (lambda: plots.tangents(square, [1.0]), "tangents: 'points' .* at least 2"),
        (lambda: plots.parabola(square, [1.0, 1.0, 0.0], 0.0), "curvature not 0"),
        (lambda: plots.constrained(square, square, [1.0], (0, 1), (0, 1)), "'optimum' must be two finite"),
        (lambda: plots.pendulum(0.0), "'angle' must be between"),
        (lambda: plots.pendulum(0.5, -1.0), "'r' positive"),
    ],
)
def test_wrong_input_is_one_sentence(draw, message):
    with pytest.raises(ValueError, match=message):
        draw()

"""Hyperplanes and conics."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hornbook.kernels import Gaussian, Linear, Polynomial, feature_map
from hornbook.svm import Hyperplane, conic_of, explicit_weights

NUMBERS = st.floats(-5, 5).map(lambda value: round(value, 2))


@settings(max_examples=25)
@given(w=st.lists(NUMBERS, min_size=2, max_size=2).filter(any), b=NUMBERS, x=st.tuples(NUMBERS, NUMBERS))
def test_foot_is_on_the_hyperplane_at_the_distance(w, b, x):
    plane = Hyperplane(w, b)
    (foot,) = plane.feet([x])
    assert plane.values([foot])[0] == pytest.approx(0.0, abs=1e-9)
    assert np.linalg.norm(np.array(x) - foot) == pytest.approx(abs(plane.distances([x])[0]), abs=1e-9)
    gap = np.array(x) - foot
    assert gap[0] * w[1] - gap[1] * w[0] == pytest.approx(0.0, abs=1e-9)


def test_axes_that_are_not_crossed():
    assert Hyperplane([2.0, 0.0], -4.0).intercepts().tolist() == [2.0, np.inf]


def test_points_on_the_hyperplane_are_on_no_side():
    plane = Hyperplane([1.0, 0.0], 0.0)
    assert plane.sides([[1.0, 5.0], [0.0, 5.0], [-1.0, 5.0]]).tolist() == [1, 0, -1]
    assert plane.separates([[1.0, 0.0], [-1.0, 0.0]], [1, -1])
    assert not plane.separates([[1.0, 0.0], [0.0, 0.0]], [1, -1])
    assert plane.margin([[1.0, 0.0], [2.0, 0.0]], [1, -1]) == -2.0


def test_wrong_planes_points_and_labels():
    plane = Hyperplane([1.0, 0.0], 0.0)
    with pytest.raises(ValueError, match="not all 0"):
        Hyperplane([0.0, 0.0], 1.0)
    with pytest.raises(ValueError, match="different points"):
        Hyperplane.through([1.0, 2.0], [1.0, 2.0])
    with pytest.raises(ValueError, match="2 columns"):
        plane.values([[1.0]])
    with pytest.raises(ValueError, match=r"-1 or \+1"):
        plane.margin([[1.0, 0.0]], [0])
    with pytest.raises(ValueError, match="separates the classes"):
        plane.canonical([[1.0, 0.0], [2.0, 0.0]], [1, -1])


def test_weights_in_feature_space_give_the_sum_of_kernel_values():
    draw = np.random.default_rng(0)
    rows, coef, x = draw.normal(size=(5, 3)), draw.normal(size=5), draw.normal(size=(1, 3))
    for kernel in (Linear(), Polynomial(3, 0.5, 2.0)):
        w = explicit_weights(kernel, rows, coef)
        assert feature_map(x, kernel)[0] @ w == pytest.approx(float(kernel.matrix(x, rows)[0] @ coef))
    with pytest.raises(ValueError, match="5 rows"):
        explicit_weights(Linear(), rows, coef[:2])
    with pytest.raises(TypeError, match="Polynomial"):
        explicit_weights(Gaussian(1.0), rows, coef)


@settings(max_examples=25)
@given(
    center=st.tuples(NUMBERS, NUMBERS),
    axes=st.tuples(st.floats(0.5, 5), st.floats(0.5, 5)),
    angle=st.floats(0, 3),
    hyperbola=st.booleans(),
    kernel=st.sampled_from([Polynomial(2, 1.0), Polynomial(2, 0.5, 3.0)]),
)
def test_center_and_semi_axes_come_back(center, axes, angle, hyperbola, kernel):
    turn = np.array([[np.cos(angle), np.sin(angle)], [-np.sin(angle), np.cos(angle)]])
    signs = np.array([1.0, -1.0 if hyperbola else 1.0])
    A = turn.T @ np.diag(signs / np.square(axes)) @ turn
    g, c = -2 * A @ center, np.array(center) @ A @ center - 1
    root = np.sqrt(2 * kernel.scale * kernel.constant)
    quadratic = np.array([A[0, 0], np.sqrt(2) * A[0, 1], A[1, 1]]) / kernel.scale
    conic = conic_of(kernel, [0.0, *(g / root), *quadratic], c)
    assert conic.kind == ("hyperbola" if hyperbola else "ellipse")
    np.testing.assert_allclose(conic.center, center, atol=1e-6)
    expected = axes if hyperbola else sorted(axes, reverse=True)
    np.testing.assert_allclose(conic.semi_axes, expected, rtol=1e-6)


@pytest.mark.parametrize(
    ("weights", "bias", "kind"),
    [
        ([1.0, 0.0, 1.0], 1.0, "empty"),
        ([1.0, 0.0, 1.0], 0.0, "point"),
        ([1.0, 0.0, -1.0], 0.0, "lines"),
        ([1.0, 0.0, 0.0], -1.0, "lines"),
        ([1.0, 0.0, 0.0], 1.0, "empty"),
        ([0.0, 0.0, 0.0], 1.0, "empty"),
    ],
)
def test_curves_that_are_no_curves(weights, bias, kind):
    assert conic_of(Polynomial(2, constant=0.0), weights, bias).kind == kind


def test_parabola_and_line():
    kernel = Polynomial(2, constant=0.5)  # √(2 constant) = 1
    assert conic_of(kernel, [0.0, 0.0, -1.0, 1.0, 0.0, 0.0], 0.0).kind == "parabola"  # x2 = x1²
    assert conic_of(kernel, [0.0, 1.0, -1.0, 0.0, 0.0, 0.0], 3.0).kind == "lines"
    with pytest.raises(ValueError, match="degree 2"):
        conic_of(Polynomial(3), [1.0, 0.0, 1.0], 0.0)

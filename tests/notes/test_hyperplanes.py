"""The geometry of hyperplanes and of quadratic boundaries, with the numbers of the notes."""

from __future__ import annotations

from math import sqrt

import numpy as np
import pytest

from hornbook.kernels import Linear, Polynomial, feature_map, feature_names
from hornbook.svm import Hyperplane, conic_of, explicit_weights

POSITIVE = [(3.5, 4.25), (4, 3), (4, 4), (4.5, 1.75), (4.9, 4.5), (5, 4), (5.5, 2.5), (5.5, 3.5)]
NEGATIVE = [(0.5, 1.5), (1, 2.5), (1.25, 0.5), (1.5, 1.5), (2, 2), (2.5, 0.75)]
POINTS = np.array(POSITIVE + NEGATIVE, dtype=float)
LABELS = np.repeat([1, -1], [8, 6])
LINE = Hyperplane([5.0, 2.0], -20.0)


def test_line_through_two_points():
    line = Hyperplane.through([4.0, 0.0], [2.0, 5.0])
    assert line.w.tolist() == [5.0, 2.0]
    assert line.b == -20.0
    assert -line.w[0] / line.w[1] == -5 / 2
    assert line.intercepts().tolist() == [4.0, 10.0]


def test_distance_of_the_origin():
    (directed,) = LINE.distances([[0.0, 0.0]])
    assert -1 * directed == pytest.approx(20 / sqrt(29))
    assert -1 * directed == pytest.approx(3.71, abs=5e-3)
    (foot,) = LINE.feet([[0.0, 0.0]])
    np.testing.assert_allclose(foot + directed * LINE.w / sqrt(29), [0.0, 0.0], atol=1e-12)


def test_half_spaces_separate_the_classes():
    assert LINE.separates(POINTS, LABELS)
    np.testing.assert_array_equal(LINE.sides(POINTS), LABELS)
    assert not LINE.separates([*POINTS, (4.0, 2.0), (5.0, 3.0)], [*LABELS, 1, -1])


def test_margin_and_support_vectors():
    assert LINE.margin(POINTS, LABELS) == pytest.approx(6 / sqrt(29))
    assert (2.0, 2.0) in {tuple(POINTS[i]) for i in LINE.support_vectors(POINTS, LABELS)}
    best = Hyperplane([5 / 6, 1 / 3], -10 / 3)
    assert best.support_vectors(POINTS, LABELS).tolist() == [0, 1, 3, 12, 13]


def test_canonical_form():
    canonical = LINE.canonical([[2.0, 2.0]], [-1])
    np.testing.assert_allclose(canonical.w, [0.833, 0.333], atol=5e-4)
    np.testing.assert_allclose([*canonical.w, canonical.b], [5 / 6, 2 / 6, -20 / 6])
    assert 1 / np.linalg.norm(canonical.w) == pytest.approx(1.114, abs=5e-4)
    values = LABELS * canonical.values(POINTS)
    assert (values >= 1 - 1e-12).all()
    on_margin = canonical.support_vectors(POINTS, LABELS)
    np.testing.assert_allclose(values[on_margin], 1.0)


class TestQuadraticKernel:
    kernel = Polynomial(2, constant=1.0)
    names = feature_names(kernel, ["x1", "x2"])
    rows = np.array([[1, 2], [4, 1], [6, 4.5], [7, 2], [4, 4], [6, 3]], dtype=float)
    labels = np.array([1, 1, 1, 1, -1, -1])
    alphas = np.array([0.6198, 2.069, 3.803, 0.3182, 2.9598, 3.8502])

    def test_map_of_a_point(self):
        mapped = dict(zip(self.names, feature_map([[1.0, 2.0]], self.kernel)[0].round(2), strict=True))
        printed = {"1": 1, "x1": 1.41, "x2": 2.83, "x1²": 1, "x2²": 4, "x1 x2": 2.83}
        assert mapped == printed

    def test_homogeneous_map(self):
        x, z = np.array([1.0, 2.0]), np.array([3.0, -1.0])
        homogeneous = Polynomial(2, constant=0.0)
        mapped = feature_map([x, z], homogeneous)
        np.testing.assert_allclose(mapped[0], [x[0] ** 2, sqrt(2) * x[0] * x[1], x[1] ** 2])
        assert mapped[0] @ mapped[1] == pytest.approx((x @ z) ** 2)
        # Appending a 1 to every row makes the inhomogeneous kernel of the homogeneous one.
        longer = np.column_stack([[x, z], [1.0, 1.0]])
        assert homogeneous(*longer) == pytest.approx(self.kernel(x, z))

    def machine(self):
        """Weights and bias of the machine with these six points on its margin: y (w·φ(x) + b) = 1."""
        K = self.kernel.matrix(self.rows, self.rows)
        left = np.block([[K * self.labels, np.ones((6, 1))], [self.labels, 0.0]])
        *alphas, bias = np.linalg.solve(left, [*self.labels, 0.0])
        np.testing.assert_allclose(alphas, self.alphas, atol=3e-3)  # printed with fewer digits than needed
        return explicit_weights(self.kernel, self.rows, alphas * self.labels), bias

    def test_explicit_weights(self):
        w, bias = self.machine()
        weights = dict(zip(self.names, w, strict=True))
        printed = {"1": 0.0, "x1": -1.413, "x2": -3.298, "x1²": 0.256, "x2²": 0.82, "x1 x2": -0.018}
        for name, value in printed.items():
            assert weights[name] == pytest.approx(value, abs=2e-3)
        assert bias == pytest.approx(8.841, abs=6e-3)  # the printed minus sign is a slip

    def test_ellipse(self):
        conic = conic_of(self.kernel, *self.machine())
        assert conic.kind == "ellipse"
        np.testing.assert_allclose(conic.center, [4.046, 2.907], atol=1e-3)
        np.testing.assert_allclose(conic.semi_axes, [2.78, 1.55], atol=5e-3)

    def test_straight_line_in_feature_space_or_curve_in_the_plane(self):
        """A nonlinear boundary is found by a kernel, or by a linear one on mapped columns."""
        mapped = feature_map(self.rows, self.kernel)
        np.testing.assert_allclose(Linear().matrix(mapped, mapped), self.kernel.matrix(self.rows, self.rows))

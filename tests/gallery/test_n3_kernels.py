"""What the figures of note N3 about separability, feature spaces and kernel machines show."""

from __future__ import annotations

import numpy as np
import pytest

from gallery import n3_kernels as shown
from hornbook.concepts import separable_probability


def contours(ax):
    return [part for part in ax.collections if hasattr(part, "levels")]


def vertices(part):
    return np.concatenate([path.vertices for path in part.get_paths()])


def test_three_points_on_a_line_are_not_in_general_position():
    left, right = shown.general_position().axes
    assert (left.get_title(), right.get_title()) == ("not in general position", "in general position")
    assert len(left.lines) == 2  # the points, and a line through three of them
    assert len(right.lines) == 1


def test_groupings_of_four_and_of_three_points():
    four, three = shown.groupings().axes
    assert four.get_title() == "14 of 16 labelings are linearly separable"
    assert three.get_title() == "8 of 8 labelings are linearly separable"
    assert (len(four.lines), len(three.lines)) == (1 + 6, 1 + 3)  # without the empty grouping
    assert [text.get_text() for text in four.texts] == ["A", "B", "C", "D"]


def test_all_curves_of_separability_pass_through_one_half():
    [ax] = shown.separability().axes
    for line, l in zip([line for line in ax.lines if len(line.get_xdata()) > 2], (5, 20, 100), strict=True):  # noqa: E741
        r, p = line.get_data()
        assert p[np.argmin(np.abs(r - 2))] == pytest.approx(0.5)
        at = int(np.argmin(np.abs(r - 1.5)))
        assert p[at] == separable_probability(int(r[at] * (l + 1) + 1e-9), l)


def test_plane_and_curve_of_polynomial_xor_are_those_of_the_notes():
    space, plane = shown.polynomial_xor().axes
    np.testing.assert_allclose(np.concatenate(space.collections[0]._faces) @ [1, 1, -2], 0.25)
    x1, x2 = vertices(contours(plane)[0]).T
    np.testing.assert_allclose(x1 + x2 - 2 * x1 * x2, 0.25, atol=0.01)
    assert space.get_zlabel() == "x1 x2"


def test_line_of_radial_xor():
    mapped, plane = shown.radial_xor().axes
    points = {tuple(np.round(place, 3)) for dots in mapped.collections for place in dots.get_offsets()}
    assert points == {(0.135, 1.0), (1.0, 0.135), (0.368, 0.368)}
    ends = mapped.lines[-1].get_xydata()
    assert ends[0].sum() == pytest.approx(ends[1].sum())  # y1 + y2 is constant on it
    assert 0.736 < ends[0].sum() < 1.135  # and separates (0.368, 0.368) from the others
    x = vertices(contours(plane)[0])
    values = np.exp(-((x - 1) ** 2).sum(axis=1)) + np.exp(-(x**2).sum(axis=1))
    np.testing.assert_allclose(values, ends[0].sum(), atol=0.01)


def test_a_circle_becomes_a_line():
    original, transformed = shown.squared_coordinates().axes
    ends = transformed.lines[-1].get_xydata()
    slope = np.diff(ends, axis=0)[0]
    normal = np.array([-slope[1], slope[0]])
    level = normal @ ends[0]
    np.testing.assert_allclose(vertices(contours(original)[0]) ** 2 @ normal / level, 1.0, atol=0.05)
    inner, outer = (np.asarray(dots.get_offsets()) @ normal / level for dots in transformed.collections)
    assert inner.max() < 1 < outer.min()


def test_machine_has_a_node_for_each_support_vector():
    [ax] = shown.machine_graph().axes
    assert ax.get_title().startswith("6 nodes")
    names = [text.get_text().replace("\n", " ") for text in ax.texts]
    assert sum(name.startswith("k(x, s") for name in names) == 6
    assert "sum" in names


def test_gaussian_machine_has_margins_and_circles():
    [ax] = shown.gaussian_machine().axes
    assert sorted(level for part in contours(ax) for level in part.levels) == [-1.0, 0.0, 1.0]
    circles = [dots for dots in ax.collections if dots not in contours(ax) and not len(dots.get_facecolors())]
    assert len(circles) == 1
    assert len(circles[0].get_offsets()) > 5


def test_the_same_machine_on_training_and_test_moons():
    train, test = shown.moon_machine().axes
    assert train.get_title() == "training: 0 of 600 wrong"
    wrong = int(test.get_title().split()[1])
    assert wrong <= 6
    np.testing.assert_allclose(
        vertices(contours(train)[0]).mean(axis=0), vertices(contours(test)[0]).mean(axis=0), atol=0.6
    )


def test_two_kernels_have_different_boundaries():
    degree, radial = shown.two_kernels().axes
    assert (degree.get_title(), radial.get_title()) == ("degree 4", "radial")
    assert vertices(contours(degree)[0]).shape != vertices(contours(radial)[0]).shape

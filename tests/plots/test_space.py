"""Plots in three dimensions."""

from __future__ import annotations

import numpy as np
import pytest
from matplotlib.figure import Figure
from tests.plots.layout import drawn

from hornbook import plots

CUBE = ["000", "001", "010", "011", "100", "101", "110", "111"]


def places(line):
    return np.array(line.get_data_3d())


def test_surface_raises_points_and_curves_to_the_function():
    ax = plots.surface(
        lambda x, y: x * y + 1,
        (-1, 1),
        (0, 2),
        points={"here": (0.5, 1.0)},
        curves=[[[-1, 0], [1, 2]]],
        arrows={"gradient": ((1.0, 1.0), (0.2, 0.4))},
        names=("a", "b", "c"),
        title="saddle",
    )
    curve, point, down, foot = ax.lines
    x, y, z = places(curve)
    assert [x[0], y[0], x[-1], y[-1]] == [-1, 0, 1, 2]
    np.testing.assert_allclose(z, x * y + 1)
    assert places(point).ravel().tolist() == [0.5, 1.0, 1.5]
    assert places(down)[2].tolist() == [pytest.approx(-1 - 0.15 * 4), 2.0]  # from the floor to the surface
    assert places(foot).ravel().tolist() == [1.0, 1.0, 2.0]
    assert [text.get_text() for text in ax.texts] == ["here", "gradient"]
    assert [ax.get_xlabel(), ax.get_ylabel(), ax.get_zlabel(), ax.get_title()] == ["a", "b", "c", "saddle"]
    drawn(ax)


def test_feature_space_has_the_plane_between_the_classes():
    corners = np.array([[0, 0, 0], [0, 1, 0], [1, 0, 0], [1, 1, 1]], dtype=float)
    ax = plots.feature_space(corners, list("BAAB"), [1, 1, -2], 0.25)
    plane, *dots = ax.collections
    vertices = np.concatenate(plane._faces)
    np.testing.assert_allclose(vertices @ [1, 1, -2], 0.25)
    assert vertices.min() >= 0
    assert vertices.max() <= 1  # inside the box of the points
    assert [len(part._offsets3d[0]) for part in dots] == [2, 2]
    assert [text.get_text() for text in ax.get_legend().get_texts()] == ["A", "B"]
    drawn(ax)


def test_feature_space_has_a_direction():
    ax = plots.feature_space([[1, 1, 1], [-1, 0, 0]], ["a", "b"], [0, 0, 2.0], direction=True)
    assert places(ax.lines[0]).tolist() == [[0, 0], [0, 0], [0, 1]]
    assert [text.get_text() for text in ax.texts] == [" w"]


def test_cube_has_its_edges_codes_and_plane():
    ax = plots.hypercube(["111"], ["000", "001"], [1, 1, 1], 2.5)
    assert sorted(text.get_text() for text in ax.texts) == CUBE
    lengths = [np.abs(np.diff(places(edge))).sum() for edge in ax.lines]
    assert lengths == [1.0] * 12
    assert len(ax.collections) == 1 + 8  # the plane and the vertices
    assert len(plots.hypercube(["111"], []).collections) == 8
    drawn(ax)


def test_two_planes_meet_in_a_line():
    weights, thresholds = np.array([[1.0, 0.0, 1.0], [0.0, 1.0, -1.0]]), np.array([1.0, 0.5])
    ax = plots.constraint_planes(weights, thresholds, reach=2.0)
    ends = places(ax.lines[0]).T
    np.testing.assert_allclose(ends @ weights.T, [thresholds] * 2, atol=1e-12)
    assert np.linalg.norm(ends[1] - ends[0]) == pytest.approx(4.0)
    assert [text.get_text() for text in ax.texts] == ["$\\nabla C_1$", "$\\nabla C_2$"]
    drawn(ax)


@pytest.mark.parametrize(
    ("draw", "message"),
    [
        (lambda ax: plots.surface(np.add, (0, 1), (0, 1), ax), "'ax' must be an Axes with three dimensions"),
        (lambda _: plots.surface(np.add, (1, 0), (0, 1)), "ranges from a lower to an upper end"),
        (lambda _: plots.surface(lambda x, _: x[0], (0, 1), (0, 1)), r"shape \(41,\)"),
        (lambda _: plots.feature_space([[1, 2]], ["a"]), r"three columns .* got shapes \(1, 2\) and \(1,\)"),
        (
            lambda _: plots.feature_space([[1, 2, 3]], ["a"], [0, 0, 0]),
            "'w' must be three numbers, not all 0",
        ),
        (lambda _: plots.hypercube(["11"], []), "different codes of three digits"),
        (lambda _: plots.hypercube(["111"], ["111"]), "different codes of three digits"),
        (lambda _: plots.hypercube(["111"], [], [0, 0, 0]), "'w' must be three numbers"),
        (lambda _: plots.constraint_planes([[1, 0, 0], [2, 0, 0]], [0, 1]), "parallel"),
        (lambda _: plots.constraint_planes([[1, 0, 0]], [0]), r"got shapes \(1, 3\) and \(1,\)"),
    ],
)
def test_wrong_input_is_one_sentence(draw, message):
    with pytest.raises(ValueError, match=message):
        draw(Figure().add_subplot())

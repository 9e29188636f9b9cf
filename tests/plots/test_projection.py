"""Points projected on a direction."""

from __future__ import annotations

import numpy as np
import pytest

from hornbook.plots import projection

X = np.array([[1.0, 0.0], [2.0, 1.0], [0.0, 3.0]])


def test_dashed_lines_meet_the_direction_at_right_angles():
    ax = projection(X, ["a", "a", "b"], [2.0, 2.0], title="fall")
    *dashed, line = ax.lines
    unit = np.array([1.0, 1.0]) / np.sqrt(2)
    for point, drawn in zip(X, dashed, strict=True):
        (start, end) = drawn.get_xydata()
        np.testing.assert_allclose(start, point)
        np.testing.assert_allclose(end, (point @ unit) * unit)
        assert (end - start) @ unit == pytest.approx(0)
    way = np.diff(line.get_xydata(), axis=0)[0]
    assert way[0] == pytest.approx(way[1])
    assert ax.get_title() == "fall"


def test_large_marks_are_the_projected_means():
    ax = projection(X, ["a", "a", "b"], [1.0, 0.0])
    marks = [collection.get_offsets()[0].tolist() for collection in ax.collections[:2]]
    assert marks == [[1.5, 0.0], [0.0, 0.0]]


@pytest.mark.parametrize("direction", [[0.0, 0.0], [1.0], [np.nan, 1.0]])
def test_direction_must_be_one(direction):
    with pytest.raises(ValueError, match="'direction' must be two numbers"):
        projection(X, ["a", "a", "b"], direction)


def test_a_class_for_each_row():
    with pytest.raises(ValueError, match="one class for each of the 3 rows"):
        projection(X, ["a"], [1.0, 0.0])


def test_each_class_has_its_points_and_the_foot_of_its_mean():
    rows = np.array([[1.0, 0.0], [0.0, 2.0], [3.0, 1.0], [4.0, 4.0]])
    classes = np.array(["a", "a", "b", "b"])
    ax = projection(rows, classes, [1.0, 1.0])
    unit = np.array([1.0, 1.0]) / np.sqrt(2)
    means, points = ax.collections[:2], ax.collections[2:]
    assert [text.get_text() for text in ax.get_legend().get_texts()] == ["a", "b"]
    for i, label in enumerate("ab"):
        own = rows[classes == label]
        np.testing.assert_allclose(points[i].get_offsets(), own)
        np.testing.assert_allclose(means[i].get_offsets(), [(own.mean(axis=0) @ unit) * unit])
        assert points[i].get_facecolor()[0, :3].tolist() == means[i].get_facecolor()[0, :3].tolist()
    assert points[0].get_facecolor()[0].tolist() != points[1].get_facecolor()[0].tolist()

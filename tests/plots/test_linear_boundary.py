"""A linear boundary with its weights, the class means and the margins of points."""

from __future__ import annotations

import numpy as np
import pytest

from hornbook import BasicLinearClassifier
from hornbook.plots import linear_boundary

X = np.array([[2, 2], [3, 1], [4, 3], [0, 0], [-1, 1], [1, -1]], dtype=float)
y = np.array([1, 1, 1, 0, 0, 0])


def test_ways_to_the_line_are_as_long_as_margins():
    model = BasicLinearClassifier().fit(X, y)
    ax = linear_boundary(X, y, model.coef_[0], model.threshold_, margins=True, title="margins")
    *ways, line = ax.lines
    for point, way, margin in zip(X, ways, model.margins(X, y), strict=True):
        start, end = way.get_xydata()
        np.testing.assert_allclose(start, point)
        assert end @ [3, 2] == pytest.approx(6.5)
        assert np.linalg.norm(end - start) == pytest.approx(abs(margin))
    np.testing.assert_allclose(line.get_xydata() @ [3, 2], 6.5)
    assert ax.get_title() == "margins"


def test_the_arrow_points_along_the_weights():
    ax = linear_boundary(X, y, [3.0, 2.0], 6.5)
    arrow, letter = ax.texts
    way = np.array(arrow.xy) - arrow.xyann
    assert way[0] / way[1] == pytest.approx(1.5)
    assert way[0] > 0
    assert arrow.xyann @ np.array([3, 2]) == pytest.approx(6.5)
    assert letter.get_text() == "w"


def test_the_basic_linear_classifier_is_drawn_with_the_means_and_halfway_between_them():
    ax = BasicLinearClassifier().fit(X, y).plot(X, y)
    marks = [collection.get_offsets()[0].tolist() for collection in ax.collections[:2]]
    assert marks == [[0, 0], [3, 2]]
    between, line = ax.lines
    assert between.get_xydata().tolist() == [[0, 0], [3, 2]]
    np.testing.assert_allclose(line.get_xydata() @ [3, 2], 6.5)  # (1.5, 1), the middle, is on it


def test_several_classes_and_none_given():
    three = np.array([0, 0, 1, 1, 2, 2])
    ax = BasicLinearClassifier().fit(X, three).plot(X, three)
    assert len(ax.get_legend().get_texts()) == 3
    assert len(BasicLinearClassifier().fit(X, y).plot(X).get_legend().get_texts()) == 2


@pytest.mark.parametrize(
    ("labels", "w", "t", "sentence"),
    [
        (y[:3], [1.0, 0.0], 0.0, "one class for each of the 6 rows"),
        (y, [0.0, 0.0], 0.0, "'w' must be two numbers, not both 0"),
        (y, [1.0], 0.0, "'w' must be two numbers"),
        (y, [1.0, 0.0], np.inf, "'t' must be a finite number; got inf"),
    ],
)
def test_bad_input(labels, w, t, sentence):
    with pytest.raises(ValueError, match=sentence):
        linear_boundary(X, labels, w, t)

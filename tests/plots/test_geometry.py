"""Distances in the plane: hyperplanes and neighborhoods."""

from __future__ import annotations

import numpy as np
import pytest
from tests.plots.layout import complaints

from hornbook.plots import hyperplane, neighborhoods


def test_distances_end_on_the_line_at_a_right_angle():
    w, b = np.array([5.0, 2.0]), -20.0
    ax = hyperplane(w, b, {"p": [4, 0], "x": [6, 4]})
    dashed = [line.get_xydata() for line in ax.lines if line.get_linestyle() == "--"]
    assert len(dashed) == 2  # from the origin and from x; p is on the line
    for start, foot in dashed:
        assert w @ foot + b == pytest.approx(0)
        assert (foot - start) @ [-w[1], w[0]] == pytest.approx(0)
    lengths = [np.linalg.norm(stop - start) for start, stop in dashed]
    assert lengths == pytest.approx([20 / np.sqrt(29), 18 / np.sqrt(29)])
    assert ax.get_title() == "5 x1 + 2 x2 - 20 = 0"
    assert complaints(ax) == []


def test_a_line_through_the_origin_has_no_distance_from_it():
    ax = hyperplane([1, -1], 0.0, {"x": [2, 0]})
    assert [text.get_text() for text in ax.texts if text.get_text()] == ["0", "w", "x", "r = 1.41"]


def test_circles_have_their_radii_and_neighbors_are_ringed():
    X = [[0.0, 0.0], [3.0, 4.0], [3.0, 5.0]]
    ax = neighborhoods(X, ["a", "b", "a"], [[0.0, 0.0], [9.0, 9.0]], [5.0, 1.0], labels=["u"], asked=True)
    assert [(circle.center, circle.radius) for circle in ax.patches] == [((0, 0), 5), ((9, 9), 1)]
    np.testing.assert_array_equal(ax.collections[0].get_offsets(), X[:2])  # on the circle counts
    assert [text.get_text() for text in ax.texts] == ["u"]
    assert complaints(ax) == []


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: hyperplane([0, 0], 1.0, {}), "not both 0"),
        (lambda: hyperplane([1, 0], 1.0, {"x": [1]}), "the point 'x' must be two finite numbers"),
        (lambda: neighborhoods([[0, 0]], ["a"], [[0]], 1.0), "'centers' must be finite numbers of shape"),
        (lambda: neighborhoods([[0, 0]], ["a"], [[0, 0]], 0.0), "'radii' must be above 0; got 0.0"),
    ],
)
def test_refuses_what_it_cannot_draw(call, message):
    with pytest.raises(ValueError, match=message):
        call()

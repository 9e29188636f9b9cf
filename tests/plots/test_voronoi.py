"""Points, centers and the borders between their regions."""

from __future__ import annotations

import numpy as np
import pytest

from hornbook import KMeans, datasets
from hornbook.plots import voronoi


def test_the_border_lies_half_way():
    ax = voronoi([[0.0, 0.0], [2.0, 0.0]], [[0.0, 1.0], [2.0, -1.0]])
    (border,) = [c for c in ax.collections if len(c.get_paths()) and c.get_linestyle()[0][1] is not None]
    xs = np.concatenate([path.vertices[:, 0] for path in border.get_paths()])
    np.testing.assert_allclose(xs, 1.0, atol=1e-9)


def test_points_have_the_color_of_their_cluster_and_the_shape_of_their_class():
    points = np.array([[0.0, 0.0], [0.1, 0.0], [5.0, 0.0]])
    ax = voronoi([[0.0, 0.0], [5.0, 0.0]], points, classes=["a", "b", "b"], regions=False)
    drawn = [c for c in ax.collections if len(c.get_offsets())]
    assert sorted(len(c.get_offsets()) for c in drawn) == [1, 1, 1]
    colors = {tuple(c.get_facecolor()[0]) for c in drawn}
    assert len(colors) == 2


def test_a_single_center_has_no_border():
    assert not voronoi([[0.0, 0.0]]).collections


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (([[0.0]],), r"'centers' must be finite numbers of shape \(n, 2\); got shape \(1, 1\)"),
        (([[0.0, 0.0]], [[np.nan, 1.0]]), "'X' must be finite numbers"),
        (([[0.0, 0.0]], [[1.0, 1.0]], [0, 1]), r"'labels' must have one entry for each of the 1 points"),
    ],
)
def test_what_is_refused(arguments, message):
    with pytest.raises(ValueError, match=message):
        voronoi(*arguments)


def test_kmeans_draws_two_columns_as_they_are_and_more_by_their_variance():
    melons = datasets.watermelon("4.0")
    ax = KMeans(3, random_state=0).fit(melons).plot(melons)
    assert (ax.get_xlabel(), ax.get_ylabel()) == ("density", "sugar")
    iris = datasets.iris()
    ax = KMeans(3, random_state=0).fit(iris).plot(iris, iris.y)
    assert ax.get_xlabel() == "direction of largest variance"
    one = KMeans(2, random_state=0).fit([[0.0], [1.0], [5.0]])
    assert one.plot([[0.0], [1.0], [5.0]]) is not None

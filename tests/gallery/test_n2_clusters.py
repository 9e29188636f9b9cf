"""What the figures of note N2 about clusters show."""

from __future__ import annotations

import numpy as np

from gallery import n2_clusters as shown
from hornbook import FuzzyCMeans, datasets

IRIS = datasets.iris()


def test_unit_circles_are_at_distance_one():
    [ax] = shown.unit_circles().axes
    circle, ellipse = (part.get_paths()[0].vertices[:-1] for part in ax.collections)
    np.testing.assert_allclose(np.linalg.norm(circle, axis=1), 1.0, atol=0.01)
    inverse = np.linalg.inv([[1.6, 0.7], [0.7, 0.6]])
    np.testing.assert_allclose(np.einsum("ij,jk,ik->i", ellipse, inverse, ellipse), 1.0, atol=0.02)
    assert [text.get_text() for text in ax.get_legend().get_texts()] == ["Euclidean", "Mahalanobis"]


def test_the_middle_of_the_butterfly_belongs_to_one_side_or_to_both():
    hard, fuzzy = shown.butterfly().axes
    assert (hard.get_title(), fuzzy.get_title()) == ("c-means", "fuzzy c-means")
    [shared] = [dots for dots in fuzzy.collections if len(dots.get_offsets()) == 15]
    places, colors = np.asarray(shared.get_offsets()), shared.get_facecolors()[:, :3]
    middle = colors[(places == [3.0, 2.0]).all(axis=1)][0]
    ends = [colors[(places == end).all(axis=1)][0] for end in ([0.0, 2.0], [6.0, 2.0])]
    np.testing.assert_allclose(middle, np.mean(ends, axis=0), atol=0.02)  # half of each color
    sizes = sorted(len(dots.get_offsets()) for dots in hard.collections if len(dots.get_offsets()) > 1)
    assert sizes == [7, 8]  # c-means gives the middle point to one side


def test_iris_has_its_two_pairs_of_columns():
    sepals, petals = shown.iris_columns().axes
    for ax, columns in ((sepals, (0, 1)), (petals, (2, 3))):
        points = np.concatenate([dots.get_offsets() for dots in ax.collections])
        np.testing.assert_array_equal(points, IRIS.numbers[:, columns])
        assert (ax.get_xlabel(), ax.get_ylabel()) == tuple(IRIS.features.schema.names[j] for j in columns)


def test_iris_clusterings_have_their_centers():
    axes = shown.iris_clusters().axes
    assert [ax.get_title() for ax in axes] == [
        "fuzzy c-means, four columns",
        "Gustafson-Kessel, four columns",
        "Gustafson-Kessel, petals, 3 clusters",
        "Gustafson-Kessel, petals, 4 clusters",
    ]
    for ax, k in zip(axes, (3, 3, 3, 4), strict=True):
        assert len(ax.get_legend().get_texts()) == k
        assert sum(len(dots.get_offsets()) for dots in ax.collections) == 150
    centers = np.array(sorted({tuple(line.get_xydata()[0]) for line in axes[0].lines}))
    model = FuzzyCMeans(3, random_state=0).fit(IRIS.numbers)
    np.testing.assert_allclose(centers, sorted(model.cluster_centers_[:, 2:].tolist()))

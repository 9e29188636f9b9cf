"""DBSCAN of the notes: the melons of 4.0 with eps = 0.11 and MinPts = 5, and the concepts behind it."""

from __future__ import annotations

import numpy as np

from hornbook import DBSCAN, datasets
from hornbook.clustering import core_rows, density_connected, density_reachable, neighborhoods

MELONS = datasets.watermelon("4.0")
CORES = [3, 5, 6, 8, 9, 13, 14, 18, 19, 24, 25, 28, 29]
NOISE = [11, 15]


def drawn(*melons):
    """The clusters when core rows are drawn in this order, and the noise; melons are counted from 1."""
    order = [melon - 1 for melon in melons]
    model = DBSCAN(eps=0.11, min_samples=5, order=order).fit(MELONS)
    return [(np.flatnonzero(model.labels_ == c) + 1).tolist() for c in (*range(4), -1)]


def test_core_objects():
    model = DBSCAN(eps=0.11, min_samples=5).fit(MELONS)
    assert (model.core_sample_indices_ + 1).tolist() == CORES
    assert (np.flatnonzero(core_rows(MELONS, 0.11, 5)) + 1).tolist() == CORES


def test_clusters_and_noise_in_the_order_of_draws():
    assert drawn(8, 3, 29, 24) == [
        [6, 7, 8, 10, 12, 18, 19, 20, 23],
        [3, 4, 5, 9, 13, 14, 16, 17, 21],
        [1, 2, 22, 26, 29],
        [24, 25, 27, 28, 30],
        NOISE,
    ]


def test_border_samples_depend_on_the_order():
    """Samples 4, 7 and 23 are reached from two clusters and belong to the one that is generated first."""
    assert drawn(29, 24, 8, 3) == [
        [1, 2, 22, 26, 29],
        [4, 23, 24, 25, 27, 28, 30],
        [6, 7, 8, 10, 12, 18, 19, 20],
        [3, 5, 9, 13, 14, 16, 17, 21],
        NOISE,
    ]
    assert drawn(3, 8, 29, 24)[0] == [3, 4, 5, 7, 9, 13, 14, 16, 17, 21]


def test_a_random_core_object_starts_each_cluster():
    """Whatever is drawn, core rows stay together; all orders of the four clusters occur."""
    starts = set()
    for seed in range(150):
        model = DBSCAN(eps=0.11, min_samples=5, order="random", random_state=seed).fit(MELONS)
        assert (np.flatnonzero(model.labels_ < 0) + 1).tolist() == NOISE
        starts.add(tuple(model.labels_[[2, 7, 28, 23]].tolist()))
        melons = {4: {3, 24}, 7: {3, 8}, 23: {8, 24}}  # the clusters that reach each
        for melon, clusters in melons.items():
            assert model.labels_[melon - 1] == min(model.labels_[c - 1] for c in clusters)
    assert len(starts) == 24


def test_concepts():
    """MinPts = 3: x1 core, x2 directly reachable, x3 reachable over x2, x2 and x3 connected, x4 noise."""
    rows = np.array([[0.0, 0.0], [0.9, 0.0], [-0.9, 0.0], [1.8, 0.0], [2.6, 0.0], [5.0, 0.0]])
    x1, x2, x3, x4 = 0, 1, 4, 5
    near = neighborhoods(rows, 1.0)
    core = core_rows(rows, 1.0, 3)
    assert near.diagonal().all()
    assert core[x1]
    assert near[x1, x2]  # directly density-reachable
    reached = density_reachable(rows, 1.0, 3)
    assert not near[x1, x3]
    assert reached[x1, x3]
    assert not reached[x3, x1]  # not symmetric: x3 is no core object
    connected = density_connected(rows, 1.0, 3)
    assert connected[x2, x3]
    assert connected[x3, x2]
    assert not reached[:, x4].any()
    labels = DBSCAN(eps=1.0, min_samples=3).fit(rows).labels_
    assert labels.tolist() == [0, 0, 0, 0, 0, -1]

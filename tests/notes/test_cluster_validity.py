"""Validity indices of clusterings, written out as in the notes."""

from __future__ import annotations

from itertools import combinations
from math import sqrt

import numpy as np
import pytest

from hornbook import datasets, evaluation

# Five samples, a clustering with labels from 1 to k and a reference: small enough to list all ten pairs.
CLUSTERS = [1, 1, 2, 2, 2]
REFERENCE = [1, 1, 1, 2, 2]
# SS: 12, 45; SD: 34, 35; DS: 13, 23; DD: 14, 15, 24, 25
A, B, C, D = 2, 2, 2, 4

POINTS = np.array([[0.0, 0.0], [0.0, 3.0], [4.0, 0.0], [10.0, 0.0], [10.0, 2.0]])
GROUPS = [1, 1, 1, 2, 2]


def distance(i, j):
    return float(np.linalg.norm(POINTS[i] - POINTS[j]))


def test_a_clustering_is_a_label_for_each_sample():
    partition = evaluation.Partition.from_clusters([[0, 1], [2, 3, 4]])
    assert partition.numbers.tolist() == CLUSTERS
    assert [rows.tolist() for rows in evaluation.Partition.of(CLUSTERS).clusters] == [[0, 1], [2, 3, 4]]
    assert not set(partition.clusters[0]) & set(partition.clusters[1])
    with pytest.raises(ValueError, match="exactly once"):
        evaluation.Partition.from_clusters([[0, 1], [1, 2]])


def test_pairs_of_samples_are_counted_once():
    pairs = evaluation.pair_counts(REFERENCE, CLUSTERS)
    assert (pairs.same_same, pairs.same_different, pairs.different_same, pairs.different_different) == (
        A,
        B,
        C,
        D,
    )
    assert pairs.total == 5 * 4 / 2


def test_external_indices_are_made_of_pairs():
    assert evaluation.jaccard(REFERENCE, CLUSTERS) == A / (A + B + C)
    assert evaluation.fowlkes_mallows(REFERENCE, CLUSTERS) == pytest.approx(sqrt(A / (A + B) * A / (A + C)))
    assert evaluation.rand(REFERENCE, CLUSTERS) == 2 * (A + D) / (5 * 4)


def test_avg_and_diam_are_over_pairs_within_a_cluster():
    within = [[distance(i, j) for i, j in combinations(members, 2)] for members in ([0, 1, 2], [3, 4])]
    assert within == [[3.0, 4.0, 5.0], [2.0]]
    assert evaluation.mean_cluster_distances(POINTS, GROUPS).tolist() == [4.0, 2.0]
    assert evaluation.cluster_diameters(POINTS, GROUPS).tolist() == [5.0, 2.0]


def test_d_min_and_d_cen_are_between_clusters():
    assert evaluation.cluster_separations(POINTS, GROUPS)[0, 1] == 6.0
    centers = POINTS[:3].mean(axis=0), POINTS[3:].mean(axis=0)
    expected = np.linalg.norm(centers[0] - centers[1])
    assert evaluation.centroid_distances(POINTS, GROUPS)[0, 1] == pytest.approx(expected)


def test_davies_bouldin_uses_the_mean_distance_of_pairs():
    apart = evaluation.centroid_distances(POINTS, GROUPS)[0, 1]
    by_notes = evaluation.davies_bouldin(POINTS, GROUPS, radius="pairwise")
    assert by_notes == pytest.approx((4.0 + 2.0) / apart)
    assert by_notes != pytest.approx(evaluation.davies_bouldin(POINTS, GROUPS))


def test_dunn_is_the_smallest_gap_over_the_largest_diameter():
    assert evaluation.dunn(POINTS, GROUPS) == 6.0 / 5.0


def test_low_scatter_within_and_high_between():
    melons = datasets.watermelon("4.0").features.numbers
    good = np.array([0] * 9 + [1] * 9 + [2] * 12)
    order = np.lexsort((melons[:, 1], melons[:, 0]))
    sorted_rows, shuffled = melons[order], melons[np.random.default_rng(0).permutation(30)]
    tight, loose = (evaluation.scatter_matrices(rows, good) for rows in (sorted_rows, shuffled))
    assert np.trace(tight.within) < np.trace(loose.within)
    assert np.trace(tight.between) > np.trace(loose.between)
    np.testing.assert_allclose(tight.total, loose.total)


def test_scatter_is_the_product_of_centered_columns():
    centered = (POINTS - POINTS.mean(axis=0)).T  # samples are columns in the notes
    scatter = evaluation.scatter_matrices(POINTS, GROUPS)
    np.testing.assert_allclose(scatter.total, centered @ centered.T)
    np.testing.assert_allclose(scatter.covariance, centered @ centered.T / 5)

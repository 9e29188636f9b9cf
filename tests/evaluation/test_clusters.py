"""Measures of clusterings against scikit-learn, SciPy and numbers worked out by hand."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.spatial.distance import cdist
from sklearn import metrics

from hornbook import evaluation

EXTERNAL = {
    "fowlkes_mallows": metrics.fowlkes_mallows_score,
    "rand": metrics.rand_score,
    "adjusted_rand": metrics.adjusted_rand_score,
    "mutual_information": metrics.mutual_info_score,
    "normalized_mutual_information": metrics.normalized_mutual_info_score,
    "adjusted_mutual_information": metrics.adjusted_mutual_info_score,
    "homogeneity": metrics.homogeneity_score,
    "completeness": metrics.completeness_score,
    "v_measure": metrics.v_measure_score,
}


def drawn(seed, n=60, k=4, d=3):
    draw = np.random.default_rng(seed)
    labels = np.concatenate([np.arange(k), draw.integers(0, k, n - k)])
    return draw.normal(size=(n, d)) + labels[:, None], labels


@pytest.mark.parametrize("name", EXTERNAL)
@settings(derandomize=True, max_examples=15, deadline=None)
@given(seed=st.integers(0, 10_000), n=st.integers(4, 60), k=st.integers(1, 6), m=st.integers(1, 6))
def test_external_measures_agree_with_scikit_learn(name, seed, n, k, m):
    draw = np.random.default_rng(seed)
    truth, labels = draw.integers(0, k, n), draw.integers(0, m, n)
    if name == "fowlkes_mallows" and min(np.bincount(truth).max(), np.bincount(labels).max()) < 2:
        return
    ours = getattr(evaluation, name)(truth, labels)
    assert ours == pytest.approx(EXTERNAL[name](truth, labels), abs=1e-9)


def test_pair_counts_are_those_of_all_pairs():
    _, truth = drawn(1)
    _, labels = drawn(2, k=3)
    counts = evaluation.pair_counts(truth, labels)
    pairs = [(i, j) for i in range(60) for j in range(i)]
    together = {(labels[i] == labels[j], truth[i] == truth[j], i, j) for i, j in pairs}
    by_hand = [sum((a, b) == case for a, b, _, _ in together) for case in [(1, 1), (1, 0), (0, 1), (0, 0)]]
    assert [
        counts.same_same,
        counts.same_different,
        counts.different_same,
        counts.different_different,
    ] == by_hand
    assert counts.total == 60 * 59 // 2
    assert evaluation.jaccard(truth, labels) == by_hand[0] / sum(by_hand[:3])


@pytest.mark.parametrize("average", ["arithmetic", "geometric", "min", "max"])
def test_the_entropies_may_be_averaged_in_four_ways(average):
    _, truth = drawn(3)
    _, labels = drawn(4, k=5)
    for ours, theirs in (
        (evaluation.normalized_mutual_information, metrics.normalized_mutual_info_score),
        (evaluation.adjusted_mutual_information, metrics.adjusted_mutual_info_score),
    ):
        expected = theirs(truth, labels, average_method=average)
        assert ours(truth, labels, average=average) == pytest.approx(expected, abs=1e-10)
    with pytest.raises(ValueError, match="'average' must be"):
        evaluation.normalized_mutual_information(truth, labels, average="harmonic")


def test_beta_weighs_completeness():
    _, truth = drawn(3)
    _, labels = drawn(4, k=5)
    expected = metrics.v_measure_score(truth, labels, beta=2.0)
    assert evaluation.v_measure(truth, labels, beta=2.0) == pytest.approx(expected)
    with pytest.raises(ValueError, match="'beta' must be"):
        evaluation.v_measure(truth, labels, beta=-1)


def test_extreme_clusterings_have_values():
    one, alone = [0, 0, 0], [0, 1, 2]
    for name in ("jaccard", "fowlkes_mallows", "rand", "adjusted_rand", "adjusted_mutual_information"):
        assert getattr(evaluation, name)(one, one) == getattr(evaluation, name)(alone, alone) == 1.0
        assert getattr(evaluation, name)(one, alone) == 0.0


@settings(derandomize=True, max_examples=15, deadline=None)
@given(seed=st.integers(0, 10_000), n=st.integers(6, 90), k=st.integers(2, 5))
def test_internal_measures_agree_with_scikit_learn(seed, n, k):
    X, labels = drawn(seed, n, k)
    np.testing.assert_allclose(
        evaluation.silhouette_rows(X, labels), metrics.silhouette_samples(X, labels), atol=1e-9
    )
    assert evaluation.silhouette(X, labels) == pytest.approx(metrics.silhouette_score(X, labels))
    assert evaluation.davies_bouldin(X, labels) == pytest.approx(metrics.davies_bouldin_score(X, labels))
    assert evaluation.calinski_harabasz(X, labels) == pytest.approx(
        metrics.calinski_harabasz_score(X, labels)
    )


@pytest.mark.parametrize(
    "metric", ["euclidean", "manhattan", "chebyshev", "minkowski", "precomputed", "called"]
)
def test_geometry_of_clusters_is_that_of_all_distances(metric):
    X, labels = drawn(7)
    names = {"manhattan": "cityblock", "precomputed": "euclidean", "called": "sqeuclidean"}
    options = {"p": 3.0} if metric == "minkowski" else {}
    D = cdist(X, X, names.get(metric, metric), **options)
    given_rows = D if metric == "precomputed" else X
    options["metric"] = (lambda a, b: float(((a - b) ** 2).sum())) if metric == "called" else metric
    same = labels[:, None] == labels
    upper = np.triu(np.ones_like(D, dtype=bool), 1)
    expected = [D[same & upper & (labels == c)].mean() for c in range(4)]
    np.testing.assert_allclose(evaluation.mean_cluster_distances(given_rows, labels, **options), expected)
    diameters = [D[np.ix_(labels == c, labels == c)].max() for c in range(4)]
    np.testing.assert_allclose(evaluation.cluster_diameters(given_rows, labels, **options), diameters)
    apart = [[D[np.ix_(labels == a, labels == b)].min() for b in range(4)] for a in range(4)]
    np.testing.assert_allclose(evaluation.cluster_separations(given_rows, labels, **options), apart)
    smallest = min(apart[a][b] for a in range(4) for b in range(4) if a != b)
    assert evaluation.dunn(given_rows, labels, **options) == pytest.approx(smallest / max(diameters))
    np.testing.assert_allclose(
        evaluation.silhouette_rows(given_rows, labels, **options),
        metrics.silhouette_samples(D, labels, metric="precomputed"),
        atol=1e-9,
    )


def test_centroids_and_both_radii_of_davies_and_bouldin():
    X, labels = drawn(8)
    means = np.array([X[labels == c].mean(axis=0) for c in range(4)])
    apart = cdist(means, means)
    np.testing.assert_allclose(evaluation.centroid_distances(X, labels), apart, atol=1e-12)
    radii = evaluation.mean_cluster_distances(X, labels)
    ratios = (radii[:, None] + radii) / np.where(apart > 0, apart, np.inf)
    by_pairs = evaluation.davies_bouldin(X, labels, radius="pairwise")
    assert by_pairs == pytest.approx(ratios.max(axis=1).mean())
    assert by_pairs != pytest.approx(evaluation.davies_bouldin(X, labels))
    with pytest.raises(ValueError, match="'radius' must be"):
        evaluation.davies_bouldin(X, labels, radius="median")


def test_scatter_within_and_between_is_the_scatter_of_all():
    X, labels = drawn(9)
    scatter = evaluation.scatter_matrices(X, labels)
    centered = X - X.mean(axis=0)
    np.testing.assert_allclose(scatter.total, centered.T @ centered)
    np.testing.assert_allclose(scatter.covariance, np.cov(X.T, bias=True))
    np.testing.assert_allclose(scatter.clusters.sum(axis=0), scatter.within)
    assert 0 < scatter.explained < 1
    ratio = np.trace(scatter.between) / 3 / (np.trace(scatter.within) / 56)
    assert evaluation.calinski_harabasz(X, labels) == pytest.approx(ratio)


def test_a_sample_estimates_the_mean_over_all_rows():
    X, labels = drawn(10, n=400)
    whole = evaluation.silhouette(X, labels)
    samples = [evaluation.silhouette(X, labels, sample_size=100, random_state=s) for s in range(30)]
    assert abs(np.mean(samples) - whole) < 4 * np.std(samples) / np.sqrt(30)
    assert evaluation.silhouette(X, labels, sample_size=400, random_state=0) == whole
    with pytest.raises(ValueError, match="'sample_size' must be an integer from 1 to the 400 rows"):
        evaluation.silhouette(X, labels, sample_size=401)


def test_threads_and_the_order_of_rows_change_nothing():
    X, labels = drawn(11, n=300)
    one = evaluation.silhouette_rows(X, labels, n_jobs=1)
    np.testing.assert_array_equal(one, evaluation.silhouette_rows(X, labels, n_jobs=3))
    order = np.random.default_rng(0).permutation(300)
    np.testing.assert_allclose(evaluation.silhouette_rows(X[order], labels[order]), one[order], atol=1e-12)


def test_tables_with_categories_and_missing_cells_have_silhouettes():
    table = pd.DataFrame({"a": [0.0, 1.0, np.nan, 9.0], "b": ["x", "x", "y", "y"]})
    widths = evaluation.silhouette_rows(table, [0, 0, 1, 1], metric="gower")
    assert np.isfinite(widths).all()
    with pytest.raises(ValueError, match="a centroid needs complete columns of numbers"):
        evaluation.davies_bouldin(table, [0, 0, 1, 1])
    lonely = pd.DataFrame({"a": [0.0, np.nan], "b": [np.nan, 1.0]})
    with pytest.raises(ValueError, match="no known column in common"):
        evaluation.silhouette(lonely, [0, 1])


def test_points_and_coinciding_centroids_have_values():
    apart, same = [[0.0], [0.0], [1.0], [1.0]], [[0.0], [0.0], [0.0], [0.0]]
    labels = [0, 0, 1, 1]
    assert evaluation.dunn(apart, labels) == evaluation.calinski_harabasz(apart, labels) == np.inf
    assert evaluation.davies_bouldin(apart, labels) == 0.0
    assert evaluation.silhouette(apart, labels) == 1.0
    assert evaluation.dunn(same, labels) == evaluation.silhouette(same, labels) == 0.0
    assert evaluation.calinski_harabasz(same, labels) == evaluation.davies_bouldin(same, labels) == 0.0
    assert evaluation.davies_bouldin([[-1.0], [1.0], [-2.0], [2.0]], labels) == np.inf


@pytest.mark.parametrize(
    "name", ["silhouette", "silhouette_rows", "dunn", "davies_bouldin", "calinski_harabasz"]
)
def test_one_cluster_cannot_be_judged(name):
    with pytest.raises(ValueError, match=f"{name}: 'labels' must have at least 2 clusters; got 1"):
        getattr(evaluation, name)([[0.0], [1.0]], [3, 3])


def test_what_is_wrong_is_said():
    with pytest.raises(ValueError, match="'labels' must have one value for each of the 3 rows"):
        evaluation.rand([0, 1, 1], [0, 1])
    with pytest.raises(ValueError, match="2 clusters of 2 rows leave no scatter within"):
        evaluation.calinski_harabasz([[0.0], [1.0]], [0, 1])
    square = np.array([[0.0, 1.0], [2.0, 0.0]])
    for cells, words in (
        (square, "must be symmetric"),
        (np.array([[0.0, np.nan], [np.nan, 0.0]]), "must be finite numbers; got nan from row 0 to row 1"),
        (np.array([[0.0, -1.0], [-1.0, 0.0]]), "must not be negative"),
        (np.eye(2), "must be 0 on the diagonal"),
        (np.ones((2, 3)), "square matrix"),
    ):
        with pytest.raises(ValueError, match=words):
            evaluation.silhouette(cells, [0, 1], metric="precomputed")
    with pytest.raises(TypeError, match="a centroid needs rows of numbers and a distance by name"):
        evaluation.centroid_distances(np.zeros((2, 2)), [0, 1], metric="precomputed")


def test_a_partition_is_disjoint_and_covers_all_rows():
    partition = evaluation.Partition.of([7, 5, 7])
    assert partition.names == (5, 7)
    assert partition.sizes.tolist() == [1, 2]
    again = evaluation.Partition.from_clusters(partition.clusters)
    np.testing.assert_array_equal(again.codes, partition.codes)
    for wrong in ([[0, 1], [1, 2]], [[0], [2]], [[0, 1], []], [[-1, 0]]):
        with pytest.raises(ValueError, match="Partition: 'clusters' must"):
            evaluation.Partition.from_clusters(wrong)


def test_measures_say_what_they_need_and_which_way_is_better():
    assert evaluation.silhouette.needs == "rows"
    assert evaluation.silhouette.greater_is_better
    assert not evaluation.davies_bouldin.greater_is_better
    assert evaluation.rand.name == "rand"
    assert evaluation.rand.needs == "reference"
    assert evaluation.rand.best == 1.0
    assert "rand" not in evaluation.measures()

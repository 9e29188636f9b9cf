"""Agglomerative clustering against its definition and against SciPy, and its options."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from scipy.cluster.hierarchy import fcluster, linkage
from sklearn.exceptions import ConvergenceWarning
from tests.contract.learners import mixed_table
from tests.oracles.linkage import agglomerate

from hornbook import AgglomerativeClustering, evaluation
from hornbook.clustering.hierarchy import _tree
from hornbook.distances import pairwise

LINKAGES = ("ward", "complete", "average", "single")
TIED = st.integers(2, 12).flatmap(lambda n: arrays(np.float64, (n, 2), elements=st.integers(0, 3)))


def rows(n, d, seed=0):
    return np.random.default_rng(seed).normal(size=(n, d))


def partition(labels):
    return {frozenset(np.flatnonzero(labels == c).tolist()) for c in np.unique(labels)}


@pytest.mark.parametrize("how", LINKAGES)
@pytest.mark.parametrize(("n", "d"), [(2, 1), (33, 3), (400, 5)])
def test_tree_of_scipy(how, n, d):
    X = rows(n, d)
    model = AgglomerativeClustering(2, linkage=how).fit(X)
    tree = linkage(X, how)
    np.testing.assert_allclose(model.distances_, tree[:, 2], rtol=1e-10)
    np.testing.assert_array_equal(model.children_, tree[:, :2])
    for k in {1, 2, n // 3 + 1, n}:
        labels = AgglomerativeClustering(k, linkage=how).fit(X).labels_
        assert partition(labels) == partition(fcluster(tree, k, "maxclust"))


@pytest.mark.parametrize("how", LINKAGES)
@settings(derandomize=True, max_examples=20, deadline=None)
@given(seed=st.integers(0, 2**20), n=st.integers(2, 14))
def test_weighted_merges_are_those_of_the_definition(how, seed, n):
    draw = np.random.default_rng(seed)
    X, w = draw.normal(size=(n, 2)), draw.uniform(0.3, 3.0, n)
    model = AgglomerativeClustering(min(3, n), linkage=how).fit(X, sample_weight=w)
    heights, partitions = agglomerate(X, w, how)
    np.testing.assert_allclose(model.distances_, heights, rtol=1e-10)
    assert partition(model.labels_) == partitions[n - model.n_clusters_]
    weights = [w[model.labels_ == c].sum() for c in range(model.n_clusters_)]
    np.testing.assert_allclose(model.cluster_weights_, weights)
    assert (np.diff(weights) <= 0).all()


@pytest.mark.parametrize("how", ["complete", "single", "ward"])
@settings(derandomize=True, max_examples=20, deadline=None)
@given(X=TIED)
def test_ties_leave_a_tree_with_rising_heights(how, X):
    """Which of equally near clusters come first is a matter of choice, not how often rows are merged."""
    model = AgglomerativeClustering(1, linkage=how).fit(X)
    assert (np.diff(model.distances_) >= 0).all()
    assert sorted(model.children_.ravel().tolist()) == list(range(2 * len(X) - 2))
    assert (model.children_ < len(X) + np.arange(len(X) - 1)[:, None]).all()
    copies = len(X) - len(np.unique(X, axis=0))
    assert (model.distances_ == 0).sum() == copies
    if how == "single":
        np.testing.assert_allclose(model.distances_, agglomerate(X, np.ones(len(X)), how)[0])


@pytest.mark.parametrize("how", LINKAGES)
def test_weights_are_repeated_rows_and_zero_is_none(how):
    X, w = rows(40, 2), np.arange(40) % 4
    weighted = AgglomerativeClustering(4, linkage=how).fit(X, sample_weight=w)
    repeated = AgglomerativeClustering(4, linkage=how).fit(X.repeat(w, axis=0))
    assert weighted.n_leaves_ == (w > 0).sum()
    np.testing.assert_allclose(weighted.distances_, repeated.distances_[repeated.distances_ > 0], rtol=1e-9)
    assert weighted.predict(X).tolist() == repeated.predict(X).tolist()
    assert weighted.labels_[w == 0].tolist() == weighted.predict(X[w == 0]).tolist()


@pytest.mark.parametrize("how", ["complete", "average", "single"])
def test_every_way_to_the_distances_gives_the_same_tree(how):
    X = rows(60, 3)
    model = AgglomerativeClustering(3, linkage=how, metric="manhattan").fit(X)
    D = pairwise(X, metric="manhattan")
    by_matrix = AgglomerativeClustering(3, linkage=how, metric="precomputed").fit(D)
    called = AgglomerativeClustering(3, linkage=how, metric=lambda a, b: float(np.abs(a - b).sum())).fit(X)
    for other in (by_matrix, called):
        np.testing.assert_allclose(other.distances_, model.distances_, rtol=1e-12)
        assert other.labels_.tolist() == model.labels_.tolist()
    # A new row goes to the smallest mean distance, where there are only distances.
    new = rows(5, 3, seed=1)
    far = pairwise(X, new, metric="manhattan").T
    means = np.stack([far[:, model.labels_ == c].mean(axis=1) for c in range(3)], axis=1)
    assert by_matrix.predict(far).tolist() == means.argmin(axis=1).tolist()
    assert by_matrix.working(far[0]).prediction == means[0].argmin()


def test_distances_do_not_depend_on_threads():
    X, _ = mixed_table(300)
    one, three = (
        AgglomerativeClustering(3, metric="gower", linkage="complete", n_jobs=n).fit(X) for n in (1, 3)
    )
    np.testing.assert_array_equal(one.distances_, three.distances_)
    np.testing.assert_array_equal(one.children_, three.children_)


def test_a_new_row_goes_to_the_nearest_centroid():
    X = rows(50, 2)
    model = AgglomerativeClustering(4).fit(X)
    for c in range(4):
        np.testing.assert_allclose(model.centroids_[c], X[model.labels_ == c].mean(axis=0))
    new = rows(20, 2, seed=1)
    assert model.predict(new).tolist() == pairwise(new, model.centroids_).argmin(axis=1).tolist()


def test_threshold_cuts_the_tree_at_a_height():
    X = rows(30, 2)
    full = AgglomerativeClustering(1).fit(X)
    height = full.distances_[-3]
    model = AgglomerativeClustering(None, distance_threshold=height).fit(X)
    assert model.n_clusters_ == 4  # merges at the threshold are not made
    assert AgglomerativeClustering(None, distance_threshold=height * 1.0001).fit(X).n_clusters_ == 3
    assert partition(model.labels_) == partition(AgglomerativeClustering(4).fit(X).labels_)
    assert AgglomerativeClustering(None, distance_threshold=0.5).fit([[1.0]]).labels_.tolist() == [0]


def test_mixed_columns_by_the_mixed_distance():
    # With gaps there are ties, of which only single linkage makes nothing.
    for how, missing in (("average", False), ("complete", False), ("single", True)):
        X, group = mixed_table(90, missing=missing)
        model = AgglomerativeClustering(3, metric="gower", linkage=how).fit(X)
        expected = linkage(pairwise(X, metric="gower")[np.triu_indices(90, 1)], how)
        np.testing.assert_allclose(model.distances_, expected[:, 2], rtol=1e-10)
        assert model.predict(X).shape == (90,)
    X, group = mixed_table(90)
    model = AgglomerativeClustering(3, metric="gower", linkage="average").fit(X)
    assert evaluation.adjusted_rand(group, model.labels_) > 0.2


def test_identical_rows_are_merged_at_no_height():
    for how in LINKAGES:
        with pytest.warns(ConvergenceWarning, match=r"distinct clusters \(1\) found smaller.*rows repeat"):
            model = AgglomerativeClustering(2, linkage=how).fit(np.ones((9, 2)))
        assert model.distances_.tolist() == [0.0] * 8
        assert sorted(np.bincount(model.labels_).tolist()) != [9]
    X = np.array([[0.0], [0.0], [1.0], [1.0], [5.0]])
    assert AgglomerativeClustering(3).fit(X).labels_.tolist() == [0, 0, 1, 1, 2]
    with pytest.warns(ConvergenceWarning, match=r"distinct clusters \(3\) found smaller than n_clusters \(4"):
        AgglomerativeClustering(4).fit(X)


def test_what_cannot_be_clustered_is_refused(monkeypatch):
    X = rows(10, 2)
    with pytest.raises(ValueError, match="exactly one of 'n_clusters' and 'distance_threshold'"):
        AgglomerativeClustering(2, distance_threshold=1.0).fit(X)
    with pytest.raises(ValueError, match="linkage='ward' minimizes sums of squares"):
        AgglomerativeClustering(2, metric="manhattan").fit(X)
    with pytest.raises(ValueError, match="n_samples=10 should be >= n_clusters=11"):
        AgglomerativeClustering(11).fit(X)
    with pytest.raises(ValueError, match="column 'x0' holds values so large"):
        AgglomerativeClustering(2).fit(X * [1e200, 1.0])
    D = pairwise(X)
    D[1, 2] = np.nan
    with pytest.raises(ValueError, match="finite.*row 1 to row 2"):
        AgglomerativeClustering(2, metric="precomputed", linkage="average").fit(D)
    with pytest.warns(UserWarning, match="AgglomerativeClustering: the distance is not a metric: triangle"):
        AgglomerativeClustering(2, metric="precomputed", linkage="single").fit(pairwise(X) ** 2)
    monkeypatch.setattr("hornbook.frame._memory._free", lambda: 2**30)
    with pytest.raises(MemoryError, match=r"100000 rows and 50000 columns needs 37.3 GiB.*linkage='ward'"):
        _tree.require_memory(100_000, 50_000, _tree.REMEDY)
    monkeypatch.setattr("hornbook.frame._memory._free", lambda: 100)
    with pytest.raises(MemoryError, match="linkage='ward' and linkage='single' need no matrix"):
        AgglomerativeClustering(2, linkage="complete").fit(X)
    for how in ("ward", "single"):
        AgglomerativeClustering(2, linkage=how).fit(X)


def test_the_tree_is_described_and_drawn():
    X = rows(20, 2)
    model = AgglomerativeClustering(3).fit(X)
    facts = model.describe().to_dict()
    assert facts["title"] == "AgglomerativeClustering: 3 clusters of 20 rows"
    assert facts["facts"]["clusters are apart by at least"] == pytest.approx(model.distances_[-2])
    assert model.plot().get_ylabel() == "height of the merge"
    assert model.plot(X).get_xlabel() == "x0"
    D = pairwise(X)
    by_matrix = AgglomerativeClustering(3, metric="precomputed", linkage="average").fit(D)
    assert "Number of rows given" in by_matrix.plot(D[:3]).get_title()
    assert "precomputed" in str(by_matrix.describe())


@pytest.mark.parametrize("how", LINKAGES[1:])
def test_rows_without_a_common_column_are_as_far_apart_as_the_farthest_others(how):
    X = rows(12, 2)
    X[0, 0] = X[1, 1] = np.nan
    distances = pairwise(X)
    distances[0, 1] = distances[1, 0] = distances[np.isfinite(distances)].max()
    given_rows = AgglomerativeClustering(3, linkage=how).fit(X)
    with pytest.warns(UserWarning, match="not a metric"):  # distances over different columns
        given_distances = AgglomerativeClustering(3, linkage=how, metric="precomputed").fit(distances)
    assert np.isfinite(given_rows.distances_).all()
    np.testing.assert_allclose(given_rows.distances_, given_distances.distances_)
    assert given_rows.labels_.tolist() == given_distances.labels_.tolist()


@pytest.mark.parametrize("how", LINKAGES)
def test_values_that_overflow_are_refused_by_the_name_of_their_column(how):
    table = {"a": [1.0, 2.0, 4.0], "b": [1e200, -1e200, 0.0]}
    with pytest.raises(ValueError, match="column 'b' holds values so large that .*distances overflow"):
        AgglomerativeClustering(2, linkage=how).fit(table)

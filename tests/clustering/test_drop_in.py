"""Parameters of clusterers and PCA as scikit-learn has them."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.sparse import csr_matrix, random
from sklearn import cluster
from sklearn.decomposition import PCA as TheirPCA  # noqa: N811 - both are classes

from hornbook import DBSCAN, PCA, AgglomerativeClustering, Blocks, Frame, KMeans

X = np.random.default_rng(0).normal(size=(60, 2)) + np.repeat([[0, 0], [5, 5], [0, 5]], 20, axis=0)


def first_rows(rows, n_clusters, random_state):
    assert isinstance(random_state, np.random.RandomState)
    return rows[random_state.permutation(len(rows))[:n_clusters]]


def test_functions_choose_initial_centers():
    model = KMeans(3, init=first_rows, random_state=0).fit(X)
    theirs = cluster.KMeans(3, init=first_rows, n_init=10, random_state=0).fit(X)
    assert model.inertia_ == pytest.approx(theirs.inertia_)
    assert max(model.history_["start"]) == 9  # ten starts, as many as for random rows
    assert KMeans(3, init=first_rows, random_state=0).fit(X).labels_.tolist() == model.labels_.tolist()
    assert "a function" in str(model.describe())
    with pytest.raises(ValueError, match="a function as 'init' needs all rows in memory"):
        KMeans(3, init=first_rows).fit(Blocks([Frame(X[:30]), Frame(X[30:])]))
    with pytest.raises(ValueError, match="does not match the number of clusters 3"):
        KMeans(3, init=lambda rows, k, **_: rows[: k - 1]).fit(X)
    with pytest.raises(ValueError, match="does not match the number of features of the data 2"):
        KMeans(3, init=np.zeros((3, 4))).fit(X)


def test_algorithms_of_k_means_lead_to_the_same_clusters():
    start = X[[0, 30, 50]]
    plain = KMeans(3, init=start).fit(X)
    elkan = KMeans(3, init=start, algorithm="elkan", copy_x=False).fit(X)
    np.testing.assert_array_equal(elkan.cluster_centers_, plain.cluster_centers_)
    theirs = cluster.KMeans(3, init=start, n_init=1, algorithm="elkan").fit(X)
    np.testing.assert_allclose(elkan.cluster_centers_, theirs.cluster_centers_)
    with pytest.warns(RuntimeWarning, match="doesn't make sense for a single cluster"):
        KMeans(1, algorithm="elkan").fit(X)


def test_parameters_that_change_nothing():
    tree = AgglomerativeClustering(3, compute_full_tree=False, compute_distances=True, metric="l2").fit(X)
    np.testing.assert_array_equal(tree.children_, AgglomerativeClustering(3).fit(X).children_)
    dense = DBSCAN(1.0, algorithm="ball_tree", leaf_size=2).fit(X)
    assert dense.labels_.tolist() == DBSCAN(1.0).fit(X).labels_.tolist()


@pytest.mark.parametrize("solver", ["auto", "full", "covariance_eigh", "arpack", "randomized"])
def test_sparse_rows_have_the_components_of_dense_ones(solver):
    rows = csr_matrix(random(200, 12, 0.3, random_state=0))
    setting = {"svd_solver": solver, "random_state": 0, "power_iteration_normalizer": "LU", "copy": False}
    sparse, dense = PCA(3, **setting).fit(rows), PCA(3, **setting).fit(rows.toarray())
    np.testing.assert_allclose(sparse.components_, dense.components_, atol=1e-12)
    np.testing.assert_allclose(sparse.transform(rows), dense.transform(rows.toarray()), atol=1e-12)
    theirs = TheirPCA(3, svd_solver="full").fit(rows.toarray())
    np.testing.assert_allclose(sparse.explained_variance_, theirs.explained_variance_, rtol=1e-3)

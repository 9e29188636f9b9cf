"""KernelKMeans: against k-means, the formulas of both distances, and what it refuses."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn.exceptions import ConvergenceWarning

from hornbook import KernelKMeans, KMeans, kernels


def groups(n=60, k=3, seed=0):
    draw = np.random.default_rng(seed)
    return draw.normal(size=(n, 2)) + 6 * (np.arange(n) % k)[:, None]


def rings(n=60):
    angle = np.linspace(0, 2 * np.pi, n, endpoint=False)
    circle = np.c_[np.cos(angle), np.sin(angle)]
    return np.concatenate([circle, 6 * circle])


def test_with_the_linear_kernel_it_is_k_means():
    X = groups()
    ours, plain = KernelKMeans(3, kernel="linear", random_state=0).fit(X), KMeans(3, random_state=0).fit(X)
    assert ours.inertia_ == pytest.approx(plain.inertia_)
    assert len(set(zip(ours.labels_, plain.labels_, strict=True))) == 3
    new = groups(20, seed=1)
    centers = np.array([X[ours.labels_ == j].mean(axis=0) for j in range(3)])
    expected = np.linalg.norm(new[:, None] - centers, axis=2)
    np.testing.assert_allclose(ours.transform(new), expected, atol=1e-6)
    np.testing.assert_array_equal(ours.predict(new), expected.argmin(axis=1))


def test_rings_are_told_apart_where_k_means_cannot():
    X = rings()
    model = KernelKMeans(2, kernel=kernels.Polynomial(2, 0.0), random_state=1, init="random").fit(X)
    assert len(set(model.labels_[:60])) == len(set(model.labels_[60:])) == 1
    plain = KMeans(2, random_state=0).fit(X).labels_
    assert len(set(plain[60:])) == 2


@pytest.mark.parametrize("distance", ["mean", "average"])
def test_no_row_is_nearer_to_another_cluster_at_the_end(distance):
    X = groups(seed=2)
    kernel = kernels.Gaussian(3.0)
    model = KernelKMeans(3, kernel=kernel, distance=distance, random_state=0).fit(X)
    K = kernel.matrix(X, X)
    parts = [model.labels_ == j for j in range(3)]
    if distance == "mean":
        costs = np.stack(
            [1 - 2 * K[:, part].mean(axis=1) + K[np.ix_(part, part)].mean() for part in parts], axis=1
        )
    else:
        D = np.sqrt(np.maximum(2 - 2 * K, 0))
        costs = np.stack([D[:, part].mean(axis=1) for part in parts], axis=1)
    own = costs[np.arange(len(X)), model.labels_]
    assert (own <= costs.min(axis=1) + 1e-12).all()
    assert model.inertia_ == pytest.approx(own.sum())
    assert model.history_["loss"] == sorted(model.history_["loss"], reverse=True) or distance == "average"


def test_of_several_starts_the_smallest_loss_is_kept():
    X = groups(40, k=4, seed=3)
    losses = [KernelKMeans(4, init="random", n_init=1, random_state=s).fit(X).inertia_ for s in range(8)]
    assert KernelKMeans(4, init="random", n_init=10, random_state=0).fit(X).inertia_ <= np.median(losses)


def test_a_kernel_matrix_gives_the_same_clusters():
    X = groups(seed=4)
    K = kernels.kernel_matrix(X, kernel="rbf")
    by_rows = KernelKMeans(3, random_state=0).fit(X)
    by_matrix = KernelKMeans(3, kernel="precomputed", random_state=0).fit(K)
    np.testing.assert_array_equal(by_rows.labels_, by_matrix.labels_)
    np.testing.assert_array_equal(by_matrix.predict(K[:7]), by_rows.labels_[:7])
    with pytest.raises(ValueError, match="transform needs k\\(x, x\\) of new rows"):
        by_matrix.transform(K[:7])
    average = KernelKMeans(3, kernel="precomputed", distance="average", random_state=0).fit(K)
    with pytest.raises(ValueError, match="distance='average' needs k\\(x, x\\)"):
        average.predict(K[:7])
    with pytest.raises(ValueError, match="must be symmetric"):
        KernelKMeans(2, kernel="precomputed").fit(np.triu(K))
    with pytest.raises(ValueError, match="no coordinates"):
        by_matrix.plot()


def test_weights_count_as_repeated_rows():
    X = groups(30, seed=5)
    w = np.random.default_rng(0).integers(1, 4, 30)
    weighted = KernelKMeans(3, random_state=0).fit(X, sample_weight=w)
    repeated = KernelKMeans(3, random_state=0).fit(np.repeat(X, w, axis=0))
    assert weighted.inertia_ == pytest.approx(repeated.inertia_)
    np.testing.assert_allclose(np.sort(weighted.within_), np.sort(repeated.within_))


def test_what_is_wrong_is_said():
    X = groups(10)
    with pytest.raises(ValueError, match="n_samples=10 should be >= n_clusters=11"):
        KernelKMeans(11).fit(X)
    with pytest.raises(ValueError, match="'kernel' must be one of"):
        KernelKMeans(2, kernel="round").fit(X)
    with pytest.raises(ValueError, match="not finite"), np.errstate(all="ignore"):
        KernelKMeans(2, kernel="poly", gamma=1.0, degree=300).fit(1e9 * X)
    with pytest.warns(ConvergenceWarning, match="number of distinct clusters \\(1\\)"):
        KernelKMeans(2, random_state=0).fit(np.ones((5, 2)))
    with pytest.raises(MemoryError, match="fit on fewer rows"):
        KernelKMeans(2).fit(np.zeros((300_000, 1)))
    with pytest.warns(ConvergenceWarning, match="still changed their cluster"):
        KernelKMeans(2, init="random", n_init=1, max_iter=1, random_state=0).fit(groups(60, 2))


@pytest.mark.parametrize("distance", ["mean", "average"])
def test_equal_rows_are_not_parted_to_fill_clusters(distance):
    X = np.repeat([[0.1, 0.7], [2.3, 0.2]], 5, axis=0)
    with pytest.warns(ConvergenceWarning, match=r"number of distinct clusters \(2\) found smaller"):
        model = KernelKMeans(4, distance=distance, random_state=0).fit(X)
    assert len(set(model.labels_[:5])) == len(set(model.labels_[5:])) == 1


def test_cells_that_are_no_kernel_values_are_refused():
    K = np.eye(4)
    K[1, 2] = np.nan
    with pytest.raises(ValueError, match="Input X contains NaN: column 'x2'"):
        KernelKMeans(2, kernel="precomputed").fit(K)
    model = KernelKMeans(2, kernel="precomputed", random_state=0).fit(np.eye(4))
    with pytest.raises(ValueError, match="Input X contains NaN: column 'x2'"):
        model.predict(K[1:2])


@pytest.mark.parametrize("distance", ["mean", "average"])
def test_a_kernel_that_is_no_scalar_product_is_said(distance):
    K = np.eye(5)
    K[1, 3] = K[3, 1] = 1.5  # 1 - 3 + 1
    with pytest.warns(UserWarning, match=r"not positive semidefinite: .* rows 1 and 3 is -1\. Negative"):
        KernelKMeans(2, kernel="precomputed", distance=distance, random_state=0).fit(K)


def test_a_width_that_overflows_is_refused():
    with pytest.raises(ValueError, match="so large that their variance overflows"):
        KernelKMeans(2).fit([[1e200], [-1e200], [0.0]])

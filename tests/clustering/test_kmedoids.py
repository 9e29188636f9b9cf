"""KMedoids: losses against brute force, every option, and what it refuses."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pandas as pd
import pytest
from scipy.spatial.distance import cdist
from sklearn.exceptions import ConvergenceWarning

from hornbook import KMedoids, distances


def groups(n=60, k=3, d=2, seed=0):
    draw = np.random.default_rng(seed)
    labels = np.arange(n) % k
    return draw.normal(size=(n, d)) + 5 * labels[:, None], labels


def loss(D, medoids, w=None):
    nearest = D[:, medoids].min(axis=1)
    return float(nearest.sum() if w is None else w @ nearest)


@pytest.mark.parametrize("metric", ["euclidean", "manhattan", "chebyshev"])
def test_distances_that_are_looked_up_and_computed_give_the_same_medoids(metric, monkeypatch):
    X, _ = groups(150, 4, 3)
    w = np.random.default_rng(0).integers(0, 3, 150) * 1.0
    computed = KMedoids(4, metric=metric, random_state=0).fit(X, sample_weight=w)
    monkeypatch.setattr("hornbook.clustering.medoids._kmedoids.MATRIX_COLUMNS", 3)
    looked_up = KMedoids(4, metric=metric, random_state=0).fit(X, sample_weight=w)
    np.testing.assert_array_equal(looked_up.medoid_indices_, computed.medoid_indices_)
    np.testing.assert_array_equal(looked_up.labels_, computed.labels_)
    assert looked_up.inertia_ == computed.inertia_


@pytest.mark.parametrize("init", ["build", "k-medoids++", "random"])
@pytest.mark.parametrize("seed", range(4))
def test_swaps_end_where_no_swap_is_better(init, seed):
    X = np.random.default_rng(seed).uniform(size=(40, 2))
    model = KMedoids(4, init=init, random_state=seed).fit(X)
    D = cdist(X, X)
    medoids = model.medoid_indices_.tolist()
    assert model.inertia_ == pytest.approx(loss(D, medoids))
    for slot in range(4):
        for row in range(40):
            changed = [*medoids[:slot], row, *medoids[slot + 1 :]]
            assert loss(D, changed) >= model.inertia_ * (1 - 1e-12)


def test_on_few_rows_the_best_of_all_choices_is_found():
    X, _ = groups(18)
    D = cdist(X, X)
    best = min(loss(D, list(chosen)) for chosen in combinations(range(18), 3))
    assert KMedoids(3, random_state=0).fit(X).inertia_ == pytest.approx(best)
    one = KMedoids(1, random_state=0).fit(X)
    assert one.inertia_ == pytest.approx(D.sum(axis=0).min())
    assert one.medoid_indices_.tolist() == [int(D.sum(axis=0).argmin())]


def test_alternation_ends_where_medoids_are_best_in_their_clusters():
    X, _ = groups(seed=1)
    model = KMedoids(3, method="alternate", init="random", random_state=1).fit(X)
    D = cdist(X, X)
    for j, medoid in enumerate(model.medoid_indices_):
        members = np.flatnonzero(model.labels_ == j)
        sums = D[np.ix_(members, members)].sum(axis=1)
        assert sums.min() == pytest.approx(sums[members == medoid][0])
    assert model.history_["loss"] == sorted(model.history_["loss"], reverse=True)


def test_samples_come_near_the_loss_of_all_rows():
    X, labels = groups(3000, k=4)
    whole = KMedoids(4, random_state=0).fit(X)
    sampled = KMedoids(4, method="clara", sample_size=200, random_state=0).fit(X)
    assert whole.inertia_ <= sampled.inertia_ < 1.05 * whole.inertia_
    with pytest.raises(ValueError, match="'sample_size' must be at least n_clusters=4; got 3"):
        KMedoids(4, method="clara", sample_size=3).fit(X)
    assert KMedoids(4, method="clara", random_state=0).fit(X[:50]).inertia_ == pytest.approx(
        KMedoids(4, random_state=0).fit(X[:50]).inertia_, rel=0.05
    )
    assert labels.max() == 3


@pytest.mark.parametrize("metric", ["manhattan", "chebyshev", distances.Minkowski(3.0), "mahalanobis"])
def test_a_matrix_of_the_same_distances_gives_the_same_medoids(metric):
    X, _ = groups(seed=2)
    by_rows = KMedoids(3, metric=metric, random_state=0).fit(X)
    D = distances.pairwise(X, metric=metric)
    by_matrix = KMedoids(3, metric="precomputed", random_state=0).fit(D)
    assert by_rows.inertia_ == pytest.approx(by_matrix.inertia_)
    assert set(by_rows.medoid_indices_) == set(by_matrix.medoid_indices_)
    assert by_matrix.cluster_centers_ is None
    np.testing.assert_array_equal(by_matrix.predict(D), by_matrix.labels_)
    np.testing.assert_allclose(by_matrix.transform(D[:5]), D[:5][:, by_matrix.medoid_indices_])
    with pytest.raises(ValueError, match="no coordinates to draw"):
        by_matrix.plot()


def test_a_function_is_a_distance():
    X, _ = groups(seed=3)
    called = KMedoids(3, metric=lambda a, b: float(np.abs(a - b).sum()), random_state=0).fit(X)
    named = KMedoids(3, metric="manhattan", random_state=0).fit(X)
    np.testing.assert_array_equal(called.medoid_indices_, named.medoid_indices_)
    np.testing.assert_array_equal(called.predict(X), named.labels_)
    sampled = KMedoids(3, metric=lambda a, b: float(np.abs(a - b).sum()), method="clara", random_state=0).fit(
        X
    )
    assert sampled.inertia_ == pytest.approx(named.inertia_, rel=0.1)


def test_a_distance_that_is_no_metric_is_said():
    X, _ = groups(seed=3)
    sentence = "KMedoids: the distance is not a metric: triangle is violated by the rows"
    for method in ("fasterpam", "alternate", "clara"):
        called = KMedoids(3, metric=lambda a, b: float(((a - b) ** 2).sum()), method=method, random_state=0)
        with pytest.warns(UserWarning, match=sentence):
            called.fit(X)
        assert not called.is_metric_
        assert "violates the triangle inequality" in str(called.describe())
    with pytest.warns(UserWarning, match=sentence):
        given = KMedoids(3, metric="precomputed", random_state=0).fit(distances.pairwise(X) ** 2)
    assert not given.is_metric_
    assert KMedoids(3, random_state=0).fit(X).is_metric_
    X[::3, 0] = X[1::3, 1] = np.nan  # rows are compared by the columns that both have
    assert not KMedoids(3, random_state=0).fit(X).is_metric_


def test_rows_that_nearly_coincide_do_not_make_a_distance_no_metric():
    X, _ = groups(30)
    X = np.concatenate([X, X + 1e-13])
    assert KMedoids(3, metric="precomputed", random_state=0).fit(distances.pairwise(X)).is_metric_


@pytest.mark.parametrize("method", ["fasterpam", "clara"])
@pytest.mark.parametrize(
    ("distance", "rule"),
    [
        (lambda a, b: float(max(a[0] - b[0], 0.0)), "symmetric"),
        (lambda a, b: float(abs(a[0] - b[0]) - 1.0), "not be negative"),
        (lambda a, b: float(abs(a[0] - b[0]) + 1.0), "0 on the diagonal"),
        (lambda a, b: float("inf") if a[0] != b[0] else 0.0, "finite"),
    ],
)
def test_functions_that_are_no_distances_are_refused(distance, rule, method):
    with pytest.raises(ValueError, match=f"values of the distance function must be.*{rule}|must {rule}"):
        KMedoids(3, metric=distance, method=method, random_state=0).fit(groups(40)[0])


def test_categories_and_missing_cells_have_medoids():
    table = pd.DataFrame(
        {
            "size": [1.0, 1.2, np.nan, 9.0, 9.1, 8.8],
            "color": ["red", "red", "red", "blue", "blue", None],
        }
    )
    model = KMedoids(2, metric="gower", random_state=0).fit(table)
    assert model.labels_.tolist() == [1, 1, 1, 0, 0, 0] or model.labels_.tolist() == [0, 0, 0, 1, 1, 1]
    assert {row[1] for row in model.cluster_centers_.tolist()} == {"red", "blue"}
    assert model.predict(pd.DataFrame({"size": [1.1], "color": ["red"]})) == model.labels_[0]


def test_rows_without_a_common_column_are_far_apart():
    X = np.array([[0.0, np.nan], [0.1, np.nan], [np.nan, 5.0], [np.nan, 5.1], [0.0, 5.0], [0.2, 5.2]])
    model = KMedoids(2, random_state=0).fit(X)
    assert np.isfinite(model.inertia_)
    assert np.isfinite(model.transform(X)).all()
    assert np.isfinite(model.transform([[np.nan, np.nan]])).all()


def test_weights_count_as_repeated_rows():
    X, _ = groups(30, seed=4)
    w = np.random.default_rng(0).integers(0, 4, 30)
    weighted = KMedoids(3, init="build").fit(X, sample_weight=w)
    repeated = KMedoids(3, init="build").fit(np.repeat(X, w, axis=0))
    assert weighted.inertia_ == pytest.approx(repeated.inertia_)
    np.testing.assert_allclose(weighted.cluster_centers_, repeated.cluster_centers_)
    assert (w[weighted.medoid_indices_] > 0).all()


def test_first_medoids_may_be_given():
    X, _ = groups()
    model = KMedoids(3, init=[0, 1, 2], method="alternate").fit(X)
    np.testing.assert_array_equal(np.sort(model.fit(X).medoid_indices_), np.sort(model.medoid_indices_))
    for wrong in ([0, 1], [0, 1, 1], [0, 1, 99], [0.5, 1, 2]):
        with pytest.raises(ValueError, match="'init' must be 3 different row numbers from 0 to 59"):
            KMedoids(3, init=wrong).fit(X)


def test_too_few_passes_are_said():
    X = np.random.default_rng(0).uniform(size=(200, 2))
    with pytest.warns(ConvergenceWarning, match="still changed in the last of max_iter=1 passes"):
        KMedoids(8, init="random", max_iter=1, random_state=0).fit(X)


def test_fewer_distinct_points_than_clusters_are_said():
    X = np.array([[0.0], [0.0], [0.0], [1.0]])
    with pytest.warns(ConvergenceWarning, match="number of distinct clusters \\(2\\) found smaller than"):
        model = KMedoids(3, random_state=0).fit(X)
    assert model.inertia_ == 0.0
    with pytest.raises(ValueError, match="n_samples=4 should be >= n_clusters=5"):
        KMedoids(5).fit(X)
    with pytest.warns(ConvergenceWarning, match="number of distinct clusters \\(1\\)"):
        KMedoids(2, random_state=0).fit(np.ones((5, 2)))


def test_matrices_that_are_no_distances_are_refused():
    D = cdist(*[groups(8)[0]] * 2)
    for change, words in (
        ((0, 1, np.nan), "finite|NaN"),
        ((0, 1, -1.0), "negative"),
        ((0, 1, 3.3), "symmetric"),
    ):
        wrong = D.copy()
        wrong[change[0], change[1]] = change[2]
        with pytest.raises(ValueError, match=words):
            KMedoids(2, metric="precomputed").fit(wrong)
    with pytest.raises(ValueError, match="square matrix"):
        KMedoids(2, metric="precomputed").fit(D[:, :5])


def test_a_function_of_too_many_rows_is_refused_with_the_size_and_a_remedy():
    X = np.zeros((300_000, 1))
    with pytest.raises(MemoryError, match="300000 rows and 300000 columns .*: choose method='clara'"):
        KMedoids(2, metric=lambda a, b: abs(a[0] - b[0])).fit(X)


def test_threads_change_nothing():
    X, _ = groups(400, k=5, seed=5)
    one, three = (KMedoids(5, random_state=0, n_jobs=jobs).fit(X) for jobs in (1, 3))
    np.testing.assert_array_equal(one.medoid_indices_, three.medoid_indices_)
    assert one.inertia_ == three.inertia_


def test_groups_that_are_tiny_beside_their_distances_come_to_rest():
    rng = np.random.default_rng(0)
    X = np.vstack([np.zeros((20, 2)), rng.normal(size=(20, 2)) * 1e-9 + 5, [[100.0, 100.0]]])
    model = KMedoids(3, random_state=0).fit(X)  # a warning would be an error
    assert model.n_iter_ < 10
    assert sorted(np.bincount(model.labels_).tolist()) == [1, 20, 20]


def test_values_that_overflow_are_refused_by_the_name_of_their_column():
    table = {"a": [1.0, 2.0, 4.0], "b": [1e200, -1e200, np.nan]}
    with pytest.raises(ValueError, match="KMedoids: column 'b' holds values so large"):
        KMedoids(2).fit(table)
    assert KMedoids(2, metric="manhattan").fit(table).inertia_ < np.inf  # no squares, no overflow

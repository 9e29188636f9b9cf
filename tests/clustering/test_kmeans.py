"""KMeans: scikit-learn's centers from the same start, weights, missing cells, empty clusters, errors."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.cluster import KMeans as Theirs
from sklearn.cluster import kmeans_plusplus
from sklearn.exceptions import ConvergenceWarning
from tests.base.test_watch import Listener

from hornbook import KMeans, datasets
from hornbook.clustering._initialization import initializer
from hornbook.frame import Block, Blocks, Frame


def groups(n=500, d=4, k=5, seed=0, wide=4.0):
    rng = np.random.default_rng(seed)
    return rng.normal(size=(k, d))[rng.integers(k, size=n)] * wide + rng.normal(size=(n, d))


@settings(derandomize=True, max_examples=40, deadline=None)
@given(
    n=st.integers(20, 400),
    d=st.integers(1, 10),
    k=st.integers(1, 9),
    seed=st.integers(0, 2**32 - 1),
    weighted=st.booleans(),
    tol=st.sampled_from([0.0, 1e-4, 0.1]),
)
def test_centers_and_labels_of_scikit_learn(n, d, k, seed, weighted, tol):
    X = groups(n, d, 4, seed, 2.0)
    rng = np.random.default_rng(seed)
    start = X[rng.choice(n, k, replace=False)]
    w = rng.uniform(0.5, 3, n) if weighted else None
    # Their tolerance uses the unweighted variance of the rows, ours the weighted one.
    same = (
        tol * X.var(axis=0).mean() / np.mean(np.average((X - np.average(X, 0, w)) ** 2, 0, w)) if tol else 0.0
    )
    ours = KMeans(k, init=start, tol=same, max_iter=50).fit(X, sample_weight=w)
    theirs = Theirs(k, init=start, tol=tol, max_iter=50, n_init=1).fit(X, sample_weight=w)
    np.testing.assert_allclose(ours.cluster_centers_, theirs.cluster_centers_, rtol=1e-10, atol=1e-10)
    np.testing.assert_array_equal(ours.labels_, theirs.labels_)
    assert ours.inertia_ == pytest.approx(theirs.inertia_, rel=1e-10)
    assert ours.n_iter_ == theirs.n_iter_
    np.testing.assert_allclose(ours.transform(X), theirs.transform(X), rtol=1e-6, atol=1e-6)
    assert ours.score(X, sample_weight=w) == pytest.approx(theirs.score(X, sample_weight=w), rel=1e-10)
    np.testing.assert_array_equal(ours.predict(X), theirs.predict(X))
    np.testing.assert_array_equal(ours.predict(X), ours.labels_)


def test_inertia_falls_in_every_pass_and_the_last_is_kept():
    X = groups(2000, 6, 8, wide=1.0)
    X[np.random.default_rng(0).random(X.shape) < 0.1] = np.nan
    model = KMeans(8, random_state=3, tol=0.0).fit(X)
    inertia = model.history_["inertia"]
    assert len(inertia) == model.n_iter_ > 5
    assert (np.diff(inertia) <= 1e-9 * inertia[0]).all()
    assert model.inertia_ == inertia[-1] == pytest.approx(-model.score(X))
    assert model.history_["shift"][-1] == 0.0


def test_far_from_zero_no_digits_are_lost():
    X = groups(3000, 3, 3)
    near, far = (KMeans(3, init=X[:3] + move, tol=0.0).fit(X + move) for move in (0.0, 2.0**33))
    np.testing.assert_allclose(far.cluster_centers_ - 2.0**33, near.cluster_centers_, atol=4e-6)
    np.testing.assert_array_equal(far.labels_, near.labels_)


def test_weights_are_repeated_rows():
    X = groups(300)
    w = np.arange(300) % 4
    for setting in (
        {"init": X[1:6]},
        {"random_state": 1},
        {"init": "random", "n_init": 3, "random_state": 2},
    ):
        weighted = KMeans(5, **setting).fit(X, sample_weight=w)
        repeated = KMeans(5, **setting).fit(np.repeat(X, w, axis=0))
        np.testing.assert_allclose(
            weighted.cluster_centers_, repeated.cluster_centers_, rtol=1e-12, atol=1e-12
        )
        np.testing.assert_array_equal(np.repeat(weighted.labels_, w), repeated.labels_)
        assert weighted.inertia_ == pytest.approx(repeated.inertia_)


@pytest.mark.parametrize("init", ["k-means++", "random"])
def test_weighted_rows_are_drawn_as_often_as_repeated_ones_in_any_order(init):
    X, w = np.array([[0.0], [1.0], [4.0], [9.0]]), np.array([3.0, 1.0, 2.0, 0.0])
    many = X[[2, 0, 1, 0, 2, 0]]
    shares = []
    for rows, weights in ((X, w), (many, None)):
        blocks = Blocks.of(Block(rows, None, weights), Frame(rows).schema, 1)
        drawn = [initializer(init, blocks, 2, rows.mean(axis=0), seed)(0) for seed in range(1500)]
        pairs = np.sort(np.array(drawn)[:, :, 0], axis=1) @ [10.0, 1.0]
        shares.append(np.array([(pairs == pair).mean() for pair in (1.0, 4.0, 14.0)]))
    assert shares[0].sum() == shares[1].sum() == pytest.approx(1.0)
    assert abs(shares[0] - shares[1]).max() < 4 * np.sqrt(2 * 0.25 / 1500)


def test_missing_cells_give_nothing_to_distances_and_centers():
    X = np.array([[0.0, 0.0], [0.2, np.nan], [5.0, 5.0], [np.nan, 5.4], [np.nan, np.nan]])
    model = KMeans(2, init=[[0.0, 0.0], [5.0, 5.0]]).fit(X)
    assert model.labels_.tolist() == [0, 0, 1, 1, 0]
    np.testing.assert_allclose(model.cluster_centers_, [[0.1, 0.0], [5.0, 5.2]])
    assert model.seen_.tolist() == [[2.0, 1.0], [1.0, 2.0]]
    assert model.inertia_ == pytest.approx(2 * 0.01 + 2 * 0.04)
    np.testing.assert_allclose(model.transform([[3.1, None]]), [[3.0, 1.9]])
    assert model.transform([[None, None]]).tolist() == [[0.0, 0.0]]


def test_a_coordinate_without_known_cells_stays_where_it_was():
    X = np.array([[0.0, np.nan], [0.2, np.nan], [5.0, 5.0], [5.2, 6.0]])
    model = KMeans(2, init=[[0.0, 1.5], [5.0, 5.0]]).fit(X)
    np.testing.assert_allclose(model.cluster_centers_, [[0.1, 1.5], [5.1, 5.5]])


def test_categories_become_indicators_and_missing_ones_stay_missing():
    table = {"color": ["red", "red", None, "blue", "blue"], "size": [1.0, 1.2, 1.1, 3.0, 3.2]}
    model = KMeans(2, random_state=0).fit(table)
    assert model.encoded_names_.tolist() == ["color=blue", "color=red", "size"]
    small = int(model.predict([{"color": "red", "size": 1.0}])[0])
    assert model.labels_.tolist() == [small] * 3 + [1 - small] * 2
    np.testing.assert_allclose(model.cluster_centers_[small], [0.0, 1.0, 1.1])
    assert model.seen_[small].tolist() == [2.0, 2.0, 3.0]


def test_centers_without_rows_take_the_farthest_rows_as_in_scikit_learn():
    X = groups(200, 3, 4)
    start = np.vstack([X[:3], np.full((2, 3), 1e3), np.full((1, 3), -1e3)])
    ours = KMeans(6, init=start).fit(X)
    theirs = Theirs(6, init=start, n_init=1).fit(X)
    np.testing.assert_allclose(ours.cluster_centers_, theirs.cluster_centers_, rtol=1e-10, atol=1e-10)
    np.testing.assert_array_equal(ours.labels_, theirs.labels_)


def test_rows_without_weight_do_not_become_centers():
    X = np.array([[0.0], [1.0], [50.0], [2.0]])
    model = KMeans(2, init=[[1.0], [900.0]]).fit(X, sample_weight=[1, 1, 0, 1])
    assert model.cluster_centers_.ravel().tolist() == [1.5, 0.0]  # the first of the two farthest with weight
    for seed in range(20):
        drawn = KMeans(3, init="random", random_state=seed).fit(X, sample_weight=[1, 1, 0, 1])
        assert sorted(drawn.cluster_centers_.ravel().tolist()) == [0.0, 1.0, 2.0]


@pytest.mark.parametrize("init", ["k-means++", "random"])
def test_more_clusters_than_different_points(init):
    X = np.repeat([[0.0, 1.0], [3.0, 4.0]], 5, axis=0)
    with pytest.warns(
        ConvergenceWarning, match=r"distinct clusters \(2\) found smaller than n_clusters \(4\)"
    ):
        model = KMeans(4, init=init, random_state=0).fit(X)
    assert model.cluster_centers_.shape == (4, 2)
    assert model.inertia_ == 0.0
    assert {tuple(c) for c in model.cluster_centers_.tolist()} == {(0.0, 1.0), (3.0, 4.0)}
    assert (model.predict(X) == model.labels_).all()


def test_all_points_equal_are_one_cluster():
    model = KMeans(1).fit(np.full((10, 2), 0.1))
    assert model.cluster_centers_.tolist() == [[0.1, 0.1]]
    assert (model.inertia_, model.n_iter_) == (0.0, 1)


def test_plus_plus_is_as_good_as_that_of_scikit_learn():
    """The mean sum of squared distances before the first move, over many seeds, within three errors."""
    X = groups(400, 2, 8)

    def potential(centers):
        return np.square(X[:, None] - centers).sum(axis=2).min(axis=1).sum()

    ours = [-KMeans(8, random_state=s, max_iter=1).fit(X).history_["inertia"][0] for s in range(200)]
    theirs = [-potential(kmeans_plusplus(X, 8, random_state=s)[0]) for s in range(200)]
    error = np.sqrt((np.var(ours) + np.var(theirs)) / 200)
    assert abs(np.mean(ours) - np.mean(theirs)) < 3 * error
    worse = [
        -KMeans(8, init="random", n_init=1, random_state=s, max_iter=1).fit(X).history_["inertia"][0]
        for s in range(50)
    ]
    assert np.mean(worse) < 1.5 * np.mean(ours)


class ThirdPass(Listener):
    """Stops after the third pass."""

    def on_fit_task_end(self, estimator, context):
        super().on_fit_task_end(estimator, context)
        return self.heard.count("end pass") == 3


def test_passes_are_seen_and_can_be_stopped():
    X = groups(500, 4, 6, wide=1.0)
    whole = KMeans(6, random_state=0, tol=0.0).fit(X)
    model = KMeans(6, random_state=0, tol=0.0).set_callbacks(ThirdPass()).fit(X)
    assert whole.n_iter_ > model.n_iter_ == 3
    assert model.history_["inertia"] == whole.history_["inertia"][:3]
    np.testing.assert_array_equal(model.labels_, model.predict(X))
    assert model.inertia_ == whole.history_["inertia"][3]


@pytest.mark.parametrize(
    ("setting", "X", "message"),
    [
        ({"n_clusters": 4}, np.ones((3, 1)), r"n_samples=3 should be >= n_clusters=4: .* lower n_clusters"),
        (
            {"n_clusters": 0},
            np.ones((3, 1)),
            r"parameter 'n_clusters' must be an integer in \[1, inf\); got 0",
        ),
        ({"init": "kmeans++"}, np.ones((9, 1)), r"parameter 'init' must be .* Did you mean 'k-means\+\+'"),
        (
            {"n_clusters": 2, "init": [[1.0]]},
            np.ones((9, 1)),
            r"'init' must be 2 rows of 1 finite numbers.*\(1, 1\)",
        ),
        (
            {"n_clusters": 1, "init": [[np.nan]]},
            np.ones((9, 1)),
            "got shape .1, 1. with cells that are not finite",
        ),
        (
            {"n_clusters": 2},
            np.array([[1e200], [-1e200], [0.0]]),
            "column 'x0' holds values so large.* rescale it",
        ),
    ],
)
def test_what_is_refused(setting, X, message):
    with pytest.raises(ValueError, match=message):
        KMeans(**setting).fit(X)


def test_given_places_are_one_start():
    X = datasets.iris().numbers
    with pytest.warns(RuntimeWarning, match="n_init=3 starts would all be the same"):
        KMeans(2, init=X[:2], n_init=3).fit(X)


def test_working_and_description():
    X = np.array([[0.0, 0.0], [4.0, 0.0]])
    model = KMeans(2, init=X).fit(X)
    working = model.working([1.0, 2.0])
    assert working.scores == [-5.0, -13.0]
    assert working.prediction == 0
    assert [line.split() for line in str(working).splitlines() if "distance" in line] == [
        ["distance", "2.236", "3.606"]
    ]
    text = str(model.describe())
    assert "sum of squared distances: 0" in text
    assert "cluster 1" in text

"""Neighbor learners against scikit-learn, and what they do beyond it."""

from __future__ import annotations

import tracemalloc

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn import neighbors as sk

from hornbook import KNeighborsClassifier, KNeighborsRegressor, RadiusNeighborsClassifier, load, save
from hornbook.distances import Mahalanobis, Minkowski

draw = np.random.default_rng(0)
X = draw.normal(size=(500, 4))
Q = draw.normal(size=(120, 4))
LABELS = np.array(["a", "b", "c"])[np.argmax(X[:, :3] + draw.normal(size=(500, 3)) * 0.5, axis=1)]
NUMBERS = X @ [1.0, -2.0, 0.5, 0.0] + draw.normal(size=500)


@pytest.mark.parametrize("weights", ["uniform", "distance", lambda d: np.exp(-d)])
@pytest.mark.parametrize("k", [1, 4, 15])
@pytest.mark.parametrize("algorithm", ["auto", "kd_tree", "brute"])
def test_agrees_with_scikit_learn(weights, k, algorithm):
    settings_ = {"n_neighbors": k, "weights": weights}
    ours = KNeighborsClassifier(**settings_, algorithm=algorithm, ties="first").fit(X, LABELS)
    theirs = sk.KNeighborsClassifier(**settings_).fit(X, LABELS)
    np.testing.assert_allclose(ours.predict_proba(Q), theirs.predict_proba(Q), atol=1e-12)
    np.testing.assert_array_equal(ours.predict(Q), theirs.predict(Q))
    number = KNeighborsRegressor(**settings_, algorithm=algorithm).fit(X, NUMBERS)
    expected = sk.KNeighborsRegressor(**settings_).fit(X, NUMBERS).predict(Q)
    np.testing.assert_allclose(number.predict(Q), expected, rtol=1e-10)


@pytest.mark.parametrize(("metric", "p"), [("manhattan", 2), ("chebyshev", 2), ("minkowski", 3)])
def test_neighbors_are_those_of_scikit_learn(metric, p):
    for algorithm in ("kd_tree", "brute"):
        ours = KNeighborsRegressor(metric=metric, p=p, algorithm=algorithm).fit(X, NUMBERS)
        theirs = sk.KNeighborsRegressor(metric=metric, p=p).fit(X, NUMBERS)
        for rows in (Q, None):
            distances, indices = ours.kneighbors(rows, n_neighbors=7)
            expected = theirs.kneighbors(rows, n_neighbors=7)
            np.testing.assert_allclose(distances, expected[0], rtol=1e-10)
            np.testing.assert_array_equal(indices, expected[1])
        np.testing.assert_array_equal(ours.kneighbors(Q, return_distance=False), ours.kneighbors(Q)[1])


@pytest.mark.parametrize("weights", ["uniform", "distance"])
def test_radius_agrees_with_scikit_learn(weights):
    for algorithm in ("kd_tree", "brute"):
        ours = RadiusNeighborsClassifier(radius=0.8, weights=weights, algorithm=algorithm).fit(X, LABELS)
        theirs = sk.RadiusNeighborsClassifier(radius=0.8, weights=weights, outlier_label="most_frequent").fit(
            X, LABELS
        )
        has = np.array([len(rows) > 0 for rows in theirs.radius_neighbors(Q, return_distance=False)])
        assert 0 < has.sum() < len(Q)
        np.testing.assert_allclose(ours.predict_proba(Q)[has], theirs.predict_proba(Q)[has], atol=1e-12)
        np.testing.assert_allclose(
            ours.predict_proba(Q)[~has], np.tile(ours.class_prior_, ((~has).sum(), 1)), atol=1e-12
        )


@settings(derandomize=True, max_examples=60, deadline=None)
@given(
    seed=st.integers(0, 1000),
    k=st.integers(1, 12),
    weights=st.sampled_from(["uniform", "distance"]),
    radius=st.sampled_from([None, 1.0]),
)
def test_weights_are_repeated_rows_even_where_distances_are_equal(seed, k, weights, radius):
    rng = np.random.default_rng(seed)
    table = rng.integers(0, 4, size=(25, 2)).astype(float)
    y, w = rng.integers(0, 3, size=25), rng.integers(0, 4, size=25)
    w[0] = 2
    settings_ = {"n_neighbors": k, "weights": weights, "radius": radius}
    queries = rng.integers(0, 4, size=(10, 2)) + 0.25
    for learner in (KNeighborsClassifier(**settings_), KNeighborsRegressor(**settings_)):
        one = learner.fit(table, y, sample_weight=w).predict(queries)
        two = learner.fit(table.repeat(w, axis=0), y.repeat(w)).predict(queries)
        np.testing.assert_allclose(one, two, rtol=1e-12)


def test_small_weights_reach_further_and_say_when_there_is_not_enough():
    table = np.arange(10.0)[:, None]
    model = KNeighborsRegressor(n_neighbors=2).fit(table, np.arange(10.0), sample_weight=np.full(10, 0.5))
    assert model.predict([[0.0]]).tolist() == [1.5]  # rows 0, 1, 2, 3 count as two
    with pytest.warns(UserWarning, match="scale the weights to a mean of 1"):
        KNeighborsRegressor().fit(table, np.arange(10.0), sample_weight=np.full(10, 0.1))


def test_rows_of_weight_zero_are_not_there_but_keep_their_index():
    model = KNeighborsClassifier(n_neighbors=2).fit(
        [[0.0], [1.0], [2.0]], list("aab"), sample_weight=[0, 1, 1]
    )
    assert model.kneighbors([[0.0]])[1].tolist() == [[1, 2]]
    assert "row 1 at distance 1" in str(model.working([0.0]))
    with pytest.raises(ValueError, match="from 1 to 2"):
        model.kneighbors([[0.0]], n_neighbors=3)


def test_more_neighbors_than_rows_asks_all_of_them():
    model = KNeighborsClassifier(n_neighbors=50).fit([[0.0], [1.0], [5.0]], ["x", "x", "y"])
    np.testing.assert_allclose(model.predict_proba([[5.0]]), [[2 / 3, 1 / 3]])
    with pytest.raises(ValueError, match="Expected n_neighbors from 1 to 3"):
        model.kneighbors([[5.0]])
    with pytest.raises(ValueError, match="from 1 to 2"):
        model.kneighbors(n_neighbors=3)


def test_all_points_equal():
    table = np.ones((100, 3))
    y = np.repeat(["a", "b"], [60, 40])
    for setting in ({}, {"weights": "distance"}, {"algorithm": "brute"}):
        model = KNeighborsClassifier(n_neighbors=100, **setting).fit(table, y)
        np.testing.assert_allclose(model.predict_proba(table[:1]), [[0.6, 0.4]])
        assert model.kneighbors(table[:1], n_neighbors=4)[1].tolist() == [[0, 1, 2, 3]]
    alone = model.kneighbors(n_neighbors=3)[1]
    assert (alone != np.arange(100)[:, None]).all()


def test_a_row_without_neighbors():
    table, y = [[0.0], [1.0], [5.0]], ["x", "x", "y"]
    near = KNeighborsClassifier(radius=2.0).fit(table, y)
    np.testing.assert_allclose(near.predict_proba([[99.0]]), [[2 / 3, 1 / 3]])
    assert "no neighbor" in str(near.working([99.0]))
    assert KNeighborsRegressor(radius=2.0).fit(table, [1.0, 2.0, 6.0]).predict([[99.0]]) == [3.0]
    labeled = RadiusNeighborsClassifier(outlier_label="y").fit(table, y)
    assert labeled.predict_proba([[99.0]]).tolist() == [[0.0, 1.0]]
    apart = RadiusNeighborsClassifier(outlier_label="z").fit(table, y)
    with pytest.warns(UserWarning, match="Outlier label z is not in training classes"):
        assert apart.predict([[99.0], [5.0]]).tolist() == ["z", "y"]
    with pytest.warns(UserWarning, match="Outlier label z is not in training classes"):
        assert apart.predict_proba([[99.0], [5.0]]).tolist() == [[0.0, 0.0], [0.0, 1.0]]
    with pytest.raises(ValueError, match="No neighbors found for 1 rows, the first of them row 0"):
        RadiusNeighborsClassifier(outlier_label=None).fit(table, y).predict([[99.0]])
    for wrong in (3, [["x"]]):
        with pytest.raises(TypeError, match="parameter 'outlier_label'"):
            RadiusNeighborsClassifier(outlier_label=wrong).fit(table, y)


def mixed():
    return pd.DataFrame({"size": [1.0, 2.0, 8.0, 9.0], "color": ["red", "red", "blue", "blue"]})


def test_categories_and_missing_cells():
    model = KNeighborsClassifier(n_neighbors=1).fit(mixed(), list("aabb"))
    rows = pd.DataFrame({"size": [np.nan, 8.4, np.nan], "color": ["blue", None, None]})
    assert model.predict(rows).tolist() == ["b", "b", "a"]
    # Where nothing is known, the prediction is the class frequencies.
    np.testing.assert_allclose(model.predict_proba(rows)[2], [0.5, 0.5], atol=1e-15)
    with pytest.warns(UserWarning, match="count as missing"):
        assert model.predict(pd.DataFrame({"size": [1.2], "color": ["green"]})).tolist() == ["a"]


def test_a_tree_is_refused_where_there_can_be_none():
    for table, metric in ((mixed(), "minkowski"), ([[1.0], [np.nan]], "minkowski"), (X, "hamming")):
        with pytest.raises(ValueError, match="algorithm='kd_tree' needs complete numbers"):
            KNeighborsRegressor(algorithm="kd_tree", metric=metric).fit(table, np.zeros(len(table)))


def test_distances_as_objects_and_functions():
    inverse = np.linalg.inv(np.cov(X.T))
    theirs = sk.KNeighborsClassifier(metric="mahalanobis", metric_params={"VI": inverse}, algorithm="brute")
    ours = KNeighborsClassifier(metric=Mahalanobis(divisor="n-1"), ties="first").fit(X, LABELS)
    np.testing.assert_array_equal(ours.predict(Q), theirs.fit(X, LABELS).predict(Q))
    weighted = KNeighborsRegressor(metric=Minkowski(1, weights=[0, 0, 0, 1])).fit(X, NUMBERS)
    alone = KNeighborsRegressor(metric="manhattan").fit(X[:, 3:], NUMBERS)
    np.testing.assert_array_equal(weighted.predict(Q), alone.predict(Q[:, 3:]))
    called = KNeighborsRegressor(metric=lambda a, b: np.abs(a - b).sum()).fit(X, NUMBERS)
    np.testing.assert_allclose(called.predict(Q), sk.KNeighborsRegressor(p=1).fit(X, NUMBERS).predict(Q))
    near = RadiusNeighborsClassifier(metric=lambda a, b: np.abs(a - b).max()).fit(X, LABELS)
    same = RadiusNeighborsClassifier(metric="chebyshev").fit(X, LABELS)
    np.testing.assert_allclose(near.predict_proba(Q), same.predict_proba(Q), atol=1e-12)
    with pytest.raises(ValueError, match="Did you mean 'manhattan'?"):
        KNeighborsRegressor(metric="manhatan").fit(X, NUMBERS)


def test_value_differences_make_categories_near_that_go_with_the_same_class():
    table = pd.DataFrame({"color": ["red"] * 4 + ["rose"] * 4 + ["blue"] * 4})
    y = list("aaab" + "aaaa" + "bbbb")
    model = KNeighborsClassifier(metric="vdm", n_neighbors=8).fit(table, y)
    assert set(model.kneighbors(table[4:5])[1][0].tolist()) == set(range(8))


def test_argmax_of_the_probabilities_is_the_prediction_even_in_ties():
    model = KNeighborsClassifier(n_neighbors=2).fit([[1.0], [2.0]], ["b", "a"])
    shares = model.predict_proba([[0.0]])
    np.testing.assert_allclose(shares, [[0.5, 0.5]], atol=1e-15)
    assert model.classes_[shares.argmax()] == model.predict([[0.0]])[0] == "b"


def test_equal_rows_get_equal_lots():
    table, y = np.repeat([[0.0], [1.0]], 50, axis=0), ["a", "b"] * 50
    model = KNeighborsClassifier(n_neighbors=100, ties="random", random_state=3).fit(table, y)
    rows = np.linspace(0, 1, 200)[:, None]
    answers = model.predict(rows)
    assert set(answers) == {"a", "b"}
    assert model.predict(rows[::-1]).tolist() == answers[::-1].tolist()
    other = KNeighborsClassifier(n_neighbors=100, ties="random", random_state=4).fit(table, y)
    assert other.predict(rows).tolist() != answers.tolist()


def test_the_model_does_not_change_when_the_array_does():
    table = X.copy()
    model = KNeighborsClassifier().fit(table, LABELS)
    before = model.predict(Q)
    table[:] = 0.0
    np.testing.assert_array_equal(model.predict(Q), before)


@pytest.mark.parametrize("metric", ["mahalanobis", Minkowski(3, weights=[1, 2, 3, 4])])
def test_distances_go_into_model_files(metric, tmp_path):
    model = KNeighborsClassifier(metric=metric).fit(X, LABELS)
    save(model, tmp_path / "m.hornbook")
    again = load(tmp_path / "m.hornbook")
    np.testing.assert_array_equal(again.predict(Q), model.predict(Q))
    assert again.metric == metric


@pytest.mark.parametrize("parameter", ["metric", "weights"])
def test_functions_do_not_go_into_model_files(parameter, tmp_path):
    function = {"metric": lambda a, b: np.abs(a - b).sum(), "weights": lambda d: np.exp(-d)}[parameter]
    model = KNeighborsClassifier(**{parameter: function}).fit(X, LABELS)
    with pytest.raises(ValueError, match=parameter):
        save(model, tmp_path / "m.hornbook")


@pytest.mark.parametrize("bad", [lambda d: -d - 1, lambda d: d[:1], lambda d: d * np.nan])
def test_a_vote_is_a_number(bad):
    with pytest.raises(ValueError, match="parameter 'weights'"):
        KNeighborsClassifier(weights=bad).fit(X, LABELS).predict(Q)


@pytest.mark.parametrize(
    ("setting", "message"),
    [
        ({"n_neighbors": 0}, "'n_neighbors'"),
        ({"n_neighbors": 1.5}, "'n_neighbors'"),
        ({"p": 0.0}, "'p'"),
        ({"radius": -1.0}, "'radius'"),
        ({"ties": "last"}, "'ties'"),
        ({"algorithm": "ball"}, "'algorithm'"),
    ],
)
def test_parameters_are_checked(setting, message):
    with pytest.raises(ValueError, match=message):
        KNeighborsClassifier(**setting).fit(X, LABELS)


def test_pictures():
    plane = KNeighborsClassifier(n_neighbors=3).fit(X[:, :2], LABELS)
    ax = plane.plot(X[:1, :2])
    (circle,) = ax.patches
    assert circle.radius == pytest.approx(plane.kneighbors(X[:1, :2])[0][0, 2])
    assert circle.center == pytest.approx(tuple(X[0, :2]))
    assert not plane.plot().patches
    curve = KNeighborsRegressor().fit(X[:, :1], NUMBERS).plot()
    assert curve.lines
    heights = [bar.get_height() for bar in KNeighborsClassifier().fit(X, LABELS).plot(Q).patches]
    expected = KNeighborsClassifier().fit(X, LABELS).kneighbors(Q)[0].mean(axis=0)
    np.testing.assert_allclose(heights, expected)


@pytest.mark.slow
def test_all_pairs_are_never_in_memory_together():
    """4,000 rows that are all close together: 16 million pairs, 384 MB of distances and indices."""
    X = np.random.default_rng(0).normal(size=(4000, 2)) * 0.01
    y = np.arange(4000) % 3
    model = RadiusNeighborsClassifier(radius=1.0, weights="distance", n_jobs=1).fit(X, y)
    tracemalloc.start()
    whole = model.predict_proba(X)
    assert tracemalloc.get_traced_memory()[1] < 250e6
    tracemalloc.stop()
    np.testing.assert_array_equal(whole[[5, 3999]], model.predict_proba(X[[5, 3999]]))
    theirs = sk.RadiusNeighborsClassifier(radius=1.0, weights="distance").fit(X, y)
    np.testing.assert_allclose(whole[:50], theirs.predict_proba(X[:50]), rtol=1e-9)

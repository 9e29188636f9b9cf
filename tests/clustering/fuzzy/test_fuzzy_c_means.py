"""FuzzyCMeans: against scikit-fuzzy's alternation, kinds, missing values, weights, starts, and errors."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.exceptions import ConvergenceWarning
from tests.base.test_watch import Listener
from tests.oracles import fuzzy as oracle

import hornbook
from hornbook import FuzzyCMeans, KMeans, datasets
from hornbook.clustering import ExponentialTransform, MembershipTransform, PolynomialTransform, PowerTransform
from hornbook.clustering.fuzzy._alternation import NOISE_RADII

IRIS = datasets.iris().numbers
START = IRIS[[0, 60, 120]]


def groups(n=300, d=3, k=3, seed=0, wide=3.0):
    rng = np.random.default_rng(seed)
    return rng.normal(size=(k, d))[rng.integers(k, size=n)] * wide + rng.normal(size=(n, d))


def alternated(X, centers, w, passes):
    """centers = sum u^w x / sum u^w"""
    for _ in range(passes):
        v = oracle.memberships(oracle.squares(X, centers), w, "probabilistic", ()) ** w
        centers = v.T @ X / v.sum(axis=0)[:, None]
    return centers


@settings(derandomize=True, max_examples=25, deadline=None)
@given(seed=st.integers(0, 2**32 - 1), k=st.integers(1, 5), w=st.sampled_from([2.0, 1.3, 3.5]))
def test_alternation(seed, k, w):
    X = groups(60, 2, 3, seed)
    start = X[:k]
    model = FuzzyCMeans(k, w, init=start, tol=1e-3, max_iter=500).fit(X)
    centers = alternated(X, start, w, model.n_iter_)
    np.testing.assert_allclose(model.cluster_centers_, centers, rtol=1e-8, atol=1e-8)
    squares = oracle.squares(X, model.cluster_centers_)
    u = oracle.memberships(squares, w, "probabilistic", ())
    np.testing.assert_allclose(model.memberships_, u, rtol=1e-8, atol=1e-10)
    np.testing.assert_array_equal(model.memberships(X), model.memberships_)
    np.testing.assert_allclose(model.weights_, u.mean(axis=0), rtol=1e-8)
    assert model.objective_ == pytest.approx((u**w * squares).sum()) == pytest.approx(-model.score(X))
    np.testing.assert_array_equal(model.labels_, u.argmax(axis=1))
    np.testing.assert_array_equal(model.predict(X), model.labels_)
    np.testing.assert_allclose(model.transform(X), np.sqrt(squares), rtol=1e-12)


def test_centers_that_still_move_are_said():
    with pytest.warns(ConvergenceWarning, match="still move after max_iter=4 passes: raise max_iter or tol"):
        FuzzyCMeans(3, init=START, max_iter=4).fit(IRIS)


TRANSFORMS = [2.0, 1.5, PolynomialTransform(0.4), ExponentialTransform(1.5)]


@pytest.mark.parametrize("kind", ["probabilistic", "noise", "possibilistic"])
@pytest.mark.parametrize("fuzzifier", TRANSFORMS, ids=str)
@pytest.mark.parametrize("gaps", [False, True])
@pytest.mark.filterwarnings("ignore:.*number of distinct clusters")
def test_objective_falls_in_every_pass(kind, fuzzifier, gaps):
    X = groups(200, 3)
    if gaps:
        X[np.random.default_rng(1).random(X.shape) < 0.15] = np.nan
    model = FuzzyCMeans(3, fuzzifier, kind=kind, random_state=0, tol=1e-6, n_init=2, max_iter=1000).fit(X)
    starts, values = np.array(model.history_["start"]), np.array(model.history_["objective"])
    assert starts.max() == (1 if kind == "probabilistic" else 2)
    for start in np.unique(starts):
        assert (np.diff(values[starts == start]) <= 1e-9 * values[0]).all()
    assert model.objective_ <= values[starts == starts.max()][-1] * (1 + 1e-9) or kind == "probabilistic"
    sums = model.memberships_.sum(axis=1)
    assert ((model.memberships_ >= 0) & (model.memberships_ <= 1)).all()
    if kind == "probabilistic":
        np.testing.assert_allclose(sums, 1.0, rtol=1e-12)
    elif kind == "noise":
        assert sums.max() < 1.0 + 1e-12


@pytest.mark.parametrize("transform", [*TRANSFORMS[2:], PowerTransform(1.7)], ids=str)
def test_memberships_minimize_the_objective(transform):
    """No other memberships of a row have a smaller sum of h(u) d², tried at random."""
    rng = np.random.default_rng(0)
    squares = rng.exponential(size=(50, 4))
    u = transform.shared(squares)
    least = (transform.value(u) * squares).sum(axis=1)
    for _ in range(200):
        near = 0.9 * u + 0.1 * rng.dirichlet(np.ones(4), 50)
        for other in (near, rng.dirichlet(np.ones(4), 50)):
            assert ((transform.value(other) * squares).sum(axis=1) >= least - 1e-12).all()
    scales = rng.uniform(0.5, 2.0, 4)
    v = transform.possible(squares, scales)
    cost = transform.value(v) * squares + scales * transform.value(1 - v)
    for step in np.linspace(0, 1, 21):
        other = np.full_like(v, step)
        assert (transform.value(other) * squares + scales * transform.value(1 - other) >= cost - 1e-12).all()


def test_polynomial_transform_gives_rows_deep_inside_to_one_cluster_alone():
    soft, hard = FuzzyCMeans(3, init=START).fit(IRIS), KMeans(3, init=START).fit(IRIS)
    half = FuzzyCMeans(3, PolynomialTransform(0.5), init=START).fit(IRIS)
    nearly = FuzzyCMeans(3, PolynomialTransform(0.999), init=START).fit(IRIS)
    assert (soft.memberships_ > 0).all()
    assert 50 < (half.memberships_ == 1.0).any(axis=1).sum() < 150
    np.testing.assert_allclose(nearly.cluster_centers_, hard.cluster_centers_, atol=0.02)
    np.testing.assert_allclose(
        FuzzyCMeans(3, PolynomialTransform(0.0), init=START).fit(IRIS).cluster_centers_,
        soft.cluster_centers_,
        rtol=1e-9,
    )


def test_a_fuzzifier_near_1_gives_k_means():
    hard = KMeans(3, init=START).fit(IRIS)
    model = FuzzyCMeans(3, 1.0 + 1e-9, init=START).fit(IRIS)
    np.testing.assert_allclose(model.cluster_centers_, hard.cluster_centers_, rtol=1e-6)
    assert model.objective_ == pytest.approx(hard.inertia_)


class Cubic(MembershipTransform):
    """h(u) = (u + u³) / 2, without an inverse."""

    def value(self, u):
        return (u + u**3) / 2

    def derivative(self, u):
        return (1 + 3 * u**2) / 2


class Square(MembershipTransform):
    """h(u) = u², by value and derivative alone."""

    def value(self, u):
        return u**2

    def derivative(self, u):
        return 2 * u


def test_a_transform_of_ones_own():
    own, usual = (FuzzyCMeans(3, w, init=START, tol=0.01).fit(IRIS) for w in (Square(), 2.0))
    np.testing.assert_allclose(own.cluster_centers_, usual.cluster_centers_, rtol=1e-9)
    np.testing.assert_allclose(own.memberships_, usual.memberships_, atol=1e-9)
    with pytest.raises(ValueError, match="fuzzifier"):
        hornbook.save(own, "never.hornbook")
    between = FuzzyCMeans(3, Cubic(), init=START, tol=0.01).fit(IRIS)
    assert usual.objective_ < between.objective_ < KMeans(3, init=START).fit(IRIS).inertia_


class Concave(Square):
    def derivative(self, u):
        return 2 * (1 - u)


class Shifted(Square):
    def value(self, u):
        return u**2 + 1


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ({"fuzzifier": 1.0}, "fuzzifier"),
        ({"fuzzifier": Concave()}, "the derivative of Concave must rise from 0 to 1"),
        ({"fuzzifier": Shifted()}, "the value of Shifted must be 0 at 0 and 1 at 1"),
        ({"eta": 1.0}, "'eta' has no meaning with kind='probabilistic': leave it out or set kind='poss"),
        ({"noise_distance": 1.0, "kind": "possibilistic"}, "'noise_distance' has no meaning with kind='poss"),
        ({"kind": "possibilistic", "eta": [1.0, 2.0]}, "'eta' must be a positive number or 3 of them"),
        ({"kind": "possibilistic", "eta": [1.0, 2.0, -1.0]}, "'eta' must be a positive number or 3 of them"),
        ({"n_clusters": 151}, "n_samples=150 should be >= n_clusters=151: FuzzyCMeans needs"),
        ({"init": [[1.0]]}, "FuzzyCMeans: parameter 'init' must be 3 rows of 4 finite numbers"),
        (
            {"covariances": np.eye(3)},
            r"'covariances' must be finite numbers of shape \(4, 4\) or \(3, 4, 4\)",
        ),
        ({"covariances": np.diag([1.0, 1, 1, 0])}, "'covariances' must be symmetric and positive definite"),
    ],
)
def test_what_does_not_fit_is_refused(parameters, message):
    with pytest.raises(ValueError, match=message):
        FuzzyCMeans(**({"n_clusters": 3} | parameters)).fit(IRIS)


def test_transforms_say_what_they_take():
    for make, value, message in (
        (PowerTransform, 1.0, "exponent must be above 1"),
        (PolynomialTransform, 1.0, "beta must be from 0 to below 1"),
        (ExponentialTransform, 0.0, "alpha must be above 0"),
    ):
        with pytest.raises(ValueError, match=message):
            make(value)


def test_values_that_overflow_are_refused_by_the_name_of_their_column():
    with pytest.raises(ValueError, match="column 'b' holds values so large that squared distances overflow"):
        FuzzyCMeans(2).fit(pd.DataFrame({"a": [1.0, 2.0, 3.0], "b": [1e200, -1e200, 0.0]}))


def test_noise_gets_the_label_minus_1():
    X = np.concatenate([groups(200, 2, 2, wide=8.0), [[60.0, 60.0], [-70.0, 50.0]]])
    plain = FuzzyCMeans(2, init=X[:2]).fit(X)
    model = FuzzyCMeans(2, kind="noise", init=X[:2], noise_distance=4.0).fit(X)
    assert plain.memberships_[-1].sum() == pytest.approx(1.0)
    assert model.labels_[-2:].tolist() == [-1, -1]
    assert model.memberships_[-2:].sum(axis=1).max() < 0.05
    assert model.scales_.tolist() == [16.0]
    rest = 1 - model.memberships_.sum(axis=1)
    np.testing.assert_array_equal(model.labels_ == -1, rest > model.memberships_.max(axis=1))
    assert model.weights_.sum() == pytest.approx(1 - rest.mean())
    assert model.working(X[-1]).prediction == -1
    far = FuzzyCMeans(2, kind="noise", init=plain.cluster_centers_, noise_distance=1e9, tol=1e-9).fit(X)
    near = FuzzyCMeans(2, init=plain.cluster_centers_, tol=1e-9).fit(X)
    np.testing.assert_allclose(far.cluster_centers_, near.cluster_centers_, rtol=1e-6)


def test_noise_distance_and_eta_are_estimated_from_a_probabilistic_clustering():
    before = FuzzyCMeans(3, init=START, tol=1e-8).fit(IRIS)
    v = before.memberships_**2
    squares = before.transform(IRIS) ** 2
    noise = FuzzyCMeans(3, init=START, kind="noise", tol=1e-8).fit(IRIS)
    assert noise.scales_ == pytest.approx([NOISE_RADII**2 * (v * squares).sum() / v.sum()], rel=1e-6)
    with pytest.warns(
        ConvergenceWarning, match=r"distinct clusters \(2\) found smaller than n_clusters \(3\)"
    ):
        typical = FuzzyCMeans(3, init=START, kind="possibilistic", tol=1e-8).fit(IRIS)
    np.testing.assert_allclose(typical.scales_, (v * squares).sum(axis=0) / v.sum(axis=0), rtol=1e-6)


def test_possibilistic_memberships_are_a_half_at_eta_and_ignore_other_clusters():
    X = groups(300, 2, 2, wide=6.0)
    model = FuzzyCMeans(2, kind="possibilistic", eta=[1.0, 4.0], random_state=0).fit(X)
    places = model.cluster_centers_ + np.array([[1.0, 0.0], [0.0, 2.0]])
    np.testing.assert_allclose(np.diag(model.memberships(places)), 0.5, rtol=1e-12)
    far = model.memberships([[1e6, 1e6]])
    assert far.max() < 1e-11
    assert model.memberships(model.cluster_centers_[:1])[0, 0] == 1.0


def test_coinciding_possibilistic_clusters_are_said():
    X = groups(200, 2, 1)
    with pytest.warns(ConvergenceWarning, match="because possibilistic clusters do not repel each other"):
        model = FuzzyCMeans(2, kind="possibilistic", eta=3.0, random_state=0).fit(X)
    np.testing.assert_allclose(model.cluster_centers_[0], model.cluster_centers_[1], atol=0.01)


def test_rows_on_centers_belong_to_these_alone_and_evenly():
    X = np.array([[0.0], [0.0], [1.0], [5.0], [6.0]])
    model = FuzzyCMeans(2, init=[[0.0], [6.0]], tol=1e-12).fit(X)
    centers = model.cluster_centers_
    assert model.memberships(centers).tolist() == [[1.0, 0.0], [0.0, 1.0]]
    same = FuzzyCMeans(3, init=[[0.0], [0.0], [6.0]], max_iter=50)
    with pytest.warns(
        ConvergenceWarning, match=r"distinct clusters \(2\) found smaller than n_clusters \(3\)"
    ):
        same.fit(X)
    np.testing.assert_allclose(same.memberships_[:, 0], same.memberships_[:, 1])


@pytest.mark.parametrize("kind", ["probabilistic", "noise"])
def test_identical_rows_and_constant_columns(kind):
    with pytest.warns(ConvergenceWarning, match=r"distinct clusters \(1\) found"):
        model = FuzzyCMeans(2, kind=kind, random_state=0).fit(np.full((6, 2), 3.0))
    np.testing.assert_allclose(model.cluster_centers_, 3.0)
    assert np.isfinite(model.memberships_).all()
    assert model.objective_ == 0.0
    X = np.column_stack([groups(80, 1, 2, wide=9.0), np.full(80, 7.0)])
    with_it = FuzzyCMeans(2, init=X[:2], kind=kind).fit(X)
    without = FuzzyCMeans(2, init=X[:2, :1], kind=kind).fit(X[:, :1])
    np.testing.assert_allclose(with_it.cluster_centers_[:, 0], without.cluster_centers_[:, 0], atol=0.02)
    np.testing.assert_allclose(with_it.cluster_centers_[:, 1], 7.0)


def test_more_clusters_than_distinct_rows_is_said():
    X = np.repeat([[0.0], [1.0]], 5, axis=0)
    with pytest.warns(
        ConvergenceWarning, match=r"distinct clusters \(2\) found smaller than n_clusters \(4\)"
    ):
        FuzzyCMeans(4, random_state=0).fit(X)


def test_missing_cells_are_left_out_of_distances_and_means():
    X = np.array([[0.0, 0.0], [0.2, np.nan], [5.0, 5.0], [np.nan, 5.4], [np.nan, np.nan]])
    model = FuzzyCMeans(2, init=[[0.0, 0.0], [5.0, 5.0]], tol=1e-12).fit(X)
    v = model.memberships_**2
    known = ~np.isnan(X)
    np.testing.assert_allclose(
        model.cluster_centers_, v.T @ np.nan_to_num(X) / (v.T @ known), rtol=1e-9, atol=1e-12
    )
    assert model.memberships_[-1].tolist() == [0.5, 0.5]
    eta = FuzzyCMeans(2, init=[[0.0, 0.0], [5.0, 5.0]], kind="possibilistic", eta=2.0).fit(X)
    half = eta.cluster_centers_[:1] + np.array([1.0, np.nan])  # one of two columns: a scale of 1 instead of 2
    assert eta.memberships(half)[0, 0] == pytest.approx(0.5)


def test_weights_are_repeated_rows():
    X, w = groups(120), np.arange(120) % 4
    for kind in ("probabilistic", "noise"):
        one = FuzzyCMeans(3, kind=kind, random_state=1).fit(X, sample_weight=w)
        other = FuzzyCMeans(3, kind=kind, random_state=1).fit(np.repeat(X, w, axis=0))
        np.testing.assert_allclose(one.cluster_centers_, other.cluster_centers_, rtol=1e-9, atol=1e-9)
        np.testing.assert_allclose(one.weights_, other.weights_)
        assert one.objective_ == pytest.approx(other.objective_)


def test_distances_specific_to_clusters():
    shapes = np.array([np.diag([1.0, 4.0, 1.0, 1.0]), np.eye(4), np.full((4, 4), 0.5) + 0.5 * np.eye(4)])
    model = FuzzyCMeans(3, init=START, covariances=shapes, tol=1e-9).fit(IRIS)
    squares = oracle.squares(IRIS, model.cluster_centers_, shapes)
    np.testing.assert_allclose(model.transform(IRIS) ** 2, squares, rtol=1e-9)
    u = oracle.memberships(squares, 2.0, "probabilistic", ())
    np.testing.assert_allclose(model.memberships_, u, rtol=1e-9)
    np.testing.assert_allclose(
        model.cluster_centers_, (u**2).T @ IRIS / (u**2).sum(axis=0)[:, None], rtol=1e-6
    )
    one = FuzzyCMeans(3, init=START, covariances=4 * np.eye(4)).fit(IRIS)
    plain = FuzzyCMeans(3, init=START).fit(IRIS)
    np.testing.assert_allclose(one.cluster_centers_, plain.cluster_centers_, rtol=1e-9)
    assert one.objective_ == pytest.approx(plain.objective_ / 4)


def test_far_from_zero_no_digits_are_lost():
    X = groups(500)
    near, far = (FuzzyCMeans(3, init=X[:3] + move).fit(X + move) for move in (0.0, 2.0**33))
    np.testing.assert_allclose(far.cluster_centers_ - 2.0**33, near.cluster_centers_, atol=1e-5)


@pytest.mark.filterwarnings("ignore:.*number of distinct clusters")  # possibilistic ones may coincide
@pytest.mark.parametrize("kind", ["probabilistic", "noise", "possibilistic"])
@pytest.mark.parametrize("scaled", [False, True])
def test_every_kind_keeps_the_best_of_its_starts(kind, scaled):
    X = groups(200, 2, 5, wide=2.0)
    scales = {"noise": {"noise_distance": 2.0}, "possibilistic": {"eta": 1.5}}.get(kind, {}) if scaled else {}
    model = FuzzyCMeans(5, init="random", n_init=6, random_state=0, kind=kind, **scales).fit(X)
    last = dict(zip(model.history_["start"], model.history_["objective"], strict=True))
    best = min(range(6), key=last.__getitem__)
    if kind == "probabilistic" or scales:
        assert sorted(last) == [0, 1, 2, 3, 4, 5]
        assert model.objective_ == pytest.approx(last[best], rel=1e-4)
    else:  # the last run, of this kind, begins where the best probabilistic one ended
        assert sorted(last) == [0, 1, 2, 3, 4, 5, 6]
        assert model.objective_ == pytest.approx(last[6], rel=1e-4)


def test_starts_and_callbacks():
    X = groups(200, 2, 5, wide=2.0)
    many = FuzzyCMeans(5, init="random", n_init=6, random_state=0).fit(X)
    last = dict(zip(many.history_["start"], many.history_["objective"], strict=True))
    assert sorted(last) == [0, 1, 2, 3, 4, 5]
    assert many.objective_ == pytest.approx(min(last.values()), rel=1e-4)
    with pytest.warns(RuntimeWarning, match="n_init=3 starts would all be the same"):
        FuzzyCMeans(5, init=X[:5], n_init=3).fit(X)
    listener = Listener()
    noisy = FuzzyCMeans(2, random_state=0, kind="noise").set_callbacks(listener).fit(X)
    noisy.scales_ = np.empty(0)  # as callbacks see it before the noise distance is known
    np.testing.assert_allclose(noisy.memberships(X).sum(axis=1), 1.0)
    assert listener.heard.count("begin start") == 2  # one for the noise distance
    assert listener.heard.count("end pass") > 4


def test_mixed_columns_and_names():
    table = pd.DataFrame({"size": [1.0, 1.2, 9.0, 9.4, None], "color": ["red", "red", "blue", None, "blue"]})
    model = FuzzyCMeans(2, random_state=0).fit(table)
    assert model.encoded_names_.tolist() == ["size", "color=blue", "color=red"]
    assert model.labels_[0] == model.labels_[1] != model.labels_[2] == model.labels_[3]
    assert model.get_feature_names_out().tolist() == ["fuzzycmeans0", "fuzzycmeans1"]

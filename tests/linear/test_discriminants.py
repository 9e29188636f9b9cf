"""Discriminants and class means against scikit-learn, identities, and bad input."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.linalg import eigh
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis as Reference
from sklearn.neighbors import NearestCentroid

import hornbook
from hornbook import BasicLinearClassifier, Blocks, Frame, LinearDiscriminant, NearestMeanClassifier
from hornbook.linear import fisher_ratio, from_homogeneous, project, to_homogeneous

SOLVERS = ["svd", "eigen", "direct"]
solvers = pytest.mark.parametrize("solver", SOLVERS)
THEIRS = {"svd": "svd", "eigen": "eigen", "direct": "lsqr"}


def table(k=3, n=400, d=5, seed=0):
    rng = np.random.default_rng(seed)
    y = rng.integers(0, k, n)
    y[:k] = np.arange(k)
    mix = rng.normal(size=(d, d)) + 2 * np.eye(d)
    return rng.normal(size=(k, d))[y] * 1.5 + rng.normal(size=(n, d)) @ mix + 10, y


@solvers
@pytest.mark.parametrize("k", [2, 3, 7])
@pytest.mark.parametrize("priors", [None, "even"])
def test_probabilities_of_scikit_learn(solver, k, priors):
    X, y = table(k)
    given_priors = None if priors is None else np.full(k, 1 / k)
    ours = LinearDiscriminant(solver=solver, priors=given_priors).fit(X, y)
    # given priors, scikit-learn's other solvers change the covariance, too
    theirs = Reference(solver=THEIRS[solver] if priors is None else "svd", priors=given_priors).fit(X, y)
    np.testing.assert_allclose(ours.predict_log_proba(X), np.log(theirs.predict_proba(X)), atol=1e-8)
    assert (ours.predict(X) == theirs.predict(X)).all()
    if k == 2:
        np.testing.assert_allclose(ours.coef_, theirs.coef_, atol=1e-9)
        np.testing.assert_allclose(ours.intercept_, theirs.intercept_, atol=1e-8)
    np.testing.assert_allclose(ours.means_, theirs.means_, atol=1e-10)
    np.testing.assert_allclose(ours.priors_, theirs.priors_)


@pytest.mark.parametrize("solver", ["svd", "eigen"])
@pytest.mark.parametrize("k", [2, 4])
def test_coordinates_of_scikit_learn(solver, k):
    X, y = table(k)
    ours = LinearDiscriminant(solver=solver).fit(X, y)
    theirs = Reference(solver=solver).fit(X, y)
    one, other = ours.transform(X), theirs.transform(X)
    other = other - other.mean(axis=0)  # "eigen" is not centered there
    sign = np.sign((one * other).sum(axis=0))
    np.testing.assert_allclose(one - one.mean(axis=0), other * sign, atol=1e-8)
    share = theirs.explained_variance_ratio_[: k - 1]
    np.testing.assert_allclose(ours.explained_variance_ratio_, share, atol=1e-9)


@pytest.mark.parametrize("k", [2, 4])
def test_all_solvers_find_the_same_directions(k):
    X, y = table(k)
    w = 0.5 + np.arange(len(y)) % 3
    models = [LinearDiscriminant(solver=solver).fit(X, y, w) for solver in SOLVERS]
    unit = [model.scalings_ / np.linalg.norm(model.scalings_, axis=0) for model in models]
    for other in unit[1:]:
        np.testing.assert_allclose(other, unit[0], atol=1e-10)
    assert models[0].transform(X).shape == (len(X), k - 1)


@solvers
def test_directions_solve_the_eigenproblem(solver):
    X, y = table(4)
    model = LinearDiscriminant(solver=solver).fit(X, y)
    S, B = model.within_scatter_, model.between_scatter_
    values = eigh(B, S, eigvals_only=True)[::-1][:3]
    np.testing.assert_allclose(B @ model.scalings_, S @ model.scalings_ * values, atol=1e-8)
    scatter = (X - X.mean(axis=0)).T @ (X - X.mean(axis=0))
    np.testing.assert_allclose(S + B, scatter, rtol=1e-10)
    np.testing.assert_allclose(model.scalings_.T @ S @ model.scalings_ / 400, np.eye(3), atol=1e-10)


@settings(derandomize=True, max_examples=30, deadline=None)
@given(seed=st.integers(0, 2**32), d=st.integers(1, 5))
def test_no_direction_has_a_larger_ratio(seed, d):
    X, y = table(2, 40, d, seed)
    model = LinearDiscriminant().fit(X, y)
    best = fisher_ratio(X, y, model.direction_)
    assert best.ratio == pytest.approx(model.fisher_ratio_, rel=1e-8)
    for w in np.random.default_rng(seed).normal(size=(30, d)):
        assert fisher_ratio(X, y, w).ratio <= best.ratio * (1 + 1e-10)


def test_redundant_columns_change_nothing():
    X, y = table()
    more = np.column_stack([X, X[:, 0] + X[:, 1], np.full(len(X), 7.0)])
    for solver in SOLVERS:
        one, other = (LinearDiscriminant(solver=solver).fit(Z, y) for Z in (X, more))
        np.testing.assert_allclose(other.predict_proba(more), one.predict_proba(X), atol=1e-9)
        assert (other.rank_, other.separated_) == (5, 0)
        assert "5 of 7" in str(other.describe())


@solvers
def test_a_column_that_is_constant_inside_each_class_decides(solver):
    X, y = table()
    sure = np.column_stack([X, y == 1])
    model = LinearDiscriminant(solver=solver).fit(sure, y)
    assert model.separated_ == 1
    assert ((model.predict(sure) == 1) == (y == 1)).all()
    assert (model.predict(sure) == y).mean() > LinearDiscriminant().fit(X, y).score(X, y)
    assert "separated exactly" in str(model.describe())
    assert np.isfinite(model.transform(sure)).all()


@solvers
def test_classes_with_one_row(solver):
    X, y = table(2)
    lone = np.append(y, 5)
    model = LinearDiscriminant(solver=solver).fit(np.vstack([X, X[:1] + 100]), lone)
    assert model.predict(X[:1] + 100).tolist() == [5]
    alone = LinearDiscriminant(solver=solver).fit([[0.0, 0.0], [1.0, 0.0]], ["a", "b"])
    assert alone.predict([[0.4, 3.0], [0.6, 3.0]]).tolist() == ["a", "b"]


def test_midpoint_is_the_cut_with_even_priors():
    X, y = table(3)
    one = LinearDiscriminant(threshold="midpoint").fit(X, y)
    other = LinearDiscriminant(priors=np.full(3, 1 / 3)).fit(X, y)
    np.testing.assert_allclose(one.predict_proba(X), other.predict_proba(X), rtol=1e-9)


def test_blocks_threads_and_files_give_the_same_bits(tmp_path):
    X, y = table(3, 9000)
    frame = Frame(np.column_stack([X, y]), target=5)
    for cls in (LinearDiscriminant, BasicLinearClassifier):
        whole = cls(n_jobs=1).fit(frame)
        for cuts, jobs in (((0, 4096, 9000), 2), ((0, 1, 5000, 9000), 3)):
            other = cls(n_jobs=jobs).fit(Blocks([frame[a:b] for a, b in pairwise(cuts)], n_jobs=jobs))
            np.testing.assert_array_equal(other.coef_, whole.coef_)
    lines = "\n".join(",".join(map(repr, row)) for row in np.column_stack([X, y]).tolist())
    (tmp_path / "rows.csv").write_text("a,b,c,d,e,y\n" + lines + "\n")
    on_disk = hornbook.scan(tmp_path / "rows.csv", target="y", batch_rows=1000)
    in_memory = LinearDiscriminant().fit(frame)
    np.testing.assert_array_equal(LinearDiscriminant().fit(on_disk).coef_, in_memory.coef_)


def test_names_of_coordinates_reach_a_data_frame():
    X, y = table(3)
    model = LinearDiscriminant(n_components=1).set_output(transform="pandas").fit(X, y)
    assert model.transform(X).columns.tolist() == ["discriminant1"]


@pytest.mark.parametrize("k", [2, 5])
def test_nearest_centroid_of_scikit_learn(k):
    X, y = table(k)
    theirs = NearestCentroid().fit(X, y)
    means = NearestMeanClassifier().fit(X, y)
    np.testing.assert_allclose(means.centroids_, theirs.centroids_, atol=1e-12)
    expected = theirs.predict(X)
    assert (means.predict(X) == expected).all()
    basic = BasicLinearClassifier().fit(X, y)
    assert (basic.predict(X) == expected).all()
    distance = np.linalg.norm(X[:, None] - means.centroids_, axis=2)
    decision = distance[:, 0] - distance[:, 1] if k == 2 else -distance
    np.testing.assert_allclose(means.decision_function(X), decision, atol=1e-10)


@pytest.mark.parametrize(("metric", "p"), [("manhattan", 1), ("chebyshev", np.inf), ("minkowski", 3)])
def test_other_distances(metric, p):
    X, y = table(4)
    model = NearestMeanClassifier(metric=metric, p=3.0).fit(X, y)
    distance = np.linalg.norm(X[:, None] - model.centroids_, ord=p, axis=2)
    assert (model.predict(X) == distance.argmin(axis=1)).all()


def test_mahalanobis_is_the_discriminant_cut_halfway():
    X, y = table(4)
    near = NearestMeanClassifier(metric="mahalanobis").fit(X, y)
    assert (near.predict(X) == LinearDiscriminant(threshold="midpoint").fit(X, y).predict(X)).all()
    gap = X - near.centroids_[0]
    covariance = LinearDiscriminant().fit(X, y).within_scatter_ / len(X)
    expected = np.sqrt((gap @ np.linalg.inv(covariance) * gap).sum(axis=1))
    np.testing.assert_allclose(-near.decision_function(X)[:, 0], expected, rtol=1e-9)


@pytest.mark.parametrize("k", [2, 4])
def test_margins_are_signed_distances_to_the_boundary(k):
    X, y = table(k)
    model = BasicLinearClassifier().fit(X, y)
    margins = model.margins(X, y)
    assert ((margins > 0) == (model.predict(X) == y)).all()
    if k == 2:
        w, t = model.coef_[0], model.threshold_
        np.testing.assert_allclose(margins, np.where(y == 1, 1, -1) * (X @ w - t) / np.linalg.norm(w))
        return
    for i in range(0, len(X), 37):  # a step toward the nearest boundary, a little short of it and beyond
        gaps = model.coef_[y[i]] - np.delete(model.coef_, y[i], axis=0)
        leads = gaps @ X[i] - model.threshold_[y[i]] + np.delete(model.threshold_, y[i])
        distances = leads / np.linalg.norm(gaps, axis=1)
        assert margins[i] == pytest.approx(distances.min())


def test_homogeneous_coordinates_there_and_back():
    w, t = np.array([3.0, 2.0]), 6.5
    X = np.random.default_rng(0).normal(size=(20, 2)) * 5
    both = to_homogeneous(w, t)
    np.testing.assert_allclose(np.column_stack([X, np.ones(20)]) @ both, X @ w - t)
    back, threshold = from_homogeneous(both)
    assert (back.tolist(), threshold) == (w.tolist(), t)


def test_bad_input():
    X, y = table(3)
    with pytest.raises(ValueError, match="n_components cannot be larger than .* = 2; got 3"):
        LinearDiscriminant(n_components=3).fit(X, y)
    for priors in ([0.5, 0.5], [-0.5, 0.5, 1.0], [0.0, 0.5, 0.5]):
        with pytest.raises(ValueError, match="'priors' have a positive probability for each of the 3"):
            LinearDiscriminant(priors=priors).fit(X, y)
    for cls in (LinearDiscriminant, BasicLinearClassifier, NearestMeanClassifier):
        with pytest.raises(ValueError, match="at least 2 classes"):
            cls().fit(X, np.zeros(len(y)))
    for model in (LinearDiscriminant(), BasicLinearClassifier(), NearestMeanClassifier(metric="mahalanobis")):
        with pytest.raises(ValueError, match="squares overflow"):
            model.fit([[1e200], [-1e200], [0.0], [1e180]], [0, 1, 1, 0])
    with pytest.raises(ValueError, match="class 9, which is not among"):
        BasicLinearClassifier().fit(X, y).margins(X[:1], [9])
    with pytest.raises(ValueError, match="'w' must not be 0"):
        project(X, np.zeros(5))
    with pytest.raises(ValueError, match="two classes; got 3"):
        fisher_ratio(X, y, np.ones(5))
    with pytest.raises(ValueError, match="both classes are points"):
        fisher_ratio([[0.0], [1.0]], [0, 1], [1.0])


def test_pictures():
    X, y = table(2, d=2)
    ax = LinearDiscriminant().fit(X, y).plot(X, y)
    assert len(ax.get_legend().get_texts()) == 2
    many, labels = table(3)
    assert NearestMeanClassifier().fit(many, labels).plot().figure is not None

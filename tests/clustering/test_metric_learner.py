"""MetricLearner: what pairs teach, the optimum, the distance in other learners, and what it refuses."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from scipy.optimize import minimize

from hornbook import (
    KMedoids,
    KNeighborsClassifier,
    MetricLearner,
    NearestMeanClassifier,
    distances,
    evaluation,
)


def rows_and_pairs(n=60, seed=0):
    """Two groups that differ in the first column only; the second is wider and says nothing."""
    draw = np.random.default_rng(seed)
    group = np.arange(n) % 2
    X = np.c_[draw.normal(2.0 * group, 0.7), 30.0 * draw.choice([-1.0, 1.0], n) + draw.normal(size=n)]
    pairs = draw.choice(n, size=(80, 2))
    pairs = pairs[pairs[:, 0] != pairs[:, 1]]
    same = group[pairs[:, 0]] == group[pairs[:, 1]]
    return X, group, pairs[same], pairs[~same]


def learned(form="diagonal", **options):
    X, group, near, far = rows_and_pairs()
    return X, group, MetricLearner(must_link=near, cannot_link=far, form=form, **options).fit(X)


@pytest.mark.parametrize("form", ["diagonal", "full"])
def test_pairs_that_belong_together_become_near(form):
    X, _, model = learned(form)
    _, _, near, far = rows_and_pairs()
    Z = model.transform(X)
    ratio = [
        np.linalg.norm(T[far[:, 0]] - T[far[:, 1]], axis=1).mean()
        / np.linalg.norm(T[near[:, 0]] - T[near[:, 1]], axis=1).mean()
        for T in (X / X.std(axis=0), Z)
    ]
    assert ratio[1] > 1.5 * ratio[0]
    assert (np.linalg.eigvalsh(model.matrix_) > -1e-12).all()
    assert model.history_["objective"] == sorted(model.history_["objective"], reverse=True)


def test_the_diagonal_is_the_optimum_of_a_general_solver():
    X, _, model = learned(tol=1e-14, max_iter=5000)
    _, _, near, far = rows_and_pairs()
    S = X / X.std(axis=0)

    def objective(a):
        together = np.square(S[near[:, 0]] - S[near[:, 1]]) @ a
        apart = np.sqrt(np.square(S[far[:, 0]] - S[far[:, 1]]) @ a)
        return together.mean() - np.log(apart.mean()) + 0.01 / 2 * np.square(a - 1).sum()

    best = minimize(objective, np.ones(2), bounds=[(0, None)] * 2, tol=1e-14)
    assert model.objective_ == pytest.approx(best.fun, abs=1e-7)


def test_the_distance_is_that_of_transformed_rows_and_works_in_other_learners():
    X, group, model = learned("full")
    Z = model.transform(X)
    D = distances.pairwise(X, metric=model.distance_)
    np.testing.assert_allclose(D, np.linalg.norm(Z[:, None] - Z, axis=2), atol=1e-9)
    scaled = X / X.std(axis=0)
    plain = KMedoids(2, random_state=0).fit_predict(scaled)
    better = KMedoids(2, metric=model.distance_, random_state=0).fit_predict(X)
    assert evaluation.adjusted_rand(group, better) > evaluation.adjusted_rand(group, plain) + 0.3
    assert KNeighborsClassifier(metric=model.distance_).fit(X, group).score(X, group) > 0.9
    near, plain = NearestMeanClassifier(metric=model.distance_).fit(X, group), NearestMeanClassifier()
    np.testing.assert_allclose(near.decision_function(X), plain.fit(Z, group).decision_function(Z), atol=1e-9)
    assert "learned transform" in str(near.describe())
    assert "learned transform" in str(near.working(X[0]))
    with pytest.raises(ValueError, match=f"is for {X.shape[1]} columns of numbers, and there are 1"):
        NearestMeanClassifier(metric=model.distance_).fit(X[:, :1], group)


def test_without_pairs_columns_are_scaled():
    X, _, _, _ = rows_and_pairs()
    for form in ("diagonal", "full"):
        np.testing.assert_allclose(MetricLearner(form=form).fit(X).transform(X), X / X.std(axis=0))


def test_what_is_wrong_is_said():
    X, _, near, _ = rows_and_pairs()
    for wrong in ([[0, 99]], [[0.5, 1.0]], [0, 1], [[0, 1, 2]], [[-1, 0]]):
        with pytest.raises(ValueError, match="'must_link' must be pairs of row numbers from 0 to 59"):
            MetricLearner(must_link=wrong).fit(X)
    with pytest.raises(ValueError, match="got row 99"):
        MetricLearner(must_link=[[0, 99]]).fit(X)
    with pytest.raises(ValueError, match="rows 2 and 5 is in 'must_link' and in 'cannot_link'"):
        MetricLearner(must_link=[[0, 1], [5, 2]], cannot_link=[[2, 5]]).fit(X)
    table = pd.DataFrame({"a": X[:, 0], "b": ["x", "y"] * 30})
    model = MetricLearner(must_link=near).fit(table)
    with pytest.raises(ValueError, match="in a pipeline"):
        _ = model.distance_
    with pytest.raises(ValueError, match="must be a square matrix"):
        distances.TransformedEuclidean([[1.0, 2.0]])
    with pytest.raises(ValueError, match="takes 2 columns of numbers"):
        distances.pairwise(table, metric=distances.TransformedEuclidean(np.eye(2)))


def test_pairs_that_cannot_be_told_apart_do_no_harm():
    X = np.ones((4, 2))
    model = MetricLearner(cannot_link=[[0, 1]], must_link=[[2, 3]]).fit(X)
    assert np.isfinite(model.transform_).all()

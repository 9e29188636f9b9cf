"""A learner on scaled numbers is the learner on numbers scaled by hand."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from sklearn.base import clone, is_classifier, is_clusterer, is_regressor
from sklearn.cluster import KMeans as ForeignKMeans
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import MinMaxScaler, StandardScaler

import hornbook
from hornbook import (
    KNeighborsClassifier,
    KNeighborsRegressor,
    LogisticRegression,
    NaiveBayes,
    Scaled,
    datasets,
)


@pytest.mark.parametrize(("scale", "judge"), [("standard", StandardScaler()), ("range", MinMaxScaler())])
def test_equals_a_pipeline_on_numbers(scale, judge):
    iris = datasets.iris()
    X, y = iris.features.matrix * [1, 1000, 0.01, 5], iris.y
    ours = Scaled(LogisticRegression(), scale=scale).fit(X[::2], y[::2])
    theirs = make_pipeline(judge, LogisticRegression()).fit(X[::2], y[::2])
    np.testing.assert_allclose(ours.predict_proba(X), theirs.predict_proba(X), atol=1e-9)
    np.testing.assert_allclose(ours.predict_log_proba(X), theirs.predict_log_proba(X), atol=1e-7)
    np.testing.assert_allclose(ours.decision_function(X), theirs.decision_function(X), atol=1e-7)
    assert ours.score(X, y) == theirs.score(X, y)


def test_weights_count_for_the_scale():
    X = np.array([[0.0], [1.0], [2.0], [5.0]])
    y, w = np.array([0.0, 1.0, 2.0, 5.0]), np.array([1, 0, 2, 3])
    model = Scaled(KNeighborsRegressor(n_neighbors=1)).fit(X, y, sample_weight=w)
    cells = np.repeat(X[:, 0], w)
    assert model.center_.tolist() == [pytest.approx(cells.mean())]
    assert model.spread_.tolist() == [pytest.approx(cells.std())]


def test_categories_gaps_and_constants_reach_the_learner_as_they_are():
    table = pd.DataFrame({"n": [1.0, np.nan, 3.0, 5.0], "one": 7.0, "c": ["a", "b", "a", None]})
    frame = hornbook.Frame(table)
    model = Scaled(NaiveBayes()).fit(frame, [0, 1, 0, 1])
    rows = model._scaled(frame)
    assert rows.schema == frame.schema
    np.testing.assert_allclose(rows["n"], (table["n"] - 3) / np.std([1, 3, 5]))
    assert rows["one"].tolist() == [0.0] * 4
    assert rows["c"].tolist() == ["a", "b", "a", None]


def test_is_what_the_learner_inside_is():
    assert is_classifier(Scaled(NaiveBayes()))
    assert is_regressor(Scaled(KNeighborsRegressor()))
    assert not hasattr(Scaled(KNeighborsRegressor()), "predict_proba")
    assert not hasattr(Scaled(KNeighborsClassifier()), "decision_function")
    model = Scaled(KNeighborsRegressor(n_neighbors=1)).fit([[0.0], [1.0]], [2.0, 4.0])
    assert model.score([[0.1], [0.9]], [2.0, 4.0]) == 1.0
    assert not hasattr(model, "classes_")


def test_scales_can_be_read_off():
    model = Scaled(NaiveBayes()).fit({"age": [20.0, 40.0]}, ["young", "old"])
    assert "column  center  spread\n  age         30      10" in str(model.describe())


@pytest.mark.parametrize("wrong", [None, "NaiveBayes", ForeignKMeans(), hornbook.Encoder()])
def test_refuses_what_does_not_predict(wrong):
    with pytest.raises(TypeError, match="'estimator' must be a classifier, a regressor or a clusterer"):
        Scaled(wrong).fit([[0.0], [1.0]], [0, 1])


def test_learner_inside_is_left_alone():
    inside = NaiveBayes()
    Scaled(inside).fit([[0.0], [1.0]], [0, 1])
    assert vars(inside) == vars(clone(inside))


def test_clusters_are_those_of_scaled_rows():
    draw = np.random.default_rng(0)
    X = np.column_stack([draw.normal(size=60), 1000.0 * draw.normal(size=60) + 9000.0 * (np.arange(60) % 2)])
    X[:, 0] += 9.0 * (np.arange(60) // 30)
    standard = (X - X.mean(axis=0)) / X.std(axis=0)
    model, inside = Scaled(hornbook.KMeans(4, random_state=0)), hornbook.KMeans(4, random_state=0)
    np.testing.assert_array_equal(model.fit_predict(X), inside.fit_predict(standard))
    np.testing.assert_array_equal(model.predict(X[:5]), model.labels_[:5])
    assert model.score(X) == pytest.approx(inside.score(standard))
    assert is_clusterer(model)
    assert not hasattr(Scaled(hornbook.DBSCAN()), "score")
    mixture = Scaled(hornbook.GaussianMixture(2, random_state=0)).fit(X)
    np.testing.assert_allclose(mixture.predict_proba(X).sum(axis=1), 1.0)
    assert mixture.estimator_.bic(mixture.scaled_rows(X)) < np.inf

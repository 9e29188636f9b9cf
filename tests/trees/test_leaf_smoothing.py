"""Class probabilities of leaves with rows that are spread evenly over the classes."""

from __future__ import annotations

import numpy as np
import pytest

from hornbook import DecisionStump, DecisionTreeClassifier, Frame, ObliqueTreeClassifier, datasets, load, save
from hornbook.evaluation import log_loss

TREES = [DecisionTreeClassifier, DecisionStump, ObliqueTreeClassifier]


@pytest.mark.parametrize("kind", TREES)
def test_shares_are_those_of_the_formula(kind):
    X = np.array([[0.0], [1.0], [2.0], [3.0], [10.0], [11.0], [12.0]])
    y = np.array(list("aaaabbc"))
    options = {} if kind is DecisionStump else {"max_depth": 1}
    model = kind(leaf_smoothing=3.0, **options).fit(X, y)
    # (n_c + m / K) / (n + m), with m = K = 3: Laplace's correction
    expected = np.array([[5, 1, 1], [1, 3, 2]]) / np.array([[7], [6]])
    np.testing.assert_allclose(model.predict_proba([[1.0], [11.0]]), expected, rtol=1e-15)


@pytest.mark.parametrize("kind", TREES)
def test_the_class_stays_the_same_and_a_path_adds_up_to_the_shares(kind):
    iris = datasets.iris()
    plain, smooth = kind().fit(iris), kind(leaf_smoothing=5.0).fit(iris)
    assert smooth.predict(iris.features).tolist() == plain.predict(iris.features).tolist()
    row = iris.features[70:71]
    total = np.sum([term.values for term in smooth.working(row).terms], axis=0)
    np.testing.assert_allclose(total, smooth.predict_proba(row)[0], rtol=1e-12)


def test_rows_that_were_not_learned_from_are_not_impossible():
    iris = datasets.iris()
    learned = np.arange(150) % 3 > 0
    plain = DecisionTreeClassifier().fit(iris[learned]).predict_proba(iris[~learned].features)
    smooth = (
        DecisionTreeClassifier(leaf_smoothing=2.0).fit(iris[learned]).predict_proba(iris[~learned].features)
    )
    labels = sorted(set(iris.y.tolist()))
    assert log_loss(iris.y[~learned], plain, labels=labels) > 1.0
    assert log_loss(iris.y[~learned], smooth, labels=labels) < 0.4


def test_parts_of_rows_meet_smoothed_leaves():
    table = Frame({"x": [0.0, 0.0, 1.0, 1.0, None]})
    model = DecisionTreeClassifier(missing="fractional", leaf_smoothing=2.0, max_depth=1)
    model.fit(table, ["a", "a", "b", "b", "b"])
    half = model.predict_proba(Frame({"x": np.array([np.nan])}))
    np.testing.assert_allclose(half, model.predict_proba(table[1:3]).mean(axis=0)[None], rtol=1e-12)


def test_a_negative_one_is_refused():
    with pytest.raises(ValueError, match="parameter 'leaf_smoothing' must be a number in"):
        DecisionTreeClassifier(leaf_smoothing=-1.0).fit([[0.0], [1.0]], ["a", "b"])


def test_it_is_in_the_model_file(tmp_path):
    iris = datasets.iris()
    model = DecisionTreeClassifier(leaf_smoothing=2.0).fit(iris)
    save(model, tmp_path / "tree.hornbook")
    np.testing.assert_array_equal(
        load(tmp_path / "tree.hornbook").predict_proba(iris.features), model.predict_proba(iris.features)
    )


@pytest.mark.parametrize("missing", ["direction", "fractional"])
def test_a_few_rows_have_the_probabilities_they_have_among_many(missing):
    rng = np.random.default_rng(0)
    X = rng.normal(size=(2000, 3))
    X[rng.random(X.shape) < 0.1] = np.nan
    model = DecisionTreeClassifier(leaf_smoothing=0.5, missing=missing).fit(X, rng.integers(3, size=len(X)))
    assert len(model.nodes_) > 1000
    many = model.predict_proba(X)
    for i in range(20):
        assert np.array_equal(model.predict_proba(X[i : i + 1])[0], many[i])

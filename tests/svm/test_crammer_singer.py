"""LinearSVC with all classes in one problem."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.sparse import csr_array
from sklearn.datasets import load_iris, load_wine
from sklearn.exceptions import ConvergenceWarning
from sklearn.svm import LinearSVC as Reference

from hornbook import LinearSVC


def standardized(load):
    X, y = load(return_X_y=True)
    return (X - X.mean(axis=0)) / X.std(axis=0), y


def cost(model, X, y, C=1.0):
    """½ Σ |w|² + C Σ over rows of the most that the own class lacks, penalized intercept included."""
    scores = X @ model.coef_.T + model.intercept_
    lacking = scores - scores[np.arange(len(y)), y][:, None] + 1.0
    lacking[np.arange(len(y)), y] = 0.0
    squares = np.square(model.coef_).sum() + np.square(model.intercept_).sum()
    return 0.5 * squares + C * lacking.max(axis=1).sum()


@pytest.mark.parametrize("load", [load_iris, load_wine])
@pytest.mark.parametrize("C", [0.1, 1.0])
def test_the_minimum_is_that_of_scikit_learn(load, C):
    X, y = standardized(load)
    ours = LinearSVC(multi_class="crammer_singer", C=C, tol=1e-6, max_iter=20_000).fit(X, y)
    theirs = Reference(multi_class="crammer_singer", C=C, tol=1e-6, max_iter=200_000).fit(X, y)
    np.testing.assert_allclose(ours.coef_, theirs.coef_, atol=1e-4)
    np.testing.assert_allclose(ours.intercept_, theirs.intercept_, atol=1e-4)
    assert ours.objective_[0] == pytest.approx(cost(ours, X, y, C), rel=1e-12)
    assert ours.objective_[0] <= cost(theirs, X, y, C) * (1 + 1e-6)
    assert ours.history_["dual"][-1] == pytest.approx(ours.objective_[0], rel=1e-5)  # no gap is left
    assert ours.history_["violation"][-1] <= 1e-6


def test_two_classes_have_one_score():
    X, y = standardized(load_iris)
    labels = np.where(y == 1, "a", "b")
    settings = {"multi_class": "crammer_singer", "tol": 1e-6}
    ours = LinearSVC(**settings, max_iter=20_000).fit(X, labels)
    theirs = Reference(**settings, max_iter=200_000).fit(X, labels)
    assert ours.coef_.shape == (1, 4)
    np.testing.assert_allclose(ours.coef_, theirs.coef_, atol=1e-4)
    np.testing.assert_allclose(ours.decision_function(X), theirs.decision_function(X), atol=1e-3)


def test_weights_are_repeated_rows_and_sparse_rows_are_the_same():
    X, y = standardized(load_iris)
    w = np.random.default_rng(0).integers(0, 3, len(y))
    settings = {"multi_class": "crammer_singer", "tol": 1e-8, "max_iter": 50_000, "C": 0.1}
    weighted = LinearSVC(**settings).fit(X, y, sample_weight=w)
    repeated = LinearSVC(**settings).fit(np.repeat(X, w, axis=0), np.repeat(y, w))
    np.testing.assert_allclose(weighted.coef_, repeated.coef_, atol=1e-5)
    X = np.where(np.abs(X) < 1, 0.0, X)
    dense, sparse = (LinearSVC(**settings).fit(rows, y) for rows in (X, csr_array(X)))
    np.testing.assert_allclose(dense.coef_, sparse.coef_, rtol=1e-9)
    balanced = LinearSVC(**settings, class_weight={0: 2.0, 1: 1.0, 2: 1.0}).fit(X, y)
    doubled = LinearSVC(**settings).fit(X, y, sample_weight=np.where(y == 0, 2.0, 1.0))
    np.testing.assert_allclose(balanced.coef_, doubled.coef_, rtol=1e-9)


def test_it_says_what_it_does_and_what_it_does_not():
    X, y = standardized(load_iris)
    model = LinearSVC(multi_class="crammer_singer", max_iter=20_000).fit(X, y)
    assert "hinge of the nearest rival class, C = 1" in str(model.describe())
    row = X[60]
    working = model.working(row).to_dict()
    assert working["prediction"] == model.predict([row])[0]
    for settings in ({"penalty": "l1"}, {"dual": False}):
        with pytest.raises(ValueError, match="'crammer_singer' is solved in the dual with squared weights"):
            LinearSVC(multi_class="crammer_singer", **settings).fit(X, y)
    with pytest.warns(ConvergenceWarning, match="'max_iter' = 2 was too small"):
        LinearSVC(multi_class="crammer_singer", max_iter=2).fit(X, y)

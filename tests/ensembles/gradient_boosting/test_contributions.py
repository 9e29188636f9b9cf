"""Contributions of columns to the scores of boosted trees."""

from __future__ import annotations

import numpy as np
import pytest

from hornbook import (
    GradientBoostingClassifier,
    HistGradientBoostingClassifier,
    HistGradientBoostingRegressor,
    Ridge,
    datasets,
)


def numbers():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(200, 4))
    X[rng.random(X.shape) < 0.1] = np.nan
    return X, np.nan_to_num(X[:, 0]) + np.nan_to_num(X[:, 1]) ** 2


def test_they_add_up_to_the_value():
    X, y = numbers()
    model = HistGradientBoostingRegressor(max_iter=20).fit(X, y)
    shared = model.contributions(X, interactions=True)
    np.testing.assert_allclose(shared.base + shared.values.sum(axis=1), model.predict(X), atol=1e-12)
    np.testing.assert_allclose(shared.interactions.sum(axis=(1, 2)), shared.values.sum(axis=1), atol=1e-12)


def test_they_add_up_to_the_log_odds_of_two_classes():
    X, y = numbers()
    model = HistGradientBoostingClassifier(max_iter=20).fit(X, y > 1)
    shared = model.contributions(X)
    scores = model.decision_function(X)
    np.testing.assert_allclose(shared.base + shared.values.sum(axis=1), scores, atol=1e-12)


def test_they_add_up_to_the_score_of_each_class():
    flowers = datasets.iris()
    model = GradientBoostingClassifier(n_estimators=10).fit(flowers)
    shared = model.contributions(flowers)
    assert shared.values.shape == (150, 4, 3)
    sums = shared.base + shared.values.sum(axis=1)
    np.testing.assert_allclose(sums, model.decision_function(flowers), atol=1e-12)


@pytest.mark.parametrize("changes", [{"estimator": Ridge()}, {"init": Ridge()}])
def test_scores_that_are_no_sum_of_trees_and_a_constant_are_refused(changes):
    X = np.random.default_rng(0).normal(size=(60, 2))
    model = HistGradientBoostingRegressor(max_iter=3, **changes).fit(X, X[:, 0])
    with pytest.raises(ValueError, match="fit without 'estimator' and 'init'"):
        model.contributions(X)

"""Contributions against shap's, from the same trees as plain arrays."""

from __future__ import annotations

import numpy as np
import pytest

from hornbook import ExtraTreesClassifier, RandomForestClassifier, RandomForestRegressor

pytestmark = pytest.mark.slow  # shap takes seconds to import


def numbers(n=200, columns=9):
    draw = np.random.default_rng(0)
    X = draw.normal(size=(n, columns)).round(1)
    y = X[:, 0] * X[:, 1] + X[:, 2] + draw.normal(size=n) / 3
    X[draw.random(X.shape) < 0.1] = np.nan
    return X, y


def explained(model, scale):
    from benchmarks.contributions import plain_trees, shap_explainer

    return shap_explainer(plain_trees(model.forest_, scale))


@pytest.mark.parametrize("settings", [{}, {"max_depth": 3}, {"max_bins": 16}, {"bootstrap": False}], ids=str)
def test_values_and_interactions_of_numbers(settings):
    X, y = numbers()
    model = RandomForestRegressor(7, random_state=0, **settings).fit(X, y)
    parts, judge = model.contributions(X, interactions=True), explained(model, 1 / 7)
    np.testing.assert_allclose(parts.values, judge.shap_values(X), atol=1e-10)
    np.testing.assert_allclose(parts.base, np.ravel(judge.expected_value)[0], atol=1e-10)
    few = parts.interactions[:20]
    np.testing.assert_allclose(few, judge.shap_interaction_values(X[:20]), atol=1e-10)


@pytest.mark.parametrize("forest", [RandomForestClassifier, ExtraTreesClassifier])
@pytest.mark.parametrize("n_classes", [2, 4])
def test_values_of_classes(forest, n_classes):
    X, y = numbers()
    label = np.digitize(y, np.quantile(y, np.arange(1, n_classes) / n_classes))
    w = np.random.default_rng(1).uniform(0.2, 3.0, len(y))
    model = forest(7, random_state=0).fit(X, label, sample_weight=w)
    parts, judge = model.contributions(X), explained(model, 1 / 7)
    np.testing.assert_allclose(parts.values, judge.shap_values(X), atol=1e-10)
    np.testing.assert_allclose(parts.base, judge.expected_value, atol=1e-10)

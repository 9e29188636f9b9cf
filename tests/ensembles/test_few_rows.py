"""Few rows are predicted by other ways than many, with the same result."""

from __future__ import annotations

import numpy as np
import pytest

from hornbook import (
    AdaBoostClassifier,
    AdaBoostRegressor,
    BaggingClassifier,
    BaggingRegressor,
    DecisionTreeClassifier,
    DecisionTreeRegressor,
    GradientBoostingClassifier,
    HistGradientBoostingClassifier,
    LogisticRegression,
    RandomForestClassifier,
    StackingClassifier,
    VotingClassifier,
    VotingRegressor,
)

CLASSIFIERS = [
    AdaBoostClassifier(n_estimators=12),
    AdaBoostClassifier(n_estimators=5, variant="real"),
    BaggingClassifier(random_state=0),
    BaggingClassifier(random_state=0, vote="hard"),
    BaggingClassifier(DecisionTreeClassifier(max_depth=2), max_features=2, random_state=0),
    GradientBoostingClassifier(n_estimators=9),
    HistGradientBoostingClassifier(max_iter=9),
    RandomForestClassifier(12, random_state=0),
    VotingClassifier([("deep", DecisionTreeClassifier()), ("low", DecisionTreeClassifier(max_depth=2))]),
]
WITH_LINES = [
    BaggingClassifier(LogisticRegression(), n_estimators=3, random_state=0),
    VotingClassifier([("tree", DecisionTreeClassifier()), ("line", LogisticRegression())], voting="soft"),
    StackingClassifier([("tree", DecisionTreeClassifier(max_depth=3)), ("line", LogisticRegression())]),
]
REGRESSORS = [
    AdaBoostRegressor(n_estimators=12, random_state=0),
    BaggingRegressor(random_state=0),
    VotingRegressor([("deep", DecisionTreeRegressor()), ("low", DecisionTreeRegressor(max_depth=2))]),
]


def table(gaps):
    rng = np.random.default_rng(3)
    X = rng.normal(size=(140, 4))
    z = X[:, 0] + np.sin(3 * X[:, 1])
    if gaps:
        X[rng.random(X.shape) < 0.1] = np.nan
    return X, z


def check_rows(answers, X, tolerance=0.0):
    whole = answers(X)
    for size in (1, 3):
        parts = [answers(X[first : first + size]) for first in range(0, 30, size)]
        np.testing.assert_allclose(np.concatenate(parts), whole[:30], rtol=0.0, atol=tolerance)


@pytest.mark.parametrize("gaps", [False, True])
@pytest.mark.parametrize("model", CLASSIFIERS, ids=repr)
def test_probabilities_of_few_rows_are_those_of_many(model, gaps):
    X, z = table(gaps)
    fitted = model.fit(X, np.digitize(z, [-0.8, 0.0, 0.8]))
    check_rows(fitted.predict, X)
    if hasattr(fitted, "predict_proba"):
        check_rows(fitted.predict_proba, X)


@pytest.mark.parametrize("gaps", [False, True])
@pytest.mark.parametrize("model", WITH_LINES, ids=repr)
def test_products_of_few_rows_differ_by_rounding_only(model, gaps):
    X, z = table(gaps)
    check_rows(model.fit(X, np.digitize(z, [-0.8, 0.0, 0.8])).predict_proba, X, tolerance=1e-13)


@pytest.mark.parametrize("gaps", [False, True])
@pytest.mark.parametrize("model", REGRESSORS, ids=repr)
def test_numbers_of_few_rows_are_those_of_many(model, gaps):
    X, z = table(gaps)
    check_rows(model.fit(X, z).predict, X)


def test_a_member_that_changes_changes_the_answer():
    X, z = table(gaps=False)
    model = BaggingRegressor(random_state=0).fit(X, z)
    before = model.predict(X[:1])
    model.estimators_[3] = DecisionTreeRegressor(max_depth=1).fit(X, z + 50.0)
    assert model.predict(X[:1])[0] > before[0] + 3.0
    soft = BaggingClassifier(DecisionTreeClassifier(), random_state=0).fit(X, z > 0)
    before = soft.predict_proba(X[:1])
    for member in soft.estimators_:
        member.set_params(leaf_smoothing=5.0)
    assert np.abs(soft.predict_proba(X[:1]) - before).max() > 0.01

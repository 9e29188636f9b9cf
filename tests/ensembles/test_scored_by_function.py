"""Out-of-bag scores by a function, members of bagging by number, and warm starts that add nothing."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn.metrics import accuracy_score, explained_variance_score, f1_score

from hornbook import (
    BaggingClassifier,
    BaggingRegressor,
    RandomForestClassifier,
    RandomForestRegressor,
    datasets,
)

IRIS = datasets.iris()
X, Y = IRIS.features.matrix, IRIS.y
NUMBERS = X[:, 3]


@pytest.mark.parametrize("learner", [RandomForestClassifier, BaggingClassifier])
def test_classes_are_scored_by_the_function(learner):
    settings = {"n_estimators": 40, "random_state": 0}
    plain = learner(oob_score=True, **settings).fit(X, Y)
    assert learner(oob_score=accuracy_score, **settings).fit(X, Y).oob_score_ == pytest.approx(
        plain.oob_score_
    )
    scored = learner(oob_score=lambda y, p: f1_score(y, p, average="macro"), **settings).fit(X, Y)
    answers = plain.classes_[plain.oob_decision_function_.argmax(axis=1)]
    assert scored.oob_score_ == pytest.approx(f1_score(Y, answers, average="macro"))


@pytest.mark.parametrize("learner", [RandomForestRegressor, BaggingRegressor])
def test_numbers_are_scored_by_the_function(learner):
    model = learner(n_estimators=40, random_state=0, oob_score=explained_variance_score).fit(X, NUMBERS)
    assert model.oob_score_ == pytest.approx(explained_variance_score(NUMBERS, model.oob_prediction_))


def test_members_of_bagging_are_found_by_number():
    model = BaggingClassifier(n_estimators=4, random_state=0).fit(X, Y)
    assert len(model) == 4
    assert model[1] is model.estimators_[1]
    assert [*model] == model.estimators_
    assert type(model.estimator_) is type(model[0])
    assert bool(BaggingClassifier())


def test_a_warm_start_without_new_trees_warns():
    model = RandomForestClassifier(3, warm_start=True, random_state=0).fit(X, Y)
    before = model.predict_proba(X)
    with pytest.warns(UserWarning, match="does not fit new trees"):
        model.fit(X, Y)
    np.testing.assert_array_equal(model.predict_proba(X), before)

"""Methods are called what their attribute is called: scikit-learn's scorers read ``__name__``."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn.metrics import make_scorer, roc_auc_score

import hornbook
from hornbook.registry import LEARNERS, learner_class

METHODS = ("fit", "predict", "predict_proba", "predict_log_proba", "decision_function", "transform", "score")


@pytest.mark.parametrize("name", sorted(LEARNERS))
def test_methods_have_the_name_of_their_attribute(name):
    learner = learner_class(name)
    methods = [method for method in METHODS if callable(getattr(learner, method, None))]
    assert "fit" in methods
    assert [getattr(learner, method).__name__ for method in methods] == methods


@pytest.mark.parametrize("name", ["DecisionTreeClassifier", "RandomForestClassifier", "KNeighborsClassifier"])
def test_scorers_of_scikit_learn_find_the_second_class(name):
    draw = np.random.default_rng(0)
    X = draw.normal(size=(60, 2))
    y = X[:, 0] + draw.normal(size=60) > 0
    model = getattr(hornbook, name)().fit(X[:40], y[:40])
    score = make_scorer(roc_auc_score, response_method="predict_proba")(model, X[40:], y[40:])
    assert score == roc_auc_score(y[40:], model.predict_proba(X[40:])[:, 1])

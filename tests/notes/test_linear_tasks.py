"""Tasks of a linear model: class, score, rank, probability, number."""

from __future__ import annotations

import numpy as np
import pytest

import hornbook
from hornbook import LinearRegression, LogisticRegression, datasets
from hornbook.evaluation import auc


def test_one_sum_classifies_scores_ranks_and_gives_probabilities():
    melons = datasets.watermelon("3.0a")
    X, y = melons.features.numbers, melons.y
    model = LogisticRegression(C=10.0).fit(X, y)
    scores, shares = model.decision_function(X), model.predict_proba(X)[:, 1]
    assert (model.predict(X) == (scores > 0)).all()  # classification from scoring
    assert (np.argsort(scores) == np.argsort(shares)).all()  # one ranking
    pairs = scores[y][:, None] - scores[~y]  # ripe against unripe
    assert auc(y, scores) == pytest.approx((pairs > 0).mean())
    number = LinearRegression().fit(X[:, :1], X[:, 1])  # regression: a number for each row
    line = np.polynomial.Polynomial.fit(X[:, 0], X[:, 1], 1)
    np.testing.assert_allclose(number.predict(X[:, :1]), line(X[:, 0]), rtol=1e-9)


def test_features_model_and_task_are_objects():
    """Output = f(data): the table knows its features, the card of a learner its model and its tasks."""
    melons = datasets.watermelon("3.0a")
    assert melons.features.schema.names == ("density", "sugar")
    cards = {card.name: card for card in hornbook.learners()}
    assert cards["LinearRegression"].tasks == ("regression",)
    assert cards["LinearRegression"].model_class == "weighted sum of the columns"
    model = LogisticRegression().fit(melons)
    assert model.predict(melons).shape == (17,)

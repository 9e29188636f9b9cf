"""The working of sums of trees holds what each column contributes, and draws it."""

from __future__ import annotations

import matplotlib.pyplot as plt
import numpy as np
import pytest
from tests.contract.learners import mixed_table

from hornbook import (
    DecisionTreeClassifier,
    DecisionTreeRegressor,
    GradientBoostingClassifier,
    HistGradientBoostingClassifier,
    HistGradientBoostingRegressor,
    LinearRegression,
    RandomForestClassifier,
    RandomForestRegressor,
)

TABLE, GROUP = mixed_table(120)
NUMBERS = GROUP + np.arange(120) % 4 / 4


@pytest.mark.parametrize(
    ("learner", "y"),
    [
        (DecisionTreeClassifier(), GROUP),
        (DecisionTreeRegressor(), NUMBERS),
        (RandomForestClassifier(n_estimators=3, random_state=0), GROUP),
        (RandomForestRegressor(n_estimators=3, random_state=0), NUMBERS),
        (HistGradientBoostingClassifier(max_iter=3), GROUP),
        (HistGradientBoostingClassifier(max_iter=3), GROUP > 0),
        (HistGradientBoostingRegressor(max_iter=3), NUMBERS),
    ],
)
def test_contributions_add_up_to_the_working(learner, y):
    row = TABLE.iloc[[7]]
    working = learner.fit(TABLE, y).working(row)
    shared = working.contributions
    np.testing.assert_allclose(shared.values, learner.contributions(row).values)
    scores = working.scores if len(shared.outputs) or len(working.scores) == 1 else working.scores[1:]
    np.testing.assert_allclose(np.atleast_1d(shared.predictions[0]), _per_tree(learner, scores), atol=1e-12)
    assert "Contributions" in str(working)
    assert working.to_dict()["contributions"]["names"] == list(TABLE.columns)
    drawn = working.plot()
    assert shared.cell_text(0, int(np.abs(shared.of(_shown(working)).values[0]).argmax())) in [
        text.get_text() for text in drawn.get_yticklabels()
    ]
    plt.close(drawn.figure)


def _per_tree(learner, scores):
    """Votes are summed in the working, and shared out as probabilities."""
    votes = isinstance(learner, RandomForestClassifier)
    return np.array(scores) / (learner.n_estimators if votes else 1)


def _shown(working):
    return working.prediction if working.contributions.outputs else None


def test_members_that_are_no_trees_have_none():
    model = GradientBoostingClassifier(estimator=LinearRegression(), n_estimators=2).fit(TABLE, GROUP > 0)
    working = model.working(TABLE.iloc[[0]])
    assert working.contributions is None
    assert working.to_dict()["contributions"] is None
    with pytest.raises(ValueError, match="no contributions to draw: trees, forests and boosting of trees"):
        working.plot()

"""Figures of note N2: error of forests and boosting by number of trees."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from gallery import figure
from gallery.housing_table import housing
from hornbook import (
    ExtraTreesClassifier,
    Frame,
    GradientBoostingClassifier,
    GradientBoostingRegressor,
    RandomForestClassifier,
    RandomForestRegressor,
    datasets,
    plots,
)

if TYPE_CHECKING:
    from matplotlib.figure import Figure

TREES = 150
ROWS = 900  # for training, and as many for testing: a part of the table is enough for the curves


def emails() -> tuple[Frame, Frame]:
    """Training and test rows of the spam table."""
    spam = datasets.spam()
    order = np.random.default_rng(0).permutation(len(spam))
    return spam[order[:ROWS]], spam[order[ROWS : 2 * ROWS]]


@figure(
    "N2/FIG24", "Spam (1,800 of the emails): out-of-bag and test error of a random forest by number of trees"
)
def spam_forest() -> Figure:
    train, test = emails()
    forest = RandomForestClassifier(TREES, oob_score=True, random_state=0).fit(train)
    errors = {"out of bag": forest.oob_errors_, "test": forest.staged_errors(test)}
    return plots.staged_error(errors, name="share of wrong answers").figure


@figure("N2/FIG25", "Spam (1,800 of the emails): test error of four ensembles by number of trees")
def spam_methods() -> Figure:
    train, test = emails()
    boosting = GradientBoostingClassifier(n_estimators=TREES, learning_rate=0.3, random_state=0).fit(train)
    errors = {
        "bagging": RandomForestClassifier(TREES, max_features=None, random_state=0)
        .fit(train)
        .staged_errors(test),
        "random forest": RandomForestClassifier(TREES, random_state=0).fit(train).staged_errors(test),
        "extra-trees": ExtraTreesClassifier(TREES, random_state=0).fit(train).staged_errors(test),
        "gradient boosting": [
            np.mean(answers != test.y) for answers in boosting.staged_predict(test.features)
        ],
    }
    return plots.staged_error(errors, name="share of wrong answers").figure


@figure(
    "N2/FIG26", "A generated table like California housing: test error of a forest and of boosting by depth"
)
def housing_methods() -> Figure:
    (X, y), (later, truth) = housing(900, 0), housing(900, 1)
    forest = RandomForestRegressor(TREES, max_features="third", random_state=0).fit(X, y)
    means = np.cumsum(forest.tree_answers(later), axis=0) / np.arange(1, TREES + 1)[:, None]
    errors = {"random forest": np.abs(means - truth).mean(axis=1)}
    for depth in (2, 4, 6):
        model = GradientBoostingRegressor(n_estimators=TREES, max_depth=depth, random_state=0).fit(X, y)
        stages = model.staged_predict(later)
        errors[f"boosting, depth {depth}"] = np.array([np.abs(answers - truth).mean() for answers in stages])
    return plots.staged_error(errors, name="mean absolute error").figure

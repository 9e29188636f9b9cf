"""Our splits as the ``cv`` of scikit-learn."""

from __future__ import annotations

import numpy as np
import pandas as pd
import polars as pl
import pytest
from sklearn import config_context
from sklearn.base import clone
from sklearn.datasets import load_iris
from sklearn.model_selection import GridSearchCV, cross_val_predict, cross_validate, learning_curve
from sklearn.neighbors import KNeighborsClassifier

from hornbook import NaiveBayes
from hornbook.evaluation import (
    Bootstrap,
    GroupKFold,
    HoldOut,
    KFold,
    LeaveOneOut,
    RepeatedKFold,
    RepeatedStratifiedKFold,
    StratifiedGroupKFold,
    StratifiedKFold,
    TimeSeriesSplit,
)
from hornbook.frame import Frame

pytestmark = pytest.mark.filterwarnings("ignore::hornbook.evaluation.SmallFoldWarning")

X, Y = load_iris(return_X_y=True)
GROUPS = np.arange(150) % 25
ORDER = np.random.default_rng(0).permutation(150)
X, Y = X[ORDER], Y[ORDER]

SPLITS = [
    KFold(5, shuffle=True, random_state=0),
    StratifiedKFold(5),
    RepeatedKFold(n_splits=3, n_repeats=2, random_state=0),
    RepeatedStratifiedKFold(n_splits=3, n_repeats=2, random_state=0),
    GroupKFold(5),
    StratifiedGroupKFold(5),
    TimeSeriesSplit(3),
    HoldOut(0.2, stratify=True, random_state=0),
    Bootstrap(7, random_state=0),
    Bootstrap(7, test="all", random_state=0),
]


def by_hand(split, learner, X, y):
    """Accuracy on each test part."""
    fitted = ((clone(learner).fit(X[train], y[train]), test) for train, test in split.split(X, y, GROUPS))
    return [np.mean(model.predict(X[test]) == y[test]) for model, test in fitted]


@pytest.mark.parametrize("split", SPLITS, ids=lambda split: type(split).__name__)
def test_cross_validate_scores_what_the_splits_say(split):
    learner = KNeighborsClassifier(3)
    scores = cross_validate(learner, X, Y, groups=GROUPS, cv=split)["test_score"]
    assert len(scores) == split.get_n_splits(X, Y, GROUPS)
    np.testing.assert_array_equal(scores, by_hand(split, learner, X, Y))


@pytest.mark.parametrize("make", [Frame, pd.DataFrame, pl.DataFrame], ids=["Frame", "pandas", "polars"])
def test_tables_go_through_scikit_learn(make):
    table = make({f"x{j}": X[:, j] for j in range(4)})
    learner = NaiveBayes()
    for split in (
        StratifiedKFold(5),
        StratifiedKFold(3, by="x3"),
        HoldOut(0.3, stratify="x2", shuffle=False),
    ):
        scores = cross_validate(learner, table, Y, cv=split)["test_score"]
        expected = [
            np.mean(clone(learner).fit(X[a], Y[a]).predict(X[b]) == Y[b]) for a, b in split.split(table, Y)
        ]
        np.testing.assert_array_equal(scores, expected)


def test_grid_search_and_learning_curve_and_predictions():
    split = StratifiedKFold(5, shuffle=True, random_state=1)
    search = GridSearchCV(KNeighborsClassifier(), {"n_neighbors": [1, 5, 9]}, cv=split).fit(X, Y)
    assert search.n_splits_ == 5
    np.testing.assert_allclose(
        [search.cv_results_[f"split{k}_test_score"][1] for k in range(5)],
        by_hand(split, KNeighborsClassifier(5), X, Y),
    )
    assert clone(search).cv == split
    predicted = cross_val_predict(KNeighborsClassifier(1), X, Y, cv=LeaveOneOut())
    assert 140 <= (predicted == Y).sum() < 150
    sizes, _, scores = learning_curve(KNeighborsClassifier(1), X, Y, cv=split, train_sizes=[0.5, 1.0])
    assert sizes.tolist() == [60, 120]
    assert scores.shape == (2, 5)


@pytest.mark.parametrize("split", [GroupKFold(5), StratifiedGroupKFold(5)])
def test_groups_reach_the_split_through_metadata_routing(split):
    with config_context(enable_metadata_routing=True):
        scores = cross_validate(KNeighborsClassifier(3), X, Y, params={"groups": GROUPS}, cv=split)
    np.testing.assert_array_equal(scores["test_score"], by_hand(split, KNeighborsClassifier(3), X, Y))


def test_a_split_says_what_it_is():
    assert repr(StratifiedKFold(3, by="x1")) == (
        "StratifiedKFold(n_splits=3, shuffle=False, random_state=None, by='x1')"
    )
    assert KFold(3) == KFold(3)
    assert KFold(3) != KFold(4)

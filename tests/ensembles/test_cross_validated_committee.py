"""Committees of a cross-validation: who has seen what, and what they answer together."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn.datasets import load_breast_cancer, make_friedman1

from hornbook import (
    CrossValidatedCommittee,
    DecisionTreeClassifier,
    DecisionTreeRegressor,
    NaiveBayes,
    datasets,
)
from hornbook.evaluation import LeaveOneOut


def test_members_are_those_of_the_folds_and_count_the_same():
    X, y = make_friedman1(60, random_state=0)
    folds = [
        (np.flatnonzero(np.arange(60) % 4 != k), np.flatnonzero(np.arange(60) % 4 == k)) for k in range(4)
    ]
    model = CrossValidatedCommittee(DecisionTreeRegressor(max_depth=3), cv=folds).fit(X, y)
    alone = [DecisionTreeRegressor(max_depth=3).fit(X[train], y[train]) for train, _ in folds]
    np.testing.assert_allclose(model.predict(X), np.mean([tree.predict(X) for tree in alone], axis=0))
    errors = [
        ((tree.predict(X[test]) - y[test]) ** 2).mean() for tree, (_, test) in zip(alone, folds, strict=True)
    ]
    np.testing.assert_allclose(model.fold_errors_, errors)
    assert model.sample_sizes_.tolist() == [45] * 4


@pytest.mark.parametrize("vote", ["soft", "hard"])
def test_each_row_is_held_out_once_and_classes_are_spread_evenly(vote):
    X, y = load_breast_cancer(return_X_y=True)
    model = CrossValidatedCommittee(DecisionTreeClassifier(max_depth=2), vote=vote, random_state=0).fit(X, y)
    assert len(model.estimators_) == 10
    assert (len(y) - model.sample_sizes_).sum() == len(y)
    assert set((len(y) - model.sample_sizes_).tolist()) <= {56, 57}
    shares = [member.nodes_.value[0] / member.nodes_.value[0].sum() for member in model.estimators_]
    np.testing.assert_allclose(shares, [[1 - y.mean(), y.mean()]] * 10, atol=0.003)
    answers = np.mean(
        [m.predict_proba(X) if vote == "soft" else np.eye(2)[m.predict(X)] for m in model.estimators_], axis=0
    )
    np.testing.assert_allclose(model.predict_proba(X), answers)
    assert 0.02 < model.fold_errors_.mean() < 0.12


def test_the_order_of_the_rows_does_not_matter_and_equal_rows_stay_together():
    iris = datasets.iris()
    X, y = iris.features.matrix, np.asarray(iris.y)
    order = np.random.default_rng(0).permutation(150)
    one = CrossValidatedCommittee(NaiveBayes(), cv=5, random_state=3).fit(X, y)
    other = CrossValidatedCommittee(NaiveBayes(), cv=5, random_state=3).fit(X[order], y[order])
    np.testing.assert_allclose(one.predict_proba(X), other.predict_proba(X), rtol=1e-9)
    twice = CrossValidatedCommittee(NaiveBayes(), cv=5, random_state=3).fit(
        np.repeat(X, 2, axis=0), np.repeat(y, 2)
    )
    np.testing.assert_array_equal(twice.sample_sizes_, 2 * one.sample_sizes_)


def test_folds_may_be_masks():
    X, y = make_friedman1(40, random_state=0)
    mask = np.arange(40) % 2 == 0
    pairs = [(mask, ~mask), (~mask, mask)]
    by_mask = CrossValidatedCommittee(DecisionTreeRegressor(), cv=pairs).fit(X, y)
    places = [(np.flatnonzero(a), np.flatnonzero(b)) for a, b in pairs]
    by_place = CrossValidatedCommittee(DecisionTreeRegressor(), cv=places).fit(X, y)
    np.testing.assert_array_equal(by_mask.predict(X), by_place.predict(X))


def test_leave_one_out():
    X, y = make_friedman1(25, random_state=0)
    model = CrossValidatedCommittee(DecisionTreeRegressor(), cv=LeaveOneOut()).fit(X, y)
    assert model.sample_sizes_.tolist() == [24] * 25


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"cv": 151}, "cv=151 folds need at least 151 different rows"),
        ({"cv": 1}, "'cv' must be an integer in"),
        ({"cv": []}, "gives no folds"),
        ({"cv": [([0, 1, 99], [])]}, "a fold without rows"),
        ({"cv": [([0, 1, 99], [150])]}, "rows from 150 to 150, but there are 150"),
        ({"ties": "random"}, "'ties' applies to votes"),
    ],
)
def test_what_cannot_be_divided_is_refused(settings, message):
    with pytest.raises(ValueError, match=message):
        CrossValidatedCommittee(NaiveBayes(), **settings).fit(datasets.iris())


def test_votes_are_for_classes():
    with pytest.raises(ValueError, match="the members predict numbers"):
        CrossValidatedCommittee(DecisionTreeRegressor(), vote="hard").fit(np.eye(12), np.arange(12.0))
    with pytest.raises(TypeError, match="must be a classifier or regressor"):
        CrossValidatedCommittee("tree").fit(datasets.iris())

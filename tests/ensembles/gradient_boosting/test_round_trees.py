"""The trees of the rounds, where rows end in them, and what stops them."""

from __future__ import annotations

import numpy as np
import pytest

from hornbook import (
    GradientBoostingClassifier,
    GradientBoostingRegressor,
    HistGradientBoostingClassifier,
    HistGradientBoostingRegressor,
    LinearRegression,
)

RNG = np.random.default_rng(0)
X = RNG.normal(size=(90, 4))
CLASSES = np.digitize(X[:, 0] + X[:, 1], [-0.5, 0.5])
NUMBERS = X[:, 0] ** 2


def test_the_trees_add_up_to_the_scores():
    model = GradientBoostingClassifier(n_estimators=4, max_depth=2).fit(X, CLASSES)
    assert model.estimators_.shape == (4, 3)
    sums = sum(np.column_stack([tree.predict(X) for tree in row]) for row in model.estimators_)
    np.testing.assert_allclose(sums + model.base_score_, model.decision_function(X))
    leaves = model.apply(X)
    assert leaves.shape == (90, 4, 3)
    np.testing.assert_array_equal(leaves[:, 2, 1], model.estimators_[2, 1].apply(X))


def test_numbers_have_one_tree_a_round():
    model = GradientBoostingRegressor(n_estimators=3, max_features=0.5).fit(X, NUMBERS)
    assert (model.estimators_.shape, model.apply(X).shape, model.max_features_) == ((3, 1), (90, 3), 2)
    assert model.estimators_[0, 0].tree_.node_count > 1


def test_members_of_another_kind_are_a_list_and_have_no_leaves():
    model = GradientBoostingRegressor(n_estimators=3, estimator=LinearRegression()).fit(X, NUMBERS)
    assert [type(member) for member in model.estimators_] == [LinearRegression] * 3
    with pytest.raises(AttributeError, match="has no trees"):
        model.apply(X)
    assert not hasattr(GradientBoostingRegressor(), "estimators_")


@pytest.mark.parametrize("fraction", [0.3, None])
def test_measures_by_name_stop_boosting(fraction):
    model = HistGradientBoostingClassifier(
        early_stopping=True, scoring="accuracy", validation_fraction=fraction, n_iter_no_change=2, max_iter=60
    ).fit(X, CLASSES)
    scores = model.train_score_ if fraction is None else model.validation_score_
    assert scores.max() <= 1.0
    assert scores[-1] >= scores[0]
    assert model.n_iter_ < 60
    squares = HistGradientBoostingRegressor(early_stopping=True, scoring="neg_mean_squared_error", max_iter=3)
    assert (squares.fit(X, NUMBERS).validation_score_ <= 0).all()


def test_columns_with_categories_are_marked():
    codes = np.column_stack([np.arange(90) % 3, X[:, 0]])
    model = HistGradientBoostingRegressor(max_iter=1, categorical_features=[0]).fit(codes, NUMBERS)
    assert model.is_categorical_.tolist() == [True, False]
    assert HistGradientBoostingRegressor(max_iter=1).fit(X, NUMBERS).is_categorical_ is None

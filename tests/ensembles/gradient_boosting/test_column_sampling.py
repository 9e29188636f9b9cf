"""The columns that a tree, a level or a node of boosting draws."""

from __future__ import annotations

import numpy as np
import pytest

from hornbook import (
    GradientBoostingClassifier,
    GradientBoostingRegressor,
    HistGradientBoostingClassifier,
    HistGradientBoostingRegressor,
)

RNG = np.random.default_rng(0)
X = RNG.normal(size=(400, 10))
Y = X.sum(axis=1) + 0.1 * RNG.normal(size=400)


def columns_by_tree(model):
    """The columns that each tree is split on."""
    forest = model.forest_
    return [set(part[part >= 0].tolist()) for part in np.split(forest.feature, forest.roots[1:])]


@pytest.mark.parametrize("learner", [GradientBoostingRegressor, HistGradientBoostingRegressor])
def test_a_tree_uses_its_share_of_the_columns(learner):
    depth = {"max_depth": None, "max_leaf_nodes": 31}
    model = learner(colsample_bytree=0.3, random_state=0, **depth).fit(X, Y)
    used = columns_by_tree(model)
    assert max(map(len, used)) == 3
    assert set().union(*used) == set(range(10))  # others are drawn for each tree
    assert len(columns_by_tree(learner(random_state=0, **depth).fit(X, Y))[0]) > 3


def test_a_level_uses_its_share_of_the_columns_of_the_tree():
    model = HistGradientBoostingRegressor(
        colsample_bytree=0.5, colsample_bylevel=0.4, max_depth=3, max_leaf_nodes=None, random_state=0
    ).fit(X, Y)
    forest = model.forest_
    for root in forest.roots:
        level, by_level = [root], []
        while level:
            inner = [node for node in level if forest.feature[node] >= 0]
            by_level.append({int(forest.feature[node]) for node in inner})
            level = [forest.first_child[node] + side for node in inner for side in (0, 1)]
        assert max(map(len, by_level)) <= 2
        assert len(set().union(*by_level)) <= 5


def test_shares_are_those_of_the_columns_that_are_left():
    shares = {"colsample_bytree": 0.5, "max_features": 0.2, "random_state": 0, "max_iter": 5}
    one = HistGradientBoostingRegressor(**shares).fit(X, Y)
    same = HistGradientBoostingRegressor(**shares | {"max_features": 1}).fit(X, Y)
    np.testing.assert_array_equal(one.forest_.feature, same.forest_.feature)


@pytest.mark.parametrize(
    "shares", [{"colsample_bytree": 0.5}, {"colsample_bylevel": 0.5}, {"max_features": 0.5}]
)
def test_draws_follow_the_seed_and_nothing_else(shares):
    def fitted(seed, n_jobs=1):
        model = HistGradientBoostingClassifier(max_iter=5, random_state=seed, n_jobs=n_jobs, **shares)
        return model.fit(X, Y > 0).predict_proba(X)

    np.testing.assert_array_equal(fitted(0), fitted(0, 2))
    assert (fitted(0) != fitted(1)).any()


def test_exact_thresholds_have_no_levels_to_draw_for():
    model = GradientBoostingClassifier(step="newton", colsample_bylevel=0.5)
    with pytest.raises(ValueError, match="'colsample_bylevel' is for columns of at most 255 bins"):
        model.fit(X, Y > 0)
    model.set_params(max_bins=100).fit(X, Y > 0)

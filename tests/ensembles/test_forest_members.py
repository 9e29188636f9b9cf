"""The trees of a forest as learners: made when asked for, equal to those that are grown again."""

from __future__ import annotations

import pickle

import numpy as np
import pytest

from hornbook import ExtraTreesClassifier, RandomForestClassifier, RandomForestRegressor, datasets
from hornbook.impurity import IMPURITIES

IRIS = datasets.iris()
X, Y = IRIS.features.matrix, IRIS.y
NUMBERS = X[:, 3]
KEPT = ("kind", "feature", "threshold", "first_child", "missing_child", "levels", "weight", "share", "value")


def assert_same_nodes(kept, grown, *more):
    for name in (*KEPT, *more):
        np.testing.assert_allclose(getattr(kept, name), getattr(grown, name), rtol=1e-12, err_msg=name)


@pytest.mark.parametrize("criterion", sorted(IMPURITIES))
def test_trees_for_classes_are_those_grown_again(criterion):
    forest = RandomForestClassifier(5, criterion=criterion, min_samples_leaf=3, random_state=0).fit(X, Y)
    for t in (0, 4):
        grown = forest.tree(t, X, Y)
        assert_same_nodes(forest.estimators_[t].nodes_, grown.nodes_, "impurity")
        np.testing.assert_allclose(forest[t].feature_importances_, grown.feature_importances_, atol=1e-12)
        assert (forest[t].apply(X) == forest.apply(X)[:, t]).all()


@pytest.mark.parametrize("splits", ["binary", "multiway"])
def test_trees_on_categories_are_those_grown_again(splits):
    play = datasets.play_tennis()
    forest = RandomForestClassifier(5, splits=splits, random_state=0).fit(play)
    assert_same_nodes(forest[2].nodes_, forest.tree(2, play).nodes_, "impurity")


def test_trees_for_numbers_are_those_grown_again():
    forest = RandomForestRegressor(5, min_samples_leaf=3, random_state=0).fit(X, NUMBERS)
    grown = forest.tree(3, X, NUMBERS)
    assert_same_nodes(forest[3].nodes_, grown.nodes_)
    np.testing.assert_allclose(forest[3].feature_importances_, grown.feature_importances_, atol=1e-12)
    assert forest[3].describe().facts == grown.describe().facts


def test_the_mean_of_the_trees_is_the_forest():
    forest = ExtraTreesClassifier(7, random_state=0).fit(X, Y)
    assert len(forest) == len(forest.estimators_) == 7
    mean = np.mean([tree.predict_proba(X) for tree in forest], axis=0)
    np.testing.assert_allclose(mean, forest.predict_proba(X), atol=1e-12)
    assert [tree.get_n_leaves() for tree in forest.estimators_[:2]] == forest.forest_.n_leaves[:2].tolist()
    assert (forest[-1].predict(X) == forest[6].predict(X)).all()


def test_paths_of_all_trees_lie_side_by_side():
    forest = RandomForestClassifier(4, random_state=0).fit(X, Y)
    path, start = forest.decision_path(X)
    assert path.shape == (150, start[-1])
    for t, tree in enumerate(forest):
        assert (path[:, start[t] : start[t + 1]] != tree.decision_path(X)).nnz == 0


def test_what_a_forest_does_not_keep_is_refused():
    forest = RandomForestRegressor(3, random_state=0).fit(X, NUMBERS)
    for name in ("impurity", "n_node_samples"):
        with pytest.raises(AttributeError, match=r"forest.tree\(t, X, y\)"):
            getattr(forest[0].tree_, name)
    with pytest.raises(ValueError, match="ccp_alpha of the forest"):
        next(forest[0]._variants(X, [{"ccp_alpha": 1.0}]))
    by_median = RandomForestRegressor(3, criterion="absolute_error", random_state=0).fit(X, NUMBERS)
    assert not hasattr(by_median[0], "feature_importances_")
    with pytest.raises(IndexError, match="trees 0 to 2"):
        _ = forest.estimators_[3]


def test_forests_do_not_grow_by_being_read():
    forest = RandomForestClassifier(20, random_state=0).fit(X, Y)
    size = len(pickle.dumps(forest))
    assert [tree.get_depth() for tree in forest]
    assert len(pickle.dumps(forest)) == size
    assert bool(RandomForestClassifier())  # without trees
    assert forest.n_classes_ == 3

"""What the columns contribute to the predictions of single trees."""

from __future__ import annotations

import numpy as np
import pytest
from tests.oracles.contributions import interactions
from tests.trees.mixed_table import mixed

from hornbook import (
    DecisionStump,
    DecisionTreeClassifier,
    DecisionTreeRegressor,
    ObliqueTreeClassifier,
    ObliqueTreeRegressor,
    datasets,
)
from hornbook.trees import WeightedTrees

SETTINGS = [
    {},
    {"splits": "multiway"},
    {"missing": "fractional"},
    {"missing": "fractional", "splits": "multiway"},
    {"max_depth": 1},
    {"max_bins": 8},
    {"ccp_alpha": 0.01},
    {"pruning": "reduced_error", "random_state": 0},
    {"max_leaf_nodes": 9},
]
CLASS_SETTINGS = [
    {"criterion": "gain_ratio"},
    {"leaf_smoothing": 1.5},
    {"class_weight": "balanced", "leaf_smoothing": 0.5},
    {"pruning": "pessimistic"},
]


@pytest.mark.parametrize("settings", SETTINGS + CLASS_SETTINGS, ids=str)
@pytest.mark.parametrize("n_classes", [2, 3])
def test_they_add_up_to_the_probabilities(settings, n_classes):
    X, score = mixed()
    y = np.array(["bad", "fair", "good"])[np.digitize(score, np.quantile(score, [0.3, 0.7][: n_classes - 1]))]
    w = np.random.default_rng(0).uniform(0.2, 2.0, len(y))
    model = DecisionTreeClassifier(**settings).fit(X, y, sample_weight=w)
    parts = model.contributions(X)
    assert parts.values.shape == (len(y), 4, n_classes)
    assert parts.outputs == tuple(model.classes_)
    np.testing.assert_allclose(parts.predictions, model.predict_proba(X), atol=1e-12)
    root = model.nodes_.weight[0]
    leaf = model.nodes_.is_leaf
    mean = (model.nodes_.weight[leaf, None] * model._node_values()[leaf]).sum(axis=0) / root
    np.testing.assert_allclose(parts.base, mean, atol=1e-12)


@pytest.mark.parametrize("settings", [*SETTINGS, {"criterion": "absolute_error"}], ids=str)
def test_they_add_up_to_the_value(settings):
    X, score = mixed()
    model = DecisionTreeRegressor(**settings).fit(X, score)
    parts = model.contributions(X, interactions=True)
    assert parts.values.shape == (len(score), 4)
    np.testing.assert_allclose(parts.predictions, model.predict(X), atol=1e-12)
    np.testing.assert_allclose(parts.interactions.sum(axis=2), parts.values, atol=1e-12)
    np.testing.assert_allclose(model.contributions(X).values, parts.values, atol=1e-12)
    np.testing.assert_array_equal(parts.interactions, parts.interactions.swapaxes(1, 2))


@pytest.mark.parametrize("settings", SETTINGS[:4], ids=str)
def test_they_are_those_of_every_set_of_columns(settings):
    X, score = mixed()
    model = DecisionTreeRegressor(max_depth=6, **settings).fit(X, score)
    parts = model.contributions(X, interactions=True)
    tree = {name: getattr(model.nodes_, name) for name in vars(model.nodes_)}
    cells = np.column_stack([X["size"], X["weight"], X["city"].cat.codes, X["grade"].cat.codes]).astype(float)
    cells[:, 2:][cells[:, 2:] < 0] = np.nan
    for r in (0, 1, 7, 11, 13, 77, 100):
        expected, base = interactions(tree, cells[r])
        np.testing.assert_allclose(parts.interactions[r], expected[..., 0], atol=1e-12)
        np.testing.assert_allclose(parts.base, base[0])


def test_a_category_is_one_column_and_one_without_a_branch_stays():
    X, score = mixed(gaps=False)
    model = DecisionTreeRegressor(splits="multiway", max_depth=3).fit(X, score)
    X.loc[0, "city"] = "g"  # a level of the column that no row of the fit had
    parts = model.contributions(X[:1])
    assert parts.names == ("size", "weight", "city", "grade")
    np.testing.assert_allclose(parts.predictions, model.predict(X[:1]), atol=1e-12)


def test_a_stump_gives_all_to_one_column_by_hand():
    model = DecisionStump().fit(datasets.watermelon("3.0a"))
    parts = model.contributions(datasets.watermelon("3.0a"))
    j = parts.names.index("sugar")
    np.testing.assert_allclose(parts.base, [9 / 17, 8 / 17])
    assert not np.delete(parts.values, j, axis=1).any()
    np.testing.assert_allclose(
        parts.values[:, j] + parts.base, model.predict_proba(datasets.watermelon("3.0a"))
    )


def test_a_single_leaf_and_a_single_class_contribute_nothing():
    X, score = mixed()
    parts = DecisionTreeRegressor(min_samples_leaf=160).fit(X, score).contributions(X[:3])
    assert not parts.values.any()
    np.testing.assert_allclose(parts.base, score.mean())
    parts = DecisionTreeClassifier().fit(X, ["one"] * len(X)).contributions(X[:3])
    assert parts.values.shape == (3, 4, 1)
    assert parts.base.tolist() == [1.0]


def test_trees_are_added_with_weights_and_outputs():
    X, score = mixed()
    trees = [DecisionTreeRegressor(max_depth=d).fit(X, score * d) for d in (2, 3, 4)]
    rows = trees[0]._coded(trees[0]._prepared(X))
    fitted = [tree.nodes_ for tree in trees]
    model = WeightedTrees.of(
        fitted,
        np.concatenate([tree.value for tree in fitted]),
        scale=[1.0, 0.5, -2.0],
        output=[0, 1, 0],
        offset=[10.0, 20.0],
        meaning="score",
    )
    values, base = model.contributions(rows, 2, interactions=False)
    one, two, three = (tree.contributions(X) for tree in trees)
    np.testing.assert_allclose(values[..., 0], one.values - 2 * three.values, atol=1e-12)
    np.testing.assert_allclose(values[..., 1], 0.5 * two.values, atol=1e-12)
    np.testing.assert_allclose(base, [10 + one.base - 2 * three.base, 20 + 0.5 * two.base])


def test_they_do_not_depend_on_the_number_of_threads():
    X, score = mixed(900)
    model = DecisionTreeRegressor(n_jobs=1).fit(X, score)
    alone = model.contributions(X).values
    np.testing.assert_array_equal(model.set_params(n_jobs=3).contributions(X).values, alone)


@pytest.mark.parametrize("learner", [ObliqueTreeClassifier(), ObliqueTreeRegressor()], ids=repr)
def test_oblique_trees_refuse(learner):
    X = np.arange(12.0).reshape(6, 2)
    model = learner.fit(X, [0, 0, 0, 1, 1, 1])
    with pytest.raises(TypeError, match=r"questions are about several columns at once: use a DecisionTree"):
        model.contributions(X)


def test_rows_need_the_columns_of_the_fit():
    X, score = mixed()
    with pytest.raises(ValueError, match="feature names"):
        DecisionTreeRegressor().fit(X, score).contributions(X[["size", "city"]])

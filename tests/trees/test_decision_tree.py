"""Decision trees against scikit-learn's, and each of their parameters."""

from __future__ import annotations

import numpy as np
import pandas as pd
import polars as pl
import pytest
from sklearn.datasets import load_breast_cancer, load_diabetes, load_wine, make_classification
from sklearn.tree import DecisionTreeClassifier as TheirClassifier
from sklearn.tree import DecisionTreeRegressor as TheirRegressor

from hornbook import DecisionTreeClassifier, DecisionTreeRegressor, Frame, datasets


def noisy(n=600, d=6, seed=0):
    draw = np.random.default_rng(seed)
    X = draw.normal(size=(n, d))
    return X, (X[:, 0] + X[:, 1] * X[:, 2] + 0.5 * draw.normal(size=n) > 0).astype(int)


def uneven(n):
    """Weights that make no two gains equal."""
    return np.random.default_rng(7).uniform(0.5, 1.5, n)


@pytest.mark.parametrize("criterion", ["gini", "entropy"])
@pytest.mark.parametrize("load", [load_wine, load_breast_cancer])
@pytest.mark.parametrize(
    "setting", [{}, {"max_depth": 3}, {"min_samples_leaf": 7}, {"min_samples_split": 0.2}]
)
def test_same_training_answers_as_scikit_learn(load, criterion, setting):
    X, y = load(return_X_y=True)
    ours = DecisionTreeClassifier(criterion=criterion, **setting).fit(X, y)
    theirs = TheirClassifier(criterion=criterion, random_state=0, **setting).fit(X, y)
    assert ours.nodes_.impurity[0] == pytest.approx(theirs.tree_.impurity[0])
    # The root has one best split, or ties that leave the same impurity.
    left = ours.nodes_.children(0)
    mass = sum(ours.nodes_.weight[c] * ours.nodes_.impurity[c] for c in left)
    t = theirs.tree_
    children = (t.children_left[0], t.children_right[0])
    assert mass == pytest.approx(sum(t.weighted_n_node_samples[c] * t.impurity[c] for c in children))
    if not setting:
        assert ours.score(X, y) == theirs.score(X, y) == 1.0


def test_same_tree_as_scikit_learn_where_no_gains_are_equal():
    X, y = noisy(400)
    w = uneven(400)
    ours = DecisionTreeClassifier(min_samples_leaf=15).fit(X, y, w)
    theirs = TheirClassifier(min_samples_leaf=15, random_state=0).fit(X, y, w)
    np.testing.assert_allclose(ours.predict_proba(X), theirs.predict_proba(X))
    np.testing.assert_allclose(ours.feature_importances_, theirs.feature_importances_)
    np.testing.assert_allclose(
        np.sort(ours.nodes_.threshold[~ours.nodes_.is_leaf]),
        np.sort(theirs.tree_.threshold[theirs.tree_.feature >= 0]),
        rtol=1e-6,  # they round the data to float32
        atol=1e-6,
    )
    assert (ours.get_depth(), ours.get_n_leaves()) == (theirs.get_depth(), theirs.get_n_leaves())


@pytest.mark.parametrize("criterion", ["squared_error", "absolute_error"])
@pytest.mark.parametrize("setting", [{"max_depth": 4}, {"min_samples_leaf": 10}, {"max_leaf_nodes": 12}])
def test_same_numbers_as_scikit_learn(criterion, setting):
    X, y = load_diabetes(return_X_y=True)
    ours = DecisionTreeRegressor(criterion=criterion, **setting).fit(X, y)
    theirs = TheirRegressor(criterion=criterion, random_state=0, **setting).fit(X, y)
    loss = {
        "squared_error": lambda a, b: ((a - b) ** 2).mean(),
        "absolute_error": lambda a, b: abs(a - b).mean(),
    }
    losses = loss[criterion](y, ours.predict(X)), loss[criterion](y, theirs.predict(X))
    assert losses[0] == pytest.approx(losses[1], rel=0.02 if criterion == "absolute_error" else 1e-9)


def test_missing_values_go_where_scikit_learn_sends_them():
    X, y = noisy(500)
    X[np.random.default_rng(1).random(X.shape) < 0.2] = np.nan
    w = uneven(500)
    ours = DecisionTreeClassifier(max_depth=4).fit(X, y, w)
    theirs = TheirClassifier(max_depth=4, random_state=0).fit(X, y, w)
    np.testing.assert_allclose(ours.predict_proba(X), theirs.predict_proba(X))


def test_cost_complexity_path_and_pruning_agree_with_scikit_learn():
    X, y = noisy(300)
    w = uneven(300)
    ours = DecisionTreeClassifier().cost_complexity_pruning_path(X, y, w)
    theirs = TheirClassifier(random_state=0).cost_complexity_pruning_path(X, y, w)
    some = theirs.ccp_alphas > 1e-12  # they list cuts that cost nothing one by one, up to rounding
    np.testing.assert_allclose(ours.ccp_alphas[1:], theirs.ccp_alphas[some], atol=1e-12)
    np.testing.assert_allclose(ours.impurities[1:], theirs.impurities[some], atol=1e-12)
    for alpha in ours.ccp_alphas[1::5]:
        mine = DecisionTreeClassifier(ccp_alpha=alpha * 1.0001).fit(X, y, w)
        their = TheirClassifier(ccp_alpha=alpha * 1.0001, random_state=0).fit(X, y, w)
        assert mine.get_n_leaves() == their.get_n_leaves()
        np.testing.assert_allclose(mine.predict_proba(X), their.predict_proba(X))


def test_class_weights_multiply_the_weights_of_rows():
    X, y = noisy(300)
    w = np.where(y == 1, 3.0, 1.0)
    by_class = DecisionTreeClassifier(class_weight={1: 3.0}, max_depth=3).fit(X, y)
    by_row = DecisionTreeClassifier(max_depth=3).fit(X, y, sample_weight=w)
    np.testing.assert_array_equal(by_class.nodes_.value, by_row.nodes_.value)
    balanced = DecisionTreeClassifier(class_weight="balanced", max_depth=3).fit(
        X[y.cumsum() < 60], y[y.cumsum() < 60]
    )
    assert balanced.nodes_.value[0, 0] == pytest.approx(balanced.nodes_.value[0, 1])


def test_whole_weights_equal_repeated_rows_exactly():
    X, y = noisy(200)
    w = np.arange(200) % 4
    one = DecisionTreeClassifier().fit(X, y, sample_weight=w)
    other = DecisionTreeClassifier().fit(np.repeat(X, w, axis=0), np.repeat(y, w))
    np.testing.assert_array_equal(one.nodes_.threshold, other.nodes_.threshold)
    np.testing.assert_array_equal(one.nodes_.value, other.nodes_.value)


def test_bins_change_little():
    X, y = noisy(3000)
    exact, binned = (DecisionTreeClassifier(max_depth=6, max_bins=b).fit(X, y) for b in (None, 64))
    assert abs(exact.score(X, y) - binned.score(X, y)) < 0.02
    cuts = binned.nodes_.threshold[(binned.nodes_.feature == 0)]
    assert len(np.unique(cuts)) <= 63


def test_draws_of_columns_follow_the_seed():
    X, y = noisy()
    models = [DecisionTreeClassifier(max_features="sqrt", random_state=s).fit(X, y) for s in (1, 1, 2)]
    np.testing.assert_array_equal(models[0].nodes_.threshold, models[1].nodes_.threshold)
    assert not np.array_equal(models[0].nodes_.threshold, models[2].nodes_.threshold)


@pytest.mark.parametrize(("most", "expected"), [(2, 2), (0.5, 3), ("sqrt", 2), ("log2", 2), (None, 6)])
def test_max_features_counts_columns(most, expected):
    from hornbook.trees._settings import feature_count

    assert feature_count(most, Frame(np.zeros((1, 6))).schema, "Tree") == expected


def test_leaves_by_size_purity_and_gain():
    X, y = noisy()
    small = DecisionTreeClassifier(leaf_size=40).fit(X, y).nodes_
    assert (small.weight[~small.is_leaf] > 40).all()
    pure = DecisionTreeClassifier(purity=0.8).fit(X, y).nodes_
    share = pure.value.max(axis=1) / pure.weight
    assert (share[~pure.is_leaf] < 0.8).all()
    gaining = DecisionTreeClassifier(min_gain=0.05).fit(X, y).nodes_
    assert (gaining.gain[~gaining.is_leaf] >= 0.05).all()
    assert len(gaining) < len(DecisionTreeClassifier().fit(X, y).nodes_)


def test_exclusive_or_is_split_without_gain_unless_gain_is_asked_for():
    frame = datasets.boolean("xor")
    assert DecisionTreeClassifier().fit(frame).score(frame, frame.y) == 1.0
    assert DecisionTreeClassifier(min_gain=0.0).fit(frame).get_n_leaves() == 1


def test_decrease_is_weighted_by_the_share_of_rows():
    X, y = noisy()
    ours = DecisionTreeClassifier(min_impurity_decrease=0.01).fit(X, y)
    theirs = TheirClassifier(min_impurity_decrease=0.01, random_state=0).fit(X, y)
    assert ours.get_n_leaves() == theirs.get_n_leaves()
    light = DecisionTreeClassifier(min_weight_fraction_leaf=0.1).fit(X, y).nodes_
    assert light.weight.min() >= 60


def test_marked_numbers_are_categories():
    draw = np.random.default_rng(0)
    X = np.column_stack([draw.integers(0, 8, 400), draw.normal(size=400)])
    y = np.isin(X[:, 0], [1, 4, 6]).astype(int)
    model = DecisionTreeClassifier(categorical_features=[0]).fit(X, y)
    assert model.get_n_leaves() == 2
    assert model.score(X, y) == 1.0
    marked = DecisionTreeClassifier(categorical_features=[True, False]).fit(X, y)
    np.testing.assert_array_equal(marked.nodes_.levels, model.nodes_.levels)
    with pytest.raises(ValueError, match="got 3 marks: pass one for each column"):
        DecisionTreeClassifier(categorical_features=[True, False, True]).fit(X, y)


def test_frames_of_all_makes_give_one_tree():
    frame = datasets.watermelon("3.0")
    table = frame.features.to_polars()
    trees = [
        DecisionTreeClassifier().fit(data, frame.y).nodes_
        for data in (frame.features, table, pd.DataFrame(table.to_dict(as_series=False)), pl.DataFrame(table))
    ]
    for tree in trees[1:]:
        np.testing.assert_array_equal(tree.value, trees[0].value)


def test_refused_settings():
    X, y = noisy(20)
    with pytest.raises(ValueError, match="max_features' is 7, but the table has 6 columns"):
        DecisionTreeClassifier(max_features=7).fit(X, y)
    with pytest.raises(ValueError, match="two branches.*choose splits='binary' or another criterion"):
        DecisionTreeClassifier(criterion="cart", splits="multiway").fit(X, y)
    with pytest.raises(ValueError, match="'min_samples_split' is 1, but one row cannot be split"):
        DecisionTreeClassifier(min_samples_split=1).fit(X, y)
    with pytest.raises(ValueError, match="subset_size=2 limits sets of levels.*leave subset_size out"):
        DecisionTreeClassifier(subset_size=2, splits="multiway").fit(X, y)
    with pytest.raises(ValueError, match="NaN"):
        DecisionTreeRegressor().fit(X, np.where(y == 1, np.nan, 1.0))
    with pytest.raises(ValueError, match="criterion"):
        DecisionTreeClassifier(criterion="squared_error").fit(X, y)


def test_gain_ratio_of_c45_does_not_lose_numbers_to_slivers():
    """The plain ratio likes cuts that take a row or two off; the rule of C4.5 does not."""
    X, y = make_classification(400, 10, n_informative=5, n_classes=3, random_state=1)
    scores = {}
    for criterion in ("entropy", "gain_ratio", "raw_gain_ratio"):
        model = DecisionTreeClassifier(criterion=criterion)
        scores[criterion] = np.mean(
            [model.fit(X[k::2], y[k::2]).score(X[1 - k :: 2], y[1 - k :: 2]) for k in (0, 1)]
        )
    assert scores["gain_ratio"] > scores["raw_gain_ratio"] + 0.05
    assert scores["gain_ratio"] > scores["entropy"] - 0.05


def test_gain_ratio_does_not_depend_on_the_unit_of_weights_that_are_not_whole():
    X, y = make_classification(200, 5, random_state=0)
    w = np.random.default_rng(0).uniform(0.5, 1.5, 200)
    model = DecisionTreeClassifier(criterion="gain_ratio")
    trees = [model.fit(X, y, sample_weight=unit * w).nodes_ for unit in (1.0, 1 / 512, 4096.0)]
    assert len(trees[0]) > 5
    for tree in trees[1:]:
        np.testing.assert_array_equal(tree.feature, trees[0].feature)
        np.testing.assert_array_equal(tree.threshold, trees[0].threshold)
    equal = model.fit(X, y, sample_weight=np.full(200, 1 / 200)).nodes_
    np.testing.assert_array_equal(equal.threshold, model.fit(X, y).nodes_.threshold)


def test_sets_have_no_more_levels_than_there_are():
    """A limit far above the number of levels is none, and takes no memory."""
    draws = np.random.default_rng(3)
    level = draws.integers(0, 5, 200)
    X = Frame({"level": np.array(list("abcde"))[level]})
    y = np.where(draws.random(200) < 0.9, level % 3, 0)
    trees = [DecisionTreeClassifier(subset_size=size).fit(X, y) for size in (5, 2**31 - 1)]
    assert str(trees[0].describe()) == str(trees[1].describe())

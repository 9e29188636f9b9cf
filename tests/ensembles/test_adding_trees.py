"""Trees added to a forest, cut back, weighed by their samples, and grown once more alone."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from sklearn.datasets import load_breast_cancer, load_wine
from sklearn.ensemble import RandomForestClassifier as PeerForest
from sklearn.ensemble import RandomForestRegressor as PeerRegressor

import hornbook
from hornbook import (
    DecisionTreeClassifier,
    DecisionTreeRegressor,
    ExtraTreesClassifier,
    RandomForestClassifier,
    RandomForestRegressor,
    TotallyRandomTreesRegressor,
    datasets,
)


def table(n=200, seed=0):
    """Numbers with holes and a category; the class is rare."""
    draw = np.random.default_rng(seed)
    size = draw.normal(size=n)
    city = draw.integers(0, 5, n)
    X = pd.DataFrame({"size": size, "city": np.array(list("abcde"))[city], "noise": draw.normal(size=n)})
    X.loc[::11, "size"] = np.nan
    return X, np.where(np.nan_to_num(size) + (city == 2) + 0.5 * draw.normal(size=n) > 1.2, "yes", "no")


def assert_same_forest(one, other):
    for name, array in vars(one.forest_).items():
        np.testing.assert_array_equal(array, vars(other.forest_)[name], err_msg=name)
    assert one.seed_ == other.seed_
    np.testing.assert_allclose(one.feature_importances_, other.feature_importances_, rtol=1e-12)


@pytest.mark.parametrize(
    "made",
    [
        {"oob_score": True},
        {"vote": "hard", "missing": "fractional"},
        {"splits": "multiway", "subspace": "tree"},
        {"class_weight": "balanced_subsample", "ccp_alpha": 0.005},
        {"bootstrap": False, "split": "top_k"},
        {"split": "proportional", "max_random_splits": 3},
    ],
)
def test_trees_added_later_are_those_of_one_fit(made):
    X, y = table()
    at_once = RandomForestClassifier(50, random_state=3, **made).fit(X, y)
    step_by_step = RandomForestClassifier(7, random_state=3, warm_start=True, **made).fit(X, y)
    step_by_step.set_params(n_estimators=40).fit(X, y).set_params(n_estimators=50).fit(X, y)
    assert_same_forest(step_by_step, at_once)
    if "oob_score" in made:
        np.testing.assert_array_equal(step_by_step.oob_errors_, at_once.oob_errors_)
        np.testing.assert_array_equal(step_by_step.oob_decision_function_, at_once.oob_decision_function_)
        assert step_by_step.oob_correlation_ == at_once.oob_correlation_
        assert step_by_step.history_ == at_once.history_


def test_a_forest_from_a_file_can_grow_on(tmp_path):
    X, y = table()
    first = ExtraTreesClassifier(5, warm_start=True).fit(X, y)  # a fresh seed, which is kept
    hornbook.save(first, tmp_path / "forest.hornbook")
    more = hornbook.load(tmp_path / "forest.hornbook").set_params(n_estimators=12).fit(X, y)
    assert_same_forest(more, ExtraTreesClassifier(12, random_state=first.seed_).fit(X, y))


def test_a_stable_forest_does_not_grow_on():
    X, y = load_breast_cancer(return_X_y=True)
    made = {"stop_when_stable": 10, "stable_tol": 0.01, "random_state": 0}
    model = RandomForestClassifier(200, warm_start=True, **made).fit(X, y)
    n_trees = len(model.forest_)
    assert n_trees < 200
    assert len(model.set_params(n_estimators=300).fit(X, y).forest_) == n_trees


def test_without_warm_start_a_fit_begins_anew():
    X, y = table()
    model = RandomForestClassifier(5, random_state=0).fit(X, y).set_params(n_estimators=3).fit(X, y)
    assert len(model.forest_) == 3


def test_what_cannot_be_added_is_said():
    X, y = table()
    model = RandomForestClassifier(5, warm_start=True).fit(X, y)
    with pytest.raises(ValueError, match="'n_estimators' is 4, but warm_start=True and there are 5 trees"):
        model.set_params(n_estimators=4).fit(X, y)
    assert len(model.forest_) == 5
    with pytest.raises(ValueError, match="columns, classes or number of rows have changed"):
        model.set_params(n_estimators=6).fit(X[:100], y[:100])
    with pytest.raises(ValueError, match="columns, classes or number of rows have changed"):
        model.fit(X, np.where(y == "yes", "perhaps", y))


def test_trees_are_cut_back():
    X, y = load_breast_cancer(return_X_y=True)
    for ours, theirs, target in (
        (RandomForestClassifier, PeerForest, y),
        (RandomForestRegressor, PeerRegressor, X[:, 0]),
    ):
        alpha = 0.03 * target.var()
        sizes = [ours(30, ccp_alpha=a, random_state=0).fit(X, target).forest_.n_leaves for a in (0.0, alpha)]
        peer = theirs(30, ccp_alpha=alpha, random_state=0).fit(X, target).estimators_
        assert sizes[1].max() < sizes[0].min()
        assert sizes[1].mean() == pytest.approx(np.mean([tree.get_n_leaves() for tree in peer]), rel=0.1)
    one = RandomForestClassifier(1, bootstrap=False, max_features=None, ccp_alpha=0.01).fit(X, y)
    alone = DecisionTreeClassifier(ccp_alpha=0.01).fit(X, y)
    np.testing.assert_array_equal(one.predict_proba(X), alone.predict_proba(X))


@pytest.mark.parametrize("n_jobs", [1, 2])
def test_classes_weigh_the_same_in_each_sample(n_jobs):
    X, y = load_breast_cancer(return_X_y=True)
    keep = np.flatnonzero((y == 1) | (np.arange(len(y)) % 7 == 0))
    X, y = X[keep], y[keep]
    made = {"class_weight": "balanced_subsample", "random_state": 1}
    model = RandomForestClassifier(8, n_jobs=n_jobs, **made).fit(X, y)
    for t in range(8):
        root = model.tree(t, X, y).nodes_
        assert root.value[0] == pytest.approx([root.weight[0] / 2] * 2)
        assert root.weight[0] == pytest.approx(len(y))
    assert_same_forest(model, RandomForestClassifier(8, n_jobs=2, **made).fit(X, y))
    drawn = RandomForestClassifier(8, class_weight="balanced", random_state=1).fit(X, y).tree(0, X, y).nodes_
    assert abs(drawn.value[0, 0] / drawn.weight[0] - 0.5) > 1e-3
    whole = [
        RandomForestClassifier(3, bootstrap=False, class_weight=weight, random_state=1).fit(X, y)
        for weight in ("balanced", "balanced_subsample")
    ]
    assert_same_forest(*whole)


@pytest.mark.parametrize("split", ["best", "top_k"])
def test_a_tree_can_be_taken_out_and_drawn(split):
    X, y = table()
    bound = None if split == "best" else 2
    model = RandomForestClassifier(6, split=split, max_random_splits=bound, random_state=5).fit(X, y)
    answers = model.tree_answers(X)
    assert answers.shape == (6, 200, 2)
    np.testing.assert_allclose(answers.mean(axis=0), model.predict_proba(X), atol=1e-12)
    for t in range(6):
        tree = model.tree(t, X, y)
        assert isinstance(tree, DecisionTreeClassifier)
        np.testing.assert_allclose(tree.predict_proba(X), answers[t], atol=1e-12)
        np.testing.assert_array_equal(tree.apply(X), model.apply(X)[:, t])
        assert tree.get_n_leaves() == model.forest_.n_leaves[t]
    assert str(tree.rules()).startswith("if ")
    assert len(tree.plot().texts) > 3
    assert tree.working(X[:1]).to_dict()["prediction"] == tree.predict(X[:1])[0]


def test_a_tree_of_numbers_can_be_taken_out():
    X = load_wine().data
    model = TotallyRandomTreesRegressor(3, max_depth=4, random_state=0).fit(X, X[:, 0])
    tree = model.tree(2, X, X[:, 0])
    assert isinstance(tree, DecisionTreeRegressor)
    assert tree.get_depth() == 4
    np.testing.assert_allclose(tree.predict(X), model.tree_answers(X)[2], rtol=1e-12)


def test_trees_that_ask_for_no_category_are_found_among_others():
    X, y = table()
    model = RandomForestClassifier(30, max_depth=1, max_features=1, random_state=0).fit(X, y)
    columns = [model.tree(t, X, y).nodes_.feature[0] for t in range(30)]
    assert columns == model.forest_.feature[model.forest_.roots].tolist()
    assert set(columns) == {0, 1, 2}
    assert model.importance(X, y, kind="impurity").values.max() == 100.0


def test_trees_of_other_rows_are_refused():
    X, y = table()
    model = RandomForestClassifier(3, random_state=0).fit(X, y)
    with pytest.raises(ValueError, match="tree 1 cannot be grown again"):
        model.tree(1, X[::-1], y[::-1])
    with pytest.raises(ValueError, match="tree needs the 200 training rows, but X has 10"):
        model.tree(0, X[:10], y[:10])
    with pytest.raises(ValueError, match="there is no tree 3: the forest has trees 0 to 2"):
        model.tree(3, X, y)
    with pytest.raises(ValueError, match="there is no tree 'first': the forest has trees 0 to 2"):
        model.tree("first", X, y)


def test_errors_of_the_first_trees():
    flowers = datasets.iris()
    model = RandomForestClassifier(12, oob_score=True, vote="hard", random_state=0).fit(flowers)
    np.testing.assert_array_equal(model.staged_errors(flowers, oob=True), model.oob_errors_)
    few = RandomForestClassifier(5, vote="hard", random_state=0).fit(flowers)
    assert model.staged_errors(flowers)[4] == pytest.approx(np.mean(few.predict(flowers) != flowers.y))
    # Rows that the first tree has seen are taken for the first class, a third of them rightly.
    every = model.staged_errors(flowers, oob=True, unvoted="first")
    one = RandomForestClassifier(1, oob_score=True, random_state=0).fit(flowers)
    seen = np.isnan(one.oob_decision_function_)
    first = np.asarray(flowers.y) == model.classes_[0]
    wrong = (seen[:, 0] & ~first).sum() + model.oob_errors_[0] * (~seen[:, 0]).sum()
    assert every[0] == pytest.approx(wrong / 150)
    assert every[-1] >= model.oob_errors_[-1]


def test_errors_of_numbers_are_squared():
    X, y = load_wine(return_X_y=True)
    w = np.arange(len(y)) % 3
    model = RandomForestRegressor(6, oob_score=True, random_state=0).fit(X, y, sample_weight=w)
    errors = model.staged_errors(X, y, sample_weight=w)
    assert errors[-1] == pytest.approx(np.average((model.predict(X) - y) ** 2, weights=w))
    np.testing.assert_array_equal(model.staged_errors(X, y, sample_weight=w, oob=True), model.oob_errors_)


def test_wrong_questions_about_errors():
    X, y = load_wine(return_X_y=True)
    with pytest.raises(ValueError, match="bootstrap=False, so every tree has seen every row"):
        ExtraTreesClassifier(3).fit(X, y).staged_errors(X, y, oob=True)
    model = RandomForestClassifier(3).fit(X, y)
    with pytest.raises(ValueError, match="'unvoted' must be 'skip' or 'first'; got 'last'"):
        model.staged_errors(X, y, oob=True, unvoted="last")
    with pytest.raises(ValueError, match="unvoted='first' applies to out-of-bag classes"):
        RandomForestRegressor(3).fit(X, y).staged_errors(X, y, oob=True, unvoted="first")

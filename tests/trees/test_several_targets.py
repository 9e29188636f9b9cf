"""Trees and forests for several targets at once: gains by the oracle, whole trees beside scikit-learn's."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.sparse import csr_matrix
from sklearn.base import clone
from sklearn.tree import DecisionTreeClassifier as PeerClassifier
from sklearn.tree import DecisionTreeRegressor as PeerRegressor
from tests.oracles.several_targets import best_gain

import hornbook
from hornbook import (
    DecisionTreeClassifier,
    DecisionTreeRegressor,
    ExtraTreesRegressor,
    RandomForestClassifier,
    RandomForestRegressor,
)

N = 200
RNG = np.random.default_rng(0)
X = RNG.normal(size=(N, 4))
NUMBERS = np.column_stack([2 * X[:, 0] + RNG.normal(size=N), X[:, 1] ** 2])
COUNTS = RNG.poisson(np.exp(X[:, :2] / 2)).astype(float)
CLASSES = np.column_stack([(X[:, 0] > 0).astype(int) + (X[:, 1] > 1), X[:, 2] > 0.3])
FLIPPED = RNG.random(N) < 0.1
CLASSES[FLIPPED, 0] = RNG.integers(0, 3, FLIPPED.sum())
WEIGHTS = RNG.integers(1, 4, N).astype(float)


@given(
    st.sampled_from(["gini", "entropy", "squared_error", "absolute_error", "poisson"]),
    st.integers(0, 2**32 - 1),
)
@settings(deadline=None, max_examples=60)
def test_the_gain_of_the_root_is_that_of_the_oracle(criterion, seed):
    rng = np.random.default_rng(seed)
    x, w = rng.integers(0, 6, 12).astype(float), rng.integers(1, 4, 12).astype(float)
    y = rng.integers(0, 3, (12, 3)).astype(float)
    kind = DecisionTreeClassifier if criterion in ("gini", "entropy") else DecisionTreeRegressor
    y[0] = 1  # counts that are all 0 are refused
    tree = kind(criterion=criterion, max_depth=1).fit(x[:, None], y, w).nodes_
    expected = best_gain(x, y, w, criterion)
    if len(tree) == 1:
        assert expected < 1e-9
    else:
        assert tree.gain[0] == pytest.approx(expected, abs=1e-9)


@pytest.mark.parametrize("criterion", ["gini", "entropy"])
@pytest.mark.parametrize("weights", [None, WEIGHTS])
def test_trees_for_classes_are_those_of_scikit_learn(criterion, weights):
    ours = DecisionTreeClassifier(criterion=criterion, max_depth=4).fit(X, CLASSES, weights)
    peer = PeerClassifier(criterion=criterion, max_depth=4, random_state=0).fit(X, CLASSES, weights)
    for one, two in zip(ours.predict_proba(X), peer.predict_proba(X), strict=True):
        np.testing.assert_allclose(one, two, atol=1e-12)
    np.testing.assert_array_equal(ours.predict(X), peer.predict(X))
    np.testing.assert_allclose(ours.tree_.value[0], peer.tree_.value[0])
    np.testing.assert_allclose(ours.tree_.impurity[0], peer.tree_.impurity[0])
    assert ours.n_classes_ == peer.n_classes_.tolist()
    assert ours.n_outputs_ == 2


@pytest.mark.parametrize(
    ("criterion", "y"), [("squared_error", NUMBERS), ("absolute_error", NUMBERS), ("poisson", COUNTS)]
)
def test_trees_for_numbers_are_those_of_scikit_learn(criterion, y):
    ours = DecisionTreeRegressor(criterion=criterion, max_depth=4).fit(X, y)
    peer = PeerRegressor(criterion=criterion, max_depth=4, random_state=0).fit(X, y)
    np.testing.assert_allclose(ours.predict(X), peer.predict(X), atol=1e-12)
    np.testing.assert_allclose(ours.tree_.impurity[0], peer.tree_.impurity[0])


def test_class_weights_of_targets_are_multiplied():
    chosen = [{0: 1.0, 1: 2.0, 2: 3.0}, {0: 1.0, 1: 5.0}]
    for weight in (chosen, "balanced"):
        ours = DecisionTreeClassifier(max_depth=3, class_weight=weight).fit(X, CLASSES)
        peer = PeerClassifier(max_depth=3, class_weight=weight, random_state=0).fit(X, CLASSES)
        for one, two in zip(ours.predict_proba(X), peer.predict_proba(X), strict=True):
            np.testing.assert_allclose(one, two, atol=1e-12)


def test_sparse_rows_get_the_same_probabilities():
    sparse = csr_matrix(np.where(np.abs(X) < 0.5, 0.0, X))
    for learner in (DecisionTreeClassifier(max_depth=3), RandomForestClassifier(3, random_state=0)):
        model = learner.fit(sparse, CLASSES)
        for method in ("predict_proba", "predict_log_proba"):
            thin, dense = getattr(model, method)(sparse), getattr(model, method)(sparse.toarray())
            assert len(thin) == 2
            for one, two in zip(thin, dense, strict=True):
                np.testing.assert_array_equal(one, two)
        np.testing.assert_array_equal(model.predict(sparse), model.predict(sparse.toarray()))


def test_one_column_is_one_target():
    model = DecisionTreeRegressor().fit(X, NUMBERS[:, :1])
    assert model.n_outputs_ == 1
    assert model.predict(X).shape == (N,)


def test_categories_and_missing_cells_go_in_as_they_are():
    kinds = RNG.integers(0, 6, N)
    table = pd.DataFrame({"number": X[:, 0], "kind": pd.Categorical(np.array(list("uvwxyz"))[kinds])})
    table.loc[::7, "number"] = np.nan
    y = np.column_stack([np.array(["p", "q", "r"])[kinds % 3], np.where(kinds % 2, "odd", "even")])
    for settings_ in ({}, {"splits": "multiway", "missing": "fractional"}):
        tree = DecisionTreeClassifier(**settings_).fit(table, y)
        assert (tree.predict(table) == y).all()
        assert "p, even" in str(tree.rules())


@pytest.mark.parametrize(
    ("learner", "y"),
    [
        (DecisionTreeClassifier(max_depth=3), CLASSES),
        (DecisionTreeRegressor(max_depth=3), NUMBERS),
        (RandomForestClassifier(7, random_state=0), CLASSES),
        (RandomForestRegressor(7, random_state=0), NUMBERS),
    ],
)
def test_working_adds_up_and_files_keep_the_predictions(learner, y, tmp_path):
    model = clone(learner).fit(X, y)
    working = model.working(X[0])
    if y is NUMBERS:
        np.testing.assert_allclose(working.scores, model.predict(X[:1])[0])
    else:
        scores = np.array(working.scores) / (len(model) if hasattr(model, "forest_") else 1)
        np.testing.assert_allclose(scores, np.hstack(model.predict_proba(X[:1]))[0], atol=1e-12)
    shares = model.contributions(X[:5])
    whole = model.predict(X[:5]) if y is NUMBERS else np.hstack(model.predict_proba(X[:5]))
    np.testing.assert_allclose(shares.values.sum(axis=1) + shares.base, whole, atol=1e-12)
    assert str(model.describe())
    model.plot(X, y)
    hornbook.save(model, tmp_path / "model.hornbook")
    again = hornbook.load(tmp_path / "model.hornbook")
    np.testing.assert_array_equal(again.predict(X), model.predict(X))


def test_a_forest_is_the_mean_of_its_trees():
    forest = RandomForestClassifier(9, random_state=0).fit(X, CLASSES)
    trees = [np.hstack(tree.predict_proba(X)) for tree in forest]
    np.testing.assert_allclose(np.mean(trees, axis=0), np.hstack(forest.predict_proba(X)))
    np.testing.assert_allclose(
        np.log(np.hstack(forest.predict_proba(X[:2])) + 1e-300),
        np.maximum(np.hstack(forest.predict_log_proba(X[:2])), np.log(1e-300)),
    )
    numbers = ExtraTreesRegressor(9, random_state=0).fit(X, NUMBERS)
    np.testing.assert_allclose(numbers.tree_answers(X).mean(axis=0), numbers.predict(X))
    assert numbers.score(X, NUMBERS) > 0.9


def test_threads_do_not_change_a_forest():
    one, two = (RandomForestClassifier(9, random_state=0, n_jobs=n).fit(X, CLASSES) for n in (1, 2))
    np.testing.assert_array_equal(np.hstack(one.predict_proba(X)), np.hstack(two.predict_proba(X)))


def test_rows_not_drawn_score_a_forest():
    forest = RandomForestClassifier(60, random_state=0, oob_score=True).fit(X, CLASSES)
    shares = forest.oob_decision_function_
    assert shares.shape == (N, 3, 2)
    np.testing.assert_allclose(shares.sum(axis=1), 1.0)
    assert forest.oob_score_ == pytest.approx((shares.argmax(axis=1) == CLASSES).all(axis=1).mean())
    numbers = RandomForestRegressor(60, random_state=0, oob_score=True).fit(X, NUMBERS)
    errors = ((numbers.oob_prediction_ - NUMBERS) ** 2).mean(axis=0) / NUMBERS.var(axis=0)
    assert numbers.oob_score_ == pytest.approx(1 - errors.mean())


def test_a_warm_start_goes_on_with_the_same_targets():
    forest = RandomForestClassifier(4, random_state=0, warm_start=True).fit(X, CLASSES)
    longer = clone(forest).set_params(n_estimators=8).fit(X, CLASSES)
    forest.set_params(n_estimators=8).fit(X, CLASSES)
    np.testing.assert_array_equal(np.hstack(forest.predict_proba(X)), np.hstack(longer.predict_proba(X)))
    with pytest.raises(ValueError, match="have changed"):
        forest.set_params(n_estimators=9).fit(X, CLASSES[:, 0])


def test_each_tree_draws_the_rows_that_it_names():
    forest = RandomForestRegressor(3, random_state=0, max_features=1.0).fit(X, NUMBERS, WEIGHTS)
    for tree, rows in zip(forest, forest.estimators_samples_, strict=True):
        assert len(rows) == N
        assert tree.nodes_.weight[0] == N
        np.testing.assert_allclose(tree.nodes_.value[0], NUMBERS[rows].mean(axis=0))


@pytest.mark.parametrize(
    ("parameters", "sentence"),
    [
        ({"criterion": "gain_ratio"}, "is for one target, and y has several: choose one of"),
        ({"monotonic_cst": [1, 0, 0, 0]}, "'monotonic_cst' is for one target"),
        ({"pruning": "pessimistic"}, "is for one target, and y has several: set ccp_alpha"),
        ({"class_weight": {0: 2.0}}, "is one dict, but there are 2 targets"),
        ({"class_weight": [{0: 2.0}]}, "has 1 items for 2 targets"),
    ],
)
def test_what_is_for_one_target_is_refused(parameters, sentence):
    with pytest.raises(ValueError, match=sentence):
        DecisionTreeClassifier(**parameters).fit(X, CLASSES)


def test_votes_are_for_one_target():
    with pytest.raises(ValueError, match="vote='hard' is for one target"):
        RandomForestClassifier(3, vote="hard").fit(X, CLASSES)
    assert not RandomForestClassifier(vote="hard").__sklearn_tags__().target_tags.multi_output


def test_methods_for_one_target_say_so():
    tree = DecisionTreeClassifier(max_depth=2).fit(X, CLASSES)
    forest = RandomForestClassifier(3, random_state=0).fit(X, CLASSES)
    with pytest.raises(ValueError, match="split_table is for one target"):
        tree.split_table(0, X, CLASSES)
    with pytest.raises(ValueError, match="prune is for one target"):
        tree.prune(X, CLASSES)
    for method in (forest.margins, forest.outliers, forest.impute):
        with pytest.raises(ValueError, match="is for one target"):
            method(X, CLASSES)
    with pytest.raises(ValueError, match="a list, which is for several targets"):
        DecisionTreeClassifier(class_weight=[{0: 1.0}]).fit(X, CLASSES[:, 0])

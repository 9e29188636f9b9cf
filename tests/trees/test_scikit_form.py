"""``tree_`` and ``decision_path``: fitted trees in the form that clients of scikit-learn read."""

from __future__ import annotations

import pickle

import numpy as np
import pytest
from sklearn.inspection import partial_dependence
from sklearn.tree import DecisionTreeClassifier as PeerTree
from sklearn.tree import export_text

from hornbook import DecisionTreeClassifier, DecisionTreeRegressor, datasets
from hornbook import sklearn as drop_in
from hornbook.sklearn import DecisionTreeClassifier as TakenTree
from hornbook.sklearn import DecisionTreeRegressor as TakenRegressor

IRIS = datasets.iris()
X, Y = IRIS.features.matrix, IRIS.y
NUMBERS = X[:, 3]


@pytest.fixture(scope="module")
def gaps():
    table = X.copy()
    table[np.random.default_rng(0).random(X.shape) < 0.2] = np.nan
    return table


def test_arrays_are_those_of_the_nodes():
    model = DecisionTreeClassifier(max_depth=3).fit(X, Y)
    tree, nodes = model.tree_, model.nodes_
    inner = ~nodes.is_leaf
    assert tree.node_count == len(nodes)
    assert tree.max_depth == model.get_depth()
    assert tree.n_leaves == model.get_n_leaves()
    assert (tree.children_left[inner] == nodes.first_child[inner]).all()
    assert (tree.children_right[inner] == nodes.first_child[inner] + 1).all()
    assert set(tree.children_left[~inner]) == {-1}
    assert set(tree.feature[~inner]) == {-2}
    assert (tree.n_node_samples == nodes.n_rows).all()
    assert (tree.impurity == nodes.impurity).all()
    assert tree.value.shape == (len(nodes), 1, 3)
    np.testing.assert_allclose(tree.value.sum(axis=2), 1.0)
    np.testing.assert_allclose(tree.compute_feature_importances(), model.feature_importances_, atol=1e-15)


@pytest.mark.parametrize("learner", [DecisionTreeClassifier, DecisionTreeRegressor])
def test_arrays_answer_as_the_learner_does(learner, gaps):
    classes = learner is DecisionTreeClassifier
    rows = gaps.astype(np.float32)
    model = learner().fit(
        rows.astype(np.float64), Y if classes else NUMBERS
    )  # scikit-learn's rows are float32
    answers = model.tree_.predict(rows).reshape(len(rows), -1)
    ours = model.predict_proba(rows) if classes else model.predict(rows)[:, None]
    np.testing.assert_allclose(answers, ours, atol=1e-12)
    assert (model.tree_.apply(rows) == model.apply(rows)).all()
    assert (model.tree_.decision_path(rows) != model.decision_path(rows)).nnz == 0


def test_a_tree_of_scikit_learn_has_the_same_sizes():
    ours, theirs = DecisionTreeClassifier(max_depth=2).fit(X, Y), PeerTree(max_depth=2).fit(X, Y)
    assert sorted(ours.tree_.n_node_samples) == sorted(theirs.tree_.n_node_samples)
    assert ours.n_classes_ == theirs.n_classes_ == 3
    assert ours.n_outputs_ == theirs.n_outputs_
    assert ours.max_features_ == theirs.max_features_ == 4


def test_what_the_arrays_cannot_say_is_refused():
    play = datasets.play_tennis()
    with pytest.raises(AttributeError, match="holds categories: read nodes_"):
        _ = DecisionTreeClassifier().fit(play).tree_
    assert not hasattr(DecisionTreeClassifier(splits="multiway").fit(play), "tree_")
    fractional = DecisionTreeClassifier(missing="fractional").fit(X, Y)
    with pytest.raises(AttributeError, match="set missing='direction'"):
        _ = fractional.tree_


def test_decision_paths_end_where_rows_do():
    model = DecisionTreeClassifier(splits="multiway").fit(play := datasets.play_tennis())
    path = model.decision_path(play.features)
    assert path.shape == (len(play), len(model.nodes_))
    assert (path[:, 0].toarray() == 1).all()
    ends = model.apply(play.features)
    assert (path.toarray().sum(axis=1) == 1 + model.nodes_.depth[ends]).all()


def test_exporters_take_trees_under_the_names_of_scikit_learn():
    assert TakenTree is DecisionTreeClassifier
    text = export_text(TakenTree(max_depth=1).fit(X, Y))
    assert text.splitlines()[0] == "|--- feature_2 <= 2.45"


def test_partial_dependence_by_recursion_is_that_of_the_rows_for_one_column():
    model = TakenRegressor(max_depth=3).fit(X[:, :1], NUMBERS)
    by = {
        method: partial_dependence(model, X[:, :1], [0], method=method, kind="average").average
        for method in ("recursion", "brute")
    }
    np.testing.assert_allclose(by["recursion"], by["brute"], rtol=1e-12)


def test_tree_and_learner_can_be_pickled():
    model = DecisionTreeClassifier().fit(X, Y)
    again = pickle.loads(pickle.dumps(model))  # noqa: S301 - our own
    assert "tree_" not in vars(again)  # made when it is asked for
    tree = pickle.loads(pickle.dumps(model.tree_))  # noqa: S301 - our own
    assert (tree.threshold == again.tree_.threshold).all()


def test_shap_explains_trees_and_forests():
    shap = pytest.importorskip("shap")
    rows = np.round(X * 16.0) / 16.0  # shap compares in float32, and so do these in both
    for name in ("DecisionTree", "RandomForest", "ExtraTrees"):
        for kind, y in (("Classifier", Y), ("Regressor", NUMBERS)):
            learner = getattr(drop_in, name + kind)
            model = learner(random_state=0, min_samples_leaf=2).fit(rows, y)
            explanation = shap.TreeExplainer(model)(rows[:7])
            ours = model.contributions(rows[:7]).values
            assert np.abs(explanation.values.reshape(ours.shape) - ours).max() < 1e-8

"""Trees beside scikit-learn's, node by node: the same questions, or others that gain exactly as much."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn.datasets import load_diabetes, load_wine
from sklearn.tree import DecisionTreeClassifier as TheirClassifier
from sklearn.tree import DecisionTreeRegressor as TheirRegressor

from hornbook import DecisionTreeClassifier, DecisionTreeRegressor


def spread_out(n=500, d=6, seed=3):
    """Columns that float32 holds exactly, as scikit-learn keeps nothing else."""
    draw = np.random.default_rng(seed)
    X = draw.normal(size=(n, d)).astype(np.float32).astype(np.float64)
    z = X[:, 0] + X[:, 1] * X[:, 2] + 0.5 * draw.normal(size=n)
    return X, (z > 0).astype(int) + (X[:, 3] > 1), z, draw.uniform(0.5, 1.5, n)


def measure(criterion, y, w):
    """Weight times impurity of some rows."""
    if criterion == "squared_error":
        return w @ (y - np.average(y, weights=w)) ** 2
    if criterion == "absolute_error":
        order = np.argsort(y)
        half = np.searchsorted(np.cumsum(w[order]), 0.5 * w.sum())
        return w @ np.abs(y - y[order][min(half, len(y) - 1)])
    p = np.bincount(y, weights=w) / w.sum()
    if criterion == "gini":
        return w.sum() * (1.0 - p @ p)
    return -w.sum() * (p[p > 0] @ np.log2(p[p > 0]))


def left_over(criterion, right, y, w):
    return sum(measure(criterion, y[side], w[side]) for side in (right, ~right))


def compare(ours, theirs, criterion, X, y, w):
    """Walk both trees together; the number of nodes with the same question, and of ties."""
    a, b = ours.nodes_, theirs.tree_
    waiting, same, ties = [(0, 0, np.arange(len(X)))], 0, 0
    whole = measure(criterion, y, w)
    while waiting:
        i, j, rows = waiting.pop()
        if a.is_leaf[i] or b.children_left[j] < 0:
            # Rounding alone lets scikit-learn split nodes that are pure.
            both = bool(a.is_leaf[i]) and b.children_left[j] < 0
            assert both or measure(criterion, y[rows], w[rows]) < 1e-12 * whole
            same += both
            continue
        mine = X[rows, a.feature[i]] > a.threshold[i]
        their = X[rows, b.feature[j]] > b.threshold[j]
        if (mine != their).any():
            assert left_over(criterion, mine, y[rows], w[rows]) == pytest.approx(
                left_over(criterion, their, y[rows], w[rows]), rel=1e-9, abs=1e-12 * whole
            )
            ties += 1
            continue
        same += 1
        first = int(a.first_child[i])
        waiting += [(first, b.children_left[j], rows[~mine]), (first + 1, b.children_right[j], rows[mine])]
    return same, ties


def learners_for(criterion):
    """Ours and theirs, for classes or for numbers."""
    if "error" in criterion:
        return DecisionTreeRegressor, TheirRegressor
    return DecisionTreeClassifier, TheirClassifier


SETTINGS = [{}, {"min_samples_leaf": 9}, {"max_depth": 5}, {"min_samples_split": 30}]


@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("setting", SETTINGS, ids=str)
@pytest.mark.parametrize("criterion", ["gini", "entropy", "squared_error", "absolute_error"])
def test_fully_grown_and_stopped_trees(criterion, setting, weighted):
    X, classes, numbers, w = spread_out()
    mine, their = learners_for(criterion)
    y = classes if mine is DecisionTreeClassifier else numbers
    w = w if weighted else np.ones(len(y))
    ours = mine(criterion=criterion, **setting).fit(X, y, w)
    theirs = their(criterion=criterion, random_state=0, **setting).fit(X, y, w)
    same, ties = compare(ours, theirs, criterion, X, y, w)
    assert same > ties
    assert ours.score(X, y) == pytest.approx(theirs.score(X, y), abs=0.02)


@pytest.mark.parametrize("criterion", ["gini", "entropy"])
def test_real_classes_with_many_equal_values(criterion):
    X, y = load_wine(return_X_y=True)
    X = X.astype(np.float32).astype(np.float64)
    ours = DecisionTreeClassifier(criterion=criterion).fit(X, y)
    theirs = TheirClassifier(criterion=criterion, random_state=0).fit(X, y)
    assert compare(ours, theirs, criterion, X, y, np.ones(len(y)))[0] > 0
    assert ours.score(X, y) == theirs.score(X, y) == 1.0


@pytest.mark.parametrize("most", [2, 7, 25])
def test_best_leaves_first(most):
    X, y = load_diabetes(return_X_y=True)
    ours = DecisionTreeRegressor(max_leaf_nodes=most).fit(X, y)
    theirs = TheirRegressor(max_leaf_nodes=most, random_state=0).fit(X, y)
    assert ours.get_n_leaves() == theirs.get_n_leaves() == most
    assert ours.score(X, y) == pytest.approx(theirs.score(X, y), rel=1e-12)


@pytest.mark.parametrize("criterion", ["gini", "entropy", "squared_error", "absolute_error"])
def test_paths_of_pruning(criterion):
    X, classes, numbers, w = spread_out(300)
    mine, their = learners_for(criterion)
    target = classes if mine is DecisionTreeClassifier else numbers
    ours = mine(criterion=criterion).cost_complexity_pruning_path(X, target, w)
    theirs = their(criterion=criterion, random_state=0).cost_complexity_pruning_path(X, target, w)
    some = theirs.ccp_alphas > 1e-12  # they list cuts that cost nothing one by one, up to rounding
    np.testing.assert_allclose(ours.ccp_alphas[1:], theirs.ccp_alphas[some], rtol=1e-6, atol=1e-12)
    np.testing.assert_allclose(ours.impurities[1:], theirs.impurities[some], rtol=1e-6, atol=1e-12)

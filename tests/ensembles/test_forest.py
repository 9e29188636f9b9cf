"""Forests: how they vote, weigh, draw and store, against hand-made answers and scikit-learn."""

from __future__ import annotations

import threading
from collections import Counter

import numpy as np
import pandas as pd
import pytest
from scipy import stats
from sklearn.datasets import load_breast_cancer, load_diabetes, load_wine, make_friedman1
from sklearn.ensemble import ExtraTreesClassifier as PeerExtraTrees
from sklearn.ensemble import ExtraTreesRegressor as PeerExtraRegressor
from sklearn.ensemble import RandomForestClassifier as PeerForest
from sklearn.ensemble import RandomForestRegressor as PeerRegressor

import hornbook
from hornbook import (
    DecisionTreeClassifier,
    ExtraTreesClassifier,
    ExtraTreesRegressor,
    RandomForestClassifier,
    RandomForestRegressor,
    TotallyRandomTreesClassifier,
    TotallyRandomTreesRegressor,
    _native,
    datasets,
)
from hornbook.ensembles import FittedForest

CLASSIFIERS = (RandomForestClassifier, ExtraTreesClassifier, TotallyRandomTreesClassifier)


def noisy(n=300, seed=0):
    draw = np.random.default_rng(seed)
    X = draw.normal(size=(n, 5))
    return X, (X[:, 0] + X[:, 1] * X[:, 2] + draw.normal(size=n) > 0).astype(int)


def holdout_error(model, X, y):
    """Mean over three random halves of the share of errors, or of the squared error."""
    errors = []
    for seed in range(3):
        order = np.random.default_rng(seed).permutation(len(y))
        train, test = order[::2], order[1::2]
        answers = model.set_params(random_state=seed).fit(X[train], y[train]).predict(X[test])
        errors.append(np.mean(answers != y[test] if y.dtype.kind == "i" else (answers - y[test]) ** 2))
    return np.mean(errors)


@pytest.mark.parametrize("load", [load_breast_cancer, load_wine])
@pytest.mark.parametrize(
    ("ours", "theirs"), [(RandomForestClassifier, PeerForest), (ExtraTreesClassifier, PeerExtraTrees)]
)
def test_classes_are_found_as_by_scikit_learn(load, ours, theirs):
    X, y = load(return_X_y=True)
    assert holdout_error(ours(60), X, y) <= holdout_error(theirs(60), X, y) + 0.015


@pytest.mark.parametrize(
    ("ours", "theirs"), [(RandomForestRegressor, PeerRegressor), (ExtraTreesRegressor, PeerExtraRegressor)]
)
def test_numbers_are_found_as_by_scikit_learn(ours, theirs):
    for X, y in (load_diabetes(return_X_y=True), make_friedman1(400, random_state=0)):
        assert holdout_error(ours(60), X, y) <= 1.05 * holdout_error(theirs(60), X, y)


@pytest.mark.parametrize("vote", ["soft", "hard"])
@pytest.mark.parametrize("missing", ["direction", "fractional"])
def test_the_forest_is_the_mean_of_its_trees(vote, missing):
    X, y = noisy(1500)
    X[::7, 0] = np.nan
    model = RandomForestClassifier(
        9, vote=vote, missing=missing, max_depth=2, random_state=1, max_features=None
    ).fit(X, y)
    mean = np.zeros((len(y), 2))
    for t in range(9):
        counts = _native.bootstrap_counts(1, t, len(y), len(y))
        tree = DecisionTreeClassifier(missing=missing, max_depth=2).fit(
            np.repeat(X, counts, axis=0), np.repeat(y, counts)
        )
        shares = tree.predict_proba(X)
        mean += shares if vote == "soft" else np.eye(2)[shares.argmax(axis=1)]
    np.testing.assert_allclose(model.predict_proba(X), mean / 9, atol=1e-12)


def test_votes_can_disagree():
    # Two trees lean to class 0 a little, one to class 1 much.
    model = RandomForestClassifier(3, random_state=0).fit([[0.0], [1.0]], ["a", "b"])
    value = np.array([[0.55, 0.45], [0.55, 0.45], [0.0, 1.0]])
    leaves = np.arange(3, dtype=np.int32)
    model.forest_ = FittedForest(
        leaves,
        np.zeros(3, dtype=np.uint8),
        np.full(3, -1, dtype=np.int32),
        np.full(3, np.nan),
        leaves,
        np.full(3, -1, dtype=np.int32),
        leaves[:0],
        leaves[:0],
        np.zeros(0),
        value,
    )
    assert model.predict([[0.0]]).tolist() == ["b"]
    np.testing.assert_allclose(model.predict_proba([[0.0]]), [[1.1 / 3, 1.9 / 3]])
    model.vote = "hard"
    assert model.predict([[0.0]]).tolist() == ["a"]
    np.testing.assert_allclose(model.predict_proba([[0.0]]), [[2 / 3, 1 / 3]])


@pytest.mark.parametrize("splits", ["binary", "multiway"])
def test_few_rows_get_the_votes_they_get_among_many(splits):
    draw = np.random.default_rng(0)
    city = pd.Categorical(draw.choice(list("abcdefgh"), 400))  # at h there is no branch
    table = pd.DataFrame({"city": city, "size": draw.normal(size=400)})
    seen = np.asarray(city != "h")
    model = RandomForestClassifier(9, vote="hard", splits=splits, random_state=0)
    model.fit(table[seen], draw.integers(0, 3, seen.sum()))
    alone = [model.predict_proba(table[i : i + 1])[0] for i in range(100)]
    np.testing.assert_array_equal(alone, model.predict_proba(table)[:100])
    np.testing.assert_array_equal(alone, model.tree_answers(table[:100]).sum(axis=0) / 9)


def test_fully_grown_trees_know_their_rows():
    X, y = noisy()
    for forest in (ExtraTreesClassifier, TotallyRandomTreesClassifier):
        assert forest(5, random_state=0).fit(X, y).score(X, y) == 1.0
    for forest in (ExtraTreesRegressor, TotallyRandomTreesRegressor):
        numbers = X[:, 0] + 1e6
        np.testing.assert_allclose(forest(5, random_state=0).fit(X, numbers).predict(X), numbers, rtol=1e-12)


def test_rows_that_contradict_each_other_share_a_leaf():
    X = [[1.0, 5.0], [1.0, 5.0], [1.0, 5.0], [2.0, 5.0]]
    model = ExtraTreesClassifier(3, random_state=0).fit(X, ["a", "a", "b", "b"])
    np.testing.assert_allclose(model.predict_proba([X[0], X[3]]), [[2 / 3, 1 / 3], [0.0, 1.0]])
    numbers = RandomForestRegressor(3, bootstrap=False, random_state=0).fit(X, [1.0, 2.0, 6.0, 8.0])
    np.testing.assert_allclose(numbers.predict([X[0], X[3]]), [3.0, 8.0])


def test_all_columns_and_no_draws_are_one_tree():
    X, y = noisy()
    one = DecisionTreeClassifier().fit(X, y)
    same = RandomForestClassifier(3, bootstrap=False, max_features=None, random_state=0).fit(X, y)
    new = noisy(seed=1)[0]
    np.testing.assert_array_equal(same.predict_proba(new), one.predict_proba(new))
    np.testing.assert_allclose(same.feature_importances_, one.feature_importances_, atol=1e-14)


@pytest.mark.parametrize("forest", [RandomForestRegressor, ExtraTreesRegressor])
def test_the_order_of_columns_does_not_matter(forest):
    """In small nodes many columns are equally good, and none may be preferred for its place."""
    draw = np.random.default_rng(0)
    X = draw.normal(size=(150, 6))
    y = draw.normal(size=150)
    one = forest(300, random_state=0).fit(X, y).feature_importances_
    other = forest(300, random_state=0).fit(X[:, ::-1], y).feature_importances_[::-1]
    np.testing.assert_allclose(one, other, atol=0.015)


def test_importances_are_the_mean_of_the_trees():
    X, y = noisy()
    model = RandomForestClassifier(30, random_state=0).fit(X, y)
    assert model.feature_importances_.sum() == pytest.approx(1.0)
    theirs = PeerForest(200, random_state=0).fit(X, y).feature_importances_
    np.testing.assert_allclose(model.feature_importances_, theirs, atol=0.05)
    assert not RandomForestClassifier(2, random_state=0).fit(X, np.zeros(300)).feature_importances_.any()


def test_columns_of_a_tree_are_drawn_once():
    X, y = noisy()
    forest = RandomForestClassifier(20, subspace="tree", max_features=2, random_state=0).fit(X, y).forest_
    used = [set(forest.tree(t).feature.tolist()) - {-1} for t in range(20)]
    assert {len(columns) for columns in used} == {2}
    assert len({frozenset(columns) for columns in used}) > 4
    spread = RandomForestClassifier(5, subspace="node", max_features=2, random_state=0).fit(X, y).forest_
    assert all(len(set(spread.tree(t).feature.tolist())) == 6 for t in range(5))


def test_bounded_random_splits_begin_with_the_best_tree():
    X, y = noisy()
    made = {"split": "top_k", "max_random_splits": 2, "bootstrap": False, "max_features": None}
    forest = RandomForestClassifier(6, **made, random_state=0).fit(X, y).forest_
    best = DecisionTreeClassifier().fit(X, y).nodes_
    np.testing.assert_array_equal(forest.tree(0).threshold, best.threshold)
    np.testing.assert_array_equal(forest.tree(3).threshold, best.threshold)
    others = {forest.tree(t).threshold.tobytes() for t in (1, 2, 4, 5)} - {best.threshold.tobytes()}
    assert len(others) >= 3


def test_a_forest_that_stops_early_has_trees_of_every_bound():
    X, y = noisy()
    made = {"split": "top_k", "max_features": None, "random_state": 0}
    short = RandomForestClassifier(500, max_random_splits=4, stop_when_stable=5, stable_tol=0.05, **made)
    n_trees = len(short.fit(X, y).forest_)
    assert 5 < n_trees < 50
    best = RandomForestClassifier(n_trees, max_random_splits=0, **made).fit(X, y)
    pairs = zip(short.tree_answers(X), best.tree_answers(X), strict=True)
    differ = [not np.array_equal(one, other) for one, other in pairs]
    assert not any(differ[::5])
    assert all(any(differ[k::5]) for k in range(1, 5))


def test_fewer_rows_make_smaller_trees():
    X, y = noisy()
    sizes = [
        RandomForestClassifier(10, max_samples=size, random_state=0).fit(X, y).forest_.n_leaves.mean()
        for size in (10, 0.2, 1.0, None)
    ]
    assert sizes[0] < sizes[1] < sizes[2] == sizes[3]


def test_categories_and_holes_need_no_preparation():
    draw = np.random.default_rng(0)
    city = draw.integers(0, 40, 800)
    table = pd.DataFrame({"city": [f"c{i}" for i in city], "size": draw.normal(size=800)})
    table.loc[::9, "size"] = np.nan
    y = np.isin(city % 7, [1, 3])
    for forest in CLASSIFIERS:
        model = forest(30, random_state=0).fit(table[:600], y[:600])
        assert model.score(table[600:], y[600:]) > 0.85
        with pytest.warns(UserWarning, match="'city' has 'new'"):
            unseen = model.predict_proba(pd.DataFrame({"city": ["new", None], "size": [0.0, np.nan]}))
        assert np.isfinite(unseen).all()


def test_a_forest_is_small():
    X, y = noisy(2000)
    ours = RandomForestClassifier(20, random_state=0).fit(X, y).forest_
    theirs = PeerForest(20, random_state=0).fit(X, y)
    memory = sum(
        tree.tree_.__getstate__()["nodes"].nbytes + tree.tree_.value.nbytes for tree in theirs.estimators_
    )
    nodes = sum(tree.tree_.node_count for tree in theirs.estimators_)
    assert ours.nbytes / len(ours.kind) <= 0.5 * memory / nodes
    assert len(ours.kind) <= 1.2 * nodes


def test_leaves_are_named():
    X, y = noisy()
    model = RandomForestClassifier(4, random_state=0).fit(X, y)
    leaves = model.apply(X)
    assert leaves.shape == (300, 4)
    for t in range(4):
        tree = model.forest_.tree(t)
        shares = tree.value[tree.first_child[leaves[:, t]]]
        np.testing.assert_array_equal(shares, tree.answers(hornbook.Frame(X), 1))


def test_callbacks_can_end_the_growth():
    class Stop:
        def setup(self, estimator, context): ...
        def teardown(self, estimator, context): ...
        def on_fit_task_begin(self, estimator, context, **kwargs): ...
        def on_fit_task_end(self, estimator, context, **kwargs):
            return True

    X, y = noisy()
    model = RandomForestClassifier(100, random_state=0).set_callbacks(Stop()).fit(X, y)
    assert len(model.forest_) == 32
    same = RandomForestClassifier(32, random_state=0).fit(X, y)
    np.testing.assert_array_equal(model.predict_proba(X), same.predict_proba(X))


def test_callbacks_get_the_forest_so_far_when_they_want_it():
    class Snapshots:
        def __init__(self):
            self.seen = []

        def setup(self, estimator, context): ...
        def teardown(self, estimator, context): ...
        def on_fit_task_begin(self, estimator, context): ...
        def on_fit_task_end(self, estimator, context, *, X, fitted_estimator):
            self.seen.append((len(fitted_estimator.forest_), fitted_estimator.predict_proba(X)))

    X, y = noisy()
    snapshots = Snapshots()
    RandomForestClassifier(70, random_state=0).set_callbacks(snapshots).fit(X, y)
    assert [n for n, _ in snapshots.seen] == [32, 64, 70, 70]
    for n, shares in snapshots.seen:
        same = RandomForestClassifier(n, random_state=0).fit(X, y)
        np.testing.assert_array_equal(shares, same.predict_proba(X))


@pytest.mark.parametrize("n_jobs", [1, 3])
def test_an_interrupt_leaves_no_thread_behind(n_jobs):
    class Interrupt:
        def setup(self, estimator, context): ...
        def teardown(self, estimator, context): ...
        def on_fit_task_begin(self, estimator, context): ...
        def on_fit_task_end(self, estimator, context):
            raise KeyboardInterrupt

    X, y = noisy()
    before, model = threading.active_count(), RandomForestClassifier(5000, random_state=0, n_jobs=n_jobs)
    with pytest.raises(KeyboardInterrupt):
        model.set_callbacks(Interrupt()).fit(X, y)
    assert threading.active_count() == before
    assert not hasattr(model, "forest_")


def test_what_does_not_go_together_is_refused():
    flower = datasets.iris()
    with pytest.raises(ValueError, match="'oob_score' applies to rows that are drawn"):
        ExtraTreesClassifier(oob_score=True).fit(flower)
    with pytest.raises(ValueError, match="'max_samples' applies to rows"):
        RandomForestClassifier(bootstrap=False, max_samples=5).fit(flower)
    with pytest.raises(ValueError, match="'max_random_splits' bounds the splits that are drawn"):
        RandomForestClassifier(max_random_splits=2).fit(flower)
    with pytest.raises(ValueError, match="'max_features' is 9, but the table has 4 columns"):
        RandomForestClassifier(max_features=9).fit(flower)


@pytest.mark.parametrize(
    ("asked", "n"), [("sqrt", 4), ("log2", 4), ("third", 6), (0.5, 9), (7, 7), (None, 19), (0.01, 1)]
)
def test_how_many_columns_compete(asked, n):
    X = np.random.default_rng(0).normal(size=(900, 19))
    y = (np.random.default_rng(1).random(900) < 0.5).astype(int)
    forest = RandomForestClassifier(3, subspace="tree", max_features=asked, random_state=0).fit(X, y).forest_
    assert {len(set(forest.tree(t).feature.tolist()) - {-1}) for t in range(3)} == {n}


def test_extra_trees_divide_levels_in_every_way_as_often():
    """Four levels can be divided in two in seven ways, the roots of 4,000 trees in each of them as often."""
    draw = np.random.default_rng(0)
    table = pd.DataFrame({"a": list("abcd") * 10})
    model = ExtraTreesRegressor(4000, max_depth=1, random_state=0).fit(table, draw.random(40))
    forest, ways = model.forest_, Counter()
    for root in forest.roots:
        side = frozenset(forest.levels[forest.level_offset[root] : forest.level_offset[root + 1]].tolist())
        ways[side if 0 in side else frozenset(range(4)) - side] += 1
    assert len(ways) == 7
    assert stats.chisquare(list(ways.values())).pvalue > 0.001

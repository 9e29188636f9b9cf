"""Weights of rows and of classes in forests."""

from __future__ import annotations

import numpy as np
import pytest

from hornbook import RandomForestClassifier
from hornbook.ensembles.forests._bootstrap import bootstrap_of


def noisy(n=300, seed=0):
    draw = np.random.default_rng(seed)
    X = draw.normal(size=(n, 5))
    return X, (X[:, 0] + X[:, 1] * X[:, 2] + draw.normal(size=n) > 0).astype(int)


def test_classes_can_be_weighted_inside_the_trees():
    X, y = noisy()
    y = ((X[:, 0] > 1) & (y > 0)).astype(int)
    usual, fair = (
        RandomForestClassifier(40, max_depth=2, class_weight=weight, random_state=0).fit(X, y)
        for weight in (None, "balanced")
    )
    assert fair.predict_proba(X)[:, 1].mean() > 2 * usual.predict_proba(X)[:, 1].mean()


def test_weights_of_classes_and_rows_multiply_without_draws():
    X, y = noisy()
    w = np.random.default_rng(1).integers(1, 4, 300)
    made = {"bootstrap": False, "max_depth": 3, "random_state": 0}
    both = RandomForestClassifier(5, class_weight={1: 4.0}, **made).fit(X, y, sample_weight=w)
    product = RandomForestClassifier(5, **made).fit(X, y, sample_weight=w * np.where(y == 1, 4.0, 1.0))
    np.testing.assert_array_equal(both.predict_proba(X), product.predict_proba(X))
    alone = RandomForestClassifier(5, **made).fit(X, y, sample_weight=w)
    assert both.predict_proba(X)[:, 1].mean() > alone.predict_proba(X)[:, 1].mean() + 0.1


@pytest.mark.parametrize("limit", [{"min_weight_fraction_leaf": 0.1}, {"min_impurity_decrease": 0.02}])
@pytest.mark.parametrize("bootstrap", [True, False])
def test_limits_are_shares_of_what_rows_weigh_in_a_tree(limit, bootstrap):
    X, y = noisy()
    one, eight = (
        RandomForestClassifier(
            5, class_weight={0: k, 1: k}, bootstrap=bootstrap, random_state=0, **limit
        ).fit(X, y)
        for k in (1, 8)
    )
    np.testing.assert_array_equal(one.predict_proba(X), eight.predict_proba(X))
    assert one.forest_.n_leaves.max() < 15


def test_shares_of_rows_are_of_those_that_have_a_weight():
    X, y = noisy()
    kept = np.arange(300) % 3 > 0
    made = {"min_samples_leaf": 0.1, "bootstrap": False, "random_state": 0}
    with_others = RandomForestClassifier(5, **made).fit(X, y, sample_weight=kept)
    without = RandomForestClassifier(5, **made).fit(X[kept], y[kept])
    np.testing.assert_array_equal(with_others.predict_proba(X), without.predict_proba(X))


@pytest.mark.parametrize("bootstrap", [True, False])
def test_balanced_classes_weigh_the_same_with_the_weights_of_their_rows(bootstrap):
    X, y = noisy()
    w = np.where(y == 1, 5.0, 1.0) * np.random.default_rng(1).integers(1, 4, 300)
    made = {"bootstrap": bootstrap, "max_depth": 3, "random_state": 0}
    balanced = RandomForestClassifier(5, class_weight="balanced", **made).fit(X, y, sample_weight=w)
    mass = np.bincount(y, weights=w)
    by_hand = dict(enumerate(mass.sum() / (2 * mass)))
    same = RandomForestClassifier(5, class_weight=by_hand, **made).fit(X, y, sample_weight=w)
    np.testing.assert_allclose(balanced.predict_proba(X), same.predict_proba(X), rtol=1e-12)
    assert balanced.predict_proba(X)[:, 1].mean() == pytest.approx(0.5, abs=0.1)


def test_whole_weights_are_repeated_rows_in_bins_and_in_falls_of_impurity():
    X, y = noisy()
    w = np.random.default_rng(1).integers(0, 4, 300) * np.where(X[:, 0] > 0, 5, 1)
    rows = np.repeat(np.arange(300), w)
    model = RandomForestClassifier(5, max_bins=6, max_depth=4, bootstrap=False, random_state=0)
    falls = model.fit(X, y, sample_weight=w).importance(X, y, w, kind="impurity").values
    weighted = model.predict_proba(X)
    repeated = model.fit(X[rows], y[rows])
    np.testing.assert_array_equal(repeated.predict_proba(X), weighted)
    np.testing.assert_allclose(
        repeated.importance(X[rows], y[rows], kind="impurity").values, falls, rtol=1e-9
    )


@pytest.mark.parametrize("unit", [3.0, 1e6, 2.0**-30])
def test_samples_are_as_large_as_the_table_whatever_the_unit_of_the_weights(unit):
    X, y = noisy()
    w = np.random.default_rng(2).integers(0, 4, 300).astype(float)
    model = RandomForestClassifier(6, oob_score=True, random_state=0)
    model.fit(X, y, sample_weight=w)
    shares, out_of_bag = model.predict_proba(X), model.oob_decision_function_
    model.fit(X, y, sample_weight=unit * w)
    np.testing.assert_array_equal(model.predict_proba(X), shares)
    np.testing.assert_array_equal(model.oob_decision_function_, out_of_bag)
    assert bootstrap_of(0, 300, unit * w, None).draws == (w > 0).sum()


def test_rows_without_weight_are_not_there_and_equal_weights_are_none():
    X, y = noisy()
    kept = np.arange(300) % 3 > 0
    model = RandomForestClassifier(6, random_state=0)
    with_others = model.fit(X, y, sample_weight=7.0 * kept).predict_proba(X)
    np.testing.assert_array_equal(model.fit(X[kept], y[kept]).predict_proba(X), with_others)


def test_rows_are_drawn_in_proportion_to_their_weights():
    w = np.array([1.0, 0.0, 2.0, 5.0])
    draws = bootstrap_of(0, 4, w, 1000)
    counts = np.sum([draws.counts(t) for t in range(50)], axis=0)
    assert counts.sum() == 50_000
    np.testing.assert_allclose(counts, 50_000 * w / 8, atol=4 * np.sqrt(50_000 / 4))


def test_weights_say_how_likely_rows_are():
    X, y = noisy()
    w = np.where(y == 1, 0.37, 0.0)
    assert set(RandomForestClassifier(5, random_state=0).fit(X, y, sample_weight=w).predict(X)) == {1}
    halves = RandomForestClassifier(20, max_depth=1, random_state=0).fit(
        X, y, sample_weight=np.full(300, 0.5)
    )
    assert halves.predict_proba(X)[:, 1].mean() == pytest.approx(y.mean(), abs=0.05)

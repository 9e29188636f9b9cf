"""Margins of votes, the bounds that follow, and the two correlations of trees."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.datasets import make_friedman1

from hornbook import DecisionTreeRegressor, RandomForestClassifier, RandomForestRegressor
from hornbook.ensembles import VarianceParts, forest_variance, vote_margins


def moons(n, seed):
    draw = np.random.default_rng(seed)
    X = draw.normal(size=(n, 4))
    return X, (X[:, 0] + X[:, 1] * X[:, 2] + 0.5 * draw.normal(size=n) > 0).astype(int)


def test_margins_by_hand():
    # Five voters: 3 to 2 for the truth, 2 to 2 to 1, and 1 to 4.
    votes = np.array([list("aaa"), list("aab"), list("abb"), list("bbb"), list("bcb")])
    result = vote_margins(votes, ["a", "a", "a"])
    np.testing.assert_allclose(result.margins, [1 / 5, 0.0, -3 / 5])
    assert result.error == pytest.approx(1 / 3)  # the tie is no error
    assert result.strength == pytest.approx(-2 / 15)
    assert result.chebyshev_bound == result.bound == math.inf
    np.testing.assert_array_equal(result.raw, [[1, 1, 1], [1, 1, -1], [1, -1, -1], [-1, -1, -1], [-1, 0, -1]])


@settings(derandomize=True, max_examples=200, deadline=None)
@given(st.integers(0, 10_000))
def test_the_bounds_hold_for_any_votes(seed):
    draw = np.random.default_rng(seed)
    n_voters, n_rows, k = draw.integers(2, 12), draw.integers(5, 60), draw.integers(2, 5)
    y = draw.integers(0, k, n_rows)
    votes = np.where(
        draw.random((n_voters, n_rows)) < draw.random(), y, draw.integers(0, k, (n_voters, n_rows))
    )
    result = vote_margins(votes, y)
    np.testing.assert_allclose(result.raw.mean(axis=0), result.margins, atol=1e-12)
    # The variance of the margin is the mean correlation times the squared mean deviation.
    spread = result.raw.std(axis=1)
    assert result.margins.var() == pytest.approx(result.correlation * spread.mean() ** 2, abs=1e-12)
    assert result.error <= result.chebyshev_bound + 1e-12
    assert result.chebyshev_bound <= result.bound + 1e-12
    right, second = (result.raw == 1).mean(axis=1), (result.raw == -1).mean(axis=1)
    np.testing.assert_allclose(spread, np.sqrt(right + second - (right - second) ** 2), atol=1e-12)


def test_deviation_with_the_right_sign():
    """With p1 = 0.7 and p2 = 0.2 the deviation is 0.806; the printed formula would give 1.072."""
    votes = [["a"] * 7 + ["b"] * 2 + ["c"], ["b"] * 10]
    result = vote_margins(votes, ["a"] * 10)
    assert result.raw[0].std().round(3) == 0.806
    assert round(math.sqrt(0.7 + 0.2 + 0.5**2), 3) == 1.072


def test_bounds_of_a_forest():
    X, y = moons(300, 0)
    new, truth = moons(2000, 1)
    model = RandomForestClassifier(40, vote="hard", max_features=1, random_state=0).fit(X, y)
    votes = model.classes_[model.tree_answers(new).argmax(axis=2)]
    result = vote_margins(votes, truth)
    np.testing.assert_allclose(result.margins, model.margins(new, truth), atol=1e-12)
    # More trees bring the margins to their limit, and the strength with them.
    more = RandomForestClassifier(400, vote="hard", max_features=1, random_state=1).fit(X, y)
    limit = more.margins(new, truth)
    assert result.strength == pytest.approx(limit.mean(), abs=0.05)
    assert 0 < result.error <= result.chebyshev_bound <= result.bound


def test_two_correlations_of_trees_are_not_the_same():
    """Over rows the raw margins of two trees are alike; at one row, over draws, their answers are not."""
    X, y = moons(120, 0)
    new, truth = moons(1000, 1)
    forest = RandomForestClassifier(20, random_state=0).fit(X, y)
    over_rows = vote_margins(forest.tree_answers(new).argmax(axis=2), truth).pair_correlations
    assert over_rows[~np.eye(20, dtype=bool)].mean() > 0.1
    doubtful = new[np.abs(forest.predict_proba(new)[:, 1] - 0.5).argsort()[:20]]
    pairs = [RandomForestClassifier(2, random_state=seed).fit(X, y) for seed in range(300)]
    answers = np.array([pair.tree_answers(doubtful)[:, :, 1] for pair in pairs])
    at_a_row = [np.corrcoef(answers[:, :, i].T)[0, 1] for i in range(20)]
    assert abs(np.mean(at_a_row)) < 0.05
    # Over data sets, too, answers at one row go together.
    bagging = RandomForestRegressor(10, max_features=None)
    parts = forest_variance(bagging, lambda seed: moons(120, seed), doubtful, n_datasets=40)
    assert parts.correlation.mean() > 0.1


def test_bias_is_that_of_a_single_tree():
    """Drawing rows and columns makes the bias larger, and only the variance smaller."""

    def draw(seed):
        X, y = make_friedman1(60, random_state=seed)
        return X, y

    new, _ = make_friedman1(40, random_state=10_000)
    x = new.T
    truth = 10 * np.sin(np.pi * x[0] * x[1]) + 20 * (x[2] - 0.5) ** 2 + 10 * x[3] + 5 * x[4]
    many, few = (
        forest_variance(RandomForestRegressor(n, max_features="third"), draw, new, n_datasets=40)
        for n in (20, 2)
    )
    np.testing.assert_allclose(many.bias(truth), few.bias(truth), atol=1.2)
    alone = np.mean([DecisionTreeRegressor().fit(*draw(s)).predict(new) for s in range(60)], axis=0)
    assert np.abs(many.bias(truth)).mean() > 1.1 * np.abs(truth - alone).mean()
    constant = VarianceParts(np.array([1.0]), np.zeros(1), np.zeros(1))
    assert constant.bias([3.0]).tolist() == [2.0]
    assert constant.correlation.tolist() == [0.0]  # trees that do not vary


def test_shapes_that_do_not_fit():
    with pytest.raises(ValueError, match=r"got shapes \(2, 3\) and \(2,\)"):
        vote_margins([[0, 1, 0], [1, 1, 0]], [0, 1])

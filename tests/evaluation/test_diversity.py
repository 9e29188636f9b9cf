"""Diversity of classifiers: kappa and error of pairs, correlation of errors, overlap of regions."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

from hornbook import DecisionTreeClassifier, datasets, plots
from hornbook.ensembles import plurality_vote
from hornbook.evaluation import error_correlation, error_rate, kappa, kappa_error, region_overlap


def drawn(n_classifiers=6, n_rows=50, seed=0):
    draw = np.random.default_rng(seed)
    y = draw.choice(["a", "b", "c"], n_rows)
    wrong = draw.random((n_classifiers, n_rows)) < 0.3
    return np.where(wrong, draw.choice(["a", "b", "c"], (n_classifiers, n_rows)), y), y


@pytest.mark.parametrize("weighted", [False, True])
def test_every_pair_by_the_measures(weighted):
    predictions, y = drawn()
    w = np.arange(50.0) if weighted else None
    result = kappa_error(predictions, y, sample_weight=w)
    assert result.pairs.tolist() == [list(pair) for pair in itertools.combinations(range(6), 2)]
    for (i, j), k, error in zip(result.pairs, result.kappa, result.error, strict=True):
        assert k == pytest.approx(kappa(predictions[i], predictions[j], sample_weight=w))
        both = [error_rate(y, predictions[one], sample_weight=w) for one in (i, j)]
        assert error == pytest.approx(np.mean(both))


def test_equal_classifiers_are_merged_first():
    predictions, y = drawn(9)
    thirteen = predictions[[0, 1, 2, 3, 0, 4, 5, 6, 1, 7, 8, 0, 2]]
    result = kappa_error(thirteen, y)
    assert result.n_distinct == 9
    assert result.groups.tolist() == [0, 1, 2, 3, 0, 4, 5, 6, 1, 7, 8, 0, 2]
    assert len(result.pairs) == 9 * 8 // 2
    assert sorted(result.kappa) == pytest.approx(sorted(kappa_error(predictions, y).kappa))
    assert len(kappa_error(thirteen, y, merge=False).pairs) == 13 * 12 // 2
    assert (kappa_error(thirteen, y, merge=False).kappa > 1 - 1e-12).sum() == 3 + 1 + 1


def test_equal_points_are_drawn_as_one():
    predictions = [["a", "a", "a", "b"], ["a", "a", "b", "a"], ["a", "b", "a", "a"]]
    result = kappa_error(predictions, ["a", "a", "a", "a"])
    assert result.points.round(3).tolist() == [[-0.333, 0.25, 3.0]]
    ax = plots.kappa_error(result)
    assert ax.collections[0].get_sizes().tolist() == [3 * 18.0]
    assert ax.get_title() == "3 pairs of 3 different classifiers"
    alone = kappa_error([["a", "b"], ["a", "b"]], ["a", "b"])
    assert plots.kappa_error(alone).get_title() == "0 pairs of 1 different classifiers"


def test_two_classifiers_that_always_say_the_same_class():
    result = kappa_error([["a", "a"], ["a", "a"]], ["a", "b"], merge=False)
    assert (result.kappa.tolist(), result.error.tolist()) == ([0.0], [0.5])


def test_errors_that_are_independent_help_a_vote_more():
    draw = np.random.default_rng(0)
    y = np.ones(20_000, dtype=int)
    own = draw.random((5, 20_000)) < 0.3
    shared = np.where(draw.random((5, 20_000)) < 0.7, own[0], draw.random((5, 20_000)) < 0.3)
    errors = []
    for wrong in (own, shared):
        predictions = np.where(wrong, 0, 1)
        correlation = error_correlation(predictions, y)
        np.testing.assert_allclose(correlation, np.corrcoef(wrong), atol=1e-12)
        errors.append(
            (correlation[~np.eye(5, dtype=bool)].mean(), error_rate(y, plurality_vote(predictions)))
        )
    (low, good), (high, poor) = errors
    assert abs(low) < 0.02
    assert high > 0.3
    assert good < 0.17
    assert poor > 0.2
    # No guarantee: one good classifier is better than its vote with poor ones.
    best = np.where(draw.random((1, 20_000)) < 0.05, 0, 1)
    vote = plurality_vote(np.vstack([best, np.where(own[:2] | (draw.random((2, 20_000)) < 0.3), 0, 1)]))
    assert error_rate(y, best[0]) < error_rate(y, vote)


def test_always_right_and_always_wrong_have_no_correlation():
    result = error_correlation([["a", "b"], ["b", "a"], ["a", "a"]], ["a", "b"])
    assert result.tolist() == [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]]


def test_trees_that_agree_on_their_rows_differ_elsewhere():
    iris = datasets.iris()
    X, y = iris.features.numbers, iris.y
    trees = [DecisionTreeClassifier().fit(X[:, columns], y) for columns in ([0, 2], [1, 2, 3])]
    draw = np.random.default_rng(0)
    points = draw.uniform(X.min(axis=0), X.max(axis=0), size=(2000, 4))
    seen, spread = (
        region_overlap(
            [tree.predict(rows[:, columns]) for tree, columns in zip(trees, ([0, 2], [1, 2, 3]), strict=True)]
        )
        for rows in (X, points)
    )
    assert seen[0, 1] > 0.95 > spread[0, 1] > 0.5
    assert spread[0, 1] == spread[1, 0]
    assert np.diag(spread) == pytest.approx(1.0)


@pytest.mark.parametrize(
    ("call", "text"),
    [
        (lambda: kappa_error(["a", "b"], ["a", "b"]), "a row for each classifier"),
        (lambda: kappa_error([["a", "b"]], ["a"]), "one class for each of the 2 columns"),
        (lambda: region_overlap([]), "a row for each classifier"),
        (lambda: error_correlation([["a"]], ["a"], sample_weight=[-1]), "must not be negative"),
    ],
)
def test_bad_input_is_named(call, text):
    with pytest.raises(ValueError, match=text):
        call()

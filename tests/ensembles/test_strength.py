"""Strength, correlation, margins and uncertainty of forests."""

from __future__ import annotations

import math

import numpy as np
import pytest
from sklearn.datasets import load_breast_cancer, load_wine, make_friedman1

from hornbook import (
    ExtraTreesClassifier,
    Frame,
    RandomForestClassifier,
    RandomForestRegressor,
    _native,
)
from hornbook.ensembles.forests._bootstrap import bootstrap_of


def votes_by_hand(model, X, y):
    """Votes of each tree, and which rows it has not seen."""
    n = len(y)
    votes = np.array([one.argmax(axis=1) for one in model.forest_.each(Frame(X), 1)])
    left_out = [_native.bootstrap_counts(model.seed_, t, n, n) == 0 for t in range(len(votes))]
    return votes, np.array(left_out)


def test_strength_and_correlation_by_hand():
    X, y = load_wine(return_X_y=True)
    model = RandomForestClassifier(25, max_depth=2, oob_score=True, random_state=0).fit(X, y)
    votes, left_out = votes_by_hand(model, X, y)
    known = np.flatnonzero(left_out.any(axis=0))
    margin, second = [], np.full(len(y), -1)
    for i in known:
        shares = np.bincount(votes[left_out[:, i], i], minlength=3) / left_out[:, i].sum()
        others = [c for c in range(3) if c != y[i]]
        second[i] = max(others, key=lambda c: shares[c])
        margin.append(shares[y[i]] - shares[second[i]])
    strength = np.mean(margin)
    spread = []
    for vote, out in zip(votes, left_out, strict=True):
        raw = (vote[out] == y[out]).astype(float) - (vote[out] == second[out])
        spread.append(raw.std())  # the corrected formula is the plain standard deviation
    correlation = np.var(margin) / np.mean(spread) ** 2
    assert model.oob_strength_ == pytest.approx(strength)
    assert model.oob_correlation_ == pytest.approx(correlation)
    assert model.error_bound_ == pytest.approx(correlation * (1 - strength**2) / strength**2)
    assert 0 < model.oob_correlation_ < 1


def test_weights_count_in_strength_and_correlation():
    X, y = load_wine(return_X_y=True)
    w = 1.0 + np.arange(len(y)) % 3
    model = RandomForestClassifier(200, max_depth=1, oob_score=True, random_state=0).fit(
        X, y, sample_weight=w
    )
    n, votes = len(y), model.tree_answers(X).argmax(axis=2)
    draws = bootstrap_of(0, n, w, None)
    out = np.array([draws.counts(t) == 0 for t in range(200)])
    shares = np.stack([(out & (votes == c)).sum(axis=0) for c in range(3)], axis=1) / out.sum(axis=0)[:, None]
    rows = np.arange(n)
    others = np.where(np.eye(3, dtype=bool)[y], -1.0, shares)
    margin, second = shares[rows, y] - others.max(axis=1), others.argmax(axis=1)
    strength = np.average(margin, weights=w)
    raw = (votes == y).astype(float) - (votes == second)

    def deviation(t):
        mean = np.average(raw[t, out[t]], weights=w[out[t]])
        return np.sqrt(np.average((raw[t, out[t]] - mean) ** 2, weights=w[out[t]]))

    spread = np.mean([deviation(t) for t in range(200)])
    assert out.any(axis=0).all()
    assert model.oob_strength_ == pytest.approx(strength)
    assert model.oob_correlation_ == pytest.approx(
        np.average((margin - strength) ** 2, weights=w) / spread**2
    )


def test_the_bound_holds_and_says_nothing_without_strength():
    X, y = load_breast_cancer(return_X_y=True)
    model = RandomForestClassifier(60, vote="hard", oob_score=True, random_state=0).fit(X, y)
    assert 1 - model.oob_score_ <= model.error_bound_
    # The neighbors of a row are all of the other class, and they answer when it is out of bag.
    weak = RandomForestClassifier(20, oob_score=True, random_state=0)
    weak.fit(np.arange(60.0)[:, None], np.arange(60) % 2)
    assert weak.oob_strength_ < -0.2
    assert weak.error_bound_ == math.inf


def test_fewer_columns_make_trees_less_alike():
    X, y = load_breast_cancer(return_X_y=True)
    few, all_ = (
        RandomForestClassifier(60, max_features=m, oob_score=True, random_state=0).fit(X, y)
        for m in (1, None)
    )
    assert few.oob_correlation_ < all_.oob_correlation_


def test_one_class_has_full_strength():
    model = RandomForestClassifier(10, oob_score=True, random_state=0).fit(np.eye(6), np.zeros(6))
    assert (model.oob_strength_, model.oob_correlation_, model.error_bound_) == (1.0, 0.0, 0.0)


@pytest.mark.parametrize("vote", ["soft", "hard"])
def test_margins_are_shares_less_the_best_other(vote):
    X, y = load_wine(return_X_y=True)
    model = RandomForestClassifier(15, max_depth=2, vote=vote, random_state=0).fit(X, y)
    shares = model.predict_proba(X)
    expected = [p[c] - max(p[k] for k in range(3) if k != c) for p, c in zip(shares, y, strict=True)]
    np.testing.assert_allclose(model.margins(X, y), expected, atol=1e-12)
    errors = model.predict(X) != y
    assert errors.any()
    assert (model.margins(X, y)[errors] <= 0).all()


def test_two_classes_margin_is_twice_the_share_less_one():
    X, y = load_breast_cancer(return_X_y=True)
    model = ExtraTreesClassifier(9, max_depth=3, vote="hard", random_state=0).fit(X, y)
    right = model.predict_proba(X)[np.arange(len(y)), y]
    np.testing.assert_allclose(model.margins(X, y), 2 * right - 1, atol=1e-12)


def test_uncertainty_of_votes():
    X, y = load_wine(return_X_y=True)
    model = RandomForestClassifier(16, max_depth=1, random_state=0).fit(X, y)
    votes = np.array([one.argmax(axis=1) for one in model.forest_.each(Frame(X), 1)])
    shares = np.array([np.bincount(column, minlength=3) / 16 for column in votes.T])
    entropy = [-sum(p * math.log2(p) for p in row if p > 0) for row in shares]
    np.testing.assert_allclose(model.uncertainty(X), entropy, atol=1e-12)
    np.testing.assert_allclose(model.uncertainty(X, kind="margin"), 1 - shares.max(axis=1))
    with pytest.raises(ValueError, match="'kind' must be 'entropy' or 'margin'; got 'range'"):
        model.uncertainty(X, kind="range")


def test_uncertainty_of_numbers():
    X, y = make_friedman1(100, random_state=0)
    model = RandomForestRegressor(12, random_state=0).fit(X, y + 1e6)
    answers = np.array([one[:, 0] for one in model.forest_.each(Frame(X), 1)])
    np.testing.assert_allclose(model.uncertainty(X), answers.std(axis=0, ddof=1), atol=1e-8)
    assert not RandomForestRegressor(1, random_state=0).fit(X, y).uncertainty(X).any()

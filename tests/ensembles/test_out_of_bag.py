"""What trees say about rows they have not seen."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn.datasets import load_breast_cancer, make_friedman1
from sklearn.ensemble import RandomForestClassifier as PeerForest

from hornbook import Frame, RandomForestClassifier, RandomForestRegressor, _native
from hornbook.ensembles.forests._bootstrap import bootstrap_of


def by_hand(model, X, y, w=None, hard=False):
    """Mean answers of the trees that have not seen a row, and who they are."""
    total, n_trees = 0.0, np.zeros(len(y))
    for t in range(len(model.forest_)):
        left_out = bootstrap_of(model.seed_, len(y), w, None).counts(t) == 0
        answers = model.forest_.tree(t).answers(Frame(X), 1, hard=hard)
        total = total + left_out[:, None] * answers
        n_trees += left_out
    with np.errstate(invalid="ignore"):
        return total / n_trees[:, None], n_trees


@pytest.mark.parametrize("vote", ["soft", "hard"])
def test_classes_out_of_bag(vote):
    X, y = load_breast_cancer(return_X_y=True)
    # Leaves are not pure, so that shares are not votes.
    model = RandomForestClassifier(12, vote=vote, max_depth=2, oob_score=True, random_state=3).fit(X, y)
    shares, n_trees = by_hand(model, X, y, hard=vote == "hard")
    np.testing.assert_allclose(model.oob_decision_function_, shares, rtol=1e-12)
    known = n_trees > 0
    votes = (shares * n_trees[:, None])[known]
    assert (vote == "hard") == np.allclose(votes, votes.round())
    assert 0 < (~known).sum() < 20
    right = shares[known].argmax(axis=1) == y[known]
    assert model.oob_score_ == pytest.approx(right.mean(), abs=1e-12)
    assert model.oob_errors_[-1] == pytest.approx(1 - right.mean(), abs=1e-12)
    assert model.oob_errors_.shape == model.oob_tree_errors_.shape == (12,)
    assert model.oob_errors_[0] == model.oob_tree_errors_[0]
    for t, error in enumerate(model.oob_tree_errors_):
        out = _native.bootstrap_counts(3, t, len(y), len(y)) == 0
        votes = model.forest_.tree(t).answers(Frame(X[out]), 1).argmax(axis=1)
        assert error == pytest.approx((votes != y[out]).mean(), abs=1e-12)
    # Alone, trees are worse than together.
    assert model.oob_tree_errors_.mean() > model.oob_errors_[-1]


def test_numbers_out_of_bag():
    X, y = make_friedman1(200, random_state=0)
    model = RandomForestRegressor(40, oob_score=True, random_state=0).fit(X, y)
    numbers, _ = by_hand(model, X, y)
    np.testing.assert_allclose(model.oob_prediction_, numbers[:, 0], rtol=1e-12)
    error = ((y - numbers[:, 0]) ** 2).mean()
    assert model.oob_errors_[-1] == pytest.approx(error)
    assert model.oob_score_ == pytest.approx(1 - error / y.var())


def test_weights_count_out_of_bag():
    X, y = load_breast_cancer(return_X_y=True)
    w = np.arange(len(y)) % 3
    model = RandomForestClassifier(15, oob_score=True, random_state=0).fit(X, y, sample_weight=w)
    shares, n_trees = by_hand(model, X, y, w)
    known = (n_trees > 0) & (w > 0)
    right = shares[known].argmax(axis=1) == y[known]
    assert model.oob_score_ == pytest.approx(np.average(right, weights=w[known]))
    assert np.isnan(model.oob_decision_function_[w == 0]).all()


def test_weights_count_in_scores_of_numbers():
    X, y = make_friedman1(60, random_state=0)
    w = np.arange(60) % 4
    model = RandomForestRegressor(4, oob_score=True, random_state=0).fit(X, y, sample_weight=w)
    numbers, n_trees = by_hand(model, X, y, w)
    known = (n_trees > 0) & (w > 0)
    assert known.sum() < (w > 0).sum()
    y, w, numbers = y[known], w[known], numbers[known, 0]
    variance = np.average((y - np.average(y, weights=w)) ** 2, weights=w)
    assert model.oob_score_ == pytest.approx(1 - np.average((y - numbers) ** 2, weights=w) / variance)


def test_out_of_bag_is_as_honest_as_in_scikit_learn():
    X, y = load_breast_cancer(return_X_y=True)
    ours = RandomForestClassifier(150, oob_score=True, random_state=0).fit(X, y).oob_score_
    theirs = PeerForest(150, oob_score=True, random_state=0).fit(X, y).oob_score_
    assert ours == pytest.approx(theirs, abs=0.01)


@pytest.mark.parametrize("n_jobs", [1, 2])
def test_growth_ends_when_the_error_is_stable(n_jobs):
    X, y = load_breast_cancer(return_X_y=True)
    made = {"random_state": 0, "n_jobs": n_jobs}
    model = RandomForestClassifier(500, stop_when_stable=10, stable_tol=0.004, **made).fit(X, y)
    errors = model.oob_errors_
    assert len(model.forest_) == len(errors) < 200
    spans = [np.ptp(errors[i - 10 : i + 1]) for i in range(10, len(errors))]
    assert spans[-1] <= 0.004 < min(spans[:-1])
    same = RandomForestClassifier(len(errors), **made).fit(X, y)
    np.testing.assert_array_equal(model.predict_proba(X), same.predict_proba(X))
    np.testing.assert_array_equal(model.feature_importances_, same.feature_importances_)


def test_the_error_must_be_stable_over_as_many_trees_as_asked_for():
    """One error before them and one after each: 8 in all when none of them errs."""
    X = np.repeat([0.0, 1.0], 50)[:, None]
    model = RandomForestClassifier(100, stop_when_stable=7, random_state=0).fit(X, X[:, 0])
    assert model.oob_errors_.tolist() == [0.0] * 8


def test_stable_for_numbers_is_measured_by_their_variance():
    X, y = make_friedman1(200, random_state=0)
    small, large = (
        RandomForestRegressor(300, stop_when_stable=5, random_state=0).fit(X, scale * y)
        for scale in (1.0, 1e6)
    )
    assert len(small.forest_) == len(large.forest_) < 300


def test_history_has_every_tree():
    X, y = load_breast_cancer(return_X_y=True)
    model = RandomForestClassifier(40, oob_score=True, random_state=0).fit(X, y)
    np.testing.assert_array_equal(model.history_["oob_error"], model.oob_errors_)


def test_no_row_out_of_bag_is_said():
    with pytest.raises(ValueError, match="every row is in the sample of every tree"):
        RandomForestClassifier(3, oob_score=True).fit([[1.0]], ["a"])

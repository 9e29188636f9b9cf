"""Many classes from two at a time: coupled probabilities and sigmoids, against their definitions."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import minimize
from sklearn.calibration import CalibratedClassifierCV
from sklearn.frozen import FrozenEstimator
from sklearn.svm import LinearSVC

from hornbook import datasets
from hornbook.base import PlattSigmoid, binary_problem, coupled, one_vs_one, one_vs_rest, pair_votes

IRIS = datasets.iris()
HARD = IRIS.y != "setosa"
X, Y = IRIS.features.matrix[HARD], IRIS.y[HARD] == "virginica"


def disagreement(p, r):
    """sum over i != j of (r_ji p_i - r_ij p_j)^2"""
    k = len(p)
    return sum((r[j, i] * p[i] - r[i, j] * p[j]) ** 2 for i in range(k) for j in range(k) if i != j)


def pair_table(k, pairs):
    """r with r_ij in the upper half, r_ji = 1 - r_ij below it."""
    r = np.zeros((k, k))
    r[np.triu_indices(k, 1)] = pairs
    return r + np.tril(1 - r.T, -1)


@pytest.mark.parametrize("k", [2, 3, 6])
def test_problems_have_the_rows_of_their_classes(k):
    y = np.arange(4 * k) % k
    for code in (one_vs_one(k), one_vs_rest(k)):
        for j in range(code.shape[1]):
            target, rows = binary_problem(code, y, j)
            part = np.arange(len(y)) if rows is None else rows
            assert (code[y[part], j] == np.where(target[part], 1, -1)).all()
            assert len(part) == np.isin(y, np.flatnonzero(code[:, j])).sum()


@settings(derandomize=True, max_examples=40, deadline=None)
@given(k=st.integers(2, 8), seed=st.integers(0, 999))
def test_pairs_of_known_probabilities_give_them_back(k, seed):
    p = np.random.default_rng(seed).dirichlet(np.ones(k), size=3) + 1e-4
    p /= p.sum(axis=1, keepdims=True)
    first, second = np.triu_indices(k, 1)
    np.testing.assert_allclose(
        coupled(one_vs_one(k), p[:, first] / (p[:, first] + p[:, second])), p, atol=1e-9
    )


@settings(derandomize=True, max_examples=15, deadline=None)
@given(k=st.integers(3, 5), seed=st.integers(0, 999))
def test_coupled_probabilities_disagree_least_with_the_pairs(k, seed):
    pairs = np.random.default_rng(seed).uniform(0.02, 0.98, k * (k - 1) // 2)
    r = pair_table(k, pairs)
    (p,) = coupled(one_vs_one(k), pairs[None])
    best = minimize(
        disagreement,
        np.full(k, 1 / k),
        args=(r,),
        method="SLSQP",
        bounds=[(0, 1)] * k,
        constraints={"type": "eq", "fun": lambda q: q.sum() - 1},
        options={"ftol": 1e-14},
    )
    assert disagreement(p, r) <= best.fun + 1e-9
    np.testing.assert_allclose(p, best.x, atol=1e-4)


def test_pairs_that_are_certain_have_a_winner():
    code = one_vs_one(3)
    certain = np.array([[1.0, 1.0, 1.0], [1.0, 0.0, 1.0]])  # the second goes round in a circle
    p = coupled(code, certain)
    assert (p >= 0).all()
    np.testing.assert_allclose(p.sum(axis=1), 1)
    np.testing.assert_allclose(p, [[1, 0, 0], [1 / 3, 1 / 3, 1 / 3]], atol=1e-6)
    np.testing.assert_array_equal(pair_votes(code, certain - 0.5).argmax(axis=1)[0], 0)
    assert coupled(code, np.empty((0, 3))).shape == (0, 3)


@pytest.mark.filterwarnings("ignore:Since FrozenEstimator")  # weights in the calibration alone are meant
@pytest.mark.parametrize("scale", [1.0, 1e-6, 1e200])
@pytest.mark.parametrize("weighted", [False, True])
def test_a_sigmoid_agrees_with_scikit_learn(scale, weighted):
    model = LinearSVC(dual=False).fit(X, Y)
    w = 1.0 + np.arange(len(Y)) % 3 if weighted else None
    theirs = CalibratedClassifierCV(FrozenEstimator(model), method="sigmoid", ensemble=False)
    theirs.fit(X, Y, sample_weight=w)
    scores = model.decision_function(X)
    ours = PlattSigmoid.fit(scale * scores, Y, w)
    np.testing.assert_allclose(ours.probabilities(scale * scores), theirs.predict_proba(X)[:, 1], atol=2e-5)


def test_weights_of_a_sigmoid_are_repeated_rows():
    scores = np.random.default_rng(0).normal(size=60)
    y, w = scores + np.random.default_rng(1).normal(size=60) > 0, np.arange(60) % 3
    one, other = PlattSigmoid.fit(scores, y, w * 1.0), PlattSigmoid.fit(np.repeat(scores, w), np.repeat(y, w))
    np.testing.assert_allclose([one.slope, one.intercept], [other.slope, other.intercept], rtol=1e-8)


def test_a_sigmoid_stays_finite_where_scores_separate_the_classes_or_say_nothing():
    apart = PlattSigmoid.fit(np.array([-2.0, -1.0, 1.0, 2.0]), np.array([False, False, True, True]))
    assert 0 < apart.slope < np.inf
    assert apart.intercept == pytest.approx(0, abs=1e-9)
    mute = PlattSigmoid.fit(np.zeros(3), np.array([True, True, False]))
    # Targets 3/4, 3/4 and 1/3: their mean is what a constant predicts best.
    assert mute.probabilities(np.zeros(1)).tolist() == pytest.approx([(3 / 4 + 3 / 4 + 1 / 3) / 3])

"""The perceptron: rules, weights, blocks, stopping."""

from __future__ import annotations

import warnings

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.exceptions import ConvergenceWarning

from hornbook import Blocks, Frame, Perceptron

SQUARE = np.array([[0, 0], [0, 1], [1, 0], [1, 1]], dtype=float)
XOR = [0, 1, 1, 0]
rules = pytest.mark.parametrize("update", ["target", "sign"])


def separable(seed, n=50, d=3, k=2):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, d))
    scores = X @ rng.normal(size=(d, k)) + rng.normal(size=k)
    top = np.sort(scores, axis=1)
    sure = top[:, -1] - top[:, -2] > 0.3
    return X[sure], scores[sure].argmax(axis=1)


@rules
@settings(derandomize=True, max_examples=30, deadline=None)
@given(seed=st.integers(0, 2**32))
def test_separable_classes_are_separated(update, seed):
    X, y = separable(seed)
    if len(np.unique(y)) < 2:
        return
    model = Perceptron(update=update, max_iter=100_000, n_iter_no_change=None).fit(X, y)
    assert model.mistakes_ == 0
    assert model.history_["mistakes"][-1] == 0
    assert (model.predict(X) == y).all()
    assert (model.margins(X, y) >= 0).all()


@rules
def test_the_learning_rate_only_scales(update):
    X, y = separable(3)
    one, other = (Perceptron(update=update, eta0=eta).fit(X, y) for eta in (1.0, 0.1))
    np.testing.assert_allclose(0.1 * one.coef_, other.coef_, rtol=1e-15)
    assert one.n_iter_ == other.n_iter_


@rules
def test_blocks_are_read_one_after_the_other(update):
    X, y = separable(5, n=9000)
    frame = Frame(np.column_stack([X, y]), target=3)
    whole = Perceptron(update=update, max_iter=200, n_iter_no_change=5).fit(frame)
    pieces = Blocks([frame[:7], frame[7:4000], frame[4000:]])
    other = Perceptron(update=update, max_iter=200, n_iter_no_change=5).fit(pieces)
    np.testing.assert_array_equal(whole.coef_, other.coef_)
    assert whole.n_iter_ == other.n_iter_


def test_fractions_of_weights_are_fractions_of_steps():
    half = Perceptron(max_iter=1, n_iter_no_change=1, update="sign")
    with pytest.warns(ConvergenceWarning):
        half.fit([[2.0], [3.0]], [1, 0], [0.5, 1e-9])
    assert half.coef_[0, 0] == pytest.approx(0.5 * 2, abs=1e-8)


def test_several_classes_have_a_perceptron_each():
    X, y = separable(1, n=80, k=3)
    model = Perceptron().fit(X, y)
    for c in range(3):
        alone = Perceptron(max_iter=model.n_iter_, n_iter_no_change=None)
        if c in y:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore", ConvergenceWarning)
                alone.fit(X, (y == c).astype(int))
            np.testing.assert_array_equal(alone.coef_[0], model.coef_[c])
    assert model.threshold_.tolist() == (-model.intercept_).tolist()


def test_inseparable_classes_end_without_progress_or_with_a_warning():
    model = Perceptron(n_iter_no_change=20).fit(SQUARE, XOR)
    assert model.mistakes_ > 0
    assert 20 < model.n_iter_ < 1000
    assert "mistakes in the last pass: 4" in str(model.describe())
    with pytest.warns(ConvergenceWarning, match="'max_iter' = 7 was reached with"):
        Perceptron(max_iter=7, n_iter_no_change=None).fit(SQUARE, XOR)


def test_bad_input():
    with pytest.raises(ValueError, match="'eta0'"):
        Perceptron(eta0=0).fit(SQUARE, XOR)
    with pytest.raises(ValueError, match="at least 2 classes, and all weight is on the one class 0"):
        Perceptron().fit(SQUARE, XOR, [1, 0, 0, 1])


@rules
def test_weights_of_any_size_end_at_once(update):
    X, y = [[1e15], [1.0]], ["b", "a"]
    model = Perceptron(update=update, max_iter=20)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)
        model.fit(X, y, sample_weight=[1, 1e18])
    assert np.isfinite(model.coef_).all()
    assert model.n_iter_ <= 20


@rules
@pytest.mark.parametrize("times", [1e4, 1e5 + 0.5])
def test_a_heavy_row_is_corrected_as_often_as_it_is_shown(update, times):
    X, y = np.array([[100.0], [1.0]]), np.array([1, 0])
    model = Perceptron(update=update, max_iter=1, n_iter_no_change=None)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)
        heavy = model.fit(X[::-1], y[::-1], sample_weight=[1.0, times])
    assert heavy.decision_function(X)[0] > 0


def test_numbers_whose_products_overflow_are_refused():
    X = np.array([[1.7e308, -1.7e308], [1.7e308, 1.7e308]])
    with pytest.raises(ValueError, match="Perceptron: a column of X or y has numbers so large"):
        Perceptron().fit(X, [0, 1])

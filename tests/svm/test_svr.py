"""SVR: against a general solver and scikit-learn, other units of the target, and what it refuses."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn import svm as peer
from sklearn.datasets import load_diabetes
from sklearn.exceptions import ConvergenceWarning
from sklearn.preprocessing import scale
from tests.oracles.svm import dual_optimum, kernel_matrix

from hornbook import SVR


def wave(n, seed=0):
    draw = np.random.default_rng(seed)
    X = draw.uniform(-3, 3, (n, 2))
    return X, np.sin(X[:, 0]) + 0.5 * X[:, 1] + 0.2 * draw.normal(size=n)


def check_against_general_solver(kernel, options, seeds):
    for seed in seeds:
        draw = np.random.default_rng(seed)
        X, y = wave(9, seed)
        w, C = draw.integers(1, 4, 9).astype(float), float(10 ** draw.uniform(-1, 1))
        model = SVR(C=C, kernel=kernel, tol=1e-9, epsilon=0.15, **options).fit(X, y, sample_weight=w)
        K, none = kernel_matrix(X, X, kernel, **options), np.zeros(9)
        low, high = np.concatenate([none, -C * w]), np.concatenate([C * w, none])
        linear = np.concatenate([0.15 - y, -0.15 - y])
        value, _ = dual_optimum(np.tile(K, (2, 2)), low, high, linear, np.zeros(18), 0.0)
        assert model.objective_[0] == pytest.approx(-value, rel=1e-6, abs=1e-9), seed
        assert model.objective_[1] == pytest.approx(-value, rel=1e-6, abs=1e-8), seed


@pytest.mark.parametrize(("kernel", "options"), [("rbf", {"gamma": 0.5}), ("linear", {})])
def test_the_objective_is_that_of_a_general_solver(kernel, options):
    check_against_general_solver(kernel, options, range(3))


@pytest.mark.slow
@pytest.mark.parametrize(("kernel", "options"), [("rbf", {"gamma": 0.5}), ("linear", {})])
def test_the_objective_is_that_of_a_general_solver_many_times(kernel, options):
    check_against_general_solver(kernel, options, range(3, 200))


@pytest.mark.parametrize("settings", [{}, {"kernel": "linear", "C": 0.1}, {"epsilon": 30.0, "C": 50.0}])
def test_agrees_with_scikit_learn(settings):
    X, y = load_diabetes(return_X_y=True)
    X = scale(X)
    ours, theirs = SVR(tol=1e-8, **settings).fit(X, y), peer.SVR(tol=1e-6, **settings).fit(X, y)
    np.testing.assert_allclose(ours.predict(X), theirs.predict(X), atol=2e-3)
    assert abs(len(ours.support_) - len(theirs.support_)) <= 2
    if "kernel" in settings:
        np.testing.assert_allclose(ours.coef_, theirs.coef_, atol=1e-3)


def test_errors_of_rows_without_a_coefficient_are_within_the_tube():
    X, y = wave(300)
    model = SVR(C=5.0, epsilon=0.2, tol=1e-7).fit(X, y)
    errors = np.abs(y - model.predict(X))
    inside = np.setdiff1d(np.arange(300), model.support_)
    assert errors[inside].max() <= 0.2 + 1e-6
    assert errors[model.support_].min() >= 0.2 - 1e-6
    assert model.score(X, y) > 0.9


def test_other_units_of_the_target_give_the_same_fit():
    X, y = wave(200)
    unit = 2.0**-20  # powers of 2 change no digit
    one, small = SVR().fit(X, y), SVR(C=unit, epsilon=0.1 * unit).fit(X, unit * y)
    np.testing.assert_array_equal(small.predict(X), unit * one.predict(X))
    assert one.n_iter_ == small.n_iter_


def test_threads_and_shrinking_do_not_change_the_answer():
    X, y = wave(600)
    one, two = SVR(C=50.0, n_jobs=1).fit(X, y), SVR(C=50.0, n_jobs=2).fit(X, y)
    np.testing.assert_array_equal(one.predict(X), two.predict(X))
    whole = SVR(C=50.0, shrinking=False).fit(X, y)
    np.testing.assert_allclose(one.predict(X), whole.predict(X), atol=5e-3)


def test_a_target_within_the_tube_needs_no_support_vectors():
    X, y = wave(20)
    model = SVR(epsilon=10.0).fit(X, y)
    assert len(model.support_) == 0
    np.testing.assert_allclose(model.predict(X), (y.max() + y.min()) / 2)
    assert not hasattr(model, "coef_")


def test_a_limit_of_steps_is_kept():
    X, y = wave(100)
    with pytest.warns(ConvergenceWarning, match="raise max_iter"):
        model = SVR(max_iter=5).fit(X, y)
    assert model.n_iter_ == 5


def test_number_of_support_vectors():
    X, y = np.array([[0.0], [0.44], [0.45], [0.46], [1.0]]), np.arange(5.0)
    model = SVR().fit(X, y)
    np.testing.assert_array_equal(model.n_support_, peer.SVR().fit(X, y).n_support_)
    assert not hasattr(SVR(), "n_support_")

"""Columns far from 0 and of any scale: the same predictions as in extended precision, or a warning."""

from __future__ import annotations

import warnings
from functools import lru_cache

import numpy as np
import pytest
from tests.oracles.linear_optimum import poisson_optimum, probabilities, softmax_optimum

import hornbook as hb
from hornbook import Blocks, Frame, GeneralizedLinearRegressor, LogisticRegression

OFFSETS = [0.0, 1e3, 1e6, 1e9, 1e12]
SCALES = [1e-12, 1e-6, 1.0, 1e6, 1e12]
EPS = np.finfo(float).eps
far = pytest.mark.parametrize("offset", OFFSETS)
classes = pytest.mark.parametrize("k", [2, 4])


def rows(n=150, d=3, seed=0):
    return np.random.default_rng(seed).normal(size=(n, d))


def labels(X, k, seed=1):
    rng = np.random.default_rng(seed)
    return (X @ rng.normal(size=(X.shape[1], k)) + rng.gumbel(size=(len(X), k))).argmax(axis=1)


def quiet(model, *data):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)
        return model.fit(*data)


@lru_cache
def logistic_reference(k, offset, scale, C):
    X = rows() * scale + offset
    center, coef, intercept = softmax_optimum(X, labels(rows(), k), C)
    return X, coef, probabilities((X - center) @ coef.T + intercept)


def assert_agrees(model, reference):
    X, coef, shares = reference
    size = float(np.abs(coef).max())
    np.testing.assert_allclose(model.coef_, coef.astype(float), rtol=1e-6, atol=1e-6 * size)
    rounding = 16 * EPS * float((np.abs(X) @ np.abs(coef).T.astype(float)).max())
    np.testing.assert_allclose(model.predict_proba(X), shares.astype(float), atol=1e-6 + rounding)


@far
@classes
@pytest.mark.parametrize("C", [1.0, 1e9])
@pytest.mark.parametrize("solver", ["newton", "lbfgs"])
def test_logistic_coefficients_do_not_depend_on_offsets(solver, C, k, offset):
    model = LogisticRegression(solver=solver, C=C, tol=1e-9, max_iter=1000)
    reference = logistic_reference(k, offset, 1.0, C)
    assert_agrees(quiet(model, reference[0], labels(rows(), k)), reference)


@classes
@pytest.mark.parametrize("scale", SCALES)
@pytest.mark.parametrize("solver", ["newton", "lbfgs"])
def test_logistic_coefficients_at_any_scale(solver, k, scale):
    model = LogisticRegression(solver=solver, C=1.0 / scale**2, tol=1e-9, max_iter=1000)
    reference = logistic_reference(k, 3 * scale, scale, 1.0 / scale**2)
    assert_agrees(quiet(model, reference[0], labels(rows(), k)), reference)


@far
@classes
def test_unpenalized_logistic_regression_is_the_same_at_any_offset(k, offset):
    X, y = rows(), labels(rows(), k)
    near, away = LogisticRegression(C=np.inf).fit(X, y), quiet(LogisticRegression(C=np.inf), X + offset, y)
    np.testing.assert_allclose(away.coef_, near.coef_, rtol=1e-6, atol=64 * EPS * offset)
    assert (away.predict(X + offset) == near.predict(X)).mean() > 0.99


@far
@classes
@pytest.mark.parametrize("solver", ["newton", "lbfgs"])
def test_absolute_values_meet_their_conditions_at_any_offset(solver, k, offset):
    C, X, y = 0.2, rows(d=5) + offset, labels(rows(d=5), k)
    model = quiet(LogisticRegression(solver=solver, C=C, l1_ratio=1.0, tol=1e-9, max_iter=2000), X, y)
    wide = X.astype(np.longdouble)
    wide -= wide.mean(axis=0)
    constant = model.intercept_ + (model.coef_.astype(np.longdouble) * X.mean(axis=0)).sum(axis=1)
    P = probabilities(wide @ model.coef_.T + constant)
    pull = C * ((np.eye(k)[y] - P).T @ wide)[-len(model.coef_) :].astype(float)
    loose = 1e-5 + 1e3 * EPS * offset
    zero = model.coef_ == 0
    assert (np.abs(pull[zero]) <= 1 + loose).all()
    np.testing.assert_allclose(pull[~zero], np.sign(model.coef_[~zero]), atol=loose)


@far
@pytest.mark.parametrize("scale", SCALES)
def test_counts_agree_with_extended_precision(offset, scale):
    X = rows() * scale + offset * scale
    y = np.random.default_rng(2).poisson(np.exp(0.5 * rows()[:, 0] + 1.0)).astype(float)
    center, coef, intercept, errors = poisson_optimum(X, y)
    model = quiet(GeneralizedLinearRegressor(family="poisson"), X, y)
    size = float(np.abs(coef).max())
    np.testing.assert_allclose(model.coef_, coef.astype(float), rtol=1e-8, atol=1e-8 * size)
    np.testing.assert_allclose(model.standard_errors_[:-1], errors.astype(float), rtol=1e-7)
    expected = np.exp((X - center) @ coef + intercept).astype(float)
    rounding = 16 * EPS * float((np.abs(X) @ np.abs(coef.astype(float))).max())
    np.testing.assert_allclose(model.predict(X), expected, rtol=1e-8 + rounding)


def test_the_standard_error_of_the_intercept_is_that_of_a_shifted_line():
    X, y = rows(d=1), rows(d=1, seed=4)[:, 0]
    for offset in (0.0, 7.0):
        least = hb.LinearRegression().fit(X + offset, y)
        model = GeneralizedLinearRegressor().fit(X + offset, y)
        np.testing.assert_allclose(model.standard_errors_, least.standard_errors_, rtol=1e-9)


SURROGATES = [
    (loss, penalty)
    for loss in ("hinge", "squared_hinge", "exponential", "log_loss", "squared_error")
    for penalty in ("l2", "l1", "l0")
]


@pytest.mark.parametrize("offset", [1e6, 1e12])
@pytest.mark.parametrize(("loss", "penalty"), SURROGATES)
def test_surrogate_losses_are_the_same_at_any_offset(loss, penalty, offset):
    X, y = rows(n=80), labels(rows(n=80), 3)
    model = hb.SurrogateLossClassifier(loss=loss, penalty=penalty, tol=1e-8)
    near, away = quiet(model, X, y).objective_, quiet(model, X + offset, y).objective_
    assert away == pytest.approx(near, rel=1e-7 + 1e3 * EPS * offset)


LEARNERS = [
    lambda: hb.OneVsRest(LogisticRegression()),
    hb.LinearDiscriminant,
    lambda: hb.LinearDiscriminant(solver="eigen"),
    hb.BasicLinearClassifier,
    hb.NearestMeanClassifier,
    lambda: hb.NearestMeanClassifier(metric="mahalanobis"),
]


@far
@classes
@pytest.mark.parametrize("make", LEARNERS)
def test_other_classifiers_answer_the_same_at_any_offset(make, k, offset):
    X, y = rows(n=300), labels(rows(n=300), k)
    near = make().fit(X, y).predict(X)
    assert (quiet(make(), X + offset, y).predict(X + offset) == near).mean() > 0.99


@far
@pytest.mark.parametrize(
    "make", [hb.LinearRegression, hb.Ridge, lambda: hb.Lasso(0.01), lambda: hb.ElasticNet(0.01)]
)
def test_regressors_answer_the_same_at_any_offset(make, offset):
    X, y = rows(), rows() @ [1.0, -2.0, 0.5] + rows(d=1, seed=5)[:, 0]
    near = make().fit(X, y).predict(X)
    away = quiet(make(), X + offset, y).predict(X + offset)
    np.testing.assert_allclose(away, near, atol=1e-9 + 64 * EPS * offset)


CLASSIFIERS = [
    LogisticRegression,
    hb.SurrogateLossClassifier,
    hb.LinearDiscriminant,
    hb.BasicLinearClassifier,
]


@pytest.mark.parametrize("make", [*CLASSIFIERS, hb.LinearRegression, hb.Ridge, GeneralizedLinearRegressor])
def test_a_column_that_cannot_be_held_is_named(make):
    X = rows()
    X[:, 1] += 1e12
    with pytest.warns(UserWarning, match=r"column 'x1' lies so far from 0 \(mean 1e\+12, standard deviation"):
        make().fit(X, labels(rows(), 2))


@pytest.mark.parametrize("make", [*CLASSIFIERS, hb.LinearRegression, hb.Ridge, GeneralizedLinearRegressor])
def test_offsets_that_can_be_held_and_constant_columns_say_nothing(make):
    X = np.column_stack([rows() + 1e6, np.full(len(rows()), 1e15)])
    make().fit(X, labels(rows(), 2))


@pytest.mark.parametrize(
    "make", [hb.PolynomialRegression, hb.PolynomialClassifier, hb.GeneralizedLinearClassifier]
)
def test_products_that_lose_their_differences_are_named(make):
    X = rows()
    X[:, 2] += 1e7
    with pytest.warns(UserWarning, match="column 'x2' lies so far from 0 .* products of degree 2"):
        make().fit(X, labels(rows(), 2))


def test_columns_that_are_nearly_proportional_without_an_intercept_are_named():
    X = rows() + 1e7
    with pytest.warns(UserWarning, match="columns 'x0' and 'x1' hardly vary for their size"):
        LogisticRegression(fit_intercept=False, C=1e6).fit(X, labels(rows(), 2))


def test_a_perceptron_that_fails_on_a_far_column_names_it():
    X, y = rows(), labels(rows(), 2)
    hb.Perceptron().fit(X, y)
    with pytest.warns(UserWarning, match="column 'x0' lies far from 0 .* corrections by single rows"):
        hb.Perceptron().fit(X + 1e3, y)


@pytest.mark.parametrize(
    "make",
    [
        LogisticRegression,
        lambda: LogisticRegression(solver="lbfgs"),
        lambda: hb.SurrogateLossClassifier(loss="log_loss"),
        hb.BasicLinearClassifier,
    ],
)
def test_blocks_give_the_bits_of_memory_on_far_columns(make):
    X = rows(n=9000) * 5 + 1e5
    frame = Frame(np.column_stack([X, labels(rows(n=9000), 3)]), target=3)
    whole, pieces = make().fit(frame), make().fit(Blocks([frame[:7], frame[7:5000], frame[5000:]]))
    np.testing.assert_array_equal(whole.coef_, pieces.coef_)
    np.testing.assert_array_equal(whole.intercept_, pieces.intercept_)

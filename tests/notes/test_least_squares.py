"""Least squares of the notes: one column, several columns, redundant columns."""

from __future__ import annotations

import numpy as np
import pytest

from hornbook import GeneralizedLinearRegressor, LinearRegression, LogLinearRegression, datasets


def melons():
    table = datasets.watermelon("3.0a")
    return table.features.numbers, table.y.astype(float)


def test_one_column_by_the_formula_of_the_notes():
    """w = sum y (x - mean x) / (sum x² - (sum x)² / m), b = mean of y - w x."""
    X, _ = melons()
    x, y = X[:, 0], X[:, 1]
    w = (y * (x - x.mean())).sum() / ((x**2).sum() - x.sum() ** 2 / len(x))
    model = LinearRegression().fit(X[:, :1], y)
    assert model.coef_[0] == pytest.approx(w, rel=1e-12) == pytest.approx(0.14070, abs=5e-6)
    assert model.intercept_ == pytest.approx((y - w * x).mean()) == pytest.approx(0.13788, abs=5e-6)


def test_several_columns_by_the_formula_of_the_notes():
    """With a column of ones behind X: (X'X)^-1 X'y, where the gradient 2 X'(Xw - y) vanishes."""
    X, y = melons()
    A = np.column_stack([X, np.ones(len(X))])
    model = LinearRegression().fit(X, y)
    coefficients = np.append(model.coef_, model.intercept_)
    np.testing.assert_allclose(coefficients, np.linalg.inv(A.T @ A) @ A.T @ y, rtol=1e-10)
    np.testing.assert_allclose(coefficients, [0.43158, 2.17604, -0.22240], atol=5e-6)
    np.testing.assert_allclose(2 * A.T @ (A @ coefficients - y), 0, atol=1e-12)


def test_more_columns_than_rows_leave_a_choice_which_is_the_shortest():
    X, y = melons()
    rng = np.random.default_rng(0)
    wide = rng.normal(size=(len(X), 40))
    model = LinearRegression(fit_intercept=False).fit(wide, y)
    np.testing.assert_allclose(wide @ model.coef_, y, atol=1e-12)
    np.testing.assert_allclose(model.coef_, np.linalg.pinv(wide) @ y, atol=1e-12)
    longer = model.coef_ + np.linalg.svd(wide)[2][-1]  # fits as well
    np.testing.assert_allclose(wide @ longer, y, atol=1e-12)
    assert np.linalg.norm(longer) > np.linalg.norm(model.coef_)


def test_the_linear_model_is_the_sum_of_weighted_columns_and_a_constant():
    X, y = melons()
    model = LinearRegression().fit(X, y)
    np.testing.assert_allclose(model.predict(X), [model.coef_ @ x + model.intercept_ for x in X], rtol=1e-12)
    residual = y - model.predict(X)
    rng = np.random.default_rng(1)
    for step in rng.normal(size=(20, 2)):
        other = y - X @ (model.coef_ + step) - model.intercept_
        assert other @ other > residual @ residual


def test_log_linear_regression_is_linear_in_the_logarithm():
    """ln y = w·x + b, so the answer is exp(w·x + b)."""
    X, _ = melons()
    y = np.exp(0.7 * X[:, 0] - 1.2 * X[:, 1] + 0.3)
    model = LogLinearRegression().fit(X, y)
    np.testing.assert_allclose(model.coef_, [0.7, -1.2], rtol=1e-9)
    assert model.intercept_ == pytest.approx(0.3)
    np.testing.assert_allclose(model.predict(X), y, rtol=1e-12)


def test_generalized_linear_model_puts_the_inverse_link_around_the_sum():
    """y = g^-1(w·x + b): logistic for shares, exponential for counts."""
    X, y = melons()
    shares = GeneralizedLinearRegressor(family="binomial", tol=1e-14).fit(X, y)
    np.testing.assert_allclose(shares.coef_, [3.15833, 12.52120], atol=5e-6)
    assert shares.intercept_ == pytest.approx(-4.42886, abs=5e-6)
    z = X @ shares.coef_ + shares.intercept_
    np.testing.assert_allclose(shares.predict(X), 1 / (1 + np.exp(-z)))
    counts = GeneralizedLinearRegressor(family="poisson").fit(X, np.round(20 * X[:, 1]))
    np.testing.assert_allclose(counts.predict(X), np.exp(X @ counts.coef_ + counts.intercept_))

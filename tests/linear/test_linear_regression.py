"""Least squares and ridge against scikit-learn, statsmodels, their own equations, and bad input."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest
import scipy.sparse as sp
import statsmodels.api as sm
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.linear_model import LinearRegression as Reference
from sklearn.linear_model import Ridge as RidgeReference

import hornbook
from hornbook import Blocks, Frame, LinearRegression, Ridge


def table(n=300, d=5, seed=0, targets=None):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, d)) * rng.uniform(0.2, 5, d) + rng.normal(size=d) * 3
    shape = (d,) if targets is None else (d, targets)
    y = X @ rng.normal(size=shape) + 2.0
    return X, y + rng.normal(size=y.shape)


@pytest.mark.parametrize("noise", [1.0, 1e-3, 1e-6])
def test_small_residuals_keep_their_digits(noise):
    """Residual squares are total minus explained squares, unless little is left."""
    X, y = table()
    signal = X @ np.ones(X.shape[1])
    y = signal + noise * (y - y.mean())
    judge = sm.OLS(y, sm.add_constant(X)).fit()
    model = LinearRegression().fit(X, y)
    assert model.residual_variance_ == pytest.approx(judge.mse_resid, rel=1e-9)
    np.testing.assert_allclose(np.roll(model.standard_errors_, 1), judge.bse, rtol=1e-8)


def weights(n):
    return 0.5 + np.arange(n) % 3


@pytest.mark.parametrize("fit_intercept", [True, False])
@pytest.mark.parametrize("targets", [None, 3])
@pytest.mark.parametrize("weighted", [True, False])
def test_coefficients_of_scikit_learn(fit_intercept, targets, weighted):
    X, y = table(targets=targets)
    w = weights(len(X)) if weighted else None
    ours = LinearRegression(fit_intercept=fit_intercept).fit(X, y, w)
    theirs = Reference(fit_intercept=fit_intercept).fit(X, y, w)
    np.testing.assert_allclose(ours.coef_, theirs.coef_, rtol=0, atol=1e-10)
    np.testing.assert_allclose(ours.intercept_, theirs.intercept_, rtol=0, atol=1e-10)
    np.testing.assert_allclose(ours.predict(X), theirs.predict(X), rtol=0, atol=1e-9)
    assert ours.coef_.shape == theirs.coef_.shape
    if not weighted:
        assert ours.score(X, y) == pytest.approx(
            np.mean(ours.r_squared_) if fit_intercept else ours.score(X, y)
        )


@pytest.mark.parametrize("fit_intercept", [True, False])
def test_standard_errors_tests_and_intervals_of_statsmodels(fit_intercept):
    X, y = table()
    model = LinearRegression(fit_intercept=fit_intercept, confidence=0.9).fit(X, y)
    judge = sm.OLS(y, sm.add_constant(X) if fit_intercept else X).fit()
    description = model.describe().to_dict()
    rows = np.array([row[1:] for row in description["tables"][0]["rows"]], dtype=float)
    expected = np.column_stack([judge.params, judge.bse, judge.tvalues, judge.pvalues, judge.conf_int(0.1)])
    np.testing.assert_allclose(rows, expected, rtol=1e-8, atol=1e-12)
    assert description["facts"]["R squared"] == pytest.approx(judge.rsquared, rel=1e-10)
    assert description["facts"]["F"] == pytest.approx(judge.fvalue, rel=1e-9)
    assert description["facts"]["p of F"] == pytest.approx(judge.f_pvalue, rel=1e-6)
    assert model.residual_variance_ == pytest.approx(judge.mse_resid, rel=1e-10)
    assert model.degrees_of_freedom_ == judge.df_resid


def test_whole_weights_give_the_errors_of_repeated_rows():
    X, y = table(60)
    w = np.arange(60) % 4
    one = LinearRegression().fit(X, y, w)
    other = LinearRegression().fit(np.repeat(X, w, axis=0), np.repeat(y, w))
    np.testing.assert_allclose(one.standard_errors_, other.standard_errors_, rtol=1e-10)
    assert one.degrees_of_freedom_ == other.degrees_of_freedom_


@pytest.mark.parametrize("weighted", [True, False])
def test_redundant_columns_get_the_shortest_coefficients(weighted):
    X, y = table()
    X = np.column_stack([X, X[:, 0] - 2 * X[:, 1], np.full(len(X), 3.0)])
    w = weights(len(X)) if weighted else None
    model = LinearRegression().fit(X, y, w)
    assert model.rank_ == 5
    np.testing.assert_allclose(model.coef_, Reference().fit(X, y, w).coef_, atol=1e-9)
    assert "5 of 7" in str(model.describe())
    assert model.coef_[-1] == pytest.approx(0, abs=1e-12)


def test_more_columns_than_rows():
    X, y = table(12, 30)
    model = LinearRegression().fit(X, y)
    np.testing.assert_allclose(model.coef_, Reference().fit(X, y).coef_, atol=1e-9)
    np.testing.assert_allclose(model.predict(X), y, atol=1e-9)
    description = model.describe().to_dict()
    assert description["facts"]["tests"].startswith("none")
    assert model.standard_errors_.size == 0
    assert model.residual_variance_ == 0


@pytest.mark.parametrize("degree", [6, 9])
def test_nearly_redundant_columns_keep_their_digits(degree):
    """Powers on [0, 1]: normal equations alone would lose all but a few digits of the coefficients."""
    x = np.linspace(0, 1, 60)
    X = np.column_stack([x**k for k in range(1, degree + 1)])
    truth = np.arange(1.0, degree + 1) * (-1) ** np.arange(degree)
    model = LinearRegression().fit(X, X @ truth + 1.0)
    np.testing.assert_allclose(model.coef_, truth, rtol=1e-6)
    assert model.rank_ == degree


def test_units_do_not_matter():
    X, y = table()
    units, shift = np.array([1e-9, 1.0, 1e9, 1e4, 1e-4]), np.array([0.0, 1e3, 0.0, -1e6, 0.0])
    one, other = LinearRegression().fit(X, y), LinearRegression().fit(X * units + shift, y)
    np.testing.assert_allclose(other.coef_ * units, one.coef_, rtol=1e-7)
    np.testing.assert_allclose(other.standard_errors_[:-1] * units, one.standard_errors_[:-1], rtol=1e-6)


@settings(derandomize=True, max_examples=40, deadline=None)
@given(
    seed=st.integers(0, 2**32),
    n=st.integers(2, 40),
    d=st.integers(1, 6),
    alpha=st.sampled_from([0.0, 0.3, 50.0]),
)
def test_gradient_vanishes(seed, n, d, alpha):
    X, y = table(n, d, seed)
    w = weights(n)
    model = Ridge(alpha=alpha).fit(X, y, w)
    residual = y - X @ model.coef_ - model.intercept_
    scale = (w * np.abs(y)) @ np.abs(X).sum(axis=1) + 1
    np.testing.assert_allclose((X.T @ (w * residual) - alpha * model.coef_) / scale, 0, atol=1e-11)
    assert (w @ residual) / scale == pytest.approx(0, abs=1e-11)


@pytest.mark.parametrize("alpha", [1e-6, 1.0, 1e4])
@pytest.mark.parametrize("shape", [(300, 5), (12, 30)])
@pytest.mark.parametrize("fit_intercept", [True, False])
@pytest.mark.parametrize("targets", [None, 2])
def test_ridge_of_scikit_learn(alpha, shape, fit_intercept, targets):
    X, y = table(*shape, targets=targets)
    w = weights(len(X))
    ours = Ridge(alpha=alpha, fit_intercept=fit_intercept).fit(X, y, w)
    theirs = RidgeReference(alpha=alpha, fit_intercept=fit_intercept, solver="svd").fit(X, y, w)
    np.testing.assert_allclose(ours.coef_, theirs.coef_, rtol=0, atol=1e-9)
    np.testing.assert_allclose(ours.intercept_, theirs.intercept_, rtol=0, atol=1e-8)


def test_ridge_without_penalty_is_least_squares():
    X, y = table()
    X = np.column_stack([X, X[:, 0]])
    np.testing.assert_array_equal(Ridge(alpha=0.0).fit(X, y).coef_, LinearRegression().fit(X, y).coef_)


def test_blocks_threads_files_and_sparse_matrices_give_the_same_bits(tmp_path):
    X, y = table(9000)
    X = np.column_stack([X, X[:, 0] + X[:, 1]])  # the path through QR and SVD, too
    for columns in (X[:, :5], X):
        d = columns.shape[1]
        frame = Frame(np.column_stack([columns, y]), target=d)
        whole = LinearRegression(n_jobs=1).fit(frame)
        for cuts, jobs in (((0, 4096, 9000), 2), ((0, 1, 5000, 9000), 3)):
            other = LinearRegression(n_jobs=jobs).fit(
                Blocks([frame[a:b] for a, b in pairwise(cuts)], n_jobs=jobs)
            )
            np.testing.assert_array_equal(other.coef_, whole.coef_)
            np.testing.assert_array_equal(other.standard_errors_, whole.standard_errors_)
        np.testing.assert_array_equal(LinearRegression().fit(sp.csr_matrix(columns), y).coef_, whole.coef_)
    lines = "\n".join(",".join(map(repr, row)) for row in np.column_stack([X[:, :5], y]).tolist())
    (tmp_path / "rows.csv").write_text("a,b,c,d,e,y\n" + lines + "\n")
    on_disk = hornbook.scan(tmp_path / "rows.csv", target="y", batch_rows=1000)
    in_memory = LinearRegression().fit(X[:, :5], y)
    np.testing.assert_array_equal(LinearRegression().fit(on_disk).coef_, in_memory.coef_)


def test_several_targets_are_told_and_kept(tmp_path):
    X, y = table(targets=2)
    model = LinearRegression().fit(X, y)
    singles = [LinearRegression().fit(X, y[:, i]) for i in range(2)]
    np.testing.assert_allclose(
        model.standard_errors_, [single.standard_errors_ for single in singles], rtol=1e-10
    )
    assert "Coefficients of y2" in str(model.describe())
    working = model.working(X[0].tolist()).to_dict()
    assert working["candidates"] == ["y1", "y2"]
    np.testing.assert_allclose(working["scores"], model.predict(X[:1])[0])
    hornbook.save(model, tmp_path / "two.hornbook")
    np.testing.assert_array_equal(hornbook.load(tmp_path / "two.hornbook").predict(X), model.predict(X))
    marks = [dots.get_offsets()[:, 0] for dots in model.plot().collections]
    np.testing.assert_allclose(marks, model.coef_)


def test_bad_input():
    with pytest.raises(ValueError, match="squares overflow; scale it first"):
        LinearRegression().fit([[1e200], [-1e200], [0.0]], [1.0, 2.0, 3.0])
    with pytest.raises(ValueError, match="Ridge: a column"):
        Ridge().fit(np.diag([1e300, 1e300]), [1.0, 2.0])
    with pytest.raises(ValueError, match="'alpha'.*-1"):
        Ridge(alpha=-1).fit([[1.0]], [1.0])
    with pytest.raises(ValueError, match="inconsistent numbers"):
        LinearRegression().fit([[1.0], [2.0]], np.zeros((3, 2)))
    with pytest.raises(ValueError, match="NaN"):
        LinearRegression().fit([[1.0], [2.0]], [[1.0, np.nan], [0.0, 1.0]])
    with pytest.raises(ValueError, match="1d array"):
        LinearRegression().fit([[1.0], [2.0]], np.zeros((2, 2, 2)))


def test_one_line_is_drawn_among_its_points():
    x, y = [[0.0], [1.0], [2.0]], [0.0, 1.1, 1.9]
    ax = LinearRegression().fit(x, y).plot(x, y)
    assert [line.get_label() for line in ax.lines] == ["LinearRegression"]

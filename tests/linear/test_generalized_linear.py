"""Generalized linear models against statsmodels, their own equations, and bad input."""

from __future__ import annotations

import numpy as np
import pytest
import scipy.sparse as sp
import statsmodels.api as sm
from sklearn.exceptions import ConvergenceWarning
from statsmodels.genmod.families import links

from hornbook import (
    Blocks,
    Frame,
    GeneralizedLinearRegressor,
    LinearRegression,
    LogisticRegression,
    LogLinearRegression,
)
from hornbook.linear.solvers._families import FAMILIES, LINKS

JUDGES = {
    ("gaussian", "canonical"): sm.families.Gaussian,
    ("gaussian", "log"): lambda: sm.families.Gaussian(links.Log()),
    ("poisson", "canonical"): sm.families.Poisson,
    ("poisson", "log"): lambda: sm.families.Poisson(links.Log()),
    ("gamma", "canonical"): lambda: sm.families.Gamma(links.InversePower()),
    ("gamma", "log"): lambda: sm.families.Gamma(links.Log()),
    ("binomial", "canonical"): sm.families.Binomial,
    ("binomial", "log"): lambda: sm.families.Binomial(links.Log()),
}
every = pytest.mark.parametrize(("family", "link"), list(JUDGES))


def table(family, link, n=400, seed=0):
    rng = np.random.default_rng(seed)
    X = rng.uniform(0, 1, size=(n, 3))
    name = FAMILIES[family].canonical if link == "canonical" else link
    z = {"log": -1.5 + 0.4 * X[:, 0], "inverse": 1.0 + X[:, 0]}.get(name, 0.5 + X[:, 0]) + 0.3 * X[:, 1]
    mean = LINKS[name].mean(z)
    draw = {
        "gaussian": lambda: mean + 0.05 * rng.normal(size=n),
        "poisson": lambda: rng.poisson(mean).astype(float),
        "gamma": lambda: rng.gamma(3.0, mean / 3.0),
        "binomial": lambda: (rng.random(n) < mean).astype(float),
    }
    return X, draw[family]()


def fitted(family, link, **setting):
    return GeneralizedLinearRegressor(family=family, link=link, tol=1e-14, **setting)


@every
@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.filterwarnings("ignore:The .* link function does not respect")  # of statsmodels
def test_coefficients_errors_and_deviance_of_statsmodels(family, link, weighted):
    X, y = table(family, link)
    w = 1.0 + np.arange(len(y)) % 3 if weighted else np.ones(len(y))
    model = fitted(family, link, confidence=0.9).fit(X, y, w if weighted else None)
    judge = sm.GLM(y, sm.add_constant(X), family=JUDGES[family, link](), freq_weights=w).fit(
        tol=1e-14, maxiter=200
    )
    coefficients = np.append(model.intercept_, model.coef_)
    np.testing.assert_allclose(coefficients, judge.params, rtol=0, atol=1e-8)
    errors = np.append(model.standard_errors_[-1], model.standard_errors_[:-1])
    np.testing.assert_allclose(errors, judge.bse, rtol=1e-7)
    assert model.deviance_ == pytest.approx(judge.deviance, rel=1e-9)
    assert model.null_deviance_ == pytest.approx(judge.null_deviance, rel=1e-9)
    assert model.dispersion_ == pytest.approx(judge.scale, rel=1e-8)
    assert model.degrees_of_freedom_ == judge.df_resid
    rows = np.array([row[1:] for row in model.describe().to_dict()["tables"][0]["rows"]])
    expected = np.column_stack([judge.params, judge.bse, judge.tvalues, judge.pvalues, judge.conf_int(0.1)])
    np.testing.assert_allclose(rows, expected, rtol=1e-6, atol=1e-8)
    np.testing.assert_allclose(model.predict(X), judge.predict(), rtol=1e-7)


@every
def test_the_score_vanishes(family, link):
    """At the default tolerance, all digits in a few steps: Newton's method, whatever the link."""
    X, y = table(family, link, seed=3)
    model = GeneralizedLinearRegressor(family=family, link=link).fit(X, y)
    assert model.n_iter_ <= 8
    name = FAMILIES[family].canonical if link == "canonical" else link
    z = X @ model.coef_ + model.intercept_
    mean = model.predict(X)
    pull = (y - mean) * LINKS[name].slope(z) / FAMILIES[family].variance(mean)
    np.testing.assert_allclose(np.append(X.T @ pull, pull.sum()) / len(y), 0, atol=1e-13)


@pytest.mark.parametrize(("family", "link"), [("gaussian", "canonical"), ("poisson", "canonical")])
def test_without_an_intercept(family, link):
    X, y = table(family, link)
    model = fitted(family, link, fit_intercept=False).fit(X, y)
    judge = sm.GLM(y, X, family=JUDGES[family, link]()).fit(tol=1e-14)
    np.testing.assert_allclose(model.coef_, judge.params, atol=1e-8)
    np.testing.assert_allclose(model.standard_errors_[:-1], judge.bse, rtol=1e-7)
    assert model.intercept_ == 0


@every
@pytest.mark.filterwarnings("ignore:The .* link function does not respect")  # of statsmodels
@pytest.mark.parametrize("weighted", [False, True])
def test_an_offset_is_added_as_it_is(family, link, weighted):
    X, y = table(family, link)
    offset = 0.2 * np.sin(np.arange(len(y)))
    w = 1.0 + np.arange(len(y)) % 3 if weighted else np.ones(len(y))
    both = np.column_stack([X[:, :1], offset, X[:, 1:]])
    model = GeneralizedLinearRegressor(family=family, link=link, offset=1).fit(both, y, w)
    judge = sm.GLM(y, sm.add_constant(X), family=JUDGES[family, link](), offset=offset, freq_weights=w).fit(
        tol=1e-14, maxiter=300
    )
    assert model.coef_[1] == 1
    assert model.standard_errors_[1] == 0
    coefficients = np.append(model.intercept_, np.delete(model.coef_, 1))
    np.testing.assert_allclose(coefficients, judge.params, rtol=0, atol=1e-8)
    errors = np.delete(np.roll(model.standard_errors_, 1), 2)
    np.testing.assert_allclose(errors, judge.bse, rtol=1e-7)
    assert model.deviance_ == pytest.approx(judge.deviance, rel=1e-9)
    assert model.degrees_of_freedom_ == judge.df_resid
    np.testing.assert_allclose(model.predict(both), judge.predict(), rtol=1e-7)
    nothing = sm.GLM(y, np.ones(len(y)), family=JUDGES[family, link](), offset=offset, freq_weights=w)
    assert model.null_deviance_ == pytest.approx(nothing.fit(tol=1e-14).deviance, rel=1e-9)


def test_rates_by_an_offset_given_by_name():
    """Events in hours at a constant rate: the rate is events over hours."""
    hours, events = np.array([1.0, 2.0, 4.0, 8.0]), np.array([1, 5, 7, 17])
    rows = {"hours": np.log(hours), "one": np.ones(4)}
    model = GeneralizedLinearRegressor(family="poisson", offset="hours").fit(rows, events)
    assert np.exp(model.intercept_ + model.coef_[1]) == pytest.approx(events.sum() / hours.sum())
    assert "deviance of the offset alone" in str(model.describe())
    alone = {"hours": np.log(hours)}
    bare = GeneralizedLinearRegressor(family="poisson", offset="hours", fit_intercept=False)
    np.testing.assert_allclose(bare.fit(alone, events).predict(alone), hours)
    for offset, sentence in (
        ("hous", "'offset': There is no column 'hous': did you mean 'hours'"),
        (7, "'offset': There is no column at position 7"),
        ("day", "'offset' must be a column of numbers; column 'day' is nominal"),
    ):
        with pytest.raises(ValueError, match=sentence):
            GeneralizedLinearRegressor(offset=offset).fit(rows | {"day": ["mo", "tu", "mo", "tu"]}, events)


def test_gaussian_is_least_squares_and_binomial_logistic_regression():
    X, y = table("gaussian", "canonical")
    one, other = GeneralizedLinearRegressor().fit(X, y), LinearRegression().fit(X, y)
    np.testing.assert_allclose(one.coef_, other.coef_, atol=1e-10)
    np.testing.assert_allclose(one.standard_errors_, other.standard_errors_, rtol=1e-8)
    X, y = table("binomial", "canonical")
    shares = fitted("binomial", "canonical").fit(X, y)
    classes = LogisticRegression(C=np.inf, tol=1e-10).fit(X, y)
    np.testing.assert_allclose(shares.coef_, classes.coef_[0], atol=1e-7)
    np.testing.assert_allclose(shares.predict(X), classes.predict_proba(X)[:, 1], atol=1e-7)


def test_shares_between_zero_and_one_count_as_parts_of_rows():
    X, y = table("binomial", "canonical", n=60)
    whole = fitted("binomial", "canonical").fit(
        np.vstack([X, X]), np.append(np.ones(60), np.zeros(60)), np.append(y * 0.7 + 0.1, 1 - (y * 0.7 + 0.1))
    )
    shares = fitted("binomial", "canonical").fit(X, y * 0.7 + 0.1)
    np.testing.assert_allclose(shares.coef_, whole.coef_, atol=1e-7)


def test_redundant_columns_do_no_harm():
    X, y = table("poisson", "canonical")
    more = np.column_stack([X, X[:, 0] + X[:, 1]])
    one, other = (fitted("poisson", "canonical").fit(Z, y) for Z in (X, more))
    np.testing.assert_allclose(other.predict(more), one.predict(X), rtol=1e-7)
    assert (one.rank_, other.rank_) == (4, 4)


def test_blocks_threads_and_sparse_matrices_give_the_same_bits():
    X, y = table("gamma", "log", n=9000)
    frame = Frame(np.column_stack([X, y]), target=3)
    setting = {"family": "gamma", "link": "log"}
    whole = GeneralizedLinearRegressor(**setting, n_jobs=1).fit(frame)
    pieces = Blocks([frame[:7], frame[7:5000], frame[5000:]], n_jobs=3)
    other = GeneralizedLinearRegressor(**setting, n_jobs=3).fit(pieces)
    np.testing.assert_array_equal(other.coef_, whole.coef_)
    sparse = GeneralizedLinearRegressor(**setting).fit(sp.csr_matrix(X), y)
    np.testing.assert_array_equal(sparse.coef_, whole.coef_)


def test_means_stay_possible_far_outside():
    X, y = table("gamma", "canonical")
    model = GeneralizedLinearRegressor(family="gamma").fit(X, y)
    far = model.predict([[-1e6, 0.0, 0.0], [1e6, 0.0, 0.0]])
    assert (far > 0).all()
    assert far.max() == pytest.approx(model.predict(X).max())
    working = model.working([-1e6, 0.0, 0.0])
    assert "cut off" in str(working)
    assert 1 / working.scores[0] == pytest.approx(working.prediction)
    X, y = table("binomial", "log")
    shares = GeneralizedLinearRegressor(family="binomial", link="log").fit(X, y)
    assert shares.predict([[1e6, 0.0, 0.0]]).max() <= 1


def test_log_linear_is_least_squares_of_the_logarithm():
    X, y = table("gamma", "log")
    model = LogLinearRegression().fit(X, y)
    plain = LinearRegression().fit(X, np.log(y))
    np.testing.assert_array_equal(model.coef_, plain.coef_)
    np.testing.assert_allclose(model.predict(X), np.exp(plain.predict(X)))
    np.testing.assert_array_equal(model.standard_errors_, plain.standard_errors_)
    assert np.isfinite(model.predict([[1e9, 1e9, 1e9], [-1e9, -1e9, -1e9]])).all()
    assert "with this log" in str(model.working(X[0].tolist()))


def test_bad_input():
    X = [[0.0], [1.0], [2.0], [3.0]]
    with pytest.raises(ValueError, match="y must be above 0 to have a logarithm; row 1 has 0"):
        LogLinearRegression().fit(X, [1.0, 0.0, 2.0, 3.0])
    for family, y, row in (
        ("poisson", [1, 2, -1, 0], 2),
        ("gamma", [1, 0, 2, 3], 1),
        ("binomial", [0, 1, 1, 2], 3),
    ):
        with pytest.raises(ValueError, match=f"'family' = '{family}' needs a target .* row {row} has"):
            GeneralizedLinearRegressor(family=family).fit(X, y)
    with pytest.raises(ValueError, match="the mean of y, -1.5, is impossible"):
        GeneralizedLinearRegressor(link="log").fit(X, [0.0, -1.0, -2.0, -3.0])
    with pytest.raises(ValueError, match="the mean of y, 0, is impossible"):
        GeneralizedLinearRegressor(family="poisson").fit(X, np.zeros(4))
    with pytest.raises(ValueError, match="needs an intercept to start from"):
        GeneralizedLinearRegressor(family="gamma", fit_intercept=False).fit(X, [1.0, 2.0, 3.0, 4.0])
    with pytest.warns(ConvergenceWarning, match="'max_iter' = 1 was too small"):
        GeneralizedLinearRegressor(family="poisson", max_iter=1).fit(X, [1, 3, 9, 27])
    with pytest.warns(ConvergenceWarning, match="a linear function may separate the rows"):
        model = GeneralizedLinearRegressor(family="binomial").fit(X, [0, 0, 1, 1])
    assert np.isfinite(model.standard_errors_).all()


def test_pictures():
    X, y = table("poisson", "canonical")
    ax = GeneralizedLinearRegressor(family="poisson").fit(X[:, :1], y).plot(X[:, :1], y)
    assert [line.get_label() for line in ax.lines] == ["GeneralizedLinearRegressor"]

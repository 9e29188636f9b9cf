"""Fewer rows than columns: the same results in the row space, and errors before long work."""

from __future__ import annotations

import time
import tracemalloc

import numpy as np
import pytest
from sklearn.base import clone, is_regressor
from sklearn.linear_model import LogisticRegression as TheirLogistic
from threadpoolctl import threadpool_limits

import hornbook as hb
from hornbook import (
    Blocks,
    Frame,
    GeneralizedLinearRegressor,
    LinearDiscriminant,
    LogisticRegression,
    NearestMeanClassifier,
    SurrogateLossClassifier,
)

N, P = 24, 2000


def table(n=N, p=P, k=3, seed=0):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, p)) + 5.0
    return X, np.arange(n) % k, X[:, :5].sum(axis=1) + rng.normal(size=n)


@pytest.mark.parametrize("k", [2, 3])
@pytest.mark.parametrize("fit_intercept", [True, False])
def test_logistic_regression_within_the_rows_is_that_of_all_columns(k, fit_intercept):
    X, y, _ = table(p=60, k=k)
    inside = LogisticRegression(tol=1e-9, fit_intercept=fit_intercept).fit(X, y)
    outside = TheirLogistic(solver="newton-cholesky", tol=1e-12, fit_intercept=fit_intercept).fit(X, y)
    np.testing.assert_allclose(inside.coef_, outside.coef_, atol=1e-7)
    np.testing.assert_allclose(inside.predict_proba(X), outside.predict_proba(X), atol=1e-7)


@pytest.mark.parametrize("loss", ["hinge", "squared_hinge", "exponential", "log_loss", "squared_error"])
def test_surrogate_losses_within_the_rows_meet_their_conditions(loss):
    X, y, _ = table(p=60, k=2)
    wide = SurrogateLossClassifier(loss=loss, tol=1e-8).fit(X, y)
    tall = SurrogateLossClassifier(loss=loss, tol=1e-8).fit(
        np.vstack([X, X, X]), np.tile(y, 3), np.full(72, 1 / 3)
    )
    np.testing.assert_allclose(wide.coef_, tall.coef_, atol=1e-6)
    assert wide.objective_ == pytest.approx(tall.objective_, rel=1e-9)


def test_the_discriminant_of_few_rows_is_that_of_the_products_of_columns():
    X, y, _ = table(n=30, p=40)
    wide = LinearDiscriminant().fit(X, y)
    tall = LinearDiscriminant().fit(np.vstack([X, X]), np.tile(y, 2), np.full(60, 0.5))
    np.testing.assert_allclose(wide.predict_proba(X), tall.predict_proba(X), atol=1e-8)
    np.testing.assert_allclose(wide.within_scatter_, tall.within_scatter_, atol=1e-10)
    assert wide.rank_ == tall.rank_
    near = NearestMeanClassifier(metric="mahalanobis")
    decisions = [
        near.fit(X, y).decision_function(X),
        near.fit(np.vstack([X, X]), np.tile(y, 2)).decision_function(X),
    ]
    np.testing.assert_allclose(*decisions, rtol=1e-6)


def test_a_generalized_linear_model_of_few_rows_fits_them_exactly():
    X, _, t = table(n=10, p=30)
    model = GeneralizedLinearRegressor().fit(X, t)
    shortest = hb.LinearRegression().fit(X, t)
    size = X.std(axis=0)  # in units of the columns, of which this is the shortest
    assert np.linalg.norm(model.coef_ * size) <= np.linalg.norm(shortest.coef_ * size)
    np.testing.assert_allclose(model.predict(X), t, atol=1e-8)
    counts = GeneralizedLinearRegressor(family="poisson").fit(X, np.arange(1.0, 11.0))
    np.testing.assert_allclose(counts.predict(X), np.arange(1.0, 11.0), rtol=1e-6)


def test_the_offset_of_a_wide_model_keeps_its_coefficient():
    X, _, _ = table(n=10, p=30)
    model = GeneralizedLinearRegressor(family="poisson", offset=2).fit(X, np.arange(1.0, 11.0))
    assert model.coef_[2] == pytest.approx(1.0, abs=1e-12)
    assert model.standard_errors_[2] == 0
    np.testing.assert_allclose(model.predict(X), np.arange(1.0, 11.0), rtol=1e-6)


@pytest.mark.parametrize("make", [LogisticRegression, SurrogateLossClassifier, LinearDiscriminant])
def test_blocks_give_the_bits_of_memory_on_wide_tables(make):
    X, y, _ = table(p=100)
    frame = Frame(np.column_stack([X, y]), target=100)
    whole, pieces = make().fit(frame), make().fit(Blocks([frame[:5], frame[5:]]))
    np.testing.assert_array_equal(whole.coef_, pieces.coef_)


FAST = [
    LogisticRegression(),
    LogisticRegression(C=np.inf),
    LogisticRegression(l1_ratio=1.0),
    SurrogateLossClassifier(),
    SurrogateLossClassifier(loss="log_loss", penalty="l1"),
    LinearDiscriminant(),
    hb.BasicLinearClassifier(),
    NearestMeanClassifier(metric="mahalanobis"),
    hb.LinearRegression(),
    hb.Ridge(),
    hb.ElasticNet(0.001),
    GeneralizedLinearRegressor(),
]


@pytest.mark.parametrize("model", FAST, ids=lambda model: type(model).__name__)
@pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
def test_two_thousand_columns_take_seconds_of_the_processor(model):
    X, y, t = table()
    start = time.process_time()
    model.fit(X, t if is_regressor(model) else y)
    assert time.process_time() - start < 20  # one to two seconds; the products of columns would take minutes


@pytest.mark.parametrize(
    ("setting", "sentence"),
    [
        ({"penalty": "l0", "loss": "log_loss"}, "penalty='l0' on 24 rows and 2000 encoded columns can take"),
        ({"penalty": "l1"}, "the hinge loss with penalty='l1' on 2001 coefficients would take"),
        ({"penalty": "l1", "loss": "zero_one"}, "the hinge loss with penalty='l1' on 2001 coefficients"),
    ],
)
def test_what_would_take_minutes_is_refused_first(setting, sentence):
    X, y, _ = table()
    with pytest.raises(ValueError, match=sentence):
        SurrogateLossClassifier(**setting).fit(X, y)


def test_discriminants_refuse_more_columns_than_whose_products_can_be_held():
    X = np.zeros((4, 16_385))
    with pytest.raises(
        ValueError, match="LinearDiscriminant: the products of 16385 encoded columns do not fit"
    ):
        LinearDiscriminant().fit(X, [0, 1, 0, 1])


@pytest.mark.parametrize("scale", [1e-310, 1e-150, 1e300])
def test_discriminants_do_not_depend_on_the_unit_of_weights(scale):
    X, y, _ = table(n=60, p=3)
    w = np.random.default_rng(1).uniform(0.5, 1.0, 60)
    model = LinearDiscriminant()
    expected = model.fit(X, y, sample_weight=w).predict_proba(X)
    probabilities = model.fit(X, y, sample_weight=scale * w).predict_proba(X)
    np.testing.assert_allclose(probabilities, expected, atol=1e-9)


@pytest.mark.parametrize("share", [0.1, 0.5, 1.0])
@pytest.mark.parametrize("fit_intercept", [True, False])
def test_the_elastic_net_of_few_rows_is_that_of_the_products_of_columns(share, fit_intercept):
    X, _, t = table(p=80)
    X = X - 5.0  # else the direction of the mean takes very many sweeps
    weights = np.arange(1.0, len(X) + 1)
    net = hb.ElasticNet(0.02, l1_ratio=share, fit_intercept=fit_intercept, tol=1e-12, max_iter=100_000)
    wide = clone(net).fit(X, t, sample_weight=weights)
    tall = clone(net).fit(np.tile(X, (4, 1)), np.tile(t, 4), sample_weight=np.tile(weights, 4))
    assert len(X) < 80 < 4 * len(X)
    np.testing.assert_allclose(wide.coef_, tall.coef_, atol=1e-7)
    assert wide.intercept_ == pytest.approx(tall.intercept_, abs=1e-7)
    assert wide.dual_gap_ == pytest.approx(0, abs=1e-9)


def test_the_elastic_net_of_few_rows_has_the_bits_of_memory():
    X, _, t = table(p=100)
    frame = Frame(np.column_stack([X, t]), target=100)
    whole = hb.ElasticNet(0.01, n_jobs=1).fit(frame)
    pieces = hb.ElasticNet(0.01, n_jobs=2).fit(Blocks([frame[:5], frame[5:]]))
    np.testing.assert_array_equal(whole.coef_, pieces.coef_)


@pytest.mark.parametrize("model", [hb.ElasticNet(0.01), hb.Lasso(0.01)])
@pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
def test_few_rows_never_need_the_products_of_all_columns(model):
    X, _, t = table()
    tracemalloc.start()
    try:
        model.fit(X, t)
        _, most = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert most < 8 * X.shape[1] ** 2 / 2  # all products would be twice as much


@pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
@pytest.mark.parametrize("k", [2, 3])
def test_absolute_values_do_not_depend_on_the_threads_of_blas(k):
    """Sums over more than ten thousand coefficients, which BLAS would share among its threads."""
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(12, 11_000)), np.arange(12) % k
    coefficients = []
    for count in (1, 2):
        with threadpool_limits(count, user_api="blas"):
            coefficients.append(LogisticRegression(l1_ratio=1.0, max_iter=20).fit(X, y).coef_)
    np.testing.assert_array_equal(*coefficients)

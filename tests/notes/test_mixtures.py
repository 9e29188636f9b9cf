"""Expectation maximization as the notes tell it: densities, steps, convergence, degeneracy, four remedies."""

from __future__ import annotations

import itertools
import math

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy.stats import multivariate_normal

from hornbook import GaussianMixture, datasets
from hornbook.optimize import heron


def fitted(**options):
    X = datasets.iris().features.numbers
    return X, GaussianMixture(3, random_state=0, reg_covar=0.0, **options).fit(X)


def densities(model, X):
    parts = zip(model.means_, model.covariances_, strict=True)
    return np.column_stack([multivariate_normal(m, S).pdf(X) for m, S in parts])


def test_density_of_a_mixture():
    """f(x) = sum over components of p(y) f(x | y)."""
    X, model = fitted()
    assert_allclose(np.exp(model.score_samples(X)), densities(model, X) @ model.weights_, rtol=1e-9)


def test_likelihood_is_the_product_of_densities():
    X, model = fitted()
    product = math.prod((densities(model, X) @ model.weights_).tolist())
    assert model.score(X) * len(X) == pytest.approx(math.log(product))


def test_expected_likelihood_over_hidden_assignments_collapses_to_a_double_sum():
    """sum over all c^n assignments of P(assignment) ln f(x, assignment) = sum_ij p(i | x_j) ln f(x_j, i)."""
    X, model = fitted()
    rows = X[[0, 60, 120, 140]]
    p, joint = model.predict_proba(rows), np.log(densities(model, rows) * model.weights_)
    total = 0.0
    for assignment in itertools.product(range(3), repeat=len(rows)):
        chance = math.prod(p[j, i] for j, i in enumerate(assignment))
        total += chance * sum(joint[j, i] for j, i in enumerate(assignment))
    assert total == pytest.approx((p * joint).sum())


def test_each_step_raises_the_likelihood_up_to_a_local_maximum():
    X, model = fitted(tol=1e-10, max_iter=500)
    assert (np.diff(model.history_["lower_bound"]) >= -1e-13).all()
    moved = model.means_ + 1e-3 * np.random.default_rng(0).normal(size=model.means_.shape)
    other = GaussianMixture(3).fit(X)
    vars(other).update(vars(model))
    other.means_ = moved
    assert other.score(X) < model.score(X)


def test_heron():
    """1.5, 1.41667, 1.414216, and to all digits at once afterwards."""
    steps = list(heron(2.0))
    assert [round(y, 6) for y in steps[:3]] == [1.5, 1.416667, 1.414216]
    assert steps[3] == pytest.approx(1.414213562, abs=1e-9)
    for before, y in itertools.pairwise(steps):  # 0 <= y_k - sqrt(x) <= y_(k-1) - y_k
        assert -1e-15 <= y - math.sqrt(2) <= before - y + 1e-15
    assert list(heron(9.0))[-1] == 3.0
    assert list(heron(0.0))[-1] == 0.0
    with pytest.raises(ValueError, match="x must be a finite number that is not negative; got -1"):
        next(heron(-1.0))
    with pytest.raises(ValueError, match="start must be a positive finite number; got 0"):
        next(heron(2.0, 0.0))


def test_expectation_step():
    """p(i | x) = p_i f(x | i) / sum over k of p_k f(x | k)."""
    X, model = fitted()
    joint = densities(model, X) * model.weights_
    assert_allclose(model.predict_proba(X), joint / joint.sum(axis=1, keepdims=True), atol=1e-12)


def test_maximization_step_on_weighted_copies():
    """Each row is split into weighted copies: weights, means and covariances (divisor: weight) of those."""
    X, model = fitted(tol=1e-13, max_iter=2000)  # at a fixed point the step changes nothing
    p = model.predict_proba(X)
    assert_allclose(p.sum(axis=1), 1.0)
    assert_allclose(p.mean(axis=0), model.weights_, atol=1e-7)
    for i in range(3):
        mean = np.average(X, axis=0, weights=p[:, i])
        assert_allclose(mean, model.means_[i], atol=1e-6)
        assert_allclose(np.cov(X.T, aweights=p[:, i], ddof=0), model.covariances_[i], atol=1e-6)


def test_convergence_by_the_change_of_means():
    _, model = fitted(convergence="means", tol=1e-5, max_iter=1000)
    assert model.converged_
    assert model.history_["shift"][-1] < 1e-5 <= min(model.history_["shift"][:-1])


def test_unrestricted_likelihood_has_no_maximum():
    """A component that shrinks on a single row takes the likelihood beyond any bound."""
    X = datasets.iris().features.numbers[:, :1]
    model = GaussianMixture(2, covariance_type="spherical", random_state=0).fit(X)
    model.means_[0], model.covariances_[0] = X.mean(), X.var()
    model.precisions_cholesky_[0] = X.std() ** -1
    scores = []
    for variance in (1e-6, 1e-12, 1e-24, 1e-48):
        model.means_[1], model.covariances_[1] = X[0], variance
        model.precisions_cholesky_[1] = variance**-0.5
        scores.append(model.score(X))
    assert scores == sorted(scores)
    assert scores[-1] - scores[-2] > 0.5


def test_four_remedies():
    X, model = fitted(covariance_type="equal_determinant")
    assert_allclose(np.linalg.det(model.covariances_), np.linalg.det(model.covariances_)[0])
    assert fitted(covariance_type="diag")[1].covariances_.shape == (3, 4)
    assert fitted(covariance_type="spherical")[1].covariances_.shape == (3,)
    assert fitted(equal_priors=True)[1].weights_.tolist() == [1 / 3] * 3
    assert model.score(X) < fitted()[1].score(X)  # a restriction never raises the likelihood

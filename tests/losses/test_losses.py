"""Losses against finite differences, scikit-learn and their own definitions."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.optimize import minimize
from sklearn.metrics import log_loss

from hornbook.losses import (
    ExponentialLoss,
    LogLoss,
    SoftmaxLoss,
    SquaredError,
    SquaredHingeLoss,
    SquaredMarginLoss,
    log_odds,
    logistic,
    odds,
    unit_step,
)

RNG = np.random.default_rng(0)
N = 40
CASES = [
    pytest.param(LogLoss(), RNG.integers(2, size=N), RNG.normal(size=N) * 3, id="log"),
    pytest.param(SoftmaxLoss(4), RNG.integers(4, size=N), RNG.normal(size=(N, 4)) * 2, id="softmax"),
    pytest.param(SquaredError(), RNG.normal(size=N), RNG.normal(size=N), id="squared"),
    pytest.param(ExponentialLoss(), RNG.integers(2, size=N), RNG.normal(size=N), id="exponential"),
    pytest.param(SquaredHingeLoss(), RNG.integers(2, size=N), RNG.uniform(-1, 1, size=N), id="squared hinge"),
    pytest.param(
        SquaredMarginLoss(), RNG.integers(2, size=N), RNG.uniform(-1, 1, size=N), id="squared margin"
    ),
]
every = pytest.mark.parametrize(("loss", "y", "z"), CASES)


def bumped(z, k, by):
    moved = z.copy()
    moved[(slice(None), k) if z.ndim == 2 else slice(None)] += by
    return moved


@every
def test_gradient_and_hessian_are_finite_differences(loss, y, z):
    step = 1e-5
    for k in range(z.shape[1] if z.ndim == 2 else 1):
        slope = (loss.value(y, bumped(z, k, step)) - loss.value(y, bumped(z, k, -step))) / (2 * step)
        bend = (loss.gradient(y, bumped(z, k, step)) - loss.gradient(y, bumped(z, k, -step))) / (2 * step)
        mine = (slice(None), k) if z.ndim == 2 else slice(None)
        np.testing.assert_allclose(loss.gradient(y, z)[mine], slope, atol=1e-9)
        np.testing.assert_allclose(loss.hessian(y, z)[mine], bend, atol=1e-9)


@every
def test_total_is_the_weighted_sum(loss, y, z):
    w = np.arange(N) % 3.0
    value, gradient = loss.total(y, z, w)
    assert value == pytest.approx(np.sum(w * loss.value(y, z)))
    again, repeated = loss.total(np.repeat(y, w.astype(int)), np.repeat(z, w.astype(int), axis=0))
    assert value == pytest.approx(again)
    np.testing.assert_allclose(gradient.sum(axis=0), repeated.sum(axis=0), atol=1e-12)


@every
def test_links_are_inverse(loss, y, z):
    mean = loss.inverse_link(z)
    centered = z - z.mean(axis=1, keepdims=True) if z.ndim == 2 else z
    np.testing.assert_allclose(loss.link(mean), centered, atol=1e-10)
    np.testing.assert_allclose(loss.inverse_link(loss.link(mean)), mean, atol=1e-12)


@every
@pytest.mark.parametrize("weighted", [False, True])
def test_no_constant_is_better_than_the_minimizer(loss, y, z, weighted):
    w = 0.5 + np.arange(N) % 4 if weighted else None
    best = np.asarray(loss.minimizer(y, w))

    def cost(c):
        return loss.total(y, np.broadcast_to(np.reshape(c, best.shape), z.shape).astype(float), w)[0]

    optimum = minimize(cost, np.zeros(best.size), tol=1e-12)
    assert cost(best) <= optimum.fun + 1e-9
    np.testing.assert_allclose(optimum.x - optimum.x.mean() if z.ndim == 2 else optimum.x[0], best, atol=1e-4)


def test_log_loss_is_that_of_scikit_learn():
    y, z = np.array([0, 1, 1, 0]), np.array([-2.0, 0.3, 4.0, 1.0])
    assert LogLoss().value(y, z).mean() == pytest.approx(log_loss(y, logistic(z)))
    scores, codes = RNG.normal(size=(9, 3)), np.array([0, 1, 2] * 3)
    loss = SoftmaxLoss(3)
    assert loss.value(codes, scores).mean() == pytest.approx(log_loss(codes, loss.inverse_link(scores)))


def test_two_classes_are_softmax_with_a_first_score_of_zero():
    y, z = np.array([0, 1, 1]), np.array([0.7, -1.0, 2.0])
    both = np.column_stack([np.zeros(3), z])
    np.testing.assert_allclose(LogLoss().value(y, z), SoftmaxLoss(2).value(y, both))
    np.testing.assert_allclose(LogLoss().gradient(y, z), SoftmaxLoss(2).gradient(y, both)[:, 1])
    np.testing.assert_allclose(LogLoss().hessian(y, z), SoftmaxLoss(2).hessian(y, both)[:, 1, 1])


def test_far_scores_keep_their_digits():
    loss, far = LogLoss(), np.array([800.0, -800.0])
    assert loss.value(np.array([0, 1]), far).tolist() == [800.0, 800.0]
    assert loss.gradient(np.array([1, 1]), np.array([40.0, 700.0])).tolist() == pytest.approx(
        [-np.exp(-40.0), -np.exp(-700.0)], rel=1e-12
    )


def test_functions_refuse_what_is_no_probability():
    for function in (odds, log_odds):
        with pytest.raises(ValueError, match=r"'p' must be probabilities in \[0, 1\]; got 1.5"):
            function([0.5, 1.5])
    assert unit_step(0.0) == 0.5

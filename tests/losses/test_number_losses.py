"""Losses of numbers and amounts against their definitions, scikit-learn and numerical minimizers."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.optimize import minimize_scalar
from sklearn.metrics import d2_tweedie_score, mean_pinball_loss, mean_tweedie_deviance

from hornbook.losses import (
    AbsoluteError,
    ExponentialLoss,
    GammaLoss,
    HuberLoss,
    LogLoss,
    Loss,
    PoissonLoss,
    QuantileLoss,
    SquaredError,
    TweedieLoss,
)
from hornbook.losses._region_search import Regions, line_minimizers, region_quantiles

RNG = np.random.default_rng(0)
N = 60
NUMBERS, COUNTS = RNG.normal(size=N) * 3, RNG.poisson(2.0, size=N).astype(float)
AMOUNTS, CLASSES = RNG.gamma(2.0, size=N), RNG.integers(2, size=N)
SCORES = RNG.normal(size=N)
SMOOTH = [
    pytest.param(PoissonLoss(), COUNTS, id="poisson"),
    pytest.param(GammaLoss(), AMOUNTS, id="gamma"),
    pytest.param(TweedieLoss(1.3), COUNTS, id="tweedie"),
    pytest.param(HuberLoss(1.0), NUMBERS, id="huber"),
]
OTHERS = [
    pytest.param(AbsoluteError(), NUMBERS, id="absolute"),
    pytest.param(QuantileLoss(0.8), NUMBERS, id="quantile"),
    pytest.param(SquaredError(), NUMBERS, id="squared"),
    pytest.param(LogLoss(), CLASSES, id="log"),
    pytest.param(ExponentialLoss(), CLASSES, id="exponential"),
]
every = pytest.mark.parametrize(("loss", "y"), [*SMOOTH, *OTHERS])


@pytest.mark.parametrize(("loss", "y"), SMOOTH)
def test_derivatives_are_finite_differences(loss, y):
    step = 1e-5
    up, down = SCORES + step, SCORES - step
    g, h = loss.derivatives(y, SCORES)
    np.testing.assert_allclose(g, (loss.value(y, up) - loss.value(y, down)) / (2 * step), atol=1e-8)
    np.testing.assert_allclose(h, (loss.gradient(y, up) - loss.gradient(y, down)) / (2 * step), atol=1e-8)


def cost(loss, y, z, w):
    return loss.total(y, z, w)[0]


@every
@pytest.mark.parametrize("weighted", [False, True])
def test_no_step_in_a_region_is_better_than_the_minimizer(loss, y, weighted):
    w = 0.5 + np.arange(N) % 4 if weighted else None
    leaf = np.arange(N) % 5
    best = loss.region_minimizers(y, SCORES, Regions(leaf, 6, w))
    assert best[5] == 0.0  # a region without rows stays
    for region in range(5):
        rows = np.flatnonzero(leaf == region)
        part = None if w is None else w[rows]

        def at(step, rows=rows, part=part):
            return cost(loss, y[rows], SCORES[rows] + step, part)

        reference = minimize_scalar(at, bounds=(-30, 30), method="bounded", options={"xatol": 1e-10})
        assert at(best[region]) <= reference.fun + 1e-7 * abs(reference.fun)


@every
def test_whole_weights_are_repeated_rows(loss, y):
    times = np.arange(N) % 3
    weighted = Regions(np.arange(N) % 4, 4, times.astype(float))
    repeated = Regions(np.repeat(np.arange(N) % 4, times), 4)
    again = np.repeat(y, times), np.repeat(SCORES, times)
    for method in ("region_minimizers", "region_steps"):
        one, other = getattr(loss, method)(y, SCORES, weighted), getattr(loss, method)(*again, repeated)
        np.testing.assert_allclose(one, other, rtol=1e-7)


@every
def test_the_minimizer_is_the_region_of_all_rows(loss, y):
    whole = loss.region_minimizers(y, np.zeros(N), Regions.whole(N))[0]
    assert float(loss.minimizer(y)) == pytest.approx(whole, abs=1e-6)


def test_a_region_of_one_class_gets_a_large_finite_step():
    step = LogLoss().region_minimizers(np.ones(4, dtype=int), np.zeros(4), Regions.whole(4))[0]
    assert 10 < step < 40


def test_amounts_agree_with_scikit_learn():
    for loss, power, y in (
        (PoissonLoss(), 1, COUNTS),
        (GammaLoss(), 2, AMOUNTS),
        (TweedieLoss(1.4), 1.4, COUNTS),
    ):
        base = np.full(N, float(loss.minimizer(y)))
        gap = loss.value(y, base).mean() - loss.value(y, SCORES).mean()
        theirs = mean_tweedie_deviance(y, np.exp(base), power=power) / 2
        assert gap == pytest.approx(theirs - mean_tweedie_deviance(y, np.exp(SCORES), power=power) / 2)
        assert d2_tweedie_score(y, np.exp(base), power=power) == pytest.approx(0.0, abs=1e-12)


def test_pinball_agrees_with_scikit_learn():
    mine = QuantileLoss(0.3).value(NUMBERS, SCORES).mean()
    assert mine == pytest.approx(mean_pinball_loss(NUMBERS, SCORES, alpha=0.3))


def test_absolute_error_has_the_sign_as_gradient():
    np.testing.assert_array_equal(AbsoluteError().gradient(NUMBERS, SCORES), np.sign(SCORES - NUMBERS))


def test_region_quantiles_are_inverted_cdfs():
    leaf, w = np.arange(N) % 3, (np.arange(N) % 4).astype(float)
    for share in (0.1, 0.5, 0.9):
        mine = region_quantiles(NUMBERS, share, Regions(leaf, 3, w))
        for region in range(3):
            here = leaf == region
            theirs = np.quantile(NUMBERS[here], share, weights=w[here], method="inverted_cdf")
            assert mine[region] == theirs


def test_regions_without_weight_stay_where_they_are():
    none = Regions(np.zeros(3, dtype=int), 2, np.zeros(3))
    for loss in (AbsoluteError(), HuberLoss(), SquaredError()):
        assert loss.region_minimizers(NUMBERS[:3], SCORES[:3], none).tolist() == [0.0, 0.0]
        assert loss.region_steps(NUMBERS[:3], SCORES[:3], none).tolist() == [0.0, 0.0]


def test_a_far_minimum_is_found():
    y, z = np.array([1, 1, 0]), np.full(3, -20.0)
    step = ExponentialLoss().region_minimizers(y, z, Regions.whole(3))[0]
    assert -20.0 + step == pytest.approx(np.log(2) / 2)


def test_steps_that_overflow_are_taken_back():
    step = PoissonLoss().region_minimizers(np.array([1e6]), np.array([-30.0]), Regions.whole(1))[0]
    assert step == pytest.approx(30.0 + np.log(1e6))


def test_huber_adapts_to_the_residuals():
    loss = HuberLoss(quantile=0.9).adapted(NUMBERS, SCORES)
    assert loss.delta == np.quantile(np.abs(NUMBERS - SCORES), 0.9, method="inverted_cdf")
    assert HuberLoss(2.0).adapted(NUMBERS, SCORES).delta == 2.0


@pytest.mark.parametrize(("loss", "y"), [*SMOOTH, *OTHERS])
def test_line_search_finds_the_best_factor(loss, y):
    along = RNG.normal(size=N)
    factor = line_minimizers(loss, y, SCORES, Regions.whole(N), along)[0]
    for other in factor + np.array([-1e-3, 1e-3]):
        assert cost(loss, y, SCORES + factor * along, None) <= cost(loss, y, SCORES + other * along, None)


def test_a_loss_of_ones_own_needs_three_methods():
    class LogCosh(Loss):
        def value(self, y, z):
            return np.log(np.cosh(z - y))

        def gradient(self, y, z):
            return np.tanh(z - y)

        def hessian(self, y, z):
            return 1.0 - np.tanh(z - y) ** 2

    loss = LogCosh()
    best = float(loss.minimizer(NUMBERS))
    assert np.tanh(best - NUMBERS).sum() == pytest.approx(0.0, abs=1e-6)
    np.testing.assert_array_equal(loss.inverse_link(loss.link(SCORES)), SCORES)

"""Margin losses: kinks, smooth versions, upper bounds of the number of mistakes."""

from __future__ import annotations

import numpy as np
import pytest

from hornbook.losses import (
    ExponentialLoss,
    HingeLoss,
    LogLoss,
    SquaredHingeLoss,
    SquaredMarginLoss,
    ZeroOneLoss,
)

M = np.linspace(-3, 3, 601)
ONES, ZEROS = np.ones(len(M), dtype=int), np.zeros(len(M), dtype=int)


def test_formulas():
    np.testing.assert_allclose(HingeLoss().value(ONES, M), np.maximum(0, 1 - M))
    np.testing.assert_allclose(SquaredHingeLoss().value(ONES, M), np.maximum(0, 1 - M) ** 2)
    np.testing.assert_allclose(SquaredMarginLoss().value(ONES, M), (1 - M) ** 2)
    np.testing.assert_allclose(ExponentialLoss().value(ONES, M), np.exp(-M))
    np.testing.assert_allclose(ZeroOneLoss().value(ONES, M), np.where(M < 0, 1, np.where(M == 0, 0.5, 0)))


@pytest.mark.parametrize(
    "loss",
    [HingeLoss(), SquaredHingeLoss(), SquaredMarginLoss(), ExponentialLoss()],
    ids=lambda loss: type(loss).__name__,
)
def test_surrogates_bound_the_mistakes_and_treat_classes_alike(loss):
    assert (loss.value(ONES, M) >= ZeroOneLoss().value(ONES, M)).all()
    np.testing.assert_allclose(loss.value(ZEROS, -M), loss.value(ONES, M))
    np.testing.assert_allclose(loss.gradient(ZEROS, -M), -loss.gradient(ONES, M))
    assert (LogLoss().value(ONES, M) / np.log(2) >= ZeroOneLoss().value(ONES, M) - 1e-12).all()


@pytest.mark.parametrize("loss", [HingeLoss(0.3), ZeroOneLoss(0.2, margin=1.0)], ids=["hinge", "zero-one"])
def test_smooth_stand_ins_have_the_derivatives_of_finite_differences(loss):
    m, step = M[abs(abs(1 - M) - 0.3) > 1e-3], 1e-5  # the second derivative of the hinge jumps there
    y = np.ones(len(m), dtype=int)
    slope = (loss.value(y, m + step) - loss.value(y, m - step)) / (2 * step)
    bend = (loss.gradient(y, m + step) - loss.gradient(y, m - step)) / (2 * step)
    np.testing.assert_allclose(loss.gradient(y, m), slope, atol=1e-8)
    np.testing.assert_allclose(loss.hessian(y, m), bend, atol=1e-7)


def test_stand_ins_come_close():
    assert abs(HingeLoss(1e-3).at(M) - HingeLoss().at(M)).max() == pytest.approx(1e-3 / 4, rel=1e-6)
    away = abs(M) > 0.1
    np.testing.assert_allclose(ZeroOneLoss(1e-3).at(M)[away], ZeroOneLoss().at(M)[away], atol=1e-12)


@pytest.mark.parametrize("loss", [HingeLoss(), ZeroOneLoss()], ids=["hinge", "zero-one"])
def test_losses_without_shares_say_the_class(loss):
    assert loss.link(np.array([0.2, 0.5, 0.9])).tolist() == [-1, 0, 1]
    assert loss.inverse_link(np.array([-2.0, 0.0, 0.1])).tolist() == [0, 0.5, 1]
    y, w = np.array([0, 1, 1]), np.array([5.0, 1.0, 1.0])
    assert (float(loss.minimizer(y)), float(loss.minimizer(y, w))) == (1, -1)
    costs = [loss.total(y, np.full(3, c))[0] for c in np.linspace(-2, 2, 81)]
    assert loss.total(y, np.full(3, float(loss.minimizer(y))))[0] <= min(costs)


def test_slopes_at_corners():
    assert HingeLoss().gradient(np.array([1, 1, 0]), np.array([0.0, 2.0, 0.0])).tolist() == [-1, 0, 1]
    assert not HingeLoss().hessian(ONES, M).any()
    assert not ZeroOneLoss().gradient(ONES, M).any()
    assert not ZeroOneLoss().hessian(ONES, M).any()
    assert np.isinf(ExponentialLoss().at(np.array([-1e4])))[0]

"""Logistic regression of the notes: functions, objective, Newton's method, output."""

from __future__ import annotations

import numpy as np
import pytest

from hornbook import LogisticRegression, datasets
from hornbook.losses import LogLoss, log_odds, logistic, odds, unit_step


def test_unit_step_is_one_half_at_zero():
    assert unit_step([-0.1, 0.0, 0.1]).tolist() == [0.0, 0.5, 1.0]


def test_logistic_function():
    z = np.array([-3.0, 0.0, 1.0])
    np.testing.assert_allclose(logistic(z), 1 / (1 + np.exp(-z)))
    assert unit_step(logistic(z) - 0.5).tolist() == unit_step(z).tolist()


def test_odds_and_log_odds():
    z = np.linspace(-5, 5, 11)
    np.testing.assert_allclose(odds(logistic(z)), np.exp(z))
    np.testing.assert_allclose(log_odds(logistic(z)), z, atol=1e-12)


def melons():
    table = datasets.watermelon("3.0a")
    return table.features.numbers, table.y.astype(int)


@pytest.mark.parametrize("solver", ["newton", "lbfgs"])
def test_watermelons_without_a_penalty(solver):
    X, y = melons()
    model = LogisticRegression(C=np.inf, solver=solver, tol=1e-8).fit(X, y)
    assert model.coef_[0].tolist() == pytest.approx([3.15833, 12.52120], abs=5e-6)
    assert model.intercept_[0] == pytest.approx(-4.42886, abs=5e-6)
    z = model.decision_function(X)
    # sum over rows of -y z + ln(1 + e^z)
    assert np.sum(-y * z + np.log(1 + np.exp(z))) == pytest.approx(8.68366, abs=5e-6)
    assert model.history_["objective"][-1] * 17 == pytest.approx(8.68366, abs=5e-6)
    assert (np.flatnonzero(model.predict(X) != y) + 1).tolist() == [6, 7, 8, 14, 15]
    if solver == "newton":
        assert model.n_iter_[0] <= 7


def test_newton_steps_are_those_of_the_formula():
    X, y = melons()
    A, beta = np.column_stack([X, np.ones(17)]), np.zeros(3)
    model = LogisticRegression(C=np.inf, max_iter=1, warm_start=True, tol=1e-12)
    for _ in range(4):
        p1 = 1 / (1 + np.exp(-A @ beta))
        gradient = -A.T @ (y - p1)
        hessian = (A * (p1 * (1 - p1))[:, None]).T @ A
        beta = beta - np.linalg.solve(hessian, gradient)
        with pytest.warns(UserWarning, match="max_iter"):
            model.fit(X, y)
        np.testing.assert_allclose([*model.coef_[0], *model.intercept_], beta, rtol=1e-9)


def test_probabilities_are_those_of_the_two_formulas():
    X, y = melons()
    model = LogisticRegression(C=np.inf).fit(X, y)
    z = X @ model.coef_[0] + model.intercept_
    expected = np.column_stack([1 / (1 + np.exp(z)), np.exp(z) / (1 + np.exp(z))])
    np.testing.assert_allclose(model.predict_proba(X), expected, rtol=1e-12)
    np.testing.assert_allclose(log_odds(model.predict_proba(X)[:, 1]), z, rtol=1e-9)


def test_deviance_and_margins():
    """With classes -1 and +1 the loss is ln(1 + e^(-y m)); the best constant is ln(P+ / P-)."""
    y, m = np.array([-1, 1, 1, -1, 1]), np.array([0.5, 2.0, -1.0, -3.0, 0.0])
    loss = LogLoss().value(y > 0, m)
    np.testing.assert_allclose(loss, np.log(1 + np.exp(-y * m)))
    likelihood = np.prod(np.where(y > 0, logistic(m), 1 - logistic(m)))
    assert 2 * loss.sum() == pytest.approx(-2 * np.log(likelihood))
    assert LogLoss().minimizer(y > 0) == pytest.approx(np.log(3 / 2))

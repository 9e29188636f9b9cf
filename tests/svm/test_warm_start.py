"""Fits that begin where the last one ended."""

from __future__ import annotations

import numpy as np
import pytest

from hornbook import SVC, SVR


def rows(n=700, k=2):
    draw = np.random.default_rng(4)
    X = draw.normal(size=(n, 3))
    t = X[:, 0] + X[:, 1] ** 2 + 0.5 * draw.normal(size=n)
    return X, t, np.digitize(t, np.quantile(t, np.linspace(0, 1, k + 1)[1:-1]))


PATH = 10.0 ** np.arange(-1, 1.6, 0.25)


@pytest.mark.parametrize("loss", ["hinge", "squared_hinge"])
@pytest.mark.parametrize("k", [2, 3])
@pytest.mark.parametrize("path", [PATH, PATH[::-1]], ids=["up", "down"])
def test_a_path_along_c_reaches_the_objectives_of_fresh_fits_in_fewer_steps(loss, k, path):
    X, _, y = rows(k=k)
    warm, steps, fresh_steps = SVC(warm_start=True, loss=loss), 0, 0
    for C in path:
        warm.set_params(C=C).fit(X, y)
        fresh = SVC(C=C, loss=loss).fit(X, y)
        np.testing.assert_allclose(warm.objective_[:, 0], fresh.objective_[:, 0], rtol=1e-5)
        assert (warm.kkt_ <= warm.tol).all()
        steps, fresh_steps = steps + warm.n_iter_.sum(), fresh_steps + fresh.n_iter_.sum()
    assert steps < fresh_steps


def test_numbers():
    X, t, _ = rows()
    warm, steps, fresh_steps = SVR(warm_start=True), 0, 0
    for C in PATH:
        warm.set_params(C=C).fit(X, t)
        fresh = SVR(C=C).fit(X, t)
        np.testing.assert_allclose(warm.objective_[0], fresh.objective_[0], rtol=1e-5)
        steps, fresh_steps = steps + warm.n_iter_, fresh_steps + fresh.n_iter_
    assert steps < fresh_steps


def test_the_same_problem_needs_hardly_a_step():
    X, _, y = rows()
    model = SVC(warm_start=True).fit(X, y)
    before = model.n_iter_[0]
    assert model.fit(X, y).n_iter_[0] < before / 20


def test_other_rows_and_classes_are_fitted_from_the_beginning():
    X, t, y = rows()
    for other, labels in ((X[:300], y[:300]), (X, 1 - y), (X, rows(k=3)[2]), (X + 1, y)):
        warm = SVC(warm_start=True).fit(X, y).fit(other, labels)
        np.testing.assert_allclose(
            warm.objective_[:, 0], SVC().fit(other, labels).objective_[:, 0], rtol=1e-5
        )
    model = SVR(warm_start=True).fit(X, t).fit(X[:200], -t[:200])
    np.testing.assert_allclose(model.objective_[0], SVR().fit(X[:200], -t[:200]).objective_[0], rtol=1e-5)


def test_a_failed_fit_leaves_the_start_alone():
    X, _, y = rows()
    model = SVC(warm_start=True).fit(X, y)
    with pytest.raises(ValueError, match="class"):
        model.fit(X, np.zeros(len(X)))
    assert model.fit(X, y).n_iter_[0] < 50
    assert "_before" not in vars(model)

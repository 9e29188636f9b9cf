"""Surrogate losses against support vector machines, logistic regression, linear programs, brute force."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import linprog, lsq_linear, minimize
from sklearn.exceptions import ConvergenceWarning
from sklearn.svm import SVC

import hornbook.linear.solvers._active_set as active_set
from hornbook import Blocks, Frame, Lasso, LogisticRegression, Ridge, SurrogateLossClassifier
from hornbook.losses import ExponentialLoss, HingeLoss, LogLoss, SquaredHingeLoss, SquaredMarginLoss

LOSSES = {
    "hinge": HingeLoss(),
    "squared_hinge": SquaredHingeLoss(),
    "exponential": ExponentialLoss(),
    "log_loss": LogLoss(),
    "squared_error": SquaredMarginLoss(),
}
PENALTIES = {"l2": lambda w: 0.5 * w @ w, "l1": lambda w: np.abs(w).sum(), "l0": lambda w: (w != 0).sum()}


def table(n=200, d=4, seed=0, noise=1.0):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, d))
    return X, (X[:, 0] - 0.7 * X[:, 1] + noise * rng.normal(size=n) > 0).astype(int)


def objective(model, X, y, w=None):
    w = np.ones(len(y)) if w is None else w
    z = X @ model.coef_[0] + model.intercept_[0]
    return PENALTIES[model.penalty](model.coef_[0]) + model.C * w @ LOSSES[model.loss].value(y, z)


def assert_support_vectors(model, X, y, w=None):
    """The weights are a sum of rows: C times those below the margin, up to that of those at it."""
    signs, most = np.where(y == 1, 1.0, -1.0), model.C * (np.ones(len(y)) if w is None else w)
    lack = 1 - signs * model.decision_function(X)
    at = np.abs(lack) < 1e-8
    rows = signs[:, None] * np.column_stack([X, np.ones(len(y))])
    left = np.append(model.coef_[0], 0.0) - most[lack > 1e-8] @ rows[lack > 1e-8]
    multipliers = lsq_linear(rows[at].T, left, (0, most[at]), method="bvls", tol=1e-15)
    assert np.abs(rows[at].T @ multipliers.x - left).max() < 1e-8 * model.C


@pytest.mark.parametrize("C", [0.1, 10.0, 1e4])
@pytest.mark.parametrize("shift", [0.0, 1e4])
def test_hinge_is_the_support_vector_machine(C, shift):
    X, y = table()
    ours = SurrogateLossClassifier(C=C).fit(X + shift, y)
    assert_support_vectors(ours, X + shift, y)
    assert ours.objective_ == pytest.approx(objective(ours, X + shift, y), rel=1e-9)
    theirs = SVC(kernel="linear", C=min(C, 10.0), tol=1e-8).fit(X, y)
    if C <= 10:
        np.testing.assert_allclose(ours.coef_, theirs.coef_, atol=2e-5)
        best = 0.5 * (theirs.coef_ @ theirs.coef_.T).item()
        best += C * np.maximum(0, 1 - np.where(y == 1, 1, -1) * theirs.decision_function(X)).sum()
        assert ours.objective_ <= best * (1 + 1e-12)


@settings(derandomize=True, max_examples=60, deadline=None)
@given(
    n=st.integers(2, 40),
    d=st.integers(1, 6),
    C=st.sampled_from([0.01, 1.0, 100.0]),
    coarse=st.booleans(),
    seed=st.integers(0, 2**16),
)
def test_hinge_of_any_rows_is_solved(n, d, C, coarse, seed):
    """Also with duplicate rows, constant and equal columns, more columns than rows."""
    rng = np.random.default_rng(seed)
    X = rng.integers(-1, 2, (n, d)).astype(float) if coarse else rng.normal(size=(n, d))
    y, w = rng.integers(0, 2, n), rng.integers(1, 4, n).astype(float)
    y[:2] = 0, 1
    assert_support_vectors(SurrogateLossClassifier(C=C).fit(X, y, w), X, y, w)
    model = SurrogateLossClassifier(C=C, penalty="l1").fit(X, y, w)
    assert objective(model, X, y, w) == pytest.approx(linear_program(X, y, C, w).fun, rel=1e-10)


@pytest.mark.parametrize("fit_intercept", [True, False])
def test_hinge_with_more_columns_than_rows(fit_intercept):
    X, y = table(n=25, d=60, noise=0.1)
    w = 1.0 + np.arange(25) % 3
    model = SurrogateLossClassifier(fit_intercept=fit_intercept, C=0.05).fit(X, y, w)
    if fit_intercept:
        assert_support_vectors(model, X, y, w)
    twice = SurrogateLossClassifier(fit_intercept=fit_intercept, C=0.05)
    twice.fit(np.vstack([X, X, X]), np.tile(y, 3), np.tile(w / 3, 3))
    np.testing.assert_allclose(model.coef_, twice.coef_, atol=1e-9)
    assert model.objective_ == pytest.approx(twice.objective_, rel=1e-12)


def linear_program(X, y, C, w=1.0, size=1.0):
    """The sum of absolute weights plus C times the losses, for scaled columns."""
    n, d = X.shape
    s = np.where(y == 1, 1.0, -1.0)[:, None]
    cost = np.concatenate([np.tile(np.ones(d) / size, 2), [0, 0], C * w * np.ones(n)])
    bound = np.hstack([-s * X, s * X, -s, s, -np.eye(n)])
    return linprog(cost, A_ub=bound, b_ub=-np.ones(n), bounds=(0, None))


@pytest.mark.parametrize("C", [0.01, 0.1, 3.0])
def test_hinge_with_absolute_values_is_a_linear_program(C):
    X, y = table()
    best = linear_program(X, y, C)
    model = SurrogateLossClassifier(C=C, penalty="l1").fit(X, y)
    assert objective(model, X, y) == pytest.approx(best.fun, rel=1e-12)
    np.testing.assert_allclose(model.coef_[0], best.x[:4] - best.x[4:8], atol=1e-9)
    np.testing.assert_array_equal(model.coef_[0] == 0, best.x[:4] == best.x[4:8])


@pytest.mark.parametrize("penalty", ["l2", "l1"])
def test_rows_far_from_the_margin_need_not_be_held(penalty, monkeypatch):
    """With room for a few rows the result is the same, in a handful of passes."""
    X, y = table(20_000)
    w = 0.5 + np.arange(len(y)) % 3
    whole = SurrogateLossClassifier(penalty=penalty).fit(X, y, w)
    passes = []
    monkeypatch.setattr(active_set, "ROOM", 5 * 1500)
    monkeypatch.setattr(
        active_set, "_near_margin", lambda *a, do=active_set._near_margin: (passes.append(1), do(*a))[1]
    )
    held = SurrogateLossClassifier(penalty=penalty, n_jobs=1).fit(X, y, w)
    np.testing.assert_allclose(held.coef_, whole.coef_, atol=1e-9)
    assert held.objective_ == pytest.approx(whole.objective_, rel=1e-12)
    assert len(passes) <= 6 * -(-len(y) // 4096)


@settings(derandomize=True, max_examples=25, deadline=None)
@given(
    n=st.integers(200, 500),
    d=st.integers(1, 5),
    C=st.floats(-3, 3).map(lambda power: 10**power),
    coarse=st.booleans(),
    rare=st.sampled_from([0.5, 0.05, 0.01]),
    noise=st.sampled_from([0.01, 1.0, 5.0]),
    penalty=st.sampled_from(["l2", "l1"]),
    seed=st.integers(0, 2**16),
)
def test_hinge_on_rows_hard_to_solve_for(n, d, C, coarse, rare, noise, penalty, seed):
    """Columns of any size, rare classes, all but separable: at once, and with room for a few rows."""
    rng = np.random.default_rng(seed)
    X = rng.integers(-2, 3, (n, d)).astype(float)
    if not coarse:
        X = rng.normal(size=(n, d)) * 10.0 ** rng.uniform(-3, 3, d) + 10.0 ** rng.uniform(-2, 4, d)
    score = (X[:, 0] - X[:, 0].mean()) / X[:, 0].std() + noise * rng.normal(size=n)
    y = (score > np.sort(score)[-1 - int(rare * n)]).astype(int)
    w = rng.integers(0, 3, n).astype(float)
    w[[y.argmin(), y.argmax()]] = 1.0
    model = SurrogateLossClassifier(C=C, penalty=penalty, n_jobs=1).fit(X, y, w)
    if penalty == "l1":
        best = linear_program(X / np.abs(X).max(axis=0), y, C, w, np.abs(X).max(axis=0)).fun
        assert objective(model, X, y, w) <= best * (1 + 1e-8)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(active_set, "ROOM", 50 * d)
        other = SurrogateLossClassifier(C=C, penalty=penalty, n_jobs=1).fit(X, y, w)
    assert other.objective_ == pytest.approx(model.objective_, rel=2e-9)


def test_log_loss_is_logistic_regression():
    X, y = table()
    w = 0.5 + np.arange(len(y)) % 3
    for penalty, share in (("l2", 0.0), ("l1", 1.0)):
        one = SurrogateLossClassifier(loss="log_loss", penalty=penalty, C=0.3, tol=1e-9).fit(X, y, w)
        other = LogisticRegression(C=0.3, l1_ratio=share, tol=1e-9).fit(X, y, w)
        np.testing.assert_allclose(one.coef_, other.coef_, atol=1e-7)
        np.testing.assert_allclose(one.intercept_, other.intercept_, atol=1e-7)


def test_squared_error_is_ridge_and_lasso_on_signs():
    X, y = table()
    signs, C = np.where(y == 1, 1.0, -1.0), 0.2
    one = SurrogateLossClassifier(loss="squared_error", C=C, tol=1e-9).fit(X, y)
    np.testing.assert_allclose(one.coef_[0], Ridge(alpha=1 / (2 * C)).fit(X, signs).coef_, atol=1e-8)
    sparse = SurrogateLossClassifier(loss="squared_error", penalty="l1", C=C / 10, tol=1e-9).fit(X, y)
    lasso = Lasso(alpha=1 / (2 * C / 10 * len(y)), tol=0.0).fit(X, signs)
    np.testing.assert_allclose(sparse.coef_[0], lasso.coef_, atol=1e-7)
    assert (sparse.coef_ == 0).any()


@pytest.mark.parametrize("loss", ["squared_hinge", "exponential"])
@pytest.mark.parametrize("fit_intercept", [True, False])
def test_other_losses_end_in_the_minimum(loss, fit_intercept):
    X, y = table()
    model = SurrogateLossClassifier(loss=loss, C=0.5, tol=1e-9, fit_intercept=fit_intercept).fit(X, y)

    def cost(x):
        w, b = x[:4], x[4] if fit_intercept else 0.0
        return 0.5 * w @ w + 0.5 * LOSSES[loss].value(y, X @ w + b).sum()

    optimum = minimize(cost, np.zeros(5), tol=1e-10)
    assert objective(model, X, y) <= optimum.fun * (1 + 1e-9)
    np.testing.assert_allclose(model.coef_[0], optimum.x[:4], atol=1e-4)


@pytest.mark.parametrize("C", [0.02, 0.1, 1.0])
def test_number_of_weights_is_that_of_the_best_subset(C):
    X, y = table(d=5, seed=2)
    signs = np.where(y == 1, 1.0, -1.0)
    costs = {}
    for size in range(6):
        for used in combinations(range(5), size):
            A = np.column_stack([X[:, list(used)], np.ones(len(y))])
            residual = signs - A @ np.linalg.lstsq(A, signs, rcond=None)[0]
            costs[used] = size + C * residual @ residual
    model = SurrogateLossClassifier(loss="squared_error", penalty="l0", C=C).fit(X, y)
    best = min(costs, key=costs.get)
    assert tuple(np.flatnonzero(model.coef_[0])) == best
    assert objective(model, X, y) == pytest.approx(costs[best], rel=1e-6)


@pytest.mark.parametrize("loss", sorted(LOSSES))
@pytest.mark.parametrize("C", [0.05, 1.0])
def test_few_weights_are_the_best_few_where_one_way_down_would_miss_them(loss, C):
    """The last column is nearly the sum of two others: which to drop first shows only later."""
    for seed in (2, 4, 7):
        rng = np.random.default_rng(seed)
        X = rng.normal(size=(60, 5))
        X[:, 4] = X[:, 0] + X[:, 1] + 0.3 * rng.normal(size=60)
        y = (X @ rng.normal(size=5) + 2 * rng.normal(size=60) > 0).astype(int)
        costs = []
        for used in (used for size in range(1, 6) for used in combinations(range(5), size)):
            part = X[:, list(used)]
            free = SurrogateLossClassifier(loss=loss, C=1e7, tol=1e-7).fit(part, y)
            costs.append(len(used) + C * LOSSES[loss].value(y, free.decision_function(part)).sum())
        model = SurrogateLossClassifier(loss=loss, penalty="l0", C=C).fit(X, y)
        assert model.proven_
        assert objective(model, X, y) <= min(costs) * (1 + 1e-6)


def test_many_columns_end_the_search_early_and_say_so(monkeypatch):
    X, y = table(d=6, seed=1)
    model = SurrogateLossClassifier(loss="log_loss", penalty="l0", C=0.1).fit(X, y)
    assert set(np.flatnonzero(model.coef_[0])) == {0, 1}
    assert model.describe().to_dict()["facts"]["least possible"] == "yes"
    monkeypatch.setattr("hornbook.linear._surrogate_loss.MOST_FITS", 2)
    early = SurrogateLossClassifier(loss="log_loss", penalty="l0", C=0.1).fit(X, y)
    assert not early.proven_
    assert "ended early" in str(early.describe())


def test_most_iterations_are_those_of_one_fit_among_many():
    X, y = table(d=6, seed=1)
    model = SurrogateLossClassifier(loss="squared_error", penalty="l0", C=0.1, max_iter=10).fit(X, y)
    assert model.n_iter_ > 10
    assert len(model.history_["objective"]) == model.n_iter_


def least_mistakes(X, y, C):
    """Half |w|² plus C for each row left out, over all choices of rows that get a margin of 1."""
    signs, n = np.where(y == 1, 1.0, -1.0), len(y)
    best = C * min(y.sum(), n - y.sum())
    for size in range(n, 1, -1):
        for used in combinations(range(n), size):
            kept = list(used)
            if C * (n - size) < best and len(set(y[kept])) == 2:
                rows = signs[kept, None] * np.column_stack([X[kept], np.ones(size)])
                wall = {"type": "ineq", "fun": lambda x, A=rows: A @ x - 1, "jac": lambda _, A=rows: A}
                solved = minimize(
                    lambda x: 0.5 * x[:-1] @ x[:-1],
                    np.zeros(rows.shape[1]),
                    jac=lambda x: np.append(x[:-1], 0.0),
                    constraints=wall,
                    method="SLSQP",
                    options={"ftol": 1e-12},
                )
                if (rows @ solved.x > 1 - 1e-7).all():
                    best = min(best, C * (n - size) + solved.fun)
    return best


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("C", [0.1, 3.0])
def test_fewest_mistakes_of_a_few_rows_are_found(seed, C):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(7, 2)) * 2
    y = (X[:, 0] + rng.normal(size=7) > 0).astype(int)
    model = SurrogateLossClassifier(loss="zero_one", C=C).fit(X, y)
    assert model.proven_
    assert model.objective_ == pytest.approx(least_mistakes(X, y, C), rel=1e-5)


def test_margins_that_count_only_once():
    """Half |w|² plus C times the number of margins below 1: outliers cost no more than others."""
    rng = np.random.default_rng(0)
    X = rng.normal(size=(200, 2))
    y = (X[:, 0] > 0).astype(int)
    X[:, 0] += np.where(y == 1, 0.5, -0.5)
    X[:12], y[:12] = [-3.0, 4.0], 1  # outliers of the wrong class
    signs = np.where(y == 1, 1, -1)

    def cost(model):
        below = signs * model.decision_function(X) < 1
        return 0.5 * model.coef_[0] @ model.coef_[0] + 10 * below.sum()

    counted, measured = (
        SurrogateLossClassifier(loss=loss, C=10.0).fit(X, y) for loss in ("zero_one", "hinge")
    )
    assert counted.objective_ == pytest.approx(cost(counted))
    assert cost(counted) < 0.7 * cost(measured)
    assert (counted.predict(X) != y).sum() == 12 < (measured.predict(X) != y).sum()
    few = SurrogateLossClassifier(loss="zero_one", penalty="l0").fit(X[12:], y[12:])
    assert (np.flatnonzero(few.coef_[0]).tolist(), few.objective_) == ([0], 1.0)


def test_several_classes_are_told_from_the_rest():
    X, y = table()
    y = y + (X[:, 2] > 1)
    model = SurrogateLossClassifier(loss="squared_hinge").fit(X, y)
    for c in range(3):
        alone = SurrogateLossClassifier(loss="squared_hinge").fit(X, (y == c).astype(int))
        np.testing.assert_allclose(model.coef_[c], alone.coef_[0], atol=1e-9)
    assert (model.predict(X) == model.decision_function(X).argmax(axis=1)).all()
    assert ((model.margins(X, y) > 0) == (model.predict(X) == y)).all()


def test_blocks_and_threads_give_the_same_bits():
    X, y = table(9000)
    frame = Frame(np.column_stack([X, y]), target=4)
    for setting in ({"loss": "log_loss", "penalty": "l1"}, {"loss": "zero_one"}, {"loss": "hinge"}):
        whole = SurrogateLossClassifier(**setting, n_jobs=1).fit(frame)
        pieces = Blocks([frame[:7], frame[7:5000], frame[5000:]], n_jobs=3)
        other = SurrogateLossClassifier(**setting, n_jobs=3).fit(pieces)
        np.testing.assert_array_equal(other.coef_, whole.coef_)


def test_separable_classes_stay_finite():
    X, y = [[0.0], [1.0], [3.0], [4.0]], [0, 0, 1, 1]
    for loss in (*LOSSES, "zero_one"):
        for penalty in PENALTIES:
            model = SurrogateLossClassifier(loss=loss, penalty=penalty, C=100.0).fit(X, y)
            assert np.isfinite(model.coef_).all()
            assert model.predict(X).tolist() == y
            assert "Surrogate loss" in str(model.describe())


def test_bad_input():
    X, y = table()
    with pytest.warns(ConvergenceWarning, match="'max_iter' = 1 was too small"):
        SurrogateLossClassifier(loss="log_loss", max_iter=1).fit(X, y)
    with pytest.raises(ValueError, match="'C'"):
        SurrogateLossClassifier(C=np.inf).fit(X, y)
    with pytest.raises(ValueError, match="squares overflow"):
        SurrogateLossClassifier().fit(X * 1e200, y)
    with pytest.raises(ValueError, match="one class 0"):
        SurrogateLossClassifier().fit(X, y, y == 0)

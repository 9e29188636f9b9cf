"""The recipes of gradient boosting against plain NumPy: Newton steps, line search, losses of a user."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.optimize import minimize_scalar
from sklearn.linear_model import LinearRegression as TheirLinearRegression
from tests.oracles import pair_tree
from tests.oracles.boosting import pair_stump, stump_on

from hornbook import (
    DecisionTreeRegressor,
    GradientBoostingClassifier,
    GradientBoostingRegressor,
    HistGradientBoostingClassifier,
    HistGradientBoostingRegressor,
    LinearRegression,
)
from hornbook.ensembles.gradient_boosting._tree_rounds import bend_of
from hornbook.losses import LogLoss, Loss, PoissonLoss, SoftmaxLoss, SquaredError, logistic

RNG = np.random.default_rng(1)
N = 200
X = RNG.normal(size=(N, 3))
NUMBERS = X[:, 0] + X[:, 1] ** 2 + 0.3 * RNG.normal(size=N)
CLASSES = (NUMBERS > 1).astype(int)
COUNTS = RNG.poisson(np.exp(X[:, 0])).astype(float)
W = RNG.uniform(0.5, 2.0, size=N)


def boosted(z, y, loss, rounds, rate, fit):
    for _ in range(rounds):
        z = z + rate * fit(y, z, *loss.derivatives(y, z))
    return z


@pytest.mark.parametrize("penalty", [0.0, 2.0])
@pytest.mark.parametrize("gamma", [0.0, 3.0])
def test_gradient_pair_stumps_follow_chen_and_guestrin(penalty, gamma):
    model = GradientBoostingClassifier(
        step="newton", n_estimators=6, max_depth=1, learning_rate=0.3, reg_lambda=penalty, gamma=gamma
    ).fit(X, CLASSES, W)

    def fit(y, z, g, h):
        return pair_stump(X, W * g, W * h, penalty, gamma)

    base = np.full(N, float(LogLoss().minimizer(CLASSES, W)))
    z = boosted(base, CLASSES, LogLoss(), 6, 0.3, fit)
    np.testing.assert_allclose(model.decision_function(X), z, atol=1e-9)


def test_both_penalties_shrink_the_leaves():
    shape = {"max_iter": 1, "max_leaf_nodes": 2, "min_samples_leaf": 1, "learning_rate": 1.0}
    model = HistGradientBoostingClassifier(reg_alpha=5.0, l2_regularization=2.0, **shape).fit(X, CLASSES, W)
    base = float(LogLoss().minimizer(CLASSES, W))
    g, h = LogLoss().derivatives(CLASSES, np.full(N, base))
    left = X[:, model.forest_.feature[0]] <= model.forest_.threshold[0]
    for side, value in zip((left, ~left), model.forest_.value[:, 0], strict=True):
        assert value == pytest.approx(pair_tree.step(W[side] * g[side], W[side] * h[side], 5.0, 2.0)[0])
    nothing = HistGradientBoostingClassifier(reg_alpha=1e6, **shape).fit(X, CLASSES, W)
    assert nothing.base_score_[0] == pytest.approx(float(base), rel=1e-12)
    np.testing.assert_array_equal(nothing.decision_function(X), nothing.base_score_[0])


def test_min_hessian_bounds_the_children():
    model = GradientBoostingClassifier(step="newton", n_estimators=1, max_depth=1, min_hessian=15.0)
    z = model.fit(X, CLASSES).decision_function(X)
    p = CLASSES.mean()
    sides = [np.sum(z == value) * p * (1 - p) for value in np.unique(z)]
    assert len(sides) == 2
    assert min(sides) >= 15.0


@pytest.mark.parametrize("step", ["gradient", "newton"])
@pytest.mark.parametrize(
    ("loss", "name", "y"), [(LogLoss(), "log_loss", CLASSES), (PoissonLoss(), "poisson", COUNTS)]
)
def test_exact_leaves_minimize_the_loss_of_their_rows(step, loss, name, y):
    cls = GradientBoostingClassifier if name == "log_loss" else GradientBoostingRegressor
    model = cls(loss=name, step=step, leaf="exact", n_estimators=4, max_depth=1, learning_rate=0.5).fit(
        X, y, W
    )

    def fit(y, z, g, h):
        # The slide's recipe: unweighted least squares on -g / h, though rows keep their own weights.
        side = stump_on(X, -g if step == "gradient" else -g / h, W)
        step_of = np.zeros(N)
        for rows in (side, ~side):
            minimum = minimize_scalar(lambda b, rows=rows: W[rows] @ loss.value(y[rows], z[rows] + b))
            step_of[rows] = minimum.x
        return step_of

    z = boosted(np.full(N, float(loss.minimizer(y, W))), y, loss, 4, 0.5, fit)
    scores = model.decision_function(X) if name == "log_loss" else np.log(model.predict(X))
    np.testing.assert_allclose(scores, z, atol=1e-5)


def test_newton_and_exact_leaves_agree_for_squared_error():
    models = [
        GradientBoostingRegressor(step=step, leaf=leaf, n_estimators=10).fit(X, NUMBERS)
        for step in ("gradient", "newton")
        for leaf in ("newton", "exact")
    ]
    for model in models[1:]:
        np.testing.assert_allclose(model.predict(X), models[0].predict(X), atol=1e-9)


def test_newton_steps_of_a_loss_without_curvature_are_an_error_where_they_divide_by_it():
    for loss in ("absolute_error", "quantile", "huber"):
        with pytest.raises(
            ValueError, match=f"second derivative, which loss '{loss}' does not have: set step='gradient'"
        ):
            GradientBoostingRegressor(loss=loss, step="newton", leaf="exact").fit(X, NUMBERS)
        GradientBoostingRegressor(loss=loss, step="newton", n_estimators=2).fit(X, NUMBERS)


@pytest.mark.parametrize(
    "estimator", [LinearRegression(), TheirLinearRegression(), DecisionTreeRegressor(max_depth=2)]
)
def test_any_regressor_is_boosted_by_line_search(estimator):
    model = GradientBoostingClassifier(estimator=estimator, n_estimators=8, learning_rate=0.5).fit(X, CLASSES)
    assert len(model.estimators_) == 8
    loss, z = LogLoss(), np.full(N, float(LogLoss().minimizer(CLASSES)))
    losses = []
    for member, factor in zip(model.estimators_, model.factors_, strict=True):
        along = np.asarray(member.predict(X))
        best = minimize_scalar(lambda b, z=z, along=along: loss.value(CLASSES, z + b * along).sum())
        assert factor == pytest.approx(0.5 * best.x, rel=1e-5)
        z = z + factor * along
        losses.append(2 * loss.value(CLASSES, z).mean())
    np.testing.assert_allclose(model.decision_function(X), z, atol=1e-9)
    np.testing.assert_allclose(model.train_score_, losses)
    assert np.all(np.diff(losses) <= 0)


def test_boosted_linear_regression_comes_to_logistic_regression():
    from hornbook import LogisticRegression

    model = GradientBoostingClassifier(estimator=LinearRegression(), n_estimators=200, learning_rate=1.0)
    scores = model.fit(X, CLASSES).decision_function(X)
    best = LogisticRegression(C=float("inf")).fit(X, CLASSES).decision_function(X)
    np.testing.assert_allclose(scores, best, atol=1e-3)


def test_many_classes_are_boosted_by_line_search():
    y = np.digitize(NUMBERS, [0.3, 1.5])
    model = GradientBoostingClassifier(estimator=DecisionTreeRegressor(max_depth=2), n_estimators=5).fit(X, y)
    assert len(model.factors_) == 15
    assert model.score(X, y) > 0.7


class LogCosh(Loss):
    def value(self, y, z):
        return np.log(np.cosh(z - y))

    def gradient(self, y, z):
        return np.tanh(z - y)

    def hessian(self, y, z):
        return 1.0 - np.tanh(z - y) ** 2


class Logistic(Loss):
    """The log loss, written by a user."""

    def value(self, y, z):
        return np.log1p(np.exp(z)) - y * z

    def gradient(self, y, z):
        return logistic(z) - y

    def hessian(self, y, z):
        return logistic(z) * logistic(-z)

    def inverse_link(self, z):
        return logistic(z)


@pytest.mark.parametrize("cls", [GradientBoostingRegressor, HistGradientBoostingRegressor])
def test_a_loss_of_ones_own_is_minimized(cls):
    model = cls(loss=LogCosh()).fit(X, NUMBERS)
    loss = LogCosh()
    start = loss.value(NUMBERS, np.full(N, float(loss.minimizer(NUMBERS)))).mean()
    assert loss.value(NUMBERS, model.predict(X)).mean() < 0.2 * start


def test_the_log_loss_of_a_user_is_the_log_loss():
    for cls in (GradientBoostingClassifier, HistGradientBoostingClassifier):
        mine, own = (cls(loss=loss).fit(X, CLASSES) for loss in ("log_loss", Logistic()))
        np.testing.assert_allclose(mine.predict_proba(X), own.predict_proba(X), atol=1e-6)


def test_an_estimator_can_be_the_start():
    model = GradientBoostingRegressor(init=LinearRegression(), n_estimators=3).fit(X, NUMBERS)
    first = LinearRegression().fit(X, NUMBERS).predict(X)
    residual = GradientBoostingRegressor(init="zero", n_estimators=3).fit(X, NUMBERS - first)
    np.testing.assert_allclose(model.predict(X), first + residual.predict(X), atol=1e-9)
    starts = GradientBoostingClassifier(init=GradientBoostingClassifier(n_estimators=2), n_estimators=1)
    inner = GradientBoostingClassifier(n_estimators=2).fit(X, CLASSES)
    whole = GradientBoostingClassifier(n_estimators=3).fit(X, CLASSES)
    np.testing.assert_allclose(starts.fit(X, CLASSES).predict_proba(X), whole.predict_proba(X), atol=1e-9)
    assert inner.n_estimators_ == 2


def test_class_weights_are_row_weights():
    w = np.where(CLASSES == 1, 3.0, 1.0)
    for cls in (GradientBoostingClassifier, HistGradientBoostingClassifier):
        named = cls(class_weight={1: 3.0}).fit(X, CLASSES)
        np.testing.assert_array_equal(
            named.decision_function(X), cls().fit(X, CLASSES, w).decision_function(X)
        )


def test_losses_of_amounts_predict_means_above_0():
    for loss in ("poisson", "tweedie"):
        model = HistGradientBoostingRegressor(loss=loss).fit(X, COUNTS)
        assert model.predict(X).min() > 0
        assert model.score(X, COUNTS) > 0.5
    power = [
        HistGradientBoostingRegressor(loss="tweedie", power=p).fit(X, COUNTS).predict(X) for p in (1.1, 1.9)
    ]
    assert np.abs(power[0] - power[1]).max() > 0.01


@pytest.mark.parametrize("w", [None, np.where(W < 1.0, 0.0, W)])
@pytest.mark.parametrize("n_jobs", [1, 2])
def test_native_pairs_grow_the_trees_of_the_derivatives(w, n_jobs):
    class OwnLogLoss(LogLoss):
        """Another class: its derivatives are asked for in each round."""

    class OwnSquaredError(SquaredError):
        """The same for numbers."""

    for learner, own, y in (
        (HistGradientBoostingClassifier, OwnLogLoss(), CLASSES),
        (HistGradientBoostingRegressor, OwnSquaredError(), NUMBERS),
    ):
        ours, other = (
            learner(max_iter=8, n_jobs=n_jobs, **loss).fit(X, y, w) for loss in ({}, {"loss": own})
        )
        np.testing.assert_array_equal(ours.forest_.value, other.forest_.value)
        np.testing.assert_array_equal(ours.forest_.threshold, other.forest_.threshold)


def test_scores_of_classes_move_by_all_trees_of_a_round():
    thirds = np.digitize(NUMBERS, [0.5, 1.5])
    model = HistGradientBoostingClassifier(max_iter=3, learning_rate=0.5).fit(X, thirds)
    loss, z = SoftmaxLoss(3), np.tile(model.base_score_, (N, 1))
    for stage in model.staged_decision_function(X):
        g, h = loss.derivatives(thirds, z)
        for k in range(3):
            steps = (stage[:, k] - z[:, k]).round(9)
            for step in np.unique(steps):
                leaf = steps == step
                assert step == pytest.approx(-0.5 * g[leaf, k].sum() / h[leaf, k].sum(), abs=1e-9)
        z = stage.copy()


def test_newton_steps_of_many_classes_are_bounded():
    loss, y = SoftmaxLoss(3), np.array([0, 1, 2, 0])
    z = np.array([[-30.0, 20.0, 0.0], [0.0, -5.0, 700.0], [0.1, 0.2, 0.3], [40.0, 0.0, 0.0]])
    gradient, hessian = loss.derivatives(y, z)
    steps = np.abs(gradient) / bend_of(loss, gradient, hessian)
    assert steps.max() <= 100
    np.testing.assert_array_equal(bend_of(loss, gradient, hessian)[2], hessian[2])  # others are as they are

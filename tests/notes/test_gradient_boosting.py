"""Gradient boosting as in the notes: cookbooks, losses, and what follows from them, by hand."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.optimize import minimize_scalar

from hornbook import (
    DecisionTreeRegressor,
    ExtraTreesClassifier,
    GradientBoostingClassifier,
    GradientBoostingRegressor,
    LinearRegression,
    RandomForestClassifier,
    datasets,
)
from hornbook.losses import AbsoluteError, ExponentialLoss, LogLoss, SoftmaxLoss, SquaredError

X = np.array([[1.0], [2.0], [3.0], [4.0], [5.0], [6.0]])
NUMBERS = np.array([1.0, 2.0, 3.0, 7.0, 8.0, 9.0])
CLASSES = np.array([0, 0, 1, 0, 1, 1])
STUMP = {"max_depth": 1, "n_estimators": 1, "learning_rate": 1.0}


def test_an_additive_model_starts_from_the_mean_and_grows_by_one_member_at_a_time():
    model = GradientBoostingRegressor(n_estimators=4, max_depth=1).fit(X, NUMBERS)
    assert model.base_score_.tolist() == [5.0]  # the mean
    stages = list(model.staged_predict(X))
    for before, after, tree in zip([np.full(6, 5.0), *stages], stages, range(4), strict=False):
        added = model.forest_.tree(tree).value[:, 0]
        np.testing.assert_allclose(np.unique((after - before).round(12)), np.unique(added.round(12)))
    most = GradientBoostingClassifier(n_estimators=1).fit(X, [0, 1, 1, 1, 1, 0])
    assert most.base_score_[0] == pytest.approx(np.log(4 / 2))  # its sign is the majority


def test_the_apex_of_the_parabola_is_the_weighted_mean_of_the_labels():
    y, z = 2.0 * CLASSES - 1.0, np.array([0.3, -0.2, 0.1, 0.0, 0.5, -0.4])
    w = np.exp(-y * z)  # the weights of boosting
    model = GradientBoostingClassifier(loss="exponential", **STUMP)
    loss = ExponentialLoss()
    # exp(-y (z + a)) is about w (1 - y a + a**2 / 2), whose minimum is sum(w y) / sum(w).
    step = -loss.gradient(CLASSES, z).sum() / loss.hessian(CLASSES, z).sum()
    assert step == pytest.approx(np.average(y, weights=w))
    # The same in a leaf: from a base score c, all weights of a class are equal.
    model.fit(X, CLASSES)
    weights = np.exp(-y * model.base_score_[0])
    left = X[:, 0] <= model.forest_.threshold[0]
    np.testing.assert_allclose(
        model.forest_.value[:, 0],
        [np.average(y[side], weights=weights[side]) for side in (left, ~left)],
    )


def test_a_step_down_the_gradient_in_the_space_of_predictions():
    # The loss is a function of the six predictions; a tree with six leaves represents the whole step.
    model = GradientBoostingRegressor(max_depth=None, n_estimators=1, learning_rate=0.25).fit(X, NUMBERS)
    start = np.full(6, NUMBERS.mean())
    gradient = SquaredError().gradient(NUMBERS, start)
    np.testing.assert_allclose(model.predict(X), start - 0.25 * gradient)


def test_the_cookbook_with_any_regression_model():
    model = GradientBoostingClassifier(estimator=LinearRegression(), n_estimators=2, learning_rate=1.0)
    table = np.column_stack([X[:, 0], [2.0, 0.0, 1.0, 3.0, 1.0, 2.0]])
    model.fit(table, CLASSES)
    loss = LogLoss()
    m = np.full(6, float(loss.minimizer(CLASSES)))  # 1. the best constant
    for t in range(2):
        g = loss.gradient(CLASSES, m)  # 2. the gradient
        fitted = LinearRegression().fit(table, -g).predict(table)  # 3. a model of it
        best = minimize_scalar(
            lambda b, m=m, f=fitted: loss.value(CLASSES, m + b * f).sum()
        ).x  # 4. line search
        assert model.factors_[t] == pytest.approx(best, rel=1e-5)
        m = m + best * fitted  # 5. add
    np.testing.assert_allclose(model.decision_function(table), m, atol=1e-5)


def test_one_factor_for_the_tree_or_one_for_each_leaf():
    per_leaf = GradientBoostingClassifier(leaf="exact", **STUMP).fit(X, CLASSES)
    left = X[:, 0] <= per_leaf.forest_.threshold[0]
    for side, value in zip((left, ~left), per_leaf.forest_.value[:, 0], strict=True):
        p = CLASSES[side].mean()
        if 0 < p < 1:  # the region search comes to the log odds of the leaf
            assert per_leaf.base_score_[0] + value == pytest.approx(np.log(p / (1 - p)))
        else:  # which are infinite in a pure leaf
            assert abs(value) > 10
    one = GradientBoostingClassifier(
        estimator=DecisionTreeRegressor(max_depth=1), n_estimators=1, learning_rate=1.0
    )
    one.fit(X, CLASSES)
    assert len(one.factors_) == 1
    newton = GradientBoostingClassifier(**STUMP).fit(X, CLASSES)  # scikit-learn's single step
    p = CLASSES.mean()
    expected = [(CLASSES[side] - p).mean() / (p * (1 - p)) for side in (left, ~left)]
    np.testing.assert_allclose(newton.forest_.value[:, 0], expected)


def test_shrinkage_takes_a_part_of_each_step():
    for eta in (0.1, 0.5):
        model = GradientBoostingRegressor(max_depth=None, n_estimators=5, learning_rate=eta).fit(X, NUMBERS)
        for t, answers in enumerate(model.staged_predict(X), start=1):
            # Trees with one leaf for each row fit all residuals: what is left shrinks by 1 - eta.
            np.testing.assert_allclose(NUMBERS - answers, (1 - eta) ** t * (NUMBERS - 5.0))


def test_many_classes_have_a_tree_each_and_a_softmax():
    y = np.array([0, 0, 1, 1, 2, 2])
    model = GradientBoostingClassifier(n_estimators=3).fit(X, y)
    assert len(model.forest_) == 9
    scores = model.decision_function(X)
    np.testing.assert_allclose(
        model.predict_proba(X), np.exp(scores) / np.exp(scores).sum(axis=1, keepdims=True)
    )
    leaf = GradientBoostingClassifier(step="newton", n_estimators=1, learning_rate=1.0, max_depth=1).fit(X, y)
    # Class 0 against the rest at p = 1/3: sum of -g over sum of h with h = p (1 - p).
    assert leaf.forest_.tree(0).value[0, 0] == pytest.approx((2 / 3) / (2 / 9))


def test_gradients_of_the_losses():
    y, m = np.array([1.0, 4.0]), np.array([3.0, 2.0])
    assert SquaredError().gradient(y, m).tolist() == [2.0, -2.0]  # m - y
    assert SquaredError().hessian(y, m).tolist() == [1.0, 1.0]
    assert AbsoluteError().gradient(y, m).tolist() == [1.0, -1.0]  # sign(m - y)
    assert AbsoluteError().hessian(y, m).tolist() == [0.0, 0.0]
    codes, scores = np.array([0, 1]), np.array([0.5, 0.5])
    signs = 2.0 * codes - 1.0
    np.testing.assert_allclose(ExponentialLoss().gradient(codes, scores), -signs * np.exp(-signs * scores))
    np.testing.assert_allclose(ExponentialLoss().hessian(codes, scores), np.exp(-signs * scores))
    p = 1.0 / (1.0 + np.exp(-scores))
    np.testing.assert_allclose(LogLoss().gradient(codes, scores), p - codes)
    np.testing.assert_allclose(LogLoss().hessian(codes, scores), p * (1 - p))


def test_gradient_of_the_multinomial_deviance_and_its_diagonal():
    y, z = np.array([2, 0]), np.array([[0.1, 0.2, 0.3], [1.0, 0.0, -1.0]])
    p = np.exp(z) / np.exp(z).sum(axis=1, keepdims=True)
    gradient, diagonal = SoftmaxLoss(3).derivatives(y, z)
    np.testing.assert_allclose(gradient, p - np.eye(3)[y])
    np.testing.assert_allclose(diagonal, p * (1 - p))


@pytest.mark.parametrize("rounds", [1, 3])
def test_the_xgboost_cookbook_fits_minus_g_over_h_without_weights(rounds):
    model = GradientBoostingClassifier(step="newton", leaf="exact", n_estimators=rounds, max_depth=1).fit(
        X, CLASSES
    )
    loss, m = LogLoss(), np.full(6, float(LogLoss().minimizer(CLASSES)))
    for t in range(rounds):
        z = -loss.gradient(CLASSES, m) / loss.hessian(CLASSES, m)
        stump = DecisionTreeRegressor(max_depth=1).fit(X, z)  # least squares, each row counts the same
        assert model.forest_.tree(t).threshold[0] == stump.nodes_.threshold[0]
        m = list(model.staged_decision_function(X))[t]


def test_the_xgboost_cookbook_with_line_search():
    model = GradientBoostingClassifier(
        step="newton", estimator=DecisionTreeRegressor(max_depth=1), n_estimators=1, learning_rate=1.0
    ).fit(X, CLASSES)
    loss, m = LogLoss(), np.full(6, float(LogLoss().minimizer(CLASSES)))
    z = -loss.gradient(CLASSES, m) / loss.hessian(CLASSES, m)
    fitted = DecisionTreeRegressor(max_depth=1).fit(X, z).predict(X)
    best = minimize_scalar(lambda b: loss.value(CLASSES, m + b * fitted).sum()).x
    np.testing.assert_allclose(model.decision_function(X), m + best * fitted, atol=1e-5)


def test_the_loss_of_a_sum_over_points_has_a_diagonal_hessian():
    loss, z, step = LogLoss(), np.array([0.3, -0.5, 1.0]), 1e-4
    y = np.array([0, 1, 1])

    def total(at):
        return loss.value(y, at).sum()

    def mixed(i, j):
        e, f = np.eye(3)[i] * step, np.eye(3)[j] * step
        return (total(z + e + f) - total(z + e - f) - total(z - e + f) + total(z - e - f)) / (4 * step**2)

    hessian = np.array([[mixed(i, j) for j in range(3)] for i in range(3)])
    np.testing.assert_allclose(hessian, np.diag(loss.hessian(y, z)), atol=1e-6)
    # So Newton's step -H^-1 g is -g / h, row by row.
    np.testing.assert_allclose(
        -np.linalg.solve(hessian, loss.gradient(y, z)), -loss.gradient(y, z) / loss.hessian(y, z), rtol=1e-5
    )


def test_the_second_order_expansion_is_lowest_at_minus_g_over_h():
    loss, y, z = LogLoss(), np.array([0, 1, 1]), np.array([0.3, -0.5, 1.0])
    g, h = loss.derivatives(y, z)
    at = np.linspace(-5, 5, 100_001)
    for i in range(3):
        parabola = loss.value(y, z)[i] + g[i] * at + 0.5 * h[i] * at**2
        assert at[parabola.argmin()] == pytest.approx(-g[i] / h[i], abs=1e-4)


@pytest.mark.slow
def test_spam_error_by_number_of_trees():
    spam = datasets.spam()
    assert spam.features.shape == (4601, 57)
    order = np.random.default_rng(0).permutation(4601)
    train, test = spam[order[:3065]], spam[order[3065:]]
    forest = RandomForestClassifier(100, oob_score=True, random_state=0).fit(train)
    bagging = RandomForestClassifier(100, max_features=None, random_state=0).fit(train)
    extra = ExtraTreesClassifier(100, random_state=0).fit(train)
    boosting = GradientBoostingClassifier(n_estimators=100, learning_rate=0.3).fit(train)
    boosted = [np.mean(answers != test.y) for answers in boosting.staged_predict(test.features)]
    curves = [model.staged_errors(test) for model in (forest, extra)]
    worst = bagging.staged_errors(test)[-1]
    # Bagging is the worst, the others come to much the same; the out-of-bag error goes with the test error.
    assert worst > max(curve[-1] for curve in [*curves, boosted])
    assert np.ptp([curve[-1] for curve in [*curves, boosted]]) < 0.02
    assert forest.oob_errors_[-1] == pytest.approx(curves[0][-1], abs=0.01)
    for curve in [*curves, boosted]:
        assert curve[-1] < 0.7 * curve[0]

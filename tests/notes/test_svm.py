"""Worked examples of support vector machines: toy sets, kernels, dual and primal solver, two moons."""

from __future__ import annotations

import numpy as np
import pytest

from hornbook import SVC, BasicLinearClassifier, datasets, kernels

# Points and classes of the toy set, then four that make it inseparable.
POINTS = np.array(
    [
        *[[3.5, 4.25], [4, 3], [4, 4], [4.5, 1.75], [4.9, 4.5], [5, 4], [5.5, 2.5], [5.5, 3.5]],
        *[[0.5, 1.5], [1, 2.5], [1.25, 0.5], [1.5, 1.5], [2, 2], [2.5, 0.75]],
        *[[4, 2], [2, 3], [3, 2], [5, 3]],
    ]
)
SIDES = np.array([1] * 8 + [-1] * 6 + [1, 1, -1, -1])

XOR = np.array([[0.0, 0.0], [0.0, 1.0], [1.0, 0.0], [1.0, 1.0]])


def hard_margin():
    return SVC(C=np.inf, kernel="linear", tol=1e-10).fit(POINTS[:14], SIDES[:14])


def soft_margin(**settings):
    return SVC(kernel="linear", tol=1e-10, **settings).fit(POINTS, SIDES)


def quadratic():
    X = np.array([[1, 2], [4, 1], [6, 4.5], [7, 2], [4, 4], [6, 3]])
    kernel = kernels.Polynomial(degree=2, constant=1.0)
    return X, SVC(C=4.0, kernel=kernel, tol=1e-10).fit(X, [1, 1, 1, 1, -1, -1])


def iris_plane():
    table = datasets.iris()
    return table.numbers[:, :2], np.where(np.asarray(table.y) == "setosa", -1, 1)


def test_hard_margin_of_the_toy_set():
    model = hard_margin()
    np.testing.assert_allclose(model.coef_, [[5 / 6, 1 / 3]], atol=1e-8)
    np.testing.assert_allclose(model.intercept_, [-10 / 3], atol=1e-8)
    np.testing.assert_allclose(model.objective_[0], 29 / 72, rtol=1e-8)
    assert model.margin_[0] == pytest.approx(6 / 29**0.5)
    on_margin = np.flatnonzero(np.abs(SIDES[:14] * model.decision_function(POINTS[:14]) - 1) < 1e-7)
    assert (on_margin + 1).tolist() == [1, 2, 4, 13, 14]
    assert set((model.support_ + 1).tolist()) <= {1, 2, 4, 13, 14}
    np.testing.assert_array_equal(model.predict(POINTS[:14]), SIDES[:14])


def test_weights_are_a_sum_of_support_vectors():
    model = hard_margin()
    np.testing.assert_allclose(model.dual_coef_ @ POINTS[model.support_], model.coef_)
    assert model.dual_coef_.sum() == pytest.approx(0.0, abs=1e-12)
    assert np.abs(model.dual_coef_).sum() == pytest.approx(1 / model.margin_[0] ** 2)  # both are |w|²
    # Conditions of Karush, Kuhn and Tucker: only rows on the margin have a multiplier.
    assert model.kkt_[0] < 1e-10
    assert set(model.roles_[model.support_]) == {"on the margin"}


def test_soft_margin_of_the_toy_set():
    model = soft_margin(C=1.0)
    np.testing.assert_allclose(model.coef_, [[5 / 6, 1 / 3]], atol=1e-8)
    np.testing.assert_allclose(model.intercept_, [-10 / 3], atol=1e-8)
    np.testing.assert_allclose(model.objective_[0], 6.069444, atol=1e-6)
    slack = np.maximum(1 - SIDES * model.decision_function(POINTS), 0.0)
    np.testing.assert_allclose(slack[14:], [1 / 3, 5 / 3, 5 / 6, 17 / 6], atol=1e-8)
    assert slack.sum() == pytest.approx(5.66667, abs=1e-5)
    assert model.roles_[14:].tolist() == [
        "inside the margin",
        "misclassified",
        "inside the margin",
        "misclassified",
    ]
    bounded = np.abs(model.dual_coef_[0]) == 1.0
    assert set((model.support_[bounded] + 1).tolist()) >= {15, 16, 17, 18}  # multipliers are not unique


def test_intercept_is_the_mean_over_rows_on_the_margin():
    model = soft_margin(C=1.0)
    rows = model.support_
    single = SIDES[rows] - POINTS[rows] @ model.coef_[0]
    free = np.abs(model.dual_coef_[0]) < 1.0
    assert single[free].mean() == pytest.approx(-10 / 3)
    assert single.mean() == pytest.approx(-3.5185, abs=1e-4)  # of all support vectors: not the intercept


def test_augmentation_penalizes_the_intercept():
    model = soft_margin(C=1.0, solver="dual_ascent", augment=True)
    weights = model.dual_coef_ @ np.column_stack([POINTS[model.support_], np.ones(len(model.support_))])
    np.testing.assert_allclose(weights, [[0.5333, 0.2133, -1.7733]], atol=1e-4)
    assert model.intercept_.tolist() == [0.0]


def test_quadratic_kernel_and_its_ellipse():
    X, model = quadratic()
    order = np.argsort(model.support_)
    alpha = np.abs(model.dual_coef_[0])[order]
    np.testing.assert_allclose(alpha, [0.6201, 2.0705, 3.8051, 0.3184, 2.9615, 3.8526], atol=1e-4)
    assert model.intercept_[0] == pytest.approx(8.846, abs=1e-3)  # printed with the wrong sign
    root = 2**0.5
    phi = np.column_stack(
        [np.ones(6), root * X, X**2, root * X[:, 0] * X[:, 1]]  # feature map of (1 + x.y)²
    )
    np.testing.assert_allclose(phi @ phi.T, (1 + X @ X.T) ** 2)
    np.testing.assert_allclose(phi[0], [1, 1.41, 2.83, 1, 4, 2.83], atol=5e-3)
    w = model.dual_coef_[0] @ phi[model.support_]
    np.testing.assert_allclose(w, [0, -1.4142, -3.2998, 0.2564, 0.8205, -0.0181], atol=1e-4)
    np.testing.assert_allclose(model.decision_function(X), phi @ w + model.intercept_[0])


def test_dual_ascent_on_iris():
    X, y = iris_plane()
    model = SVC(C=10.0, kernel="linear", solver="dual_ascent", augment=True, tol=2e-5).fit(X, y)
    weights = model.dual_coef_ @ np.column_stack([X[model.support_], np.ones(len(model.support_))])
    np.testing.assert_allclose(weights, [[2.7463, -3.7479, -3.0868]], atol=2e-3)
    assert (model.predict(X) != y).sum() == 1
    first = SVC(C=10.0, kernel="linear", solver="dual_ascent", augment=True, tol=0.1).fit(X, y)
    assert first.n_iter_.tolist() == [1]  # a loose tolerance ends it after one pass


def test_newton_on_the_primal_of_iris():
    X, y = iris_plane()
    for C, expected in ((10.0, [2.5068, -3.0017, -4.1646]), (1000.0, [7.4737, -6.3402, -19.9082])):
        settings = {"C": C, "kernel": "linear", "loss": "squared_hinge", "augment": True}
        model = SVC(solver="primal_newton", tol=1e-8, **settings).fit(X, y)
        weights = model.dual_coef_ @ np.column_stack([X[model.support_], np.ones(len(model.support_))])
        np.testing.assert_allclose(weights, [expected], atol=1e-4)
        assert model.n_iter_[0] <= 15
    # Without a clip at C the dual ends in the same place.
    settings["C"] = 10.0
    dual = SVC(solver="dual_ascent", tol=1e-5, **settings).fit(X, y)
    weights = dual.dual_coef_ @ np.column_stack([X[dual.support_], np.ones(len(dual.support_))])
    np.testing.assert_allclose(weights, [[2.5068, -3.0017, -4.1646]], atol=2e-3)


def test_xor_by_a_quadratic_map():
    model = SVC(C=np.inf, kernel=kernels.Polynomial(2, 0.0), tol=1e-10).fit(XOR, [-1, 1, 1, -1])
    alpha = np.zeros(4)
    alpha[model.support_] = np.abs(model.dual_coef_[0])
    np.testing.assert_allclose(alpha, [6, 4, 4, 2], atol=1e-6)
    assert model.intercept_[0] == pytest.approx(-1.0)
    phi = np.column_stack([XOR[:, 0] ** 2, 2**0.5 * XOR[:, 0] * XOR[:, 1], XOR[:, 1] ** 2])
    np.testing.assert_allclose(phi @ phi.T, (XOR @ XOR.T) ** 2)
    w = model.dual_coef_[0] @ phi[model.support_]
    np.testing.assert_allclose(w, [2, -2 * 2**0.5, 2], atol=1e-6)
    assert 2 * model.margin_[0] == pytest.approx(0.5)
    linear = SVC(C=np.inf, kernel="linear", tol=1e-10).fit(phi, [-1, 1, 1, -1])
    np.testing.assert_allclose(linear.decision_function(phi), model.decision_function(XOR), atol=1e-6)
    far = SVC(C=np.inf, kernel=kernels.Polynomial(2, 0.0), tol=1e-10).fit(2 * XOR - 1, [-1, 1, 1, -1])
    np.testing.assert_allclose(np.abs(far.dual_coef_).sum(), 0.5, atol=1e-6)
    assert far.intercept_[0] == pytest.approx(0.0, abs=1e-9)


def test_hard_kernel_machine_that_predicts_without_a_threshold():
    y = np.array([-1, 1, 1, -1])
    quadratic = kernels.Polynomial(2, 0.0)
    # Where the best threshold is 0, the sign of the sum alone is the prediction.
    centered = 2 * XOR - 1
    model = SVC(C=np.inf, kernel=quadratic, tol=1e-10).fit(centered, y)
    K = kernels.kernel_matrix(centered, kernel=quadratic)
    alpha_y = np.zeros(4)
    alpha_y[model.support_] = model.dual_coef_[0]
    assert alpha_y.sum() == pytest.approx(0.0, abs=1e-9)
    assert (alpha_y * y >= 0).all()
    assert np.abs(alpha_y).sum() - 0.5 * alpha_y @ K @ alpha_y == pytest.approx(model.objective_[0, 0])
    np.testing.assert_array_equal(np.where(K @ alpha_y > 0, 1, -1), model.predict(centered))
    # Elsewhere it is not: with the threshold left out, every row of a far table gets a positive sum.
    far, linear = np.array([[1.0], [2.0], [5.0], [6.0]]), kernels.Linear()
    sides = np.array([-1, -1, 1, 1])
    shifted = SVC(C=np.inf, kernel=linear, tol=1e-10).fit(far, sides)
    sums = shifted.decision_function(far) - shifted.intercept_[0]
    assert (sums > 0).all()
    np.testing.assert_array_equal(shifted.predict(far), sides)
    # The threshold moves into the kernel: no constraint on the sum of the multipliers, and no intercept.
    inside = SVC(C=np.inf, kernel=linear, solver="dual_ascent", augment=True, tol=1e-10).fit(far, sides)
    assert inside.intercept_[0] == 0.0
    K = kernels.kernel_matrix(far, far[inside.support_], linear) + 1
    np.testing.assert_array_equal(np.where(K @ inside.dual_coef_[0] > 0, 1, -1), sides)
    np.testing.assert_array_equal(inside.predict(far), sides)


def test_kernels_of_the_table():
    x, z = np.array([1.0, 2.0]), np.array([3.0, 1.0])
    assert kernels.Linear()(x, z) == 5.0
    assert kernels.Polynomial(3, 0.0)(x, z) == 125.0
    assert kernels.Polynomial(3, 1.0)(x, z) == 216.0
    assert kernels.Gaussian(2.0)(x, z) == pytest.approx(np.exp(-5 / 8))
    assert kernels.Gaussian(2.0, form="sigma2")(x, z) == pytest.approx(np.exp(-5 / 4))
    assert kernels.Laplacian(2.0)(x, z) == pytest.approx(np.exp(-(5**0.5) / 2))
    assert kernels.Sigmoid(0.5, -1.0)(x, z) == pytest.approx(np.tanh(1.5))
    X = np.random.default_rng(0).normal(size=(12, 2))
    assert kernels.is_mercer(kernels.kernel_matrix(X, kernel=kernels.Gaussian(1.0)))
    assert not kernels.is_mercer(kernels.kernel_matrix(X, kernel=kernels.Sigmoid(1.0, -1.0)))


def test_a_low_cost_is_the_basic_linear_classifier():
    draw = np.random.default_rng(1)
    X = np.concatenate([draw.normal(size=(10, 2)) + 1, draw.normal(size=(10, 2)) - 1])
    y = np.repeat([1, -1], 10)
    model, basic = SVC(C=1e-3, kernel="linear").fit(X, y), BasicLinearClassifier().fit(X, y)
    np.testing.assert_allclose(np.abs(model.dual_coef_), 1e-3)
    cosine = (model.coef_ @ basic.coef_.T).item() / np.linalg.norm(model.coef_) / np.linalg.norm(basic.coef_)
    assert cosine == pytest.approx(1.0)


@pytest.mark.parametrize(("distance", "errors"), [(-5.0, 0), (-6.0, 0), (-6.5, 10)])
def test_double_moon(distance, errors):
    train = datasets.double_moon(distance=distance, radius=10.0, width=6.0, n=1000, random_state=0)
    test = datasets.double_moon(distance=distance, radius=10.0, width=6.0, n=1000, random_state=1)
    model = SVC(C=100.0, kernel=kernels.Gaussian(3.0)).fit(train.numbers, train.y)
    assert (model.predict(train.numbers) != train.y).sum() <= errors
    assert (model.predict(test.numbers) != test.y).mean() < 0.01
    polynomial = SVC(C=100.0, kernel=kernels.Polynomial(4, 1.0, 0.01)).fit(train.numbers, train.y)
    assert (polynomial.predict(test.numbers) != test.y).mean() < 0.03


def test_architecture_and_margin_picture():
    model = soft_margin(C=1.0)
    assert f"SVC with 2 classes and {len(model.support_)} support vectors" in str(model.describe())
    assert model.describe().to_dict()["facts"]["kernel"] == "Linear()"
    ax = model.plot(POINTS, SIDES)
    boundary, margins, circles = ax.collections[:3]
    np.testing.assert_allclose(circles.get_offsets(), model.support_vectors_)
    assert boundary.levels.tolist() == [0]
    assert margins.levels.tolist() == [-1, 1]
    assert margins.linestyles == "dotted"
    for line in (boundary, margins):
        for level, path in zip(line.levels, line.get_paths(), strict=True):
            assert len(path.vertices) > 1
            np.testing.assert_allclose(model.decision_function(path.vertices), level, atol=1e-6)

"""Linear methods of the notes by their formulas: ties among minima, penalties, losses, labels, signs."""

from __future__ import annotations

from itertools import combinations_with_replacement

import numpy as np
import pytest
from scipy.optimize import minimize

from hornbook import (
    Encoder,
    Frame,
    LinearRegression,
    LogisticRegression,
    NearestMeanClassifier,
    Perceptron,
    PolynomialClassifier,
    Ridge,
    SurrogateLossClassifier,
    datasets,
)
from hornbook.losses import LogLoss, ZeroOneLoss


def melons():
    table = datasets.watermelon("3.0a")
    return table.features.numbers, table.y.astype(int)


def test_a_penalty_settles_which_of_many_minima_is_meant():
    """More columns than rows: (X'X + a I)^-1 X'y, which becomes the shortest minimum as a vanishes."""
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(17, 40)), rng.normal(size=17)
    for alpha in (10.0, 1e-3):
        model = Ridge(alpha=alpha, fit_intercept=False).fit(X, y)
        expected = np.linalg.solve(X.T @ X + alpha * np.eye(40), X.T @ y)
        np.testing.assert_allclose(model.coef_, expected, atol=1e-10)
    shortest = LinearRegression(fit_intercept=False).fit(X, y).coef_
    np.testing.assert_allclose(shortest, np.linalg.pinv(X) @ y, atol=1e-10)
    almost = Ridge(alpha=1e-9, fit_intercept=False).fit(X, y).coef_
    np.testing.assert_allclose(almost, shortest, atol=1e-8)


def test_the_label_is_that_of_the_larger_probability():
    X, y = melons()
    model = LogisticRegression(C=np.inf).fit(X, np.array(["unripe", "ripe"])[y])
    assert model.classes_.tolist() == ["ripe", "unripe"]
    z = X @ model.coef_[0] + model.intercept_[0]
    shares = model.predict_proba(X)
    np.testing.assert_allclose(shares[:, 1], np.exp(z) / (1 + np.exp(z)))
    np.testing.assert_allclose(shares[:, 0], 1 / (1 + np.exp(z)))
    assert model.predict(X).tolist() == ["unripe" if score > 0 else "ripe" for score in z]


def test_logistic_loss_is_the_deviance_that_logistic_regression_makes_smallest():
    """ln(1 + e^(-y m)): 0.693 at 0, 1 in base 2; the fitted weights have the smallest sum of it."""
    m = np.array([-3.0, -1.0, 0.0, 0.5, 4.0])
    ones, zeros = np.ones(5), np.zeros(5)
    np.testing.assert_allclose(LogLoss().value(ones, m), np.log(1 + np.exp(-m)))
    np.testing.assert_allclose(LogLoss().value(zeros, m), np.log(1 + np.exp(m)))
    assert round(LogLoss().value(ones, m)[2], 3) == 0.693
    assert (LogLoss().value(ones, m) / np.log(2) >= ZeroOneLoss().value(ones, m)).all()
    X, y = melons()
    model = LogisticRegression(C=np.inf, tol=1e-10).fit(X, y)

    def deviance(beta):
        return 2 * LogLoss().value(y, X @ beta[:2] + beta[2]).sum()

    minimum = minimize(deviance, np.zeros(3), tol=1e-12)
    np.testing.assert_allclose([*model.coef_[0], *model.intercept_], minimum.x, rtol=1e-4)
    assert deviance(np.append(model.coef_[0], model.intercept_)) == pytest.approx(2 * 8.68366, abs=1e-5)


def test_penalties_are_prior_distributions_of_the_weights():
    """|w|² / 2 is a normal prior, the sum of |w| a double exponential one: the largest posterior wins."""
    rng = np.random.default_rng(1)
    X = rng.normal(size=(80, 3))
    y = (X[:, 0] + rng.normal(size=80) > 0).astype(int)
    for penalty, log_prior in (
        ("l2", lambda w: -(w @ w) / (2 * 0.5)),  # variance C
        ("l1", lambda w: -np.abs(w).sum() / 0.5),  # scale C
    ):
        model = SurrogateLossClassifier(loss="log_loss", penalty=penalty, C=0.5, tol=1e-10).fit(X, y)

        def minus_posterior(beta, log_prior=log_prior):
            return LogLoss().value(y, X @ beta[:3] + beta[3]).sum() - log_prior(beta[:3])

        fitted = np.append(model.coef_[0], model.intercept_)
        least = minus_posterior(fitted)
        assert model.objective_ == pytest.approx(0.5 * least, rel=1e-9)  # C times it
        for step in rng.normal(size=(200, 4)):
            assert minus_posterior(fitted + 0.01 * step) > least
    # The square shares weight among columns that say the same, absolute values and counts drop some.
    twice = np.column_stack([X[:, 0], X[:, 0], X[:, 1:]])
    both = SurrogateLossClassifier(penalty="l2").fit(twice, y).coef_[0]
    assert both[0] == pytest.approx(both[1], rel=1e-6)
    weak = SurrogateLossClassifier(penalty="l1", C=0.05).fit(X, y).coef_[0]
    assert 0 < (weak != 0).sum() < 3
    assert (SurrogateLossClassifier(penalty="l2", C=0.05).fit(X, y).coef_[0] != 0).all()


def test_counting_mistakes_at_any_cost_is_the_hard_margin():
    """C without end and separable rows: half |w|² alone decides, so the middle of the widest street."""
    X = np.array([[0.0, 0.0], [0.0, 2.0], [-1.0, 1.0], [4.0, 1.0], [6.0, 0.0], [6.0, 2.0]])
    y = np.array([0, 0, 0, 1, 1, 1])
    model = SurrogateLossClassifier(loss="zero_one", C=1e6).fit(X, y)
    np.testing.assert_allclose(model.coef_, [[0.5, 0.0]], atol=1e-6)  # 2 / |w| = 4 from x1 = 0 to x1 = 4
    np.testing.assert_allclose(model.intercept_, [-1.0], atol=1e-6)
    assert model.objective_ == pytest.approx(0.5 * 0.25, rel=1e-6)
    margins = np.where(y == 1, 1, -1) * model.decision_function(X)
    assert margins.min() >= 1 - 1e-9
    assert ZeroOneLoss().value(y, model.decision_function(X)).sum() == 0


def test_heights_and_fruits_become_numbers():
    heights = Frame({"height": ["tall", "medium", "short"]}, kinds={"height": ["short", "medium", "tall"]})
    assert np.asarray(Encoder().fit_transform(heights)).tolist() == [[1.0], [0.5], [0.0]]
    fruits = Frame({"fruit": ["watermelon", "pumpkin", "cucumber"]})
    assert np.asarray(Encoder().fit_transform(fruits)).tolist() == [[0, 0, 1], [0, 1, 0], [1, 0, 0]]


def test_a_point_of_words_is_one_vector_of_zeros_and_ones():
    """One unit vector for each column, one behind the other: 2 + 3 entries, two of them 1."""
    flowers = Frame({"length": ["Long", "Short", "Long"], "width": ["Medium", "Short", "Long"]})
    encoder = Encoder().fit(flowers)
    assert list(encoder.encoded_names_) == [
        "length=Long",
        "length=Short",
        "width=Long",
        "width=Medium",
        "width=Short",
    ]
    encoded = np.asarray(encoder.transform(flowers))
    assert encoded.tolist() == [[1, 0, 0, 1, 0], [0, 1, 0, 0, 1], [1, 0, 1, 0, 0]]
    assert (encoded.sum(axis=1) == 2).all()


def test_answer_of_a_perceptron_is_the_sign_of_the_weighted_sum():
    """and: w = (3, 2, -4), so 3 x1 + 2 x2 - 4 > 0; points on the line itself are not positive."""
    square = np.array([[0, 0], [0, 1], [1, 0], [1, 1]], dtype=float)
    model = Perceptron(update="sign").fit(square, [-1, -1, -1, 1])
    assert [*model.coef_[0], *model.intercept_] == [3, 2, -4]
    rows = np.array([[2.0, -1.0], [2.0, -0.9], [0.0, 2.0], [0.0, 2.1], [1.0, 0.5], [1.0, 0.6], [-5.0, 9.0]])
    sums = 3 * rows[:, 0] + 2 * rows[:, 1] - 4
    np.testing.assert_allclose(model.decision_function(rows), sums, atol=1e-12)
    assert model.predict(rows).tolist() == [-1, 1, -1, 1, -1, 1, -1]
    names = Perceptron(update="sign").fit(square, ["no", "no", "no", "yes"])
    assert names.predict([[1.0, 1.0], [0.0, 0.0]]).tolist() == ["yes", "no"]


@pytest.mark.parametrize("degree", [1, 2, 3, 4])
def test_all_products_up_to_an_order(degree):
    """As many as combinations with repetition, and each function value is their weighted sum."""
    rng = np.random.default_rng(0)
    X = rng.normal(size=(60, 3))
    model = PolynomialClassifier(degree=degree).fit(X, X[:, 0] * X[:, 1] > X[:, 2])
    powers = [
        combination
        for r in range(1, degree + 1)
        for combination in combinations_with_replacement(range(3), r)
    ]
    assert len(model.map_names_) == len(powers) == len(set(model.map_names_))
    products = {
        " ".join(
            f"x{j}" if combination.count(j) == 1 else f"x{j}^{combination.count(j)}"
            for j in sorted(set(combination))
        ): X[:, list(combination)].prod(axis=1)
        for combination in powers
    }
    assert set(products) == set(model.map_names_)
    mapped = np.column_stack([products[name] for name in model.map_names_])
    g = mapped @ model.estimator_.coef_[0] + model.estimator_.intercept_[0]
    np.testing.assert_allclose(model.decision_function(X), g, rtol=1e-9)


def test_nearest_of_several_means():
    flowers = datasets.iris()
    X, y = flowers.features.numbers, np.asarray(flowers.y)
    model = NearestMeanClassifier().fit(X, y)
    means = np.array([X[y == label].mean(axis=0) for label in model.classes_])
    nearest = np.linalg.norm(X[:, None] - means, axis=2).argmin(axis=1)
    np.testing.assert_array_equal(model.predict(X), model.classes_[nearest])

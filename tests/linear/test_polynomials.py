"""Products and other functions of columns: their order, the learners on them, bad input."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn.linear_model import LinearRegression as Reference
from sklearn.linear_model import LogisticRegression as Foreign
from sklearn.neighbors import KNeighborsClassifier as Neighbors
from sklearn.preprocessing import PolynomialFeatures

import hornbook
from hornbook import (
    Blocks,
    Frame,
    GeneralizedLinearClassifier,
    KNeighborsClassifier,
    LogisticRegression,
    NaiveBayes,
    PolynomialClassifier,
    PolynomialRegression,
)
from hornbook.linear.features._monomials import monomials


def table(n=200, d=3, seed=0):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, d))
    return X, X[:, 0] * X[:, 1] - X[:, 2] ** 2 + 0.5 + 0.1 * rng.normal(size=n)


@pytest.mark.parametrize(("d", "degree"), [(1, 4), (2, 2), (3, 3), (5, 2)])
def test_products_are_those_of_scikit_learn_in_another_order(d, degree):
    X = np.random.default_rng(0).normal(size=(20, d))
    ours = monomials(d, degree, "").apply(X)
    theirs = PolynomialFeatures(degree, include_bias=False).fit_transform(X)
    assert ours.shape == theirs.shape
    key = lambda made: made[:, np.lexsort(made)]  # noqa: E731 - used twice, here
    np.testing.assert_allclose(key(ours), key(theirs), rtol=1e-12)


def test_order_within_a_degree_is_mixed_products_first():
    names = monomials(2, 3, "").names(["a", "b"])
    assert names == ["a", "b", "a b", "a^2", "b^2", "a^2 b", "a b^2", "a^3", "b^3"]
    assert len(monomials(10, 2, "").factors) == 65


@pytest.mark.parametrize("fit_intercept", [True, False])
@pytest.mark.parametrize("degree", [1, 2, 3])
def test_regression_is_least_squares_on_the_products(degree, fit_intercept):
    X, y = table()
    w = 0.5 + np.arange(len(y)) % 3
    model = PolynomialRegression(degree, fit_intercept=fit_intercept).fit(X, y, w)
    made = PolynomialFeatures(degree, include_bias=False)
    theirs = Reference(fit_intercept=fit_intercept).fit(made.fit_transform(X), y, w)
    np.testing.assert_allclose(model.predict(X), theirs.predict(made.transform(X)), atol=1e-9)
    coef = dict(zip(made.get_feature_names_out(["x0", "x1", "x2"]), theirs.coef_, strict=True))
    for name, value in zip(model.term_names_, model.coef_, strict=True):
        assert value == pytest.approx(coef[name], abs=1e-9)


def test_a_high_degree_keeps_its_digits():
    x = np.linspace(0, 10, 60)
    y = np.sin(x)
    model = PolynomialRegression(9).fit(x[:, None], y)
    np.testing.assert_allclose(model.predict(x[:, None]), np.polynomial.Polynomial.fit(x, y, 9)(x), atol=1e-8)


def test_regression_on_blocks_gives_the_same_bits():
    X, y = table(9000)
    frame = Frame(np.column_stack([X, y]), target=3)
    whole = PolynomialRegression(3).fit(frame)
    other = PolynomialRegression(3, n_jobs=3).fit(
        Blocks([frame[:10], frame[10:5000], frame[5000:]], n_jobs=3)
    )
    np.testing.assert_array_equal(whole.coef_, other.coef_)
    assert "x0 x1" in str(whole.describe())


@pytest.mark.parametrize(
    "estimator", [None, NaiveBayes(), KNeighborsClassifier(), Foreign(), Neighbors()], ids=str
)
def test_any_classifier_on_the_products(estimator):
    X, y = table()
    labels = np.where(y > 0, "in", "out")
    w = 1.0 + np.arange(len(y)) % 2
    w = None if isinstance(estimator, Neighbors) else w
    model = PolynomialClassifier(estimator=estimator).fit(X, labels, w)
    alone = hornbook.LogisticRegression() if estimator is None else estimator.__class__()
    made = model.products_.apply(X)
    alone.fit(made, labels, **({} if w is None else {"sample_weight": w}))
    np.testing.assert_allclose(model.predict_proba(X), alone.predict_proba(made), rtol=1e-9)
    assert hasattr(model, "decision_function") == hasattr(alone, "decision_function")
    working = model.working(X[0].tolist())
    assert working.prediction == model.predict(X[:1])[0] == working.candidates[np.argmax(working.scores)]
    assert model.plot(X, labels).figure is not None
    assert type(alone).__name__ in str(model.describe())


def test_functions_by_name_and_callables_are_the_products():
    X, y = table()
    labels = (y > 0).astype(int)
    quadratic = PolynomialClassifier().fit(X, labels)
    by_name = GeneralizedLinearClassifier(functions=["identity", "products", "square"]).fit(X, labels)
    by_call = GeneralizedLinearClassifier(
        functions=["identity", lambda X: X[:, [0, 0, 1]] * X[:, [1, 2, 2]], lambda X: X**2]
    ).fit(X, labels)
    for other in (by_name, by_call):
        np.testing.assert_allclose(other.predict_proba(X), quadratic.predict_proba(X), rtol=1e-9)
    assert by_name.map_names_.tolist()[3:] == [
        "x0 x1",
        "x0 x2",
        "x1 x2",
        *(f"square(x{j})" for j in range(3)),
    ]
    assert by_call.map_names_.tolist()[3:] == ["f2.1", "f2.2", "f2.3", "f3.1", "f3.2", "f3.3"]
    with pytest.raises(ValueError, match="functions"):
        hornbook.save(by_call, "never.hornbook")


def test_boundary_in_the_plane_is_drawn():
    X, y = table(d=3)
    ax = PolynomialClassifier().fit(X[:, :2], y > 0).plot(X[:, :2], y > 0)
    assert len(ax.get_legend().get_texts()) == 2
    x = X[:, :1]
    assert [line.get_label() for line in PolynomialRegression().fit(x, y).plot(x, y).lines]


def test_degree_zero_is_the_mean():
    X, y = table()
    model = PolynomialRegression(0).fit(X, y)
    assert model.coef_.shape == (0,)
    np.testing.assert_allclose(model.predict(X), y.mean())
    assert model.standard_errors_[0] == pytest.approx(y.std(ddof=1) / np.sqrt(len(y)))
    assert PolynomialRegression(0, fit_intercept=False).fit(X, y).predict(X[:1]).tolist() == [0.0]


def test_products_too_large_for_a_number_are_refused_at_fit_and_prediction():
    X, y = table()
    for model in (PolynomialRegression(), PolynomialClassifier()):
        target = y if isinstance(model, PolynomialRegression) else y > 0
        with pytest.raises(ValueError, match="A product of columns of X is too large .* in row 0: scale the"):
            model.fit(X * 1e200, target)
        with pytest.raises(ValueError, match="too large for dtype.'float64'. in row 1"):
            model.fit(X, target).predict(np.vstack([X[:1], X[:1] * 1e200]))


def test_bad_input():
    X, y = table()
    labels = y > 0
    with pytest.raises(ValueError, match="'degree' = 9 makes 92377 products of 10 columns"):
        PolynomialRegression(9).fit(np.zeros((5, 10)), np.zeros(5))
    with pytest.raises(ValueError, match="'functions' must hold .* got 'sqare'. Did you mean 'square'"):
        GeneralizedLinearClassifier(functions=["sqare"]).fit(X, labels)
    with pytest.raises(ValueError, match="function log has no finite value in row"):
        GeneralizedLinearClassifier(functions=["log"]).fit(X, labels)
    with pytest.raises(ValueError, match="function f1 must return one value or one row"):
        GeneralizedLinearClassifier(functions=[lambda X: X[:3]]).fit(X, labels)
    with pytest.raises(ValueError, match="makes no columns"):
        GeneralizedLinearClassifier(functions=["products"]).fit(X[:, :1], labels)
    with pytest.raises(ValueError, match="all weight is on the one class False"):
        PolynomialClassifier(estimator=LogisticRegression()).fit(X, labels, ~labels)

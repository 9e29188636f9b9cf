"""Bayesian voting: posterior weights of models, exact and by sampling."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.datasets import make_friedman1

from hornbook import (
    BayesianVoting,
    DecisionTreeClassifier,
    DecisionTreeRegressor,
    KNeighborsClassifier,
    LinearRegression,
    NaiveBayes,
    Perceptron,
    PolynomialRegression,
    Ridge,
    datasets,
    load,
    save,
)


class Coin(ClassifierMixin, BaseEstimator):
    """A model that is fixed in advance: class 1 has this probability, whatever the row."""

    def __init__(self, chance=0.5):
        self.chance = chance

    def fit(self, X, y):
        self.classes_ = np.array([0, 1])
        return self

    def predict_proba(self, X):
        return np.tile([1 - self.chance, self.chance], (len(X), 1))

    def predict(self, X):
        return np.full(len(X), int(self.chance > 0.5))


@pytest.fixture
def tosses():
    y = np.array([1, 1, 1, 0, 1, 1, 0, 1, 1, 1])
    return np.zeros((10, 1)), y


CHANCES = [0.1, 0.3, 0.5, 0.7, 0.9]


@pytest.mark.parametrize("cv", [None, [(np.arange(5), np.arange(5, 10)), (np.arange(5, 10), np.arange(5))]])
def test_coins_by_hand(tosses, cv):
    """Models that learn nothing: P(D | m) = p^8 (1 - p)^2, on folds as on all rows."""
    X, y = tosses
    prior = np.array([1.0, 1.0, 4.0, 1.0, 1.0])
    model = BayesianVoting(Coin(), grid={"chance": CHANCES}, prior=prior, cv=cv).fit(X, y)
    p = np.array(CHANCES)
    joint = prior * p**8 * (1 - p) ** 2
    posterior = joint / joint.sum()
    np.testing.assert_allclose(model.weights_, posterior)
    np.testing.assert_allclose(model.log_likelihood_, 8 * np.log(p) + 2 * np.log(1 - p))
    np.testing.assert_allclose(np.exp(model.log_prior_), prior / 8)
    assert model.predict_proba(X[:1])[0, 1] == pytest.approx(posterior @ p)
    assert model.names_[0] == "chance=0.1"
    votes = BayesianVoting(Coin(), grid={"chance": CHANCES}, prior=prior, cv=cv, vote="hard").fit(X, y)
    assert votes.predict_proba(X[:1])[0, 1] == pytest.approx(posterior[p > 0.5].sum())


def test_nothing_underflows():
    y = np.tile([0, 1], 5000)
    model = BayesianVoting(Coin(), grid={"chance": [0.4, 0.5, 0.6]}, cv=None).fit(np.zeros((10_000, 1)), y)
    assert model.log_likelihood_.max() < -6000
    np.testing.assert_allclose(model.weights_, [0.0, 1.0, 0.0], atol=1e-12)


def test_a_chain_visits_models_in_proportion_to_their_posterior(tosses):
    X, y = tosses
    exact = BayesianVoting(Coin(), grid={"chance": CHANCES}, cv=None).fit(X, y).weights_
    distances = []
    for steps in (5, 50, 5000):
        shares = []
        for seed in range(40):
            model = BayesianVoting(
                Coin(), grid={"chance": CHANCES}, cv=None, n_samples=steps, random_state=seed
            ).fit(X, y)
            share = dict(zip(model.names_, model.weights_, strict=True))
            shares.append([share.get(f"chance={chance}", 0.0) for chance in CHANCES])
            assert model.weights_.sum() == pytest.approx(1.0)
        distances.append(np.abs(np.mean(shares, axis=0) - exact).max())
    # The bias of a chain goes with its length.
    assert distances[0] > 0.01
    assert distances[2] < 0.01
    assert "biased toward its start" in str(model.describe())


def test_only_models_that_the_chain_proposes_are_fitted():
    grid = {"n_neighbors": list(range(1, 61)), "weights": ["uniform", "distance"]}
    model = BayesianVoting(KNeighborsClassifier(), grid=grid, n_samples=8, random_state=0).fit(
        datasets.iris()
    )
    assert len(model.estimators_) <= 8
    assert (model.weights_ * 8).round(9).tolist() == (model.weights_ * 8).round().tolist()


def test_the_likelihood_of_rows_seen_favors_models_that_overfit():
    iris = datasets.iris()
    models = [("deep", DecisionTreeClassifier()), ("bayes", NaiveBayes())]
    seen = BayesianVoting(models, cv=None).fit(iris)
    unseen = BayesianVoting(models, random_state=0).fit(iris)
    assert seen.names_ == ["deep", "bayes"]
    assert seen.weights_[0] > 0.99
    assert unseen.weights_[1] > 0.99


def test_numbers_are_averaged_with_normal_errors():
    X, y = make_friedman1(120, random_state=0)
    number = np.arange(120) % 3
    folds = [(np.flatnonzero(number != k), np.flatnonzero(number == k)) for k in range(3)]
    models = [LinearRegression(), Ridge(alpha=30.0), DecisionTreeRegressor(max_depth=4)]
    model = BayesianVoting(models, cv=folds).fit(X, y)
    evidence = []
    for learner in models:
        squares = sum(((learner.fit(X[a], y[a]).predict(X[b]) - y[b]) ** 2).sum() for a, b in folds)
        evidence.append(-60 * (np.log(2 * np.pi * squares / 120) + 1))
    np.testing.assert_allclose(model.log_likelihood_, evidence)
    weights = np.exp(np.array(evidence) - max(evidence))
    np.testing.assert_allclose(model.weights_, weights / weights.sum(), rtol=1e-6)
    answers = [learner.fit(X, y).predict(X) for learner in models]
    np.testing.assert_allclose(model.predict(X), model.weights_ @ answers)


def test_the_right_degree_is_found():
    draw = np.random.default_rng(0)
    X = draw.uniform(-1, 1, (80, 1))
    y = X[:, 0] ** 3 - X[:, 0] / 2 + draw.normal(0, 0.05, 80)
    model = BayesianVoting(PolynomialRegression(), grid={"degree": [1, 2, 3, 9]}, random_state=0).fit(X, y)
    assert model.names_[int(model.weights_.argmax())] == "degree=3"


def test_a_model_without_prior_is_never_fitted(tosses):
    X, y = tosses
    model = BayesianVoting([Coin(0.3), Perceptron()], prior=[1.0, 0.0], cv=None).fit(X, y)
    assert model.names_ == ["Coin"]


def test_a_saved_space_answers_the_same(tmp_path):
    iris = datasets.iris()
    model = BayesianVoting(
        [("a", NaiveBayes()), ("b", DecisionTreeClassifier(max_depth=2))], cv=3, random_state=0
    )
    save(model.fit(iris), tmp_path / "model.hornbook")
    again = load(tmp_path / "model.hornbook")
    np.testing.assert_array_equal(again.predict_proba(iris.features), model.predict_proba(iris.features))
    assert again.names_ == ["a", "b"]


@pytest.mark.parametrize(
    ("estimators", "settings", "error", "message"),
    [
        ([], {}, ValueError, "'estimators' is empty"),
        ([("a", NaiveBayes()), ("a", NaiveBayes())], {}, ValueError, "two models are named 'a'"),
        (NaiveBayes(), {"grid": {"depth": [1]}}, ValueError, "'depth', which is not a parameter"),
        ([NaiveBayes()], {"grid": {"smoothing": [1]}}, TypeError, "settings of one learner"),
        (NaiveBayes(), {"grid": {"smoothing": []}}, ValueError, "has 0 combinations"),
        (NaiveBayes(), {"prior": [1.0, 2.0]}, ValueError, "for each of the 1 models"),
        (NaiveBayes(), {"prior": [-1.0]}, ValueError, "one weight of 0 or more"),
        (Perceptron(), {}, TypeError, "gives no probabilities"),
        ([NaiveBayes(), LinearRegression()], {}, TypeError, "must be a learner for classification"),
    ],
)
def test_what_is_no_space_of_models_is_refused(estimators, settings, error, message):
    with pytest.raises(error, match=message):
        BayesianVoting(estimators, **settings).fit(datasets.iris())

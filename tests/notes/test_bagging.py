"""Bagging in the notes: counting samples and errors, losses by the number of members, why ensembles work."""

from __future__ import annotations

from itertools import product
from math import comb, exp

import numpy as np
import pytest
from sklearn.base import BaseEstimator, ClassifierMixin

from hornbook import (
    BaggingClassifier,
    BaggingRegressor,
    DecisionTreeClassifier,
    DecisionTreeRegressor,
    NaiveBayes,
    PolynomialClassifier,
    RandomForestClassifier,
    SurrogateLossClassifier,
    datasets,
)
from hornbook.ensembles import vote_losses
from hornbook.evaluation import (
    Bootstrap,
    KFold,
    bias_variance,
    bootstrap_sample_count,
    hoeffding_bound,
    inclusion_probability,
    vote_error,
)


class TestCounting:
    def test_five_independent_members_that_err_with_probability_3_in_10(self):
        assert vote_error(5, 0.3) == pytest.approx(0.16308, abs=1e-12)
        # By enumeration of all outcomes.
        outcomes = [sum(wrong) for wrong in product([0, 1], repeat=5)]
        exact = sum(0.3**k * 0.7 ** (5 - k) for k in outcomes if k > 2)
        assert vote_error(5, 0.3) == pytest.approx(exact, rel=1e-12)

    @pytest.mark.parametrize(
        ("n", "p", "exact", "bound"),
        [
            (3, 0.3, 0.2160, 0.7866),
            (5, 0.3, 0.1631, 0.6703),
            (11, 0.3, 0.07822, 0.4148),
            (21, 0.3, 0.02639, 0.1864),
            (11, 0.4, 0.24650, 0.80252),
        ],
    )
    def test_the_error_and_its_bound(self, n, p, exact, bound):
        assert vote_error(n, p) == pytest.approx(exact, rel=1e-3)
        assert hoeffding_bound(n, p) == pytest.approx(bound, rel=1e-3)

    def test_a_tie_counts_as_the_notes_say(self):
        tie = comb(4, 2) * 0.3**2 * 0.7**2
        strict = sum(comb(4, k) * 0.3**k * 0.7 ** (4 - k) for k in (3, 4))
        assert vote_error(4, 0.3, ties="correct") == pytest.approx(strict)  # more than half must be wrong
        assert vote_error(4, 0.3, ties="error") == pytest.approx(strict + tie)  # half right is not enough
        assert vote_error(4, 0.3) == pytest.approx(strict + tie / 2) == pytest.approx(vote_error(3, 0.3))

    def test_the_bound_holds_and_votes_help_only_better_than_chance(self):
        for n, p in product(range(1, 40), (0.0, 0.1, 0.3, 0.49, 0.5, 0.7, 1.0)):
            assert vote_error(n, p, ties="error") <= hoeffding_bound(n, p) + 1e-12
        errors = {p: [vote_error(n, p) for n in (1, 11, 101)] for p in (0.4, 0.5, 0.6)}
        assert errors[0.4][0] > errors[0.4][1] > errors[0.4][2]
        assert errors[0.5] == pytest.approx([0.5] * 3)
        assert errors[0.6][0] < errors[0.6][1] < errors[0.6][2]

    def test_how_many_bootstrap_samples_there_are(self):
        for n, count in zip((1, 2, 3, 4, 5), (1, 3, 10, 35, 126), strict=True):
            samples = {tuple(sorted(draws)) for draws in product(range(n), repeat=n)}
            assert bootstrap_sample_count(n) == len(samples) == count
        assert bootstrap_sample_count(10) == 92378

    def test_the_share_of_different_rows_in_a_sample(self):
        for n, share in ((5, 0.67232), (10, 0.65132), (100, 0.63397), (1000, 0.63230)):
            assert inclusion_probability(n) == pytest.approx(share, abs=5e-6)
        assert inclusion_probability(10**7) == pytest.approx(1 - exp(-1), abs=1e-7)
        iris = datasets.iris()
        model = BaggingClassifier(NaiveBayes(), 60, random_state=0).fit(iris)
        assert model.sample_sizes_.mean() / 150 == pytest.approx(inclusion_probability(150), abs=0.01)

    @pytest.mark.parametrize(
        ("wrong", "message"),
        [
            (lambda: vote_error(0, 0.3), "n_members must be at least 1"),
            (lambda: hoeffding_bound(3, 1.2), "must be a probability"),
            (lambda: vote_error(3, 0.2, ties="none"), "'ties' must be"),
            (lambda: bootstrap_sample_count(0), "n_rows must be at least 1"),
        ],
    )
    def test_numbers_that_count_nothing_are_refused(self, wrong, message):
        with pytest.raises(ValueError, match=message):
            wrong()


def test_losses_of_bagged_support_vector_machines_by_their_number():
    """Quadratic features and the hinge loss: a support vector machine on explicit features."""
    plane = datasets.iris(view="components").features
    y = np.where(np.asarray(datasets.iris().y) == "versicolor", 1, -1)
    machine = PolynomialClassifier(degree=2, estimator=SurrogateLossClassifier(loss="hinge", C=1.0))
    sizes = np.array([3, 5, 8, 10, 15]) - 1
    zero_one, squared = [], []
    for seed in range(7):
        model = BaggingClassifier(machine, 15, vote="hard", random_state=seed).fit(plane, y)
        losses = vote_losses(model.member_predictions(plane), y)
        np.testing.assert_allclose(150 * losses.squared, 4 * 150 * losses.zero_one + losses.ties)
        zero_one.append(losses.zero_one[sizes])
        squared.append(losses.squared[sizes])
    printed = [0.047, 0.04, 0.02, 0.027, 0.027], [0.187, 0.16, 0.10, 0.113, 0.107]
    simulated = [0.033, 0.033, 0.027, 0.027, 0.027], [0.133, 0.133, 0.113, 0.113, 0.107]
    for errors, slides, ours, unit in zip((zero_one, squared), printed, simulated, (1, 4), strict=True):
        np.testing.assert_allclose(np.median(errors, axis=0), ours, atol=0.01 * unit)
        np.testing.assert_allclose(np.median(errors, axis=0), slides, atol=0.02 * unit)


def test_the_counts_behind_the_printed_losses():
    """150 rows; the errors and ties that give the printed numbers."""
    for errors, ties, zero_one, squared in (
        (7, 0, 0.047, 0.187),
        (6, 0, 0.04, 0.16),
        (3, 3, 0.02, 0.10),
        (4, 1, 0.027, 0.113),
        (4, 0, 0.027, 0.107),
    ):
        y = np.ones(150)
        votes = np.ones((2, 150))
        votes[:, :errors] = -1
        votes[0, errors : errors + ties] = -1
        losses = vote_losses(votes, y)
        assert losses.ties[1] == ties
        assert losses.zero_one[1] == pytest.approx(zero_one, abs=5e-4)
        assert losses.squared[1] == pytest.approx(squared, abs=5e-4)


class Counted(ClassifierMixin, BaseEstimator):
    """A learner that counts how often it is fitted and asked."""

    fits = 0
    asked = 0

    def fit(self, X, y):
        type(self).fits += 1
        self.classes_ = np.unique(y)
        return self

    def predict(self, X):
        type(self).asked += 1
        return np.full(len(X), self.classes_[0])


def test_bagging_takes_a_fit_and_a_vote_of_each_member():
    X, y = np.zeros((20, 2)), np.arange(20) % 2
    model = BaggingClassifier(Counted(), 9, random_state=0).fit(X, y)
    assert Counted.fits == 9
    Counted.asked = 0
    model.predict(X)
    assert Counted.asked == 9


def test_cross_validation_holds_out_each_row_once_and_bagging_many_times_or_never():
    rows = np.zeros((400, 1))
    folds = np.concatenate([test for _, test in KFold(10).split(rows)])
    assert sorted(folds.tolist()) == list(range(400))
    held_out = np.zeros(400, dtype=int)
    for _, test in Bootstrap(6, random_state=0).split(rows):
        held_out[test] += 1
    assert held_out.min() == 0
    assert held_out.max() > 1


class TestWhyEnsemblesWork:
    """Three reasons (Dietterich 2000): the first two lower the variance, the third the bias."""

    @staticmethod
    def sampler(draw):
        x = draw.uniform(0, 1, (60, 1))
        return x, np.sin(6 * x[:, 0]) + draw.normal(0, 0.4, 60)

    def parts(self, learner):
        points = np.linspace(0.05, 0.95, 60)[:, None]
        truth = np.sin(6 * points[:, 0])
        settings = {"method": "simulation", "sampler": self.sampler, "noise": 0.16, "random_state": 0}
        return bias_variance(learner, points, truth, n_samples=40, **settings)

    def test_statistical_many_models_fit_few_rows_equally_well(self):
        tree, bagged = self.parts(DecisionTreeRegressor()), self.parts(BaggingRegressor(random_state=0))
        assert bagged.variance < 0.6 * tree.variance
        assert bagged.bias == pytest.approx(tree.bias, abs=0.02)

    def test_computational_greedy_searches_end_in_different_places(self):
        X, y = np.random.default_rng(1).normal(size=(2, 400, 6)), None
        y = (X[:, :, 0] * X[:, :, 1] > 0).astype(int)  # no first split helps, so the search goes astray
        member = DecisionTreeClassifier(max_features=2, min_samples_leaf=5)
        model = BaggingClassifier(member, 30, bootstrap=False, random_state=0).fit(X[0], y[0])
        alone = (model.member_predictions(X[1]) == y[1]).mean(axis=1)
        assert alone.std() > 0.01
        assert model.score(X[1], y[1]) > alone.mean() + 0.05

    def test_representational_a_mean_of_stumps_is_no_stump(self):
        X = np.linspace(0, 1, 2000)[:, None]
        y = X[:, 0]
        stump = DecisionTreeRegressor(max_depth=1).fit(X, y)
        error = ((stump.predict(X) - y) ** 2).mean()
        assert error == pytest.approx(1 / 48, rel=1e-3)  # of the best stump, which is all bias
        bagged = BaggingRegressor(DecisionTreeRegressor(max_depth=1), 200, max_samples=3, random_state=0)
        assert ((bagged.fit(X, y).predict(X) - y) ** 2).mean() < 0.8 * error
        assert len(np.unique(stump.predict(X))) == 2
        assert len(np.unique(bagged.predict(X))) > 100


def test_columns_for_each_tree_or_for_each_split():
    """Global and local random subspaces, alone and with bootstrap samples."""
    iris = datasets.iris()
    whole = BaggingClassifier(n_estimators=12, max_features=2, bootstrap=False, random_state=0).fit(iris)
    assert all(
        len(np.unique(member.nodes_.feature[member.nodes_.kind > 0])) <= 2 for member in whole.estimators_
    )
    local = RandomForestClassifier(12, max_features=2, bootstrap=False, random_state=0).fit(iris)
    used = [len(np.unique(local.tree(t, iris).nodes_.feature)) for t in range(12)]
    assert max(used) > 2
    both = BaggingClassifier(n_estimators=12, max_features=2, oob_score=True, random_state=0).fit(iris)
    assert both.oob_score_ > 0.9

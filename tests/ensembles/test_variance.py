"""The parts of the variance of a forest."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.base import BaseEstimator, clone

from hornbook import RandomForestRegressor
from hornbook.ensembles import forest_variance, mean_variance, total_variance


def test_variance_of_a_mean():
    assert mean_variance(1.0, 0.3, 10) == pytest.approx(0.37, abs=1e-15)
    assert mean_variance(4.0, 0.0, 8) == 0.5
    assert mean_variance(4.0, 1.0, 8) == 4.0
    draw = np.random.default_rng(0)
    shared, own = draw.normal(size=(200_000, 1)), draw.normal(size=(200_000, 6))
    simulated = (np.sqrt(0.4) * shared + np.sqrt(0.6) * own).mean(axis=1).var()
    assert simulated == pytest.approx(mean_variance(1.0, 0.4, 6), rel=0.02)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((1.0, -0.6, 3), "between -1 / .n - 1. and 1; got -0.6"),
        ((1.0, 0.5, 0), "'n' must be an integer .* got 0 and 1.0"),
        ((1.0, 0.5, 2.5), "'n' must be an integer .* got 2.5 and 1.0"),
        ((float("nan"), 0.5, 3), "'variance' a number .* got 3 and nan"),
    ],
)
def test_impossible_correlations_are_refused(arguments, message):
    with pytest.raises(ValueError, match=message):
        mean_variance(*arguments)


@given(st.lists(st.tuples(st.integers(0, 3), st.floats(-100, 100)), min_size=1, max_size=40))
@settings(derandomize=True, max_examples=100, deadline=None)
def test_the_law_of_total_variance(pairs):
    groups, values = zip(*pairs, strict=True)
    within, between = total_variance(values, groups)
    assert within + between == pytest.approx(np.var(values), abs=1e-9)
    # The law of total expectation: the mean of all is the weighted mean of the means.
    shares = [np.mean(np.equal(groups, g)) for g in set(groups)]
    means = [np.mean([v for g, v in pairs if g == group]) for group in set(groups)]
    assert np.dot(shares, means) == pytest.approx(np.mean(values), abs=1e-9)


@pytest.mark.parametrize(
    ("values", "groups"), [([], []), ([1.0, 2.0], [0]), ([1.0, float("nan")], [0, 0]), ([[1.0]], [[0]])]
)
def test_what_has_no_variance_is_refused(values, groups):
    with pytest.raises(
        ValueError, match="total_variance: 'values' must be a list of at least 1 finite number"
    ):
        total_variance(values, groups)


def sample(seed):
    draw = np.random.default_rng(seed)
    X = draw.random((60, 4))
    return X, 4 * X[:, 0] + 2 * np.sin(5 * X[:, 1]) + draw.normal(size=60)


@pytest.fixture(scope="module")
def parts():
    new = np.random.default_rng(99).random((25, 4))
    return {
        m: forest_variance(RandomForestRegressor(25, max_features=m), sample, new, n_datasets=40)
        for m in (1, None)
    }


def test_fewer_columns_move_variance_from_data_to_draws(parts):
    assert parts[1].randomization.mean() > parts[None].randomization.mean()
    assert parts[1].data.mean() < parts[None].data.mean()
    assert parts[1].correlation.mean() < parts[None].correlation.mean()
    np.testing.assert_allclose(parts[1].total, parts[1].data + parts[1].randomization)


def test_more_trees_leave_the_variance_by_data(parts):
    new = np.random.default_rng(99).random((25, 4))
    model = RandomForestRegressor(25, max_features=1)
    forests = [clone(model).set_params(random_state=s).fit(*sample(1000 + s)) for s in range(60)]
    simulated = np.var([forest.predict(new) for forest in forests], axis=0, ddof=1).mean()
    result = parts[1]
    pairs = zip(result.total, result.correlation, strict=True)
    expected = np.mean([mean_variance(variance, correlation, 25) for variance, correlation in pairs])
    assert simulated == pytest.approx(expected, rel=0.25)


def test_answers_of_trees_converge_on_one_data_set():
    X, y = sample(0)
    answers = RandomForestRegressor(400, random_state=0).fit(X, y).tree_answers(X)
    assert answers.shape == (400, 60)
    means = np.cumsum(answers, axis=0) / np.arange(1, 401)[:, None]
    # Given the data, trees are independent: halves of the forest differ as means of independent answers do.
    gap = answers[:200].mean(axis=0) - answers[200:].mean(axis=0)
    assert np.mean(gap**2) == pytest.approx(np.mean(answers.var(axis=0)) * 2 / 200, rel=0.5)
    assert np.abs(means[-1] - means[199]).max() < np.abs(means[-1] - means[4]).max()


class Noise(BaseEstimator):
    """Trees that answer with chance alone, whatever the data are."""

    def __init__(self, n_estimators=2, random_state=None):
        self.n_estimators, self.random_state = n_estimators, random_state

    def fit(self, X, y):
        return self

    def tree_answers(self, X):
        return np.random.default_rng(self.random_state).normal(size=(self.n_estimators, len(X)))


def test_variance_by_data_is_estimated_without_bias():
    """The means of few trees vary by chance too, which is no variance by data."""
    rows = np.zeros((5000, 1))
    parts = forest_variance(Noise(), lambda _: (rows, rows), rows, n_datasets=20)
    assert parts.data.mean() == pytest.approx(0.0, abs=0.02)
    assert parts.randomization.mean() == pytest.approx(1.0, abs=0.02)


def test_too_little_to_vary_is_refused():
    with pytest.raises(ValueError, match="at least 2 data sets and 2 trees; got 1 and 5"):
        forest_variance(RandomForestRegressor(5), sample, [[0.0] * 4], n_datasets=1)

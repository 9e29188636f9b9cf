"""Laws of variance and bounds of error in the notes, by hand: total variance, Chebyshev, bias and noise."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn.base import BaseEstimator
from tests.evaluation.polynomials import Polynomial, noisy_parabola, parabola

from hornbook.ensembles import VarianceParts, forest_variance, mean_variance, total_variance, vote_margins
from hornbook.evaluation import bias_variance, bias_variance_curve
from hornbook.plots import bias_variance as draw_parts
from hornbook.plots import fits


def test_variance_within_and_between_groups_of_unequal_size():
    """1, 3 and 10, 14, 12: variances 1 and 8/3, means 2 and 12, so 2 within and 24 between, 26 in all."""
    within, between = total_variance([1.0, 3.0, 10.0, 14.0, 12.0], ["a", "a", "b", "b", "b"])
    assert within == pytest.approx(2 / 5 * 1 + 3 / 5 * 8 / 3) == pytest.approx(2.0)
    assert between == pytest.approx(2 / 5 * (2 - 8) ** 2 + 3 / 5 * (12 - 8) ** 2) == pytest.approx(24.0)
    assert within + between == pytest.approx(np.var([1, 3, 10, 14, 12])) == pytest.approx(26.0)


def test_all_variance_may_be_within_or_between():
    assert total_variance([5.0, 5.0, 7.0, 7.0], [0, 0, 1, 1]) == (0.0, 1.0)
    assert total_variance([5.0, 7.0, 5.0, 7.0], [0, 0, 1, 1]) == (1.0, 0.0)
    assert total_variance([5.0, 7.0, 5.0, 7.0], [3, 3, 3, 3]) == (1.0, 0.0)
    within, between = total_variance([5.0, 7.0, 5.0, 7.0], [0, 1, 2, 3])
    assert (within, between) == (0.0, 1.0)


class Known(BaseEstimator):
    """A forest whose trees answer from a table: the data set says which."""

    def __init__(self, table=None, n_estimators=2, random_state=None):
        self.table = table
        self.n_estimators = n_estimators
        self.random_state = random_state

    def fit(self, X, y):
        self.answers_ = np.asarray(self.table)[int(X), :, :]
        return self

    def tree_answers(self, X):
        return self.answers_


def parts_of(table):
    """The parts when data set 0, 1, … is drawn in turn."""
    table = np.asarray(table, dtype=float)
    turn = iter(range(len(table)))
    model = Known(table, n_estimators=table.shape[1])
    return forest_variance(model, lambda _: (next(turn), None), [[0.0]], n_datasets=len(table))


def test_variance_by_data_and_by_draws_of_a_small_table():
    """Three data sets, two trees: answers (1, 3), (4, 8), (9, 11).

    Means 2, 6, 10 with variance 16; variances 2, 8, 2 with mean 4. A mean of two trees holds 4 / 2 of the
    draws, so 16 - 2 = 14 are of the data.
    """
    parts = parts_of([[[1.0], [3.0]], [[4.0], [8.0]], [[9.0], [11.0]]])
    assert parts.mean.tolist() == [6.0]  # the mean of the means is the mean of all: total expectation
    assert parts.randomization.tolist() == [4.0]
    assert parts.data.tolist() == [14.0]
    assert parts.total.tolist() == [18.0]
    assert parts.correlation == pytest.approx([14 / 18])
    # An endless forest keeps correlation times total, one of n trees the rest divided by n.
    assert parts.correlation * parts.total == pytest.approx(parts.data)
    assert mean_variance(18.0, 14 / 18, 2) == pytest.approx(16.0)
    assert mean_variance(18.0, 14 / 18, 10**9) == pytest.approx(14.0)


def test_parts_of_the_variance_are_those_of_the_source():
    """Answers are a + b with a of the data (variance 4) and b of the tree (variance 9)."""
    rng = np.random.default_rng(0)
    table = rng.normal(0, 2, (4000, 1, 3)) + rng.normal(0, 3, (4000, 4, 3)) + [5.0, 0.0, -5.0]
    parts = parts_of(table)
    np.testing.assert_allclose(parts.data, 4.0, rtol=0.15)
    np.testing.assert_allclose(parts.randomization, 9.0, rtol=0.06)
    np.testing.assert_allclose(parts.correlation, 4 / 13, rtol=0.12)
    np.testing.assert_allclose(parts.mean, table.mean(axis=(0, 1)))
    # The law of total variance, tree by tree.
    for row in range(3):
        within, between = total_variance(table[:, :, row].ravel(), np.repeat(np.arange(4000), 4))
        assert within * 4 / 3 == pytest.approx(parts.randomization[row])
        assert between * 4000 / 3999 - parts.randomization[row] / 4 == pytest.approx(parts.data[row])
    np.testing.assert_allclose(parts.bias([5.0, 1.0, -5.0]), [5, 1, -5] - parts.mean)
    assert VarianceParts(np.zeros(1), np.array([3.0]), np.array([1.0])).correlation.tolist() == [0.75]


def test_the_error_is_at_most_the_variance_of_the_margin_over_the_squared_strength():
    """Margins 1, 1/2, 1/2, 0 of four voters: strength 1/2, variance 1/8, bound (1/8) / (1/4) = 1/2."""
    votes = [list("aaaa"), list("aaaa"), list("aaab"), list("abbb")]
    result = vote_margins(votes, ["a"] * 4)
    np.testing.assert_allclose(result.margins, [1.0, 0.5, 0.5, 0.0])
    assert result.strength == pytest.approx(0.5)
    assert result.chebyshev_bound == pytest.approx(0.5)
    assert result.error == 0.0
    # One wrong row of five: margins 1, 1, 1, 1, -1, so s = 3/5 and var = 16/25: 16/9, which says nothing.
    wrong = vote_margins([list("aaaab")] * 2, ["a"] * 5)
    assert wrong.strength == pytest.approx(3 / 5)
    assert wrong.chebyshev_bound == pytest.approx(16 / 9)
    assert wrong.error == pytest.approx(1 / 5)
    # Nine right rows and one wrong: s = 4/5 and var = 9/25, so 9/16.
    better = vote_margins([list("aaaaaaaaab")] * 3, ["a"] * 10)
    assert better.chebyshev_bound == pytest.approx(9 / 16)
    # Without strength there is no bound.
    assert vote_margins([list("ab"), list("ba")], ["a", "a"]).chebyshev_bound == np.inf


def test_strength_correlation_and_bound_by_hand():
    """Raw margins 1 or -1 of two voters on four rows: they agree on three."""
    result = vote_margins([list("aaab"), list("aaba")], ["a"] * 4)
    np.testing.assert_array_equal(result.raw, [[1, 1, 1, -1], [1, 1, -1, 1]])
    assert result.strength == pytest.approx(0.5)
    apart = result.raw - 0.5
    rho = (apart[0] * apart[1]).mean() / (0.75)  # both have variance 3/4
    assert result.pair_correlations[0, 1] == pytest.approx(rho)
    mean = (1 + 1 + 2 * rho) / 4  # over all pairs, a voter with itself included
    assert result.correlation == pytest.approx(mean)
    assert result.margins.var() == pytest.approx(mean * 0.75)
    assert result.bound == pytest.approx(mean * (1 - 0.25) / 0.25)


POINTS = np.linspace(-1, 1, 11)[:, None]


def test_bias_variance_and_noise_are_those_of_the_answers():
    """mean f over training sets, (mean f - y)², E (f - mean f)² and the noise; their sum is the loss."""
    answers = []

    class Recorded(Polynomial):
        def predict(self, X):
            answers.append(super().predict(X))
            return answers[-1]

    truth = parabola(POINTS[:, 0])
    parts = bias_variance(
        Recorded(1),
        POINTS,
        truth,
        method="simulation",
        sampler=noisy_parabola(15, 0.4),
        noise=0.16,
        n_samples=30,
        random_state=0,
    )
    f = np.array(answers)
    assert f.shape == (30, 11)
    np.testing.assert_allclose(parts.variance_at, ((f - f.mean(axis=0)) ** 2).mean(axis=0))
    np.testing.assert_allclose(parts.bias_at, (f.mean(axis=0) - truth) ** 2)
    np.testing.assert_allclose(parts.noise_at, 0.16)
    # The loss itself: every answer against the truth, and the noise of a fresh label.
    np.testing.assert_allclose(parts.loss_at, ((f - truth) ** 2).mean(axis=0) + 0.16)
    assert parts.loss == pytest.approx(parts.noise + parts.bias + parts.variance)
    for name in ("noise", "bias", "variance", "loss"):
        assert getattr(parts, name) == pytest.approx(getattr(parts, f"{name}_at").mean())


def test_the_curve_of_the_parts_is_drawn_as_it_is():
    curve = bias_variance_curve(
        Polynomial,
        [0, 1, 2],
        POINTS,
        parabola(POINTS[:, 0]),
        name="degree",
        method="simulation",
        sampler=noisy_parabola(15, 0.4),
        noise=0.16,
        n_samples=20,
        random_state=0,
    )
    lines = {line.get_label(): line.get_xydata() for line in draw_parts(curve).lines}
    for label, part in (("loss", curve.loss), ("bias²", curve.bias), ("variance", curve.variance)):
        np.testing.assert_allclose(lines[label], np.column_stack([[0, 1, 2], part]))


def test_two_hypotheses_through_the_same_points_are_drawn_as_they_are():
    """A smooth and a wild curve agree with all data: the data alone prefer neither."""
    x = np.linspace(-1, 1, 5)
    X, y = x[:, None], np.cos(2 * x)
    smooth, wild = Polynomial(4).fit(X, y), Polynomial(4).fit(X, y)
    wild.degree, wild.coef_ = 5, np.append(wild.coef_, 0) + 8 * np.poly(x)[::-1]
    ax = fits({"A": smooth, "B": wild}, X, y)
    np.testing.assert_allclose(np.asarray(ax.collections[0].get_offsets()), np.column_stack([x, y]))
    curves = {}
    for line, model in zip(ax.lines, (smooth, wild), strict=True):
        place, height = np.asarray(line.get_xydata()).T
        np.testing.assert_allclose(height, model.predict(place[:, None]))
        curves[line.get_label()] = (place, height)
        np.testing.assert_allclose(model.predict(X), y, atol=1e-12)
    assert np.abs(curves["A"][1] - curves["B"][1]).max() > 0.5

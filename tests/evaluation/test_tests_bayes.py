"""Probabilities of better, equal and worse."""

from __future__ import annotations

import json
import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import integrate, stats

from hornbook.evaluation import bayesian_comparison, corrected_t

samples = st.integers(0, 10_000).map(
    lambda seed: np.random.default_rng(seed).normal(0.01, 0.02, size=2 + seed % 20)
)


class TestCorrelatedT:
    @settings(derandomize=True, max_examples=100, deadline=None)
    @given(samples, st.floats(0, 0.05), st.floats(0, 0.9))
    def test_the_closed_form(self, d, rope, correlation):
        n = len(d)
        scale = math.sqrt((1 / n + correlation / (1 - correlation)) * d.var(ddof=1))
        posterior = stats.t(n - 1, d.mean(), scale)
        result = bayesian_comparison(d, rope=rope, correlation=correlation)
        expected = (posterior.sf(rope), posterior.cdf(rope) - posterior.cdf(-rope), posterior.cdf(-rope))
        assert (result.better, result.equal, result.worse) == pytest.approx(expected, rel=1e-9, abs=1e-13)
        assert result.better + result.equal + result.worse == pytest.approx(1, rel=1e-14)
        assert (result.interval.low, result.interval.high) == pytest.approx(
            posterior.interval(0.95), rel=1e-9
        )

    def test_the_posterior_of_normal_differences_with_equal_correlation(self):
        # mean and precision with the flat prior d mu d sigma / sigma, integrated over sigma by hand
        d, c, rope = np.array([0.02, -0.01, 0.03, 0.01, 0.025]), 0.2, 0.01
        n = len(d)
        inverse = np.linalg.inv((1 - c) * np.eye(n) + c)

        def density(mu):
            square = (d - mu) @ inverse @ (d - mu)
            return square ** (-n / 2)

        total = integrate.quad(density, -2, 2, points=[0.0, d.mean()])[0]
        above = integrate.quad(density, rope, 2, points=[d.mean()])[0]
        result = bayesian_comparison(d, rope=rope, correlation=c)
        assert result.better == pytest.approx(above / total, abs=1e-5)

    def test_with_no_region_it_mirrors_the_one_sided_p_value(self):
        d = np.random.default_rng(0).normal(0.01, 0.02, size=10)
        result = bayesian_comparison(d, rope=0, correlation=0.1)
        assert result.worse == pytest.approx(
            corrected_t(d, test_fraction=0.1, alternative="greater").p, rel=1e-12
        )
        assert result.equal == pytest.approx(0, abs=1e-15)

    def test_errors_are_better_when_smaller(self):
        d = np.random.default_rng(0).normal(0.01, 0.02, size=10)
        one = bayesian_comparison(d, rope=0.01, correlation=0.1)
        two = bayesian_comparison(d, rope=0.01, correlation=0.1, greater_is_better=False)
        assert (one.better, one.equal, one.worse) == (two.worse, two.equal, two.better)
        swapped = bayesian_comparison(-d, rope=0.01, correlation=0.1)
        assert (one.better, one.equal, one.worse) == pytest.approx(
            (swapped.worse, swapped.equal, swapped.better)
        )

    @pytest.mark.parametrize(
        ("values", "rope", "expected"),
        [
            ([0.0, 0.0, 0.0], 0.0, (0, 1, 0)),
            ([0.0, 0.0, 0.0], 0.01, (0, 1, 0)),
            ([0.1, 0.1, 0.1], 0.01, (1, 0, 0)),
            ([-0.1, -0.1, -0.1], 0.01, (0, 0, 1)),
            ([0.005, 0.005], 0.01, (0, 1, 0)),
        ],
    )
    def test_without_spread_it_is_certain(self, values, rope, expected):
        result = bayesian_comparison(values, rope=rope, correlation=0.1)
        assert (result.better, result.equal, result.worse) == expected


def by_all_pairs(z, rope, weights):
    """Benavoli's theta: weight of the pairs whose mean is below, within and above the region."""
    sums = z[:, None] + z[None, :]
    parts = [sums < -2 * rope, np.abs(sums) <= 2 * rope, sums > 2 * rope]
    return np.array([[w @ part @ w for part in parts] for w in weights])


class TestSignedRanks:
    def test_agrees_with_all_pairs_under_other_draws(self):
        d = np.random.default_rng(3).normal(0.01, 0.03, size=12)
        weights = np.random.default_rng(4).dirichlet(np.ones(13), size=20_000)
        shares = by_all_pairs(np.append(d, 0.0), 0.01, weights)
        expected = np.bincount(shares.argmax(axis=1), minlength=3) / 20_000
        result = bayesian_comparison(d, rope=0.01, method="signed_ranks", random_state=0)
        assert (result.worse, result.equal, result.better) == pytest.approx(tuple(expected), abs=0.02)

    def test_the_strength_of_the_prior_is_the_weight_of_no_difference(self):
        d = np.random.default_rng(3).normal(0.03, 0.03, size=8)
        weights = np.random.default_rng(4).dirichlet(np.append(np.ones(8), 3.5), size=20_000)
        shares = by_all_pairs(np.append(d, 0.0), 0.01, weights)
        expected = np.bincount(shares.argmax(axis=1), minlength=3) / 20_000
        result = bayesian_comparison(
            d, rope=0.01, method="signed_ranks", prior_strength=3.5, random_state=0, n_samples=20_000
        )
        assert (result.worse, result.equal, result.better) == pytest.approx(tuple(expected), abs=0.025)

    def test_seeded_and_symmetric(self):
        d = np.random.default_rng(3).normal(0.01, 0.03, size=12)
        one = bayesian_comparison(d, rope=0.01, method="signed_ranks", random_state=0)
        assert one == bayesian_comparison(d, rope=0.01, method="signed_ranks", random_state=0)
        mirrored = bayesian_comparison(-d, rope=0.01, method="signed_ranks", random_state=0)
        assert (mirrored.worse, mirrored.better) == pytest.approx((one.better, one.worse), abs=0.02)
        few = bayesian_comparison(d, rope=0.01, method="signed_ranks", random_state=0, n_samples=10)
        assert few.better * 10 == pytest.approx(round(few.better * 10), abs=1e-9)

    def test_clear_cases(self):
        same = bayesian_comparison([0.0] * 6, rope=0.0, method="signed_ranks", random_state=0)
        assert (same.better, same.equal, same.worse) == (0, 1, 0)
        far = bayesian_comparison([0.5] * 30, rope=0.01, method="signed_ranks", random_state=0)
        assert far.better > 0.999
        assert far.decision == "better"


class TestWords:
    @settings(derandomize=True, max_examples=200, deadline=None)
    @given(samples, st.floats(0, 0.03), st.floats(0.34, 0.99))
    def test_the_sentence_says_what_the_probabilities_say(self, d, rope, threshold):
        result = bayesian_comparison(d, rope=rope, correlation=0.1, threshold=threshold, names=("A", "B"))
        claims = {
            "better": "A is better than B: ",
            "equal": "A and B are practically equal: ",
            "worse": "A is worse than B: ",
            "undecided": "it is undecided whether A is better than B: ",
        }
        assert result.sentence.startswith(claims[result.decision])
        reached = {name for name in ("better", "equal", "worse") if getattr(result, name) >= threshold}
        assert (result.decision in reached) if reached else result.decision == "undecided"
        printed = dict(part.split(" ") for part in result.sentence.split(": ")[1].split(" (")[0].split(", "))
        assert {name for name, text in printed.items() if float(text) >= threshold} == reached

    def test_plain_data(self):
        result = bayesian_comparison([0.01, 0.02, 0.03], rope=0.01, correlation=0.1)
        data = json.loads(json.dumps(result.to_dict(), allow_nan=False))
        assert data["sentence"] == result.sentence
        assert data["decision"] == result.decision
        assert data["interval"]["method"] == "correlated t"
        assert str(result) == f"Correlated t: {result.sentence}"
        assert "<td>" in result._repr_html_()


@pytest.mark.parametrize(
    ("arguments", "setting", "message"),
    [
        (([0.1],), {"correlation": 0.1}, r"bayesian_comparison: 'first' must have at least 2 folds; got 1\."),
        (([0.1, 0.2], [0.1]), {"correlation": 0.1}, r"must be scores of the same folds; got 2 and 1\."),
        (([0.1, math.nan],), {"correlation": 0.1}, r"'first' must be finite numbers; got nan at position 1"),
        (([0.1, 0.2],), {"correlation": 0.1, "rope": -1}, r"'rope' must be a number in \[0, inf\); got -1\."),
        (([0.1, 0.2],), {}, r"'correlation' is required for method 'correlated_t', and only for it; got"),
        (
            ([0.1, 0.2],),
            {"correlation": 0.1, "method": "signed_ranks"},
            r"'correlation' is required for method",
        ),
        (([0.1, 0.2],), {"correlation": 1.0}, r"'correlation' must be a number in \[0, 1\); got 1\.0\."),
        (
            ([0.1, 0.2],),
            {"correlation": 0.1, "threshold": 1},
            r"'threshold' must be a number in \(0, 1\); got 1",
        ),
        (
            ([0.1, 0.2],),
            {"method": "sign"},
            r"'method' must be one of 'correlated_t', 'signed_ranks'; got 'sign'",
        ),
        (
            ([0.1, 0.2],),
            {"method": "signed_ranks", "n_samples": 0},
            r"'n_samples' must be an integer of at least 1",
        ),
        (
            ([0.1, 0.2],),
            {"method": "signed_ranks", "prior_strength": 0},
            r"'prior_strength' must be a number in \(0",
        ),
    ],
)
def test_wrong_input_is_one_sentence(arguments, setting, message):
    with pytest.raises(ValueError, match=message):
        bayesian_comparison(*arguments, **{"rope": 0.01, **setting})

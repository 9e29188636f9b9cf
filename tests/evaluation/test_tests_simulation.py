"""How often intervals hold what they should, and tests reject what is true: counts inside binomial bounds."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy import stats

from hornbook.evaluation import (
    bayesian_comparison,
    bootstrap_interval,
    corrected_t,
    five_by_two,
    friedman,
    holm,
    mcnemar,
    mean_interval,
    nemenyi,
    paired_t,
    permutation_test,
    proportion_interval,
    sign_test,
    surrogate_test,
    wilcoxon,
    z_test,
)

pytestmark = pytest.mark.slow


def within(count, repeats, probability):
    """Whether a count is where 99.99 % of binomial counts are."""
    low, high = stats.binom.interval(0.9999, repeats, probability)
    return low <= count <= high


def at_most(count, repeats, probability):
    return count <= stats.binom.ppf(0.9999, repeats, probability)


@pytest.mark.parametrize(
    ("method", "divisor", "n"),
    [("t", "n-1", 5), ("t", "n", 5), ("normal", "n-1", 5), ("normal", "n", 12), ("known_variance", "n-1", 5)],
)
def test_mean_intervals_hold_the_mean(method, divisor, n):
    rng, repeats = np.random.default_rng(0), 20_000
    sigma = 2.0 if method == "known_variance" else None
    held = sum(
        3.0 in mean_interval(rng.normal(3, 2, size=n), level=0.9, method=method, divisor=divisor, sigma=sigma)
        for _ in range(repeats)
    )
    # what the formula promises: only t with n - 1 and the known variance promise 90 %
    point = stats.t.ppf(0.95, n - 1) if method == "t" else stats.norm.ppf(0.95)
    shrink = math.sqrt((n - 1) / n) if divisor == "n" else 1.0
    promised = 0.9 if sigma else 2 * stats.t.cdf(point * shrink, n - 1) - 1
    assert within(held, repeats, promised)


@pytest.mark.parametrize("n", [7, 30, 200])
def test_proportion_intervals_hold_the_share(n):
    shares = np.linspace(0.01, 0.99, 99)
    chances = stats.binom.pmf(np.arange(n + 1)[:, None], n, shares[None, :])
    for method in ("wilson", "exact", "normal"):
        intervals = [proportion_interval(k, n, method=method) for k in range(n + 1)]
        inside = np.array([[share in interval for share in shares] for interval in intervals])
        coverage = (chances * inside).sum(axis=0)
        if method == "exact":
            assert coverage.min() >= 0.95
        elif method == "wilson":
            assert coverage.mean() == pytest.approx(0.95, abs=0.01)
            assert coverage[9:90].min() > 0.88
        else:
            assert coverage.mean() < 0.95  # why it is not the default
    rng = np.random.default_rng(1)
    held = sum(0.3 in proportion_interval(int(rng.binomial(n, 0.3)), n) for _ in range(5_000))
    covered = [0.3 in proportion_interval(k, n) for k in range(n + 1)]
    assert within(held, 5_000, float(stats.binom.pmf(np.arange(n + 1), n, 0.3) @ covered))


def test_bootstrap_intervals_hold_the_mean():
    rng, repeats = np.random.default_rng(2), 1_500
    held = sum(
        0.0 in bootstrap_interval(np.mean, rng.normal(size=150), n_replicates=600, random_state=i)
        for i in range(repeats)
    )
    assert within(held, repeats, 0.95)


@pytest.mark.parametrize("side", ["two-sided", "less", "greater"])
def test_size_of_z_and_t(side):
    rng, repeats = np.random.default_rng(3), 20_000
    samples = rng.normal(size=(repeats, 6))
    z = sum(z_test(sample, sigma=1.0, alternative=side).rejected for sample in samples)
    assert within(z, repeats, 0.05)
    t = sum(paired_t(sample, alternative=side).rejected for sample in samples)
    assert within(t, repeats, 0.05)
    plain = sum(paired_t(sample, alternative=side, divisor="n").rejected for sample in samples)
    assert plain > t  # the smaller divisor promises too much


def test_size_of_the_corrected_test_on_correlated_folds():
    rng, repeats, share, n = np.random.default_rng(4), 20_000, 0.1, 10
    common = rng.normal(size=(repeats, 1)) * math.sqrt(share)
    samples = common + rng.normal(size=(repeats, n)) * math.sqrt(1 - share)  # correlation = share
    corrected = [corrected_t(sample, test_fraction=share) for sample in samples]
    assert within(sum(result.rejected for result in corrected), repeats, 0.05)
    assert within(sum(0.0 in result.interval for result in corrected), repeats, 0.95)
    plain = sum(paired_t(sample).rejected for sample in samples[:5_000])
    assert plain > 1.5 * 0.05 * 5_000  # what the correction is for
    held = sum(
        0.0 in bayesian_comparison(sample, rope=0, correlation=share).interval for sample in samples[:5_000]
    )
    assert within(held, 5_000, 0.95)
    sure = sum(
        bayesian_comparison(sample, rope=0, correlation=share).decision != "undecided"
        for sample in samples[:5_000]
    )
    assert within(sure, 5_000, 0.10)  # two sides of 5 %


def test_size_of_five_by_two():
    rng, repeats = np.random.default_rng(5), 20_000
    samples = rng.normal(size=(repeats, 5, 2))
    # both are approximations, and cautious here: the differences above the line are also below it
    t = sum(five_by_two(sample, method="t").rejected for sample in samples)
    assert at_most(t, repeats, 0.05)
    assert t > 0.02 * repeats
    # with independent differences F is (1 + a ratio of two chi-squares of 5) / 2
    point = stats.f.isf(0.05, 10, 5)
    f = sum(five_by_two(sample, method="f").rejected for sample in samples)
    assert within(f, repeats, stats.f.sf(2 * point - 1, 5, 5))


def test_size_of_counting_tests():
    rng, repeats = np.random.default_rng(6), 5_000
    for n in (9, 30):
        wins = rng.binomial(n, 0.5, size=repeats)
        for method in ("exact", "mid_p"):
            tests = {k: mcnemar(table=[[1, k], [n - k, 1]], method=method).rejected for k in range(n + 1)}
            size = sum(stats.binom.pmf(k, n, 0.5) for k in tests if tests[k])
            assert size <= 0.05 if method == "exact" else size <= 0.06
            assert within(sum(tests[k] for k in wins), repeats, size)
    samples = rng.laplace(size=(repeats, 15))
    signs = sum(sign_test(sample).rejected for sample in samples)
    assert within(signs, repeats, 2 * stats.binom.cdf(3, 15, 0.5))


def test_size_and_coverage_of_wilcoxon():
    rng, repeats = np.random.default_rng(7), 3_000
    for n in (12, 60):
        results = [wilcoxon(sample) for sample in rng.laplace(size=(repeats, n))]
        exact = n == 12
        # T+ <= 13 or >= 65 has probability 0.0425 with 12 differences
        assert within(sum(result.rejected for result in results), repeats, 0.0425 if exact else 0.05)
        assert within(sum(0.0 in result.interval for result in results), repeats, 0.9575 if exact else 0.95)
    ties = rng.integers(-3, 4, size=(repeats, 25))
    for zeros in ("drop", "pratt"):
        assert within(sum(wilcoxon(sample, zeros=zeros).rejected for sample in ties), repeats, 0.05)


def test_size_of_friedman_and_nemenyi():
    rng, repeats = np.random.default_rng(8), 4_000
    samples = rng.normal(size=(repeats, 25, 4))
    assert within(sum(friedman(sample).rejected for sample in samples), repeats, 0.05)
    chi2 = sum(friedman(sample, method="chi_square").rejected for sample in samples)
    assert at_most(chi2, repeats, 0.05)
    limit = nemenyi(samples[0]).critical_difference
    ranks = (samples.argsort(axis=2).argsort(axis=2) + 1).mean(axis=1)
    assert at_most(int((np.ptp(ranks, axis=1) >= limit).sum()), repeats, 0.05)


def test_no_more_than_alpha_families_have_a_false_alarm():
    rng, repeats = np.random.default_rng(9), 20_000
    p = rng.uniform(size=(repeats, 5))
    # the first false alarm of independent tests needs the smallest p to be at most alpha / 5
    assert within(sum(holm(sample).rejected.any() for sample in p), repeats, 1 - (1 - 0.05 / 5) ** 5)
    p[:, 0] = 0.0  # one hypothesis is false
    assert within(sum(holm(sample).rejected[1:].any() for sample in p), repeats, 1 - (1 - 0.05 / 4) ** 4)


def test_size_of_permutation_tests():
    rng, repeats = np.random.default_rng(10), 5_000
    draws = {"n_permutations": 199, "n_jobs": 1}
    samples = rng.exponential(size=(repeats, 2, 9))
    for statistic in ("mean", "pearson", "spearman"):
        one = [
            permutation_test(*sample, statistic=statistic, alternative="greater", random_state=i, **draws)
            for i, sample in enumerate(samples)
        ]
        # exactly alpha when 200 alpha is whole; fewer where statistics tie, as those of ranks do
        rejected = sum(result.rejected for result in one)
        assert (
            within(rejected, repeats, 0.05) if statistic != "spearman" else at_most(rejected, repeats, 0.05)
        )
    two = sum(permutation_test(*sample, random_state=i, **draws).rejected for i, sample in enumerate(samples))
    assert within(two, repeats, 0.05)


def test_size_of_surrogate_tests():
    rng, repeats = np.random.default_rng(11), 3_000

    def draw(data, generator):
        return generator.exponential(size=len(data))

    rejected = sum(
        surrogate_test(np.mean, rng.exponential(size=8), draw, n_surrogates=99, random_state=i).rejected
        for i in range(repeats)
    )
    assert within(rejected, repeats, 0.05)


def test_size_of_signed_ranks():
    # Symmetric differences: neither is better, and either side is claimed at probability 0.95.
    rng, repeats = np.random.default_rng(6), 2_000
    claimed = sum(
        bayesian_comparison(
            rng.normal(size=20), rope=0, method="signed_ranks", n_samples=2_000, random_state=i
        ).decision
        != "undecided"
        for i in range(repeats)
    )
    assert at_most(claimed, repeats, 0.10)

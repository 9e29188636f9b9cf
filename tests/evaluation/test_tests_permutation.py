"""Permutation and surrogate data tests."""

from __future__ import annotations

import math
from itertools import combinations, permutations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from hornbook.evaluation import permutation_test, surrogate_test

SIDES = ("two-sided", "less", "greater")
X = np.array([4.1, 5.0, 5.6, 4.8, 6.1, 5.5])
Y = np.array([3.2, 4.0, 3.7, 4.4, 3.9])


def mean_difference(x, y, axis=-1):
    return np.mean(x, axis=axis) - np.mean(y, axis=axis)


def one_mean_difference(x, y):
    return x.mean() - y.mean()


def all_splits():
    """Mean differences of all ways to divide the pooled sample, the observed one among them."""
    pooled = np.concatenate([X, Y])
    whole = set(range(len(pooled)))
    return np.array(
        [
            pooled[list(chosen)].mean() - pooled[list(whole - set(chosen))].mean()
            for chosen in combinations(range(len(pooled)), len(X))
        ]
    )


class TestMeans:
    @pytest.mark.parametrize("side", SIDES)
    def test_near_the_p_value_of_all_permutations(self, side):
        every = all_splits()
        observed = X.mean() - Y.mean()
        lower, upper = np.mean(every <= observed + 1e-12), np.mean(every >= observed - 1e-12)
        exact = {"two-sided": min(1, 2 * min(lower, upper)), "less": lower, "greater": upper}[side]
        judge = stats.permutation_test((X, Y), mean_difference, alternative=side)
        assert judge.pvalue == pytest.approx(exact, rel=1e-12)
        result = permutation_test(X, Y, alternative=side, n_permutations=200_000, random_state=0)
        assert result.statistic == pytest.approx(observed, rel=1e-13)
        # five standard errors of 200,000 draws
        assert result.p == pytest.approx(exact, abs=5 * math.sqrt(exact / 200_000) + 1e-5)
        low, high = result.details["p_interval"]
        assert low <= exact <= high

    def test_plus_one_counts_the_sample_itself(self):
        setting = {"n_permutations": 999, "alternative": "greater", "random_state": 0}
        one, share = permutation_test(X, Y, **setting), permutation_test(X, Y, plus_one=False, **setting)
        reached = round(share.p * 999)
        assert one.p == (reached + 1) / 1000
        far = permutation_test(X + 100, Y, plus_one=False, **{**setting, "n_permutations": 20})
        assert far.p == 0.0
        assert "p = 0 <= alpha" in far.sentence
        assert permutation_test(X + 100, Y, **{**setting, "n_permutations": 20}).p == 1 / 21

    def test_threads_and_repeats_change_nothing(self):
        results = [permutation_test(X, Y, random_state=5, n_jobs=jobs) for jobs in (1, 2, 3)]
        for other in results[1:]:
            assert other == results[0]
            assert np.array_equal(other.distribution.values, results[0].distribution.values)
        assert permutation_test(X, Y, random_state=6).p != results[0].p

    def test_a_shift_of_everything_changes_nothing(self):
        one = permutation_test(X, Y, random_state=0)
        two = permutation_test(X + 1e6, Y + 1e6, random_state=0)
        assert one.p == two.p
        assert two.statistic == pytest.approx(one.statistic, rel=1e-8)

    def test_few_different_values_tie_exactly(self):
        x, y = np.array([0.1, 0.1, 0.3, 0.1]), np.array([0.1, 0.3, 0.3, 0.3])
        result = permutation_test(x, y, alternative="less", n_permutations=100_000, random_state=0)
        exact = stats.hypergeom.cdf(1, 8, 4, 4)  # as the test of Fisher
        assert result.p == pytest.approx(exact, abs=0.006)

    def test_all_values_the_same(self):
        for side in SIDES:
            result = permutation_test([0.1, 0.1, 0.1], [0.1, 0.1], alternative=side, random_state=0)
            assert (result.statistic, result.p) == (0.0, 1.0)
            assert result.sentence.endswith("all values are the same.")


class TestCorrelation:
    @settings(derandomize=True, max_examples=60, deadline=None)
    @given(st.integers(0, 1000), st.integers(2, 40), st.booleans())
    def test_the_statistic_is_that_of_scipy(self, seed, n, ties):
        rng = np.random.default_rng(seed)
        x, y = (rng.integers(0, 4, size=(2, n)) if ties else rng.normal(size=(2, n))).astype(float)
        for name, judge in (("pearson", stats.pearsonr), ("spearman", stats.spearmanr)):
            result = permutation_test(x, y, statistic=name, n_permutations=10, random_state=0)
            if np.ptp(x) == 0 or np.ptp(y) == 0:
                assert (result.statistic, result.p) == (0.0, 1.0)
                assert result.sentence.endswith("one of the columns is constant.")
            else:
                assert result.statistic == pytest.approx(judge(x, y).statistic, rel=1e-9, abs=1e-12)
                assert np.abs(result.distribution.values).max() <= 1 + 1e-12

    @pytest.mark.parametrize("name", ["pearson", "spearman"])
    @pytest.mark.parametrize("side", SIDES)
    def test_near_the_p_value_of_all_permutations(self, name, side):
        rng = np.random.default_rng(1)
        x = rng.normal(size=7)
        y = x + rng.normal(size=7)
        function = {"pearson": stats.pearsonr, "spearman": stats.spearmanr}[name]
        judge = stats.permutation_test(
            (y,),
            lambda z: function(x, z).statistic,
            permutation_type="pairings",
            alternative=side,
            n_resamples=math.inf,
        )
        result = permutation_test(
            x, y, statistic=name, alternative=side, n_permutations=100_000, random_state=0
        )
        assert result.p == pytest.approx(judge.pvalue, abs=5 * math.sqrt(judge.pvalue / 100_000) + 1e-5)

    def test_words(self):
        x = np.arange(10.0)
        result = permutation_test(x, x, statistic="pearson", alternative="greater", random_state=0)
        assert result.sentence.startswith(
            "x and y are positively correlated: correlation 1, r = 1, p = 0.0001 <="
        )
        other = permutation_test(x, -x, statistic="pearson", alternative="greater", random_state=0)
        assert other.sentence.startswith(
            "there is not enough evidence that x and y are positively correlated: "
        )

    def test_extreme_values_do_not_overflow(self):
        x, y = np.array([1e300, -1e300, 1e-300]), np.array([1.0, 2.0, 3.0])
        assert math.isfinite(permutation_test(x, y, statistic="pearson", random_state=0).statistic)


def median_difference(x, y):
    return np.median(x) - np.median(y)


def covariance(x, y, axis=-1):
    return np.mean(x * y, axis=axis) - np.mean(x, axis=axis) * np.mean(y, axis=axis)


class TestFunctions:
    def test_samples(self):
        result = permutation_test(X, Y, statistic=median_difference, permute="samples", random_state=0)
        judge = stats.permutation_test((X, Y), median_difference, vectorized=False)
        assert result.statistic == judge.statistic
        assert result.p == pytest.approx(judge.pvalue, abs=5 * math.sqrt(judge.pvalue / 10_000))

    def test_pairs(self):
        x, y = X[:5], Y
        by_function = permutation_test(x, y, statistic=covariance, permute="pairs", random_state=0)
        by_name = permutation_test(x, y, statistic="pearson", random_state=0)
        # the covariance of two of the 120 orders is the observed one, but for rounding
        every = [covariance(x, y[list(order)]) for order in permutations(range(5))]
        exact = 2 * np.mean(np.array(every) >= covariance(x, y) - 1e-9)
        assert exact == pytest.approx(0.65)
        assert by_function.p == pytest.approx(exact, abs=0.05)
        assert by_name.p == pytest.approx(exact, abs=0.05)
        more = permutation_test(
            x, y, statistic=covariance, permute="pairs", n_permutations=50_000, random_state=1
        )
        assert more.p == pytest.approx(exact, abs=0.012)
        assert by_function.sentence.startswith("there is not enough evidence that x and y are dependent")

    def test_one_at_a_time_and_many_at_once_are_the_same(self):
        setting = {"permute": "samples", "n_permutations": 300, "random_state": 1}
        many = permutation_test(X, Y, statistic=mean_difference, **setting)
        one = permutation_test(X, Y, statistic=one_mean_difference, **setting)
        assert many.distribution.values == pytest.approx(one.distribution.values, rel=1e-12)
        assert many.p == one.p


def sometimes_infinite(x, _):
    return 0.0 if x[0] < 2 else math.inf


@pytest.mark.parametrize(
    ("arguments", "setting", "message"),
    [
        (([], [1.0]), {}, r"permutation_test: 'x' must have at least 1 numbers; got 0\."),
        (
            ([1.0, math.nan], [1.0]),
            {},
            r"permutation_test: 'x' must be finite numbers; got nan at position 1",
        ),
        (
            ([1.0, 2.0], [1.0]),
            {"statistic": "pearson"},
            r"at least 2 numbers of the same rows; got 2 and 1\.",
        ),
        (([1.0], [1.0]), {"statistic": "spearman"}, r"at least 2 numbers of the same rows; got 1 and 1\."),
        (
            ([1.0], [1.0]),
            {"statistic": "kendall"},
            r"'statistic' must be one of 'mean', 'pearson', 'spearman'",
        ),
        (
            ([1.0], [1.0]),
            {"permute": "pairs"},
            r"'permute' is only for a function; 'mean' permutes samples",
        ),
        (([1.0], [1.0]), {"statistic": max}, r"'permute' must be one of 'samples', 'pairs'; got None\."),
        (
            ([1.0], [1.0]),
            {"n_permutations": 0},
            r"'n_permutations' must be an integer of at least 1; got 0\.",
        ),
        (([1.0], [1.0]), {"alpha": 1}, r"permutation_test: 'alpha' must be a number in \(0, 1\); got 1\."),
        (
            ([1.0], [1.0]),
            {"alternative": "up"},
            r"'alternative' must be one of 'two-sided', 'less', 'greater'",
        ),
        (
            ([1.0], [2.0]),
            {"statistic": lambda *_: math.nan, "permute": "samples"},
            r"permutation_test: 'statistic' must return a finite number; got nan\.",
        ),
        (
            ([1.0], [2.0]),
            {"statistic": sometimes_infinite, "permute": "samples"},
            r"must return a finite number for every permutation; it did not for \d+ of 10000\.",
        ),
    ],
)
def test_wrong_input_is_one_sentence(arguments, setting, message):
    with pytest.raises(ValueError, match=message):
        permutation_test(*arguments, **setting)


class TestSurrogates:
    def test_each_surrogate_has_its_own_numbers(self):
        def draw(_, generator):
            return generator.normal(size=3)

        few = surrogate_test(np.sum, np.zeros(3), draw, n_surrogates=10, random_state=4)
        many = surrogate_test(np.sum, np.zeros(3), draw, n_surrogates=50, random_state=4)
        values = many.distribution.values
        assert np.array_equal(few.distribution.values, values[:10])
        assert len(np.unique(values)) == 50
        assert many.null == np.median(values)

    def test_the_share_of_surrogates_is_the_p_value(self):
        result = surrogate_test(
            float, 1.0, lambda _, generator: generator.uniform(0, 2), n_surrogates=999, random_state=0
        )
        assert result.p == (np.sum(result.distribution.values >= 1.0) + 1) / 1000
        assert result.p == pytest.approx(0.5, abs=0.08)
        plain = surrogate_test(
            float,
            1.0,
            lambda _, generator: generator.uniform(0, 2),
            n_surrogates=999,
            random_state=0,
            plus_one=False,
            alternative="less",
        )
        assert plain.p == np.mean(result.distribution.values <= 1.0)

    def test_wrong_input_is_one_sentence(self):
        def same(data, _):
            return data

        with pytest.raises(
            ValueError, match=r"surrogate_test: 'statistic' must return a finite number; got 'a'\."
        ):
            surrogate_test(lambda _: "a", 1.0, same)
        with pytest.raises(ValueError, match=r"'n_surrogates' must be an integer of at least 1; got 0\."):
            surrogate_test(float, 1.0, same, n_surrogates=0)
        with pytest.raises(
            ValueError, match=r"surrogate_test: 'alpha' must be a number in \(0, 1\); got 2\."
        ):
            surrogate_test(float, 1.0, same, alpha=2)

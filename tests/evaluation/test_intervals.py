"""Intervals of means, shares and any statistic; summaries of cross-validation."""

from __future__ import annotations

import json
import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats
from statsmodels.stats.proportion import proportion_confint
from statsmodels.stats.weightstats import DescrStatsW

from hornbook.evaluation import (
    Interval,
    bootstrap_interval,
    cross_validation_summary,
    mean_interval,
    proportion_interval,
)

# SciPy loses the spread of numbers below 1e-150
scores = st.lists(st.floats(-1e6, 1e6).map(lambda value: round(value, 6)), min_size=2, max_size=30)
levels = st.floats(0.01, 0.999)


class TestInterval:
    def test_says_what_it_is(self):
        interval = Interval(0.5555, 0.8582, 0.7333, 0.95, "Wilson")
        assert str(interval) == "0.733 [0.56, 0.86] (95 %, Wilson)"
        assert interval.width == pytest.approx(0.3027)
        assert interval.to_dict() == {
            "low": 0.5555,
            "high": 0.8582,
            "estimate": 0.7333,
            "level": 0.95,
            "method": "Wilson",
        }
        assert interval._repr_html_() == f"<span>{interval}</span>"

    def test_its_ends_belong_to_it(self):
        interval = Interval(1.0, 2.0, 1.5, 0.9, "t")
        assert 1.0 in interval
        assert 2.0 in interval
        assert np.nextafter(2.0, 3.0) not in interval
        assert interval.low - 1 not in interval

    @pytest.mark.parametrize(
        ("interval", "text"),
        [
            (Interval(0.0004, 0.31, 0.155, 0.95, "t"), "0.155 [0.0004, 0.31] (95 %, t)"),
            (Interval(-0.31, -0.0004, -0.155, 0.95, "t"), "-0.155 [-0.31, -0.0004] (95 %, t)"),
            (Interval(0.5, 0.5, 0.5, 0.99, "t"), "0.5000 [0.500, 0.500] (99 %, t)"),
            (Interval(-math.inf, 0.312, 0.2, 0.95, "t"), "0.200 [-inf, 0.31] (95 %, t)"),
            (Interval(121.0, 13456.0, 5000.0, 0.9, "t"), "5000.0 [121, 13456] (90 %, t)"),
            (
                Interval(1.1e-9, 3.4e-9, 2.2e-9, 0.9, "t"),
                "2.2e-09 [1.1e-09, 3.4e-09] (90 %, t)",
            ),
            (Interval(0.1, 0.8742, 0.8741, 0.9, "t"), "0.87410 [0.1000, 0.8742] (90 %, t)"),
        ],
    )
    def test_rounding_moves_no_end_across_zero_or_the_estimate(self, interval, text):
        assert str(interval) == text

    @pytest.mark.parametrize(
        ("ends", "text"),
        [
            ((1e-14, 3.2e-14, 5e-14), "3.2e-14 [1e-14, 5e-14]"),
            ((3.2e-14, 3.2e-14, 3.2e-14), "3.2e-14 [3.2e-14, 3.2e-14]"),
            ((-1e-9, 1.25e-10, 1e-9), "1.25e-10 [-1e-09, 1e-09]"),
            ((1e8, 2.5e8, 9e8), "2.5e+08 [1e+08, 9e+08]"),
            ((1.234e300, 1.235e300, 1.236e300), "1.235e+300 [1.234e+300, 1.236e+300]"),
            ((0.0, 0.0, 0.0), "0.0000 [0.000, 0.000]"),
            ((1.0986122886681098, 1.09861228866811, 1.0986122886681102), "1.0986 [1.0986, 1.0986]"),
            ((3e9 - 1e-6, 3e9, 3e9 + 1e-6), "3e+09 [3e+09, 3e+09]"),
        ],
    )
    def test_tiny_and_huge_numbers_have_exponents(self, ends, text):
        low, estimate, high = ends
        assert Interval(low, high, estimate, 0.95, "t").numbers() == text

    def test_infinite_ends_are_words_in_plain_data(self):
        interval = Interval(-math.inf, 1.0, 0.0, 0.95, "t").to_dict()
        assert json.loads(json.dumps(interval, allow_nan=False))["low"] == "-inf"
        assert float(interval["low"]) == -math.inf

    @settings(derandomize=True, max_examples=300, deadline=None)
    @given(st.floats(-1e9, 1e9), st.floats(0, 1e9), st.floats(0, 1e9), st.floats(-1e9, 1e9))
    def test_text_and_numbers_agree_about_any_number(self, estimate, below, above, null):
        interval = Interval(estimate - below, estimate + above, estimate, 0.95, "t")
        middle, ends = interval.numbers(null).split(" [")
        low, high = (float(end) for end in ends[:-1].split(", "))
        assert (low <= null <= high) == (null in interval)
        assert low <= float(middle) <= high


class TestMean:
    @settings(derandomize=True, max_examples=200, deadline=None)
    @given(scores, levels)
    def test_agrees_with_scipy_and_statsmodels(self, values, level):
        n = len(values)
        mean, error = np.mean(values), stats.sem(values)
        slack = {"rel": 1e-9, "abs": 1e-9 * max(map(abs, values)) + 1e-290}
        computed = mean_interval(values, level=level)
        assert (computed.low, computed.high) == pytest.approx(
            stats.t.interval(level, n - 1, mean, error or 1e-300), **slack
        )
        assert (computed.low, computed.high) == pytest.approx(
            DescrStatsW(values).tconfint_mean(alpha=1 - level), **slack
        )
        normal = mean_interval(values, level=level, method="normal")
        assert (normal.low, normal.high) == pytest.approx(
            stats.norm.interval(level, mean, error or 1e-300), **slack
        )

    def test_agrees_to_twelve_digits_where_the_numbers_allow_it(self):
        values = np.random.default_rng(0).normal(size=12)
        computed = mean_interval(values, level=0.9)
        expected = stats.t.interval(0.9, 11, values.mean(), stats.sem(values))
        assert (computed.low, computed.high) == pytest.approx(expected, rel=1e-12)
        assert computed.estimate == pytest.approx(values.mean(), rel=1e-14)
        assert computed.method == "Student t"

    def test_the_divisor_changes_the_width_by_a_known_ratio(self):
        values = [0.2, 0.4, 0.1, 0.3, 0.6]
        for method in ("t", "normal"):
            one = mean_interval(values, method=method)
            two = mean_interval(values, method=method, divisor="n")
            assert two.width / one.width == pytest.approx(math.sqrt(4 / 5), rel=1e-14)

    def test_a_known_variance(self):
        computed = mean_interval([3.0], method="known_variance", sigma=2.0, level=0.9)
        assert (computed.low, computed.high) == pytest.approx(stats.norm.interval(0.9, 3.0, 2.0), rel=1e-14)

    def test_equal_values_have_no_width(self):
        interval = mean_interval([0.1] * 7)
        assert (interval.low, interval.estimate, interval.high) == (0.1, 0.1, 0.1)

    def test_tiny_and_huge_values_keep_their_spread(self):
        for scale in (1e-200, 1e200):
            interval = mean_interval([1 * scale, 2 * scale, 4 * scale])
            usual = mean_interval([1.0, 2.0, 4.0])
            assert interval.low / scale == pytest.approx(usual.low, rel=1e-12)
            assert interval.high / scale == pytest.approx(usual.high, rel=1e-12)

    @pytest.mark.parametrize(
        ("arguments", "setting", "message"),
        [
            (([1.0],), {}, r"mean_interval: 'values' must have at least 2 values; got 1\."),
            (([1.0, np.nan],), {}, r"'values' must be finite numbers; got nan at position 1, leave such"),
            (([1j, 2j],), {}, r"mean_interval: 'values' must be numbers; got \[1j, 2j\]\."),
            ((["a", "b"],), {}, r"mean_interval: 'values' must be numbers; got \['a', 'b'\]\."),
            (([[1.0, 2.0]],), {}, r"'values' must be one column of numbers; got an array of shape \(1, 2\)"),
            (
                ([1.0, 2.0],),
                {"level": 1.0},
                r"mean_interval: 'level' must be a number in \(0, 1\); got 1\.0\.",
            ),
            (
                ([1.0, 2.0],),
                {"method": "z"},
                r"'method' must be one of 't', 'normal', 'known_variance'; got 'z'",
            ),
            (([1.0, 2.0],), {"divisor": "n-2"}, r"'divisor' must be one of 'n-1', 'n'; got 'n-2'"),
            (
                ([1.0, 2.0],),
                {"sigma": 1.0},
                r"'sigma' is required for method 'known_variance', and only for it",
            ),
            (([1.0, 2.0],), {"method": "known_variance"}, r"'sigma' is required for method 'known_variance'"),
            (
                ([1.0, 2.0],),
                {"method": "known_variance", "sigma": -1},
                r"mean_interval: 'sigma' must be a number in \(0, inf\); got -1\.",
            ),
        ],
    )
    def test_wrong_input_is_one_sentence(self, arguments, setting, message):
        with pytest.raises(ValueError, match=message):
            mean_interval(*arguments, **setting)


class TestProportion:
    @settings(derandomize=True, max_examples=300, deadline=None)
    @given(st.data(), st.integers(1, 2000), levels)
    def test_agrees_with_scipy_and_statsmodels(self, data, n, level):
        k = data.draw(st.integers(0, n))
        ours = {
            name: proportion_interval(k, n, level=level, method=name)
            for name in ("wilson", "exact", "normal")
        }
        judge = stats.binomtest(k, n)
        for name in ("wilson", "exact"):
            expected = judge.proportion_ci(level, name)
            assert (ours[name].low, ours[name].high) == pytest.approx(
                (expected.low, expected.high), rel=1e-9, abs=1e-12
            )
        for name, theirs in (("wilson", "wilson"), ("exact", "beta"), ("normal", "normal")):
            expected = proportion_confint(k, n, 1 - level, theirs)
            assert (ours[name].low, ours[name].high) == pytest.approx(
                np.clip(expected, 0, 1), rel=1e-9, abs=1e-12
            )
        for interval in ours.values():
            assert interval.estimate == k / n
            assert 0 <= interval.low <= interval.estimate <= interval.high <= 1

    def test_the_closed_forms_to_twelve_digits(self):
        z = stats.norm.ppf(0.975)
        middle, half = (22 + z**2 / 2) / (30 + z**2), z / (30 + z**2) * math.sqrt(22 * 8 / 30 + z**2 / 4)
        interval = proportion_interval(22, 30)
        assert (interval.low, interval.high) == pytest.approx((middle - half, middle + half), rel=1e-13)
        exact = proportion_interval(22, 30, method="exact")
        assert (exact.low, exact.high) == pytest.approx(
            (stats.beta.ppf(0.025, 22, 9), stats.beta.ppf(0.975, 23, 8)), rel=1e-12
        )

    def test_no_success_and_nothing_but(self):
        for method in ("wilson", "exact", "normal"):
            assert proportion_interval(0, 20, method=method).low == 0
            assert proportion_interval(20, 20, method=method).high == 1
        assert proportion_interval(0, 20, method="exact").high == pytest.approx(
            1 - 0.025 ** (1 / 20), rel=1e-13
        )

    @pytest.mark.parametrize(
        ("arguments", "message"),
        [
            ((5, 4), r"proportion_interval: 'successes' must be at most n; got 5 of 4\."),
            ((-1, 4), r"'successes' must be an integer of at least 0; got -1\."),
            ((1, 0), r"proportion_interval: 'n' must be an integer of at least 1; got 0\."),
            ((1.5, 4), r"'successes' must be an integer of at least 0; got 1\.5\."),
            ((True, 4), r"'successes' must be an integer of at least 0; got True\."),
        ],
    )
    def test_wrong_input_is_one_sentence(self, arguments, message):
        with pytest.raises(ValueError, match=message):
            proportion_interval(*arguments)
        with pytest.raises(
            ValueError, match="'method' must be one of 'wilson', 'exact', 'normal'; got 'beta'"
        ):
            proportion_interval(1, 2, method="beta")


def looped_mean(values):
    return np.mean(values)


class TestBootstrap:
    def test_agrees_with_percentiles_of_scipys_bootstrap(self):
        values = np.random.default_rng(0).exponential(size=80)
        ours = bootstrap_interval(np.mean, values, random_state=1)
        judge = stats.bootstrap((values,), np.mean, n_resamples=10_000, method="percentile", rng=2)
        assert ours.estimate == values.mean()
        # two sets of 10,000 draws: the ends wobble by about 1 % of the width
        theirs = judge.confidence_interval
        assert (ours.low, ours.high) == pytest.approx((theirs.low, theirs.high), abs=0.04 * ours.width)

    def test_one_at_a_time_and_all_at_once_are_the_same(self):
        values = np.random.default_rng(0).normal(size=30)
        many = bootstrap_interval(np.mean, values, n_replicates=500, random_state=3)
        one = bootstrap_interval(looped_mean, values, n_replicates=500, random_state=3)
        assert (many.low, many.high) == pytest.approx((one.low, one.high), rel=1e-12)
        assert many == bootstrap_interval(np.mean, values, n_replicates=500, random_state=3)
        assert many != bootstrap_interval(np.mean, values, n_replicates=500, random_state=4)

    def test_columns_of_the_same_rows_are_drawn_together(self):
        x = np.arange(20.0)
        seen = []

        def statistic(a, b):
            seen.append(np.array_equal(a, b))
            return 1.0

        bootstrap_interval(statistic, x, x, n_replicates=50, random_state=0)
        assert all(seen)
        seen.clear()
        bootstrap_interval(statistic, x, x, n_replicates=50, random_state=0, paired=False)
        assert sum(seen) == 1  # the data themselves

    def test_labels_may_be_text_and_rows_may_have_columns(self):
        y = np.array(["a", "b"] * 10)
        X = np.arange(40.0).reshape(20, 2)

        def statistic(labels, rows):
            return rows[labels == "a"].mean()

        interval = bootstrap_interval(statistic, y, X, n_replicates=200, random_state=0)
        assert interval.low < interval.estimate == 18.5 < interval.high

    def test_every_row_is_drawn_equally_often(self):
        counts = np.zeros(7)

        def statistic(rows):
            np.add.at(counts, rows, 1)
            return 0.0

        bootstrap_interval(statistic, np.arange(7), n_replicates=10_000, random_state=0)
        assert stats.chisquare(counts).pvalue > 0.001

    @pytest.mark.parametrize(
        ("data", "setting", "message"),
        [
            ((), {}, r"'data' must be one or more arrays with at least one row; got none\."),
            (([],), {}, r"'data' must be one or more arrays with at least one row; got \[\(0,\)\]\."),
            (
                ([1.0, 2.0], [1.0]),
                {},
                r"paired arrays must have the same number of rows; got \[2, 1\], set paired",
            ),
            (([1.0, np.nan],), {}, r"bootstrap_interval: 'data' must not have NaN; leave such rows out\."),
            (([1.0, 2.0],), {"n_replicates": 0}, r"'n_replicates' must be an integer of at least 1; got 0\."),
            (
                ([1.0, 2.0],),
                {"level": 0},
                r"bootstrap_interval: 'level' must be a number in \(0, 1\); got 0\.",
            ),
        ],
    )
    def test_wrong_input_is_one_sentence(self, data, setting, message):
        with pytest.raises(ValueError, match=message):
            bootstrap_interval(np.mean, *data, **setting)

    def test_a_statistic_that_is_not_always_defined_is_refused(self):
        with pytest.raises(
            ValueError, match=r"must be a finite number for every resample; it is not for \d+ of 101"
        ):
            bootstrap_interval(
                lambda v: v.mean() if len(set(v)) > 1 else math.nan, [1, 2], n_replicates=100, random_state=0
            )


class TestSummary:
    def test_one_run(self):
        values = [0.2, 0.3, 0.4, 0.1]
        summary = cross_validation_summary(values)
        assert summary.mean == pytest.approx(np.mean(values), rel=1e-14)
        assert summary.variance == pytest.approx(np.var(values, ddof=1), rel=1e-13)
        assert cross_validation_summary(values, divisor="n").variance == pytest.approx(
            np.var(values), rel=1e-13
        )
        assert (summary.runs, summary.folds, summary.variance_of_mean, summary.variance_of_variance) == (
            1,
            4,
            None,
            None,
        )
        # k estimates reduce the deviation of their mean by 1 / sqrt(k)
        assert summary.standard_error == pytest.approx(np.std(values, ddof=1) / 2, rel=1e-13)
        assert str(summary) == "mean 0.25, variance 0.0167 over 4 folds"

    @settings(derandomize=True, max_examples=100, deadline=None)
    @given(st.integers(2, 10), st.integers(2, 10), st.integers(0, 99), st.sampled_from(["n-1", "n"]))
    def test_several_runs(self, runs, folds, seed, divisor):
        table = np.random.default_rng(seed).uniform(size=(runs, folds))
        ddof = 1 if divisor == "n-1" else 0
        summary = cross_validation_summary(table, divisor=divisor)
        means, variances = table.mean(axis=1), table.var(axis=1, ddof=ddof)
        assert summary.mean == pytest.approx(means.mean(), rel=1e-12)
        assert summary.variance == pytest.approx(variances.mean(), rel=1e-12)
        assert summary.variance_of_mean == pytest.approx(means.var(ddof=ddof), rel=1e-9)
        assert summary.variance_of_variance == pytest.approx(variances.var(ddof=ddof), rel=1e-9)
        assert json.loads(json.dumps(summary.to_dict(), allow_nan=False))["runs"] == runs

    def test_words(self):
        text = str(cross_validation_summary([[0.25, 0.5], [0.375, 0.375]]))
        assert text.startswith("mean 0.375, variance 0.0156 over 2 runs of 2 folds; ")
        assert text.endswith("from run to run they vary by 0 and 0.000488")

    @pytest.mark.parametrize(
        ("values", "message"),
        [
            (
                [0.3],
                r"with one row for each of several runs; got an array of shape \(1,\)",
            ),
            ([[0.1, 0.2], [0.3]], r"must be numbers, the same number of folds in every run"),
            ([[0.1, np.nan]], r"'scores' must be finite numbers; got nan at position \(0, 1\)"),
        ],
    )
    def test_wrong_input_is_one_sentence(self, values, message):
        with pytest.raises(ValueError, match=message):
            cross_validation_summary(values)

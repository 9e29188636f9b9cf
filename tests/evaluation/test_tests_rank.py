"""Wilcoxon's, Friedman's and Nemenyi's tests."""

from __future__ import annotations

import json
import math
from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import integrate, stats

from hornbook.evaluation import friedman, nemenyi, rank_groups, wilcoxon

SIDES = ("two-sided", "less", "greater")
seeds = st.integers(0, 10_000)


def normal_sample(seed, n):
    return np.random.default_rng(seed).normal(0.2, 1, size=n)


def walsh(d):
    i, j = np.triu_indices(len(d))
    return np.sort((d[i] + d[j]) / 2)


class TestWilcoxon:
    @settings(derandomize=True, max_examples=150, deadline=None)
    @given(seeds, st.integers(1, 80), st.sampled_from(SIDES))
    def test_without_ties_agrees_with_scipy(self, seed, n, side):
        d = normal_sample(seed, n)
        for method, theirs in (("exact", "exact"), ("normal", "asymptotic"), ("auto", "auto")):
            result = wilcoxon(d, method=method, alternative=side)
            judge = stats.wilcoxon(d, method=theirs, alternative=side, correction=False)
            assert result.p == pytest.approx(judge.pvalue, rel=1e-10)
        assert result.details["exact"] == (n <= 50)

    @settings(derandomize=True, max_examples=150, deadline=None)
    @given(st.lists(st.integers(-4, 4), min_size=2, max_size=40), st.sampled_from(SIDES), st.booleans())
    def test_with_ties_and_zeros_agrees_with_scipy(self, values, side, pratt):
        if not any(values):
            return
        result = wilcoxon(values, method="normal", alternative=side, zeros="pratt" if pratt else "drop")
        judge = stats.wilcoxon(
            values, zero_method="pratt" if pratt else "wilcox", method="asymptotic", alternative=side
        )
        assert result.p == pytest.approx(judge.pvalue, rel=1e-10)
        # in a two-sided test SciPy gives the lower of both z
        assert abs(result.statistic) == pytest.approx(abs(judge.zstatistic), rel=1e-10, abs=1e-12)
        assert result.details["zeros"] == values.count(0)

    @pytest.mark.parametrize("zeros", ["drop", "pratt"])
    def test_exact_with_ties_is_over_all_signs(self, zeros):
        values = np.array([1, 1, -2, 3, 3, 3, -4, 0, 5.0])
        ranks = stats.rankdata(np.abs(values if zeros == "pratt" else values[values != 0]))
        ranks = ranks[(values if zeros == "pratt" else values[values != 0]) != 0]
        observed = wilcoxon(values, method="exact", zeros=zeros, alternative="greater")
        sums = np.array([np.dot(signs, ranks) for signs in product([0, 1], repeat=len(ranks))])
        assert observed.p == pytest.approx(np.mean(sums >= observed.statistic), rel=1e-12)

    @settings(derandomize=True, max_examples=60, deadline=None)
    @given(seeds, st.integers(1, 40), st.floats(0.02, 0.4))
    def test_effect_and_interval_are_means_of_pairs(self, seed, n, alpha):
        d = normal_sample(seed, n)
        means = walsh(d)
        result = wilcoxon(d, alpha=alpha)
        assert result.effect == pytest.approx(np.median(means), rel=1e-12)
        # the interval leaves out as many means at each end as the test may
        outside = [np.sum(means < result.interval.low), np.sum(means > result.interval.high)]
        if math.isfinite(result.interval.low):
            assert outside[0] == outside[1] == result.critical[0]
            assert result.interval.low in means
            assert result.interval.high in means
        else:
            assert result.critical == (-math.inf, math.inf)

    @pytest.mark.parametrize("n", [12, 60])
    @pytest.mark.parametrize("side", SIDES)
    def test_shifts_within_the_interval_are_not_rejected(self, n, side):
        d = normal_sample(3, n)
        interval = wilcoxon(d, alternative=side).interval
        for shift in np.linspace(-1, 1, 81):
            if min(abs(shift - interval.low), abs(shift - interval.high)) > 1e-9:
                assert wilcoxon(d - shift, alternative=side).rejected == (shift not in interval)

    def test_many_differences_need_no_table_of_pairs(self):
        d = normal_sample(0, 3000)
        result = wilcoxon(d)
        assert result.effect == pytest.approx(np.median(walsh(d)), rel=1e-12)
        assert result.interval.low < result.effect < result.interval.high

    def test_ties_by_rounding_are_ties(self):
        first = np.array([7, 8, 3, 12, 9]) / 30
        second = np.array([6, 6, 5, 10, 7]) / 30
        result = wilcoxon(first, second)
        assert len(np.unique(first - second)) > 3  # not so for the numbers as they are
        assert result.details["rank_sum"] == 11.5
        assert not result.details["exact"]
        assert result.interval is None

    def test_the_same_in_every_pair(self):
        for setting in ({}, {"method": "exact"}, {"method": "normal"}, {"zeros": "pratt"}):
            for side in SIDES:
                result = wilcoxon([0.4, 0.5], [0.4, 0.5], alternative=side, **setting)
                assert (result.p, result.effect) == (1.0, 0.0)
                assert result.sentence.endswith("they are the same in every pair.")

    @pytest.mark.parametrize(
        ("arguments", "setting", "message"),
        [
            (([],), {}, r"wilcoxon: 'first' must have at least 1 pairs; got 0\."),
            (
                ([1, 2], [1]),
                {},
                r"wilcoxon: 'first' and 'second' must be scores of the same pairs; got 2 and 1",
            ),
            (
                (np.arange(1, 1100),),
                {"method": "exact"},
                r"'exact' is for at most 1000 differences; got 1099, use",
            ),
            (([1, 2],), {"zeros": "zsplit"}, r"'zeros' must be one of 'drop', 'pratt'; got 'zsplit'\."),
            (([1, math.nan],), {}, r"wilcoxon: 'first' must be finite numbers; got nan at position 1"),
            (([1, 2],), {"alpha": 0}, r"wilcoxon: 'alpha' must be a number in \(0, 1\); got 0\."),
        ],
    )
    def test_wrong_input_is_one_sentence(self, arguments, setting, message):
        with pytest.raises(ValueError, match=message):
            wilcoxon(*arguments, **setting)


class TestFriedman:
    @settings(derandomize=True, max_examples=150, deadline=None)
    @given(seeds, st.integers(2, 12), st.integers(3, 6), st.booleans())
    def test_agrees_with_scipy(self, seed, n, k, ties):
        rng = np.random.default_rng(seed)
        scores = rng.integers(0, 4, size=(n, k)) / 4 if ties else rng.normal(size=(n, k))
        if (scores == scores[:, :1]).all():
            return
        judge = stats.friedmanchisquare(*scores.T)
        result = friedman(scores, method="chi_square")
        assert (result.statistic, result.p) == pytest.approx(
            (judge.statistic, judge.pvalue), rel=1e-10, abs=1e-12
        )
        chi2 = judge.statistic
        if n * (k - 1) - chi2 > 1e-6:
            f = (n - 1) * chi2 / (n * (k - 1) - chi2)
            better = friedman(scores)
            assert better.statistic == pytest.approx(f, rel=1e-8, abs=1e-12)
            assert better.p == pytest.approx(stats.f.sf(better.statistic, k - 1, (k - 1) * (n - 1)), rel=1e-9)
        ranks = stats.rankdata(-scores, axis=1)
        assert result.details["mean_ranks"] == pytest.approx(ranks.mean(axis=0), rel=1e-12)
        assert result.effect == pytest.approx(chi2 / (n * (k - 1)), rel=1e-10, abs=1e-12)

    def test_errors_are_ranked_the_other_way_round(self):
        scores = np.random.default_rng(0).uniform(size=(6, 4))
        one, two = friedman(scores), friedman(scores, greater_is_better=False)
        assert np.add(one.details["mean_ranks"], two.details["mean_ranks"]) == pytest.approx([5.0] * 4)
        assert one.p == pytest.approx(two.p, rel=1e-12)
        assert friedman(-scores, greater_is_better=False) == one

    def test_full_agreement_and_none_at_all(self):
        always = friedman([[1, 2, 3]] * 5)
        assert (always.effect, always.statistic, always.p) == (1.0, math.inf, 0.0)
        same = friedman([[0.5, 0.5, 0.5]] * 5)
        assert (same.effect, same.statistic, same.p) == (0.0, 0.0, 1.0)
        assert same.sentence.endswith("they are the same on every table.")
        assert same.sentence.startswith("the 3 learners cannot be told apart")

    @pytest.mark.parametrize("test", [friedman, nemenyi])
    @pytest.mark.parametrize(
        ("scores", "setting", "message"),
        [
            (
                [[1, 2, 3]],
                {},
                r"at least 2 rows \(tables\) and 2 columns \(learners\); got an array of shape \(1, 3\)",
            ),
            ([[1], [2]], {}, r"at least 2 rows \(tables\) and 2 columns \(learners\)"),
            ([1, 2, 3], {}, r"got an array of shape \(3,\)"),
            ([[1, 2], [3]], {}, r"'scores' must be a table of numbers, one row for each table"),
            ([[1, 2], [3, math.nan]], {}, r"'scores' must be finite numbers; got nan at position \(1, 1\)"),
            (
                [[1, 2], [3, 4]],
                {"names": ["a"]},
                r"'names' must have one name for each of the 2 learners; got 1\.",
            ),
            ([[1, 2], [3, 4]], {"alpha": 1}, r"'alpha' must be a number in \(0, 1\); got 1\."),
        ],
    )
    def test_wrong_input_is_one_sentence(self, test, scores, setting, message):
        with pytest.raises(ValueError, match=rf"{test.__name__}: .*{message}"):
            test(scores, **setting)


def range_tail(q, k):
    """P(range of k standard normals > q), by integration over the smallest of them."""
    below, _ = integrate.quad(
        lambda x: k * stats.norm.pdf(x) * (stats.norm.cdf(x + q) - stats.norm.cdf(x)) ** (k - 1), -9, 9
    )
    return 1 - below


class TestNemenyi:
    def test_the_published_table_of_critical_values(self):
        # Demsar (2006), table 5: q of 2 to 10 classifiers, already divided by sqrt(2)
        q05 = [1.960, 2.343, 2.569, 2.728, 2.850, 2.949, 3.031, 3.102, 3.164]
        q10 = [1.645, 2.052, 2.291, 2.459, 2.589, 2.693, 2.780, 2.855, 2.920]
        for alpha, table in ((0.05, q05), (0.10, q10)):
            for k, q in enumerate(table, start=2):
                n = 8
                result = nemenyi(np.random.default_rng(k).normal(size=(n, k)), alpha=alpha)
                # the table's last digit is cut off or rounded, and one off in places
                assert result.critical_difference / math.sqrt(k * (k + 1) / (6 * n)) == pytest.approx(
                    q, abs=1.1e-3
                )

    def test_p_values_are_tails_of_the_range(self):
        scores = np.random.default_rng(1).normal([0, 0.5, 1, 2], size=(12, 4))
        result = nemenyi(scores)
        for i, j in ((0, 1), (0, 3), (2, 3)):
            apart = abs(result.mean_ranks[i] - result.mean_ranks[j])
            q = apart / math.sqrt(4 * 5 / (6 * 12)) * math.sqrt(2)
            assert result.p[i, j] == result.p[j, i] == pytest.approx(range_tail(q, 4), abs=1e-8)
        assert np.diag(result.p).tolist() == [1.0] * 4
        off = ~np.eye(4, dtype=bool)
        assert ((result.p <= 0.05) == result.rejected)[off].all()
        assert result.rejected.any()

    def test_words_and_plain_data(self):
        scores = np.column_stack([np.linspace(0.7, 0.9, 15) + shift for shift in (0.0, 0.01, 0.02)])
        result = nemenyi(scores, names=["a", "b", "c"])
        assert result.mean_ranks.tolist() == [3.0, 2.0, 1.0]
        assert result.sentence == (
            "c has the best mean rank, 1 and differs from b and a "
            "(critical difference 0.856, alpha = 0.05, 15 tables)."
        )
        assert str(result) == f"Nemenyi's test: {result.sentence}"
        data = json.loads(json.dumps(result.to_dict(), allow_nan=False))
        assert data["groups"] == []
        assert data["rejected"][0] == [False, True, True]
        assert "<th>b</th>" in result._repr_html_()
        equal = nemenyi(scores[:2], names=["a", "b", "c"])
        assert equal.sentence.startswith("c has the best mean rank, 1 and cannot be told apart from b and a")
        assert equal.groups == [[2, 1, 0]]

    @settings(derandomize=True, max_examples=200, deadline=None)
    @given(st.lists(st.floats(1, 8).map(lambda v: round(v, 2)), min_size=2, max_size=8), st.floats(0.1, 5))
    def test_groups_hold_exactly_the_pairs_that_do_not_differ(self, ranks, limit):
        groups = rank_groups(ranks, limit)
        together = {(i, j) for group in groups for i in group for j in group if i != j}
        near = {
            (i, j)
            for i in range(len(ranks))
            for j in range(len(ranks))
            if i != j and abs(ranks[i] - ranks[j]) < limit
        }
        assert together == near
        for one in groups:
            assert [ranks[i] for i in one] == sorted(ranks[i] for i in one)
            assert not any(set(one) < set(two) for two in groups)

    def test_wrong_critical_difference(self):
        with pytest.raises(
            ValueError, match=r"'critical_difference' must be a number in \(0, inf\); got 0\."
        ):
            rank_groups([1, 2], 0)

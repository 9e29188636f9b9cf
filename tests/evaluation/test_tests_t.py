"""z, paired t, corrected t and 5x2 tests against SciPy, statsmodels, mlxtend and their formulas."""

from __future__ import annotations

import math
from itertools import chain

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from mlxtend.evaluate import combined_ftest_5x2cv, paired_ttest_5x2cv, paired_ttest_kfold_cv
from scipy import stats
from sklearn.dummy import DummyClassifier
from statsmodels.stats.weightstats import ztest

from hornbook.evaluation import corrected_t, five_by_two, paired_t, z_test

SIDES = ("two-sided", "less", "greater")
samples = st.integers(0, 10_000).map(
    lambda seed: np.random.default_rng(seed).normal(0.3, 1, size=2 + seed % 20)
)


def by_script(first, second):
    """A scorer for mlxtend that gives the scores of both learners, fold by fold."""
    script = chain.from_iterable(zip(first, second, strict=True))
    return lambda *_: next(script)


JUDGE = {
    "estimator1": DummyClassifier(),
    "estimator2": DummyClassifier(),
    "X": np.zeros((40, 1)),
    "y": np.tile([0, 1], 20),
    "random_seed": 0,
}


class TestZ:
    @settings(derandomize=True, max_examples=100, deadline=None)
    @given(samples, st.sampled_from(SIDES), st.floats(-2, 2))
    def test_agrees_with_the_formula_and_its_distribution(self, values, side, null):
        result = z_test(values, sigma=1.5, null=null, alternative=side)
        z = (values.mean() - null) / (1.5 / math.sqrt(len(values)))
        expected = {
            "two-sided": 2 * stats.norm.sf(abs(z)),
            "less": stats.norm.cdf(z),
            "greater": stats.norm.sf(z),
        }
        assert result.statistic == pytest.approx(z, rel=1e-12)
        assert result.p == pytest.approx(expected[side], rel=1e-12)
        assert z_test(mean=values.mean(), n=len(values), sigma=1.5, null=null, alternative=side) == result

    def test_agrees_with_statsmodels(self):
        values = np.random.default_rng(0).normal(size=30)
        for side, theirs in zip(SIDES, ("two-sided", "smaller", "larger"), strict=True):
            z, p = ztest(values, value=0.2, alternative=theirs)
            result = z_test(values, sigma=values.std(ddof=1), null=0.2, alternative=side)
            assert (result.statistic, result.p) == pytest.approx((z, p), rel=1e-12)

    def test_critical_values_on_the_scale_of_the_mean(self):
        result = z_test(mean=0.0, n=100, sigma=2.0, null=1.0, alpha=0.1)
        assert result.details["c"] == pytest.approx(stats.norm.interval(0.9, 1.0, 0.2), rel=1e-12)
        assert result.rejected
        for mean in result.details["c"]:
            assert z_test(mean=mean, n=100, sigma=2.0, null=1.0).p == pytest.approx(0.1, rel=1e-9)

    @pytest.mark.parametrize(
        ("setting", "message"),
        [
            ({}, r"give either 'values' or both 'mean' and 'n'; got no values, mean=None and n=None\."),
            (
                {"mean": 1.0},
                r"give either 'values' or both 'mean' and 'n'; got no values, mean=1.0 and n=None",
            ),
            ({"values": [1.0], "n": 3}, r"got values, mean=None and n=3"),
            ({"values": [1.0], "sigma": 0}, r"z_test: 'sigma' must be a number in \(0, inf\); got 0\."),
            ({"values": [1.0], "null": math.nan}, r"z_test: 'null' must be a finite number; got nan\."),
            ({"values": []}, r"z_test: 'values' must have at least 1 values; got 0\."),
            ({"values": [1.0], "alternative": "lesser"}, r"got 'lesser'\. Did you mean 'less'\?"),
        ],
    )
    def test_wrong_input_is_one_sentence(self, setting, message):
        with pytest.raises(ValueError, match=message):
            z_test(**{"sigma": 1.0, **setting})


class TestPairedT:
    @settings(derandomize=True, max_examples=150, deadline=None)
    @given(samples, st.sampled_from(SIDES), st.floats(0.01, 0.2))
    def test_agrees_with_scipy(self, values, side, alpha):
        other = np.random.default_rng(len(values)).normal(size=len(values))
        judge = stats.ttest_rel(values, other, alternative=side)
        result = paired_t(values, other, alternative=side, alpha=alpha)
        assert (result.statistic, result.p) == pytest.approx((judge.statistic, judge.pvalue), rel=1e-11)
        ends = judge.confidence_interval(1 - alpha)
        assert (result.interval.low, result.interval.high) == pytest.approx(tuple(ends), rel=1e-10)
        alone = paired_t(values - other, alternative=side, alpha=alpha)
        assert (alone.statistic, alone.p) == (result.statistic, result.p)

    def test_agrees_with_mlxtend(self):
        rng = np.random.default_rng(1)
        first, second = rng.uniform(size=10), rng.uniform(size=10)
        t, p = paired_ttest_kfold_cv(
            **{**JUDGE, "random_seed": None}, cv=10, scoring=by_script(first, second)
        )
        result = paired_t(first, second)
        assert (result.statistic, result.p) == pytest.approx((t, p), rel=1e-12)

    def test_the_divisor(self):
        values = np.array([0.1, 0.3, 0.2, -0.1])
        one, two = paired_t(values), paired_t(values, divisor="n")
        assert two.statistic / one.statistic == pytest.approx(math.sqrt(4 / 3), rel=1e-14)

    def test_exchanging_the_two_exchanges_the_signs(self):
        rng = np.random.default_rng(0)
        first, second = rng.normal(size=8), rng.normal(size=8)
        one, two = paired_t(first, second), paired_t(second, first)
        assert (one.statistic, one.effect, one.p) == (-two.statistic, -two.effect, two.p)
        less, greater = (
            paired_t(*scores, alternative=side)
            for scores, side in (((first, second), "less"), ((second, first), "greater"))
        )
        assert less.p == greater.p

    def test_the_same_on_every_fold(self):
        result = paired_t([0.7, 0.8, 0.9], [0.7, 0.8, 0.9], names=("tree", "forest"))
        assert (result.statistic, result.p, result.effect) == (0.0, 1.0, 0.0)
        assert result.sentence == (
            "tree and forest cannot be told apart: mean difference 0.0000 [0.000, 0.000], t = 0, "
            "p = 1 > alpha = 0.05; they are the same on every fold."
        )
        assert paired_t([0.0, 0.0], alternative="less").p == 1.0

    def test_sums_in_another_order_are_the_same(self):
        first, second = np.full(10, 0.1 + 0.2), np.full(10, 0.3)
        assert not np.array_equal(first, second)
        assert paired_t(first, second).p == 1.0

    def test_the_same_difference_on_every_fold_is_certain(self):
        result = paired_t([0.1, 0.1, 0.1])
        assert (result.statistic, result.p) == (math.inf, 0.0)
        assert paired_t([0.1, 0.1], alternative="less").p == 1.0
        assert paired_t([-0.1, -0.1]).statistic == -math.inf
        assert result.rejected

    @pytest.mark.parametrize(
        ("arguments", "setting", "message"),
        [
            (([0.1],), {}, r"paired_t: 'first' must have at least 2 folds; got 1\."),
            (([0.1, 0.2], [0.1]), {}, r"must be scores of the same folds; got 2 and 1\."),
            (
                ([0.1, math.nan],),
                {},
                r"'first' must be finite numbers; got nan at position 1, leave such cases",
            ),
            (([0.1, 0.2], [0.1, math.inf]), {}, r"'second' must be finite numbers; got inf at position 1"),
            (([0.1, 0.2],), {"alpha": 0}, r"paired_t: 'alpha' must be a number in \(0, 1\); got 0\."),
            (([0.1, 0.2],), {"alpha": 1.5}, r"paired_t: 'alpha' must be a number in \(0, 1\); got 1\.5\."),
            (([0.1, 0.2],), {"alpha": math.nan}, r"'alpha' must be a number in \(0, 1\); got nan\."),
            (([0.1, 0.2],), {"alpha": "a"}, r"'alpha' must be a number in \(0, 1\); got 'a'\."),
            (([0.1, 0.2],), {"alternative": "more"}, r"'alternative' must be one of 'two-sided', 'less'"),
            (([0.1, 0.2],), {"divisor": "k"}, r"'divisor' must be one of 'n-1', 'n'; got 'k'\."),
        ],
    )
    def test_wrong_input_is_one_sentence(self, arguments, setting, message):
        with pytest.raises(ValueError, match=message):
            paired_t(*arguments, **setting)


class TestCorrectedT:
    @settings(derandomize=True, max_examples=100, deadline=None)
    @given(samples, st.floats(0.01, 0.9))
    def test_the_formula_of_nadeau_and_bengio(self, values, fraction):
        n = len(values)
        error = math.sqrt((1 / n + fraction / (1 - fraction)) * values.var(ddof=1))
        result = corrected_t(values, test_fraction=fraction)
        assert result.statistic == pytest.approx(values.mean() / error, rel=1e-11)
        assert result.p == pytest.approx(2 * stats.t.sf(abs(values.mean() / error), n - 1), rel=1e-10)
        ends = stats.t.interval(0.95, n - 1, values.mean(), error)
        assert (result.interval.low, result.interval.high) == pytest.approx(ends, rel=1e-10)
        assert result.p >= paired_t(values).p

    def test_both_ways_to_say_how_much_is_tested(self):
        values = [0.1, 0.2, 0.05, 0.12]
        one, two = corrected_t(values, test_fraction=0.25), corrected_t(values, n_train=300, n_test=100)
        assert one.p == pytest.approx(two.p, rel=1e-14)
        assert one.details["test_train_ratio"] == pytest.approx(1 / 3, rel=1e-14)

    def test_repeating_the_same_folds_does_not_prove_anything(self):
        values = np.random.default_rng(1).normal(0.3, 1, size=10)
        plain = [paired_t(np.tile(values, k)).statistic for k in (1, 10, 1000)]
        corrected = [corrected_t(np.tile(values, k), test_fraction=0.1).statistic for k in (1, 10, 1000)]
        # the plain statistic grows with the square root of the repeats, the corrected one has a limit
        assert plain[2] > 9 * plain[1] > 27 * plain[0]
        assert corrected[0] < corrected[1] < corrected[2] < values.mean() / (values.std() * math.sqrt(1 / 9))

    @pytest.mark.parametrize(
        ("values", "place", "ending"),
        [
            (
                [0.001, -0.001, 0.0005, 0.0],
                "within",
                "the whole interval is within +-0.01, too small to matter.",
            ),
            ([0.1, 0.11, 0.09, 0.1], "beyond", "the whole interval is beyond +-0.01."),
            ([-0.1, -0.11, -0.09, -0.1], "beyond", "the whole interval is beyond +-0.01."),
            (
                [0.02, -0.01, 0.015, 0.0],
                "undecided",
                "it is undecided whether the difference exceeds +-0.01.",
            ),
        ],
    )
    def test_the_region_of_practical_equivalence(self, values, place, ending):
        result = corrected_t(values, test_fraction=0.1, rope=0.01)
        assert result.details["practical"] == place
        assert result.sentence.endswith(ending)
        assert result.p == corrected_t(values, test_fraction=0.1).p

    def test_a_small_difference_may_be_there_and_not_matter(self):
        result = corrected_t([0.001, 0.0011, 0.0009, 0.001], test_fraction=0.1, rope=0.01)
        assert result.rejected
        assert result.details["practical"] == "within"
        assert "differ" in result.sentence
        assert "too small to matter" in result.sentence

    def test_the_same_on_every_fold(self):
        result = corrected_t([0.5] * 10, [0.5] * 10, test_fraction=0.1, rope=0.01)
        assert (result.statistic, result.p) == (0.0, 1.0)
        assert "they are the same on every fold, the whole interval is within" in result.sentence

    @pytest.mark.parametrize(
        ("setting", "message"),
        [
            (
                {},
                r"corrected_t: give either 'test_fraction' or both 'n_train' and 'n_test'; got",
            ),
            ({"n_train": 90}, r"give either 'test_fraction' or both 'n_train' and 'n_test'"),
            ({"test_fraction": 0.1, "n_train": 9, "n_test": 1}, r"give either 'test_fraction' or both"),
            ({"test_fraction": 1.0}, r"'test_fraction' must be a number in \(0, 1\); got 1\.0\."),
            ({"n_train": 0, "n_test": 1}, r"'n_train' must be an integer of at least 1; got 0\."),
            (
                {"test_fraction": 0.1, "rope": -0.01},
                r"corrected_t: 'rope' must be a number in \[0, inf\); got -0\.01",
            ),
            (
                {"test_fraction": 0.1, "alpha": -1},
                r"corrected_t: 'alpha' must be a number in \(0, 1\); got -1\.",
            ),
        ],
    )
    def test_wrong_input_is_one_sentence(self, setting, message):
        with pytest.raises(ValueError, match=message):
            corrected_t([0.1, 0.2, 0.3], **setting)


class TestFiveByTwo:
    @settings(derandomize=True, max_examples=30, deadline=None)
    @given(st.integers(0, 1000))
    def test_agrees_with_mlxtend(self, seed):
        rng = np.random.default_rng(seed)
        first, second = rng.uniform(size=10), rng.uniform(size=10)
        shaped = first.reshape(5, 2), second.reshape(5, 2)
        for method, judge in (("t", paired_ttest_5x2cv), ("f", combined_ftest_5x2cv)):
            expected = judge(**JUDGE, scoring=by_script(first, second))
            result = five_by_two(*shaped, method=method)
            assert (result.statistic, result.p) == pytest.approx(expected, rel=1e-11)
            assert result.details["mean_difference"] == pytest.approx((first - second).mean(), rel=1e-12)

    def test_the_interval_is_that_of_the_first_difference(self):
        apart = np.array([[0.05, 0.03], [0.04, 0.06], [0.05, 0.02], [0.03, 0.05], [0.06, 0.04]])
        result = five_by_two(apart, method="t")
        error = math.sqrt(((apart[:, 0] - apart[:, 1]) ** 2 / 2).sum() / 5)
        assert (result.interval.low, result.interval.high) == pytest.approx(
            stats.t.interval(0.95, 5, 0.05, error), rel=1e-12
        )
        assert five_by_two(apart).interval is None

    def test_tiny_differences_are_differences(self):
        apart = np.array([[0.05, 0.03], [0.04, 0.06], [0.05, 0.02], [0.03, 0.05], [0.06, 0.04]])
        for method in ("t", "f"):
            assert five_by_two(apart * 1e-200, method=method).p == pytest.approx(
                five_by_two(apart, method=method).p
            )

    def test_no_spread(self):
        for method in ("t", "f"):
            same = five_by_two(np.zeros((5, 2)), method=method)
            assert (same.statistic, same.p) == (0.0, 1.0)
            assert same.sentence.endswith("they are the same on every fold.")
            always = five_by_two(np.full((5, 2), 0.1), method=method)
            assert (always.statistic, always.p) == (math.inf, 0.0)

    @pytest.mark.parametrize(
        ("arguments", "setting", "message"),
        [
            ((np.zeros(10),), {}, r"'first' must have 5 runs of 2 folds; got an array of shape \(10,\)\."),
            ((np.zeros((5, 2)), np.zeros((2, 5))), {}, r"'second' must have 5 runs of 2 folds; got an array"),
            ((np.full((5, 2), math.nan),), {}, r"'first' must be finite numbers; got nan at position 0"),
            ((np.zeros((5, 2)),), {"method": "F"}, r"'method' must be one of 'f', 't'; got 'F'\."),
        ],
    )
    def test_wrong_input_is_one_sentence(self, arguments, setting, message):
        with pytest.raises(ValueError, match=message):
            five_by_two(*arguments, **setting)

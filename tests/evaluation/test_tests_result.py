"""One result for every test: sentence, numbers, interval and plain data agree."""

from __future__ import annotations

import json
import math
import pickle
import re

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from scipy import stats

from hornbook.evaluation import (
    Interval,
    NullDistribution,
    TestResult,
    corrected_t,
    five_by_two,
    friedman,
    mcnemar,
    paired_t,
    permutation_test,
    sign_test,
    surrogate_test,
    wilcoxon,
    z_test,
)
from hornbook.evaluation.intervals._number_text import fixed, plain, significant

SIDES = ("two-sided", "less", "greater")


def normal_numbers(data, generator):
    return generator.normal(size=len(data))


# every test as a function of ten numbers, which are often equal, a side and alpha
TESTS = {
    "z_test": lambda d, side, alpha: z_test(d, sigma=0.5, alternative=side, alpha=alpha),
    "z_test of 3": lambda d, side, alpha: z_test(d, sigma=2, null=3, alternative=side, alpha=alpha),
    "paired_t": lambda d, side, alpha: paired_t(d, alternative=side, alpha=alpha),
    "paired_t, n": lambda d, side, alpha: paired_t(d, alternative=side, alpha=alpha, divisor="n"),
    "corrected_t": lambda d, side, alpha: corrected_t(d, test_fraction=0.1, alternative=side, alpha=alpha),
    "corrected_t, rope": lambda d, side, alpha: corrected_t(
        d, n_train=90, n_test=10, alternative=side, alpha=alpha, rope=0.5
    ),
    "five_by_two f": lambda d, _, alpha: five_by_two(np.reshape(d, (5, 2)), alpha=alpha),
    "five_by_two t": lambda d, _, alpha: five_by_two(np.reshape(d, (5, 2)), alpha=alpha, method="t"),
    "sign_test": lambda d, side, alpha: sign_test(d, alternative=side, alpha=alpha),
    "sign_test mid-p": lambda d, side, alpha: sign_test(d, alternative=side, alpha=alpha, method="mid_p"),
    "mcnemar": lambda d, side, alpha: mcnemar(
        np.zeros(10), np.where(d > 0, 0, 1), np.where(d < 0, 0, 1), alternative=side, alpha=alpha
    ),
    "wilcoxon": lambda d, side, alpha: wilcoxon(d, alternative=side, alpha=alpha),
    "wilcoxon normal": lambda d, side, alpha: wilcoxon(d, alternative=side, alpha=alpha, method="normal"),
    "friedman": lambda d, _, alpha: friedman(np.reshape(d, (5, 2)), alpha=alpha),
    "friedman chi2": lambda d, _, alpha: friedman(np.reshape(d, (5, 2)), alpha=alpha, method="chi_square"),
    "permutation mean": lambda d, side, alpha: permutation_test(
        d[:4], d[4:], alternative=side, alpha=alpha, n_permutations=99, random_state=0
    ),
    "permutation spearman": lambda d, side, alpha: permutation_test(
        d[:5], d[5:], statistic="spearman", alternative=side, alpha=alpha, n_permutations=99, random_state=0
    ),
    "surrogate": lambda d, side, alpha: surrogate_test(
        np.max, d, normal_numbers, n_surrogates=39, alternative=side, alpha=alpha, random_state=0
    ),
}
SYMMETRIC = ("five_by_two f", "five_by_two t", "friedman", "friedman chi2")

numbers = st.lists(
    st.integers(-8, 8).map(lambda k: k / 4) | st.floats(-3, 3).map(lambda v: round(v, 9)),
    min_size=10,
    max_size=10,
)
alphas = st.sampled_from([0.05, 0.01, 0.1]) | st.floats(0.001, 0.999)


@pytest.mark.parametrize("name", TESTS)
@settings(derandomize=True, max_examples=60, deadline=None)
@given(d=numbers, side=st.sampled_from(SIDES), alpha=alphas)
@example(d=[0.0] * 10, side="two-sided", alpha=0.05)
@example(d=[0.25] * 10, side="two-sided", alpha=0.05)
@example(d=[0.25] * 10, side="less", alpha=0.05)
def test_sentence_numbers_and_interval_agree(name, d, side, alpha):
    result = TESTS[name](np.array(d), side, alpha)
    assert 0 <= result.p <= 1
    assert not math.isnan(result.statistic)
    assert result.rejected == (result.p <= result.alpha)
    claim, no_claim = result.says
    assert result.sentence.startswith(f"{claim if result.rejected else no_claim}: ")
    if side == "two-sided" or name in SYMMETRIC:
        assert (" differ" in no_claim, " cannot be told" in claim) == (False, False)
        if "spearman" not in name:
            assert ("differ:" in result.sentence) == result.rejected
            assert ("cannot be told apart" in result.sentence) == (not result.rejected)
    # what is printed compares as what was computed
    p, sign, limit = re.search(
        r"p = (\S+) (<=|>) alpha = ([\d.e-]+?)[.;]* ?(?:[a-z(]|$)", result.sentence
    ).groups()
    assert float(limit) == result.alpha
    assert (float(p) <= float(limit)) == (sign == "<=") == result.rejected
    if result.interval is not None:
        low, high = (float(end) for end in re.search(r"\[(\S+), (\S+)\]", result.sentence).groups())
        assert (low <= result.null <= high) == (result.null in result.interval)
        if abs(result.p - result.alpha) > 1e-9:
            assert (result.null in result.interval) == (not result.rejected)


@pytest.mark.parametrize("name", TESTS)
def test_statistic_and_critical_values_give_the_same_decision(name):
    rng = np.random.default_rng(0)
    decisions = set()
    for _ in range(60):
        d = rng.normal(rng.choice([0.0, 0.5, 1.0, -1.0]), 0.7, size=10)
        side = str(rng.choice(SIDES))
        result = TESTS[name](d, side, 0.05)
        edges = result.critical
        if name in ("five_by_two f", "friedman", "friedman chi2"):
            far = result.statistic >= edges[0]
        elif len(edges) == 2:
            far = result.statistic <= edges[0] or result.statistic >= edges[1]
        else:
            far = result.statistic <= edges[0] if side == "less" else result.statistic >= edges[0]
        assert far == result.rejected
        decisions.add(far)
    assert decisions == {True, False}


@pytest.mark.parametrize("name", TESTS)
def test_plain_data_and_html(name):
    result = TESTS[name](np.full(10, 0.25), "greater", 0.05)
    data = json.loads(json.dumps(result.to_dict(), allow_nan=False))
    assert data["rejected"] == result.rejected
    assert data["sentence"] == result.sentence
    assert float(data["statistic"]) == result.statistic
    assert data["p"] == result.p
    assert str(result) == f"{result.name}: {result.sentence}"
    assert "<table>" in result._repr_html_()
    again = pickle.loads(pickle.dumps(result))  # noqa: S301  our own bytes
    assert again == result
    assert again.critical == result.critical


def result_with(p, alpha, **more):
    return TestResult(name="Test", statistic=2.0, p=p, alpha=alpha, effect=1.0, **more)


@pytest.mark.parametrize(
    ("p", "alpha", "text"),
    [
        (0.04996, 0.05, "p = 0.04996 <= alpha = 0.05"),
        (0.0500004, 0.05, "p = 0.0500004 > alpha = 0.05"),
        (0.05, 0.05, "p = 0.05 <= alpha = 0.05"),
        (0.0321, 0.05, "p = 0.0321 <= alpha = 0.05"),
        (1e-30, 0.05, "p = 1e-30 <= alpha = 0.05"),
        (math.nextafter(0.05, 1), 0.05, "p = 0.05000000000000001 > alpha = 0.05"),
        (0.0123456, 0.01231, "p = 0.01235 > alpha = 0.01231"),
    ],
)
def test_p_is_never_rounded_across_alpha(p, alpha, text):
    assert text in result_with(p, alpha).sentence
    assert result_with(p, alpha).p_text in text


def test_html_is_escaped_and_hypotheses_are_named():
    result = result_with(0.01, 0.05, says=("<a> and <b> differ", "no"), quantity="mean", null=130.0)
    assert "&lt;a&gt; and &lt;b&gt; differ" in result._repr_html_()
    assert "<a>" not in result._repr_html_()
    assert "mean = 130: rejected" in result._repr_html_()
    assert result.hypotheses == ("mean = 130", "mean ≠ 130")
    assert result.critical == ()


def test_pytest_does_not_take_it_for_a_test():
    assert TestResult.__test__ is False


@settings(derandomize=True, max_examples=500, deadline=None)
@given(st.floats(allow_nan=False), st.floats(allow_nan=False), st.integers(0, 6))
def test_a_number_as_text_stays_on_its_side(value, reference, digits):
    for text in (significant(value, digits or 1, [reference]), fixed(value, digits, [reference])):
        assert np.sign(np.subtract(float(text) > reference, float(text) < reference, dtype=int)) == np.sign(
            np.subtract(value > reference, value < reference, dtype=int)
        )


def test_plain_data():
    data = plain({1: np.float64(0.5), "a": (np.int64(2), -math.inf), "b": np.array([[True]]), "c": None})
    assert data == {"1": 0.5, "a": [2, "-inf"], "b": [[True]], "c": None}


CURVES = [
    (NullDistribution("normal"), stats.norm()),
    (NullDistribution("t", (4.0,)), stats.t(4)),
    (NullDistribution("chi2", (3.0,)), stats.chi2(3)),
    (NullDistribution("f", (10.0, 5.0)), stats.f(10, 5)),
]


class TestNullDistribution:
    @pytest.mark.parametrize(("ours", "judge"), CURVES)
    def test_curves_agree_with_scipy(self, ours, judge):
        points = np.array([0.01, 0.3, 1.0, 2.5, 7.0])
        assert ours.density(points) == pytest.approx(judge.pdf(points), rel=1e-12)
        for x in points:
            assert ours.tails(x) == pytest.approx((judge.cdf(x), judge.sf(x)), rel=1e-12)
        for alpha in (0.2, 0.05, 1e-4):
            assert ours.critical(alpha, "greater")[0] == pytest.approx(judge.isf(alpha), rel=1e-10)
            assert ours.critical(alpha, "less")[0] == pytest.approx(judge.ppf(alpha), rel=1e-10)
        assert ours.is_curve
        assert (
            str(ours)
            == {
                "normal": "standard normal",
                "t": "Student t, 4 degrees of freedom",
                "chi2": "chi-square, 3 degrees of freedom",
                "f": "F, 10 and 5 degrees of freedom",
            }[ours.family]
        )

    def test_two_sided_is_both_sides_or_the_upper_one_of_squares(self):
        assert NullDistribution("normal").p(-1.0, "two-sided") == pytest.approx(
            2 * stats.norm.sf(1), rel=1e-13
        )
        assert NullDistribution("f", (10.0, 5.0)).p(3.0, "two-sided") == pytest.approx(
            stats.f.sf(3, 10, 5), rel=1e-13
        )
        assert len(NullDistribution("chi2", (2.0,)).critical(0.05, "two-sided")) == 1

    def test_single_values(self):
        coin = NullDistribution(
            "discrete", values=np.arange(6.0), probabilities=stats.binom.pmf(range(6), 5, 0.5)
        )
        assert coin.p(0, "less") == pytest.approx(1 / 32)
        assert coin.p(1, "two-sided") == pytest.approx(12 / 32)
        assert coin.critical(0.05, "less") == (0.0,)
        assert coin.critical(0.05, "two-sided") == (-math.inf, math.inf)
        assert coin.critical(0.2, "greater") == (4.0,)
        assert str(coin) == "exact"
        half = NullDistribution("discrete", values=coin.values, probabilities=coin.probabilities, mid_p=True)
        assert half.p(0, "less") == pytest.approx(1 / 64)
        assert half.p(1, "greater") == pytest.approx(31 / 32 - 5 / 64)
        assert half.critical(0.05, "two-sided") == (0.0, 5.0)

    def test_draws(self):
        values = np.arange(1.0, 100.0)
        plus = NullDistribution("draws", values=values)
        assert plus.p(98, "greater") == 3 / 100
        assert plus.p(1000, "greater") == 1 / 100
        assert plus.p(2, "two-sided") == 6 / 100
        assert plus.p(50, "two-sided") == 1.0
        assert plus.critical(0.05, "greater") == pytest.approx((95.0,), rel=1e-10)
        assert plus.critical(0.05, "greater") > (95.0,)
        assert plus.critical(0.1, "two-sided") == pytest.approx((5.0, 95.0), rel=1e-10)
        assert plus.critical(0.009, "greater") == (math.inf,)
        share = NullDistribution("draws", values=values, plus_one=False)
        assert share.p(98, "greater") == 2 / 99
        assert share.p(1000, "greater") == 0
        assert share.critical(0.005, "greater") == pytest.approx((99.0,), rel=1e-10)
        assert str(share) == "99 draws"
        assert share.to_dict() == {"family": "draws", "parameters": [], "n_values": 99}

    def test_rounding_error_does_not_tell_draws_apart(self):
        draws = NullDistribution("draws", values=np.array([0.1 + 0.2, 0.3, 0.2, 0.1]), plus_one=False)
        assert draws.p(0.3, "greater") == 0.5
        assert draws.p(0.1 + 0.2, "greater") == 0.5


def test_an_interval_is_shown_beside_the_effect():
    interval = Interval(0.001, 0.5, 0.25, 0.95, "t")
    assert "difference 0.250 [0.001, 0.50]" in result_with(0.04, 0.05, interval=interval).sentence

"""McNemar's test, the sign test and Holm's adjustment."""

from __future__ import annotations

import gc
import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from mlxtend.evaluate import mcnemar as mlxtend_mcnemar
from mlxtend.evaluate import mcnemar_table
from scipy import stats
from statsmodels.stats.contingency_tables import mcnemar as statsmodels_mcnemar
from statsmodels.stats.descriptivestats import sign_test as statsmodels_sign_test
from statsmodels.stats.multitest import multipletests

from hornbook.evaluation import holm, mcnemar, sign_test

SIDES = ("two-sided", "less", "greater")
counts = st.integers(0, 40) | st.integers(0, 3000)


class TestMcNemar:
    @settings(derandomize=True, max_examples=200, deadline=None)
    @given(counts, counts, counts, counts, st.sampled_from(SIDES))
    def test_agrees_with_scipy_statsmodels_and_mlxtend(self, a, b, c, d, side):
        table = [[a + 1, b], [c, d]]
        result = mcnemar(table=table, alternative=side)
        if b + c:
            # with equal probabilities SciPy's two-sided p-value is twice the smaller side, too
            expected = stats.binomtest(b, b + c, alternative=side).pvalue
            assert result.p == pytest.approx(expected, rel=1e-11)
        if side == "two-sided":
            assert result.p == pytest.approx(statsmodels_mcnemar(table, exact=True).pvalue, rel=1e-11)
            if b + c:
                assert result.p == pytest.approx(mlxtend_mcnemar(np.array(table), exact=True)[1], rel=1e-11)

    def test_from_predictions(self):
        rng = np.random.default_rng(0)
        y, first, second = (rng.choice(["a", "b", "c"], size=200) for _ in range(3))
        table = mcnemar_table(*(np.unique(column, return_inverse=True)[1] for column in (y, first, second)))
        result = mcnemar(y, first, second)
        assert result.details["table"] == table.tolist()
        assert result == mcnemar(table=table)
        assert result.details["difference"] == pytest.approx(np.mean(first == y) - np.mean(second == y))
        assert result.effect == table[0, 1] / (table[0, 1] + table[1, 0])

    @settings(derandomize=True, max_examples=100, deadline=None)
    @given(st.integers(0, 30), st.integers(0, 30))
    def test_mid_p_counts_the_observed_number_half(self, b, c):
        p_values = {
            side: mcnemar(table=[[1, b], [c, 1]], method="mid_p", alternative=side).p for side in SIDES
        }
        if b + c == 0:
            assert set(p_values.values()) == {1.0}
            return
        half = stats.binom.pmf(b, b + c, 0.5) / 2
        assert p_values["less"] == pytest.approx(stats.binom.cdf(b, b + c, 0.5) - half, rel=1e-11)
        assert p_values["greater"] == pytest.approx(stats.binom.sf(b - 1, b + c, 0.5) - half, rel=1e-11)
        assert p_values["less"] + p_values["greater"] == pytest.approx(1, rel=1e-12)
        assert p_values["two-sided"] == pytest.approx(
            min(1, 2 * min(p_values["less"], p_values["greater"])), rel=1e-12
        )

    def test_a_published_example(self):
        # Fagerland, Lydersen and Laake (2013): 1 and 7 discordant pairs, exact p 0.0703, mid-p 0.0391
        table = [[59, 1], [7, 80]]
        assert round(mcnemar(table=table).p, 4) == 0.0703
        assert round(mcnemar(table=table, method="mid_p").p, 4) == 0.0391

    @settings(derandomize=True, max_examples=60, deadline=None)
    @given(st.integers(0, 40), st.integers(0, 40), st.sampled_from(["exact", "mid_p"]), st.floats(0.01, 0.3))
    def test_the_ends_of_the_interval_are_where_the_test_begins_to_reject(self, b, c, method, alpha):
        n = b + c
        interval = mcnemar(table=[[1, b], [c, 1]], method=method, alpha=alpha).interval
        half = 0.5 if method == "mid_p" else 0.0
        for end, tail in (
            (interval.low, lambda p: stats.binom.sf(b - 1, n, p) - half * stats.binom.pmf(b, n, p)),
            (interval.high, lambda p: stats.binom.cdf(b, n, p) - half * stats.binom.pmf(b, n, p)),
        ):
            if 0 < end < 1:
                assert tail(end) == pytest.approx(alpha / 2, rel=1e-8)

    def test_a_million_disagreements(self):
        result = mcnemar(table=[[0, 501_500], [498_500, 0]])
        assert result.p == pytest.approx(stats.binomtest(501_500, 1_000_000).pvalue, rel=1e-10)

    def test_no_disagreement(self):
        for method in ("exact", "mid_p"):
            result = mcnemar([0, 1, 1], [0, 1, 0], [0, 1, 0], method=method)
            assert (result.p, result.effect) == (1.0, 0.5)
            assert (result.interval.low, result.interval.high) == (0.0, 1.0)
            assert result.sentence.endswith("they are right and wrong on the same rows.")

    @pytest.mark.parametrize(
        ("arguments", "setting", "message"),
        [
            ((), {}, r"mcnemar: give either 'y_true', 'first' and 'second', or 'table'\."),
            (([1], [1]), {}, r"give either 'y_true', 'first' and 'second', or 'table'\."),
            (([1], [1], [1]), {"table": [[1, 2], [3, 4]]}, r"give either"),
            (
                ([1, 0], [1, 0], [1]),
                {},
                r"one class for each of the same rows; got shapes \(2,\), \(2,\) and \(1,\)",
            ),
            (([1, math.nan], [1, 0], [0, 1]), {}, r"mcnemar: classes must not be NaN; leave such rows out\."),
            (([], [], []), {}, r"one class for each of the same rows; got shapes \(0,\)"),
            (
                (),
                {"table": [[1, 2, 3], [4, 5, 6]]},
                r"'table' must be 2 x 2 counts of rows, not all of them 0; got",
            ),
            ((), {"table": [[1, -2], [3, 4]]}, r"'table' must be 2 x 2 counts of rows"),
            ((), {"table": [[1, 2.5], [3, 4]]}, r"'table' must be 2 x 2 counts of rows"),
            ((), {"table": [[1, math.nan], [3, 4]]}, r"'table' must be 2 x 2 counts of rows"),
            ((), {"table": [[0, 0], [0, 0]]}, r"'table' must be 2 x 2 counts of rows, not all of them 0"),
            (
                (),
                {"table": [[1, 2], [3, 4]], "method": "chi2"},
                r"'method' must be one of 'exact', 'mid_p'; got",
            ),
            (
                (),
                {"table": [[1, 2], [3, 4]], "alpha": 2},
                r"mcnemar: 'alpha' must be a number in \(0, 1\); got 2\.",
            ),
        ],
    )
    def test_wrong_input_is_one_sentence(self, arguments, setting, message):
        with pytest.raises(ValueError, match=message):
            mcnemar(*arguments, **setting)


class TestSign:
    @settings(derandomize=True, max_examples=150, deadline=None)
    @given(st.lists(st.integers(-3, 3), min_size=1, max_size=60), st.sampled_from(SIDES))
    def test_agrees_with_scipy_and_statsmodels(self, values, side):
        wins, losses = sum(v > 0 for v in values), sum(v < 0 for v in values)
        result = sign_test(values, alternative=side)
        assert (result.statistic, result.details["losses"]) == (wins, losses)
        assert result.details["ties"] == values.count(0)
        if wins + losses:
            assert result.p == pytest.approx(
                stats.binomtest(wins, wins + losses, alternative=side).pvalue, rel=1e-12
            )
            if side == "two-sided":
                assert result.p == pytest.approx(statsmodels_sign_test(values, 0)[1], rel=1e-12)
        else:
            assert result.p == 1.0
            assert result.sentence.endswith("they are the same in every pair.")

    def test_a_fair_share_of_a_power_of_two_is_exact(self):
        assert sign_test([1.0] * 5, alternative="greater", alpha=1 / 32).rejected
        assert sign_test([1.0] * 5, alternative="greater").p == 1 / 32

    def test_scores_that_differ_by_rounding_are_ties(self):
        assert sign_test([0.1 + 0.2, 0.5], [0.3, 0.4]).details["ties"] == 1

    def test_wrong_input_is_one_sentence(self):
        with pytest.raises(ValueError, match=r"sign_test: 'first' must have at least 1 pairs; got 0\."):
            sign_test([])
        with pytest.raises(ValueError, match=r"must be scores of the same pairs; got 2 and 3\."):
            sign_test([1, 2], [1, 2, 3])
        with pytest.raises(ValueError, match=r"'method' must be one of 'exact', 'mid_p'; got 'normal'\."):
            sign_test([1, 2], method="normal")


@pytest.fixture(scope="module")
def little_garbage():
    """What other tests have left is not looked through: statsmodels collects garbage at every call."""
    gc.freeze()
    yield
    gc.unfreeze()


@pytest.mark.usefixtures("little_garbage")
class TestHolm:
    @settings(derandomize=True, max_examples=25, deadline=None)
    @given(st.lists(st.floats(0, 1), min_size=1, max_size=20), st.floats(0.01, 0.5))
    def test_agrees_with_statsmodels(self, p, alpha):
        rejected, adjusted, _, _ = multipletests(p, alpha, method="holm")
        p_values = holm(p, alpha)
        assert p_values.adjusted == pytest.approx(adjusted, rel=1e-13)
        near = np.abs(p_values.adjusted - alpha) < 1e-9
        assert (p_values.rejected == rejected)[~near].all()

    @settings(derandomize=True, max_examples=100, deadline=None)
    @given(st.lists(st.floats(0, 1), min_size=1, max_size=20))
    def test_the_order_is_kept_and_nothing_gets_smaller(self, p):
        adjusted, rejected = holm(p)
        assert (adjusted >= p).all()
        assert (adjusted <= np.minimum(1, np.array(p) * len(p)) + 1e-15).all()
        order = np.argsort(p, kind="stable")
        assert (np.diff(adjusted[order]) >= 0).all()
        assert (rejected == (adjusted <= 0.05)).all()
        mixed = np.random.default_rng(0).permutation(len(p))
        assert holm(np.array(p)[mixed]).adjusted == pytest.approx(adjusted[mixed])

    def test_none_and_one(self):
        assert holm([]).adjusted.tolist() == []
        assert holm([0.03]).adjusted.tolist() == [0.03]

    @pytest.mark.parametrize(
        ("arguments", "message"),
        [
            (([0.5, 1.5],), r"holm: 'p_values' must be in \[0, 1\]; got 1\.5 at position 1\."),
            (([-0.1],), r"holm: 'p_values' must be in \[0, 1\]; got -0\.1 at position 0\."),
            (([0.5, math.nan],), r"holm: 'p_values' must be finite numbers; got nan at position 1"),
            (([0.5], 1), r"holm: 'alpha' must be a number in \(0, 1\); got 1\."),
        ],
    )
    def test_wrong_input_is_one_sentence(self, arguments, message):
        with pytest.raises(ValueError, match=message):
            holm(*arguments)

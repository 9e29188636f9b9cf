"""Measures of predicted numbers, against scikit-learn and by hand."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from sklearn import metrics

from hornbook.evaluation import mae, mse, r2, rmse

PEERS = {
    mse: metrics.mean_squared_error,
    rmse: metrics.root_mean_squared_error,
    mae: metrics.mean_absolute_error,
    r2: metrics.r2_score,
}
numbers = st.floats(-100, 100).map(lambda value: round(value, 3))


@st.composite
def columns(draw):
    rows = draw(st.lists(st.tuples(numbers, numbers, st.integers(0, 3)), min_size=2, max_size=20))
    truth, answer, weight = (np.array(column, dtype=float) for column in zip(*rows, strict=True))
    return truth, answer, weight if draw(st.booleans()) else None


@pytest.mark.parametrize("ours", PEERS, ids=lambda measure: measure.name)
@settings(derandomize=True, max_examples=100, deadline=None)
@given(rows=columns())
def test_as_scikit_learn(ours, rows):
    truth, answer, weight = rows
    assume(weight is None or weight.any())
    assume(len(set(truth if weight is None else truth[weight > 0])) > 1)
    expected = PEERS[ours](truth, answer, sample_weight=weight)
    assert ours(truth, answer, sample_weight=weight) == pytest.approx(expected, rel=1e-12, abs=1e-12)


@pytest.mark.parametrize("ours", PEERS, ids=lambda measure: measure.name)
@settings(derandomize=True, max_examples=60, deadline=None)
@given(rows=columns())
def test_whole_weights_are_repeated_rows(ours, rows):
    truth, answer, weight = rows
    assume(weight is not None and weight.any())
    times = weight.astype(int)
    assume(len(set(truth[times > 0])) > 1)
    repeated = ours(np.repeat(truth, times), np.repeat(answer, times))
    assert ours(truth, answer, sample_weight=weight) == pytest.approx(repeated, rel=1e-12, abs=1e-12)


def test_by_hand():
    truth, answer = [1.0, 2.0, 6.0], [2.0, 2.0, 3.0]
    assert mse(truth, answer) == pytest.approx(10 / 3)
    assert rmse(truth, answer) == pytest.approx((10 / 3) ** 0.5)
    assert mae(truth, answer) == pytest.approx(4 / 3)
    assert r2(truth, answer) == pytest.approx(1 - 10 / 14)


def test_integers_and_booleans_are_numbers():
    assert mse(np.array([1, 2], dtype=np.uint8), [True, False]) == 2.0
    assert mae(np.array([3, 4], dtype=np.int64), np.array([0, 0], dtype=np.uint64)) == 3.5


class TestConstantTruth:
    @pytest.mark.parametrize(("answer", "value"), [([2.0, 2.0], 1.0), ([2.0, 3.0], 0.0)])
    def test_has_no_variance_to_explain(self, answer, value):
        with pytest.warns(
            UserWarning, match=f"r2: 'y_true' is 2 in every row, .* the value is {value:g} by"
        ) as seen:
            assert r2([2.0, 2.0], answer) == value
        assert seen[0].filename == __file__

    def test_counts_rows_with_weight_only(self):
        with pytest.warns(UserWarning, match="r2: 'y_true' is 1 in every row"):
            assert r2([1.0, 1.0, 9.0], [1.0, 2.0, 9.0], sample_weight=[1, 1, 0]) == 0.0

    def test_one_row(self):
        with pytest.warns(UserWarning, match="r2: 'y_true' is 5 in every row"):
            assert r2([5.0], [4.0]) == 0.0

    def test_a_tiny_spread_is_a_spread(self):
        truth = np.array([1.0, 1.0 + 1e-9])
        assert r2(truth, truth) == 1.0
        assert r2(truth, truth[::-1]) == pytest.approx(-3.0, rel=1e-6)


def test_large_numbers_do_not_look_infinite():
    assert mae([1e308, 1e308], [1e308, 1e308]) == 0.0

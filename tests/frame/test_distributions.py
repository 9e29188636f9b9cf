"""Histograms and percentiles."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from hornbook.frame import histogram, percent_below, percentiles

numbers = st.lists(st.floats(-1e4, 1e4), min_size=1, max_size=30)


def test_bins_of_a_fixed_width():
    edges, counts = histogram([500, 1999, 2000, 7000, np.nan], width=2000)
    assert edges.tolist() == [0, 2000, 4000, 6000, 8000]
    assert counts.tolist() == [2, 1, 0, 1]
    edges, counts = histogram([500, 1999, 2000, 7000], width=2000, start=-1000)
    assert edges.tolist() == [-1000, 1000, 3000, 5000, 7000, 9000]
    assert counts.tolist() == [1, 2, 0, 0, 1]


def test_decimal_widths_have_decimal_edges():
    edges, counts = histogram([0.1, 0.2, 0.3, 0.7], width=0.1)
    assert edges.tolist() == [0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8]
    assert counts.tolist() == [1, 1, 1, 0, 0, 0, 1]


def test_one_value_has_one_bin():
    edges, counts = histogram([5.0], width=2.0)
    assert (edges.tolist(), counts.tolist()) == ([4.0, 6.0], [1])


def test_histograms_that_cannot_be():
    with pytest.raises(ValueError, match="width of the bins must be a positive number; got width=0"):
        histogram([1.0], width=0)
    with pytest.raises(ValueError, match="must not start above the least value 1; got start=2"):
        histogram([1.0, 3.0], width=1, start=2)
    with pytest.raises(ValueError, match="makes 1000001 bins, more than 100000"):
        histogram([0.0, 1.0], width=1e-6)
    with pytest.raises(ValueError, match="There are no values"):
        histogram([np.nan], width=1.0)


@settings(derandomize=True, max_examples=200, deadline=None)
@given(numbers, st.sampled_from([0.3, 0.25, 1.0, 7.0, 300.0]))
@example([-1.0, -1.6e-248], 1.0)  # a hair below the edge that it is counted above
def test_every_value_counts_once(values, width):
    edges, counts = histogram(values, width)
    assert counts.sum() == len(values)
    np.testing.assert_allclose(np.diff(edges), width)
    assert edges[0] <= min(values) + 1e-9 * width
    assert edges[-1] >= max(values) - 1e-9 * width
    assert counts[0] > 0
    assert counts[-1] > 0


def test_percent_below_a_value():
    values = [10, 20, 20, 30, None]
    numbers = np.array(values, dtype=float)
    assert percent_below(numbers, [5, 10, 20, 25, 30, 31]).tolist() == [0, 0, 25, 75, 75, 100]
    assert percent_below(numbers, 25).item() == 75


def test_percentiles():
    ordered, percent = percentiles([30, 10, 20, 20])
    assert ordered.tolist() == [10, 20, 20, 30]
    assert percent.tolist() == [0, 25, 25, 75]


@settings(derandomize=True, max_examples=100, deadline=None)
@given(numbers)
def test_percentiles_count_what_is_below(values):
    ordered, percent = percentiles(values)
    expected = [100 * sum(other < value for other in values) / len(values) for value in sorted(values)]
    assert ordered.tolist() == sorted(values)
    np.testing.assert_allclose(percent, expected)

"""Numbers as a reader wants them."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hornbook.studies.report._numbers import count_text, decimals_of, number_text, p_text, seconds_text


@pytest.mark.parametrize(
    ("value", "text"),
    [(0.123456, "0.1235"), (50.0, "50"), (-2.5, "\u22122.5"), (7, "7"), (None, ""), ("laplace", "laplace"),
     (np.float64(0.5), "0.5"), (True, "True"), (1e9, "1e+09")],
)  # fmt: skip
def test_numbers(value, text):
    assert number_text(value) == text


@pytest.mark.parametrize(
    ("value", "text"),
    [(0.0123, "12.3 ms"), (0.9999, "1 s"), (59.94, "59.9 s"), (61, "1 min 1 s"), (7260, "2 h 1 min"),
     (None, ""), (float("nan"), "")],
)  # fmt: skip
def test_seconds(value, text):
    assert seconds_text(value) == text


def test_counts():
    assert count_text(1234567) == "1\u202f234\u202f567"
    assert count_text(None) == ""


def test_decimals_show_two_digits_of_the_smallest_width():
    assert decimals_of([0.031, 2.0]) == 3
    assert decimals_of([150.0]) == 0
    assert decimals_of([0.0, float("nan")]) == 3
    assert decimals_of([1e-12]) == 6


@settings(derandomize=True, max_examples=200, deadline=None)
@given(p=st.floats(0, 1), alpha=st.sampled_from([0.05, 0.01, 0.1]))
def test_a_p_value_reads_as_it_was_judged(p, alpha):
    shown = p_text(p, alpha)
    number = 0.0 if shown.startswith("<") else float(shown)
    assert (number <= alpha) == (p <= alpha)

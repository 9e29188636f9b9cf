"""Histogram of one column."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hornbook.datasets import iris
from hornbook.plots import histogram


def test_bars_of_a_fixed_width():
    ax = histogram([500, 1999, 2000, 7000], width=2000)
    assert [(bar.get_x(), bar.get_width(), bar.get_height()) for bar in ax.patches] == [
        (0, 2000, 2),
        (2000, 2000, 1),
        (4000, 2000, 0),
        (6000, 2000, 1),
    ]
    assert ax.get_xlabel() == "value, in bins of width 2000"
    assert ax.get_ylabel() == "count"
    assert ax.get_title(loc="right") == ""


def test_sepal_length():
    ax = histogram(iris()["sepal_length"], width=1)
    assert [(bar.get_x(), bar.get_height()) for bar in ax.patches] == [(4, 22), (5, 61), (6, 54), (7, 13)]


numbers = st.lists(st.floats(-1e6, 1e6).map(lambda value: round(value, 9)), min_size=1, max_size=200)


@settings(derandomize=True, max_examples=200, deadline=None)
@given(numbers)
def test_without_a_width_a_round_one_is_chosen_and_every_value_counts(values):
    ax = histogram(values)
    assert sum(bar.get_height() for bar in ax.patches) == len(values)
    assert len(ax.patches) <= 102
    width = float(ax.get_xlabel().rsplit(" ", 1)[1])
    assert f"{width:e}"[0] in "125"
    assert float(f"{width:.0e}") == width
    # a value a billionth of a width away from an edge is on it
    assert ax.patches[0].get_x() <= min(values) + 1e-8 * width
    last = ax.patches[-1]
    assert last.get_x() + last.get_width() >= max(values) - 1e-8 * width


def test_the_rule_of_freedman_and_diaconis_rounded_up():
    values = np.arange(1000) / 10  # quartiles 50 apart: 2 * 50 / 10 = 10
    assert histogram(values).get_xlabel().endswith("width 10")
    assert histogram(values[:900]).get_xlabel().endswith("width 10")  # 2 * 45 / 9.65 = 9.3
    assert histogram(values * 1.1).get_xlabel().endswith("width 20")


def test_one_value_makes_one_bar():
    for value in (0.0, 3.7, -120.0, 1e20, 1e-20):
        (bar,) = histogram([value, value]).patches
        assert bar.get_height() == 2
        inside = (value - bar.get_x()) / bar.get_width()
        assert -1e-8 <= inside < 1


def test_what_is_left_out_is_said():
    ax = histogram([1.0, np.nan, 2.0, np.inf], width=1)
    assert ax.get_title(loc="right") == "2 of 4 values missing or infinite"
    assert sum(bar.get_height() for bar in ax.patches) == 2


@pytest.mark.parametrize(
    ("values", "width", "message"),
    [
        (["a", "b"], None, r"histogram: 'values' must be numbers; draw categories with plots.bars"),
        (
            [[1.0, 2.0]],
            None,
            r"histogram: 'values' must be one column of numbers; got an array of shape \(1, 2\)",
        ),
        ([np.nan, np.nan], None, r"histogram: 'values' must have a finite number; got 2 values without any"),
        ([], None, r"histogram: 'values' must have a finite number; got 0 values"),
        (
            [-1.7e308, 1.7e308],
            None,
            r"histogram: 'values' from -1.7e\+308 to 1.7e\+308 have no readable bins",
        ),
        ([0.0, 5e-324], None, r"have no readable bins; bring them to another scale"),
        ([1.0], 0, r"width of the bins must be a positive number; got width=0"),
    ],
)
def test_wrong_input_is_one_sentence(values, width, message):
    with pytest.raises(ValueError, match=message):
        histogram(values, width)

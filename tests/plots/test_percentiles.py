"""Percent of the data below a value."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hornbook.plots import percentiles


def test_a_staircase_from_0_to_100():
    ax = percentiles([30.0, 10.0, 20.0, 20.0])
    (line,) = ax.lines
    assert line.get_xydata().tolist() == [[10, 0], [20, 25], [30, 75], [30, 100]]
    assert ax.get_ylabel() == "percentage of the data below"
    assert ax.get_yticks().tolist() == [0, 25, 50, 75, 100]


@settings(derandomize=True, max_examples=100, deadline=None)
@given(st.lists(st.integers(-20, 20), min_size=1, max_size=60), st.floats(-25, 25))
def test_the_drawn_curve_is_the_share_below(values, at):
    (line,) = percentiles(values).lines
    vertices = line.get_path().vertices
    assert line.get_drawstyle() == "steps-pre"
    x, percent = vertices.T
    # between two values the stairs have the height of the next one
    place = np.searchsorted(x, at, side="left")
    drawn = 100.0 if place == len(x) else percent[place]
    assert drawn == pytest.approx(100 * np.mean(np.array(values) < at))


def test_what_is_left_out_is_said():
    ax = percentiles([1.0, None, 2.0])
    assert ax.get_title(loc="right") == "1 of 3 values missing or infinite"
    assert ax.lines[0].get_ydata().tolist() == [0, 50, 100]


def test_wrong_input_is_one_sentence():
    with pytest.raises(
        ValueError, match=r"percentiles: 'values' must be numbers; draw categories with plots.bars"
    ):
        percentiles(["red"])
    with pytest.raises(ValueError, match=r"percentiles: 'values' must have a finite number"):
        percentiles([np.nan])

"""How much columns matter, as bars."""

from __future__ import annotations

import numpy as np
import pytest

from hornbook.plots import importance


def test_the_longest_bar_comes_first():
    ax = importance([0.1, 0.5, -0.2], ["a", "b", "c"])
    assert [text.get_text() for text in ax.get_yticklabels()] == ["b", "a", "c"]
    assert [bar.get_width() for bar in ax.patches] == [0.5, 0.1, -0.2]
    assert ax.get_ylim()[0] > ax.get_ylim()[1]


def test_the_spread_is_a_line_around_the_end():
    ax = importance([0.1, 0.5], ["a", "b"], spread=[0.05, 0.2])
    (lines,) = ax.collections
    np.testing.assert_allclose([line[:, 0] for line in lines.get_segments()], [[0.3, 0.7], [0.05, 0.15]])


def test_only_so_many_are_drawn_and_it_is_said():
    ax = importance(np.arange(200.0), [f"column {i}" for i in range(200)], most=5)
    assert [text.get_text() for text in ax.get_yticklabels()] == [f"column {i}" for i in range(199, 194, -1)]
    assert ax.get_title(loc="right") == "The first 5 of 200 columns"


def test_wrong_input_is_one_sentence():
    with pytest.raises(ValueError, match=r"one finite number .*; got an array of shape \(2,\) and 1 names"):
        importance([1.0, 2.0], ["a"])
    with pytest.raises(
        ValueError, match=r"'spread' must have one number for each of the 1 names; got .*\(2,\)"
    ):
        importance([1.0], ["a"], spread=[1.0, 2.0])

"""Labeled bars."""

from __future__ import annotations

import numpy as np
import pytest
from matplotlib.figure import Figure

from hornbook.plots import bars


def test_heights_labels_values_and_title():
    ax = bars([8, 9.5], ["ripe", "unripe"], title="melons")
    assert [bar.get_height() for bar in ax.patches] == [8.0, 9.5]
    assert [text.get_text() for text in ax.get_xticklabels()] == ["ripe", "unripe"]
    assert [text.get_text() for text in ax.texts] == ["8", "9.5"]
    assert ax.get_title() == "melons"


def test_bars_stand_over_their_labels():
    ax = bars([1, 2, 3], ["a", "b", "c"])
    centers = [bar.get_x() + bar.get_width() / 2 for bar in ax.patches]
    np.testing.assert_allclose(centers, ax.get_xticks())


def test_draws_on_the_axes_it_is_given():
    ax = Figure().add_subplot()
    assert bars([1], ["a"], ax) is ax
    assert bars([2], ["b"], ax=ax) is ax
    assert [bar.get_height() for bar in ax.patches] == [1.0, 2.0]


def test_long_names_that_begin_alike_stay_apart():
    names = [f"a very long name of the same class {i}" for i in range(12)]
    shown = [text.get_text() for text in bars(range(12), names).get_yticklabels()]
    assert [text.replace("\n", " ") for text in shown] == names
    assert max(len(line) for text in shown for line in text.split("\n")) <= 28


def test_a_name_of_two_words_takes_two_lines():
    shown = bars([1] * 6, ["clear", "slightly blurry", "blurry", "a", "b", "c"]).get_xticklabels()
    assert shown[1].get_text() == "slightly\nblurry"


def test_of_too_many_bars_the_largest_are_drawn_and_the_title_says_so():
    ax = bars(np.arange(100) - 10, [f"class {i}" for i in range(100)], title="counts")
    assert ax.get_title() == "counts, the 40 largest of 100"
    assert [bar.get_width() for bar in ax.patches] == list(range(50, 90))
    assert [text.get_text() for text in ax.get_yticklabels()] == [f"class {i}" for i in range(60, 100)]


def test_wrong_input_is_one_sentence():
    with pytest.raises(
        ValueError, match=r"one number for each of the 3 labels; got an array of shape \(2,\)"
    ):
        bars([1, 2], ["a", "b", "c"])
    with pytest.raises(ValueError, match=r"'values' must be finite numbers; got NaN or infinity"):
        bars([1, np.nan], ["a", "b"])

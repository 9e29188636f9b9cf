"""Counts of the classes up to each value."""

from __future__ import annotations

import numpy as np
import pytest

from hornbook import datasets
from hornbook.plots import class_frequencies


def test_iris_sepal_length_up_to_the_best_threshold():
    frame = datasets.iris("uci")
    classes = np.where(frame.y == "setosa", "c1", "c2")
    ax = class_frequencies(frame.numbers[:, 0], classes, threshold=5.45, name="sepal length")
    assert [text.get_text() for text in ax.texts] == ["45", "7"]
    assert [text.get_text() for text in ax.get_legend().get_texts()] == ["c1", "c2"]
    assert ax.get_xlabel() == "sepal length"
    for line, total in zip(ax.lines[:3:2], (50, 100), strict=True):
        x, height = line.get_data()
        assert (height[0], height[-1]) == (0, total)
        assert (np.diff(height) >= 0).all()
        assert (x[0], x[-1]) == (4.3, 7.9)


def test_every_height_is_a_count():
    values, y = [3.0, 1.0, np.nan, 2.0, 2.0], ["a", "b", "a", "a", "b"]
    ax = class_frequencies(values, y)
    assert not ax.texts
    x, height = ax.lines[0].get_data()
    assert list(zip(x, height, strict=True)) == [(1, 0), (2, 1), (3, 2), (3, 2)]


@pytest.mark.parametrize(("values", "y"), [([1.0, 2.0], [0]), ([[1.0]], [[0]]), ([np.nan], [0])])
def test_lists_that_do_not_fit_are_refused(values, y):
    with pytest.raises(ValueError, match="two lists of one length"):
        class_frequencies(values, y)

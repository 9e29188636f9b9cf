"""The picture of the gain of every cut."""

from __future__ import annotations

import pytest

from hornbook import DecisionTreeClassifier, datasets
from hornbook.plots import split_gain


def test_the_best_cut_of_iris_is_marked():
    frame = datasets.iris("uci")
    X, y = frame.numbers[:, :1], frame.y == "setosa"
    model = DecisionTreeClassifier(criterion="entropy").fit(X, y)
    rows = model.split_table(0, X, y).rows
    cuts = [float(row[1].removeprefix("<= ")) for row in rows]
    ax = split_gain(cuts, [row[-1] for row in rows], name="sepal length")
    assert len(ax.lines[0].get_xdata()) == 34
    assert [text.get_text() for text in ax.texts] == ["5.45: 0.531"]
    assert ax.get_xlabel() == "sepal length"


def test_lists_of_different_length_are_refused():
    with pytest.raises(ValueError, match="one length"):
        split_gain([1.0, 2.0], [0.5])

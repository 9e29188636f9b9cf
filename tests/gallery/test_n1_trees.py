"""What the figures of note N1 about trees show."""

from __future__ import annotations

import numpy as np
from tests.gallery.drawn import legend, points, texts

from gallery import n1_trees as shown


def test_the_plane_is_cut_into_six_regions():
    [ax] = shown.regions().axes
    assert sorted(texts(ax)) == [f"R{i}" for i in range(1, 7)]
    assert len(ax.patches) == 6
    sides = {round(side, 6) for patch in ax.patches for side in (patch.get_x(), patch.get_y())}
    assert {5.45, 2.8, 3.45, 4.7, 6.5} <= sides
    assert [len(group) for group in points(ax)] == [100, 50]


def test_the_tree_has_the_splits_and_counts_of_the_notes():
    [ax] = shown.iris_tree().axes
    boxes = [words.split("\n") for words in texts(ax) if "impurity" in words]
    inner = [box[0] for box in boxes if "<=" in box[0]]
    assert sorted(inner) == sorted(
        [
            "sepal_length <= 5.45",
            "sepal_width <= 2.8",
            "sepal_width <= 3.45",
            "sepal_length <= 4.7",
            "sepal_length <= 6.5",
        ]
    )
    counts = {tuple(box[2:4]) for box in boxes if box[0].startswith("R")}
    # Of rest and setosa; the notes count setosa first.
    assert {pair[0] for pair in counts} == {"[0, 1]", "[6, 0]", "[1, 44]", "[90, 0]", "[0, 5]", "[3, 0]"}
    assert texts(ax).count("yes") == texts(ax).count("no") == 5


def test_forty_five_and_seven_rows_are_below_the_threshold():
    [ax] = shown.frequencies().axes
    assert texts(ax) == ["7", "45"]
    assert legend(ax) == ["rest", "setosa"]
    ends = [line.get_ydata()[-1] for line in ax.lines if len(line.get_xdata()) > 10]
    assert ends == [100, 50]
    assert ax.get_xlabel() == "sepal_length"


def test_the_gain_is_largest_at_5_45():
    left, right = shown.gains().axes
    cuts, heights = left.lines[0].get_xydata().T
    assert len(cuts) == 34
    gain = dict(zip(cuts.round(2).tolist(), heights.round(4).tolist(), strict=True))
    assert gain[5.45] == max(heights.round(4)) == 0.5308
    assert (gain[4.35], gain[5.55], gain[7.8]) == (0.0106, 0.5049, 0.0039)
    best = right.lines[0].get_xydata()[np.argmax(right.lines[0].get_ydata())]
    assert best.round(4).tolist() == [3.35, 0.2531]
    assert texts(left) == ["5.45: 0.531"]

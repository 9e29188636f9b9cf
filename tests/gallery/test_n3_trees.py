"""What the figures of note N3 about trees, combined classifiers and boosting show."""

from __future__ import annotations

import numpy as np
import pytest

from gallery import n3_trees as shown
from hornbook import datasets


def words(ax):
    return [text.get_text() for text in ax.texts if text.get_text()]


def test_partition_and_tree_have_the_same_regions():
    partition, tree = shown.partition_and_tree().axes[:2]
    names = {f"R{i + 1}" for i in range(3)}
    assert set(words(partition)) == names
    assert {word.split("\n")[0] for word in words(tree)} >= names
    assert len(partition.patches) == 3
    assert (partition.get_xlabel(), partition.get_ylabel()) == ("petal_length", "petal_width")


def test_axis_parallel_tree_is_larger_than_the_oblique_one():
    straight, regions, oblique, line = shown.two_kinds_of_trees().axes
    boxes = [[word for word in words(ax) if "\n" in word] for ax in (straight, oblique)]
    assert len(boxes[0]) > 10
    assert len(boxes[1]) == 3  # one cut
    assert len(regions.patches) == sum("impurity 0" in box.split("\n") for box in boxes[0])
    [cut] = [part for part in line.collections if hasattr(part, "levels")]
    x1, x2 = cut.get_paths()[0].vertices.T
    slope = np.polyfit(x1, x2, 1)[0]
    assert slope == pytest.approx(0.75, abs=0.15)  # the line between the classes


def test_entropy_is_zero_at_the_leaves_and_one_moved_point_changes_the_tree():
    figures = shown.entropies(), shown.moved_point()
    texts = []
    for figure in figures:
        tree, partition = figure.axes[:2]
        boxes = [word.split("\n") for word in words(tree) if "\n" in word]
        leaves = [box for box in boxes if box[0].startswith("R")]
        assert all(box[1] == "impurity 0" for box in leaves)
        assert boxes[0][1] == "impurity 0.998"  # 8 of 17 are ripe
        assert len(partition.patches) == len(leaves)
        assert (partition.get_xlabel(), partition.get_ylabel()) == ("density", "sugar")
        texts.append(words(tree))
    assert texts[0] != texts[1]


def test_one_level_splits_have_the_gains_of_the_notes():
    titles = [ax.get_title() for ax in shown.one_level_splits().axes]
    assert titles == [
        "outlook: gain 0.247",
        "temperature: gain 0.029",
        "humidity: gain 0.152",
        "wind: gain 0.048",
    ]


def test_tennis_tree_is_complete():
    [ax] = shown.tennis_tree().axes
    roots = [word.split("\n")[0] for word in words(ax) if "\n" in word]
    assert [name for name in roots if not name.startswith("R")] == ["outlook", "wind", "humidity"]
    assert len([name for name in roots if name.startswith("R")]) == 5


def test_combiner_takes_all_classifiers():
    [ax] = shown.combiner().axes
    arrows = [text for text in ax.texts if getattr(text, "arrow_patch", None)]
    assert len(arrows) == 3 + 3 + 1
    assert {"classifier 1", "classifier L", "combiner", "class of x"} <= set(words(ax))


def test_training_error_reaches_zero_and_test_error_levels():
    [ax] = shown.boosting_errors().axes
    training, test = (line.get_ydata() for line in ax.lines)
    assert len(training) == 2000
    assert not training[200:].any()
    assert 0.02 < test[-1] < 0.07  # about 0.05 in the notes; the least possible is 0.0228
    assert ax.get_xlabel() == "number of terms"


def test_margins_grow_with_the_iterations():
    [ax] = shown.boosting_margins().axes
    names = [text.get_text() for text in ax.get_legend().get_texts()]
    assert names == ["5 iterations", "40 iterations", "200 iterations", "1000 iterations"]
    curves = [line.get_xdata() for line in ax.lines if len(line.get_xdata()) > 2]
    least = [float(margins.min()) for margins in curves]
    assert least[0] < 0 < least[2]  # after 200 all are positive
    assert least == sorted(least)
    assert len(datasets.gaussians("twenty", random_state=0)) == 200

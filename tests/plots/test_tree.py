"""Boxes and lines of a tree, and regions of the plane."""

from __future__ import annotations

import numpy as np
import pytest

from hornbook.plots import Region, TreeBox, partition, tree


def full(depth):
    """A binary tree of that depth, children after parents."""
    inner = 2**depth - 1
    boxes = [
        TreeBox((f"n{i}",), children=(2 * i + 1, 2 * i + 2), branches=("yes", "no")) for i in range(inner)
    ]
    return boxes + [TreeBox((f"n{i}",), shade=i % 2) for i in range(inner, 2 * inner + 1)]


def test_every_node_and_branch_is_written():
    ax = tree(full(2))
    words = [text.get_text() for text in ax.texts]
    assert sorted(words) == sorted([f"n{i}" for i in range(7)] + ["yes", "no"] * 3)
    assert len(ax.lines) == 6


def test_parents_stand_above_the_middle_of_their_children():
    places = {text.get_text(): text.get_position() for text in tree(full(2)).texts}
    assert places["n0"] == (1.5, 0.0)
    assert places["n1"] == (0.5, -1.0)
    assert [places[f"n{i}"] for i in range(3, 7)] == [(float(x), -2.0) for x in range(4)]


def test_of_a_large_tree_the_upper_levels_are_drawn():
    words = [text.get_text() for text in tree(full(6), most_leaves=8).texts]
    assert sum(word.endswith("…") for word in words) == 8


def test_of_very_many_children_the_first_are_drawn():
    root = TreeBox(("city",), children=tuple(range(1, 101)), branches=tuple(f"c{i}" for i in range(100)))
    words = [text.get_text() for text in tree([root, *[TreeBox(("leaf",))] * 100], most_leaves=8).texts]
    assert "city\nand 92 more branches" in words
    assert words.count("leaf") == 8


def test_wide_boxes_have_room_beside_each_other():
    narrow, wide = full(3), [TreeBox(("m" * 24,), children=b.children, branches=b.branches) for b in full(3)]
    assert tree(wide).figure.get_size_inches()[0] > 1.1 * tree(narrow).figure.get_size_inches()[0]


def test_a_tree_can_be_a_leaf_and_must_have_a_root():
    assert [text.get_text() for text in tree([TreeBox(("only", "one"))]).texts] == ["only\none"]
    with pytest.raises(ValueError, match="at least one node"):
        tree([])


def test_regions_cover_what_is_shown():
    inf = np.inf
    regions = [Region((-inf, 2.0), (-inf, inf), 1.0), Region((2.0, inf), (-inf, inf), 3.0)]
    ax = partition(regions, [[0.0, 0.0], [4.0, 1.0]])
    left, right = ax.patches
    assert left.get_x() + left.get_width() == pytest.approx(2.0) == pytest.approx(right.get_x())
    assert left.get_x() == ax.get_xlim()[0]
    assert left.get_facecolor() != right.get_facecolor()
    assert ax.get_xlim()[0] < 0
    assert ax.get_xlim()[1] > 4


def test_points_have_the_color_of_their_class():
    regions = [Region((-np.inf, np.inf), (-np.inf, np.inf), "b")]
    ax = partition(
        regions, [[0.0, 0.0], [1.0, 1.0]], np.array(["a", "b"]), classes=["a", "b"], names=("u", "v")
    )
    assert [text.get_text() for text in ax.get_legend().get_texts()] == ["a", "b"]
    assert (ax.get_xlabel(), ax.get_ylabel()) == ("u", "v")


def test_what_cannot_be_drawn():
    with pytest.raises(ValueError, match="at least one region"):
        partition([])
    with pytest.raises(ValueError, match="two columns"):
        partition([Region((0, 1), (0, 1), 1.0)], [[1.0, 2.0, 3.0]])


def test_points_of_numbers_have_the_colors_of_the_scale():
    regions = [Region((0.0, 1.0), (0.0, 1.0), 0.0), Region((1.0, 2.0), (0.0, 1.0), 10.0)]
    ax = partition(regions, [[0.5, 0.5], [1.5, 0.5], [1.6, 0.2]], [0.0, 10.0, 20.0])
    low, high, most = ax.collections[0].get_facecolor()
    np.testing.assert_allclose([low, high], [patch.get_facecolor() for patch in ax.patches])
    assert most[:3].sum() < high[:3].sum() < low[:3].sum()
    assert len(ax.figure.axes) == 2  # the picture and the bar that explains its colors


def test_points_without_a_color_are_refused():
    regions = [Region((0.0, 1.0), (0.0, 1.0), "a")]
    with pytest.raises(ValueError, match=r"'y' holds 'b', which is not among the classes \['a'\]"):
        partition(regions, [[0.5, 0.5]], ["b"], classes=["a"])
    with pytest.raises(ValueError, match="one value for each of the 1 points"):
        partition(regions, [[0.5, 0.5]], ["a", "a"], classes=["a"])

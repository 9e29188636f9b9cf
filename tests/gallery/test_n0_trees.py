"""What the figures of note N0 about trees show."""

from __future__ import annotations

import numpy as np
from tests.gallery.drawn import contours, legend, texts

from gallery import n0_trees as shown
from hornbook import datasets


def questions(ax):
    """The first line of every inner node, from the root."""
    lines = [words.split("\n") for words in texts(ax) if "impurity" in words]
    return [part[0] for part in lines if not part[0].startswith("R")]


def test_the_tree_of_the_melons_asks_for_texture_first():
    [ax] = shown.melon_tree().axes
    assert sorted(questions(ax)) == ["color", "root", "surface", "surface", "texture"]
    assert questions(ax)[0] == "texture"
    leaves = [text for text in texts(ax) if text.startswith("R") and "impurity" in text]
    assert len(leaves) == 8  # and a branch that no melon takes
    assert "[9, 8]" in next(text for text in texts(ax) if text.startswith("texture"))


def test_the_growing_of_a_tree_has_its_three_ends():
    [ax] = shown.tree_algorithm().axes
    words = " ".join(texts(ax))
    assert ax.get_title(loc="left").startswith("Growing a decision tree")
    assert "one class C" in words
    assert words.count("majority class of D") == 2
    assert "grow(D_v, A without a)" in words


def test_melons_without_a_cell_go_down_all_branches_with_weights():
    [ax] = shown.missing_tree().axes
    assert questions(ax)[0] == "texture"
    assert {"root", "sound", "color", "surface", "umbilicus"} <= set(questions(ax))
    # Melons 8 and 10 lack the texture: 7/15 of each goes to the clear ones.
    clear = next(text for text in texts(ax) if text.startswith("root") and "impurity" in text)
    counts = [float(part) for part in clear.split("[")[1].split("]")[0].split(",")]
    np.testing.assert_allclose(counts, [1 + 7 / 15, 6 + 7 / 15], atol=0.01)


def test_the_tree_of_density_and_sugar_has_the_thresholds_of_the_notes():
    [ax] = shown.density_tree().axes
    asked = [words for words in questions(ax) if "<=" in words]
    assert sorted(asked) == ["density <= 0.3815", "density <= 0.56", "sugar <= 0.126", "sugar <= 0.2045"]
    assert asked[0] == "sugar <= 0.126"


def test_one_boundary_is_parallel_to_the_axes_and_the_other_is_not():
    left, right = shown.axis_parallel_and_oblique().axes
    assert left.get_title().startswith("axis-parallel, 5")
    for ax in (left, right):
        assert (ax.get_xlabel(), ax.get_ylabel(), legend(ax)) == ("density", "sugar", ["ripe", "unripe"])
    parallel, oblique = (
        np.diff(np.concatenate([path.vertices for path in part.get_paths()]), axis=0)
        for part in (left.collections[0], right.collections[0])
    )
    # Almost all short pieces of a level curve of a tree are level or upright; few of an oblique one are.
    shares = [np.mean((np.abs(steps) < 1e-9).any(axis=1)) for steps in (parallel, oblique)]
    assert shares[0] > 0.95
    assert shares[1] < 0.7
    [corners] = contours(left)
    assert len(corners) > 10
    assert len(datasets.watermelon("3.0a")) == sum(len(part.get_offsets()) for part in left.collections[1:])

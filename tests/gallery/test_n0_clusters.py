"""What the figures of note N0 about clusters show."""

from __future__ import annotations

import numpy as np
from tests.gallery.drawn import contours, legend, points, texts

from gallery import n0_clusters as shown


def crosses(ax):
    """Places of the crosses, each of which is drawn twice: an outline and a color."""
    return np.array([line.get_xydata()[0] for line in ax.lines if line.get_marker() == "+"])[::2]


def test_kmeans_repeats_assigning_and_updating():
    [ax] = shown.kmeans_algorithm().axes
    assert [word for word in texts(ax) if word in ("# assign", "# update")] == ["# assign", "# update"]
    assert ax.get_title(loc="left") == "k-means"


def test_means_move_as_in_the_notes():
    axes = shown.kmeans_rounds().axes
    assert [ax.get_title() for ax in axes] == [f"after round {i}" for i in (1, 2, 3, 4)]
    assert crosses(axes[0]).round(3).tolist() == [[0.493, 0.207], [0.394, 0.066], [0.602, 0.396]]
    assert crosses(axes[1]).round(4).tolist() == [[0.5088, 0.1990], [0.2975, 0.1528], [0.6235, 0.3879]]
    assert crosses(axes[3]).round(4).tolist() == [[0.6326, 0.1617], [0.3346, 0.2141], [0.6005, 0.4049]]
    for ax in axes:
        assert sum(map(len, points(ax))) == 30
        assert (ax.get_xlabel(), ax.get_ylabel()) == ("density", "sugar")
        for border in contours(ax):  # equally far from the two nearest means
            far = np.sort(np.linalg.norm(border[:, None] - crosses(ax), axis=2), axis=1)
            np.testing.assert_allclose(far[:, 0], far[:, 1], atol=0.01)


def test_lvq_moves_closer_and_away():
    [ax] = shown.lvq_algorithm().axes
    assert {"p_j = p_j + η (x_i - p_j)", "p_j = p_j - η (x_i - p_j)"} <= set(texts(ax))


def test_five_prototypes_of_two_classes_move():
    axes = shown.lvq_rounds().axes
    assert [len(crosses(ax)) for ax in axes] == [5] * 4
    assert [len(group) for group in points(axes[0])] == [17, 13]
    assert all(legend(ax) == ["c1", "c2"] for ax in axes)
    assert all(len(contours(ax)) == 4 for ax in axes)
    assert np.linalg.norm(crosses(axes[0]) - crosses(axes[3]), axis=1).max() > 0.01


def test_core_border_and_noise():
    [ax] = shown.dbscan_concepts().axes
    assert legend(ax) == ["border row", "core row", "noise"]
    border, core, noise = points(ax)
    assert (len(border), len(core), len(noise)) == (2, 2, 1)
    places = {text.get_text(): text.xy for text in ax.texts}
    assert list(places) == ["x1", "x2", "x3", "x4"]
    assert tuple(noise[0]) == tuple(places["x4"])
    assert {tuple(row) for row in core} == {tuple(places["x1"]), tuple(places["x2"])}
    assert tuple(places["x3"]) in {tuple(row) for row in border}
    # x3 is within eps of x2, which is within eps of x1; x1 does not reach x3 directly.
    steps = (("x1", "x2"), ("x2", "x3"), ("x1", "x3"))
    near = [bool(np.linalg.norm(np.subtract(places[a], places[b])) <= 1) for a, b in steps]
    assert near == [True, True, False]
    assert [patch.radius for patch in ax.patches] == [1.0] * 5


def test_dbscan_grows_clusters_from_core_rows():
    [ax] = shown.dbscan_algorithm().axes
    assert "if |N(x)| ≥ MinPts: add x to Ω" in texts(ax)
    assert "# only core rows lead further" in texts(ax)


def test_clusters_are_completed_one_by_one():
    axes = shown.dbscan_rounds().axes
    assert [ax.get_title() for ax in axes] == [f"C{i} is complete" for i in (1, 2, 3, 4)]
    outlines = [[line for line in ax.lines if line.get_linestyle() == "--"] for ax in axes]
    assert [len(some) for some in outlines] == [1, 2, 3, 4]
    # C1 has 9 melons, C2 9, C3 5 and C4 5; 11 and 15 are noise.
    small = [[part for part in ax.collections if part.get_sizes()[0] == 9] for ax in axes]
    assert [sum(len(part.get_offsets()) for part in some) for some in small] == [21, 12, 7, 0]
    assert [legend(ax)[-1] for ax in axes] == ["not visited"] * 3 + ["noise"]
    noise = points(axes[3])[-1]
    np.testing.assert_allclose(sorted(map(tuple, noise)), [(0.245, 0.057), (0.360, 0.370)])

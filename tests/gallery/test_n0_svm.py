"""What the figures of note N0 about support vector machines show."""

from __future__ import annotations

import numpy as np
import pytest
from tests.gallery.drawn import contours, legend, points, texts

from gallery import n0_svm as shown
from hornbook import datasets


def test_every_line_separates_and_the_red_one_is_in_the_middle():
    [ax] = shown.separating_lines().axes
    lines = contours(ax)
    assert len(lines) == 6
    negative, positive = points(ax)
    assert (len(negative), len(positive)) == (6, 8)
    colors = [part.get_edgecolor()[0].tolist() for part in ax.collections[:6]]
    assert colors[-1][:3] == [1, 0, 0]
    assert all(one[:3] != [1, 0, 0] for one in colors[:-1])
    np.testing.assert_allclose(lines[-1] @ [5 / 6, 1 / 3], 10 / 3, atol=0.01)


def test_the_widest_margin_touches_its_support_vectors():
    [ax] = shown.widest_margin().axes
    line, margins = contours(ax)
    np.testing.assert_allclose(line @ [5 / 6, 1 / 3], 10 / 3, atol=1e-6)
    np.testing.assert_allclose(np.abs(margins @ [5 / 6, 1 / 3] - 10 / 3), 1, atol=1e-6)
    ringed = points(ax)[0]
    np.testing.assert_allclose(np.abs(ringed @ [5 / 6, 1 / 3] - 10 / 3), 1, atol=1e-6)
    assert ax.get_title() == f"margin 2 / |w| = {2 * 6 / 29**0.5:.3f}"


def test_a_plane_separates_xor_in_three_dimensions():
    plane, space = shown.xor_in_three_dimensions().axes
    assert plane.get_title() == "no line separates XOR"
    assert sum(map(len, points(plane))) == 4
    assert contours(plane) == []
    assert (space.get_xlabel(), space.get_ylabel(), space.get_zlabel()) == ("x1²", "√2 x1 x2", "x2²")
    x, y, z = np.concatenate(
        [np.array(part._offsets3d).T for part in space.collections if hasattr(part, "_offsets3d")]
    ).T
    np.testing.assert_allclose(sorted(y), [0, 0, 0, 2**0.5])
    # w = (2, -2√2, 2), b = -1: the two classes are on different sides.
    np.testing.assert_allclose(sorted(2 * x - 2 * 2**0.5 * y + 2 * z - 1), [-1, -1, 1, 1], atol=1e-9)


def test_points_that_violate_the_margin_are_red():
    [ax] = shown.soft_margin().axes
    red = next(part for part in ax.collections if part.get_facecolor().tolist() == [[1, 0, 0, 1]])
    added = datasets.margin_points("overlapping").features.matrix[14:]
    np.testing.assert_allclose(sorted(map(tuple, red.get_offsets())), sorted(map(tuple, added)))


def test_surrogate_losses_are_drawn_over_the_margin():
    [ax] = shown.surrogate_losses().axes
    curves = {line.get_label(): line for line in ax.lines[1:]}
    z = curves["hinge"].get_xdata()
    assert list(curves) == legend(ax) == ["zero-one", "hinge", "exponential", "logistic"]
    np.testing.assert_allclose(curves["hinge"].get_ydata(), np.maximum(0, 1 - z))
    np.testing.assert_allclose(curves["exponential"].get_ydata(), np.exp(-z))
    np.testing.assert_allclose(curves["logistic"].get_ydata(), np.log1p(np.exp(-z)))
    np.testing.assert_array_equal(curves["zero-one"].get_ydata()[z != 0], (z < 0)[z != 0])


def test_kernels_are_listed_with_their_values():
    [ax] = shown.kernel_table().axes
    cells = texts(ax)
    table = [cells[i : i + 4] for i in range(0, 4, 4)]
    assert table == [["kernel", "k(x, z)", "here", "value"]]
    values = [float(cell) for cell in cells if cell.replace(".", "").isdigit()]
    expected = [5, 125, np.exp(-5 / 8), np.exp(-(5**0.5) / 2), np.tanh(1.5)]
    assert values == pytest.approx(expected, abs=5e-5)
    assert {"linear", "polynomial", "Gaussian", "Laplacian", "sigmoid"} <= set(cells)

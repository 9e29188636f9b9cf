"""What the figures of note N1 about support vector machines show."""

from __future__ import annotations

import numpy as np
import pytest
from tests.gallery.drawn import contours, legend, points, texts

from gallery import n1_svm as shown
from hornbook import datasets

W = np.array([5 / 6, 1 / 3])


def conic(rows, quadratic):
    """1, x1, x2 and, of a conic, their products."""
    x1, x2 = rows.T
    more = [x1**2, x2**2, x1 * x2] if quadratic else []
    return np.column_stack([np.ones(len(rows)), x1, x2, *more])


def on_line(corners, w, b):
    np.testing.assert_allclose(corners @ np.asarray(w)[:2] + b, 0, atol=0.02 * np.linalg.norm(w[:2]))


def test_the_line_through_two_points_and_its_distances():
    [ax] = shown.line_geometry().axes
    assert ax.get_title() == "5 x1 + 2 x2 - 20 = 0"
    assert {"0", "w", "p", "q", "x", "3.71", "r = 3.34"} == set(texts(ax))
    on_line(ax.lines[0].get_xydata(), [5, 2], -20)


def test_margins_are_at_the_reciprocal_of_the_norm():
    [ax] = shown.canonical_line().axes
    assert ax.get_title() == "1 / |w| = 1.114"
    line, margins = contours(ax)
    far = np.abs((margins @ W - 10 / 3) / np.linalg.norm(W))
    np.testing.assert_allclose(far, 6 / 29**0.5, atol=1e-5)
    on_line(line, W, -10 / 3)


def test_fourteen_points_with_the_line_of_the_notes():
    [ax] = shown.fourteen_points().axes
    assert ax.get_title() == "0.833 x1 + 0.333 x2 = 3.333"
    ringed, negative, positive = points(ax)
    assert (len(negative), len(positive)) == (6, 8)
    vectors = datasets.margin_points("separable").features.matrix[[0, 1, 3, 12, 13]]
    assert {tuple(row) for row in ringed} <= {tuple(row) for row in vectors}


def test_eighteen_points_with_their_slacks():
    [ax] = shown.eighteen_points().axes
    assert ax.get_title() == "C = 1, slacks sum to 5.667"
    red = points(ax)[-1]
    np.testing.assert_allclose(sorted(map(tuple, red)), [(2, 3), (3, 2), (4, 2), (5, 3)])
    on_line(contours(ax)[0], W, -10 / 3)


def test_eighteen_points_alone():
    [ax] = shown.overlapping_points().axes
    assert contours(ax) == []
    assert [len(group) for group in points(ax)] == [8, 10]
    assert (ax.get_xlabel(), ax.get_ylabel()) == ("x1", "x2")


def test_a_closed_curve_separates_inside_from_outside():
    [ax] = shown.closed_boundary().axes
    [curve] = contours(ax)
    center = curve.mean(axis=0)
    inside, outside = points(ax)
    around = np.arctan2(*(curve - center).T)
    order = np.argsort(around)

    def within(rows):
        edge = np.interp(
            np.arctan2(*(rows - center).T),
            around[order],
            np.linalg.norm(curve - center, axis=1)[order],
            period=2 * np.pi,
        )
        return np.linalg.norm(rows - center, axis=1) < edge

    assert within(inside).all()
    assert not within(outside).any()
    assert legend(ax) == ["inside", "outside"]


def test_the_quadratic_boundary_is_the_ellipse_of_the_notes():
    [ax] = shown.quadratic_boundary().axes
    curve, margins = contours(ax)
    x1, x2 = curve.T
    # w = (0, -1.4142, -3.2998, 0.2564, 0.8205, -0.0181) on (1, √2 x1, √2 x2, x1², x2², √2 x1 x2), b = 8.846
    root = 2**0.5
    value = root * (-1.4142 * x1 - 3.2998 * x2 - 0.0181 * x1 * x2) + 0.2564 * x1**2 + 0.8205 * x2**2 + 8.846
    np.testing.assert_allclose(value, 0, atol=0.01)
    assert np.ptp(x1) == pytest.approx(2 * 2.7819, abs=0.05)
    assert len(points(ax)[0]) == 6  # all are support vectors
    assert len(margins) > 100


def test_the_lines_of_two_costs():
    [ax] = shown.two_costs().axes
    low, high = contours(ax)
    on_line(low, [2.7463, -3.7479], -3.0868)
    on_line(high, [8.5714, -7.1429], -23.1429)
    assert legend(ax) == ["rest", "setosa", "C = 10", "C = 1000"]


def test_a_quadratic_curve_bends_around_versicolor():
    [ax] = shown.linear_and_quadratic().axes
    line, curve = contours(ax)
    assert legend(ax) == ["rest", "versicolor", "linear", "quadratic"]
    assert np.linalg.svd(line - line.mean(axis=0))[1][1] < 1e-3  # straight
    # The conic and the line that are drawn divide the flowers as the machines do: 4 and 42 are wrong.
    rest, versicolor = points(ax)
    for corners, quadratic, wrong in ((curve, True, 4), (line, False, 42)):
        terms = np.linalg.svd(conic(corners, quadratic))[2][-1]
        mistakes = (conic(rest, quadratic) @ terms > 0).sum() + (
            conic(versicolor, quadratic) @ terms < 0
        ).sum()
        assert min(mistakes, 150 - mistakes) == wrong


def test_dual_and_primal_end_in_the_line_of_the_notes():
    [ax] = shown.dual_and_primal_line().axes
    for line in contours(ax):
        on_line(line, [7.4737, -6.3402], -19.9082)
    assert legend(ax)[2:] == ["dual ascent", "primal Newton"]
    widths = [part.get_linestyle() for part in ax.collections[:2]]
    assert widths[0] != widths[1]


def test_dual_and_primal_end_in_the_curve_of_the_notes():
    [ax] = shown.dual_and_primal_curve().axes
    for curve in contours(ax):
        x1, x2 = curve.T
        value = 2.398 + 0.500 * x1 + 1.041 * x2 - 0.869 * x1**2 - 0.428 * x2**2 - 0.644 * x1 * x2
        slope = np.hypot(0.5 - 1.738 * x1 - 0.644 * x2, 1.041 - 0.856 * x2 - 0.644 * x1)
        assert np.abs(value / slope).max() < 0.08  # how far the curve is from that of the notes

"""What the figures of note N4 about distances, single columns and components show."""

from __future__ import annotations

import numpy as np
import pytest

from gallery import n4_distances as shown


def contour(part, level=0):
    return part.get_paths()[level].vertices[:-1]


def test_scaling_decides_which_clusters_are_compact():
    wide, tall = shown.two_scales().axes
    for ax, column in ((wide, 0), (tall, 1)):
        groups = [np.asarray(dots.get_offsets()) for dots in ax.collections if len(dots.get_offsets())]
        assert sorted(len(group) for group in groups) == [40, 40]
        low, high = sorted(groups, key=lambda group: group[:, column].mean())
        assert low[:, column].max() < high[:, column].min()  # cut across the longer side


def test_unit_balls_have_norm_one():
    [ax] = shown.unit_balls().axes
    for part, p in zip(ax.collections, (1, 2, 4, np.inf), strict=True):
        np.testing.assert_allclose(np.linalg.norm(contour(part), p, axis=1), 1.0, atol=0.01)
    assert [text.get_text() for text in ax.get_legend().get_texts()] == ["L1", "L2", "L4", "L∞"]


def test_ellipses_have_equal_mahalanobis_distance():
    [ax] = shown.equal_distances().axes
    points, mahalanobis, euclidean = ax.collections
    X = np.asarray(points.get_offsets())
    gaps = [contour(mahalanobis, k) - X.mean(axis=0) for k in (0, 1)]
    inverse = np.linalg.inv(np.cov(X.T, bias=True))  # divided by the number of points
    for gap, level in zip(gaps, (1.0, 2.0), strict=True):
        np.testing.assert_allclose(np.sqrt(np.einsum("ij,jk,ik->i", gap, inverse, gap)), level, atol=0.05)
    round_one = contour(euclidean) - X.mean(axis=0)
    np.testing.assert_allclose(np.linalg.norm(round_one, axis=1), 1.0, atol=0.03)


def test_histogram_has_bins_of_2000_and_231_values():
    [ax] = shown.income_histogram().axes
    assert {bar.get_width() for bar in ax.patches} == {2000.0}
    assert sum(bar.get_height() for bar in ax.patches) == 231
    assert ax.get_xlabel() == "dollars per head, in bins of 2000"


def test_percentiles_are_those_of_the_same_values():
    [ax] = shown.income_percentiles().axes
    x, percent = ax.lines[0].get_data()
    values = shown.incomes()
    assert (percent[0], percent[-1]) == (0.0, 100.0)
    middle = int(np.searchsorted(percent, 50.0))
    assert percent[middle] == pytest.approx(100 * np.mean(values < x[middle]))


@pytest.mark.parametrize(("draw", "lines"), [(shown.rotated_axes, 4), (shown.centered_components, 0)])
def test_components_are_perpendicular_and_in_order_of_variance(draw, lines):
    [ax] = draw().axes
    X = np.asarray(ax.collections[0].get_offsets())
    arrows = [text for text in ax.texts if getattr(text, "arrow_patch", None)]
    middle = X.mean(axis=0)
    first, second = (np.asarray(arrow.xy) - middle for arrow in arrows)
    assert abs(first @ second) < 1e-9
    variances, directions = np.linalg.eigh(np.cov(X.T))
    assert abs(first @ directions[:, 1]) == pytest.approx(2 * np.sqrt(variances[1]), rel=0.01)
    assert np.linalg.norm(second) == pytest.approx(2 * np.sqrt(variances[0]), rel=0.01)
    assert len(ax.lines) == lines
    if draw is shown.centered_components:
        np.testing.assert_allclose(middle, 0.0, atol=1e-12)


def test_spectrum_has_60_values_in_descending_order():
    [ax] = shown.sixty_components().axes[:1]
    heights = [bar.get_height() for bar in ax.patches]
    assert len(heights) == 60
    assert heights == sorted(heights, reverse=True)
    assert sum(heights[20:]) < 0.01 * sum(heights)

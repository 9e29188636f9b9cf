"""What the figures of note N1 about discriminants show."""

from __future__ import annotations

import numpy as np
import pytest
from tests.gallery.drawn import contours, legend, points

from gallery import n1_discriminants as shown


def projected(ax):
    """The direction of the line, and the places of the two means on it."""
    line = next(one for one in ax.lines if one.get_linestyle() == "-")
    start, stop = line.get_xydata()
    along = (stop - start) / np.linalg.norm(stop - start)
    means = [group[0] @ along for group in points(ax) if len(group) == 1]
    dashed = [one.get_xydata() for one in ax.lines if one.get_linestyle() == "--"]
    for point, foot in dashed:
        assert (point - foot) @ along == pytest.approx(0, abs=1e-9)
    spread = np.std([foot @ along for _, foot in dashed])
    return along, abs(means[0] - means[1]) / spread, len(dashed)


def test_a_poor_direction_separates_less_than_the_best():
    [poor] = shown.poor_direction().axes
    [best] = shown.best_direction().axes
    along, apart, count = projected(poor)
    np.testing.assert_allclose(np.abs(along), [0.5**0.5] * 2)
    assert count == 150
    assert apart < 0.5 * projected(best)[1]


def test_the_best_direction_is_that_of_the_notes():
    [ax] = shown.best_direction().axes
    along, _, _ = projected(ax)
    np.testing.assert_allclose(along * np.sign(along[0]), [0.551, -0.834], atol=5e-4)
    assert legend(ax) == ["rest", "setosa"]


def test_the_direction_is_written_in_numbers():
    [ax] = shown.direction_in_numbers().axes
    assert ax.get_title() in ("w = (0.551, -0.834)", "w = (-0.551, 0.834)")


def test_curves_of_constant_projection_are_conics():
    [ax] = shown.kernel_contours().axes
    [corners] = contours(ax)
    # w·φ(x) = 0.511 √2 x1 x2 + 0.761 x1² - 0.4 x2², up to the sign of the components.
    x1, x2 = corners.T
    heights = [0.511 * 2**0.5 * s * x1 * x2 + 0.761 * x1**2 - 0.4 * x2**2 for s in (1, -1)]
    levels = np.array([round(float(part.get_text().replace("\N{MINUS SIGN}", "-")), 2) for part in ax.texts])
    gaps = [np.abs(np.abs(h)[:, None] - np.abs(levels)).min(axis=1).max() for h in heights]
    assert min(gaps) < 0.05
    assert [len(group) for group in points(ax)] == [100, 50]


def test_all_points_are_on_the_line_of_their_class():
    [ax] = shown.kernel_projection().axes
    assert [label.get_text() for label in ax.get_yticklabels()] == ["rest", "versicolor"]
    rows = np.concatenate(points(ax))
    rest, versicolor = (rows[np.round(rows[:, 1]) == place] for place in (0, 1))
    means = abs(rest[:, 0].mean()), abs(versicolor[:, 0].mean())
    np.testing.assert_allclose(means, (4.476, 0.338), atol=5e-4)
    assert (len(rest), len(versicolor)) == (100, 50)
    assert ax.get_xlabel() == "projection onto w"


def test_the_direction_in_the_feature_space_is_that_of_the_notes():
    [ax] = shown.kernel_feature_space().axes
    assert (ax.get_xlabel(), ax.get_ylabel(), ax.get_zlabel()) == ("√2 x1 x2", "x1²", "x2²")
    sides = np.array(ax.lines[0].get_data_3d()).T
    w = sides[np.argmax(np.linalg.norm(sides, axis=1))]
    w /= np.linalg.norm(w)
    np.testing.assert_allclose(np.abs(w), [0.511, 0.761, 0.400], atol=5e-4)
    assert w[1] * w[2] < 0
    clouds = [part._offsets3d for part in ax.collections if hasattr(part, "_offsets3d")]
    assert sum(len(cloud[0]) for cloud in clouds) == 150

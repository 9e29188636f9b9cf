"""Regions of lines, contours of distances, principal axes."""

from __future__ import annotations

import numpy as np
import pytest
from matplotlib.path import Path
from tests.plots.layout import complaints

from hornbook import distances, plots
from hornbook.networks import occupied_codes

WEIGHTS, THRESHOLDS = np.array([[1.0, 0.0], [0.0, 1.0], [1.0, 1.0]]), np.array([0.0, 0.0, -1.0])


def test_every_region_has_its_code_where_it_lies():
    ax = plots.line_regions(WEIGHTS, THRESHOLDS, (-2, 2), (-2, 2), shaded=["001"], names=["a", "b", "c"])
    places = {text.get_text(): text.get_position() for text in ax.texts}
    codes = sorted(set(places) - {"a", "b", "c"})
    assert codes == occupied_codes(WEIGHTS, THRESHOLDS)  # 7 of the 8 vertices
    for code in codes:
        assert "".join("01"[int(side)] for side in WEIGHTS @ places[code] > THRESHOLDS) == code
    for line, w, t in zip(ax.lines, WEIGHTS, THRESHOLDS, strict=True):
        np.testing.assert_allclose(line.get_xydata() @ w, t, atol=1e-9)
    [shade] = ax.collections
    corners = shade.get_paths()[0].vertices
    assert ((corners @ WEIGHTS.T - THRESHOLDS) * [-1, -1, 1] >= -0.02).all()  # a step of the grid
    assert complaints(ax) == []


def test_points_stand_beside_regions():
    points = {"A": [[0, 1], [1, 0]], "B": [[0, 0], [1, 1]]}
    ax = plots.line_regions([[1, 1]], [0.5], (-0.5, 1.5), (-0.5, 1.5), points=points, codes=False)
    assert [line.get_label() for line in ax.lines[1:]] == ["A", "B"]
    assert [text.get_text() for text in ax.texts] == ["g1"]
    assert complaints(ax) == []


def test_contours_are_at_the_distance():
    metrics = {"L1": "manhattan", "L2": "euclidean", "M": distances.Mahalanobis([[4.0, 0.0], [0.0, 1.0]])}
    ax = plots.distance_contours(metrics, center=(1.0, -1.0), levels=(0.5, 1.0), reach=2.5, X=[[0, 0]])
    points, first, second, third = ax.collections
    assert points.get_offsets().tolist() == [[0, 0]]
    lengths = (
        lambda v: np.abs(v).sum(axis=1),
        lambda v: np.linalg.norm(v, axis=1),
        lambda v: np.linalg.norm(v / [2, 1], axis=1),
    )
    for contour, length in zip((first, second, third), lengths, strict=True):
        for level, path in zip((0.5, 1.0), contour.get_paths(), strict=True):
            corners = path.vertices[path.codes != Path.CLOSEPOLY]
            np.testing.assert_allclose(length(corners - [1.0, -1.0]), level, atol=0.01)
    assert [text.get_text() for text in ax.get_legend().get_texts()] == ["L1", "L2", "M"]
    assert complaints(ax) == []


def test_arrows_are_two_deviations_long():
    ax = plots.turned_axes(
        [[1, 1], [-1, -1], [0, 0.5]], [0, 0], [[0.6, 0.8], [-0.8, 0.6]], [1.5, 0.5], title="t"
    )
    arrows = [text for text in ax.texts if getattr(text, "arrow_patch", None)]
    np.testing.assert_allclose([arrow.xy for arrow in arrows], [[1.8, 2.4], [-0.8, 0.6]])
    assert [text.get_text() for text in ax.texts if text.get_text()] == ["PC1", "PC2"]
    assert len(ax.lines) == 4
    assert len(plots.turned_axes([[1, 1]], [0, 0], np.eye(2), [1, 1], lines=False).lines) == 0
    assert complaints(ax) == []


@pytest.mark.parametrize(
    ("draw", "message"),
    [
        (lambda: plots.line_regions([[1, 1]], [0, 1], (0, 1), (0, 1)), r"shapes \(1, 2\) and \(2,\)"),
        (lambda: plots.line_regions([[0, 0]], [0], (0, 1), (0, 1)), "not both 0"),
        (lambda: plots.distance_contours({}), "got 0 distances"),
        (lambda: plots.distance_contours({"a": "euclidean"}, levels=(1, 1)), "positive and ascending"),
        (lambda: plots.turned_axes([[1]], [0, 0], np.eye(2), [1, 1]), r"got shapes \(\(1, 1\), \(2,\)"),
    ],
)
def test_wrong_input_is_one_sentence(draw, message):
    with pytest.raises(ValueError, match=message):
        draw()

"""What the figures of note N1 about measures show."""

from __future__ import annotations

import numpy as np
import pytest
from tests.gallery.drawn import legend, texts

from gallery import n1_evaluation as shown


def test_extreme_classifiers_fill_one_row_or_the_diagonal():
    axes = shown.extreme_tables().axes
    assert [ax.get_title() for ax in axes] == ["all negative", "all positive", "ideal"]
    cells = [[words.split("\n") for words in texts(ax)] for ax in axes]
    assert [[name for name, _ in some] for some in cells] == [["TP", "FP", "FN", "TN"]] * 3
    assert [[int(count) for _, count in some] for some in cells] == [
        [0, 0, 10, 20],
        [10, 20, 0, 0],
        [10, 0, 0, 20],
    ]
    assert all(ax.get_ylabel() == "prediction" for ax in axes)


def test_the_roc_curve_of_naive_bayes_has_the_printed_area():
    [ax] = shown.naive_bayes_roc().axes
    assert legend(ax) == ["area 0.775"]
    x, y = ax.lines[1].get_xydata().T
    assert np.trapezoid(y, x) == pytest.approx(0.775)
    np.testing.assert_array_equal(ax.lines[0].get_xydata(), [[0, 0], [1, 1]])
    # 14 rows have scores above 0.5, 7 of them positive.
    assert (7 / 20, 7 / 10) in {(round(a, 9), round(b, 9)) for a, b in zip(x, y, strict=True)}


def test_five_rows_have_a_trapezoid():
    [ax] = shown.five_rows_roc().axes
    corners = ax.lines[1].get_xydata()
    np.testing.assert_allclose(corners, [[0, 0], [0, 1 / 3], [0.5, 1], [1, 1]])
    assert legend(ax) == ["area 0.833"]
    outline = ax.collections[0].get_paths()[0].vertices
    assert np.abs(np.trapezoid(outline[:, 1], outline[:, 0])) == pytest.approx(5 / 6)


def test_fewer_degrees_of_freedom_have_heavier_tails():
    [ax] = shown.t_densities().axes
    curves = [line.get_ydata() for line in ax.lines[:4]]
    assert [curve[0] for curve in curves] == sorted((curve[0] for curve in curves), reverse=True)
    assert [curve[300] for curve in curves] == sorted(curve[300] for curve in curves)
    assert curves[0][300] == pytest.approx(1 / np.pi)  # one degree of freedom: Cauchy
    assert curves[3][300] == pytest.approx(1 / np.sqrt(2 * np.pi))
    assert legend(ax)[-1] == "standard normal"

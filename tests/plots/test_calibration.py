"""Calibration curves as pictures."""

from __future__ import annotations

import numpy as np
import pytest

from hornbook.evaluation import calibration_curve
from hornbook.plots import calibration

CURVE = calibration_curve([0, 0, 1, 1, 1], [0.1, 0.2, 0.3, 0.8, 0.9], bins=2)


def test_points_intervals_and_the_diagonal():
    ax = calibration(CURVE)
    diagonal, line = ax.lines[:2]
    assert diagonal.get_xydata().tolist() == [[0, 0], [1, 1]]
    np.testing.assert_allclose(line.get_xydata(), np.column_stack([CURVE.predicted, CURVE.observed]))
    bars = ax.collections[0].get_segments()
    np.testing.assert_allclose([bar[:, 1] for bar in bars], np.column_stack([CURVE.low, CURVE.high]))
    points = ax.collections[-1]
    np.testing.assert_allclose(points.get_offsets(), np.column_stack([CURVE.predicted, CURVE.observed]))
    sizes = points.get_sizes()
    assert sizes[0] > sizes[1]  # three rows and two


def test_names_errors_and_axes():
    ax = calibration({"Bayes": CURVE, "tree": CURVE})
    assert [text.get_text() for text in ax.get_legend().get_texts()] == [
        "Bayes (error 0.140)",
        "tree (error 0.140)",
    ]
    assert (ax.get_xlabel(), ax.get_ylabel()) == ("predicted probability that it is 1", "observed frequency")


def test_wrong_input_is_one_sentence():
    with pytest.raises(TypeError, match="calibration: 'curves' must be a CalibrationCurve, .*; got float"):
        calibration(0.5)

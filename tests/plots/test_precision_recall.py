"""Precision-recall curves as pictures."""

from __future__ import annotations

import numpy as np
import pytest

from hornbook.evaluation import average_curves, pr_curve, roc_curve
from hornbook.plots import precision_recall

CURVE = pr_curve([1, 0, 1, 1, 0, 0], [6, 5, 4, 3, 2, 1])
TIED = pr_curve([1, 1, 0, 1, 0, 0], [2, 1, 1, 1, 1, 1])


def legend(ax):
    return [text.get_text() for text in ax.get_legend().get_texts()]


def test_the_line_passes_through_every_point_and_bends_between():
    line = precision_recall(TIED).lines[1]
    drawn = np.asarray(line.get_xydata())
    for recall, precision in zip(TIED.recall, TIED.precision, strict=True):
        assert np.abs(drawn - [recall, precision]).max(axis=1).min() < 1e-12
    # half way along the step from (1/3, 1) to (1, 1/2): 2 true positives with 1.5 false ones
    half = drawn[np.abs(drawn[:, 0] - 2 / 3).argmin()]
    assert half[1] == pytest.approx(2 / 3.5, abs=0.01)


def test_vertical_steps_are_drawn():
    drawn = np.asarray(precision_recall(CURVE).lines[1].get_xydata())
    step = drawn[np.isclose(drawn[:, 0], 1 / 3)]
    assert (step[:, 1].max(), step[:, 1].min()) == pytest.approx((1.0, 0.5))


def test_break_even_points_lie_on_the_diagonal():
    ax = precision_recall({"tree": CURVE, "bush": TIED})
    marks = [line for line in ax.lines if line.get_linestyle() == "None"]
    assert [mark.get_xydata().tolist()[0] for mark in marks] == [
        pytest.approx([CURVE.break_even_point] * 2),
        pytest.approx([TIED.break_even_point] * 2),
    ]
    assert len(precision_recall(CURVE, break_even=False).lines) == 1
    assert legend(ax) == [f"tree (area {CURVE.area:.3f})", f"bush (area {TIED.area:.3f})"]
    assert (ax.get_xlabel(), ax.get_ylabel()) == ("recall", "precision")


def test_a_mean_has_a_band():
    mean = average_curves([CURVE, TIED])
    ax = precision_recall(mean)
    np.testing.assert_allclose(ax.lines[1].get_ydata(), mean.mean)
    assert len(ax.collections) == 1
    assert legend(ax) == [f"area {mean.area:.3f}, mean of 2"]


def test_wrong_input_is_one_sentence():
    with pytest.raises(
        TypeError, match="precision_recall: 'curves' must be a PrecisionRecallCurve or AveragedCurve"
    ):
        precision_recall(roc_curve([0, 1], [0, 1]))
    mean = average_curves([roc_curve([0, 1], [1, 2]), roc_curve([0, 1], [2, 1])])
    with pytest.raises(ValueError, match="precision_recall: 'r' is a mean of ROC curves; draw it with roc"):
        precision_recall({"r": mean})

"""Cost curves as pictures."""

from __future__ import annotations

import numpy as np
import pytest

from hornbook import evaluation
from hornbook.plots import cost_curve

CURVE = evaluation.cost_curve([1, 1, 0, 1, 0, 0], [6, 5, 4, 3, 2, 1])


def test_the_envelope_the_lines_and_the_triangle():
    ax = cost_curve(CURVE)
    triangle, *lines, envelope = ax.lines
    assert triangle.get_xydata().tolist() == [[0, 0], [0.5, 0.5], [1, 0]]
    np.testing.assert_allclose(envelope.get_xydata(), np.column_stack([CURVE.probability_costs, CURVE.costs]))
    ends = [line.get_ydata().tolist() for line in lines]
    np.testing.assert_allclose(ends, np.column_stack([CURVE.false_positive_rate, CURVE.false_negative_rate]))
    assert (ax.get_xlabel(), ax.get_ylabel()) == ("probability cost of positives", "normalized expected cost")


def test_several_curves_are_drawn_without_lines():
    ax = cost_curve({"tree": CURVE, "bush": CURVE})
    assert len(ax.lines) == 3
    assert [text.get_text() for text in ax.get_legend().get_texts()] == [
        "tree (area 0.083)",
        "bush (area 0.083)",
    ]
    assert len(cost_curve(CURVE, lines=False).lines) == 2


def test_wrong_input_is_one_sentence():
    with pytest.raises(TypeError, match="cost_curve: 'curves' must be a CostCurve, .*; got RocCurve for 'r'"):
        cost_curve({"r": evaluation.roc_curve([0, 1], [0, 1])})

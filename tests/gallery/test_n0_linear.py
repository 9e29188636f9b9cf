"""What the figures of note N0 about linear models show."""

from __future__ import annotations

import numpy as np
import pytest
from tests.gallery.drawn import legend

from gallery import n0_linear as shown


def test_step_and_logistic_function_meet_at_one_half():
    [ax] = shown.step_and_logistic().axes
    step, curve = ax.lines[:2]
    z = curve.get_xdata()
    np.testing.assert_allclose(curve.get_ydata(), 1 / (1 + np.exp(-z)))
    np.testing.assert_array_equal(step.get_ydata(), np.where(z > 0, 1, np.where(z < 0, 0, 0.5)))
    assert (ax.get_xlabel(), ax.get_ylabel(), legend(ax)) == ("z", "y", ["unit step", "logistic"])


def test_points_are_projected_onto_a_line_through_the_origin():
    [ax] = shown.discriminant().axes
    line = next(one for one in ax.lines if one.get_linestyle() == "-" and len(one.get_xdata()) == 2)
    start, stop = line.get_xydata()
    along = (stop - start) / np.linalg.norm(stop - start)
    assert start @ [-along[1], along[0]] == pytest.approx(0)  # it passes through 0
    dashed = [one.get_xydata() for one in ax.lines if one.get_linestyle() == "--"]
    assert len(dashed) == 24
    for point, foot in dashed:
        assert (point - foot) @ along == pytest.approx(0)
        assert foot @ [-along[1], along[0]] == pytest.approx(0)
    assert len(ax.patches) == 2  # an ellipse for each cluster
    feet = np.array([foot for _, foot in dashed])
    centers = [np.asarray(part.get_offsets())[0] for part in ax.collections if len(part.get_offsets()) == 1]
    np.testing.assert_allclose(
        sorted(map(tuple, centers)), sorted(map(tuple, feet.reshape(2, 12, 2).mean(1)))
    )
    assert sorted(legend(ax)) == ["+", "-"]

"""What the figures of note N4 about boosting show."""

from __future__ import annotations

import numpy as np
import pytest

from gallery import n4_boosting as shown


def areas(ax):
    parts = [dots for dots in ax.collections if not hasattr(dots, "levels")]
    return np.concatenate([dots.get_sizes() for dots in parts])


def errors(ax):
    """Which points have a black edge."""
    parts = [dots for dots in ax.collections if not hasattr(dots, "levels")]
    return np.concatenate([dots.get_edgecolors()[:, :3].sum(axis=1) == 0 for dots in parts])


def test_errors_have_half_of_the_weight_after_a_round():
    loop, before, after = shown.boosting_loop().axes
    assert len([text for text in loop.texts if getattr(text, "arrow_patch", None)]) == 5
    wrong = errors(before)
    assert wrong.sum() == 6
    assert len(set(areas(before))) == 1
    weights = areas(after) / areas(after).sum()
    assert weights[wrong].sum() == pytest.approx(0.5)
    # The factors of the notes: 29/12 for errors, 29/46 for the others.
    np.testing.assert_allclose(np.unique((29 * weights).round(6)), [0.630435, 2.416667], atol=1e-6)


def test_three_rounds_of_lines():
    axes = shown.boosting_lines().axes
    titles = [ax.get_title() for ax in axes]
    assert titles[:2] == ["round 1: 6 errors, weight 0.207", "round 2: 7 errors, weight 0.399"]
    for ax in axes:
        weights = areas(ax) / areas(ax).sum()
        assert f"weight {weights[errors(ax)].sum():.3f}" in ax.get_title()
        assert len(weights) == 29
        [line] = [part for part in ax.collections if hasattr(part, "levels")]
        x, y = line.get_paths()[0].vertices.T
        assert np.abs(y - np.polyval(np.polyfit(x, y, 1), x)).max() < 0.05  # straight

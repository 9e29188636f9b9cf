"""What the figures of note N1 about ensembles show."""

from __future__ import annotations

import numpy as np
import pytest
from tests.gallery.drawn import contours, legend, points

from gallery import n1_ensembles as shown


def test_machines_of_large_cost_differ_more():
    axes = shown.machines_by_cost().axes
    assert [ax.get_title() for ax in axes] == ["C = 0.01", "C = 1", "C = 100"]
    assert [len(contours(ax)) for ax in axes] == [10] * 3
    assert [sum(map(len, points(ax))) for ax in axes] == [150] * 3
    # Where the right borders cross the first component at height 0.
    spreads = []
    for ax in axes[1:]:
        crossings = []
        for corners in contours(ax):
            right = corners[corners[:, 0] > 0]
            crossings.append(right[np.argmin(np.abs(right[:, 1])), 0])
        spreads.append(np.std(crossings))
    assert spreads[0] < spreads[1]


def test_the_loss_is_bias_plus_variance_on_a_logarithmic_axis():
    [ax] = shown.loss_by_cost().axes
    parts = {line.get_label(): line.get_ydata() for line in ax.lines}
    np.testing.assert_allclose(parts["loss"], parts["bias²"] + parts["variance"])
    np.testing.assert_array_equal(ax.lines[0].get_xdata(), [0.01, 0.1, 1, 10, 100])
    assert ax.get_xscale() == "log"
    assert parts["bias²"][0] > parts["bias²"][-1]
    assert parts["variance"][1] < parts["variance"][-1]  # it rises from C = 0.1 on
    assert 0 < int(np.argmin(parts["loss"])) < 4


def test_the_vote_is_bold_and_votes_of_two_sizes_are_compared():
    left, right = shown.bagged_machines().axes
    widths = [part.get_linewidth()[0] for part in left.collections[:11]]
    assert widths == [0.8] * 10 + [2.6]
    assert len(contours(right)) == 2
    assert legend(right)[2:] == ["K = 3", "K = 8"]


def test_five_trees_and_their_forest():
    [ax] = shown.five_trees().axes
    assert len(contours(ax)) == 6
    widths = [part.get_linewidth()[0] for part in ax.collections[:6]]
    assert widths == [0.8] * 5 + [2.6]
    assert (ax.get_xlabel(), ax.get_ylabel()) == ("pc1", "pc2")


def test_four_boosted_lines_are_straight_and_different():
    [ax] = shown.boosted_lines().axes
    lines = contours(ax)
    assert legend(ax) == ["rest", "versicolor", "h1", "h2", "h3", "h4"]
    assert len(lines) == 4
    directions = []
    for line in lines:
        _, spread, axes = np.linalg.svd(line - line.mean(axis=0))
        assert spread[1] < 1e-3 * max(spread[0], 1)
        directions.append(np.arctan2(axes[0][1], axes[0][0]) % np.pi)
    assert len(set(np.round(directions, 3))) == 4


def test_boosting_errors_fall():
    [ax] = shown.boosting_errors().axes
    training, test = (line.get_ydata() for line in ax.lines)
    assert legend(ax) == ["training", "test"]
    assert len(training) == len(test) == 60
    assert training[-1] < 0.5 * training[0]
    assert test[-1] < 0.5 * test[0]
    assert training[0] == pytest.approx(0.3, abs=0.1)  # 0.28 in the notes


def test_members_and_the_stack_have_boundaries():
    [ax] = shown.stacked().axes
    assert legend(ax) == ["rest", "versicolor", "linear machine", "naive Bayes", "random forest"]
    widths = [part.get_linewidth()[0] for part in ax.collections if part in ax.collections[:4]]
    assert widths == [1.8, 1.8, 1.8, 2.6]

"""What the figures of note N3 about training show."""

from __future__ import annotations

import numpy as np
import pytest

from gallery import n3_training as shown
from hornbook import datasets


def curves(ax):
    return {line.get_label(): line.get_ydata() for line in ax.lines}


def boundaries(ax):
    return [part for part in ax.collections if hasattr(part, "levels")]


def test_costs_of_two_ways_to_train_fall():
    costs, plane = shown.two_ways_to_train().axes
    lines = curves(costs)
    assert list(lines) == ["momentum", "adaptive momentum"]
    assert all(len(line) == shown.EPOCHS for line in lines.values())
    # Half a square of 1/2 for each of 400 rows is 50: where outputs of 1/2 would be.
    assert lines["adaptive momentum"][0] > 45
    assert lines["adaptive momentum"][-1] < 30
    assert lines["adaptive momentum"][-1] < lines["momentum"][-1]
    assert (costs.get_xlabel(), costs.get_ylabel()) == ("number of epochs", "cost on the training rows")
    assert len(boundaries(plane)) == 1
    assert sum(len(dots.get_offsets()) for dots in plane.collections if dots not in boundaries(plane)) == 400


def test_pruning_removes_weights_and_keeps_a_boundary():
    before, after = shown.pruning().axes
    assert before.get_title() == "501 weights"
    kept = int(after.get_title().split()[0])
    assert kept < 400
    assert len(boundaries(before)) == len(boundaries(after)) == 1


def test_other_rows_get_worse_while_training_rows_get_better():
    [ax] = shown.overtraining().axes
    lines = curves(ax)
    training, other = lines["training rows"], lines["other rows"]
    best = int(np.argmin(other))
    assert 0 < best < len(other) - 100
    assert other[-1] > 1.1 * other[best]
    assert training[-1] < training[best]


@pytest.mark.parametrize(("draw", "distance"), [(shown.moons_apart, -5), (shown.moons_close, -6)])
def test_rbf_network_on_the_double_moon(draw, distance):
    learning, plane = draw().axes
    [line] = learning.lines
    assert (np.diff(line.get_ydata()) <= 1e-12).all()
    assert (learning.get_xlabel(), learning.get_ylabel()) == ("number of epochs", "mean squared error")
    assert plane.get_title() == f"double moon, d = {distance}"
    moons = datasets.double_moon(distance, n=1000, random_state=0)
    points = np.concatenate(
        [dots.get_offsets() for dots in plane.collections if dots not in boundaries(plane)]
    )
    assert {tuple(place) for place in points.tolist()} == {tuple(row) for row in moons.numbers.tolist()}
    assert len(boundaries(plane)) == 1

"""What the figures of note N2 about AdaBoost and bagging show."""

from __future__ import annotations

import numpy as np
import pytest

from gallery import n2_boosting as shown
from hornbook import datasets

TEN = datasets.boosting_points()


def areas(ax):
    """The areas of the points, relative to their mean, in the order of the rows."""
    parts = np.concatenate([dots.get_sizes() for dots in ax.collections if len(dots.get_offsets()) == 5])
    return parts / parts.mean()


def boundary(ax):
    """The corners of the drawn boundary."""
    lines = [part for part in ax.collections if hasattr(part, "levels")]
    return np.concatenate([path.vertices for part in lines for path in part.get_paths()])


def test_all_thresholds_and_the_least_error():
    points, first, second = shown.all_thresholds().axes
    assert areas(points) == pytest.approx(np.ones(10))
    for column, ax in enumerate((first, second)):
        values = np.unique(TEN.numbers[:, column])
        lines = [line.get_xdata()[0] if column == 0 else line.get_ydata()[0] for line in ax.lines]
        np.testing.assert_allclose(lines, (values[1:] + values[:-1]) / 2)
    assert [line.get_ydata()[0] for line in second.lines if line.get_linewidth() > 1] == [1.0]
    errors = [[int(text.get_text()) for text in ax.texts] for ax in (first, second)]
    assert min(errors[0]) == 3
    assert sorted(errors[1])[:2] == [2, 3]  # two errors, and at no other threshold


def test_three_rounds_have_the_weights_of_the_notes():
    axes = shown.boosting_rounds().axes
    after = [
        [2.5, 0.625, 0.625, 0.625],
        [1.53846, 1.66667, 0.38462, 0.38462],
        [0.86957, 0.94203, 1.66667, 0.21739],
    ]
    for ax, weights in zip(axes[3:], after, strict=True):
        np.testing.assert_allclose(areas(ax), np.repeat(weights, [2, 3, 3, 2]), atol=5e-5)
    assert areas(axes[0]) == pytest.approx(np.ones(10))
    np.testing.assert_allclose(areas(axes[1]), areas(axes[3]))
    np.testing.assert_allclose(areas(axes[2]), areas(axes[4]))
    for ax, (column, cut) in zip(axes[:3], ((1, 1.0), (0, -2.0), (0, 2.0)), strict=True):
        np.testing.assert_allclose(boundary(ax)[:, column], cut, atol=0.06)  # a step of the grid


def test_joint_boundary_turns_at_the_three_thresholds():
    [ax] = shown.joint_boundary().axes
    corners = boundary(ax)
    near = [(np.abs(corners[:, j] - cut) < 0.06).sum() for j, cut in ((1, 1.0), (0, -2.0), (0, 2.0))]
    assert min(near) > 5
    model = shown.boosted(TEN, 3)
    assert (model.predict(TEN.features) == TEN.y).all()


def test_seven_stumps_classify_forty_points():
    data = shown.forty_points()
    model = shown.boosted(data, 7)
    assert (data.y == "blue").sum() == (data.y == "red").sum() == 20
    assert (model.staged_errors(data) == 0).tolist() == [False] * 6 + [True]
    points, weights, joint = shown.seven_stumps().axes
    assert sum(len(dots.get_offsets()) for dots in points.collections) == 40
    drawn = np.concatenate([dots.get_sizes() for dots in weights.collections])
    *_, expected = model.staged_weights(data)
    np.testing.assert_allclose(drawn / drawn.sum(), expected / expected.sum())
    # Large weights lie along the line between the classes.
    near = np.abs(data.numbers @ [1.3, 1.0]) < np.median(np.abs(data.numbers @ [1.3, 1.0]))
    assert expected[near].sum() > expected[~near].sum()
    assert len(boundary(joint)) > 10


@pytest.mark.parametrize(
    ("draw", "titles"),
    [
        (shown.bagged_stumps, ["5 stumps", "7 stumps"]),
        (shown.bagged_trees, ["7 stumps", "13 stumps", "7 trees of depth 2", "7 trees of depth 3"]),
    ],
)
def test_bagging_has_a_boundary_in_each_panel(draw, titles):
    axes = draw().axes
    assert [ax.get_title() for ax in axes] == titles
    assert all(len(boundary(ax)) > 10 for ax in axes)
    assert len({boundary(ax).round(2).tobytes() for ax in axes}) > 1


def test_depth_helps_where_bagged_stumps_do_not_work_well():
    data = shown.forty_points()
    scores = [
        shown.bagged(member, data, 7, 0).score(data.features, data.y)
        for member in (shown.stump(), shown.DecisionTreeClassifier(max_depth=3))
    ]
    assert scores[0] < scores[1]


def test_pairs_of_different_stumps():
    points, train, test_points, test = shown.stump_diversity().axes
    # As in the notes: 9 of the 13 stumps are different, which makes 36 pairs.
    assert train.get_title() == "36 pairs of 9 different classifiers"
    for ax, data in ((train, shown.forty_points()), (test, shown.forty_points(shown.SEED + 100))):
        [dots] = ax.collections
        count = int(ax.get_title().split()[0])
        assert dots.get_sizes().sum() / dots.get_sizes().min() == pytest.approx(count)
        assert 0 < np.asarray(dots.get_offsets())[:, 1].min() < 0.5
        assert len(data) == 40
    assert (train.get_xlabel(), test.get_ylabel()) == ("kappa of the pair", "mean error of the pair")
    assert [points.get_title(), test_points.get_title()] == [
        "training points and stumps",
        "test points and stumps",
    ]

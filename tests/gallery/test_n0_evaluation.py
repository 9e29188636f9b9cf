"""What the figures of note N0 about evaluation show."""

from __future__ import annotations

import numpy as np
import pytest
from tests.gallery.drawn import legend, texts

from gallery import n0_evaluation as shown
from hornbook import LogisticRegression, datasets


def test_the_analogy_has_examples_and_two_wrong_verdicts():
    [ax] = shown.fitting_analogy().axes
    assert texts(ax)[0] == "training examples: melons"
    assert {"overfitting", "underfitting"} <= set(texts(ax))
    assert len(ax.patches) == 5


def test_ten_folds_are_tested_once_each_and_averaged():
    [ax] = shown.ten_folds().axes
    assert texts(ax)[:10] == [f"D{i}" for i in range(1, 11)]
    scores = [float(words) for words in texts(ax)[10:20]]
    assert texts(ax)[20] == f"mean {np.mean(scores):.3f}"
    blocks = [bar for bar in ax.patches if texts(ax) and bar.get_width() == 40]
    starts = [bar.get_x() for bar in blocks if bar.get_facecolor()[:3] != ax.patches[1].get_facecolor()[:3]]
    assert starts == [40.0 * i for i in range(10)]


def test_confusion_counts_of_the_melons_by_logistic_regression():
    [ax] = shown.confusion_table().axes
    melons = datasets.watermelon("3.0a")
    right = LogisticRegression(C=np.inf).fit(melons).predict(melons) == melons.y
    counts = {words.split("\n")[0]: int(words.split("\n")[1]) for words in texts(ax)}
    assert right.sum() == 12  # 12 of 17 melons, as derived by hand
    assert counts["true positives"] + counts["true negatives"] == 12
    assert counts["true positives"] + counts["false negatives"] == 8
    assert [label.get_text() for label in ax.get_yticklabels()] == ["True", "False"]
    assert (ax.get_ylabel(), ax.get_xlabel()) == ("truth", "prediction")


def test_better_learners_have_more_area_and_later_break_even_points():
    [ax] = shown.precision_recall_curves().axes
    assert (ax.get_xlabel(), ax.get_ylabel()) == ("recall", "precision")
    areas = [float(name[-6:-1]) for name in legend(ax)]
    assert areas == sorted(areas)
    marks = [line.get_xydata()[0] for line in ax.lines if len(line.get_xdata()) == 1]
    assert all(x == y for x, y in marks)
    assert [x for x, _ in marks] == sorted(x for x, _ in marks)


@pytest.mark.parametrize(("draw", "n"), [(shown.smooth_roc, 20_000), (shown.stepped_roc, 24)])
def test_the_area_under_the_roc_curve_is_shaded(draw, n):
    [ax] = draw().axes
    x, y = ax.lines[1].get_xydata().T
    area = np.trapezoid(y, x)
    assert legend(ax) == [f"area {area:.3f}"]
    outline = ax.collections[0].get_paths()[0].vertices
    assert np.abs(np.trapezoid(outline[:, 1], outline[:, 0])) == pytest.approx(area)
    np.testing.assert_array_equal(ax.lines[0].get_xydata(), [[0, 0], [1, 1]])
    # Few rows make a staircase, of which every part is level or upright.
    steps = (np.diff(x) == 0) | (np.diff(y) == 0)
    assert steps.all() if n == 24 else len(x) > 1000


def test_both_curves_pass_through_the_training_points():
    [ax] = shown.two_interpolations().axes
    rows = np.asarray(ax.collections[0].get_offsets())
    smooth, oscillating = ax.lines
    for line in (smooth, oscillating):
        np.testing.assert_allclose(np.interp(rows[:, 0], *line.get_xydata().T), rows[:, 1], atol=0.02)
    turns = [int((np.diff(np.sign(np.diff(line.get_ydata()))) != 0).sum()) for line in (smooth, oscillating)]
    assert turns[0] == 1
    assert turns[1] >= 15
    assert legend(ax) == ["A", "B"]


def test_bias_falls_and_variance_rises_with_training():
    [ax] = shown.bias_and_variance().axes
    parts = {line.get_label(): line.get_ydata() for line in ax.lines}
    assert list(parts) == ["loss", "bias²", "variance", "noise"]
    np.testing.assert_allclose(parts["loss"], parts["bias²"] + parts["variance"] + parts["noise"])
    assert parts["bias²"][0] > 10 * parts["bias²"][-1]
    assert parts["variance"][0] < parts["variance"][-1]
    assert 0 < int(np.argmin(parts["loss"])) < 6  # the best depth is neither the least nor the greatest

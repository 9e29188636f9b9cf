"""ROC curves as pictures."""

from __future__ import annotations

import numpy as np
import pytest
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure

from hornbook.evaluation import average_curves, pr_curve, roc_curve
from hornbook.plots import roc

CURVE = roc_curve([1, 0, 1, 1, 0, 0], [6, 5, 4, 3, 2, 1])
OTHER = roc_curve([1, 0, 1, 1, 0, 0], [6, 5, 4, 2, 2, 1])


def points(line):
    return [tuple(point) for point in np.asarray(line.get_xydata())]


def legend(ax):
    return [text.get_text() for text in ax.get_legend().get_texts()]


def test_the_line_is_the_curve_and_the_diagonal_is_chance():
    diagonal, line = roc(CURVE).lines
    assert points(diagonal) == [(0, 0), (1, 1)]
    np.testing.assert_allclose(
        points(line), np.column_stack([CURVE.false_positive_rate, CURVE.true_positive_rate])
    )


def test_several_curves_have_names_areas_and_colors():
    ax = roc({"tree": CURVE, "forest": OTHER})
    assert legend(ax) == [f"tree (area {CURVE.area:.3f})", f"forest (area {OTHER.area:.3f})"]
    assert len({line.get_color() for line in ax.lines}) == 3
    assert legend(roc(CURVE)) == [f"area {CURVE.area:.3f}"]
    assert (ax.get_xlabel(), ax.get_ylabel()) == ("false positive rate", "true positive rate")


def test_the_hull_is_dotted_in_the_same_color():
    _, line, hull = roc(CURVE, hull=True).lines
    assert (hull.get_linestyle(), hull.get_color()) == (":", line.get_color())
    np.testing.assert_allclose(hull.get_ydata(), CURVE.hull().true_positive_rate)


def test_a_mean_has_a_band():
    mean = average_curves([CURVE, OTHER])
    ax = roc({"tree": mean})
    np.testing.assert_allclose(ax.lines[1].get_ydata(), mean.mean)
    assert legend(ax) == [f"tree (area {mean.area:.3f}), mean of 2"]
    band = np.asarray(ax.collections[0].get_paths()[0].vertices)
    low, high = mean.band()
    assert band[:, 1].min() == pytest.approx(low.min())
    assert band[:, 1].max() == pytest.approx(high.max())
    wide = np.asarray(roc(mean, level=0.99).collections[0].get_paths()[0].vertices)
    assert wide[:, 1].min() <= band[:, 1].min()


def test_draws_on_the_axes_it_is_given():
    ax = Figure().add_subplot()
    assert roc(CURVE, ax=ax) is ax


def test_wrong_input_is_one_sentence():
    with pytest.raises(
        TypeError, match="roc: 'curves' must be a RocCurve or AveragedCurve, .*; got list for 'x'"
    ):
        roc({"x": [1]})
    with pytest.raises(ValueError, match="roc: 'curves' must hold at least one curve; got none"):
        roc({})
    both = average_curves([pr_curve([0, 1], [1, 2]), pr_curve([0, 1], [2, 1])])
    with pytest.raises(ValueError, match="roc: 'pr' is a mean of precision-recall curves; draw it with"):
        roc({"pr": both})


def test_the_label_of_a_square_is_inside_its_figure_when_drawn_once():
    ax = roc({f"learner {i}": roc_curve([0, 1, 0, 1], [1, 2, 3, 4]) for i in range(4)})
    FigureCanvasAgg(ax.figure).draw()
    assert ax.yaxis.label.get_window_extent().x0 >= 0
    assert ax.get_legend().get_window_extent().x1 <= ax.figure.bbox.x1

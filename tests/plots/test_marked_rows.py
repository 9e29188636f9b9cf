"""Rows and areas that plots mark on request: violations of a margin, outlines, cells, areas under curves."""

from __future__ import annotations

import numpy as np
import pytest

from hornbook import SVC, datasets
from hornbook.evaluation import confusion_table, roc_curve
from hornbook.plots import clusters, confusion, margins, roc


def test_rows_on_the_margin_are_not_violations():
    points = datasets.margin_points("overlapping")
    model = SVC(C=1.0, kernel="linear", tol=1e-8).fit(points)
    ax = margins(model, points.features, points.y, violations=True)
    red = ax.collections[-1].get_offsets()
    slack = 1 - np.where(points.y == 1, 1, -1) * model.decision_function(points.features)
    np.testing.assert_allclose(
        sorted(map(tuple, red)), sorted(map(tuple, points.features.matrix[slack > 1e-3]))
    )
    assert len(margins(model, points.features, points.y).collections) == len(ax.collections) - 1


def test_an_outline_goes_around_its_cluster():
    X = np.array([[0.0, 0.0], [1.0, 0.0], [0.5, 1.0], [9.0, 9.0], [5.0, 5.0], [4.0, 4.0]])
    ax = clusters(X, [0, 0, 0, 1, -1, -2], outlines=True)
    around, single = (line.get_xydata() for line in ax.lines)
    assert (around.min(axis=0) < 0).all()
    assert (around.max(axis=0) > 1).all()
    np.testing.assert_allclose(single[:-1].mean(axis=0), [9, 9])
    assert [text.get_text() for text in ax.get_legend().get_texts()][2:] == ["noise", "not visited"]


def test_words_stand_above_the_counts():
    table = confusion_table([1, 0, 0], [1, 0, 1], labels=[0, 1])
    ax = confusion(table, notes=[["TN", "FP"], ["FN", "TP"]], title="T")
    assert [text.get_text() for text in ax.texts] == ["TN\n1", "FP\n1", "FN\n0", "TP\n1"]
    assert ax.get_title() == "T"


def test_the_shaded_area_is_the_area():
    curve = roc_curve([0, 1, 0, 1], [1, 2, 3, 4])
    [part] = roc(curve, shade=True).collections
    outline = part.get_paths()[0].vertices
    assert abs(np.trapezoid(outline[:, 1], outline[:, 0])) == pytest.approx(curve.area) == 0.75
    assert len(roc(curve).collections) == 0

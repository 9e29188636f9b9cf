"""Contributions as swarms of dots, as steps to one prediction, and against a column."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest
from matplotlib.colors import to_rgb
from tests.plots.layout import complaints

from hornbook import Frame
from hornbook.evaluation import Contributions
from hornbook.plots import beeswarm, dependence, waterfall
from hornbook.plots.canvas._palette import GRAY, color


def contributions(n=12, outputs=(), interactions=None):
    draw = np.random.default_rng(0)
    data = Frame(
        {
            "size": np.where(np.arange(n) == 3, np.nan, np.arange(n) * 1.0),
            "city": np.array(["Rome", "Oslo", None], dtype=object)[np.arange(n) % 3],
            "mass": draw.normal(size=n),
        }
    )
    values = draw.normal(size=(n, 3, *([len(outputs)] if outputs else []))) * 0.1
    values[:, 2] += 1.0
    base = np.full(len(outputs), 0.5) if outputs else np.float64(0.5)
    return Contributions(values, base, data, outputs, "probability" if outputs else "value", interactions)


def labels(ax):
    return [text.get_text() for text in ax.get_yticklabels()]


def entries(ax):
    return [text.get_text() for text in ax.get_legend().get_texts()]


def test_a_swarm_has_a_row_for_each_column_colored_by_its_cells():
    shown = contributions()
    ax = beeswarm(shown)
    assert labels(ax)[0] == "mass"
    assert sorted(labels(ax)) == ["city", "mass", "size"]
    assert ax.get_xlabel() == "contribution to the value"
    for line, name in enumerate(labels(ax)):
        dots = ax.collections[line]
        np.testing.assert_allclose(dots.get_offsets()[:, 0], shown.values[:, shown.names.index(name)])
        assert np.abs(dots.get_offsets()[:, 1] - line).max() < 0.5
    colors = ax.collections[labels(ax).index("size")].get_facecolors()[:, :3]
    np.testing.assert_allclose(colors[0], to_rgb(color(0)))
    np.testing.assert_allclose(colors[-1], to_rgb(color(3)))
    np.testing.assert_allclose(colors[3], to_rgb(GRAY))  # missing
    np.testing.assert_allclose(
        ax.collections[labels(ax).index("city")].get_facecolors()[:, :3], [to_rgb(GRAY)] * 12
    )
    assert entries(ax) == ["low", "middle", "high", "category or missing"]
    assert complaints(ax) == []


def test_a_swarm_of_one_class_and_of_few_columns():
    ax = beeswarm(contributions(outputs=("no", "yes")), most=1, title="A title")
    assert ax.get_xlabel() == "contribution to the probability of yes"
    assert ax.get_title() == "A title, the first 1 of 3 columns"
    assert entries(ax) == ["low", "middle", "high"]
    with pytest.raises(ValueError, match="one of the classes"):
        beeswarm(contributions(outputs=("a", "b", "c")))
    with pytest.raises(ValueError, match="at least one row"):
        beeswarm(Contributions(np.empty((0, 1)), np.float64(0), Frame({"a": np.empty(0)})))


def test_steps_lead_from_the_mean_to_the_prediction():
    shown = contributions()
    ax = waterfall(shown, 2)
    bars = ax.patches
    order = np.argsort(-np.abs(shown.values[2]))
    np.testing.assert_allclose([bar.get_width() for bar in bars], shown.values[2, order])
    assert bars[0].get_x() == pytest.approx(0.5)
    assert bars[-1].get_x() + bars[-1].get_width() == pytest.approx(shown.predictions[2])
    for before, after in pairwise(bars):
        assert before.get_x() + before.get_width() == pytest.approx(after.get_x())
    assert {"city = missing", "size = 2"} < set(labels(ax))
    assert ax.get_title() == f"from the mean 0.5 to {shown.predictions[2]:.3g}"
    assert complaints(ax) == []
    assert [text.get_text() for text in ax.texts] == [f"{step:+.3g}" for step in shown.values[2, order]]


def test_small_steps_are_one():
    shown = contributions(outputs=("a", "b", "c"))
    ax = waterfall(shown, -1, output="c", most=1)
    assert labels(ax)[1:] == ["2 others"]
    assert ax.get_xlabel() == "probability of c"
    assert ax.patches[-1].get_x() + ax.patches[-1].get_width() == pytest.approx(shown.predictions[-1, 2])
    with pytest.raises(ValueError, match="there is no row 12; 'contributions' are of 12 rows"):
        waterfall(contributions(), 12)


def test_dots_are_at_the_cells_of_the_column():
    shown = contributions()
    ax = dependence(shown, "size", "mass")
    dots = ax.collections[0].get_offsets()
    np.testing.assert_allclose(np.ma.getdata(dots)[:, 1], shown.values[:, 0])
    np.testing.assert_allclose(np.ma.getdata(dots)[4:, 0], np.arange(4, 12))
    assert ax.get_title(loc="right") == "1 of 12 values missing"
    assert ax.get_legend().get_title().get_text() == "mass"
    assert complaints(ax) == []


def test_categories_have_places_of_their_own_and_colors_of_classes():
    ax = dependence(contributions(), "city")
    assert [text.get_text() for text in ax.get_xticklabels()] == ["Oslo", "Rome", "missing"]
    dots = ax.collections[0].get_offsets()
    np.testing.assert_array_equal(np.round(dots[:3, 0]), [1, 0, 2])
    assert ax.get_legend() is None
    ax = dependence(contributions(), "mass", "city")
    assert entries(ax) == ["Oslo", "Rome"]
    assert complaints(ax) == []


def test_the_strongest_interaction_colors_the_dots():
    pairs = np.zeros((12, 3, 3))
    pairs[:, 0, 0], pairs[:, 0, 1], pairs[:, 0, 2] = 9.0, 0.1, -0.4
    assert dependence(contributions(interactions=pairs), "size").get_legend().get_title().get_text() == "mass"
    assert dependence(contributions(interactions=pairs * 0), "size").get_legend() is None
    with pytest.raises(ValueError, match="at least one row"):
        dependence(Contributions(np.empty((0, 1)), np.float64(0), Frame({"a": np.empty(0)})), "a")

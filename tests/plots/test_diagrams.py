"""Boxes and arrows, neurons and layered graphs."""

from __future__ import annotations

import numpy as np
import pytest
from tests.plots.layout import complaints

from hornbook import plots

STEPS = {"data": (0, 0), "learn a model of many columns": (1, 0), "model": (2, 1)}


def words(ax):
    return [text.get_text() for text in ax.texts if text.get_text()]


def test_flow_has_boxes_arrows_and_labels():
    learn = "learn a model of many columns"
    ax = plots.flow(
        STEPS,
        [("data", learn), (learn, "model"), ("model", "data")],
        labels={("model", "data"): "again"},
        bends={("model", "data"): 0.3},
        plain=["data"],
        title="from data to a model",
    )
    assert words(ax) == ["data", "learn a model of\nmany columns", "model", "again"]
    arrows = [text for text in ax.texts if getattr(text, "arrow_patch", None)]
    assert [(arrow.xyann, arrow.xy) for arrow in arrows] == [
        ((0, 0), (1, 0)),
        ((1, 0), (2, 1)),
        ((2, 1), (0, 0)),
    ]
    faces = [text.get_bbox_patch().get_facecolor() for text in ax.texts[:3]]
    assert faces[0] == (1.0, 1.0, 1.0, 1.0)  # plain
    assert faces[1] == faces[2] != faces[0]
    assert ax.get_ylim()[0] > ax.get_ylim()[1]  # rows are counted downward
    assert complaints(ax) == []


def test_neuron_has_a_weight_for_each_input_and_its_activation():
    ax = plots.neuron(["a", "⋮", "b"], ["u", "", "v"], np.tanh, threshold="-t", total="S", output="z")
    assert words(ax) == ["a", "u", "⋮", "b", "v", "S", "-t", "z"]
    arrows = [text for text in ax.texts if getattr(text, "arrow_patch", None)]
    assert len(arrows) == 2 + 2  # none from the dots; to the activation, and out of it
    curve = ax.lines[0].get_ydata()
    inner = np.tanh(np.linspace(-4, 4, 161))
    np.testing.assert_allclose(np.corrcoef(curve, inner)[0, 1], 1.0)
    assert complaints(ax) == []


def test_layered_graph_connects_consecutive_layers():
    ax = plots.layered_graph(
        [["x1", "⋮", "xn"], ["1", "h"], ["y"]], names=["in", "hidden", "out"], title="net"
    )
    assert words(ax) == ["x1", "⋮", "xn", "1", "h", "y", "in", "hidden", "out"]
    assert len(ax.lines) == 2 + 2  # inputs to h, and both units to y; not to the dots or the constant
    assert len(ax.patches) == 5
    assert complaints(ax) == []


def test_layered_graph_writes_weights_and_thresholds():
    lines = {(0, 0, 0): "1", (0, 1, 0): "-2"}
    ax = plots.layered_graph([["x1", "x2"], ["y"]], connections=lines, below={(1, 0): "1/2"})
    assert words(ax) == ["1", "-2", "x1", "x2", "y", "1/2"]
    assert [line.get_xydata()[1].tolist() for line in ax.lines] == [[2.0, 0.0]] * 2


@pytest.mark.parametrize(
    ("draw", "message"),
    [
        (lambda: plots.flow({}, []), "got no box"),
        (lambda: plots.flow({"a": (0, 0)}, [("a", "b")]), "'boxes' must have a place .* got 'b', which has"),
        (lambda: plots.neuron(["a"], [], np.tanh), "two lists of one length, at least 1; got 1 and 0"),
        (lambda: plots.layered_graph([["a"]]), "at least two lists"),
        (lambda: plots.layered_graph([["a"], ["b"]], connections={(0, 0, 1): ""}), r"has \(0, 0, 1\)"),
    ],
)
def test_wrong_input_is_one_sentence(draw, message):
    with pytest.raises(ValueError, match=message):
        draw()

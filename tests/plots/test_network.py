"""Names and arrows in layers."""

from __future__ import annotations

import pytest
from matplotlib.figure import Figure

from hornbook.plots import network


def places(ax):
    return {text.get_text(): text.get_position() for text in ax.texts if text.get_text()}


def test_every_arrow_points_down():
    edges = [("a", "b"), ("a", "c"), ("b", "d"), ("c", "d"), ("a", "d")]
    ax = network(edges)
    positions = places(ax)
    assert all(positions[parent][1] > positions[child][1] for parent, child in edges)
    assert positions["d"][1] == -2  # below the longest way to it
    assert len(ax.texts) == 4 + 5


def test_nodes_of_a_layer_do_not_meet():
    ax = network([("top", f"n{i}") for i in range(7)])
    across = sorted(x for name, (x, _) in places(ax).items() if name != "top")
    assert across == [0, 1, 2, 3, 4, 5, 6]
    assert places(ax)["top"][0] == 3.0


def test_children_stand_in_the_order_of_their_parents():
    positions = places(network([("t", "left"), ("t", "right"), ("right", "r"), ("left", "l")]))
    assert positions["l"][0] < positions["r"][0]


def test_lonely_nodes_labels_and_grey_arrows():
    ax = network([("class", "x"), ("x", "y")], nodes=["z"], faint=["class"], labels={("x", "y"): "0.5"})
    assert {"class", "x", "y", "z", "0.5"} == set(places(ax))
    shades = [text.arrow_patch.get_alpha() for text in ax.texts if getattr(text, "arrow_patch", None)]
    assert shades == [0.5, 1.0]


def test_the_given_axes_are_used():
    ax = Figure().add_subplot()
    assert network([("a", "b")], ax=ax) is ax


def test_cycles_and_nothing_are_refused():
    with pytest.raises(ValueError, match="must not form a cycle"):
        network([("a", "b"), ("b", "a")])
    with pytest.raises(ValueError, match="at least one node"):
        network([])

"""Threshold networks beyond the notes: given layers, formulas, refusals, plots."""

from __future__ import annotations

import matplotlib as mpl
import numpy as np
import pytest

from hornbook import ThresholdNetwork
from hornbook.networks import ThresholdLayers, occupied_codes, two_layers_suffice

mpl.use("Agg")
XOR = ThresholdLayers.of([([[1, 1], [1, 1]], [0.5, 1.5]), ([[1, -2]], [0.5])])


def test_formulas():
    one = ThresholdNetwork.from_dnf("(wet and not cold) or wind", names=["cold", "wet", "wind"])
    assert one.feature_names_in_.tolist() == ["cold", "wet", "wind"]
    assert one.predict([{"cold": 0, "wet": 1, "wind": 0}, {"cold": 1, "wet": 1, "wind": 0}]).tolist() == [
        1,
        0,
    ]
    other = ThresholdNetwork.from_dnf(["01*", "**1"], names=["cold", "wet", "wind"], classes=["dry", "wet"])
    np.testing.assert_array_equal(one.layers_.weights, other.layers_.weights)
    assert other.predict([{"cold": 0, "wet": 1, "wind": 0}]).tolist() == ["wet"]
    assert ThresholdNetwork.from_dnf("~~a").predict([[1.0]]).tolist() == [1]


def test_several_classes_have_an_output_each():
    layers = ThresholdLayers.of([([[1, 0], [0, 1], [-1, -1]], [0.5, 0.5, -0.5])])
    network = ThresholdNetwork(layers).fit(np.zeros((3, 2)), ["a", "b", "c"])
    assert network.predict([[1, 0], [0, 1], [0, 0]]).tolist() == ["a", "b", "c"]


def test_one_leaf():
    network = ThresholdNetwork().fit(np.zeros((3, 1)), ["a", "b", "b"])
    assert network.predict([[5.0]]).tolist() == ["b"]


def test_planes_without_weights():
    assert occupied_codes([[0.0], [1.0]], [-1.0, 0.0]) == ["10", "11"]
    assert occupied_codes([[0.0]], [0.0]) == ["0"]


@pytest.mark.parametrize(
    ("make", "sentence"),
    [
        (lambda: ThresholdLayers.of([]), "at least one layer"),
        (lambda: ThresholdLayers.of([([[1, 2]], [1, 2])]), "layer 1 must have"),
        (lambda: ThresholdLayers.of([([[1, 2]], [1]), ([[1, 2]], [1])]), "layer 2 must have a row of 1"),
        (lambda: ThresholdLayers.of([([[np.nan]], [1])]), "not finite"),
        (lambda: ThresholdLayers(np.array([2, 1]), np.zeros(3), np.zeros(1)), "number of weights"),
        (lambda: ThresholdLayers(np.array([2, 1]), np.zeros(2), np.zeros(2)), "number of thresholds"),
        (lambda: ThresholdLayers(np.array([2]), np.zeros(0), np.zeros(0)), "at least one layer"),
        (lambda: ThresholdNetwork(XOR).fit(np.zeros((2, 3)), [0, 1]), "has 2 inputs, and the table has 3"),
        (lambda: ThresholdNetwork(XOR).fit(np.zeros((3, 2)), [0, 1, 2]), "has 1 outputs, and the target 3"),
        (lambda: ThresholdNetwork.from_dnf("a &"), "got '' for a name"),
        (lambda: ThresholdNetwork.from_dnf("a & ~a"), "'a' and its negation"),
        (lambda: ThresholdNetwork.from_dnf("a | b", names=["a"]), "variable 'b', which is not among 'names'"),
        (lambda: ThresholdNetwork.from_dnf(["10"], names=["a"]), "must have 2 entries"),
        (lambda: ThresholdNetwork.from_dnf([]), "at least one conjunction"),
        (lambda: ThresholdNetwork.from_dnf(["12"]), "digits out of 0, 1, \\*"),
        (lambda: ThresholdNetwork.from_dnf("a", classes=["x", "x"]), "two different labels"),
        (lambda: ThresholdNetwork.from_dnf("a", classes=["y", "x"]), "sorted order"),
        (lambda: ThresholdNetwork.from_regions([[1.0]], [0.0], []), "at least one code"),
        (lambda: ThresholdNetwork.from_regions([[1.0]], [0.0], ["1"], n_layers=4), "must be 2, 3 or None"),
        (
            lambda: ThresholdNetwork.from_regions([[1.0]], [0.0], ["1"], names=["a", "b"]),
            "must have 1 entries",
        ),
        (lambda: occupied_codes([1.0], [0.0]), "a row and 'thresholds' a number"),
        (lambda: two_layers_suffice([], ["1"]), "at least one code"),
        (lambda: two_layers_suffice(["1"], ["10"]), "a code must be 1 digits"),
    ],
)
def test_refusals(make, sentence):
    with pytest.raises(ValueError, match=sentence):
        make()


def test_regions_that_no_point_is_in_are_possible_with_three_layers():
    network = ThresholdNetwork.from_regions([[1.0], [1.0]], [0.0, 1.0], ["01"])
    assert network.layers_.sizes.tolist() == [1, 2, 1, 1]
    assert network.predict([[-1.0], [0.5], [2.0]]).tolist() == [0, 0, 0]


def test_plots():
    square = np.array([[0, 0], [0, 1], [1, 0], [1, 1]], dtype=float)
    network = ThresholdNetwork(XOR).fit(square, [0, 1, 1, 0])
    assert len(network.plot(square, [0, 1, 1, 0]).lines) >= 2
    assert {"x0", "x1", "h1.1", "h1.2", "h2.1"} <= {text.get_text() for text in network.plot().texts}
    rng = np.random.default_rng(0)
    large = ThresholdNetwork().fit(rng.normal(size=(200, 3)), rng.integers(0, 2, 200))
    assert large.plot().get_title() == "Units"

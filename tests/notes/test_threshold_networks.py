"""Threshold units and networks of the notes: XOR by design, vertex codes, regions, formulas, cycles."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

from hornbook import Perceptron, ThresholdNetwork
from hornbook.networks import (
    ThresholdLayers,
    is_feed_forward,
    occupied_codes,
    parameter_count,
    two_layers_suffice,
)

SQUARE = np.array([[0, 0], [0, 1], [1, 0], [1, 1]], dtype=float)
# g1 = x1 + x2 - 1/2, g2 = x1 + x2 - 3/2, g = y1 - 2 y2 - 1/2.
XOR = ThresholdLayers.of([([[1, 1], [1, 1]], [0.5, 1.5]), ([[1, -2]], [0.5])])


def test_threshold_unit():
    """1 if Σ w x > t, else 0 or -1; at the threshold itself it does not fire."""
    unit = ThresholdLayers.of([([[2, 1]], [3])])
    inputs = np.array([[1.0, 1.0], [1.0, 1.5], [0.0, 0.0]])
    assert unit.excesses(inputs)[0].ravel().tolist() == [0.0, 0.5, -3.0]
    assert unit.outputs(inputs)[0].ravel().tolist() == [0.0, 1.0, 0.0]
    assert unit.outputs(inputs, "bipolar")[0].ravel().tolist() == [-1.0, 1.0, -1.0]


def test_gates():
    """AND, OR and NOT are one unit each; the weights that the perceptron learns are such units."""
    for gate, weights, threshold in (("and", [1, 1], 1.5), ("or", [1, 1], 0.5)):
        truth = [int(a and b) if gate == "and" else int(a or b) for a, b in SQUARE]
        network = ThresholdNetwork(ThresholdLayers.of([([weights], [threshold])])).fit(SQUARE, truth)
        assert network.predict(SQUARE).tolist() == truth
        learned = Perceptron().fit(SQUARE, truth)
        layers = ThresholdLayers.of([(learned.coef_, [learned.threshold_ - 0.5])])
        assert ThresholdNetwork(layers).fit(SQUARE, truth).predict(SQUARE).tolist() == truth
    inverse = ThresholdNetwork.from_dnf("not x")
    assert inverse.predict([[0.0], [1.0]]).tolist() == [1, 0]


def test_xor_by_design():
    network = ThresholdNetwork(XOR).fit(SQUARE, ["B", "A", "A", "B"])
    assert network.layer_outputs(SQUARE)[0].tolist() == [[0, 0], [1, 0], [1, 0], [1, 1]]
    assert network.decision_function(SQUARE).tolist() == [-0.5, 0.5, 0.5, -1.5]
    # Output 1 is the second class, "B": the design of the notes has A there.
    assert network.predict(SQUARE).tolist() == ["A", "B", "B", "A"]
    assert network.n_parameters == parameter_count([2, 2, 1]) == 9


def test_vertices_of_xor():
    """The vertex (0, 1) is never produced; one hyperplane separates 10 from 00 and 11."""
    network = ThresholdNetwork(XOR).fit(SQUARE, [0, 1, 1, 0])
    assert network.vertex_codes(SQUARE).tolist() == ["00", "10", "10", "11"]
    assert occupied_codes([[1, 1], [1, 1]], [0.5, 1.5]) == ["00", "10", "11"]
    assert two_layers_suffice(["10"], ["00", "11"])


def test_code_001_is_the_negative_side_of_two_planes_and_the_positive_of_the_third():
    planes, ends = np.array([[1.0, 0.0], [0.0, 1.0], [1.0, 1.0]]), np.array([0.0, 0.0, -1.0])
    network = ThresholdNetwork.from_regions(planes, ends, ["001"])
    point = np.array([[-0.2, -0.3]])
    assert network.vertex_codes(point).tolist() == ["001"]
    assert np.sign(point @ planes.T - ends).tolist() == [[-1.0, -1.0, 1.0]]
    assert network.predict(point).tolist() == [1]
    # Three lines in general position make 7 of the 8 vertices.
    codes = occupied_codes(planes, ends)
    assert len(codes) == 7
    draw = np.random.default_rng(0).normal(size=(3000, 2)) * 2
    assert sorted(set(network.vertex_codes(draw))) == codes


def test_two_layers_realize_some_unions_and_three_any():
    planes, ends = np.eye(2), np.zeros(2)  # the four quadrants
    assert not two_layers_suffice(["00", "11"], ["01", "10"])
    with pytest.raises(ValueError, match="set n_layers=3"):
        ThresholdNetwork.from_regions(planes, ends, ["00", "11"], n_layers=2)
    draw = np.random.default_rng(0).normal(size=(200, 2))
    truth = (draw[:, 0] > 0) == (draw[:, 1] > 0)
    diagonal = ThresholdNetwork.from_regions(planes, ends, ["00", "11"])
    assert diagonal.layers_.sizes.tolist() == [2, 2, 2, 1]
    assert (diagonal.predict(draw) == truth).all()
    corner = ThresholdNetwork.from_regions(planes, ends, ["11"])
    assert corner.layers_.sizes.tolist() == [2, 2, 1]
    assert (corner.predict(draw) == (draw > 0).all(axis=1)).all()


def test_construction_of_regions():
    """Weights +1 and -1, threshold the number of ones less 1/2; the output is an OR gate."""
    network = ThresholdNetwork.from_regions(np.eye(3), np.zeros(3), ["101", "000"], n_layers=3)
    _, regions, output = network.layers_.matrices()
    assert regions[0].tolist() == [[1, -1, 1], [-1, -1, -1]]
    assert regions[1].tolist() == [1.5, -0.5]
    assert output[0].tolist() == [[1, 1]]
    assert output[1].tolist() == [0.5]


@pytest.mark.parametrize("units", ["binary", "bipolar"])
@pytest.mark.parametrize("n_layers", [None, 3])
def test_any_union_of_regions(units, n_layers):
    planes, ends = np.array([[1.0, 0.3], [-0.2, 1.0], [1.0, 1.0]]), np.array([0.1, -0.2, 0.4])
    draw = np.random.default_rng(1).normal(size=(500, 2))
    codes = ["".join("01"[int(side)] for side in row) for row in draw @ planes.T > ends]
    for count in (1, 3, 5):
        for chosen in itertools.islice(itertools.combinations(occupied_codes(planes, ends), count), 6):
            network = ThresholdNetwork.from_regions(planes, ends, chosen, units=units, n_layers=n_layers)
            assert network.predict(draw).tolist() == [int(code in chosen) for code in codes]


def test_constructive_design_classifies_all_training_rows():
    """The first of the two philosophies: build until every training pattern is right."""
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(80, 3)), rng.integers(0, 3, 80)
    network = ThresholdNetwork(max_depth=None).fit(X, y)
    assert network.score(X, y) == 1.0
    assert len(network.layers_) == 3
    assert (network.layer_outputs(X)[1].sum(axis=1) == 1).all()  # each row is in one region
    assert ThresholdNetwork(max_depth=2).fit(X, y).score(X, y) < 1.0


def test_xor_in_disjunctive_normal_form():
    """±1 units: h1 = f(x1 - x2 - 1), h2 = f(-x1 + x2 - 1), out = f(h1 + h2 + 1)."""
    network = ThresholdNetwork.from_dnf("x1 & ~x2 | ~x1 & x2", units="bipolar")
    (conjunctions, first), (disjunction, last) = network.layers_.matrices()
    assert (conjunctions.tolist(), first.tolist()) == ([[1, -1], [-1, 1]], [1, 1])
    assert (disjunction.tolist(), last.tolist()) == ([[1, 1]], [-1])
    corners = 2 * SQUARE - 1
    assert network.layer_outputs(corners)[-1].ravel().tolist() == [-1, 1, 1, -1]


@pytest.mark.parametrize("units", ["binary", "bipolar"])
def test_every_boolean_function_of_three_variables(units):
    cube = np.array(list(itertools.product([0, 1], repeat=3)), dtype=float)
    inputs = cube if units == "binary" else 2 * cube - 1
    for number in range(1, 256, 7):
        truth = [number >> i & 1 for i in range(8)]
        codes = ["".join(str(int(v)) for v in row) for row, value in zip(cube, truth, strict=True) if value]
        network = ThresholdNetwork.from_dnf(codes, units=units)
        assert network.predict(inputs).tolist() == truth


def test_feed_forward_and_recurrent():
    assert is_feed_forward(XOR.connections())
    assert XOR.connections()[:2] == [("x1", "h1.1"), ("x2", "h1.1")]
    assert not is_feed_forward([*XOR.connections(), ("h2.1", "h1.1")])
    assert not is_feed_forward([("a", "a")])

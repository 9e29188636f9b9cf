"""What the figures of note N3 about threshold units and networks show."""

from __future__ import annotations

import numpy as np
import pytest

from gallery import n3_networks as shown
from hornbook.networks import occupied_codes, two_layers_suffice


def words(ax):
    return [text.get_text() for text in ax.texts if text.get_text()]


def test_lines_separate_and_and_or_but_not_xor():
    conjunction, disjunction, xor = shown.boolean_functions().axes
    for ax, threshold in ((conjunction, 1.5), (disjunction, 0.5)):
        ends = ax.lines[-1].get_xydata()
        np.testing.assert_allclose(ends.sum(axis=1), threshold, atol=1e-3)
    assert [ax.get_title() for ax in (conjunction, disjunction, xor)] == ["AND", "OR", "XOR"]
    assert not xor.lines
    places = {tuple(place) for dots in xor.collections for place in dots.get_offsets().tolist()}
    assert places == {(0, 0), (0, 1), (1, 0), (1, 1)}


def test_class_a_of_xor_is_the_strip_between_two_lines():
    [ax] = shown.xor_strip().axes
    first, second, a, b = ax.lines
    np.testing.assert_allclose(first.get_xydata().sum(axis=1), 0.5)
    np.testing.assert_allclose(second.get_xydata().sum(axis=1), 1.5)
    [strip] = ax.collections
    sums = strip.get_paths()[0].vertices.sum(axis=1)
    assert 0.48 < sums.min() < sums.max() < 1.52
    assert [line.get_label() for line in (a, b)] == ["A", "B"]
    assert set(a.get_xydata().sum(axis=1)) == {1.0}
    assert set(b.get_xydata().sum(axis=1)) == {0.0, 2.0}


def test_xor_has_three_vertices_and_a_line():
    [ax] = shown.xor_vertices().axes
    a, b = ({tuple(place) for place in dots.get_offsets().tolist()} for dots in ax.collections)
    assert (a, b) == ({(1.0, 0.0)}, {(0.0, 0.0), (1.0, 1.0)})  # (0, 1) never occurs
    np.testing.assert_allclose(ax.lines[-1].get_xydata() @ [1, -2], 0.5)
    assert (ax.get_xlabel(), ax.get_ylabel()) == ("y1", "y2")


def test_graph_of_xor_has_the_weights_and_thresholds():
    [ax] = shown.xor_graph().axes
    assert words(ax)[:6] == ["1", "1", "1", "1", "1", "-2"]
    assert words(ax)[-6:] == ["0.5", "1.5", "0.5", "inputs", "hidden layer", "output"]
    assert len(ax.lines) == 6


def test_general_network_has_p_neurons():
    [ax] = shown.two_layers().axes
    assert words(ax) == [
        *("$x_1$", "$x_2$", "⋮", "$x_l$"),
        *("$g_1$", "$g_2$", "⋮", "$g_p$", "$g$"),
        *("l inputs", "p neurons", "output"),
    ]
    assert len(ax.lines) == 3 * 3 + 3


def test_plane_separates_the_vertices_of_the_regions():
    regions, cube = shown.regions_and_cube().axes
    codes = {word for word in words(regions) if word.isdigit()}
    assert sorted(codes) == occupied_codes(shown.LINES, shown.ENDS)
    assert len(regions.collections) == len(shown.REGIONS)
    others = sorted(codes - set(shown.REGIONS))
    assert two_layers_suffice(list(shown.REGIONS), others)
    plane = np.concatenate(cube.collections[0]._faces)
    normal = np.cross(plane[1] - plane[0], plane[2] - plane[0])
    level = float(normal @ plane[0])
    sides = {code: np.sign(normal @ [int(digit) for digit in code] - level) for code in codes}
    assert len({sides[code] for code in shown.REGIONS}) == 1
    assert {sides[code] for code in others} == {-sides[shown.REGIONS[0]]}


def test_three_layers_are_lines_regions_and_their_union():
    [ax] = shown.three_layers().axes
    assert words(ax)[-4:] == ["inputs", "lines", "regions", "OR"]
    assert len(ax.lines) == 2 * 3 + 3 * 2 + 2


def test_activations_have_their_slopes():
    steps, bipolar = shown.activations().axes
    curves = {line.get_label(): line.get_data() for ax in (steps, bipolar) for line in ax.lines}
    for a in (1, 2, 5):
        x, y = curves[f"logistic, a = {a}"]
        np.testing.assert_allclose(y, 1 / (1 + np.exp(-a * x)))
        x, y = curves[f"bipolar, a = {a}"]
        np.testing.assert_allclose(y, np.tanh(a * x / 2), atol=1e-12)
    x, y = curves["step"]
    assert set(y[x != 0]) == {0.0, 1.0}
    np.testing.assert_allclose(*curves["tanh"][::-1][:1], np.tanh(curves["tanh"][0]))


def test_notation_of_layers_and_of_one_neuron():
    layers, neuron = shown.notation().axes
    assert words(layers)[-4:] == ["input", "layer 1", "layer r", "layer L"]
    assert "$w_{j0}^r$" in words(neuron)
    assert "$v_j^r$" in words(neuron)
    assert words(neuron)[-1] == "$y_j^r$"
    curve = neuron.lines[0].get_ydata()
    assert (np.diff(curve) > 0).all()  # a logistic function


def test_generalized_linear_network_has_a_weight_for_each_function():
    [ax] = shown.generalized_linear_network().axes
    assert [word for word in words(ax) if word.startswith("$w")] == ["$w_1$", "$w_2$", "$w_k$"]
    assert len(ax.lines) == 9 + 3


def test_shapes_of_radial_functions():
    shapes, graph = shown.radial_basis().axes
    curves = {line.get_label(): line.get_data() for line in shapes.lines}
    x, y = curves["gaussian"]
    np.testing.assert_allclose(y, np.exp(-(x**2) / 2), atol=1e-6)
    x, y = curves["inverse quadratic"]
    np.testing.assert_allclose(y, 1 / (1 + x**2), atol=1e-6)
    assert len(graph.lines) == 2 * 3 + 3
    assert words(graph)[-3:] == ["inputs", "centers", "sum"]


@pytest.mark.parametrize("name", ["xor_graph", "two_layers", "three_layers", "generalized_linear_network"])
def test_symbols_do_not_run_out_of_a_graph(name):
    from tests.plots.layout import complaints

    assert complaints(getattr(shown, name)().axes[0]) == []

"""What the figures of note N0 about networks show."""

from __future__ import annotations

import numpy as np
import pytest
from tests.gallery.drawn import contours, points, texts

from gallery import n0_networks as shown


def test_a_neuron_sums_weighted_inputs():
    [ax, *_] = shown.mp_neuron().axes
    assert {"x1", "x2", "xn", "w1", "w2", "wn", "Σ", "threshold θ", "y"} <= set(texts(ax))


def test_the_step_is_at_zero():
    [ax] = shown.step_function().axes
    x, y = ax.lines[0].get_xydata().T
    np.testing.assert_array_equal(y[x != 0], (x > 0)[x != 0])
    assert ax.get_ylabel() == "sgn(x)"


def test_the_sigmoid_is_symmetric():
    [ax] = shown.sigmoid_function().axes
    x, y = ax.lines[0].get_xydata().T
    np.testing.assert_allclose(y + y[::-1], 1)
    np.testing.assert_allclose(y, 1 / (1 + np.exp(-x)))


def test_a_perceptron_has_two_inputs_and_one_output():
    [ax] = shown.perceptron_graph().axes
    assert set(texts(ax)) == {"x1", "x2", "y", "w1", "w2", "θ", "input", "output"}
    assert len(ax.lines) == 2


def test_gates_are_separated_but_xor_is_not():
    axes = shown.gates().axes
    assert [ax.get_title() for ax in axes] == ["AND", "OR", "NOT x1", "XOR: no line"]
    assert [len(contours(ax)) for ax in axes] == [1, 1, 1, 0]
    for ax in axes[:3]:
        [border] = contours(ax)
        zeros, ones = points(ax)
        w = np.linalg.lstsq(
            np.column_stack([border, np.ones(len(border))]), np.zeros(len(border)), rcond=None
        )
        assert w[2] == 2  # the border is a straight line
        side = np.linalg.svd(np.column_stack([border, np.ones(len(border))]))[2][-1]
        signs = [np.sign(np.column_stack([some, np.ones(len(some))]) @ side) for some in (zeros, ones)]
        assert len(set(signs[0])) == len(set(signs[1])) == 1
        assert signs[0][0] != signs[1][0]


def test_networks_have_one_and_two_hidden_layers():
    left, right = shown.layered_networks().axes
    assert (left.get_title(), right.get_title()) == ("one hidden layer", "two hidden layers")
    assert [len(ax.lines) for ax in (left, right)] == [3 * 3 + 3 * 2, 2 * 3 + 3 * 3 + 3]


def test_the_symbols_of_a_network_are_written_at_their_places():
    [ax] = shown.network_symbols().axes
    places = {text.get_text(): text.get_position() for text in ax.texts if text.get_text()}
    assert places["xi"][0] < places["v_ih"][0] < places["bh"][0] < places["w_hj"][0] < places["yj"][0]
    assert places["γ_h"][0] == pytest.approx(places["bh"][0])  # noqa: RUF001
    assert places["θ_j"][1] < places["yj"][1]
    assert len(ax.lines) == 18


def test_searches_end_in_two_minima():
    [ax, *_] = shown.error_surface().axes
    assert {"local minimum", "global minimum"} <= {words.strip() for words in texts(ax)}
    assert (ax.get_xlabel(), ax.get_ylabel(), ax.get_zlabel()) == ("w1", "w2", "error")
    slopes, heights = [], []
    for line in ax.lines:
        w1, w2, z = (np.asarray(side, dtype=float)[0] for side in line.get_data_3d())
        slopes += [0.32 * w1 * (w1**2 - 4) + 0.35, 0.8 * w2]
        heights.append(z)
    assert slopes == pytest.approx([0.0] * len(slopes), abs=2e-3)
    assert len(heights) == 2
    assert max(heights) - min(heights) > 0.5

"""Figures of note N0: neural networks."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from gallery import figure, panels
from hornbook import Perceptron, losses, optimize, plots

if TYPE_CHECKING:
    from matplotlib.figure import Figure


@figure("N0/8.1", "A neuron: it fires when the weighted sum of its inputs exceeds its threshold")
def mp_neuron() -> Figure:
    inputs, weights = ["x1", "x2", "⋮", "xn"], ["w1", "w2", "", "wn"]
    return plots.neuron(inputs, weights, losses.unit_step, threshold="threshold θ", output="y").figure


@figure("N0/8.2", "The step function")
def step_function() -> Figure:
    return plots.functions({"unit step": losses.unit_step}, (-2.0, 2.0), names=("x", "sgn(x)")).figure


@figure("N0/8.3", "The sigmoid function")
def sigmoid_function() -> Figure:
    return plots.functions({"sigmoid": losses.logistic}, (-6.0, 6.0), names=("x", "sigmoid(x)")).figure


@figure("N0/8.4", "A perceptron with two inputs")
def perceptron_graph() -> Figure:
    return plots.layered_graph(
        [["x1", "x2"], ["y"]],
        connections={(0, 0, 0): "w1", (0, 1, 0): "w2"},
        below={(1, 0): "θ"},
        names=("input", "output"),
    ).figure


@figure("N0/8.5", "Perceptrons learn AND, OR and NOT; no line separates XOR")
def gates() -> Figure:
    X = np.array([[0.0, 0.0], [0.0, 1.0], [1.0, 0.0], [1.0, 1.0]])
    tables = {"AND": [0, 0, 0, 1], "OR": [0, 1, 1, 1], "NOT x1": [1, 1, 0, 0], "XOR": [0, 1, 1, 0]}
    sheet, places = panels(2, 2, size=(4.2, 3.4))
    for place, (name, values) in zip(places, tables.items(), strict=True):
        y = np.array(values)
        if name == "XOR":
            plots.boundaries([], X, y, place, title="XOR: no line")
            continue
        model = Perceptron(eta0=0.1, update="sign").fit(X, y)
        plots.boundaries([], X, y, place, bold=model, title=name)
    return sheet


@figure("N0/8.6", "Two networks in layers: one hidden layer, and two")
def layered_networks() -> Figure:
    sheet, (left, right) = panels(2, size=(4.4, 3.8))
    plots.layered_graph([["x1", "x2", "x3"], ["", "", ""], ["y1", "y2"]], left, title="one hidden layer")
    plots.layered_graph([["x1", "x2"], ["", "", ""], ["", "", ""], ["y"]], right, title="two hidden layers")
    return sheet


@figure("N0/8.7", "The symbols of a network with d inputs, q hidden units and l outputs")
def network_symbols() -> Figure:
    return plots.layered_graph(
        [["x1", "xi", "xd"], ["b1", "bh", "bq"], ["y1", "yj", "yl"]],
        connections={
            (layer, i, j): {(0, 1, 1): "v_ih", (1, 1, 1): "w_hj"}.get((layer, i, j), "")
            for layer in range(2)
            for i in range(3)
            for j in range(3)
        },
        below={(1, 1): "γ_h", (2, 1): "θ_j"},  # noqa: RUF001
        names=("inputs", "hidden units", "outputs"),
    ).figure


class _Error(optimize.FirstOrder):
    """An error with two valleys, of which the one at negative w1 is lower."""

    @staticmethod
    def height(w1: np.ndarray, w2: np.ndarray) -> np.ndarray:
        return 0.08 * (w1**2 - 4.0) ** 2 + 0.35 * w1 + 0.4 * w2**2 + 1.0

    def first(self, x: np.ndarray) -> tuple[float, np.ndarray]:
        gradient = np.array([0.32 * x[0] * (x[0] ** 2 - 4.0) + 0.35, 0.8 * x[1]])
        return float(self.height(x[0], x[1])), gradient


@figure(
    "N0/8.8",
    "An error surface: where a search starts decides whether it ends in a local or the global minimum",
)
def error_surface() -> Figure:
    error = _Error()
    points = {}
    for name, start in (("local minimum", 3.0), ("global minimum", -3.0)):
        *_, last = optimize.lbfgs(error, np.array([start, 1.5]))
        points[name] = last.x.tolist()
    return plots.surface(
        error.height, (-3.2, 3.2), (-2.5, 2.5), points=points, names=("w1", "w2", "error")
    ).figure

"""Figures of note N3: threshold units, layers, activations and the symbols of networks."""

from __future__ import annotations

from itertools import product
from typing import TYPE_CHECKING

import numpy as np

from gallery import figure, panels
from hornbook import SVC, RBFNetworkRegressor, ThresholdNetwork, datasets, plots
from hornbook.losses import logistic, unit_step
from hornbook.networks import ThresholdLayers, occupied_codes

if TYPE_CHECKING:
    from matplotlib.figure import Figure

# g1 = x1 + x2 - 1/2, g2 = x1 + x2 - 3/2, g = y1 - 2 y2 - 1/2.
XOR = ThresholdLayers.of([([[1, 1], [1, 1]], [0.5, 1.5]), ([[1, -2]], [0.5])])
# Three lines in general position, and a class of three of their seven regions.
LINES, ENDS = np.array([[1.0, 0.0], [0.0, 1.0], [1.0, 1.0]]), np.array([0.0, 0.0, -1.0])
REGIONS = ("011", "101", "111")


def xor_network() -> ThresholdNetwork:
    """The design of the notes; output 1 is class A."""
    data = datasets.boolean("xor")
    return ThresholdNetwork(XOR).fit(data.features, (data.y == "A").astype(int))


@figure("N3/f1", "AND and OR with the line of the widest margin; no line separates the classes of XOR")
def boolean_functions() -> Figure:
    sheet, places = panels(3, size=(3.8, 3.4))
    for name, ax in zip(("and", "or"), places, strict=False):
        data = datasets.boolean(name)
        model = SVC(kernel="linear", C=1e6).fit(data)
        threshold = -float(model.intercept_[0])
        plots.linear_boundary(data.features, data.y, model.coef_[0], threshold, ax, title=name.upper())
    xor = datasets.boolean("xor")
    plots.boundaries([], xor.features, xor.y, places[2], title="XOR")
    return sheet


@figure("N3/f2", "XOR with two parallel lines: class A is the strip between them")
def xor_strip() -> Figure:
    data = datasets.boolean("xor")
    weights, thresholds = XOR.matrices()[0]
    points = {name: data.numbers[data.y == name] for name in ("A", "B")}
    return plots.line_regions(
        weights, thresholds, (-0.5, 1.5), (-0.5, 1.5), shaded=["10"], points=points, codes=False
    ).figure


@figure("N3/f3", "XOR after the first layer: three vertices of the square, and the line y1 - 2 y2 = 1/2")
def xor_vertices() -> Figure:
    data = datasets.boolean("xor")
    hidden = xor_network().layer_outputs(data.features)[0]
    weights, thresholds = XOR.matrices()[1]
    ax = plots.linear_boundary(hidden, data.y, weights[0], thresholds[0])
    ax.set(xlabel="y1", ylabel="y2")
    return ax.figure


@figure("N3/f4", "The two-layer perceptron of XOR with its weights and thresholds")
def xor_graph() -> Figure:
    symbols = [["$x_1$", "$x_2$"], ["$y_1$", "$y_2$"], ["$y$"]]
    connections, below = {}, {}
    for layer, (weights, thresholds) in enumerate(XOR.matrices()):
        for (j, i), weight in np.ndenumerate(weights):
            connections[layer, i, j] = f"{weight:g}"
        below |= {(layer + 1, j): f"{end:g}" for j, end in enumerate(thresholds)}
    return plots.layered_graph(
        symbols, connections=connections, below=below, names=["inputs", "hidden layer", "output"]
    ).figure


@figure("N3/f5", "The general two-layer perceptron with p hidden neurons")
def two_layers() -> Figure:
    symbols = [["$x_1$", "$x_2$", "⋮", "$x_l$"], ["$g_1$", "$g_2$", "⋮", "$g_p$"], ["$g$"]]
    return plots.layered_graph(symbols, names=["l inputs", "p neurons", "output"]).figure


@figure(
    "N3/f6", "Three lines with the code of each region, and the vertices of the cube with a separating plane"
)
def regions_and_cube() -> Figure:
    from matplotlib.figure import Figure  # noqa: PLC0415  as everywhere: matplotlib is imported by the first plot

    network = ThresholdNetwork.from_regions(LINES, ENDS, REGIONS, n_layers=2)
    weights, thresholds = network.layers_.matrices()[1]
    sheet = Figure(figsize=(9.6, 4.4), layout="constrained")
    plots.line_regions(LINES, ENDS, (-2, 2), (-2, 2), sheet.add_subplot(1, 2, 1), shaded=REGIONS)
    others = [code for code in occupied_codes(LINES, ENDS) if code not in REGIONS]
    cube = sheet.add_subplot(1, 2, 2, projection="3d")
    plots.hypercube(REGIONS, others, weights[0], float(thresholds[0]), cube)
    return sheet


@figure("N3/f7", "A three-layer perceptron: lines, regions, and their union")
def three_layers() -> Figure:
    network = ThresholdNetwork.from_regions(LINES, ENDS, ["001", "110"], n_layers=3)
    letters = ("x", "g", "h", "y")
    symbols = [
        [f"${letter}_{{{i + 1}}}$" for i in range(size)] if size > 1 else [f"${letter}$"]
        for letter, size in zip(letters, network.layers_.sizes.tolist(), strict=True)
    ]
    names = ["inputs", "lines", "regions", "OR"]
    return plots.layered_graph(symbols, names=names).figure


@figure("N3/f8", "The step and logistic functions of three slopes; bipolar functions")
def activations() -> Figure:
    sheet, (left, right) = panels(2, size=(5.2, 3.4))
    slopes = {f"logistic, a = {a}": _logistic_of(a) for a in (1, 2, 5)}
    plots.functions({"step": unit_step, **slopes}, (-5, 5), left, names=("x", "f(x)"))
    bipolar = {f"bipolar, a = {a}": _bipolar_of(a) for a in (1, 2, 5)}
    plots.functions(bipolar | {"tanh": np.tanh}, (-5, 5), right, names=("x", "f(x)"))
    return sheet


def _logistic_of(slope: float) -> object:
    return lambda x: logistic(slope * np.asarray(x))


def _bipolar_of(slope: float) -> object:
    return lambda x: 2 * logistic(slope * np.asarray(x)) - 1


@figure("N3/f9", "Symbols of a network of L layers, and neuron j of layer r")
def notation() -> Figure:
    sheet, (left, right) = panels(2, size=(5.6, 3.6))
    symbols = [
        ["$x_1$", "⋮", "$x_{k_0}$"],
        ["$y_1^1$", "⋮", "$y_{k_1}^1$"],
        ["$y_1^r$", "$y_j^r$", "⋮", "$y_{k_r}^r$"],
        ["$\\hat{y}_1$", "⋮", "$\\hat{y}_{k_L}$"],
    ]
    plots.layered_graph(symbols, left, names=["input", "layer 1", "layer r", "layer L"])
    plots.neuron(
        ["$y_0^{r-1} = 1$", "$y_1^{r-1}$", "⋮", "$y_{k_{r-1}}^{r-1}$"],
        ["$w_{j0}^r$", "$w_{j1}^r$", "", "$w_{jk_{r-1}}^r$"],
        logistic,
        right,
        total="$v_j^r$",
        output="$y_j^r$",
        title="neuron j of layer r",
    )
    return sheet


@figure(
    "N3/f13", "A generalized linear classifier as a network: functions of the inputs, then one linear unit"
)
def generalized_linear_network() -> Figure:
    symbols = [["$x_1$", "$x_2$", "⋮", "$x_l$"], ["$f_1$", "$f_2$", "⋮", "$f_k$"], ["$g$"]]
    connections = {(0, i, j): "" for i, j in product((0, 1, 3), (0, 1, 3))}
    connections |= {(1, i, 0): f"$w_{k}$" for i, k in ((0, 1), (1, 2), (3, "k"))}
    below = {(2, 0): "$+ w_0$"}
    return plots.layered_graph(
        symbols, connections=connections, below=below, names=["inputs", "functions", "sum"]
    ).figure


@figure("N3/f18", "Shapes of radial basis functions, and an RBF network")
def radial_basis() -> Figure:
    x = np.linspace(-4, 4, 9)[:, None]
    shapes = {}
    for basis, values in (
        ("gaussian", np.exp(-(x[:, 0] ** 2) / 2)),
        ("inverse_quadratic", 1 / (1 + x[:, 0] ** 2)),
    ):
        model = RBFNetworkRegressor(centers=[[0.0]], width=1.0, basis=basis).fit(x, values)
        shapes[basis.replace("_", " ")] = _column(model)
    sheet, (left, right) = panels(2, size=(5.0, 3.6))
    plots.functions(shapes, (-4, 4), left, names=("distance from the center", "value"))
    symbols = [["$x_1$", "⋮", "$x_l$"], ["$c_1$", "$c_2$", "⋮", "$c_k$"], ["$g$"]]
    plots.layered_graph(symbols, right, names=["inputs", "centers", "sum"])
    return sheet


def _column(model: RBFNetworkRegressor) -> object:
    return lambda x: model.predict(np.asarray(x, dtype=float)[:, None])

"""Figures of note N4: tasks and models, linear classifiers, margins and feature spaces."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np

from gallery import figure, panels
from hornbook import SVC, BasicLinearClassifier, Frame, PolynomialRegression, ThresholdNetwork, kernels, plots
from hornbook.evaluation import KFold, confusion_table, validation_curve
from hornbook.params import Floats

if TYPE_CHECKING:
    from matplotlib.figure import Figure

SIX = np.array([[2.0, 2.0], [3.0, 1.0], [4.0, 3.0], [0.0, 0.0], [-1.0, 1.0], [1.0, -1.0]])
SIGNS = np.array([1, 1, 1, -1, -1, -1])


@figure("N4/f1", "Features, model and task: a task is solved by a model, a learning problem by an algorithm")
def features_model_task() -> Figure:
    boxes = {
        "objects": (0, 0),
        "features": (1, 0),
        "data": (2, 0),
        "model": (3, 0),
        "output": (4, 0),
        "training data": (2, 1),
        "learning algorithm": (3, 1),
    }
    names = list(boxes)
    arrows = list(pairwise(names[:5]))
    arrows += [("training data", "learning algorithm"), ("learning algorithm", "model")]
    return plots.flow(boxes, arrows, plain=["objects", "data", "output", "training data"]).figure


@figure("N4/f2", "Learning problems: with and without a target, predictive and descriptive")
def learning_problems() -> Figure:
    rows = [
        ["a class is known", "classification", "subgroup discovery"],
        ["a number is known", "regression", "subgroup discovery"],
        ["no target is known", "predictive clustering", "clustering, association rules"],
    ]
    return plots.text_table(rows, ["", "predictive model", "descriptive model"]).figure


def bent_line(n: int, seed: int) -> tuple[Floats, Floats]:
    """Points around a parabola."""
    draw = np.random.default_rng(seed)
    x = draw.uniform(-1.0, 1.0, n)
    return x[:, None], 1.0 + x - 2.0 * x**2 + draw.normal(0.0, 0.3, n)


@figure("N4/f3", "Overfitting: errors on training and test rows by the degree of a polynomial (generated)")
def overfitting() -> Figure:
    X, y = bent_line(60, 0)
    curve = validation_curve(
        PolynomialRegression(),
        X,
        y,
        parameter="degree",
        values=list(range(13)),
        cv=KFold(2, shuffle=True, random_state=0),
        measure="mse",
    )
    return plots.validation_curve(curve).figure


@figure("N4/f4", "The basic linear classifier: means of the classes, w between them, the boundary halfway")
def basic_linear() -> Figure:
    model = BasicLinearClassifier().fit(SIX, SIGNS)
    return model.plot(SIX, SIGNS).figure


@figure("N4/f5", "The geometry of w and t: the line w·x = t is t / |w| from the origin")
def weights_and_threshold() -> Figure:
    model = BasicLinearClassifier().fit(SIX, SIGNS)
    point = {"x": np.array([4.0, -0.5])}
    return plots.hyperplane(model.coef_[0], -float(model.threshold_), point).figure


@figure("N4/f6", "Margins: distances of points from the boundary")
def margins() -> Figure:
    model = BasicLinearClassifier().fit(SIX, SIGNS)
    return plots.linear_boundary(SIX, SIGNS, model.coef_[0], float(model.threshold_), margins=True).figure


@figure("N4/f7", "A contingency table of 60 + 15 positives and 10 + 15 negatives")
def contingency() -> Figure:
    truth = np.repeat(["+", "+", "-", "-"], [60, 15, 10, 15])
    predicted = np.repeat(["+", "-", "+", "-"], [60, 15, 10, 15])
    return plots.confusion(confusion_table(truth, predicted)).figure


@figure(
    "N4/f8", "A soft-margin classifier with a low cost, and the means of the classes it resembles (generated)"
)
def low_cost() -> Figure:
    draw = np.random.default_rng(1)
    X = np.concatenate([draw.normal(size=(10, 2)) + 1, draw.normal(size=(10, 2)) - 1])
    y = np.repeat([1, -1], 10)
    soft, basic = SVC(C=1e-3, kernel="linear").fit(X, y), BasicLinearClassifier().fit(X, y)
    sheet, (left, right) = panels(2, size=(4.8, 4.0))
    plots.linear_boundary(
        X, y, soft.coef_[0], -float(soft.intercept_[0]), left, means=True, title="soft margin, C = 0.001"
    )
    plots.linear_boundary(
        X, y, basic.coef_[0], float(basic.threshold_), right, means=True, title="basic linear classifier"
    )
    return sheet


def ring() -> Frame:
    """A class around another one."""
    draw = np.random.default_rng(2)
    inner = np.arange(60) < 30
    radius = np.where(inner, draw.uniform(0.0, 1.0, 60), draw.uniform(1.4, 2.0, 60))
    angle = draw.uniform(0.0, 2 * np.pi, 60)
    labels = np.where(inner, "inner", "outer").astype(object)
    return Frame(
        {"x1": radius * np.cos(angle), "x2": radius * np.sin(angle), "class": labels}, target="class"
    )


@figure(
    "N4/f9",
    "Classes that no line separates, and the plane between them in a space of squares (generated)",
)
def feature_space() -> Figure:
    from matplotlib.figure import Figure  # noqa: PLC0415  as everywhere: matplotlib is imported by the first plot

    data = ring()
    x1, x2 = data.numbers.T
    mapped = np.column_stack([x1**2, np.sqrt(2.0) * x1 * x2, x2**2])
    plane = SVC(kernel="linear", C=10.0).fit(mapped, data.y)
    machine = SVC(kernel=kernels.Polynomial(2, 0.0), C=10.0).fit(data)
    sheet = Figure(figsize=(10.0, 4.4), layout="constrained")
    plots.boundaries([], data.features, data.y, sheet.add_subplot(1, 2, 1), bold=machine)
    plots.feature_space(
        mapped,
        data.y,
        plane.coef_[0],
        -float(plane.intercept_[0]),
        sheet.add_subplot(1, 2, 2, projection="3d"),
        names=("x1²", "√2 x1 x2", "x2²"),
    )
    return sheet


@figure(
    "N4/f20", "Polynomials of degree 0 to 4, and their errors on training and validation rows (generated)"
)
def polynomial_degrees() -> Figure:
    X, y = bent_line(60, 3)
    curve = validation_curve(
        PolynomialRegression(),
        X,
        y,
        parameter="degree",
        values=list(range(5)),
        cv=KFold(2, shuffle=True, random_state=0),
        measure="mse",
    )
    sheet, (left, right) = panels(2, size=(5.4, 3.8))
    models = {f"degree {k}": PolynomialRegression(k).fit(X, y) for k in range(5)}
    plots.fits(models, X, y, left)
    plots.validation_curve(curve, ax=right)
    return sheet


@figure("N4/f21", "A neural network: inputs, hidden units, outputs")
def network_graph() -> Figure:
    symbols = [["$x_1$", "$x_2$", "$x_3$"], ["$h_1$", "$h_2$", "$h_3$", "$h_4$"], ["$o_1$", "$o_2$"]]
    return plots.layered_graph(symbols, names=["inputs", "hidden units", "outputs"]).figure


@figure("N4/f22", "A single unit: inputs times weights, their sum, the activation")
def single_unit() -> Figure:
    def sign(v: Floats) -> Floats:
        return np.where(v > 0, 1.0, -1.0)

    inputs = ["$x_0 = 1$", "$x_1$", "$x_2$", "⋮", "$x_n$"]
    weights = ["$w_0 = -t$", "$w_1$", "$w_2$", "", "$w_n$"]
    return plots.neuron(inputs, weights, sign, output="$f(x)$").figure


@figure("N4/f23", "XOR as two layers of units: two conjunctions and their disjunction")
def boolean_network() -> Figure:
    network = ThresholdNetwork.from_dnf("x1 and not x2 or not x1 and x2", units="bipolar")
    connections, below = {}, {}
    for layer, (weights, thresholds) in enumerate(network.layers_.matrices()):
        for (j, i), weight in np.ndenumerate(weights):
            connections[layer, i, j] = f"{weight:g}"
        below |= {(layer + 1, j): f"{end:g}" for j, end in enumerate(thresholds)}
    symbols = [["$x_1$", "$x_2$"], ["and", "and"], ["or"]]
    return plots.layered_graph(
        symbols, connections=connections, below=below, names=["inputs", "conjunctions", "disjunction"]
    ).figure

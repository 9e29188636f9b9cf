"""Figures of note N3: separability, feature spaces and kernel machines."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from gallery import figure, panels
from hornbook import (
    SVC,
    Frame,
    GeneralizedLinearClassifier,
    RBFNetworkClassifier,
    ThresholdNetwork,
    datasets,
    kernels,
    plots,
)
from hornbook.concepts import capacity_curve, in_general_position, linear_dichotomies
from hornbook.networks import ThresholdLayers
from hornbook.params import Floats
from hornbook.svm import kernel_network

if TYPE_CHECKING:
    from matplotlib.figure import Figure

FOUR = [[0.0, 0.0], [1.0, 0.2], [0.3, 1.0], [1.2, 1.1]]


@figure("N3/f14", "Points that are not in general position, three of them on a line, and points that are")
def general_position() -> Figure:
    sheet, (left, right) = panels(2, size=(3.8, 3.4))
    in_general_position([[0.0, 0.0], [0.5, 0.5], [1.0, 1.0], [0.2, 1.0]]).plot(left)
    in_general_position(FOUR).plot(right)
    return sheet


@figure("N3/f15", "All linear groupings of four and of three points in the plane: 14 and 8 labelings")
def groupings() -> Figure:
    sheet, (left, right) = panels(2, size=(4.8, 4.0))
    linear_dichotomies(FOUR).plot(left)
    linear_dichotomies(FOUR[:3]).plot(right)
    for ax in (left, right):
        ax.title.set_fontsize(9)
    return sheet


@figure("N3/f16", "Probability that random labels of N = r (l + 1) points are linearly separable")
def separability() -> Figure:
    return capacity_curve([5, 20, 100]).plot().figure


def products(X: Floats) -> Floats:
    """The product of the two columns."""
    return np.asarray(X[:, :1] * X[:, 1:])


@figure(
    "N3/f17", "XOR with the product as a third coordinate: a plane there, a curve in the plane of the inputs"
)
def polynomial_xor() -> Figure:
    from matplotlib.figure import Figure  # noqa: PLC0415  as everywhere: matplotlib is imported by the first plot

    data = datasets.boolean("xor")
    labels = (data.y == "A").astype(int)
    # One threshold unit with the weights of the notes: x1 + x2 - 2 x1 x2 > 1/4 is class A.
    unit = ThresholdNetwork(ThresholdLayers.of([([[1, 1, -2]], [0.25])]))
    model = GeneralizedLinearClassifier(functions=("identity", products), estimator=unit)
    model.fit(data.features, labels)
    (weights, thresholds), *_ = model.estimator_.layers_.matrices()
    sheet = Figure(figsize=(10.0, 4.2), layout="constrained")
    mapped = np.column_stack([data.numbers, products(data.numbers)])
    plots.feature_space(
        mapped,
        data.y,
        weights[0],
        float(thresholds[0]),
        sheet.add_subplot(1, 2, 1, projection="3d"),
        names=("x1", "x2", "x1 x2"),
    )
    plots.boundaries([model], data.features, data.y, sheet.add_subplot(1, 2, 2))
    return sheet


@figure(
    "N3/f19", "XOR by two radial basis functions: a line in their values, a curve in the plane of the inputs"
)
def radial_xor() -> Figure:
    data = datasets.boolean("xor")
    centers = np.array([[1.0, 1.0], [0.0, 0.0]])
    model = RBFNetworkClassifier(centers=centers, width=np.sqrt(0.5)).fit(data)
    values = kernels.kernel_matrix(data.numbers, centers, kernel=kernels.Gaussian(np.sqrt(0.5)))
    sheet, (left, right) = panels(2, size=(4.8, 3.8))
    # The network has the weights of y1 + y2 = 1 up to a factor.
    plots.linear_boundary(values, data.y, model.coef_[0], -float(model.intercept_[0]), left)
    left.set(xlabel="y1", ylabel="y2")
    plots.boundaries([], data.features, data.y, right, bold=model)
    return sheet


def rings(seed: int = 0) -> Frame:
    """Points of an inner disk and of a ring around it."""
    draw = np.random.default_rng(seed)
    inner = np.arange(80) < 40
    radius = np.where(inner, draw.uniform(0.0, 1.0, 80), draw.uniform(1.5, 2.3, 80))
    angle = draw.uniform(0.0, 2 * np.pi, 80)
    columns = {"x1": radius * np.cos(angle), "x2": radius * np.sin(angle)}
    return Frame({**columns, "class": np.where(inner, "inner", "outer").astype(object)}, target="class")


@figure(
    "N3/f22",
    "A nonlinear boundary, and the linear one of the same model after squaring the coordinates (generated)",
)
def squared_coordinates() -> Figure:
    data = rings()
    model = GeneralizedLinearClassifier(functions=(np.square,), estimator=SVC(kernel="linear")).fit(data)
    line = model.estimator_
    sheet, (left, right) = panels(2, size=(4.8, 3.8))
    plots.boundaries([], data.features, data.y, left, bold=model, title="original space")
    plots.linear_boundary(
        data.numbers**2, data.y, line.coef_[0], -float(line.intercept_[0]), right, title="transformed space"
    )
    right.set(xlabel="x1²", ylabel="x2²")
    return sheet


@figure("N3/f23", "The architecture of a support vector machine: a node for each support vector")
def machine_graph() -> Figure:
    data = datasets.margin_points("ellipse")
    model = SVC(kernel=kernels.Polynomial(2, 1.0), C=4.0).fit(data)
    return kernel_network(model).figure


@figure(
    "N3/f24", "A nonlinear support vector machine with Gaussian kernel: boundary, margins, support vectors"
)
def gaussian_machine() -> Figure:
    data = rings(1)
    model = SVC(kernel=kernels.Gaussian(1.0), C=10.0).fit(data)
    return plots.margins(model, data.features, data.y).figure


@figure("N3/f25", "Support vector machine on the double moon with d = -6.5: training and test rows")
def moon_machine() -> Figure:
    train, test = (datasets.double_moon(-6.5, n=600, random_state=seed) for seed in (0, 1))
    model = SVC(C=100.0, kernel=kernels.Gaussian(3.0)).fit(train.numbers, train.y)
    sheet, places = panels(2, size=(5.2, 3.8))
    for (name, data), ax in zip({"training": train, "test": test}.items(), places, strict=True):
        wrong = int((model.predict(data.numbers) != data.y).sum())
        plots.boundaries([], data.numbers, data.y, ax, bold=model, title=f"{name}: {wrong} of 600 wrong")
    return sheet


@figure(
    "N3/f26",
    "Support vector machines with a polynomial kernel of degree 4 and with a radial kernel (generated)",
)
def two_kernels() -> Figure:
    data = datasets.gaussians("eight", n=200, random_state=0)
    shown = {
        "degree 4": SVC(C=1.0, kernel=kernels.Polynomial(4, 1.0)),
        "radial": SVC(C=1.0, kernel=kernels.Gaussian(0.5)),
    }
    sheet, places = panels(2, size=(5.2, 3.8))
    for (name, model), ax in zip(shown.items(), places, strict=True):
        plots.margins(model.fit(data.numbers, data.y), data.numbers, data.y, ax, title=name)
    return sheet

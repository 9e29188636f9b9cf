"""Figures of note N0: support vector machines and kernels."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from gallery import figure
from hornbook import SVC, Perceptron, datasets, kernels, losses, plots

if TYPE_CHECKING:
    from matplotlib.figure import Figure


@figure("N0/5.1", "Several lines separate the classes; the one in the middle (red) is the furthest from both")
def separating_lines() -> Figure:
    points = datasets.margin_points("separable")
    X, y = points.features.matrix, points.y
    draw = np.random.default_rng(1)
    # What a perceptron ends with depends on the order of the rows.
    orders = [draw.permutation(len(X)) for _ in range(5)]
    models = [Perceptron(eta0=0.1).fit(X[order], y[order]) for order in orders]
    middle = SVC(C=np.inf, kernel="linear").fit(X, y)
    return plots.boundaries(models, X, y, bold=middle, bold_color="red").figure


@figure("N0/5.2", "The line with the widest margin, and its support vectors")
def widest_margin() -> Figure:
    points = datasets.margin_points("separable")
    model = SVC(C=np.inf, kernel="linear", tol=1e-8).fit(points)
    title = f"margin 2 / |w| = {2 * model.margin_[0]:.3f}"
    return plots.margins(model, points.features, points.y, title=title).figure


@figure("N0/5.3", "XOR in the plane, and mapped to x1², √2 x1 x2, x2², where a plane separates it")
def xor_in_three_dimensions() -> Figure:
    from matplotlib.figure import Figure  # noqa: PLC0415  as everywhere: matplotlib is imported by the first plot

    X = np.array([[0.0, 0.0], [0.0, 1.0], [1.0, 0.0], [1.0, 1.0]])
    y = np.array(["-", "+", "+", "-"])
    kernel = kernels.Polynomial(2, constant=0.0)
    phi = kernels.feature_map(X, kernel)
    model = SVC(C=np.inf, kernel="linear", tol=1e-10).fit(phi, y)
    sheet = Figure(figsize=(9.0, 4.2), layout="constrained")
    plots.boundaries([], X, y, sheet.add_subplot(1, 2, 1), title="no line separates XOR")
    w, b = model.coef_[0], float(model.intercept_[0])
    names = ("x1²", "√2 x1 x2", "x2²")
    space = sheet.add_subplot(1, 2, 2, projection="3d")
    plots.feature_space(phi, y, w, -b, space, names=names)
    # Names of axes in space are not part of the layout: they need room and a distance from the ticks.
    space.set_box_aspect(None, zoom=0.82)
    space.yaxis.labelpad = 9
    return sheet


@figure("N0/5.4", "Soft margin: the red points are inside the margin or on the wrong side")
def soft_margin() -> Figure:
    points = datasets.margin_points("overlapping")
    model = SVC(C=1.0, kernel="linear", tol=1e-8).fit(points)
    return plots.margins(model, points.features, points.y, violations=True).figure


@figure("N0/5.5", "Hinge, exponential and logistic loss as bounds of the zero-one loss")
def surrogate_losses() -> Figure:
    shown = {
        "zero-one": losses.ZeroOneLoss(),
        "hinge": losses.HingeLoss(),
        "exponential": losses.ExponentialLoss(),
        "logistic": losses.LogLoss(),
    }
    return plots.loss_functions(shown, reach=2.0).figure


@figure("N0/Tab 5.1", "Kernel functions, each with its value for x = (1, 2) and z = (3, 1)")
def kernel_table() -> Figure:
    x, z = np.array([1.0, 2.0]), np.array([3.0, 1.0])
    rows = [
        ("linear", "x·z", "", kernels.Linear()),
        ("polynomial", "(x·z)^d", "d = 3", kernels.Polynomial(3, constant=0.0)),
        ("Gaussian", "exp(-|x - z|² / (2 σ²))", "σ = 2", kernels.Gaussian(2.0)),  # noqa: RUF001
        ("Laplacian", "exp(-|x - z| / σ)", "σ = 2", kernels.Laplacian(2.0)),  # noqa: RUF001
        ("sigmoid", "tanh(β x·z + θ)", "β = 0.5, θ = -1", kernels.Sigmoid(0.5, -1.0)),
    ]
    cells = [[name, formula, settings, float(kernel(x, z))] for name, formula, settings, kernel in rows]
    return plots.text_table(cells, ["kernel", "k(x, z)", "here", "value"]).figure

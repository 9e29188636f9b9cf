"""Figures of note N1: support vector machines."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from gallery import figure
from hornbook import SVC, datasets, kernels, plots

if TYPE_CHECKING:
    from matplotlib.figure import Figure

QUADRATIC = kernels.Polynomial(2, constant=1.0)


@figure("N1/F14", "A line through p and q: its weight vector, and the distances of the origin and of a point")
def line_geometry() -> Figure:
    return plots.hyperplane([5.0, 2.0], -20.0, {"p": (4.0, 0.0), "q": (2.0, 5.0), "x": (6.0, 4.0)}).figure


@figure("N1/F15", "A separating line with its margins at 1 / |w| on both sides; support vectors are ringed")
def canonical_line() -> Figure:
    points = datasets.margin_points("separable")
    model = SVC(C=np.inf, kernel="linear", tol=1e-8).fit(points)
    title = f"1 / |w| = {1 / np.linalg.norm(model.coef_):.3f}"
    return plots.margins(model, points.features, points.y, title=title).figure


@figure("N1/F16", "The 14 points with the best line, its margins and its support vectors")
def fourteen_points() -> Figure:
    points = datasets.margin_points("separable")
    model = SVC(C=np.inf, kernel="linear", tol=1e-8).fit(points)
    w, b = model.coef_[0], float(model.intercept_[0])
    title = f"{w[0]:.3f} x1 + {w[1]:.3f} x2 = {-b:.3f}"
    return plots.margins(model, points.features, points.y, title=title).figure


@figure("N1/F17", "Soft margin of the 18 points: the red ones have a slack above 0")
def eighteen_points() -> Figure:
    points = datasets.margin_points("overlapping")
    model = SVC(C=1.0, kernel="linear", tol=1e-8).fit(points)
    slack = np.maximum(1 - np.where(points.y == 1, 1, -1) * model.decision_function(points.features), 0)
    title = f"C = 1, slacks sum to {slack.sum():.3f}"
    return plots.margins(model, points.features, points.y, violations=True, title=title).figure


@figure("N1/F18", "The 18 points")
def overlapping_points() -> Figure:
    points = datasets.margin_points("overlapping")
    return plots.boundaries([], points.features, points.y).figure


@figure("N1/F19", "No line separates these points, but a closed quadratic curve does")
def closed_boundary() -> Figure:
    draw = np.random.default_rng(0)
    X = draw.normal(size=(70, 2)) * [1.4, 1.0] + [4.0, 3.0]
    size = np.sqrt(((X - [4.0, 3.0]) ** 2 / [1.96, 1.0]).sum(axis=1))
    chosen = (size < 0.85) | (size > 1.25)
    X, y = X[chosen], np.where(size[chosen] < 1, "inside", "outside")
    model = SVC(C=100.0, kernel=QUADRATIC).fit(X, y)
    return plots.boundaries([], X, y, bold=model).figure


@figure("N1/F20", "The best quadratic boundary for C = 4 is an ellipse; dotted where the score is -1 and 1")
def quadratic_boundary() -> Figure:
    points = datasets.margin_points("ellipse")
    model = SVC(C=4.0, kernel=QUADRATIC, tol=1e-8).fit(points)
    return plots.margins(model, points.features, points.y).figure


def _linear(C: float, **settings: object) -> SVC:
    settings = {"kernel": "linear", "solver": "dual_ascent", "augment": True, "tol": 1e-4} | settings
    return SVC(C=C, **settings)  # type: ignore[arg-type]


@figure("N1/F21", "Setosa and the rest by linear machines with C = 10 and C = 1000")
def two_costs() -> Figure:
    flowers = datasets.iris(view="plane", positive="setosa")
    models = {"C = 10": _linear(10.0).fit(flowers), "C = 1000": _linear(1000.0, tol=1e-3).fit(flowers)}
    return plots.boundaries(models, flowers.features, flowers.y).figure


@figure("N1/F22", "Versicolor and the rest: a line cannot separate them, a quadratic curve nearly does")
def linear_and_quadratic() -> Figure:
    flowers = datasets.iris(view="components", positive="versicolor")
    models = {
        "linear": _linear(10.0, tol=1e-3).fit(flowers),
        "quadratic": _linear(10.0, kernel=QUADRATIC, tol=1e-3).fit(flowers),
    }
    return plots.boundaries(models, flowers.features, flowers.y).figure


def _both(kernel: object, C: float) -> dict[str, SVC]:
    settings: dict[str, object] = {"kernel": kernel, "loss": "squared_hinge", "tol": 1e-3}
    return {
        "dual ascent": _linear(C, **settings),
        "primal Newton": _linear(C, **settings, solver="primal_newton"),
    }


@figure("N1/F23", "Setosa and the rest: dual ascent and Newton on the primal end in the same line")
def dual_and_primal_line() -> Figure:
    flowers = datasets.iris(view="plane", positive="setosa")
    models = {name: model.fit(flowers) for name, model in _both("linear", 1000.0).items()}
    return plots.boundaries(models, flowers.features, flowers.y).figure


@figure("N1/F24", "Versicolor and the rest: both solvers with the quadratic kernel")
def dual_and_primal_curve() -> Figure:
    flowers = datasets.iris(view="components", positive="versicolor")
    models = {name: model.fit(flowers) for name, model in _both(QUADRATIC, 10.0).items()}
    return plots.boundaries(models, flowers.features, flowers.y).figure

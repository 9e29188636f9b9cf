"""Figures of note N2: Newton's method, gradients, and extrema under constraints."""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING, Any

import numpy as np

from gallery import figure
from hornbook import plots
from hornbook.optimize import NumericDerivatives, gradient_descent, newton_root, stationary_point
from hornbook.params import Floats

if TYPE_CHECKING:
    from matplotlib.figure import Figure

# 5/6 u^4 - 7 u^3 + 115/6 u^2 - 18 u + 6
QUARTIC = np.polynomial.Polynomial([6.0, -18.0, 115 / 6, -7.0, 5 / 6])


class Quartic:
    """The function with its derivatives, as the searches want it."""

    def first(self, u: Floats) -> tuple[float, Floats]:
        return float(QUARTIC(u[0])), np.array([QUARTIC.deriv()(u[0])])


def in_space(count: int) -> tuple[Figure, list[Any]]:
    """A figure of so many plots in three dimensions, side by side."""
    from matplotlib.figure import Figure  # noqa: PLC0415  as everywhere: matplotlib is imported by the first plot

    sheet = Figure(figsize=(4.4 * count, 4.2), layout="constrained")
    return sheet, [sheet.add_subplot(1, count, i + 1, projection="3d") for i in range(count)]


@figure(
    "N2/FIG20",
    "A function, its quadratic approximation at a point, and the apex to which Newton's step leads",
)
def quadratic_approximation() -> Figure:
    at = 1.05
    derivatives = [float(QUARTIC(at)), float(QUARTIC.deriv()(at)), float(QUARTIC.deriv(2)(at))]
    return plots.parabola(QUARTIC, derivatives, at, reach=(0.2, 1.7), name="u").figure


@figure(
    "N2/FIG21", "Newton and Raphson: where each tangent meets the axis is the next point; the cube root of 2"
)
def newton_tangents() -> Figure:
    points: list[float] = []

    def cubic(x: float) -> tuple[float, float]:
        points.append(float(x))
        return x**3 - 2.0, 3.0 * x**2

    newton_root(cubic, 3.0)
    return plots.tangents(lambda x: x**3 - 2.0, points[:4]).figure


@figure("N2/FIG22", "The gradient of z = f(x, y) at a point")
def gradient_vector() -> Figure:
    place = np.array([0.8, 0.25])
    slope = NumericDerivatives(_bowl).second(place)[1]
    arrow = 0.6 * slope / np.linalg.norm(slope)
    return plots.surface(
        lambda x, y: _bowl(np.array([x, y])),
        (-1.5, 1.5),
        (-1.5, 1.5),
        arrows={"gradient": (place, arrow)},
        names=("x", "y", "z"),
    ).figure


def _bowl(v: Floats) -> Any:
    return 0.5 * v[0] ** 2 + v[1] ** 2


@figure("N2/FIG23", "Ten steps of gradient descent on a polynomial of degree 4")
def descent_steps() -> Figure:
    start = np.array([0.2])
    steps = islice(gradient_descent(Quartic(), start, rate=0.01), 10)
    points = [0.2, *(float(step.x[0]) for step in steps)]
    return plots.descent(QUARTIC, points, reach=(0.0, 4.0), name="u").figure


@figure("N2/FIG28", "A stick pendulum: x and y are bound to r, and the angle is the only coordinate")
def stick_pendulum() -> Figure:
    return plots.pendulum(0.6).figure


@figure("N2/FIG29", "Two constraints as planes, the line on which both hold, and their gradients")
def two_constraints() -> Figure:
    return plots.constraint_planes([[0.35, 0.0, 1.0], [0.2, 1.0, -0.25]], [0.0, 0.0]).figure


@figure(
    "N2/FIG30", "Smallest x² + y² with x + y = 1: the function, the constraint, the Lagrangian, the gradients"
)
def lagrange_example() -> Figure:
    point = stationary_point(
        NumericDerivatives(lambda v: v @ v),
        np.array([3.0, -4.0]),
        constraints=[NumericDerivatives(lambda v: v[0] + v[1] - 1)],
    )
    multiplier = float(point.multipliers[0])
    reach, line = (-0.5, 1.5), [[-0.5, 1.5], [1.5, -0.5]]
    sheet, (left, middle, right) = in_space(3)
    sheet.set_size_inches(13.2, 8.4)
    grid = sheet.add_gridspec(2, 3)
    for i, ax in enumerate((left, middle, right)):
        ax.set_subplotspec(grid[0, i])
    plots.surface(
        lambda x, y: x**2 + y**2, reach, reach, left, points={"optimum": point.x}, curves=[line], title="f"
    )
    plots.surface(
        lambda x, y: x + y - 1, reach, reach, middle, curves=[line], names=("x", "y", "C"), title="C"
    )
    plots.surface(
        lambda x, y: x**2 + y**2 - multiplier * (x + y - 1),
        reach,
        reach,
        right,
        points={"minimum": point.x},
        names=("x", "y", "L"),
        title=f"f - {multiplier:.3g} C",
    )
    for i, field in enumerate((False, True)):
        ax = sheet.add_subplot(grid[1, i])
        title = "field of gradients" if field else "gradients"
        plots.constrained(
            lambda v: v @ v, lambda v: v[0] + v[1] - 1, point.x, reach, reach, ax, field=field, title=title
        )
    return sheet

"""Figures of note N4: distances, looks at one column, principal components."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from gallery import figure, panels
from hornbook import PCA, KMeans, plots
from hornbook.distances import Mahalanobis, Minkowski
from hornbook.params import Floats

if TYPE_CHECKING:
    from matplotlib.figure import Figure


@figure(
    "N4/f10", "Compact clusters? The same points in two scales, and what 2-means makes of them (generated)"
)
def two_scales() -> Figure:
    draw = np.random.default_rng(0)
    corners = np.array([[0.0, 0.0], [0.0, 1.0], [1.0, 0.0], [1.0, 1.0]])
    points = np.repeat(corners, 20, axis=0) + draw.normal(0.0, 0.1, (80, 2))
    sheet, places = panels(2, size=(4.8, 3.6))
    for factors, ax in zip(([3.0, 1.0], [1.0, 3.0]), places, strict=True):
        X = points * factors
        plots.clusters(X, KMeans(2, random_state=0).fit(X).labels_, ax=ax)
        ax.set_title(f"x1 times {factors[0]:g}, x2 times {factors[1]:g}")
        ax.set_aspect("equal", adjustable="datalim")
    return sheet


@figure("N4/f11", "Unit circles of the L1, L2, L4 and largest-difference norms")
def unit_balls() -> Figure:
    norms = {"L1": Minkowski(1.0), "L2": Minkowski(2.0), "L4": Minkowski(4.0), "L∞": Minkowski(np.inf)}
    return plots.distance_contours(norms, reach=1.2).figure


def cloud(n: int = 120) -> Floats:
    """Points of a correlated normal distribution."""
    return np.random.default_rng(0).multivariate_normal([2.0, 1.0], [[2.0, 1.1], [1.1, 0.9]], n)


@figure(
    "N4/f12", "Points at equal Mahalanobis distances from the mean, and at equal Euclidean ones (generated)"
)
def equal_distances() -> Figure:
    X = cloud()
    covariance = np.cov(X.T, bias=True)
    metrics = {"Mahalanobis": Mahalanobis(covariance), "Euclidean": Minkowski(2.0)}
    return plots.distance_contours(metrics, center=X.mean(axis=0), levels=(1.0, 2.0), reach=4.2, X=X).figure


def incomes() -> Floats:
    """Drawn numbers like the gross domestic products of 231 countries per head, in dollars."""
    return np.random.default_rng(5).lognormal(9.1, 1.0, 231).round(-2)


@figure(
    "N4/f13", "Histogram of 231 drawn numbers like the GDP of countries per head, in bins of 2,000 dollars"
)
def income_histogram() -> Figure:
    ax = plots.histogram(incomes(), 2000.0)
    ax.set_xlabel("dollars per head, in bins of 2000")
    return ax.figure


@figure("N4/f14", "The same numbers as percentages of the data below each value")
def income_percentiles() -> Figure:
    ax = plots.percentiles(incomes())
    ax.set_xlabel("dollars per head")
    return ax.figure


@figure(
    "N4/f15",
    "Principal components: the data with the original axes and with rotated ones in green (generated)",
)
def rotated_axes() -> Figure:
    X = cloud()
    model = PCA(2).fit(X)
    deviations = np.sqrt(model.explained_variance_)
    return plots.turned_axes(X, model.mean_, model.components_, deviations).figure


@figure("N4/f16", "The first and second component on centered data (generated)")
def centered_components() -> Figure:
    X = cloud()
    model = PCA(2).fit(X)
    deviations = np.sqrt(model.explained_variance_)
    return plots.turned_axes(X - model.mean_, [0.0, 0.0], model.components_, deviations, lines=False).figure


@figure("N4/f17", "The spectrum of data with 60 columns, of which 20 components are kept (generated)")
def sixty_components() -> Figure:
    draw = np.random.default_rng(0)
    scales = np.exp(-np.arange(60) / 7.0)
    X = draw.normal(size=(300, 60)) * scales @ np.linalg.qr(draw.normal(size=(60, 60)))[0]
    return plots.spectrum(PCA(60).fit(X).explained_variance_, 20).figure

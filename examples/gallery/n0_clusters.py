"""Figures of note N0: clustering of the watermelons 4.0."""

from __future__ import annotations

import warnings
from typing import TYPE_CHECKING

import numpy as np
from sklearn.exceptions import ConvergenceWarning

from gallery import figure, panels
from hornbook import DBSCAN, KMeans, LVQClassifier, datasets, plots

if TYPE_CHECKING:
    from matplotlib.figure import Figure

NAMES = ("density", "sugar")


def _melons() -> np.ndarray:
    return datasets.watermelon("4.0").features.numbers


@figure("N0/7.1", "k-means")
def kmeans_algorithm() -> Figure:
    return plots.algorithm("k-means").figure


@figure("N0/7.2", "k-means with k = 3 after 1, 2, 3 and 4 rounds: means are crosses, borders dashed")
def kmeans_rounds() -> Figure:
    X = _melons()
    sheet, places = panels(2, 2)
    for rounds, place in enumerate(places, start=1):
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", ConvergenceWarning)  # stopped on purpose
            model = KMeans(3, init=X[[5, 11, 23]], max_iter=rounds, tol=0.0).fit(X)
        plots.voronoi(model.cluster_centers_, X, ax=place, names=NAMES).set_title(f"after round {rounds}")
    return sheet


@figure("N0/7.3", "Learning vector quantization")
def lvq_algorithm() -> Figure:
    return plots.algorithm("LVQ").figure


@figure(
    "N0/7.4",
    "LVQ with five prototypes after 30, 150, 300 and 600 draws: prototypes are crosses, borders dashed",
)
def lvq_rounds() -> Figure:
    X = _melons()
    number = np.arange(1, len(X) + 1)
    y = np.where((number >= 9) & (number <= 21), "c2", "c1")
    labels = ["c1", "c2", "c2", "c1", "c1"]
    model = LVQClassifier(labels, init=X[[4, 11, 17, 22, 28]], eta0=0.1, learning_rate="constant")
    draw = np.random.default_rng(0)
    sheet, places = panels(2, 2)
    draws = 0
    for stop, place in zip((30, 150, 300, 600), places, strict=True):
        while draws < stop:
            order = draw.permutation(len(X))
            model.partial_fit(X[order], y[order], classes=["c1", "c2"])
            draws += len(X)
        plots.voronoi(
            model.prototypes_, X, ax=place, classes=y, center_classes=model.prototype_classes_, names=NAMES
        ).set_title(f"after {stop} draws")
    return sheet


@figure("N0/7.5", "DBSCAN with MinPts = 3: x1 is a core row, x2 and x3 are reached from it, x4 is noise")
def dbscan_concepts() -> Figure:
    X = np.array([[0.0, 0.0], [0.8, 0.25], [1.65, 0.1], [3.3, 0.9], [-0.65, -0.5]])
    model = DBSCAN(eps=1.0, min_samples=3).fit(X)
    roles = np.where(model.labels_ < 0, "noise", "border row")
    roles[model.core_sample_indices_] = "core row"
    labels = ["x1", "x2", "x3", "x4"]
    return plots.neighborhoods(X, roles, X, 1.0, labels=labels, title="dashed: within eps of a row").figure


@figure("N0/7.6", "DBSCAN")
def dbscan_algorithm() -> Figure:
    return plots.algorithm("DBSCAN").figure


@figure("N0/7.7", "DBSCAN with eps = 0.11 and MinPts = 5: after each of its four clusters")
def dbscan_rounds() -> Figure:
    X = _melons()
    # Seeds in the order of the worked example: x8, x3, x29, x24.
    model = DBSCAN(eps=0.11, min_samples=5, order=[7, 2, 28, 23]).fit(X)
    core = np.zeros(len(X), dtype=bool)
    core[model.core_sample_indices_] = True
    sheet, places = panels(2, 2)
    for i, place in enumerate(places):
        last = i == len(places) - 1
        seen = model.labels_ <= i if last else (model.labels_ <= i) & (model.labels_ >= 0)
        labels = np.where(seen, model.labels_, -2)
        plots.clusters(X, labels, core, place, outlines=True, names=NAMES).set_title(f"C{i + 1} is complete")
    return sheet

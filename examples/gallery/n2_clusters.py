"""Figures of note N2: distances of clusters, c-means, fuzzy c-means and Gustafson-Kessel."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from gallery import figure, panels
from hornbook import FuzzyCMeans, GustafsonKessel, KMeans, datasets, plots
from hornbook.distances import Mahalanobis

if TYPE_CHECKING:
    from matplotlib.figure import Figure


@figure("N2/FIG27", "Unit circles of the Euclidean and of a Mahalanobis distance")
def unit_circles() -> Figure:
    shape = np.array([[1.6, 0.7], [0.7, 0.6]])
    circles = {"Euclidean": "euclidean", "Mahalanobis": Mahalanobis(shape)}
    return plots.distance_contours(circles, reach=1.6).figure


@figure("N2/FIG31", "The butterfly: c-means gives the middle point to one side, fuzzy c-means shares it")
def butterfly() -> Figure:
    points = datasets.butterfly()
    sheet, (left, right) = panels(2, size=(4.6, 3.4))
    KMeans(2, random_state=0).fit(points).plot(points, ax=left)
    FuzzyCMeans(2, random_state=0).fit(points).plot(points, ax=right)
    left.set_title("c-means")
    right.set_title("fuzzy c-means")
    return sheet


@figure("N2/FIG32", "Iris: sepal length and width, petal length and width")
def iris_columns() -> Figure:
    iris = datasets.iris()
    names = iris.features.schema.names
    sheet, places = panels(2, size=(4.8, 3.6))
    for pair, ax in zip((names[:2], names[2:]), places, strict=True):
        plots.boundaries([], iris.select(pair), iris.y, ax)
    return sheet


@figure(
    "N2/FIG33", "Iris: fuzzy c-means and Gustafson-Kessel on four columns, and the latter on petals alone"
)
def iris_clusters() -> Figure:
    iris = datasets.iris()
    X, petals = iris.numbers, iris.numbers[:, 2:]
    sheet, places = panels(2, 2, size=(4.8, 3.6))
    names = iris.features.schema.names[2:]
    for learner, title, ax in zip(
        (FuzzyCMeans, GustafsonKessel), ("fuzzy c-means", "Gustafson-Kessel"), places[:2], strict=True
    ):
        model = learner(3, random_state=0).fit(X)
        plots.memberships(petals, model.memberships_, model.cluster_centers_[:, 2:], ax, names=names)
        ax.set_title(f"{title}, four columns")
    for k, ax in zip((3, 4), places[2:], strict=True):
        model = GustafsonKessel(k, random_state=1, n_init=10, max_iter=1000).fit(petals)
        plots.memberships(petals, model.memberships_, model.cluster_centers_, ax, names=names)
        ax.set_title(f"Gustafson-Kessel, petals, {k} clusters")
    return sheet

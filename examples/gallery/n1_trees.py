"""Figures of note N1: decision trees on Iris."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from gallery import figure, panels
from hornbook import DecisionTreeClassifier, datasets, impurity, plots

if TYPE_CHECKING:
    from matplotlib.figure import Figure


def _fitted() -> tuple[object, DecisionTreeClassifier]:
    flowers = datasets.iris(view="plane", positive="setosa")
    return flowers, DecisionTreeClassifier(criterion="entropy", leaf_size=5, purity=0.95).fit(flowers)


@figure("N1/F04", "A tree cuts the plane into the regions R1 to R6")
def regions() -> Figure:
    flowers, model = _fitted()
    return model.plot_partition(flowers).figure


@figure("N1/F05", "The tree of these regions: conditions, counts of the classes, majority classes")
def iris_tree() -> Figure:
    _, model = _fitted()
    return model.plot().figure


@figure("N1/F06", "Rows of each class at or below a value of sepal length: 45 and 7 at 5.45")
def frequencies() -> Figure:
    flowers = datasets.iris(view="plane", positive="setosa")
    name = flowers.features.schema.names[0]
    return plots.class_frequencies(flowers[name], flowers.y, threshold=5.45, name=name).figure


@figure("N1/F07", "The information gain of every split point of both columns; the best one is 5.45")
def gains() -> Figure:
    flowers = datasets.iris(view="plane", positive="setosa")
    sheet, places = panels(2)
    for place, name in zip(places, flowers.features.schema.names, strict=True):
        column = np.asarray(flowers[name])
        values = np.unique(column)
        cuts = (values[:-1] + values[1:]) / 2
        heights = [_gain(column <= cut, flowers.y) for cut in cuts]
        plots.split_gain(cuts, heights, place, name=name)
    return sheet


def _gain(below: np.ndarray, y: np.ndarray) -> float:
    table = [[int((side & (y == label)).sum()) for label in np.unique(y)] for side in (below, ~below)]
    return float(impurity.information_gain(table))

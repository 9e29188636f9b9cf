"""Figures of note N0: decision trees."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from gallery import figure, panels
from hornbook import DecisionTreeClassifier, ObliqueTreeClassifier, datasets, plots

if TYPE_CHECKING:
    from matplotlib.figure import Figure


def _by_value(version: str) -> DecisionTreeClassifier:
    model = DecisionTreeClassifier(criterion="entropy", splits="multiway", missing="fractional")
    return model.fit(datasets.watermelon(version))


@figure("N0/3.1", "The tree of information gain on the watermelons 2.0")
def melon_tree() -> Figure:
    return _by_value("2.0").plot().figure


@figure("N0/3.2", "How a decision tree is grown")
def tree_algorithm() -> Figure:
    return plots.algorithm("decision tree").figure


@figure("N0/3.3", "The tree of the watermelons 2.0a, whose missing cells go down all branches with weights")
def missing_tree() -> Figure:
    return _by_value("2.0a").plot().figure


@figure("N0/3.4", "The tree of density and sugar")
def density_tree() -> Figure:
    return DecisionTreeClassifier(criterion="entropy").fit(datasets.watermelon("3.0a")).plot().figure


@figure("N0/3.5", "Boundaries parallel to the axes, and oblique ones, on the same melons")
def axis_parallel_and_oblique() -> Figure:
    melons = datasets.watermelon("3.0a")
    sheet, (left, right) = panels(2)
    X, y = melons.features, np.where(melons.y, "ripe", "unripe")
    upright = DecisionTreeClassifier(criterion="entropy").fit(X, y)
    slanted = ObliqueTreeClassifier(criterion="entropy").fit(X, y)
    plots.boundaries([], X, y, left, bold=upright, title=f"axis-parallel, {_leaves(upright)} regions")
    plots.boundaries([], X, y, right, bold=slanted, title=f"oblique, {_leaves(slanted)} regions")
    return sheet


def _leaves(model: DecisionTreeClassifier | ObliqueTreeClassifier) -> int:
    return int(model.describe().to_dict()["facts"]["leaves"])

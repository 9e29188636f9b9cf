"""Learners that keep the training rows and ask the nearest ones.

`KNeighborsClassifier` and `KNeighborsRegressor` ask a number of neighbors, `RadiusNeighborsClassifier` all
those within a radius; `KNNDensity` estimates densities from the distance to the k-th. They take numbers,
categories and missing cells; see `hornbook.distances` for how far apart two rows are.
"""

from __future__ import annotations

from hornbook.neighbors._density import KNNDensity
from hornbook.neighbors._kneighbors import KNeighborsClassifier, KNeighborsRegressor
from hornbook.neighbors._radius import RadiusNeighborsClassifier

__all__ = ["KNNDensity", "KNeighborsClassifier", "KNeighborsRegressor", "RadiusNeighborsClassifier"]

"""Nearest-neighbor learners: they store the training rows and predict from the nearest ones.

`KNeighborsClassifier` and `KNeighborsRegressor` use the k nearest rows, `RadiusNeighborsClassifier` all
those within a radius; `KNNDensity` estimates densities from the distance to the k-th. They take numbers,
categories and missing cells; see `hornbook.distances` for how far apart two rows are.
"""

from __future__ import annotations

from hornbook.neighbors._density import KNNDensity
from hornbook.neighbors._kneighbors import KNeighborsClassifier, KNeighborsRegressor
from hornbook.neighbors._memory import Algorithm as Algorithm
from hornbook.neighbors._memory import Memory as Memory
from hornbook.neighbors._memory import placed_memory as placed_memory
from hornbook.neighbors._radius import RadiusNeighborsClassifier

__all__ = ["KNNDensity", "KNeighborsClassifier", "KNeighborsRegressor", "RadiusNeighborsClassifier"]

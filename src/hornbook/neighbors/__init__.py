"""Nearest-neighbor learners: they store the training rows and predict from the nearest ones.

`KNeighborsClassifier` and `KNeighborsRegressor` use the k nearest rows, `RadiusNeighborsClassifier` and
`RadiusNeighborsRegressor` all those within a radius; `NearestNeighbors` finds them without a target, and
`KNNDensity` estimates densities from the distance to the k-th. They take numbers, categories and missing
cells; see `hornbook.distances` for how far apart two rows are.
"""

from __future__ import annotations

from hornbook._lazy import attach

HOMES = {
    "KNeighborsClassifier": "_kneighbors",
    "KNeighborsRegressor": "_kneighbors",
    "KNNDensity": "_density",
    "NearestNeighbors": "_nearest_neighbors",
    "RadiusNeighborsClassifier": "_radius",
    "RadiusNeighborsRegressor": "_radius",
}

# Lent to other packages, not for users.
LENT = {
    "Algorithm": "_memory",
    "Memory": "_memory",
    "placed_memory": "_memory",
}

__all__ = list(HOMES)
__getattr__, __dir__ = attach(__name__, HOMES, LENT)

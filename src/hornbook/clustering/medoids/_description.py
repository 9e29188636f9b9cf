"""How `describe` presents medoids."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from numpy.typing import NDArray

from hornbook.base import Table
from hornbook.clustering.medoids._all_distances import Indices
from hornbook.distances import Distance
from hornbook.params import Floats

__all__ = ["distance_text", "medoid_tables"]


def distance_text(distance: Any) -> str:
    """The name of a distance."""
    return str(distance) if isinstance(distance, Distance) else "a function"


def medoid_tables(
    medoids: Indices, mass: Floats, centers: NDArray[Any] | None, names: Sequence[str]
) -> list[Table]:
    """Medoid and weight of each cluster, and the cells of the medoids with one row for each column."""
    clusters = zip(range(len(mass)), medoids.tolist(), mass.tolist(), strict=True)
    tables = [Table("Clusters", ["cluster", "medoid (row)", "weight"], [list(row) for row in clusters])]
    if centers is not None:
        head = ["column", *(f"cluster {i}" for i in range(len(centers)))]
        cells = [[str(name), *column] for name, column in zip(names, centers.T.tolist(), strict=True)]
        tables.append(Table("Medoids", head, cells))
    return tables

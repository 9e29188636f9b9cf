"""How `describe` and `working` present clusters: their centers, and the terms of one prediction."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from hornbook.base import Table, Term
from hornbook.display import Cell
from hornbook.params import Floats

__all__ = ["center_tables", "terms_of"]


def center_tables(centers: Floats, seen: Floats, names: NDArray[Any]) -> list[Table]:
    """Weight of the clusters, and their centers with one row for each column."""
    weights: list[list[Cell]] = [[i, float(weight)] for i, weight in enumerate(seen.max(axis=1))]
    rows: list[list[Cell]] = [
        [str(name), *map(float, column)] for name, column in zip(names, centers.T, strict=True)
    ]
    head = ["column", *(f"cluster {i}" for i in range(len(centers)))]
    return [Table("Clusters", ["cluster", "weight"], weights), Table("Centers", head, rows)]


def terms_of(x: Floats, centers: Floats, names: NDArray[Any]) -> list[Term]:
    """Minus the square of the difference in each known column, for each center."""
    known = np.flatnonzero(~np.isnan(x))
    if not len(known):
        return [Term("no cell is known", [0.0] * len(centers))]
    return [Term(f"{names[j]} = {x[j]:.6g}", (0.0 - np.square(x[j] - centers[:, j])).tolist()) for j in known]

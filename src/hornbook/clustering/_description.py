"""Clusters in words: their centres, and the terms of one answer."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from hornbook.base import Floats, Table, Term
from hornbook.display import Cell

__all__ = ["centre_tables", "terms_of"]


def centre_tables(centres: Floats, seen: Floats, names: NDArray[Any]) -> list[Table]:
    """Weight of the clusters, and their centres with one row for each column."""
    weights: list[list[Cell]] = [[i, float(weight)] for i, weight in enumerate(seen.max(axis=1))]
    rows: list[list[Cell]] = [
        [str(name), *map(float, column)] for name, column in zip(names, centres.T, strict=True)
    ]
    head = ["column", *(f"cluster {i}" for i in range(len(centres)))]
    return [Table("Clusters", ["cluster", "weight"], weights), Table("Centres", head, rows)]


def terms_of(x: Floats, centres: Floats, names: NDArray[Any]) -> list[Term]:
    """Minus the square of the difference in each known column, for each centre."""
    known = np.flatnonzero(~np.isnan(x))
    if not len(known):
        return [Term("no cell is known", [0.0] * len(centres))]
    return [Term(f"{names[j]} = {x[j]:.6g}", (0.0 - np.square(x[j] - centres[:, j])).tolist()) for j in known]

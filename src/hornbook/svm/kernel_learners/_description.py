"""How `describe` and `working` present weighted sums of kernel values."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from hornbook.base import Table, Term
from hornbook.display import Cell
from hornbook.params import Floats

__all__ = ["expansion_table", "kernel_terms", "two_sided"]

MOST_TERMS = 20  # rows that are listed one by one
MOST_ROWS = 10  # rows in a description


def _by_size(sizes: Floats) -> NDArray[np.intp]:
    """The places of numbers, the largest in size first."""
    return np.argsort(-np.abs(sizes), kind="stable")


def kernel_terms(values: Floats, coef: Floats, rows: NDArray[Any]) -> list[Term]:
    """Coefficient times kernel value for each stored row, the largest first and small ones as one sum.

    ``coef`` has a column for each candidate; ``rows`` says which rows of the fit are stored.
    """
    added = values[:, None] * coef
    order = _by_size(np.abs(added).max(axis=1))
    order = order[np.abs(added[order]).max(axis=1) > 0]
    listed, rest = order[:MOST_TERMS], order[MOST_TERMS:]
    terms = [Term(f"row {rows[i]}: k(x, row) = {values[i]:.6g}", added[i].tolist()) for i in listed]
    if len(rest):
        terms.append(Term(f"{len(rest)} further rows", added[rest].sum(axis=0).tolist()))
    return terms


def two_sided(coef: Floats) -> Floats:
    """Columns for both classes where there is a score for the second only: the first has 0."""
    return np.hstack([np.zeros_like(coef), coef]) if coef.shape[1] == 1 else coef


def expansion_table(title: str, coef: Floats, heads: list[str], rows: NDArray[Any]) -> Table:
    """The rows with the largest coefficients."""
    order = _by_size(np.abs(coef).max(axis=1))[:MOST_ROWS]
    cells: list[list[Cell]] = [[f"row {rows[i]}", *map(float, coef[i])] for i in order]
    return Table(title, ["training row", *heads], cells)

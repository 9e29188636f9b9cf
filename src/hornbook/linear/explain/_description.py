"""How `describe` and `working` present linear classifiers: coefficients, and the terms of one prediction."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from hornbook.base import Table, Term
from hornbook.display import Cell
from hornbook.params import Floats

__all__ = ["class_table", "coefficient_tables", "score_table", "terms_of"]


def coefficient_tables(
    coef: Floats, intercept: Floats, names: NDArray[Any], classes: NDArray[Any]
) -> list[Table]:
    """Coefficients and their odds ratios, one row for each column."""
    rows = ["intercept", *names]
    values = np.vstack([intercept, coef.T])
    # An odds ratio of infinity is shown as such.
    with np.errstate(over="ignore"):
        ratios = np.exp(values)
    if len(coef) == 1:
        cells = [[name, float(v[0]), float(r[0])] for name, v, r in zip(rows, values, ratios, strict=True)]
        title = f"Log odds of {classes[1]} against {classes[0]}"
        return [Table(title, ["term", "coefficient", "odds ratio"], cells)]
    head = ["term", *(str(label) for label in classes)]
    return [
        Table(title, head, [[name, *map(float, row)] for name, row in zip(rows, numbers, strict=True)])
        for title, numbers in (("Coefficients", values), ("Odds ratios", ratios))
    ]


def class_table(title: str, numbers: Floats, names: NDArray[Any], classes: NDArray[Any]) -> Table:
    """Numbers of each class (rows of the array) and column; one row of the table for each column."""
    cells: list[list[Cell]] = [
        [str(name), *map(float, row)] for name, row in zip(names, numbers.T, strict=True)
    ]
    return Table(title, ["column", *(str(label) for label in classes)], cells)


def score_table(coef: Floats, intercept: Floats, names: NDArray[Any], classes: NDArray[Any]) -> Table:
    """Coefficients of the scores; with two classes of the one score that is positive for the second."""
    numbers = np.column_stack([intercept, coef])
    labels = classes if len(coef) > 1 else np.array(["coefficient"])
    title = "Scores" if len(coef) > 1 else f"Score, positive for {classes[1]}"
    table = class_table(title, numbers, np.append("intercept", names), labels)
    return Table(title, ["term", *table.head[1:]], table.rows)


def terms_of(x: Floats, coef: Floats, intercept: Floats, names: NDArray[Any]) -> list[Term]:
    """Intercept and coefficient times value, for each class; values of 0 add nothing and are left out."""
    weights, start = coef, intercept
    if len(coef) == 1:  # two classes: the score is that of the second, the first has 0
        weights, start = np.vstack([np.zeros_like(coef), coef]), np.append(0.0, intercept)
    terms = [Term("intercept", start.tolist())]
    used = np.flatnonzero(x)
    return terms + [Term(f"{names[j]} = {x[j]:.6g}", (weights[:, j] * x[j]).tolist()) for j in used]

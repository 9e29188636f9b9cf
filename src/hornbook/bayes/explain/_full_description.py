"""The joint tables and covariances of the full Bayes classifier, as one would write them by hand."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hornbook.base import Table
from hornbook.bayes.explain._description import counted_names
from hornbook.bayes.models._full_model import FullFactors
from hornbook.frame import Frame, Schema

__all__ = ["class_tables", "row_factors"]

MOST_CELLS = 400  # of a table that is written with one column as rows, the other as columns
MOST_LISTED = 50  # combinations in a list


def class_tables(model: FullFactors, schema: Schema, classes: NDArray[Any]) -> dict[Any, list[Table]]:
    """For each class its joint table and its normal density."""
    columns = counted_names(model.plan, schema)
    tables: dict[Any, list[Table]] = {label: [] for label in classes.tolist()}
    for c, label in enumerate(tables):
        if columns:
            tables[label].append(_joint(model, columns, c, label))
        if model.normal is not None and len(schema.numeric):
            names = [schema.names[j] for j in schema.numeric]
            tables[label].append(_density(model, names, c, label))
    return tables


def _joint(model: FullFactors, columns: list[tuple[str, Sequence[Any]]], c: int, label: Any) -> Table:
    sizes = [len(levels) for _, levels in columns]
    if len(columns) == 2 and sizes[0] * sizes[1] <= MOST_CELLS:
        return _crossed(model, columns, c, label)
    # More than two columns: a list of the combinations that occur, the likeliest first.
    cells = model.table.counts.cells
    known = cells[(cells >= 0).all(axis=1)]
    probabilities = np.exp(model.table.log_probability(known)[:, c])
    order = np.argsort(-probabilities, kind="stable")[:MOST_LISTED]
    rows = [
        [
            *(levels[code] for (_, levels), code in zip(columns, known[i], strict=True)),
            float(probabilities[i]),
        ]
        for i in order
    ]
    names = [name for name, _ in columns]
    most = "" if len(known) <= MOST_LISTED else f", the {MOST_LISTED} likeliest of {len(known)} seen"
    return Table(f"P({', '.join(names)} | {label}){most}", [*names, "P"], rows)


def _crossed(model: FullFactors, columns: list[tuple[str, Sequence[Any]]], c: int, label: Any) -> Table:
    (down, rows), (across, heads) = columns
    cells = np.indices((len(rows), len(heads))).reshape(2, -1).T.astype(np.int32)
    table = np.exp(model.table.log_probability(np.ascontiguousarray(cells))[:, c])
    table = table.reshape(len(rows), len(heads))
    lines = [[level, *line.tolist(), float(line.sum())] for level, line in zip(rows, table, strict=True)]
    lines.append(["total", *table.sum(axis=0).tolist(), float(table.sum())])
    return Table(f"P({down}, {across} | {label})", [down, *map(str, heads), "total"], lines)


def _density(model: FullFactors, names: list[str], c: int, label: Any) -> Table:
    assert model.normal is not None
    rows = [["mean", *model.normal.mean[c].tolist()]]
    rows += [
        [f"cov {name}", *line.tolist()] for name, line in zip(names, model.normal.covariance[c], strict=True)
    ]
    return Table(f"Normal density in class {label}", ["", *names], rows)


def row_factors(model: FullFactors, schema: Schema, row: Frame) -> list[tuple[str, NDArray[np.float64]]]:
    """Name and logarithm of each factor of one row."""
    codes = model.plan.codes(row.numbers, row.codes)
    columns = counted_names(model.plan, schema)
    cells = [
        f"{name} = {levels[code]}"
        for (name, levels), code in zip(columns, codes[0].tolist(), strict=True)
        if code >= 0
    ]
    factors = []
    if cells:
        factors.append((f"P({', '.join(cells)} | class)", model.table.log_probability(codes)[0]))
    numbers = [
        f"{schema.names[j]} = {value:.6g}"
        for j, value in zip(schema.numeric, row.numbers[0].tolist(), strict=True)
        if not np.isnan(value)
    ]
    if numbers and model.normal is not None:
        factors.append((f"density({', '.join(numbers)} | class)", model.density(row.numbers, 1)[0]))
    return factors

"""The tables of naive Bayes and the factors of one prediction, as one would write them by hand."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hornbook.base import Table
from hornbook.bayes.models._factors import Factors, KernelDensity, NormalDensities
from hornbook.bayes.models._statistics import CountingPlan
from hornbook.frame import Frame, Schema, interval_names
from hornbook.params import Floats

__all__ = ["class_table", "counted_names", "factors_of", "tables"]


def class_table(classes: NDArray[Any], count: Floats, prior: Floats) -> Table:
    """Weight and probability of each class."""
    rows = list(zip(classes.tolist(), count.tolist(), prior.tolist(), strict=True))
    return Table("Classes", ["class", "weight", "P(class)"], rows)


def counted_names(plan: CountingPlan, schema: Schema) -> list[tuple[str, Sequence[Any]]]:
    """Name and levels of each counted column: the categorical ones, then the binned ones."""
    names: list[tuple[str, Sequence[Any]]] = [
        (schema.columns[j].name, schema.columns[j].levels) for j in schema.coded
    ]
    if plan.edges is not None:
        pairs = zip(schema.numeric, plan.edges, strict=True)
        names += [(schema.columns[j].name, interval_names(edges)) for j, edges in pairs]
    return names


def tables(factors: Factors, schema: Schema, classes: NDArray[Any]) -> dict[str, Table]:
    """One table for each column, in the order of the columns."""
    heads = [str(label) for label in classes]
    by_name: dict[str, Table] = {}
    for place, j in enumerate(schema.coded):
        column = schema.columns[j]
        by_name[column.name] = _counted(column.name, heads, column.levels, factors.table(place))
    for place, j in enumerate(schema.numeric):
        name = schema.columns[j].name
        if factors.plan.edges is not None:
            names = interval_names(factors.plan.edges[place])
            by_name[name] = _counted(name, heads, names, factors.table(len(schema.coded) + place))
        else:
            by_name[name] = _density(name, heads, factors.density, place)
    return {name: by_name[name] for name in schema.names}


def _counted(name: str, heads: list[str], levels: Sequence[Any], table: Floats) -> Table:
    rows = [[level, *values] for level, values in zip(levels, table.T.tolist(), strict=True)]
    return Table(f"P({name} | class)", ["value", *heads], rows)


def _density(name: str, heads: list[str], density: NormalDensities | KernelDensity | None, j: int) -> Table:
    if isinstance(density, NormalDensities):
        rows = [["mean", *density.mean[:, j].tolist()], ["sd", *np.sqrt(density.var[:, j]).tolist()]]
        return Table(f"Normal density of {name}", ["", *heads], rows)
    assert isinstance(density, KernelDensity)
    n_columns = density.bandwidth.shape[1]
    points = np.diff(density.offsets)[j::n_columns].tolist()
    rows = [["distinct values", *points], ["bandwidth", *density.bandwidth[:, j].tolist()]]
    return Table(f"Kernel density of {name}", ["", *heads], rows)


def factors_of(factors: Factors, schema: Schema, row: Frame) -> list[tuple[str, Floats]]:
    """Name and logarithm of each factor of one row, in the order of the columns, missing cells left out."""
    numbers, codes = row.numbers, row.codes
    nothing, blank = np.full_like(numbers, np.nan), np.full_like(codes, -1)
    terms: dict[int, tuple[str, Floats]] = {}
    for place, j in enumerate(schema.numeric):
        if not np.isnan(numbers[0, place]):
            alone = nothing.copy()
            alone[0, place] = numbers[0, place]
            # A bin has a probability, a single number only a density.
            what = "P" if factors.plan.edges is not None else "density"
            name = f"{what}({schema.columns[j].name} = {numbers[0, place]:.6g} | class)"
            terms[int(j)] = (name, _log_factor(factors, alone, blank))
    for place, j in enumerate(schema.coded):
        if codes[0, place] >= 0:
            alone_code = blank.copy()
            alone_code[0, place] = codes[0, place]
            level = schema.columns[j].levels[codes[0, place]]
            name = f"P({schema.columns[j].name} = {level} | class)"
            terms[int(j)] = (name, _log_factor(factors, nothing, alone_code))
    return [terms[j] for j in sorted(terms)]


def _log_factor(factors: Factors, numbers: Floats, codes: NDArray[np.int32]) -> Floats:
    # A row with all other cells missing has this one factor.
    return np.asarray(factors.likelihood(numbers, codes, 1)[0])

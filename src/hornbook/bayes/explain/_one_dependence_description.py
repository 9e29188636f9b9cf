"""One-dependence models as tables, as the factors of one prediction, and as a plot."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hornbook.base import Table, Term
from hornbook.bayes.explain._description import counted_names
from hornbook.bayes.models._one_dependence import OneDependence
from hornbook.frame import Frame, Schema
from hornbook.plots import network

__all__ = ["counted_column", "draw_network", "one_dependence_tables", "row_terms"]


def counted_column(schema: Schema, key: str | int, *, binned: bool, parameter: str) -> int:
    """Position of the named column among the counted ones; an error if it is not one of them."""
    try:
        j = schema.position(key)
    except ValueError as error:
        raise ValueError(f"{parameter}: {error}") from None
    order = [*schema.coded.tolist(), *(schema.numeric.tolist() if binned else [])]
    if j not in order:
        raise ValueError(
            f"{parameter} is {schema.names[j]!r}, a number with a normal density, which has no values that "
            "others could depend on: name a category, or set density='bins'."
        )
    return order.index(j)


def one_dependence_tables(model: OneDependence, schema: Schema, classes: NDArray[Any]) -> dict[str, Table]:
    """One table for each column, in the order of the columns."""
    names = counted_names(model.plan, schema)
    tables = {name: _counted(model, names, j, classes) for j, (name, _) in enumerate(names)}
    if model.given is not None:
        for k, j in enumerate(schema.numeric):
            tables[schema.names[j]] = _density(model, names, schema.names[j], k, classes)
    return {name: tables[name] for name in schema.names if name in tables}


def _counted(
    model: OneDependence, names: list[tuple[str, Sequence[Any]]], j: int, classes: NDArray[Any]
) -> Table:
    name, levels = names[j]
    if j == model.joint_root:
        stop = int(model.sizes[: j + 1].sum())
        probabilities = np.exp(model.log_table[:, stop - len(levels) : stop])
        rows = [[level, *own] for level, own in zip(levels, probabilities.T.tolist(), strict=True)]
        return Table(f"P(class, {name})", ["value", *map(str, classes)], rows)
    table, parent = model.table(j), int(model.parents[j])
    if parent < 0:
        rows = [[level, *own] for level, own in zip(levels, table[:, 0].T.tolist(), strict=True)]
        return Table(f"P({name} | class)", ["value", *map(str, classes)], rows)
    above, parent_levels = names[parent]
    rows = [[level, *table[:, 1:, v].ravel().tolist()] for v, level in enumerate(levels)]
    heads = [f"{label}, {value}" for label in classes for value in parent_levels]
    return Table(f"P({name} | class, {above})", ["value", *heads], rows)


def _density(
    model: OneDependence, names: list[tuple[str, Sequence[Any]]], name: str, k: int, classes: NDArray[Any]
) -> Table:
    assert model.given is not None
    parent = int(model.number_parents[k])
    if parent < 0:
        mean, var, heads = (
            model.given.class_mean[:, k],
            model.given.class_var[:, k],
            [str(c) for c in classes],
        )
        above = ""
    else:
        start, levels = int(model.given_starts[parent]), names[parent][1]
        part = slice(start, start + len(levels))
        mean, var = model.given.mean[:, part, k].ravel(), model.given.var[:, part, k].ravel()
        heads = [f"{label}, {value}" for label in classes for value in levels]
        above = f" given {names[parent][0]}"
    rows = [["mean", *mean.tolist()], ["sd", *np.sqrt(var).tolist()]]
    return Table(f"Normal density of {name}{above}", ["", *heads], rows)


def row_terms(model: OneDependence, schema: Schema, row: Frame) -> list[Term]:
    """The factors of one row."""
    counted = model.plan.codes(row.numbers, row.codes)
    names = counted_names(model.plan, schema)
    cells = model.cells(counted)[0]
    starts = np.cumsum(model.sizes) - model.sizes
    terms = [] if model.joint_root >= 0 else [Term("P(class)", model.log_prior.tolist())]
    # The super-parent's factor, which contains P(class), comes first.
    for j in sorted(range(len(names)), key=lambda j: j != model.joint_root):
        if cells[j] >= 0:
            values = model.log_table[:, starts[j] + cells[j]].tolist()
            terms.append(Term(_factor(model, names, counted[0], j), values))
    if model.given is not None:
        terms += _number_terms(model, schema, names, row, counted)
    return terms


def _factor(
    model: OneDependence, names: list[tuple[str, Sequence[Any]]], counted: NDArray[np.int32], j: int
) -> str:
    name, levels = names[j]
    if j == model.joint_root:
        return f"P(class, {name} = {levels[counted[j]]})" if counted[j] >= 0 else "P(class)"
    return f"P({name} = {levels[counted[j]]} | {_condition(names, counted, int(model.parents[j]))})"


def _condition(names: list[tuple[str, Sequence[Any]]], counted: NDArray[np.int32], parent: int) -> str:
    if parent < 0 or counted[parent] < 0:
        return "class"
    return f"class, {names[parent][0]} = {names[parent][1][counted[parent]]}"


def _number_terms(
    model: OneDependence,
    schema: Schema,
    names: list[tuple[str, Sequence[Any]]],
    row: Frame,
    counted: NDArray[np.int32],
) -> list[Term]:
    factors = []
    for k, j in enumerate(schema.numeric):
        value = float(row.numbers[0, k])
        if np.isnan(value):
            continue
        # With all other numbers missing, the density is that of this one.
        alone = np.full_like(row.numbers, np.nan)
        alone[0, k] = value
        condition = _condition(names, counted[0], int(model.number_parents[k]))
        logs = model.densities(alone, counted)[0]
        factors.append(Term(f"density({schema.names[j]} = {value:.6g} | {condition})", logs.tolist()))
    return factors


def draw_network(parents: Mapping[str, str | None], target: str, ax: Any) -> Any:
    """The class above all columns, and the columns below their parents."""
    top = target if target not in parents else f"{target} (class)"
    edges = [(top, name) for name in parents]
    edges += [(parent, name) for name, parent in parents.items() if parent is not None]
    return network(edges, nodes=[top], faint=[top], ax=ax)

"""A tree as the source of a Python function."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

from hornbook.frame import Column, Schema
from hornbook.trees._fitted import LEAF, MULTIWAY, THRESHOLD, FittedTree

__all__ = ["python_code"]


def python_code(tree: FittedTree, schema: Schema, best: Callable[[Any], Any], name: str) -> str:
    """Write a function with an ``if`` for each question; None, NaN and unknown categories are missing."""
    if (tree.missing_child[~tree.is_leaf] < 0).any():
        raise ValueError(
            "this tree sends missing values to all children, which no chain of ifs can do: fit it with "
            "missing='direction'."
        )
    lines = [f"def {name}(row):"]
    # Nodes still to be written: (line ready to go, or node and its indent).
    waiting: list[tuple[str | int, int]] = [(0, 1)]
    while waiting:
        item, indent = waiting.pop()
        pad = "    " * indent
        if isinstance(item, str):
            lines.append(pad + item)
        elif tree.kind[item] == LEAF:
            lines.append(f"{pad}return {best(tree.value[item])!r}")
        else:
            waiting += reversed(_question(tree, schema, item, best, indent))
    return "\n".join(lines) + "\n"


def _question(
    tree: FittedTree, schema: Schema, node: int, best: Callable[[Any], Any], indent: int
) -> list[tuple[str | int, int]]:
    column = schema.columns[tree.feature[node]]
    first = int(tree.first_child[node])
    if tree.kind[node] == MULTIWAY:
        return _switch(tree, column, node, best, indent)
    missing_left = bool(tree.missing_child[node] == 0)
    if tree.kind[node] == THRESHOLD:
        condition = _threshold(column, float(tree.threshold[node]), left=missing_left)
    else:
        condition = _member(column, tree.node_levels(node), left=missing_left)
    return [(f"if {condition}:", indent), (first, indent + 1), (first + 1, indent)]


def _threshold(column: Column, threshold: float, *, left: bool) -> str:
    cell = f"row[{column.name!r}]"
    if column.kind != "numeric":
        split = len(column.levels) if math.isinf(threshold) else math.floor(threshold) + 1
        return _member(column, list(range(split)), left=left)
    if math.isinf(threshold):
        return f"{cell} is not None and {cell} == {cell}"
    if left:
        return f"{cell} is None or not {cell} > {threshold!r}"
    return f"{cell} is not None and {cell} <= {threshold!r}"


def _member(column: Column, codes: list[int], *, left: bool) -> str:
    cell = f"row[{column.name!r}]"
    listed = tuple(column.levels[code] for code in codes)
    if not left:
        return f"{cell} in {listed!r}"
    others = tuple(level for code, level in enumerate(column.levels) if code not in set(codes))
    return f"{cell} not in {others!r}"


def _switch(
    tree: FittedTree, column: Column, node: int, best: Callable[[Any], Any], indent: int
) -> list[tuple[str | int, int]]:
    codes, cell = tree.node_levels(node), f"row[{column.name!r}]"
    first, missing = int(tree.first_child[node]), int(tree.missing_child[node])
    written: list[tuple[str | int, int]] = []
    for c, code in enumerate(codes):
        if c != missing:
            written += [(f"if {cell} == {column.levels[code]!r}:", indent), (first + c, indent + 1)]
    empty = tuple(level for code, level in enumerate(column.levels) if code not in set(codes))
    if empty:
        written += [(f"if {cell} in {empty!r}:", indent), (f"return {best(tree.value[node])!r}", indent + 1)]
    return [*written, (first + missing, indent)]

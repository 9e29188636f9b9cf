"""A tree as the source of a Python function."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from hornbook.frame import Column, Schema
from hornbook.trees._fitted import LEAF, MULTIWAY, THRESHOLD, FittedTree

__all__ = ["python_code"]

DEEPEST = 90  # Python allows at most 100 levels of indentation

DAYS = """def days(date):
    if date is None or date != date:
        return None
    if getattr(date, "tzinfo", None) is not None:
        return date.timestamp() / 86400
    return (date - type(date)(1970, 1, 1)).total_seconds() / 86400


"""

Lines = list[tuple[str | int, int]]


def python_code(tree: FittedTree, schema: Schema, best: Callable[[Any], Any], name: str) -> str:
    """Write a function with an ``if`` for each question; None, NaN and unknown categories are missing."""
    if (tree.missing_child[~tree.is_leaf] < 0).any():
        raise ValueError(
            "this tree sends missing values to all children, which no chain of ifs can do: fit it with "
            "missing='direction'."
        )
    inverted = _inverted(tree)
    lines = [f"def {name}(row):"]
    # Still to be written: lines or nodes, each with its indent.
    waiting: Lines = [(0, 1)]
    while waiting:
        item, indent = waiting.pop()
        pad = "    " * indent
        if isinstance(item, str):
            lines.append(pad + item)
        elif tree.kind[item] == LEAF:
            lines.append(f"{pad}return {best(tree.value[item])!r}")
        elif tree.kind[item] == MULTIWAY:
            waiting += reversed(_switch(tree, schema, item, best, indent))
        else:
            waiting += reversed(_question(tree, schema, item, indent, inverted=item in inverted))
    sources = {schema.columns[j].source for j in np.unique(tree.feature[~tree.is_leaf])}
    return (DAYS if "date" in sources else "") + "\n".join(lines) + "\n"


def _inverted(tree: FittedTree) -> set[int]:
    """Nodes written as ``if not``, with child 1 indented: none, unless the code would be too deep."""
    # The child that is written last needs no indent, because the one before it returns. If that is the one
    # with more levels, levels are Horton-Strahler numbers: at most log2 of the number of leaves for splits in
    # two.
    for invert in (False, True):
        indents = [1] * len(tree)
        inverted = set()
        for node in np.flatnonzero(~tree.is_leaf)[::-1].tolist():  # children come after their parents
            below = [indents[child] for child in tree.children(node)]
            last = int(tree.missing_child[node]) if tree.kind[node] == MULTIWAY else len(below) - 1
            if invert and tree.kind[node] != MULTIWAY and below[0] > below[1]:
                inverted.add(node)
                last = 0
            indents[node] = max(levels + (c != last) for c, levels in enumerate(below))
        if indents[0] <= DEEPEST:
            break
    return inverted


def _question(tree: FittedTree, schema: Schema, node: int, indent: int, *, inverted: bool) -> Lines:
    column = schema.columns[tree.feature[node]]
    first = int(tree.first_child[node])
    missing_left = bool(tree.missing_child[node] == 0)
    if tree.kind[node] == THRESHOLD:
        condition = _threshold(column, float(tree.threshold[node]), left=missing_left)
    else:
        condition = _member(column, tree.node_levels(node), left=missing_left)
    if inverted:
        return [(f"if not ({condition}):", indent), (first + 1, indent + 1), (first, indent)]
    return [(f"if {condition}:", indent), (first, indent + 1), (first + 1, indent)]


def _cell(column: Column) -> str:
    cell = f"row[{column.name!r}]"
    return f"days({cell})" if column.source == "date" and column.kind == "numeric" else cell


def _threshold(column: Column, threshold: float, *, left: bool) -> str:
    cell = _cell(column)
    if column.kind != "numeric":
        split = len(column.levels) if math.isinf(threshold) else math.floor(threshold) + 1
        return _member(column, list(range(split)), left=left)
    if math.isinf(threshold):
        return f"{cell} is not None and {cell} == {cell}"
    if left:
        return f"{cell} is None or not {cell} > {threshold!r}"
    return f"{cell} is not None and {cell} <= {threshold!r}"


def _member(column: Column, codes: Sequence[int], *, left: bool) -> str:
    if left:
        return f"{_cell(column)} not in {_others(column, codes)!r}"
    return f"{_cell(column)} in {tuple(column.levels[code] for code in codes)!r}"


def _others(column: Column, codes: Sequence[int]) -> tuple[Any, ...]:
    """The levels that are not listed."""
    listed = set(codes)
    return tuple(level for code, level in enumerate(column.levels) if code not in listed)


def _switch(tree: FittedTree, schema: Schema, node: int, best: Callable[[Any], Any], indent: int) -> Lines:
    column = schema.columns[tree.feature[node]]
    codes, cell = tree.node_levels(node), _cell(column)
    first, missing = int(tree.first_child[node]), int(tree.missing_child[node])
    written: Lines = []
    for c, code in enumerate(codes):
        if c != missing:
            written += [(f"if {cell} == {column.levels[code]!r}:", indent), (first + c, indent + 1)]
    empty = _others(column, codes)
    if empty:
        written += [(f"if {cell} in {empty!r}:", indent), (f"return {best(tree.value[node])!r}", indent + 1)]
    return [*written, (first + missing, indent)]

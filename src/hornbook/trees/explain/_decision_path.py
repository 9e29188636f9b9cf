"""The decision path of one row through a tree, step by step."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_matrix

from hornbook.base import Term
from hornbook.frame import Frame, Schema
from hornbook.params import Floats
from hornbook.trees._fitted import LEAF, FittedTree
from hornbook.trees.binned._bins import lacks
from hornbook.trees.explain._questions import branch, level_name
from hornbook.trees.explain._split_table import EVERYWHERE, child_numbers

__all__ = ["path_matrix", "path_terms"]

MOST_PARTS = 8  # shown one by one; the others are summed


def path_matrix(ends: NDArray[np.integer], parent: NDArray[np.intp]) -> csr_matrix:
    """1 for the nodes between the root and where each row ends, both included; one row of it for each row."""
    steps = [np.asarray(ends, dtype=np.int64)]
    rows = [np.arange(len(ends))]
    while True:  # one level up at a time
        above = parent[steps[-1]]
        inside = above >= 0
        if not inside.any():
            break
        steps.append(above[inside])
        rows.append(rows[-1][inside])
    where = (np.concatenate(rows), np.concatenate(steps))
    return csr_matrix((np.ones(len(where[0]), dtype=np.int64), where), shape=(len(ends), len(parent)))


def path_terms(tree: FittedTree, schema: Schema, row: Frame, values: Floats) -> tuple[int, list[Term]]:
    """The last node that the whole row reaches, and how each step changes the prediction."""
    # The decomposition by the path (Kuz'min et al. 2011, Saabas 2014): exact and cheap, but a column asked
    # early gets another share than one asked late. `contributions` averages over all orders instead.
    terms, node = [Term("all rows", values[0].tolist())], 0
    while tree.kind[node] != LEAF:
        number = int(child_numbers(tree, row, node)[0])
        if number < 0:
            break
        child = int(tree.first_child[node]) + number
        terms.append(Term(_step(tree, schema, row, node, number), (values[child] - values[node]).tolist()))
        node = child
    if tree.kind[node] != LEAF:
        terms.append(Term(_stop(tree, schema, row, node), [0.0] * values.shape[1]))
        terms += _parts(tree, schema, row, values, node)
    return node, terms


def _step(tree: FittedTree, schema: Schema, row: Frame, node: int, number: int) -> str:
    name = branch(tree, schema, node, number)
    j = int(tree.feature[node])
    if lacks(row, j)[0] and not np.isinf(tree.threshold[node]):
        return f"{schema.columns[j].name} is missing, as if {name}"
    return name


def _stop(tree: FittedTree, schema: Schema, row: Frame, node: int) -> str:
    """Why the whole row goes no further."""
    j = int(tree.feature[node])
    column = schema.columns[j]
    if lacks(row, j)[0]:
        return f"{column.name} is missing: it goes to all branches in parts"
    return f"{column.name} = {level_name(column.levels[int(row.column(j)[0])])}, which no row had here"


def _parts(tree: FittedTree, schema: Schema, row: Frame, values: Floats, start: int) -> list[Term]:
    """Contribution of each path that a part of the row takes below a node, the largest parts first."""
    ends: list[tuple[float, int, tuple[str, ...]]] = []
    waiting: list[tuple[float, int, tuple[str, ...]]] = [(1.0, start, ())]
    while waiting:
        part, node, path = waiting.pop()
        number = -1 if tree.kind[node] == LEAF else int(child_numbers(tree, row, node)[0])
        if tree.kind[node] == LEAF or number not in (EVERYWHERE, *range(len(tree.children(node)))):
            ends.append((part, node, path))
            continue
        for c, child in enumerate(tree.children(node)):
            if number in (EVERYWHERE, c):
                more = part if number == c else part * float(tree.share[child])
                waiting.append((more, child, (*path, branch(tree, schema, node, c))))
    ends.sort(key=lambda end: -end[0])
    changes = np.array([part * (values[node] - values[start]) for part, node, _ in ends])
    terms = [
        Term(f"{part:.3g} of it: {' and '.join(path)}", change.tolist())
        for (part, _, path), change in zip(ends[:MOST_PARTS], changes[:MOST_PARTS], strict=True)
        if path
    ]
    if len(ends) > MOST_PARTS:
        rest = changes[MOST_PARTS:].sum(axis=0)
        terms.append(Term(f"{len(ends) - MOST_PARTS} smaller parts", rest.tolist()))
    return terms

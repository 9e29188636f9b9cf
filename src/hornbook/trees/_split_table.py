"""The candidate splits of a node, written out."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations, pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hornbook.base import Floats, Table
from hornbook.frame import Column, Frame
from hornbook.impurity import absolute_deviation, impurity, known_gain, variance
from hornbook.show import Cell
from hornbook.trees._fitted import SUBSET, THRESHOLD, FittedTree
from hornbook.trees._questions import class_counts, joined, level_names, listed

__all__ = ["EVERYWHERE", "STAYS", "child_numbers", "reaching", "split_table"]

MOST_SUBSETS = 4096
STAYS, EVERYWHERE = -1, -2
BY_LEVEL = "by level"

Bools = NDArray[np.bool_]


def reaching(tree: FittedTree, rows: Frame, node: int) -> Floats:
    """Part of each row that comes to a node: 0 or 1, or less where missing values go to all children."""
    above, path = tree.parent, [node]
    while above[path[-1]] >= 0:
        path.append(int(above[path[-1]]))
    part = np.ones(len(rows))
    for upper, lower in zip(path[:0:-1], path[-2::-1], strict=True):
        part *= to_child(tree, rows, upper, lower)
    return part


def child_numbers(tree: FittedTree, rows: Frame, node: int) -> NDArray[np.intp]:
    """Which child (0, 1, ...) each row in a node goes to.

    `STAYS` for a level without a branch, `EVERYWHERE` for a missing value that goes to all in parts.
    """
    j = int(tree.feature[node])
    cells = rows.column(j)
    lacking = np.isnan(cells) if rows.schema.columns[j].kind == "numeric" else cells < 0
    listed = tree.levels[tree.level_offset[node] : tree.level_offset[node + 1]]
    if tree.kind[node] == THRESHOLD:
        child = np.where(cells <= tree.threshold[node], 0, 1)
    elif tree.kind[node] == SUBSET:
        child = np.where(np.isin(cells, listed), 0, 1)
    else:
        child = np.minimum(np.searchsorted(listed, cells), len(listed) - 1)
        child = np.where(listed[child] == cells, child, STAYS)
    missing = int(tree.missing_child[node])
    return np.where(lacking, EVERYWHERE if missing < 0 else missing, child)


def to_child(tree: FittedTree, rows: Frame, node: int, child: int) -> Floats:
    """Part of each row in a node that goes to one of its children."""
    number = child_numbers(tree, rows, node)
    mine = (number == child - int(tree.first_child[node])).astype(np.float64)
    return np.asarray(np.where(number == EVERYWHERE, tree.share[child], mine))


def split_table(model: Any, rows: Frame, y: NDArray[Any], w: Floats, node: int) -> Table:
    """Candidates of all columns; ``y`` holds classes or numbers of the rows in the node."""
    classes = getattr(model, "classes_", None)
    target = _Classes(model, y, w) if classes is not None else _Numbers(model, y, w)
    cells: list[list[Cell]] = []
    for j, column in enumerate(rows.schema.columns):
        for split, branches, lacking in _candidates(model, column, rows.column(j)):
            row: list[Cell] = [*target.row(branches, lacking)]
            if split == BY_LEVEL:  # there is no left: each branch is told by its level
                row[: len(target.heads)] = [None] * len(target.heads)
                levels = level_names(column, np.unique(rows.column(j)[~lacking]).tolist())
                told = [f"{level} {target.told(b)}" for level, b in zip(levels, branches, strict=True)]
                split = joined(told)  # noqa: PLW2901 - the same split in more words
            cells.append([column.name, split, *row])
    heads = ["column", "split", *target.heads, "impurity left", "gain"]
    return Table(f"Splits of node {node}", heads, cells)


def _candidates(model: Any, column: Column, cells: NDArray[Any]) -> Iterator[tuple[str, list[Bools], Bools]]:
    """Name of each split, the rows of each branch, and the rows that lack a value."""
    lacking = np.isnan(cells) if column.kind == "numeric" else cells < 0
    known = ~lacking
    values = np.unique(cells[known])
    if len(values) < 2:
        return
    if column.kind != "nominal":
        for low, high in pairwise(values.tolist()):
            border = f"{0.5 * low + 0.5 * high:.6g}" if column.kind == "numeric" else str(column.levels[low])
            yield f"<= {border}", [known & (cells <= low), known & (cells > low)], lacking
    elif model.splits == "multiway":
        yield BY_LEVEL, [cells == code for code in values], lacking
    else:
        for chosen in _subsets(values, model.subset_size):
            inside = np.isin(cells, chosen)
            names = [str(column.levels[code]) for code in chosen]
            yield f"in {listed(names)}", [inside, known & ~inside], lacking


def _subsets(values: NDArray[Any], most: int | None) -> Iterator[tuple[Any, ...]]:
    largest = min(most or len(values) // 2, len(values) - 1)
    count = 0
    for size in range(1, largest + 1):
        for chosen in combinations(values.tolist(), size):
            count += 1
            if count > MOST_SUBSETS:
                return
            yield chosen


class _Classes:
    """Rows of a table about classes."""

    def __init__(self, model: Any, y: NDArray[Any], w: Floats) -> None:
        self._model, self._w = model, w
        labels = model.classes_.tolist()
        place = {label: k for k, label in enumerate(labels)}
        other = [label for label in dict.fromkeys(y.tolist()) if label not in place]
        if other:
            raise ValueError(
                f"y holds {other[0]!r}, which is not among the classes {labels} of the fit: give the classes "
                "of the fit."
            )
        codes = np.array([place[label] for label in y.tolist()], dtype=np.intp)
        self._weights = np.zeros((len(y), len(labels)))
        self._weights[np.arange(len(y)), codes] = w
        self.heads = [f"left: {label}" for label in labels]

    def told(self, branch: Bools) -> str:
        """Class weights of a branch."""
        return class_counts(self._weights[branch].sum(axis=0))

    def row(self, branches: list[Bools], lacking: Bools) -> list[float]:
        """Class weights of the first branch, impurity left over and gain."""
        table = np.array([self._weights[branch].sum(axis=0) for branch in branches])
        missing = self._weights[lacking].sum(axis=0)
        criterion, beta = self._model.criterion, self._model.beta
        weights = table.sum(axis=1)
        left = float(weights @ impurity(table, criterion, beta) / weights.sum())
        return [*table[0].tolist(), left, known_gain(table, missing, criterion, beta)]


class _Numbers:
    """Rows of a table about numbers."""

    heads = ("left: rows", "left: mean")

    def __init__(self, model: Any, y: NDArray[Any], w: Floats) -> None:
        self._measure = variance if model.criterion == "squared_error" else absolute_deviation
        self._y, self._w = y.astype(np.float64), w

    def told(self, branch: Bools) -> str:
        """Mean of a branch."""
        return f"{np.average(self._y[branch], weights=self._w[branch]):.4g}"

    def row(self, branches: list[Bools], lacking: Bools) -> list[float]:
        """Weight and mean of the first branch, impurity left over and gain."""
        known = ~lacking
        weights = np.array([self._w[branch].sum() for branch in branches])
        inside = np.array([self._measure(self._y[branch], self._w[branch]) for branch in branches])
        left = float(weights @ inside / weights.sum())
        before = self._measure(self._y[known], self._w[known])
        share = weights.sum() / self._w.sum()
        mean = float(np.average(self._y[branches[0]], weights=self._w[branches[0]]))
        return [float(weights[0]), mean, left, float(share * (before - left))]

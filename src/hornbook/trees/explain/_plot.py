"""Plots of trees: as boxes and lines, and as regions of the plane."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from operator import add
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hornbook.frame import Schema
from hornbook.params import Floats
from hornbook.plots import Region, TreeBox, partition, tree
from hornbook.trees._fitted import LEAF, MULTIWAY, FittedTree
from hornbook.trees.explain._questions import (
    Classes,
    ClassLabels,
    Gaps,
    answer,
    class_counts,
    counted,
    level_name,
    question,
    takes_missing,
)
from hornbook.trees.explain._rules import Rules

__all__ = ["draw_partition", "draw_tree", "node_shades", "rows_in_nodes", "with_lines"]

MOST_CLASSES = 6
LONGEST_LINE = 24  # characters; longer questions take two lines


def draw_tree(
    fitted: FittedTree,
    schema: Schema,
    classes: Classes,
    gaps: Gaps,
    ax: Any,
    lines: Sequence[str] | None = None,
) -> Any:
    """Draw nodes with question, impurity, class weights and answer; leaves with the number of their rule.

    ``lines``, one for each node, are added at the bottom of the boxes.
    """
    # The numbers of `rules()`, so that a box can be looked up in the text.
    labels, numbers = ClassLabels(classes), Rules(fitted, schema, classes).leaf_numbers()
    shades = node_shades(fitted.value, labels)
    boxes = [_box(fitted, schema, labels, node, shades[node], numbers) for node in range(len(fitted))]
    boxes = [_with_missing(fitted, box, node, gaps) for node, box in enumerate(boxes)]
    return tree(with_lines(boxes, lines), ax=ax)


def with_lines(boxes: Sequence[TreeBox], lines: Sequence[str] | None) -> list[TreeBox]:
    """The boxes with one more line each."""
    if lines is None:
        return list(boxes)
    return [replace(box, lines=(*box.lines, line)) for box, line in zip(boxes, lines, strict=True)]


def rows_in_nodes(
    ends: NDArray[np.integer[Any]], parent: NDArray[np.intp], y: NDArray[Any] | None, labels: ClassLabels
) -> list[str]:
    """Rows that reach each node, from the leaf of each row: counts by class, or the count and mean."""
    if y is None:
        return [
            f"given: {counted(n)}" for n in _subtree_sums(np.bincount(ends, minlength=len(parent)), parent)
        ]
    if labels.names is None:
        counts = _subtree_sums(np.bincount(ends, minlength=len(parent)), parent)
        sums = _subtree_sums(np.bincount(ends, weights=y, minlength=len(parent)), parent)
        return [
            f"given: {counted(n)}" + (f", mean {total / n:.4g}" if n else "")
            for n, total in zip(counts.tolist(), sums.tolist(), strict=True)
        ]
    place = {label: i for i, label in enumerate(labels.names)}
    codes = np.array([place[label] for label in y.tolist()], dtype=np.intp)
    k = len(labels.names)
    table = np.bincount(ends * k + codes, minlength=len(parent) * k).reshape(len(parent), k)
    counts = _subtree_sums(table, parent)
    if k > MOST_CLASSES:
        return [f"given: {counted(float(row.sum()))}" for row in counts]
    return [f"given: {class_counts(row)}" for row in counts]


def _subtree_sums(ending: NDArray[Any], parent: NDArray[np.intp]) -> Floats:
    """Sums over the subtree of each node; children come after their parents."""
    total = ending.astype(np.float64)
    for node in range(len(parent) - 1, 0, -1):
        total[parent[node]] += total[node]
    return total


def node_shades(value: Floats, labels: ClassLabels) -> list[tuple[int, float]]:
    """Color and strength of each node: its class and that class's share, or how large its number is."""
    if labels.names is not None:
        strong = value.max(axis=1) / value.sum(axis=1)
        return list(zip(value.argmax(axis=1).tolist(), strong.tolist(), strict=True))
    low, high = value.min(), value.max()
    return [(0, float(number)) for number in (value[:, 0] - low) / (high - low or 1.0)]


def _box(
    fitted: FittedTree,
    schema: Schema,
    labels: ClassLabels,
    node: int,
    shading: tuple[int, float],
    numbers: dict[int, int],
) -> TreeBox:
    value = fitted.value[node]
    lines = [_counts(fitted, labels, node), answer(labels, value)]
    if len(fitted.impurity):  # of trees out of some forests it is not known
        lines.insert(0, f"impurity {fitted.impurity[node]:.3g}")
    shade, strength = shading
    if fitted.kind[node] == LEAF:
        return TreeBox((f"R{numbers[node]}", *lines), shade, strength)
    children = tuple(fitted.children(node))
    if fitted.kind[node] == MULTIWAY:
        levels = schema.columns[fitted.feature[node]].levels
        branches = tuple(level_name(levels[code]) for code in fitted.node_levels(node))
        lines.insert(0, schema.columns[fitted.feature[node]].name)
    else:
        branches = ("yes", "no")
        lines[:0] = _question_lines(fitted, schema, node)
    return TreeBox(tuple(lines), shade, strength, children, branches)


def _question_lines(fitted: FittedTree, schema: Schema, node: int) -> list[str]:
    """The question in one line, or in two where that would be long."""
    line, name = question(fitted, schema, node), schema.columns[fitted.feature[node]].name
    return [line] if len(line) <= LONGEST_LINE else [name, line[len(name) + 1 :]]


def _with_missing(fitted: FittedTree, box: TreeBox, node: int, gaps: Gaps) -> TreeBox:
    """The box whose branches say where missing values go."""
    more = [", missing" if takes_missing(fitted, node, c, gaps) else "" for c in range(len(box.branches))]
    return replace(box, branches=tuple(map(add, box.branches, more)))


def _counts(fitted: FittedTree, labels: ClassLabels, node: int) -> str:
    if labels.names is None or len(labels.names) > MOST_CLASSES:
        return counted(fitted.weight[node])
    return class_counts(fitted.value[node])


def draw_partition(
    fitted: FittedTree, schema: Schema, classes: NDArray[Any] | None, points: Floats | None, y: Any, ax: Any
) -> Any:
    """Draw the rectangles of the leaves."""
    if len(schema) != 2 or len(schema.numeric) != 2:
        raise ValueError(
            f"regions of the plane need two numeric columns, but the tree was grown on {len(schema)}, "
            f"{len(schema.numeric)} of them numeric: use plot() instead."
        )
    labels = ClassLabels(classes)
    numbers = Rules(fitted, schema, classes).leaf_numbers()
    regions = [
        Region(box[0], box[1], labels.best(fitted.value[leaf]), f"R{numbers[leaf]}")
        for leaf, box in _leaf_boxes(fitted)
    ]
    names = schema.names[0], schema.names[1]
    return partition(regions, points, y, ax=ax, classes=labels.names, names=names)


Box = tuple[tuple[float, float], tuple[float, float]]


def _leaf_boxes(fitted: FittedTree) -> list[tuple[int, Box]]:
    everything = (-np.inf, np.inf)
    leaves: list[tuple[int, Box]] = []
    waiting: list[tuple[int, Box]] = [(0, (everything, everything))]
    while waiting:
        node, box = waiting.pop()
        if fitted.kind[node] == LEAF:
            leaves.append((node, box))
            continue
        axis, at = int(fitted.feature[node]), float(fitted.threshold[node])
        first = int(fitted.first_child[node])
        low, high = box[axis]
        # An infinite threshold separates missing values, which have no place in the plane: the second region
        # is empty.
        waiting += [
            (first, _narrowed(box, axis, (low, min(high, at)))),
            (first + 1, _narrowed(box, axis, (max(low, at), high))),
        ]
    return leaves


def _narrowed(box: Box, axis: int, ends: tuple[float, float]) -> Box:
    return (ends, box[1]) if axis == 0 else (box[0], ends)

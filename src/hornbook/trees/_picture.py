"""Pictures of trees: boxes and lines, and regions of the plane."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from hornbook.base import Floats
from hornbook.frame import Schema
from hornbook.plots import Region, TreeBox, partition, tree
from hornbook.trees._fitted import MULTIWAY, FittedTree
from hornbook.trees._questions import Labels, answer, question

__all__ = ["draw_partition", "draw_tree"]

MOST_CLASSES = 6


def draw_tree(fitted: FittedTree, schema: Schema, classes: NDArray[Any] | None, ax: Any) -> Any:
    """Draw nodes with question, impurity, class weights and answer."""
    labels = Labels(classes)
    return tree([_box(fitted, schema, labels, node) for node in range(len(fitted))], ax=ax)


def _box(fitted: FittedTree, schema: Schema, labels: Labels, node: int) -> TreeBox:
    value = fitted.value[node]
    lines = [f"impurity {fitted.impurity[node]:.3g}", _counts(fitted, labels, node), answer(labels, value)]
    shade = None if labels.names is None else int(np.argmax(value))
    strength = 1.0 if labels.names is None else float(value.max() / value.sum())
    if fitted.is_leaf[node]:
        return TreeBox(tuple(lines), shade, strength)
    children = tuple(fitted.children(node))
    if fitted.kind[node] == MULTIWAY:
        levels = schema.columns[fitted.feature[node]].levels
        branches = tuple(str(levels[code]) for code in fitted.node_levels(node))
        lines.insert(0, schema.columns[fitted.feature[node]].name)
    else:
        branches = ("yes", "no")
        lines.insert(0, question(fitted, schema, node))
    return TreeBox(tuple(lines), shade, strength, children, branches)


def _counts(fitted: FittedTree, labels: Labels, node: int) -> str:
    if labels.names is None or len(labels.names) > MOST_CLASSES:
        return f"{fitted.weight[node]:.4g} rows"
    return "[" + ", ".join(f"{weight:.4g}" for weight in fitted.value[node]) + "]"


def draw_partition(
    fitted: FittedTree, schema: Schema, classes: NDArray[Any] | None, points: Floats | None, y: Any, ax: Any
) -> Any:
    """Draw the rectangles that the leaves stand for."""
    if len(schema) != 2 or len(schema.numeric) != 2:
        raise ValueError(
            f"regions of the plane need two numeric columns, but the tree was grown on {len(schema)}, "
            f"{len(schema.numeric)} of them numeric: use plot() instead."
        )
    labels = Labels(classes)
    regions = [Region(box[0], box[1], labels.best(fitted.value[leaf])) for leaf, box in _boxes(fitted)]
    names = schema.names[0], schema.names[1]
    return partition(regions, points, y, ax=ax, classes=labels.names, names=names)


Box = tuple[tuple[float, float], tuple[float, float]]


def _boxes(fitted: FittedTree) -> list[tuple[int, Box]]:
    everything = (-np.inf, np.inf)
    found: list[tuple[int, Box]] = []
    waiting: list[tuple[int, Box]] = [(0, (everything, everything))]
    while waiting:
        node, box = waiting.pop()
        if fitted.is_leaf[node]:
            found.append((node, box))
            continue
        axis, at = int(fitted.feature[node]), float(fitted.threshold[node])
        first = int(fitted.first_child[node])
        low, high = box[axis]
        waiting += [
            (first, _narrowed(box, axis, (low, min(high, at)))),
            (first + 1, _narrowed(box, axis, (max(low, at), high))),
        ]
    return found


def _narrowed(box: Box, axis: int, ends: tuple[float, float]) -> Box:
    return (ends, box[1]) if axis == 0 else (box[0], ends)

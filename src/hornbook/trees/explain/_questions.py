"""Splits and values of tree nodes as text."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from hornbook.display import plain
from hornbook.frame import Column, Schema, date_text
from hornbook.params import Floats
from hornbook.trees._fitted import MULTIWAY, THRESHOLD, FittedTree

__all__ = [
    "ClassLabels",
    "Classes",
    "Gaps",
    "answer",
    "border",
    "branch",
    "class_counts",
    "counted",
    "joined",
    "level_name",
    "level_names",
    "listed",
    "question",
    "shown",
    "takes_missing",
    "whole",
]

MOST_LEVELS = 6

Gaps = NDArray[np.bool_] | None  # columns in which some training rows lack a value; None if unknown


# The classes, a list of those of several targets, or None for numbers.
Classes: TypeAlias = NDArray[Any] | list[NDArray[Any]] | None


class ClassLabels:
    """Names of the classes of a tree; none for numbers."""

    def __init__(self, classes: Classes) -> None:
        self._several = classes if isinstance(classes, list) else None
        self.names: list[Any] | None = None
        if isinstance(classes, list):
            self.names = [f"{t}: {label}" for t, labels in enumerate(classes) for label in labels.tolist()]
        elif classes is not None:
            self.names = classes.tolist()

    def best(self, value: Any) -> Any:
        """The answer of one node: the heaviest class, or its number; of several targets, one for each."""
        if self._several is not None:
            parts = np.split(np.asarray(value), np.cumsum([len(labels) for labels in self._several])[:-1])
            return tuple(
                labels.tolist()[int(np.argmax(part))]
                for labels, part in zip(self._several, parts, strict=True)
            )
        if self.names is None:
            return plain(value[0]) if len(value) == 1 else tuple(map(plain, value))
        return self.names[int(np.argmax(value))]

    def text(self, best: Any) -> str:
        """Such an answer as text."""
        if isinstance(best, tuple):
            return ", ".join(str(one) if self.names else shown(one) for one in best)
        return shown(best) if self.names is None else str(best)


def level_names(column: Column, codes: Sequence[int]) -> list[str]:
    """Names of some levels."""
    return [level_name(column.levels[code]) for code in codes]


def level_name(level: Any) -> str:
    """A level as text; numbers that stand for categories have no more digits than they need."""
    return shown(level) if isinstance(level, float) and level.is_integer() else str(level)


def listed(names: Sequence[str]) -> str:
    """Names in braces; of very many, the first ones and their number."""
    return "{" + joined(names) + "}"


def joined(names: Sequence[str]) -> str:
    """Names one after the other; of very many, the first ones and their number."""
    shown = ", ".join(names[:MOST_LEVELS])
    more = len(names) - MOST_LEVELS
    return f"{shown} and {more} more" if more > 0 else shown


def question(tree: FittedTree, schema: Schema, node: int) -> str:
    """What a node asks about: the condition of child 0, or the column of a multiway node."""
    if tree.kind[node] == MULTIWAY:
        return f"{schema.columns[tree.feature[node]].name} = ?"
    return _condition(tree, schema, node, 0)


def branch(tree: FittedTree, schema: Schema, node: int, child: int, gaps: Gaps = None) -> str:
    """The condition under which a row goes to a child of a node."""
    condition = _condition(tree, schema, node, child)
    return f"{condition} (or missing)" if takes_missing(tree, node, child, gaps) else condition


def takes_missing(tree: FittedTree, node: int, child: int, gaps: Gaps) -> bool:
    """Whether a child gets the rows that lack a value, if there were any in training."""
    # An infinite threshold asks whether the value is there, and already says where missing ones go.
    relevant = gaps is not None and gaps[tree.feature[node]] and not math.isinf(tree.threshold[node])
    return bool(relevant and tree.missing_child[node] == child)


def _condition(tree: FittedTree, schema: Schema, node: int, child: int) -> str:
    column = schema.columns[tree.feature[node]]
    if tree.kind[node] == THRESHOLD:
        return _side(column, float(tree.threshold[node]), child)
    if tree.kind[node] == MULTIWAY:
        level = column.levels[tree.levels[tree.level_offset[node] + child]]
        return f"{column.name} = {level_name(level)}"
    names = level_names(column, tree.node_levels(node))
    if len(names) == 1:
        return f"{column.name} {'!=' if child else '='} {names[0]}"
    return f"{column.name} {'not in' if child else 'in'} {listed(names)}"


def _side(column: Column, threshold: float, child: int) -> str:
    if math.isinf(threshold):
        return f"{column.name} is {'missing' if child else 'known'}"
    return f"{column.name} {'>' if child else '<='} {border(column, threshold)}"


def border(column: Column, threshold: float) -> str:
    """A threshold as people write it: a number, a date, or the last category up to it."""
    if column.kind != "numeric":  # ordered categories are cut half-way between two codes
        return level_name(column.levels[math.floor(threshold)])
    if column.source == "date":
        return date_text(threshold, with_time=not threshold.is_integer())
    return shown(threshold)


def shown(number: float) -> str:
    """A number with six digits, or with up to three decimals if it is larger."""
    # Six digits would round a year or a price; beyond 1e15 decimals mean nothing in float64.
    if not 1e3 <= abs(number) < 1e15:
        return f"{number:.6g}"
    return f"{number:.3f}".rstrip("0").rstrip(".")


def counted(weight: float) -> str:
    """A weight of rows in words."""
    number = whole(weight)
    text = shown(number) if isinstance(number, float) else str(number)
    return f"{text} {'row' if number == 1 else 'rows'}"


def class_counts(value: Floats) -> str:
    """The weight of each class."""
    weights = (f"{weight:.4g}" if weight < 1e4 else f"{weight:.0f}" for weight in value)
    return "[" + ", ".join(weights) + "]"


def whole(weight: float) -> float:
    """The weight as an integer where it is one, so that all its digits are shown."""
    return int(weight) if float(weight).is_integer() else float(weight)


def answer(labels: ClassLabels, value: Any) -> str:
    """The answer of a node as text."""
    return labels.text(labels.best(value))

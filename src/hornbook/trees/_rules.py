"""A tree as rules: one for each way from the root to a leaf."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice
from typing import Any

from hornbook.base import Table
from hornbook.frame import Schema
from hornbook.trees._fitted import LEAF, MULTIWAY, FittedTree
from hornbook.trees._python_code import python_code
from hornbook.trees._questions import Gaps, Labels, branch, counted, level_name, shown, whole

__all__ = ["Rule", "Rules"]


@dataclass(frozen=True)
class Rule:
    """One way through a tree.

    Parameters
    ----------
    conditions : tuple of str
        All conditions on the way from the root, in order; none for a tree that is a leaf.
    answer : object
        The class or number that follows.
    weight : float
        Weight of the training rows that came this way; 0 for a level without rows.
    counts : tuple of float
        Their class weights; empty for numbers.
    """

    conditions: tuple[str, ...]
    answer: Any
    weight: float
    counts: tuple[float, ...]


class Rules:
    """The rules of a tree: as text, as a table, and as a Python function.

    Parameters
    ----------
    tree : FittedTree
        The tree.
    schema : Schema
        Its columns.
    classes : array-like or None
        Its classes; None for numbers.
    gaps : ndarray of bool or None, default None
        Columns of which is said where missing values go: those in which training rows lack some.
    """

    def __init__(self, tree: FittedTree, schema: Schema, classes: Any, gaps: Gaps = None) -> None:
        self._tree, self._schema, self._labels, self._gaps = tree, schema, Labels(classes), gaps

    def __iter__(self) -> Iterator[Rule]:
        """Rules from left to right. A multiway node also has one for each level that no row had."""
        return (self._rule(*way) for way in self._ways())

    def _ways(self) -> Iterator[tuple[int, tuple[str, ...], float]]:
        """Node, conditions and weight of each rule."""
        waiting: list[tuple[int, tuple[str, ...]]] = [(0, ())]
        while waiting:
            node, conditions = waiting.pop()
            if self._tree.kind[node] == LEAF:
                yield node, conditions, float(self._tree.weight[node])
                continue
            children = self._tree.children(node)
            waiting += [
                (child, (*conditions, branch(self._tree, self._schema, node, c, self._gaps)))
                for c, child in reversed(list(enumerate(children)))
            ]
            for condition in self._empty(node):
                yield node, (*conditions, condition), 0.0

    def leaf_numbers(self) -> dict[int, int]:
        """The number of the rule of each leaf, counted from 1."""
        ways = enumerate(self._ways(), start=1)
        return {node: i for i, (node, _, _) in ways if self._tree.kind[node] == LEAF}

    def _empty(self, node: int) -> list[str]:
        if self._tree.kind[node] != MULTIWAY:
            return []
        column = self._schema.columns[self._tree.feature[node]]
        known = set(self._tree.node_levels(node))
        empty = [level for code, level in enumerate(column.levels) if code not in known]
        return [f"{column.name} = {level_name(level)}" for level in empty]

    def _rule(self, node: int, conditions: tuple[str, ...], weight: float) -> Rule:
        value = self._tree.value[node]
        counts = () if self._labels.names is None else tuple((value * (weight > 0)).tolist())
        return Rule(conditions, self._labels.best(value), weight, counts)

    def __len__(self) -> int:
        return sum(1 for _ in self._ways())

    def __str__(self) -> str:
        lines = []
        for rule in self:
            given = " and ".join(rule.conditions)
            told = shown(rule.answer) if self._labels.names is None else str(rule.answer)
            weight = counted(rule.weight) if rule.weight else "no rows: the answer above"
            lines.append(f"{'if ' + given + ' then ' if given else ''}{told}  ({weight})")
        return "\n".join(lines)

    def __repr__(self) -> str:
        return f"{type(self).__name__}:\n{self}"

    def _repr_html_(self) -> str:
        return self.to_table()._repr_html_()

    def to_table(self, most: int | None = None) -> Table:
        """Rules as a table: conditions, answer, weight and class weights of the training rows.

        Parameters
        ----------
        most : int, optional
            Only the first so many; all when left out.
        """
        names = [] if self._labels.names is None else [str(name) for name in self._labels.names]
        rows = [
            [i + 1, " and ".join(rule.conditions), rule.answer, whole(rule.weight), *map(whole, rule.counts)]
            for i, rule in enumerate(islice(self, most))
        ]
        return Table("Rules", ["rule", "if", "then", "rows", *names], rows)

    def to_python(self, name: str = "predict") -> str:
        """Source of a Python function that gives the answer for one row, a mapping from names to values.

        Missing is None or NaN, dates are `datetime` objects, and unknown categories count as missing.

        Parameters
        ----------
        name : str, default "predict"
            Name of the function.
        """
        return python_code(self._tree, self._schema, self._labels.best, name)

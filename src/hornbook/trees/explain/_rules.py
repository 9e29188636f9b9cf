"""A tree as rules: one for each path from the root to a leaf."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from hornbook.frame import Schema
from hornbook.trees._fitted import LEAF, MULTIWAY, FittedTree
from hornbook.trees.explain._python_code import python_code
from hornbook.trees.explain._questions import ClassLabels, Gaps, branch, level_name
from hornbook.trees.explain._rule_list import RuleList

__all__ = ["Rules"]


class Rules(RuleList):
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
        Columns in which training rows lack values, whose conditions say where missing values go.
    """

    def __init__(self, tree: FittedTree, schema: Schema, classes: Any, gaps: Gaps = None) -> None:
        super().__init__(tree.value, ClassLabels(classes))
        self._tree, self._schema, self._gaps = tree, schema, gaps

    def _paths(self) -> Iterator[tuple[int, tuple[str, ...], float]]:
        # A list in place of recursion, because trees may be deeper than Python's stack.
        waiting: list[tuple[int, tuple[str, ...]]] = [(0, ())]
        while waiting:
            node, conditions = waiting.pop()
            if self._tree.kind[node] == LEAF:
                yield node, conditions, float(self._tree.weight[node])
                continue
            children = self._tree.children(node)
            waiting += [
                (child, (*conditions, branch(self._tree, self._schema, node, c, self._gaps)))
                # The last to be put on the stack is taken first, so rules come out from left to right.
                for c, child in reversed(list(enumerate(children)))
            ]
            for condition in self._empty(node):
                yield node, (*conditions, condition), 0.0

    def leaf_numbers(self) -> dict[int, int]:
        """The number of the rule of each leaf, counted from 1."""
        paths = enumerate(self._paths(), start=1)
        return {node: i for i, (node, _, _) in paths if self._tree.kind[node] == LEAF}

    def _empty(self, node: int) -> list[str]:
        if self._tree.kind[node] != MULTIWAY:
            return []
        column = self._schema.columns[self._tree.feature[node]]
        known = set(self._tree.node_levels(node))
        empty = [level for code, level in enumerate(column.levels) if code not in known]
        return [f"{column.name} = {level_name(level)}" for level in empty]

    def to_python(self, name: str = "predict") -> str:
        """Source of a Python function that gives the answer for one row, a mapping from names to values.

        Missing is None or NaN, dates are `datetime` objects, and unknown categories count as missing.

        Parameters
        ----------
        name : str, default "predict"
            Name of the function.
        """
        return python_code(self._tree, self._schema, self._labels.best, name)

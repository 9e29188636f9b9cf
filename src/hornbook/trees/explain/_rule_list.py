"""Rules of any tree, as text and as a table."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice
from typing import Any

from hornbook.base import Table
from hornbook.params import Floats
from hornbook.trees.explain._questions import ClassLabels, counted, whole

__all__ = ["Rule", "RuleList"]


@dataclass(frozen=True)
class Rule:
    """One path from the root of a tree to a leaf.

    Parameters
    ----------
    conditions : tuple of str
        All conditions on the path from the root, in order; none for a tree that is a leaf.
    answer : object
        The class or number that follows.
    weight : float
        Weight of the training rows that followed this path; 0 for a level without rows.
    counts : tuple of float
        Their class weights; empty for numbers.
    """

    conditions: tuple[str, ...]
    answer: Any
    weight: float
    counts: tuple[float, ...]


class RuleList(ABC):
    """One rule for each path from the root to a leaf: as text and as a table.

    Parameters
    ----------
    value : ndarray of shape (n_nodes, n_classes) or (n_nodes, 1)
        Class weights, or the number, of each node.
    labels : ClassLabels
        Names of the classes, if there are any.
    """

    def __init__(self, value: Floats, labels: ClassLabels) -> None:
        self._value, self._labels = value, labels

    @abstractmethod
    def _paths(self) -> Iterator[tuple[int, tuple[str, ...], float]]:
        """Node, conditions and weight of each rule."""

    def __iter__(self) -> Iterator[Rule]:
        """Rules from left to right. A multiway node also has one for each level that no row had."""
        return (self._rule(*path) for path in self._paths())

    def _rule(self, node: int, conditions: tuple[str, ...], weight: float) -> Rule:
        value = self._value[node]
        # A rule for a level that no row had repeats the answer of the node, but stands for no rows.
        counts = () if self._labels.names is None else tuple((value * (weight > 0)).tolist())
        return Rule(conditions, self._labels.best(value), weight, counts)

    def __len__(self) -> int:
        return sum(1 for _ in self._paths())

    def __str__(self) -> str:
        lines = []
        for rule in self:
            conditions = " and ".join(rule.conditions)
            answer = self._labels.text(rule.answer)
            weight = counted(rule.weight) if rule.weight else "no rows: the answer above"
            lines.append(f"{'if ' + conditions + ' then ' if conditions else ''}{answer}  ({weight})")
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
            Most rules in the table; all when left out.
        """
        names = [] if self._labels.names is None else [str(name) for name in self._labels.names]
        rows = [
            [i + 1, " and ".join(rule.conditions), rule.answer, whole(rule.weight), *map(whole, rule.counts)]
            # Cut off before the texts are made: a tree may have a hundred thousand leaves.
            for i, rule in enumerate(islice(self, most))
        ]
        return Table("Rules", ["rule", "if", "then", "rows", *names], rows)

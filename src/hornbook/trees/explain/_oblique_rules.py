"""An oblique tree as rules."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from hornbook.trees._oblique_grow import ObliqueTree
from hornbook.trees.explain._questions import ClassLabels
from hornbook.trees.explain._rule_list import RuleList

__all__ = ["ObliqueRules"]


class ObliqueRules(RuleList):
    """The rules of an oblique tree: as text and as a table.

    Parameters
    ----------
    tree : ObliqueTree
        The tree.
    labels : ClassLabels
        Names of the classes, if there are any.
    condition : callable
        Returns the condition under which a node sends a row to child 0 or 1.
    """

    def __init__(self, tree: ObliqueTree, labels: ClassLabels, condition: Callable[[int, int], str]) -> None:
        super().__init__(tree.value, labels)
        self._tree, self._condition = tree, condition

    def _paths(self) -> Iterator[tuple[int, tuple[str, ...], float]]:
        waiting: list[tuple[int, tuple[str, ...]]] = [(0, ())]
        while waiting:
            node, conditions = waiting.pop()
            first = int(self._tree.first_child[node])
            if first < 0:
                yield node, conditions, float(self._tree.weight[node])
            else:
                waiting += [(first + c, (*conditions, self._condition(node, c))) for c in (1, 0)]

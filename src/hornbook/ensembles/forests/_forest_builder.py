"""The arrays of a forest while it grows, allocated once where the number of trees is known."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hornbook.ensembles.forests._fitted_forest import FittedForest
from hornbook.trees import LEAF

__all__ = ["GrowingForest"]

_MOST_NODES = np.iinfo(np.int32).max
_HEADROOM = 1.1  # trees differ in size
_NODES_AT_ONCE = 2**15
# Arrays of a forest that are plain concatenations of those of its trees.
_CONCATENATED = ("kind", "feature", "threshold", "missing_child", "levels", "share", "value", "cover")


class _GrowingArray:
    """An array that grows at its end; unused capacity is never touched, so the system need not back it."""

    def __init__(self) -> None:
        self.cells: NDArray[Any] = np.zeros(0)
        self.size = 0

    def add(self, parts: Sequence[NDArray[Any]], share: float) -> None:
        """Append arrays; with them, the array has about this share of its final size."""
        end = self.size + sum(map(len, parts))
        if self.size == 0:
            self.cells = np.empty_like(parts[0][:0])
        if end > len(self.cells):
            # By the size of the trees so far, the final size is end / share; overshooting is cheap,
            # as pages that are never touched are never backed.
            size = max(end, min(int(_HEADROOM * end / share), _MOST_NODES))
            larger = np.empty((size, *parts[0].shape[1:]), dtype=parts[0].dtype)
            larger[: self.size] = self.cells[: self.size]
            self.cells = larger
        np.concatenate(parts, out=self.cells[self.size : end])
        self.size = end

    def copied(self) -> NDArray[Any]:
        return self.cells[: self.size].copy()

    def closed(self) -> NDArray[Any]:
        """The array itself, shrunk to its size; nothing can be appended afterwards."""
        cells, self.cells = self.cells, np.zeros(0)
        cells.resize((self.size, *cells.shape[1:]), refcheck=False)  # no other reference exists
        return cells


class GrowingForest:
    """Appends trees to the arrays of a forest.

    Parameters
    ----------
    n_trees : int, optional
        Final number of trees; left out if unknown.
    """

    def __init__(self, n_trees: int | None) -> None:
        self.n_trees = n_trees
        self._roots = _GrowingArray()
        self._arrays = {name: _GrowingArray() for name in (*_CONCATENATED, "first_child", "level_offset")}
        self._waiting: list[FittedForest] = []
        self._n_trees = self._n_nodes = self._n_waiting = 0

    def __len__(self) -> int:
        return self._n_trees

    def add(self, forest: FittedForest) -> None:
        """Append a tree, or all trees of a forest."""
        size = len(forest.kind)
        # Nodes are numbered by 32-bit integers, also in model files.
        if self._n_nodes + size > _MOST_NODES:
            raise ValueError(
                f"the trees have {self._n_nodes + size} nodes in all, more than 2**31 - 1: grow fewer or "
                "smaller trees, with max_depth or min_samples_leaf."
            )
        self._waiting.append(forest)
        self._n_trees += len(forest.roots)
        self._n_nodes += size
        self._n_waiting += size
        if self._n_waiting >= _NODES_AT_ONCE:
            self._append_waiting()

    def _append_waiting(self) -> None:
        """Append small trees together: for each of them alone, calls would take longer than copying."""
        forests, self._waiting, self._n_waiting = self._waiting, [], 0
        if not forests:
            return
        # Without a known number of trees capacity doubles: amortized O(1) copies per node.
        share = 0.5 if self.n_trees is None else self._n_trees / self.n_trees
        parts = {name: [getattr(forest, name) for forest in forests] for name in _CONCATENATED}
        node, answer, level = (self._starts(name, parts[name]) for name in ("kind", "value", "levels"))
        for i, forest in enumerate(forests):
            if len(forest.level_offset):
                self._fill_offsets(int(node[i]), int(level[i]))
                self._arrays["level_offset"].add([forest.level_offset[:-1] + level[i]], share)
        for name in _CONCATENATED:
            self._arrays[name].add(parts[name], share)
        roots, first = (
            np.concatenate([getattr(forest, name) for forest in forests]) for name in ("roots", "first_child")
        )
        self._roots.add([roots + np.repeat(node, [len(forest.roots) for forest in forests])], 0.5)
        n_nodes = [len(kind) for kind in parts["kind"]]
        leaf = self._arrays["kind"].cells[node[0] : self._arrays["kind"].size] == LEAF
        # Leaves are shifted by the values before them, inner nodes by the nodes before them.
        first += np.where(leaf, np.repeat(answer, n_nodes), np.repeat(node, n_nodes))
        self._arrays["first_child"].add([first], share)

    def _starts(self, name: str, parts: list[NDArray[Any]]) -> NDArray[np.int32]:
        """Where the parts of an array will begin."""
        sizes = np.array([len(part) for part in parts])
        return np.asarray(self._arrays[name].size + np.cumsum(sizes) - sizes).astype(np.int32)

    def so_far(self) -> FittedForest:
        """A forest of the trees so far, as a copy."""
        return self._forest(_GrowingArray.copied)

    def finished(self) -> FittedForest:
        """The forest, once all trees are added."""
        return self._forest(_GrowingArray.closed)

    def _fill_offsets(self, nodes: int, levels: int) -> None:
        """Set the level offsets of earlier nodes, which list no levels."""
        array = self._arrays["level_offset"]
        array.add([np.full(nodes - array.size, levels, dtype=np.int32)], 1.0)

    def _forest(self, taken: Callable[[_GrowingArray], NDArray[Any]]) -> FittedForest:
        self._append_waiting()
        nodes, levels = self._arrays["kind"].size, self._arrays["levels"].size
        if levels:
            self._fill_offsets(nodes, levels)
        arrays = {name: taken(array) for name, array in self._arrays.items()}
        if len(arrays["cover"]) != len(arrays["value"]):  # the first trees are from a file without it
            arrays["cover"] = np.zeros(0)
        offset = arrays["level_offset"].astype(np.int32)
        arrays["level_offset"] = np.append(offset, np.int32(levels)) if levels else offset
        return FittedForest(roots=taken(self._roots), **arrays)

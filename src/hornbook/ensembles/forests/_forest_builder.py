"""The arrays of a forest while it grows, allocated once where the number of trees is known."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hornbook.ensembles.forests._fitted_forest import FittedForest
from hornbook.trees import LEAF

__all__ = ["GrowingForest"]

_MOST_NODES = np.iinfo(np.int32).max
_HEADROOM = 1.1  # trees differ in size
# Arrays of a forest that are plain concatenations of those of its trees.
_CONCATENATED = ("kind", "feature", "threshold", "missing_child", "levels", "share", "value", "cover")


class _GrowingArray:
    """An array that grows at its end; unused capacity is never touched, so the system need not back it."""

    def __init__(self) -> None:
        self.cells: NDArray[Any] = np.zeros(0)
        self.size = 0

    def add(self, more: NDArray[Any], share: float) -> None:
        """Append cells; with them, the array has about this share of its final size."""
        end = self.size + len(more)
        if self.size == 0:
            self.cells = np.empty_like(more[:0])
        if end > len(self.cells):
            size = max(end, min(int(_HEADROOM * end / share), _MOST_NODES))
            larger = np.empty((size, *more.shape[1:]), dtype=more.dtype)
            larger[: self.size] = self.cells[: self.size]
            self.cells = larger
        self.cells[self.size : end] = more
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

    def __len__(self) -> int:
        return self._roots.size

    def add(self, forest: FittedForest) -> None:
        """Append a tree, or all trees of a forest."""
        nodes, answers, levels = (self._arrays[name].size for name in ("kind", "value", "levels"))
        if nodes + len(forest.kind) > _MOST_NODES:
            raise ValueError(
                f"the trees have {nodes + len(forest.kind)} nodes in all, more than 2**31 - 1: grow fewer or "
                "smaller trees, with max_depth or min_samples_leaf."
            )
        self._roots.add(forest.roots + np.int32(nodes), 0.5)
        share = 0.5 if self.n_trees is None else len(self) / self.n_trees
        if len(forest.level_offset):
            self._fill_offsets(nodes, levels)
            self._arrays["level_offset"].add(forest.level_offset[:-1] + np.int32(levels), share)
        first = forest.first_child + np.where(forest.kind == LEAF, np.int32(answers), np.int32(nodes))
        self._arrays["first_child"].add(first, share)
        for name in _CONCATENATED:
            self._arrays[name].add(getattr(forest, name), share)

    def so_far(self) -> FittedForest:
        """A forest of the trees so far, as a copy."""
        return self._forest(_GrowingArray.copied)

    def finished(self) -> FittedForest:
        """The forest, once all trees are added."""
        return self._forest(_GrowingArray.closed)

    def _fill_offsets(self, nodes: int, levels: int) -> None:
        """Set the level offsets of earlier nodes, which list no levels."""
        array = self._arrays["level_offset"]
        array.add(np.full(nodes - array.size, levels, dtype=np.int32), 1.0)

    def _forest(self, taken: Callable[[_GrowingArray], NDArray[Any]]) -> FittedForest:
        nodes, levels = self._arrays["kind"].size, self._arrays["levels"].size
        if levels:
            self._fill_offsets(nodes, levels)
        arrays = {name: taken(array) for name, array in self._arrays.items()}
        if len(arrays["cover"]) != len(arrays["value"]):  # the first trees are from a file without it
            arrays["cover"] = np.zeros(0)
        offset = arrays["level_offset"].astype(np.int32)
        arrays["level_offset"] = np.append(offset, np.int32(levels)) if levels else offset
        return FittedForest(roots=taken(self._roots), **arrays)

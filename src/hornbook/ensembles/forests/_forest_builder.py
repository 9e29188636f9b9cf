"""A forest while it grows: tree after tree, in memory that is asked for once."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hornbook.ensembles.forests._fitted_forest import FittedForest
from hornbook.trees import LEAF

__all__ = ["GrowingForest"]

_LARGEST = np.iinfo(np.int32).max
_SPARE = 1.1  # trees differ in size
# Arrays of a forest that are those of its trees, one after the other.
_PLAIN = ("kind", "feature", "threshold", "missing_child", "levels", "share", "value")


class _Pile:
    """An array that grows at its end; what was asked for too much is never touched."""

    def __init__(self) -> None:
        self.cells: NDArray[Any] = np.zeros(0)
        self.size = 0

    def add(self, more: NDArray[Any], share: float) -> None:
        """Put cells at the end; with them, about so large a share of all that will come is there."""
        end = self.size + len(more)
        if self.size == 0:
            self.cells = np.empty_like(more[:0])
        if end > len(self.cells):
            size = max(end, min(int(_SPARE * end / share), _LARGEST))
            room = np.empty((size, *more.shape[1:]), dtype=more.dtype)
            room[: self.size] = self.cells[: self.size]
            self.cells = room
        self.cells[self.size : end] = more
        self.size = end

    def copied(self) -> NDArray[Any]:
        return self.cells[: self.size].copy()

    def closed(self) -> NDArray[Any]:
        """The array itself, without what was asked for too much; nothing can be added afterwards."""
        cells, self.cells = self.cells, np.zeros(0)
        cells.resize((self.size, *cells.shape[1:]), refcheck=False)  # nobody else has it
        return cells


class GrowingForest:
    """Trees put one after the other into the arrays of a forest.

    Parameters
    ----------
    n_trees : int, optional
        How many trees there will be; left out when that is not known.
    """

    def __init__(self, n_trees: int | None) -> None:
        self.n_trees = n_trees
        self._roots = _Pile()
        self._piles = {name: _Pile() for name in (*_PLAIN, "first_child", "level_offset")}

    def __len__(self) -> int:
        return self._roots.size

    def add(self, forest: FittedForest) -> None:
        """Put in a tree, or all trees of a forest."""
        nodes, answers, levels = (self._piles[name].size for name in ("kind", "value", "levels"))
        if nodes + len(forest.kind) > _LARGEST:
            raise ValueError(
                f"the trees have {nodes + len(forest.kind)} nodes in all, more than 2**31 - 1: grow fewer or "
                "smaller trees, with max_depth or min_samples_leaf."
            )
        self._roots.add(forest.roots + np.int32(nodes), 0.5)
        share = 0.5 if self.n_trees is None else len(self) / self.n_trees
        if len(forest.level_offset):
            self._fill_offsets(nodes, levels)
            self._piles["level_offset"].add(forest.level_offset[:-1] + np.int32(levels), share)
        first = forest.first_child + np.where(forest.kind == LEAF, np.int32(answers), np.int32(nodes))
        self._piles["first_child"].add(first, share)
        for name in _PLAIN:
            self._piles[name].add(getattr(forest, name), share)

    def so_far(self) -> FittedForest:
        """A forest of the trees there are."""
        return self._forest(_Pile.copied)

    def finished(self) -> FittedForest:
        """The forest, when no tree is to come any more."""
        return self._forest(_Pile.closed)

    def _fill_offsets(self, nodes: int, levels: int) -> None:
        """Say of the last nodes up to now that they list no levels."""
        pile = self._piles["level_offset"]
        pile.add(np.full(nodes - pile.size, levels, dtype=np.int32), 1.0)

    def _forest(self, taken: Callable[[_Pile], NDArray[Any]]) -> FittedForest:
        nodes, levels = self._piles["kind"].size, self._piles["levels"].size
        if levels:
            self._fill_offsets(nodes, levels)
        arrays = {name: taken(pile) for name, pile in self._piles.items()}
        offset = arrays["level_offset"].astype(np.int32)
        arrays["level_offset"] = np.append(offset, np.int32(levels)) if levels else offset
        return FittedForest(roots=taken(self._roots), **arrays)

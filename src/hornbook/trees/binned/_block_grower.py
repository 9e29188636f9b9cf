"""Trees on coded rows that do not fit into memory, grown level by level from histograms."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hornbook import _native
from hornbook.params import Floats, Team
from hornbook.trees._fitted import FittedTree
from hornbook.trees.binned import _coded_blocks
from hornbook.trees.binned._coded_blocks import CodedBlocks
from hornbook.trees.binned._passes import (
    GrowingTree,
    PassLayout,
    RowTarget,
    add_sizes,
    add_sums,
    join_rows,
    level_sums,
    node_rows,
    tree_sizes,
)

__all__ = ["BlockGrower", "TreeSample"]

HISTOGRAM_BYTES = 2**25  # of all histograms of one pass
CHUNKS_PER_CALL = 64  # fewer calls, and fewer histograms to merge


@dataclass(frozen=True)
class TreeSample:
    """The rows of one tree.

    Parameters
    ----------
    number : int
        Number of the tree.
    counts : ndarray, optional
        How often each row was drawn; once when left out.
    factor : ndarray, optional
        Weights of the classes.
    """

    number: int
    counts: NDArray[Any] | None = None
    factor: Floats | None = None


# Level-wise growth by passes, with small nodes finished in memory, is that of PLANET (Panda, Herbach, Basu
# and Bayardo 2009).
class BlockGrower:
    """Grows trees by passes over coded rows.

    While nodes have many rows, one pass sums the histograms of all open nodes of all trees, and each node is
    then split. The rows of smaller nodes are copied, many nodes at a time, and their subtrees grow in memory.
    The trees equal those grown on the whole table in memory to the last bit, as sums are in fixed point.

    Parameters
    ----------
    coded : CodedBlocks
        The rows.
    target : RowTarget
        How trees see a row.
    options : TreeOptions
        How they grow.
    seed : int
        Seed of all draws.
    """

    def __init__(
        self, coded: CodedBlocks, target: RowTarget, options: _native.TreeOptions, seed: int
    ) -> None:
        self._coded, self._target, self._options, self._seed = coded, target, options, seed

    @property
    def group_size(self) -> int:
        """Number of trees that grow side by side: limited by their row counts and histograms."""
        most = _coded_blocks.MEMORY_BYTES // self._coded.rows.n_rows
        # Room for eight open nodes of each tree: with fewer, subtrees would have to be finished in memory too
        # early.
        return max(1, min(most, HISTOGRAM_BYTES // (8 * self._node_bytes)))

    @property
    def _node_bytes(self) -> int:
        """Upper bound of the bytes of a node's histograms."""
        numbers = self._target.n_classes + 1 if self._target.n_classes else 3
        return int((self._coded.sizes.astype(np.int64) + 1).sum()) * numbers * 8

    def _small_node(self, n_trees: int) -> int:
        """Most rows of a node that is finished in memory, so that the histograms of larger ones fit."""
        # Nodes of more than n / n_nodes rows number at most n_nodes per tree and level.
        n_nodes = max(1, HISTOGRAM_BYTES // (self._node_bytes * n_trees))
        least = self._coded.rows.n_rows // n_nodes
        return max(1, min(least, _coded_blocks.MEMORY_BYTES // self._coded.row_bytes))

    def trees(self, samples: Sequence[TreeSample]) -> list[FittedTree]:
        """Grow some trees side by side."""
        rows, target = self._coded.rows, self._target
        small = self._small_node(len(samples))
        pairs = [(sample.counts, sample.factor) for sample in samples]
        # All trees in one pass: reading the rows costs more than counting them for one tree more.
        sizes = rows.reduce(tree_sizes, target, pairs, merge=add_sizes)
        growers = [
            _native.LevelGrower(
                self._coded.columns,
                self._options,
                self._seed,
                sample.number,
                target.n_classes,
                size.weighted,
                size.whole,
                size.weight,
                size.rows,
                target.fixed.square_unit,
                small,
                rows.threads,
            )
            for sample, size in zip(samples, sizes, strict=True)
        ]
        self._split_levels(growers, samples)
        for batch in self._batches(growers):
            self._finish(growers, samples, batch)
        return [FittedTree.grown(grower.tree(), target.fixed.shift) for grower in growers]

    def _split_levels(self, growers: list[_native.LevelGrower], samples: Sequence[TreeSample]) -> None:
        while True:
            layouts = [PassLayout(*grower.next_pass()) for grower in growers]
            active = [i for i, layout in enumerate(layouts) if layout.slots]  # trees with open nodes
            if not active:
                return
            trees = [_growing(growers[i], samples[i], layouts[i]) for i in active]
            # One pass for a level of all trees: the depth decides how often rows are read, not the number of
            # nodes.
            results = self._coded.rows.reduce(
                level_sums, self._target, trees, merge=add_sums, together=CHUNKS_PER_CALL
            )
            for i, (histograms, spreads) in zip(active, results, strict=True):
                growers[i].take(histograms.view(np.uint8), spreads)

    def _batches(self, growers: list[_native.LevelGrower]) -> Iterator[list[list[int]]]:
        """Small nodes of each tree, as many at a time as their rows fit into memory."""
        batch: list[list[int]] = [[] for _ in growers]
        filled = 0
        for i, grower in enumerate(growers):
            for node, n_rows in grower.small_nodes():
                size = n_rows * self._coded.row_bytes
                if filled and filled + size > _coded_blocks.MEMORY_BYTES:
                    yield batch
                    batch, filled = [[] for _ in growers], 0
                batch[i].append(node)
                filled += size
        if filled:
            yield batch

    def _finish(
        self, growers: list[_native.LevelGrower], samples: Sequence[TreeSample], batch: list[list[int]]
    ) -> None:
        """Copy the rows of some small nodes and grow their subtrees, each on one thread."""
        active = [i for i, nodes in enumerate(batch) if nodes]
        trees = [_growing(growers[i], samples[i], None, batch[i]) for i in active]
        copies = self._coded.rows.reduce(node_rows, self._target, trees, merge=join_rows)
        work: list[Callable[[], None]] = []
        for i, copy in zip(active, copies, strict=True):
            slots, codes, y, *w = copy.joined()
            ends = np.searchsorted(slots, np.arange(len(batch[i]) + 1))  # rows are sorted by slot
            for k, node in enumerate(batch[i]):
                part = slice(ends[k], ends[k + 1])
                work.append(
                    _Subtree(growers[i], node, self._target, codes[part], y[part], w[0][part] if w else None)
                )
        if self._coded.rows.threads == 1 or len(work) == 1:
            for grow in work:
                grow()
            return
        with Team(self._coded.rows.threads) as team:
            for future in [team.submit(grow) for grow in work]:
                future.result()


@dataclass(frozen=True)
class _Subtree:
    """The subtree of one node, with the rows it grows on."""

    grower: _native.LevelGrower
    node: int
    target: RowTarget
    codes: NDArray[np.uint8]
    y: NDArray[Any]
    w: Floats | None

    def __call__(self) -> None:
        n_classes = self.target.n_classes
        label, sums = (self.y, None) if n_classes else (None, self.y)
        self.grower.finish(
            self.node,
            self.codes,
            self.target.width,
            label,
            n_classes,
            sums,
            self.w,
            self.target.fixed.square_unit,
        )


def _growing(
    grower: _native.LevelGrower, sample: TreeSample, layout: PassLayout | None, nodes: list[int] | None = None
) -> GrowingTree:
    """The tree as a pass over its open nodes, or over the given nodes, needs it."""
    routes, slot = grower.routes()
    if nodes is not None:
        slot = np.full(len(slot), -1, dtype=np.int32)
        slot[nodes] = np.arange(len(nodes))
    return GrowingTree(routes, slot, layout, sample.counts, sample.factor)

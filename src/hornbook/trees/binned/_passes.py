"""Passes over coded rows for growing trees: histograms, sizes and copies of rows."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from hornbook import _native
from hornbook.frame import Block
from hornbook.params import Floats
from hornbook.trees.binned._fixed_point import FixedPoint
from hornbook.trees.binned._row_weights import row_weights

__all__ = [
    "GrowingTree",
    "NodeRows",
    "PassLayout",
    "RowTarget",
    "TreeSize",
    "add_sizes",
    "add_sums",
    "join_rows",
    "level_sums",
    "node_rows",
    "tree_sizes",
]

Ints = NDArray[np.int32]
Sums = list[tuple[NDArray[Any], Floats]]  # histograms and spreads, tree after tree


@dataclass(frozen=True)
class RowTarget:
    """Target and weights of rows as trees use them.

    Parameters
    ----------
    sizes : ndarray of int32
        Number of codes of each column.
    width : int
        Bytes per code.
    n_classes : int
        Number of classes; 0 for numbers.
    fixed : FixedPoint
        Units that numbers and weights are rounded to.
    drawn : bool
        Whether row weights are sampling weights, and not used inside the trees.
    """

    sizes: Ints
    width: int
    n_classes: int
    fixed: FixedPoint
    drawn: bool

    def of(
        self, block: Block, counts: NDArray[Any] | None, factor: Floats | None
    ) -> tuple[Ints | None, Floats | None, Floats | None]:
        """Classes or sums of the rows, and their weights; ``counts`` say how often each row was drawn."""
        w = self.fixed.weights(row_weights(block.unweighted() if self.drawn else block, factor))
        assert block.y is not None
        label = np.ascontiguousarray(block.y, dtype=np.int32) if self.n_classes else None
        sums = None if self.n_classes else self.fixed.sums(block.y, w)
        if counts is None:
            return label, sums, w
        drawn = counts[block.start : block.start + len(block)].astype(np.float64)
        return label, None if sums is None else sums * drawn, drawn if w is None else w * drawn


class PassLayout(NamedTuple):
    """Sums over the open nodes of a tree that a pass has to make, in the order of `_native.node_histograms`.

    Parameters
    ----------
    columns, offsets : ndarray
        Columns whose histograms are needed, and where each begins in the bytes of a slot.
    histograms, slots : int
        How many of the slots have histograms, and how many there are.
    whole, counted : bool
        Whether cells are counts, and whether rows are counted beside class weights.
    """

    columns: Ints
    offsets: NDArray[np.int64]
    histograms: int
    slots: int
    whole: bool
    counted: bool


@dataclass(frozen=True)
class GrowingTree:
    """A tree as a pass needs it.

    Parameters
    ----------
    routes : tuple of ndarray
        Its nodes, as `_native.find_nodes` takes them.
    slot : ndarray of int32
        Index of each node in the results of the pass; -1 for nodes it does not need.
    layout : PassLayout, optional
        Which sums are needed; None where rows are only sent to their nodes.
    counts : ndarray, optional
        How often each row is in its sample.
    factor : ndarray, optional
        Weights of the classes.
    """

    routes: tuple[NDArray[Any], ...]
    slot: Ints
    layout: PassLayout | None
    counts: NDArray[Any] | None
    factor: Floats | None

    def slots(self, block: Block, target: RowTarget, w: Floats | None) -> Ints:
        """The slot of each row's node; -1 for rows that are not in the tree's sample."""
        # The node of a row is found anew in each pass: keeping it would take memory for each row and tree.
        slots = self.slot[_native.find_nodes(block.X, target.width, target.sizes, *self.routes)]
        return slots if w is None else np.where(w > 0, slots, np.int32(-1))


def level_sums(block: Block, target: RowTarget, trees: list[GrowingTree]) -> Sums:
    """Histograms and spreads of the open nodes of all trees."""
    results = []
    for tree in trees:
        assert tree.layout is not None  # it has open nodes
        label, sums, w = target.of(block, tree.counts, tree.factor)
        histograms, spreads = _native.node_histograms(
            block.X,
            target.width,
            target.sizes,
            tree.slots(block, target, w),
            label,
            sums,
            w,
            target.n_classes,
            target.fixed.square_unit,
            *tree.layout,
        )
        # As counts or doubles, so that merging chunks adds numbers instead of bytes.
        results.append((histograms.view(np.uint32 if tree.layout.whole else np.float64), spreads))
    return results


def add_sums(one: Sums, other: Sums) -> Sums:
    """Sums of both groups of rows; ``one`` is overwritten."""
    for (histograms, spreads), (other_histograms, other_spreads) in zip(one, other, strict=True):
        # In place, as histograms of a level take up to HISTOGRAM_BYTES; a result belongs to the merge alone.
        np.add(histograms, other_histograms, out=histograms)
        spreads[:, 0] += other_spreads[:, 0]
        np.minimum(spreads[:, 1], other_spreads[:, 1], out=spreads[:, 1])
        np.maximum(spreads[:, 2], other_spreads[:, 2], out=spreads[:, 2])
    return one


@dataclass(frozen=True)
class TreeSize:
    """Number and weight of a tree's rows, whether all weights are integers, and whether there are weights."""

    rows: int
    weight: float
    whole: bool
    weighted: bool


def tree_sizes(
    block: Block, target: RowTarget, samples: list[tuple[NDArray[Any] | None, Floats | None]]
) -> list[TreeSize]:
    """Number and weight of the rows of trees, from the counts and class weights of each."""
    sizes = []
    for counts, factor in samples:
        w = target.of(block, counts, factor)[2]
        full = np.ones(len(block)) if w is None else w
        whole = bool((full == np.floor(full)).all())
        sizes.append(TreeSize(int(np.count_nonzero(full)), float(full.sum()), whole, w is not None))
    return sizes


def add_sizes(one: list[TreeSize], other: list[TreeSize]) -> list[TreeSize]:
    """Sizes of both groups of rows."""
    return [
        TreeSize(a.rows + b.rows, a.weight + b.weight, a.whole and b.whole, a.weighted or b.weighted)
        for a, b in zip(one, other, strict=True)
    ]


@dataclass(frozen=True)
class NodeRows:
    """Rows of some nodes, in pieces: the slot of each row's node, its codes, class or sum, and weight."""

    pieces: list[tuple[NDArray[Any], ...]]

    def joined(self) -> tuple[NDArray[Any], ...]:
        """All rows, those of a node in the order of the table."""
        arrays = tuple(map(np.concatenate, zip(*self.pieces, strict=True)))
        # Chunks are merged in the order of the table; a stable sort keeps it within each node.
        order = np.argsort(arrays[0], kind="stable")
        return tuple(array[order] for array in arrays)


def node_rows(block: Block, target: RowTarget, trees: list[GrowingTree]) -> list[NodeRows]:
    """Copies of the rows in nodes that have a slot."""
    results = []
    for tree in trees:
        label, sums, w = target.of(block, tree.counts, tree.factor)
        slots = tree.slots(block, target, w)
        rows = np.flatnonzero(slots >= 0)
        y = label if label is not None else sums
        assert y is not None
        piece = (slots[rows], block.X[rows], y[rows])
        results.append(NodeRows([piece if w is None else (*piece, w[rows])]))
    return results


def join_rows(one: list[NodeRows], other: list[NodeRows]) -> list[NodeRows]:
    """Rows of both groups."""
    return [NodeRows(a.pieces + b.pieces) for a, b in zip(one, other, strict=True)]

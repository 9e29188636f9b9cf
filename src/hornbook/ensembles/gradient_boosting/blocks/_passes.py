"""Passes over coded rows for boosting: scores, gradient pairs, and their sums."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hornbook import _native
from hornbook.ensembles.gradient_boosting._boosting_fit import require_finite
from hornbook.ensembles.gradient_boosting._progress import loss_sums
from hornbook.ensembles.gradient_boosting._start import spread_base
from hornbook.ensembles.gradient_boosting._tree_rounds import bend_of
from hornbook.frame import Block
from hornbook.losses import Loss
from hornbook.params import Floats
from hornbook.trees import GradientTarget

__all__ = [
    "TOGETHER",
    "CodedStep",
    "CodedTree",
    "PairBounds",
    "PairSource",
    "Scale",
    "add_all",
    "bounds_of",
    "histograms_of",
    "join_all",
    "join_bounds",
    "leaf_sums_of",
    "scores_of",
]

TOGETHER = 16  # chunks per call: fewer histograms to merge, and no less than the runs of the kernels' sums
Ints = NDArray[np.int32]
Scale = tuple[float, float, int, bool, bool, int]


@dataclass(frozen=True)
class CodedTree:
    """A tree as coded rows traverse it.

    Parameters
    ----------
    routes : tuple of ndarray
        The nodes, as the kernel takes them.
    slot : ndarray of int32
        What is asked about each node: its place in the sums of a pass, or its number in the finished tree.
    """

    routes: tuple[NDArray[Any], ...]
    slot: Ints

    def slots(self, block: Block, sizes: Ints) -> Ints:
        """Those of the nodes that rows are in; -1 for rows of weight 0, which have no codes."""
        slots = self.slot[_native.find_nodes(block.X, 1, sizes, *self.routes)]
        return slots if block.w is None else np.where(block.w > 0, slots, np.int32(-1))


@dataclass(frozen=True)
class CodedStep:
    """A finished tree on codes, and what each of its nodes adds to a score."""

    tree: CodedTree
    value: Floats

    def update(self, block: Block, sizes: Ints) -> Floats:
        """What it adds to the scores of rows; nothing for those of weight 0, which are never asked for."""
        node = self.tree.slots(block, sizes)
        return np.where(node >= 0, self.value[node], 0.0)


@dataclass(frozen=True)
class PairSource:
    """Where gradient pairs come from.

    Parameters
    ----------
    loss : Loss
        The loss.
    sizes : ndarray of int32
        Number of codes of each column.
    learner : str
        Name of the learner, for messages.
    number : int
        The round.
    """

    loss: Loss
    sizes: Ints
    learner: str
    number: int

    def pairs(self, block: Block, z: Floats, scores: Sequence[int]) -> list[GradientTarget]:
        """The pairs of rows for some of their scores."""
        assert block.y is not None
        with np.errstate(over="ignore", invalid="ignore"):  # what is not finite is an error, not a warning
            gradient, hessian = (np.asarray(part) for part in self.loss.derivatives(block.y, z))
        require_finite(self.loss, gradient, hessian, block.y, z, self.learner, self.number)
        # The same bounds on second derivatives as in memory, or trees would differ.
        bend = bend_of(self.loss, gradient, hessian)
        columns = [(gradient, bend)] if z.ndim == 1 else [(gradient[:, k], bend[:, k]) for k in scores]
        return [
            GradientTarget.of_some(np.ascontiguousarray(g), np.ascontiguousarray(h), block.w)
            for g, h in columns
        ]


def scores_of(
    block: Block, base: Floats, sizes: Ints, rounds: Sequence[Sequence[CodedStep]]
) -> tuple[Floats]:
    """The scores of rows after some rounds, as those have left them."""
    z = spread_base(base, len(block))
    for steps in rounds:
        z = _moved(block, z, sizes, steps)
    return (z,)


def _moved(block: Block, z: Floats, sizes: Ints, steps: Sequence[CodedStep]) -> Floats:
    updates = [step.update(block, sizes) for step in steps]
    if not updates:
        return z
    return np.asarray(z + (updates[0] if z.ndim == 1 else np.column_stack(updates)))


@dataclass(frozen=True)
class PairBounds:
    """What is known of the pairs of all rows.

    Parameters
    ----------
    runs : list of ndarray
        Bounds of runs of rows as the kernel gives them, for each score.
    n_rows : ndarray of int
        Rows of positive weight, for each score.
    loss : ndarray
        Loss and weight of each chunk of rows.
    """

    runs: list[Floats]
    n_rows: NDArray[np.intp]
    loss: Floats


def bounds_of(
    block: Block, kept: tuple[Floats], source: PairSource, steps: Sequence[CodedStep], n_scores: int
) -> tuple[PairBounds, tuple[Floats]]:
    """Add the steps of a round to the scores, and bound the pairs there."""
    assert block.y is not None
    z = _moved(block, kept[0], source.sizes, steps)
    pairs = source.pairs(block, z, range(n_scores))
    bounds = PairBounds(
        [_native.pair_bounds(part.sums, part.w) for part in pairs],
        np.array([np.count_nonzero(part.w) for part in pairs]),
        loss_sums(source.loss, block.y, z, block.w),
    )
    return bounds, (z,)


def join_bounds(one: PairBounds, other: PairBounds) -> PairBounds:
    """Bounds of the rows of both."""
    return PairBounds(
        join_all(one.runs, other.runs), one.n_rows + other.n_rows, np.concatenate([one.loss, other.loss])
    )


def histograms_of(
    block: Block, kept: tuple[Floats], source: PairSource, trees: Sequence[tuple[int, CodedTree, int, Scale]]
) -> list[NDArray[np.int64]]:
    """Histograms of open nodes, from the score of each tree, its nodes, how many are open, and its scale."""
    # Computed again on every pass: to keep them would take as much memory as the scores for each derivative.
    pairs = source.pairs(block, kept[0], [tree[0] for tree in trees])
    return [
        _native.pair_histograms(
            block.X,
            source.sizes,
            part.sums,
            part.w,
            tree.slots(block, source.sizes),
            slots,
            scale,
            block.start,
        )
        for part, (_, tree, slots, scale) in zip(pairs, trees, strict=True)
    ]


def leaf_sums_of(
    block: Block, kept: tuple[Floats], source: PairSource, trees: Sequence[tuple[int, CodedTree, int]]
) -> list[Floats]:
    """Sums of the pairs in the leaves, from the score of each tree, its nodes, and their number."""
    pairs = source.pairs(block, kept[0], [tree[0] for tree in trees])
    return [
        _native.pair_leaf_sums(tree.slots(block, source.sizes), part.sums, part.w, n_nodes)
        for part, (_, tree, n_nodes) in zip(pairs, trees, strict=True)
    ]


def add_all(one: list[NDArray[np.int64]], other: list[NDArray[np.int64]]) -> list[NDArray[np.int64]]:
    """Sums of both, tree by tree; ``one`` is overwritten."""
    for mine, theirs in zip(one, other, strict=True):
        # In place: integers, so that the result does not depend on the order of merging.
        np.add(mine, theirs, out=mine)
    return one


def join_all(one: list[Floats], other: list[Floats]) -> list[Floats]:
    """One below the other, tree by tree."""
    return [np.concatenate(pair) for pair in zip(one, other, strict=True)]

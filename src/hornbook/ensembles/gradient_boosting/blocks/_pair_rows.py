"""Rows that boosting learns from where they are: their scores, gradient pairs, and the nodes they are in."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import isfinite
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from hornbook import _native
from hornbook.ensembles.gradient_boosting._pair_scores import is_native
from hornbook.ensembles.gradient_boosting._progress import loss_sums
from hornbook.ensembles.gradient_boosting._tree_rounds import SMALLEST_HESSIAN
from hornbook.ensembles.gradient_boosting.blocks._passes import (
    CodedStep,
    PairBounds,
    PairSource,
    Scale,
    add_all,
    scores_of,
)
from hornbook.frame import Block, KeptTeam
from hornbook.losses import SoftmaxLoss, SquaredError
from hornbook.params import Floats
from hornbook.trees import GradientTarget

__all__ = ["PairRows", "by_row", "joined_by_row"]

Ints = NDArray[np.int32]
Routes = tuple[NDArray[Any], ...]
Sums = list[NDArray[np.int64]]
# The score of a tree, its units when it is new, its nodes, and those whose histograms are asked for.
OpenTree = tuple[int, Scale | None, Routes, Ints]
# The score of a tree, its nodes, the number of the leaf that rows of each are in, and how many there are.
GrownTree = tuple[int, Routes, Ints, int]
Result = TypeVar("Result")


class PairRows:
    """Some rows of a fit: what is asked of them are sums, and what is sent here are trees.

    Parameters
    ----------
    blocks : list of Block
        Codes, target and weights; blocks start where runs of the kernels' sums do.
    n_threads : int
        Threads.
    base : ndarray of shape (n_scores,)
        Where the scores start.
    sizes : ndarray of int32
        Number of codes of each column.
    rounds : sequence
        The steps of the rounds so far.
    """

    def __init__(
        self,
        blocks: list[Block],
        n_threads: int,
        base: Floats,
        sizes: Ints,
        rounds: Sequence[Sequence[CodedStep]],
    ) -> None:
        self._team = KeptTeam(max(1, min(n_threads, len(blocks))))
        self._parts = self._each(lambda block: _Part(block, base, sizes, rounds), blocks)
        self._done = len(rounds)

    def _each(self, work: Callable[[Any], Result], items: Sequence[Any]) -> list[Result]:
        if self._team.size == 1:
            return list(map(work, items))
        return list(self._team.results(work, iter(items), len(items)))

    def advance(self, source: PairSource, n_rounds: int, steps: Sequence[Floats]) -> dict[int, PairBounds]:
        """Add the newest trees to the scores, unless that was done, and bound the pairs there."""
        new = steps if self._done < n_rounds else ()
        bounds = self._each(lambda part: part.advance(source, new), self._parts)
        self._done = n_rounds
        return {part.start: bound for part, bound in zip(self._parts, bounds, strict=True)}

    def losses(self, source: PairSource) -> dict[int, Floats]:
        """Loss and weight of each chunk of rows."""
        return {part.start: part.losses(source) for part in self._parts}

    def histograms(self, source: PairSource, trees: Sequence[OpenTree]) -> Sums:
        """Histograms of the open nodes of some trees."""
        size = self._team.size
        groups = [self._parts[i::size] for i in range(size)]
        whole, *others = self._each(lambda parts: _histograms(parts, source, trees), groups)
        for other in others:
            whole = add_all(whole, other)
        return whole

    def leaf_sums(self, trees: Sequence[GrownTree]) -> dict[int, list[Floats]]:
        """Sums of the pairs in the leaves of grown trees, for each run of rows."""
        sums = self._each(lambda part: part.leaf_sums(trees), self._parts)
        return {part.start: part_sums for part, part_sums in zip(self._parts, sums, strict=True)}


def _histograms(parts: Sequence[_Part], source: PairSource, trees: Sequence[OpenTree]) -> Sums:
    sums = []
    for k, scale, routes, nodes in trees:
        for part in parts:
            part.follow(source, k, scale, routes)
        sums.append(_native.shard_histograms([part.shard for part in parts], k, nodes))
    return sums


class _Part:
    """One block of rows."""

    def __init__(
        self, block: Block, base: Floats, sizes: Ints, rounds: Sequence[Sequence[CodedStep]]
    ) -> None:
        assert block.y is not None
        codes = np.require(block.X, np.uint8, ["C_CONTIGUOUS", "ALIGNED"])
        self.start, self._block, self._n_scores = block.start, block, len(base)
        self._z = np.array(scores_of(block, base, sizes, rounds)[0])
        self._leaves: list[Ints] = [np.zeros(0, np.int32)] * self._n_scores
        self._pairs: list[GradientTarget] | None = None  # at these scores
        self._y: NDArray[Any] = block.y
        self.shard = _native.PairShard(codes, sizes, block.start, self._n_scores)

    def advance(self, source: PairSource, steps: Sequence[Floats]) -> PairBounds:
        if steps:
            self._pairs = None
            self._move(steps)
        pairs = self._pairs_at(source)
        return PairBounds(
            [_native.pair_bounds(part.sums, part.w) for part in pairs],
            np.array([np.count_nonzero(part.w) for part in pairs]),
            np.empty((0, 2)),
        )

    def _move(self, steps: Sequence[Floats]) -> None:
        for k, (step, leaf) in enumerate(zip(steps, self._leaves, strict=True)):
            z = self._z if self._z.ndim == 1 else self._z[:, k]
            # Rows of weight 0 are in no leaf, and nobody asks for their scores.
            z += step[leaf] if self._block.w is None else np.where(leaf >= 0, step[leaf], 0.0)

    def _pairs_at(self, source: PairSource) -> list[GradientTarget]:
        if self._pairs is None:
            native = self._z.ndim == 1 and is_native(source.loss) and not isinstance(source.loss, SoftmaxLoss)
            pairs = self._native_pairs(source) if native else None
            self._pairs = pairs or source.pairs(self._block, self._z, range(self._n_scores))
        return self._pairs

    def _native_pairs(self, source: PairSource) -> list[GradientTarget] | None:
        """The pairs by a kernel; None if some are not finite."""
        squared = isinstance(source.loss, SquaredError)
        self._y = np.ascontiguousarray(self._y, dtype=np.float64 if squared else np.int32)
        sums, weights = np.empty(len(self._y)), np.empty(len(self._y))
        rows = (self._z, self._y, self._block.w, sums, weights, None, None, 1)
        if squared:
            _native.squared_error_pairs(*rows)
        else:
            _native.log_loss_pairs(*rows, SMALLEST_HESSIAN)
        finite = isfinite(sums.sum()) and isfinite(weights.sum())
        return [GradientTarget(sums, weights)] if finite else None

    def losses(self, source: PairSource) -> Floats:
        assert self._block.y is not None
        return loss_sums(source.loss, self._block.y, self._z, self._block.w)

    def follow(self, source: PairSource, k: int, scale: Scale | None, routes: Routes) -> None:
        """Begin a tree if it is new, and send rows to the nodes it has by now."""
        if scale is not None:
            pairs = self._pairs_at(source)[k]
            self.shard.begin(k, pairs.sums, pairs.w, scale)
        self.shard.follow(k, *routes)

    def leaf_sums(self, trees: Sequence[GrownTree]) -> list[Floats]:
        assert self._pairs is not None  # the trees were grown from them
        sums = []
        for k, routes, number, n_nodes in trees:
            self.shard.follow(k, *routes)
            self._leaves[k] = self.shard.leaves(k, number)
            pairs = self._pairs[k]
            sums.append(_native.pair_leaf_sums(self._leaves[k], pairs.sums, pairs.w, n_nodes))
        return sums


def joined_by_row(one: dict[int, Any], other: dict[int, Any]) -> dict[int, Any]:
    """Results of different rows, by the first of them; both together."""
    return {**one, **other}


def by_row(results: dict[int, Result], merge: Callable[[Result, Result], Result]) -> Result:
    """Merge results in the order of the rows."""
    first, *others = [results[start] for start in sorted(results)]
    for other in others:
        first = merge(first, other)
    return first

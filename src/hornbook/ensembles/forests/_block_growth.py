"""Growing the trees of a forest on rows in blocks."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import islice
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from hornbook.ensembles.forests._bootstrap import BootstrapDraws, bootstrap_of
from hornbook.ensembles.forests._grow_trees import (
    Growth,
    MemoryGrowth,
    balanced_factors,
    drawn_settings,
    forest_grid,
)
from hornbook.ensembles.forests._settings import ForestSettings
from hornbook.frame import Block, Blocks, Schema
from hornbook.params import Floats
from hornbook.trees import (
    BlockGrower,
    CodedTarget,
    FittedTree,
    GrowerSettings,
    SampleSize,
    TreeSample,
    code_blocks,
    mean_weight,
)

__all__ = ["ForestBlocks", "growth_on_blocks"]

Result = TypeVar("Result")


@dataclass(frozen=True)
class ForestBlocks:
    """The rows of a fit, in memory or not.

    Parameters
    ----------
    blocks : Blocks
        Frames with target and weights.
    factors : ndarray, optional
        Weights of the classes inside the trees.
    n_classes : int
        Number of classes; 0 for numbers.
    """

    blocks: Blocks
    factors: Floats | None
    n_classes: int

    @property
    def schema(self) -> Schema:
        """What the columns are."""
        return self.blocks.schema.features


def growth_on_blocks(rows: ForestBlocks, settings: ForestSettings, seed: int) -> Growth:
    """Growth in memory if the coded rows fit, else by passes over them."""
    trees = drawn_settings(settings)
    blocks, factors, n_classes = rows.blocks, rows.factors, rows.n_classes
    assert trees.max_bins is not None  # `needs_all_rows` is true without bins
    # Without class weights: bins are shared by all trees, whose class weights may differ.
    coded = code_blocks(blocks, None, trees.max_bins, seed)
    draws = _draws(coded.rows, settings, seed) if settings.bootstrap else None
    # A grid of fixed point units: histogram sums are integers and exact, so that their order does not
    # matter.
    grid = forest_grid(coded.rows, settings, factors, draws, numbers=n_classes == 0)
    target = CodedTarget(coded, n_classes, factors, grid, drawn=draws is not None)
    if draws is None:
        size = target.size()
    else:
        mean = 1.0 if factors is None else mean_weight(coded.rows, factors)
        # Expected weight of a sample; limits in shares of the weight must not depend on the draw.
        size = SampleSize(draws.draws, draws.draws * mean)
    options = trees.options(rows.schema, size)
    if target.coded.fits_in_memory:
        balanced = grid if settings.is_balanced else None
        return MemoryGrowth(*target.in_memory(options, seed), trees, draws, balanced)
    return BlockGrowth(target, target.by_passes(options, seed), trees, draws, balanced=settings.is_balanced)


def _draws(rows: Blocks, settings: ForestSettings, seed: int) -> BootstrapDraws:
    w = rows.reduce(_weights)
    joined = None if w[0] is None else np.concatenate([part for part in w if part is not None])
    return bootstrap_of(seed, rows.n_rows, joined, settings.max_samples)


def _weights(block: Block) -> list[Floats | None]:
    return [block.w]


class BlockGrowth(Growth):
    """Growth by passes over rows that do not fit into memory, many trees at a time.

    Parameters
    ----------
    target : CodedTarget
        The rows, and the target and weights that trees use.
    grower : BlockGrower
        Grows some trees side by side.
    settings : GrowerSettings
        How.
    draws : BootstrapDraws, optional
        Rows of each tree; all when left out.
    balanced : bool
        Whether classes are balanced within each tree's own sample.
    """

    def __init__(
        self,
        target: CodedTarget,
        grower: BlockGrower,
        settings: GrowerSettings,
        draws: BootstrapDraws | None,
        *,
        balanced: bool,
    ) -> None:
        super().__init__(settings, target.n_classes, len(target.coded.sizes))
        self.draws, self.n_threads = draws, target.coded.rows.threads
        self._target, self._grower, self._balanced = target, grower, balanced

    def _map_trees(
        self, numbers: Iterator[int], function: Callable[[int, FittedTree], Result]
    ) -> Iterator[Result]:
        # As many trees side by side as histograms fit: each pass over the rows serves the whole
        # group.
        for group in iter(lambda: list(islice(numbers, self._grower.group_size)), []):
            grown = self._grower.trees([self._sample(t) for t in group])
            for t, tree in zip(group, grown, strict=True):
                yield function(t, self._pruned(tree))

    def _sample(self, t: int) -> TreeSample:
        if self.draws is None:
            return TreeSample(t, None, self._target.factor)
        counts = self.draws.counts(t)
        counts = counts.astype(np.min_scalar_type(int(counts.max())))  # mostly one byte: many trees at once
        if not self._balanced:
            return TreeSample(t, counts, self._target.factor)
        mass = self._target.coded.rows.reduce(_sample_mass, counts, self.n_classes)
        return TreeSample(t, counts, balanced_factors(mass))


def _sample_mass(block: Block, counts: NDArray[np.unsignedinteger], n_classes: int) -> Floats:
    """Number of drawn rows of each class."""
    drawn = counts[block.start : block.start + len(block)]
    assert block.y is not None  # of classes
    return np.bincount(block.y, weights=drawn, minlength=n_classes).astype(np.float64)

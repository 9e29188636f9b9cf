"""Trees on rows in blocks: coded once, then grown in memory if the codes fit, else by passes."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from hornbook import _native
from hornbook.frame import Blocks
from hornbook.params import Floats
from hornbook.trees._fitted import FittedTree
from hornbook.trees._grower import Grower
from hornbook.trees._settings import GrowerSettings, SampleSize
from hornbook.trees._targets import ClassTarget, NumberTarget, target_of
from hornbook.trees.binned._block_grower import BlockGrower, TreeSample
from hornbook.trees.binned._coded_blocks import CodedBlocks, code_blocks
from hornbook.trees.binned._fixed_point import FixedPoint, fixed_point
from hornbook.trees.binned._passes import RowTarget, add_sizes, tree_sizes
from hornbook.trees.binned._row_weights import row_weights

__all__ = ["CodedTarget", "fit_tree_from_blocks"]


@dataclass(frozen=True)
class CodedTarget:
    """Coded rows, and the target and weights that trees use.

    Parameters
    ----------
    coded : CodedBlocks
        The rows.
    n_classes : int
        Number of classes; 0 for numbers.
    factor : ndarray, optional
        Weights of the classes.
    fixed : FixedPoint
        Units that numbers and weights are rounded to.
    drawn : bool
        Whether row weights are sampling weights, and not used inside the trees.
    """

    coded: CodedBlocks
    n_classes: int
    factor: Floats | None
    fixed: FixedPoint
    drawn: bool = False

    def in_memory(self, options: _native.TreeOptions, seed: int) -> tuple[Grower, ClassTarget | NumberTarget]:
        """A grower on the codes of all rows, and their target."""
        coded, threads = self.coded, self.coded.rows.threads
        rows = coded.gather()
        assert rows.y is not None
        table = _native.table_of_codes(np.ascontiguousarray(rows.X), coded.width, coded.columns, threads)
        # Where rows are drawn by their weights, these have had their effect and must not count again.
        w = row_weights(rows.unweighted() if self.drawn else rows, self.factor)
        target = target_of(rows.y, self.n_classes, w, options.criterion, fixed=self.fixed)
        return Grower(table, options, seed=seed, n_threads=threads), target

    def by_passes(self, options: _native.TreeOptions, seed: int) -> BlockGrower:
        """A grower by passes over rows that are not in memory."""
        return BlockGrower(self.coded, self._row_target, options, seed)

    def size(self) -> SampleSize:
        """Number and weight of the rows, if every tree uses all of them."""
        pair = (None, self.factor)
        (size,) = self.coded.rows.reduce(tree_sizes, self._row_target, [pair], merge=add_sizes)
        return SampleSize(size.rows, size.weight)

    @property
    def _row_target(self) -> RowTarget:
        return RowTarget(self.coded.sizes, self.coded.width, self.n_classes, self.fixed, self.drawn)


def fit_tree_from_blocks(
    blocks: Blocks,
    factor: Floats | None,
    settings: GrowerSettings,
    *,
    n_classes: int,
    seed: int,
    bin_seed: int,
) -> tuple[FittedTree, NDArray[np.bool_]]:
    """Grow one tree on all rows; also return which columns have missing values."""
    assert settings.max_bins is not None  # `needs_all_rows` is true without bins
    coded = code_blocks(blocks, factor, settings.max_bins, bin_seed)
    fixed = fixed_point(coded.rows, factor, numbers=n_classes == 0)
    target = CodedTarget(coded, n_classes, factor, fixed)
    options = settings.options(blocks.schema.features, target.size())
    # Codes take a byte or two a cell, so that many tables fit whose numbers do not; both ways give the same
    # tree.
    if target.coded.fits_in_memory:
        grower, rows = target.in_memory(options, seed)
        return grower.tree(rows), coded.gaps
    (tree,) = target.by_passes(options, seed).trees([TreeSample(0, None, factor)])
    return tree, coded.gaps

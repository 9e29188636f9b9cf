"""What naive Bayes counts: sums over rows that merge in any order of batches."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Annotated

import numpy as np
from numpy.typing import NDArray

from hornbook import _native
from hornbook.frame import Block, Blocks, Moments, Schema, bin_codes, bin_edges, column_ranges
from hornbook.params import Floats, Index, Shape

__all__ = ["ClassStatistics", "CountingPlan", "Kept", "bins_of", "kept_of", "statistics_of"]

Codes = NDArray[np.int32]


@dataclass(frozen=True)
class CountingPlan:
    """What to count.

    Parameters
    ----------
    n_classes : int
        Number of classes.
    n_levels : ndarray of shape (n_coded,)
        Number of levels of each categorical column.
    edges : ndarray of shape (n_numeric, n_bins + 1), optional
        Bins of the numeric columns, when they are counted in bins.
    keep_rows : bool
        Whether the rows themselves are needed, as they are for kernel densities.
    """

    n_classes: int
    n_levels: Annotated[Codes, Shape("n_coded")]
    edges: Annotated[Floats, Shape("n_numeric", "n_edges")] | None
    keep_rows: bool

    def sizes_by_name(self) -> dict[str, int]:
        """Sizes that other parts of a model must agree with."""
        sizes = self.table_sizes
        return {
            "n_classes": self.n_classes,
            "n_counted": len(sizes),
            "n_levels": int(sizes.sum(dtype=np.int64)),
        }

    def verify(self, schema: Schema) -> None:
        """Reject numbers of levels other than those of the columns, as in a damaged model file."""
        levels = [len(schema.columns[j].levels) for j in schema.coded.tolist()]
        if self.n_levels.tolist() != levels or (self.edges is not None and self.edges.shape[1] < 2):
            raise ValueError("what was counted are not the levels of the columns")

    @property
    def table_sizes(self) -> Codes:
        """Levels of each counted column: the categorical ones, then the binned ones."""
        if self.edges is None:
            return self.n_levels
        bins = np.full(len(self.edges), self.edges.shape[1] - 1, dtype=np.int32)
        return np.concatenate([self.n_levels, bins])

    def codes(self, numbers: Floats, codes: Codes) -> Codes:
        """Codes of the counted columns: the categorical ones, then the binned ones."""
        if self.edges is None:
            return codes
        binned = [bin_codes(numbers[:, j], edges) for j, edges in enumerate(self.edges)]
        return np.ascontiguousarray(np.column_stack([codes, *binned]), dtype=np.int32)


@dataclass(frozen=True)
class Kept:
    """Training rows kept for later: numbers, codes, classes and weights side by side."""

    numbers: Annotated[Floats, Shape("n_kept", "n_numeric")]
    codes: Annotated[Codes, Shape("n_kept", "n_coded")]
    y: Annotated[Codes, Shape("n_kept"), Index("n_classes")]
    w: Annotated[Floats, Shape("n_kept")]

    def __len__(self) -> int:
        return len(self.y)

    def __getitem__(self, part: slice) -> Kept:
        return Kept(self.numbers[part], self.codes[part], self.y[part], self.w[part])

    def merge(self, other: Kept) -> Kept:
        """The rows of both."""
        return Kept(
            np.concatenate([self.numbers, other.numbers]),
            np.concatenate([self.codes, other.codes]),
            np.concatenate([self.y, other.y]),
            np.concatenate([self.w, other.w]),
        )

    def blocks(self, schema: Schema, n_threads: int) -> Blocks:
        """The rows as Blocks."""
        return Blocks.of(Block(self, self.y, self.w), schema, n_threads)


@dataclass(frozen=True)
class ClassStatistics:
    """Sums over rows from which every table of the model follows.

    Parameters
    ----------
    class_mass : ndarray of shape (n_classes,)
        Weight of each class.
    moments : Moments
        Mass, mean and scatter of each numeric column within each class.
    counts : ndarray of shape (n_classes, total number of levels)
        Weight of each level within each class, columns side by side.
    kept : Kept, optional
        The rows themselves, when the plan keeps them.
    """

    class_mass: Annotated[Floats, Shape("n_classes")]
    moments: Moments
    counts: Annotated[Floats, Shape("n_classes", "n_levels")]
    kept: Kept | None = None

    def verify(self, _: object) -> None:
        """Reject moments of other classes, as in a damaged model file."""
        if len(self.moments.mass) != len(self.class_mass):
            raise ValueError("the moments are not those of the classes")

    def merge(self, other: ClassStatistics) -> ClassStatistics:
        """ClassStatistics of the rows of both."""
        return ClassStatistics(
            self.class_mass + other.class_mass,
            # By the formula of Chan, Golub and LeVeque (1983), which does not cancel as sums of squares do.
            self.moments.merge(other.moments),
            self.counts + other.counts,
            None if self.kept is None or other.kept is None else self.kept.merge(other.kept),
        )

    def empty(self, _: CountingPlan) -> NDArray[np.bool_]:
        """Whether a numeric column has no value at all."""
        return np.asarray(self.moments.mass.sum(axis=0) == 0)

    def widened(self, old: Codes, new: Codes) -> ClassStatistics:
        """The same counts in the layout of columns that have gained levels."""
        if np.array_equal(old, new):
            return self
        pieces = np.split(self.counts, np.cumsum(old)[:-1], axis=1)
        # New levels come after the old ones, so that old codes keep their meaning.
        padded = [np.pad(p, ((0, 0), (0, int(n) - p.shape[1]))) for p, n in zip(pieces, new, strict=True)]
        return replace(self, counts=np.concatenate(padded, axis=1))


def statistics_of(block: Block, plan: CountingPlan) -> ClassStatistics:
    """Count one chunk of rows."""
    numbers, codes = block.X.numbers, block.X.codes
    y = np.asarray(block.y, dtype=np.int32)
    # First, because it rejects classes out of range, for which bincount would allocate memory.
    moments = Moments.of(numbers, y, block.w, plan.n_classes)
    return ClassStatistics(
        np.bincount(y, weights=block.w, minlength=plan.n_classes).astype(np.float64),
        moments,
        _native.class_counts(plan.codes(numbers, codes), y, block.w, plan.table_sizes, plan.n_classes),
        kept_of(block) if plan.keep_rows else None,
    )


def kept_of(block: Block) -> Kept:
    """Keep one chunk of rows."""
    w = np.ones(len(block)) if block.w is None else block.w
    return Kept(block.X.numbers, block.X.codes, np.asarray(block.y, dtype=np.int32), w)


def bins_of(blocks: Blocks, n_bins: int) -> Floats:
    """Edges of bins of equal width, one row for each numeric column; rows of weight 0 do not count."""
    # A pass of its own: bins of equal width need the range before anything is counted.
    low, high = column_ranges(blocks)
    none = np.isnan(low)  # columns without values get arbitrary bins
    low, high = np.where(none, 0.0, low), np.where(none, 1.0, high)
    edges = np.array([bin_edges(ends, n_bins) for ends in np.stack([low, high], axis=1)])
    return edges.reshape(len(low), n_bins + 1)

"""Moments of the columns, which clusterers need before they start."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hornbook.frame import Block, Blocks, Moments
from hornbook.params import Floats

__all__ = ["ColumnMoments", "checked_moments", "column_moments"]


@dataclass(frozen=True)
class ColumnMoments:
    """Moments of the columns, and whether cells are missing and rows have weights."""

    moments: Moments
    gaps: bool
    weighted: bool

    def merge(self, other: ColumnMoments) -> ColumnMoments:
        """Moments of the rows of both."""
        return ColumnMoments(
            self.moments.merge(other.moments), self.gaps or other.gaps, self.weighted or other.weighted
        )

    @property
    def mean(self) -> Floats:
        """Mean of each column."""
        return np.asarray(self.moments.mean[0])

    @property
    def variance(self) -> Floats:
        """Variance of each column, divisor n."""
        return np.asarray(self.moments.variance()[0])

    @property
    def origin(self) -> Floats:
        """A round number near the mean of each column, from which sums of its values lose few digits.

        It is a multiple of a power of 2 that is not below the standard deviation, so that subtracting it
        from the values hardly ever rounds; it is 0 unless the column lies far from 0.
        """
        # Subtracting a multiple of the step is exact unless a value has more digits than the step allows.
        spread = np.sqrt(self.variance)
        step = np.exp2(np.ceil(np.log2(spread, out=np.zeros_like(spread), where=spread > 0)))
        with np.errstate(over="ignore", invalid="ignore"):
            rounded = step * np.rint(self.mean / step)
        # Columns without spread have no step; their mean is as good an origin as any.
        return np.where((spread > 0) & np.isfinite(rounded), rounded, self.mean)

    def check_overflow(self, total: float, names: NDArray[Any], learner: str) -> None:
        """Refuse rows of which a sum of squared distances is not finite."""
        if not math.isfinite(total):
            widest = names[int(np.argmax(np.nan_to_num(self.variance, nan=np.inf)))]
            raise ValueError(
                f"{learner}: column {widest!r} holds values so large that squared distances overflow: "
                "rescale it."
            )


def column_moments(blocks: Blocks) -> ColumnMoments:
    """Compute them in one pass over the rows."""
    # Merged by the update of Chan, Golub and LeVeque (1983) in the order of the chunks, so that the result
    # does not depend on blocks and threads.
    return blocks.reduce(_moments_of, merge=ColumnMoments.merge)


def checked_moments(blocks: Blocks, n_clusters: int, names: NDArray[Any], learner: str) -> ColumnMoments:
    """Moments of the columns of at least as many rows as there are clusters."""
    if blocks.n_rows < n_clusters:
        raise ValueError(
            f"n_samples={blocks.n_rows} should be >= n_clusters={n_clusters}: {learner} needs at least one "
            "row for each cluster; lower n_clusters."
        )
    columns = column_moments(blocks)
    columns.check_overflow(float(columns.variance.sum()), names, learner)
    return columns


def _moments_of(block: Block) -> ColumnMoments:
    gaps = bool(np.isnan(block.X).any())
    return ColumnMoments(Moments.of_rows(block.X, block.w), gaps, block.w is not None)

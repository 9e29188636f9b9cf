"""Bootstrap samples: the rows of each tree of a forest (bagging, Breiman 1996)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, TypeAlias

import numpy as np
from numpy.typing import NDArray

from hornbook import _native
from hornbook.params import Floats, Range

__all__ = ["BootstrapDraws", "MaxSamples", "bootstrap_of"]

MaxSamples: TypeAlias = Annotated[int, Range(low=1)] | Annotated[float, Range(0.0, 1.0, open_low=True)] | None
_RESOLUTION = 2.0**52  # integer units that the total weight is divided into


@dataclass(frozen=True)
class BootstrapDraws:
    """Draws with replacement from counter-based random numbers: tree t always gets the same rows.

    Parameters
    ----------
    seed : int
        Seed of the forest.
    n_rows : int
        Rows of the table.
    draws : int
        Rows drawn for a tree; 0 when each tree sees the whole table.
    until : ndarray of int64, optional
        Cumulative sampling weights of the rows; all are equally likely when left out.
    """

    seed: int
    n_rows: int
    draws: int
    until: NDArray[np.int64] | None

    def counts(self, t: int) -> NDArray[np.uint32]:
        """How often each row is in the sample of tree t."""
        return _native.bootstrap_counts(self.seed, t, self.n_rows, self.draws, self.until)

    def left_out(self, t: int) -> NDArray[np.intp]:
        """The rows that are not in the sample of tree t."""
        return np.flatnonzero(self.counts(t) == 0)


def bootstrap_of(seed: int, n_rows: int, w: Floats | None, max_samples: float | None) -> BootstrapDraws:
    """Draws for a table: weights are sampling weights, and do not change how many rows are drawn.

    Only ratios of weights matter, and rows of weight 0 are ignored.
    """
    if w is None:
        return BootstrapDraws(seed, n_rows, drawn(max_samples, n_rows), None)
    part = w / w.max()  # the sum can then neither overflow nor underflow
    # Integers: cumulative sums are exact, and the same on every machine.
    # 2^52 units: below the 2^53 to which doubles count exactly, and finer than any weight that
    # matters.
    until = np.cumsum(np.rint(part * (_RESOLUTION / part.sum())).astype(np.int64))
    return BootstrapDraws(seed, n_rows, drawn(max_samples, int((w > 0).sum())), until)


def drawn(max_samples: float | None, n_rows: int) -> int:
    """Number of rows drawn: all, a fraction of them rounded, or an integer as it is."""
    if max_samples is None:
        return n_rows
    if isinstance(max_samples, int | np.integer):
        return int(max_samples)
    return max(1, round(max_samples * n_rows))

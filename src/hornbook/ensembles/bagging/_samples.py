"""Which rows and columns each member learns from, recomputed from the seed whenever they are asked for."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from hornbook.ensembles.forests._bootstrap import BootstrapDraws, bootstrap_of, drawn
from hornbook.params import Floats
from hornbook.random import Stream

__all__ = ["RowSamples", "column_draws", "member_seed", "samples_of"]

Rows = NDArray[np.intp]
# Random streams of this module.
ROWS, COLUMNS, SEEDS = (int.from_bytes(name, "big") for name in (b"bagrows", b"bagcols", b"bagseed"))


@dataclass(frozen=True)
class RowSamples(ABC):
    """The rows that each member learns from.

    Parameters
    ----------
    n_rows : int
        Rows of the table.
    """

    by_weight: ClassVar[bool] = False  # whether weights decide how often rows are drawn

    n_rows: int

    @abstractmethod
    def rows(self, t: int) -> Rows:
        """The rows of member t, as often as it learns from them."""

    def left_out(self, t: int) -> Rows:
        """The rows that member t has not seen."""
        # Recomputed on demand: T x n membership flags would outweigh many models.
        return np.flatnonzero(np.bincount(self.rows(t), minlength=self.n_rows) == 0)


@dataclass(frozen=True)
class BootstrapRows(RowSamples):
    """Rows drawn with replacement; weights are sampling weights (Breiman 1996).

    Parameters
    ----------
    draws : BootstrapDraws
        The draws.
    """

    by_weight: ClassVar[bool] = True

    draws: BootstrapDraws

    def rows(self, t: int) -> Rows:
        """The rows drawn for member t, in the order of the table."""
        return np.repeat(np.arange(self.n_rows), self.draws.counts(t))


@dataclass(frozen=True)
class SomeRows(RowSamples):
    """Rows drawn without replacement from those of positive weight: pasting (Breiman 1999), or all of them.

    Parameters
    ----------
    seed : int
        Seed of the draws.
    usable : ndarray of int
        The rows of positive weight.
    size : int
        Rows of a member.
    """

    seed: int
    usable: Rows
    size: int

    def rows(self, t: int) -> Rows:
        """The rows drawn for member t, in the order of the table."""
        if self.size == len(self.usable):
            return self.usable
        places = Stream(self.seed, ROWS, t).permutation(len(self.usable))[: self.size]
        # In the order of the table, so that learners that depend on the order see none of the draw.
        return self.usable[np.sort(places)]


@dataclass(frozen=True)
class DisjointParts(RowSamples):
    """Rows of positive weight in random order, cut into as many parts as there are members.

    Parameters
    ----------
    seed : int
        Seed of the order.
    usable : ndarray of int
        The rows of positive weight.
    n_parts : int
        Number of parts; their sizes differ by at most one row.
    """

    seed: int
    usable: Rows
    n_parts: int

    def rows(self, t: int) -> Rows:
        """Part t, in the order of the table."""
        order = Stream(self.seed, ROWS).permutation(len(self.usable))
        # One permutation for all members: the parts are disjoint.
        return self.usable[np.sort(np.array_split(order, self.n_parts)[t])]


def samples_of(
    seed: int,
    n_rows: int,
    w: Floats | None,
    *,
    bootstrap: bool | str,
    max_samples: float | None,
    n_estimators: int,
) -> RowSamples:
    """The samples that the parameters of bagging ask for."""
    usable = np.arange(n_rows) if w is None else np.flatnonzero(w > 0)
    if bootstrap and not isinstance(bootstrap, str):
        return BootstrapRows(n_rows, bootstrap_of(seed, n_rows, w, max_samples))
    if bootstrap:
        if len(usable) < n_estimators:
            raise ValueError(
                f"bootstrap='disjoint' gives each of n_estimators={n_estimators} members rows of its own, "
                f"but only {len(usable)} rows have a weight above 0: lower n_estimators."
            )
        return DisjointParts(n_rows, seed, usable, n_estimators)
    size = drawn(max_samples, len(usable))
    if size > len(usable):
        raise ValueError(
            f"parameter 'max_samples' is {size}, but only {len(usable)} rows have a weight above 0, and "
            "bootstrap=False draws each of them at most once: lower it, or set bootstrap=True."
        )
    return SomeRows(n_rows, seed, usable, size)


def column_draws(
    seed: int, t: int, n_columns: int, max_features: float, *, replace: bool
) -> NDArray[np.intp]:
    """The columns of member t: as many as ``max_features`` says, in the order of the table."""
    whole = isinstance(max_features, int | np.integer)
    size = int(max_features) if whole else max(1, int(max_features * n_columns))
    if size > n_columns:
        raise ValueError(
            f"parameter 'max_features' is {size}, but the table has {n_columns} columns: lower it, or pass a "
            "fraction of the columns as a float."
        )
    stream = Stream(seed, COLUMNS, t)
    columns = stream.integers(n_columns, size) if replace else stream.permutation(n_columns)[:size]
    return np.sort(columns).astype(np.intp)


def member_seed(seed: int, t: int) -> int:
    """The ``random_state`` of member t: small enough for scikit-learn's learners."""
    # 32 bits, the largest seed that NumPy's RandomState takes.
    return int(Stream(seed, SEEDS, t).integers(2**32, 1)[0])

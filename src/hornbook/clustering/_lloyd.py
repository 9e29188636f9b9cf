"""Passes of Lloyd's algorithm: the nearest center of each row, and the sums for the new means."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from hornbook import _native
from hornbook.clustering._column_moments import ColumnMoments
from hornbook.frame import CHUNK, Arrays, Block, Blocks, Carry
from hornbook.params import Floats

__all__ = ["Lloyd", "Tiles", "Totals", "batch_totals", "threads_for"]

TOGETHER = 4  # chunks in one call of the kernel, which adds them up as Blocks do
FEW_ROWS = 2 * CHUNK  # up to which all rows are added up in every pass
REFRESH = 32  # passes that add up changes, between two that add up all rows
FEW_CHANGES = 0.25  # share of rows up to which adding up changes is less work in the next pass
TIGHT = 1e-3  # share of the squares below which the inertia is too small to be a difference of large sums
PRODUCTS_OF_ONE_THREAD = 4_000_000  # computed in about the time that a second thread takes to start
BOUNDS_PAY = 600  # products for each row below which it is compared with all centers


@dataclass(frozen=True)
class Totals:
    """Sums over rows for each center, after one pass.

    Parameters
    ----------
    sums : ndarray of shape (n_clusters, n_columns)
        Of weight times (value - origin).
    mass : ndarray of shape (n_clusters, n_columns)
        Weight of the known cells.
    origin : ndarray of shape (n_columns,)
        What is subtracted from the values, so that sums keep their digits.
    inertia : float
        Sum of weight times squared distance to the nearest center.
    changed : int
        How many rows have another nearest center than in the pass before.
    """

    sums: Floats
    mass: Floats
    origin: Floats
    inertia: float
    changed: int

    @staticmethod
    def of(flat: Floats, shape: tuple[int, ...], origin: Floats) -> Totals:
        """The totals of a pass of the kernel for centers of this shape."""
        k, d = shape
        sums, mass = flat[: k * d].reshape(shape), flat[k * d : -2]
        # Without missing cells a center has one weight for all columns.
        wide = mass.reshape(shape) if len(mass) == k * d else mass.repeat(d).reshape(shape)
        return Totals(sums, wide, origin, float(flat[-2]), int(flat[-1]))

    def means(self, otherwise: Floats) -> Floats:
        """Means of the values of each center's rows; ``otherwise`` where there are none."""
        if self.mass.all():  # nearly always, and asked in every pass
            return np.asarray(self.origin + self.sums / self.mass)
        known = self.mass > 0
        return np.where(known, self.origin + self.sums / np.where(known, self.mass, 1.0), otherwise)

    def deviations(self, centers: Floats) -> Floats:
        """Sums of weight times (value - center)."""
        return self.sums - self.mass * (centers - self.origin)


class Lloyd:
    """Passes over the same rows with moving centers, and the bounds of the rows between passes.

    Hamerly (2010), "Making k-means even faster": each row keeps its label, an upper bound of the distance to
    its center and a lower bound of the distance to every other. The triangle inequality shows which rows
    cannot have changed sides, and only the others are compared with all centers: the labels are those of
    comparing everything. Of many rows only those are added up that changed sides; the sums are made anew
    every `REFRESH` passes, so that rounding cannot pile up, and whenever an exact pass is asked for.

    Parameters
    ----------
    blocks : Blocks
        The rows, as matrices in which missing cells are NaN.
    columns : ColumnMoments
        Of these rows.
    """

    def __init__(self, blocks: Blocks, columns: ColumnMoments) -> None:
        self.blocks = blocks
        self.gaps = columns.gaps
        self.origin = columns.origin
        # Sums of changes would leave a weight that is hardly above 0 where no row is left.
        # Changes pay for many rows only; for few, adding everything up is as fast and has no drift.
        self._adds_changes = blocks.n_rows > FEW_ROWS and not (columns.gaps or columns.weighted)
        # The kernel cuts rows that are all here into chunks itself.
        self._block = next(iter(blocks)) if blocks.is_one_block and blocks.n_rows else None
        self.tiles = Tiles.of(self._block.X, self.origin, blocks.threads) if self._block is not None else None
        self.restart()

    def restart(self) -> None:
        """Forget the last pass: the next centers have nothing to do with those before."""
        self._bounds: Carry | None = None
        self._here: tuple[Arrays, Arrays] | None = None
        self._before: Floats | None = None
        self._sums: RunningSums | None = None

    @property
    def labels(self) -> NDArray[np.int32]:
        """The nearest center of each row, as of the last pass."""
        if self._here is not None:
            return self._here[0][0]
        assert self._bounds is not None
        return self._bounds.gather()[0]

    @property
    def is_exact(self) -> bool:
        """Whether the last pass has added up all rows."""
        return self._sums is None or self._sums.age == 0

    def step(self, centers: Floats, *, exact: bool = False) -> Totals:
        """Find the nearest center of each row.

        Parameters
        ----------
        centers : ndarray of shape (n_clusters, n_columns)
            Where the centers are now.
        exact : bool, default False
            Whether all rows are added up, not only the changes since the pass before.
        """
        changes = self._sums is not None and not exact and self._sums.may_change(self.blocks.n_rows)
        flat = self._pass(centers, self._moves(centers), changes)
        self._before = centers
        if not self._adds_changes:
            return Totals.of(flat, centers.shape, self.origin)
        self._sums = RunningSums.of(flat, centers - self.origin, self._sums if changes else None)
        return Totals.of(self._sums.flat, centers.shape, self.origin)

    def _moves(self, centers: Floats) -> Floats:
        """How far each center has moved, and its distance to the nearest other.

        By these Hamerly's (2010) bounds on each row are updated.
        """
        k = len(centers)
        if not _bounds_pay(*centers.shape):
            return np.zeros((3, k))  # nobody asks
        few = threads_for(k * centers.size, self.blocks.threads)
        return _native.center_moves(centers, self._before, self.gaps, few)

    def _pass(self, centers: Floats, moves: Floats, changes: bool) -> Floats:
        """The result of the kernel for all rows."""
        state = (centers, self.origin, moves, self.gaps, changes)
        # One upper and one lower bound per row (Hamerly) instead of k (Elkan): O(n) memory, and rows
        # whose bounds do not cross are never measured.
        keeps = _bounds_pay(*centers.shape)
        if self._block is not None:
            if self._here is None:
                old = _bounds_of(self._block, keeps)
                self._here = old, tuple(map(np.empty_like, old))
            old, new = self._here
            n_threads = threads_for(self.blocks.n_rows * centers.size, self.blocks.threads)
            flat, _ = _assigned(self._block, old, new, *state, self.tiles, n_threads)
            # Double buffered: a pass that a callback interrupts leaves the labels of the one before
            # intact.
            self._here = new, old
            return flat
        if self._bounds is None:
            self._bounds = self.blocks.carry(_bounds_of, keeps, double_buffered=True)
        flat = self.blocks.reduce(_assigned, *state, carry=self._bounds, together=TOGETHER)
        self._bounds.state = (keeps, centers)  # from which lost bounds can be rebuilt
        return flat


@dataclass(frozen=True)
class Tiles:
    """Rows in single precision, measured from an origin and laid out for the kernels.

    Parameters
    ----------
    numbers : ndarray of float32
        The tiles, one after the other.
    origin : ndarray of shape (n_columns,)
        What is subtracted from the values.
    """

    numbers: NDArray[np.float32]
    origin: Floats

    @staticmethod
    def of(X: Floats, origin: Floats, n_threads: int) -> Tiles:
        """The tiles of some rows."""
        # Single precision halves the memory traffic; a row is decided in double precision where the
        # two nearest centers are within the rounding error.
        return Tiles(_native.float_tiles(X, origin, threads_for(X.size, n_threads)), origin)


@dataclass(frozen=True)
class RunningSums:
    """What a pass has left for one that adds up changes only.

    Parameters
    ----------
    flat : ndarray
        The result of the kernel for all rows: sums, weights, inertia and number of changes.
    square : float
        Sum over rows of their squared distance from the origin.
    age : int
        Passes since all rows were added up.
    """

    flat: Floats
    square: float
    age: int

    @staticmethod
    def of(flat: Floats, places: Floats, before: RunningSums | None) -> RunningSums:
        """The sums of a pass with centers at these places, measured from the origin.

        The inertia is the sum of |x|² - 2 x·c + |c|² over all rows.
        """
        k, d = places.shape
        if before is not None:
            flat[:-2] += before.flat[:-2]
        sums, mass = flat[: k * d].reshape(k, d), flat[k * d : -2]
        # sum over rows |x - c|^2 = sum |x|^2 + sum over centers m |c|^2 - 2 c'S: the first term never
        # changes.
        linear = float(np.einsum("ij,ij->", places, mass[:, None] * places - 2.0 * sums))
        if before is None:
            return RunningSums(flat, float(flat[-2]) - linear, 0)
        flat[-2] = before.square + linear
        return RunningSums(flat, before.square, before.age + 1)

    def may_change(self, n_rows: int) -> bool:
        """Whether the next pass may add up changes: of few rows, not for ever, and if no digits are lost."""
        inertia, changed = self.flat[-2:]
        few = changed <= FEW_CHANGES * n_rows
        # Cancellation: an inertia far below the sum of squares would be the difference of two large
        # numbers.
        return bool(few and self.age < REFRESH and inertia > TIGHT * self.square)


def threads_for(n_products: int, n_threads: int) -> int:
    """How many threads to start for so much work."""
    return n_threads if n_products > PRODUCTS_OF_ONE_THREAD else 1


def batch_totals(batch: Block, columns: ColumnMoments, centers: Floats, n_threads: int) -> Totals:
    """Totals of rows that are all in memory and have no nearest center yet."""
    moves = _native.center_moves(centers, None, columns.gaps, n_threads)
    old = _bounds_of(batch, keeps=False)
    state = (centers, columns.origin, moves, columns.gaps, False)
    flat, _ = _assigned(batch, old, tuple(map(np.empty_like, old)), *state, n_threads=n_threads)
    return Totals.of(flat, centers.shape, columns.origin)


def _bounds_pay(k: int, d: int) -> bool:
    """Whether bounds cost less than to compare each row with k centers."""
    # d + 3 products per center to compare; below the limit they take less time than reading bounds
    # does.
    return k * (d + 3) > BOUNDS_PAY


def _assigned(
    block: Block,
    old: Arrays,
    new: Arrays,
    centers: Floats,
    origin: Floats,
    moves: Floats,
    gaps: bool,
    changes: bool,
    tiles: Tiles | None = None,
    n_threads: int = 1,
) -> tuple[Floats, Arrays]:
    """Totals of a chunk, and the labels and bounds of its rows after the pass."""
    lower, upper = old[1:] or (None, None)
    new_lower, new_upper = new[1:] or (None, None)
    flat = _native.lloyd_pass(
        block.X,
        block.w,
        None if tiles is None else tiles.numbers,
        centers,
        origin,
        moves,
        old[0],
        lower,
        upper,
        new[0],
        new_lower,
        new_upper,
        gaps,
        changes,
        n_threads,
    )
    return flat, new


def _bounds_of(block: Block, keeps: bool, centers: Floats | None = None) -> Arrays:
    """Labels as a pass with these centers leaves them, any before the first pass.

    Bounds of 0 and infinity say nothing about the centers, so the next pass compares all rows.
    """
    if centers is None:
        labels = np.zeros(len(block), dtype=np.int32)
    else:
        labels = _native.nearest_centers(block.X, centers, 1)[0]
    if not keeps:
        return (labels,)
    return labels, np.zeros(len(block), dtype=np.float32), np.full(len(block), np.inf, dtype=np.float32)

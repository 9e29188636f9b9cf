"""Rows mapped into a space in which a distance is a sum over columns: what every kernel works on."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Any

import numpy as np
from numpy.typing import NDArray

from hornbook import _native
from hornbook.frame import Frame, Schema
from hornbook.params import Floats, Index, Shape

__all__ = ["Indices", "Placed", "Space", "Tree", "numbers_of", "planted", "refuse_missing"]

Indices = NDArray[np.int64]


@dataclass(frozen=True)
class Placed:
    """Rows in a space.

    Parameters
    ----------
    numbers : ndarray of shape (n, n_numbers)
        The numbers, NaN where missing.
    codes : ndarray of int32 of shape (n, n_codes)
        The codes, -1 where missing.
    """

    numbers: Annotated[Floats, Shape("n_rows", "n_numbers")]
    codes: Annotated[NDArray[np.int32], Shape("n_rows", "n_codes")]

    def __len__(self) -> int:
        return len(self.numbers)

    def __getitem__(self, rows: Any) -> Placed:
        return Placed(
            np.ascontiguousarray(self.numbers[rows]),
            np.ascontiguousarray(self.codes[rows]),
        )

    @property
    def complete(self) -> bool:
        """Whether no cell is missing."""
        return not (np.isnan(self.numbers).any() or (self.codes < 0).any())


@dataclass(frozen=True)
class Tree:
    """A k-d tree over placed rows.

    Parameters
    ----------
    order : ndarray of int64 of shape (n,)
        The rows in the order of the tree.
    boxes : ndarray of shape (n_nodes, 16 * n_numbers)
        For each node and number the lowest and the highest values of its eight parts.
    """

    order: Annotated[Indices, Shape("n_rows"), Index("n_rows")]
    boxes: Annotated[Floats, Shape("n_boxes", "16 * n_numbers")]


@dataclass(frozen=True)
class Space:
    """How rows are placed, and how far apart they are there.

    Parameters
    ----------
    power : float
        Numbers add |a - b|^power; 0 counts those that differ, infinity takes the largest.
    numeric, coded : ndarray of int
        Positions in the table of the columns placed as numbers (ordinal ones evenly spaced in [0, 1]) and as
        codes.
    transform : ndarray of shape (n_numbers,) or (n_numbers, n_numbers)
        The numbers are multiplied by it.
    shares : ndarray of shape (n_columns,)
        Weight of each column, for rescaling when others are missing.
    steps : ndarray of shape (n_codes,)
        What two different codes contribute to the sum.
    n_levels : ndarray of int32 of shape (n_codes,)
        Number of levels.
    profiles : ndarray of shape (sum of n_levels, width)
        For each level a point; with points, two levels add ``step`` times the powered distance of these.
    """

    power: float
    numeric: Annotated[NDArray[np.intp], Shape("n_numbers")]
    coded: Annotated[NDArray[np.intp], Shape("n_codes")]
    transform: Annotated[Floats, Shape("n_numbers"), Shape("n_numbers", "n_numbers")]
    shares: Annotated[Floats, Shape("n_numbers + n_codes")]
    steps: Annotated[Floats, Shape("n_codes")]
    n_levels: Annotated[NDArray[np.int32], Shape("n_codes")]
    profiles: Floats

    def verify(self, schema: Schema) -> None:
        """Reject columns and levels other than those of the table, as in a damaged model file."""
        nominal = np.array([kind == "nominal" for kind in schema.kinds], dtype=np.bool_)
        for places, kind in ((self.numeric, False), (self.coded, True)):
            inside = (places >= 0) & (places < len(nominal))
            if not inside.all() or (nominal[places] != kind).any() or len(np.unique(places)) < len(places):
                raise ValueError("the places of the columns are not those of the table")
        levels = [len(schema.columns[j].levels) for j in self.coded.tolist()]
        n_profiles = sum(levels) if self.profiles.size else len(self.profiles)
        if self.n_levels.tolist() != levels or self.profiles.ndim != 2 or len(self.profiles) != n_profiles:
            raise ValueError("the levels are not those of the columns")
        if not self.power >= 0:
            raise ValueError("the power of a distance is at least 0")

    @property
    def arguments(self) -> tuple[float, Floats, Floats, NDArray[np.int32], Floats]:
        """The arguments of the kernels."""
        return self.power, self.shares, self.steps, self.n_levels, self.profiles

    def place(self, frame: Frame) -> Placed:
        """Place the rows of a frame that has the columns of this space."""
        numbers = numbers_of(frame, self.numeric)
        if self.transform.ndim == 2:
            refuse_missing(frame, self.numeric, numbers)
            numbers = np.ascontiguousarray(numbers @ self.transform)
        elif (self.transform != 1.0).any():
            numbers = numbers * self.transform
        return Placed(numbers, _codes_of(frame, self.coded))

    def pairwise(self, rows: Placed, queries: Placed, n_threads: int) -> Floats:
        """Distances from each query to each row."""
        return _native.pairwise(
            rows.numbers, rows.codes, queries.numbers, queries.codes, *self.arguments, n_threads
        )

    def nearest(
        self, rows: Placed, queries: Placed, k: int, n_threads: int, tree: Tree | None = None
    ) -> tuple[Floats, Indices]:
        """Distances and indices of the k nearest rows of each query.

        Ties go to the lower index. Rows that have no known column in common with the query are never
        neighbors: empty places have distance inf and index -1.
        """
        # All three return the same bits; they differ in speed only.
        # A box has no side on which a missing number would lie.
        if tree is not None and not np.isnan(queries.numbers).any():
            return _native.kd_nearest(
                rows.numbers, tree.order, tree.boxes, queries.numbers, self.power, k, n_threads
            )
        if self._by_products(rows, queries):
            return _native.nearest_products(rows.numbers, queries.numbers, k, n_threads)
        return _native.nearest_brute(
            rows.numbers, rows.codes, queries.numbers, queries.codes, *self.arguments, k, n_threads
        )

    def _by_products(self, rows: Placed, queries: Placed) -> bool:
        # |x - y|² = |x|² - 2 x·y + |y|² makes it a product of matrices, which needs complete numbers.
        euclidean = self.power == 2 and rows.numbers.shape[1] > 0 and not rows.codes.shape[1]
        return euclidean and rows.complete and queries.complete

    def within(
        self, rows: Placed, queries: Placed, radius: float, n_threads: int, tree: Tree | None = None
    ) -> tuple[Indices, Floats, Indices]:
        """All rows at most a radius away: offsets of each query, distances, indices, the nearest first."""
        if tree is not None and not np.isnan(queries.numbers).any():
            return _native.kd_within(
                rows.numbers, tree.order, tree.boxes, queries.numbers, self.power, radius, n_threads
            )
        return _native.within_brute(
            rows.numbers, rows.codes, queries.numbers, queries.codes, *self.arguments, radius, n_threads
        )


def planted(space: Space, rows: Placed, n_threads: int) -> Tree | None:
    """Build a k-d tree over the rows; None for categories, missing cells and counts.

    Bentley (1975); Friedman, Bentley and Finkel (1977).

    Parameters
    ----------
    space : Space
        The space of the rows.
    rows : Placed
        The rows.
    n_threads : int
        Threads; the tree does not depend on them.

    Examples
    --------
    >>> from hornbook import Frame
    >>> from hornbook.distances import Minkowski
    >>> frame = Frame([[0.0, 1.0], [2.0, 5.0]])
    >>> space = Minkowski().space(frame)
    >>> planted(space, space.place(frame), n_threads=1).order.tolist()
    [0, 1]
    """
    # Boxes bound distances along axes; categories have no axis, and counts of differences (power 0) no bound
    # that shrinks with the box.
    if not space.power or rows.codes.shape[1] or not rows.numbers.shape[1] or not rows.complete:
        return None
    return Tree(*_native.kd_build(rows.numbers, n_threads))


def refuse_missing(frame: Frame, columns: NDArray[np.intp], numbers: Floats) -> None:
    """Reject missing numbers in a distance that does not decompose into columns."""
    missing = np.isnan(numbers).any(axis=0)
    if missing.any():
        name = frame.schema.names[int(columns[missing.argmax()])]
        raise ValueError(
            f"Column {name!r} has missing values, which Mahalanobis' distance cannot leave out: fill them "
            "first, or choose another distance."
        )


def numbers_of(frame: Frame, columns: NDArray[np.intp]) -> Floats:
    """Return these columns as numbers: ordinal ones evenly spaced in [0, 1]."""
    # The user's own matrix, uncopied, if all columns of it are wanted.
    if frame.array is not None and len(columns) == frame.shape[1]:
        return frame.numbers
    cells = [_number(frame, int(j)) for j in columns]
    return np.ascontiguousarray(np.stack(cells, axis=1)) if cells else np.empty((len(frame), 0))


def _number(frame: Frame, j: int) -> Floats:
    column, cells = frame.schema.columns[j], frame.column(j)
    if column.kind == "numeric":
        return cells.astype(np.float64, copy=False)
    # At least 1, as a single level would divide by 0; it is at 0 then.
    places = cells / max(1, len(column.levels) - 1)
    return np.where(cells < 0, np.nan, places)


def _codes_of(frame: Frame, columns: NDArray[np.intp]) -> NDArray[np.int32]:
    cells = [frame.column(int(j)) for j in columns]
    if not cells:
        return np.empty((len(frame), 0), dtype=np.int32)
    return np.ascontiguousarray(np.stack(cells, axis=1), dtype=np.int32)

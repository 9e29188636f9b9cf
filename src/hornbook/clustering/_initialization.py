"""Initial centers: k-means++, random rows, uniform in the bounding box, or given by the user."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from hornbook import _native
from hornbook.clustering._lloyd import Tiles, threads_for
from hornbook.frame import CHUNK, Block, Blocks, column_ranges
from hornbook.params import Floats
from hornbook.random import Stream

__all__ = ["Start", "checked_centers", "initializer", "weighted_draws"]

Start = Literal["k-means++", "random", "uniform"]

MOST_ROWS = 100_000  # from which starting points are drawn
ROWS_EACH = 100  # minimum number of those rows per center
ROWS_STREAM = 0  # random numbers that choose these rows
START_STREAM = 1  # random numbers that choose the centers


def checked_centers(init: Any, n_clusters: int, n_columns: int, learner: str = "KMeans") -> Floats:
    """Initial centers from the user, validated."""
    centers = np.array(init, dtype=np.float64, order="C")
    finite = bool(np.isfinite(centers).all())
    if centers.shape != (n_clusters, n_columns) or not finite:
        raise ValueError(
            f"{learner}: parameter 'init' must be {n_clusters} rows of {n_columns} finite numbers, one row "
            f"for each cluster and one number for each encoded column; got shape {centers.shape}"
            f"{'' if finite else ' with cells that are not finite'}."
            f"{_mismatch(centers, n_clusters, n_columns)}"
        )
    return centers


def _mismatch(centers: Floats, n_clusters: int, n_columns: int) -> str:
    """What scikit-learn says of initial centers of another shape."""
    wrong = f" The shape of the initial centers {centers.shape} does not match the number of "
    if len(centers) != n_clusters:
        return f"{wrong}clusters {n_clusters}."
    return f"{wrong}features of the data {n_columns}." if centers.shape[1:] != (n_columns,) else ""


def initializer(
    init: str, blocks: Blocks, n_clusters: int, mean: Floats, seed: int, tiles: Tiles | None = None
) -> Callable[[int], Floats]:
    """Return a function from the number of a start to its initial centers.

    Parameters
    ----------
    init : {"k-means++", "random", "uniform"}
        How they are drawn.
    blocks : Blocks
        The rows.
    n_clusters : int
        Number of centers.
    mean : ndarray of shape (n_columns,)
        Replacement for missing cells of a row that becomes a center.
    seed : int
        Seed of the draws.
    tiles : Tiles, optional
        Of all rows, where they are known already.
    """
    if init == "uniform":
        low, high = column_ranges(blocks)
        return lambda run: random_vectors(low, high, n_clusters, Stream(seed, START_STREAM, run))
    sample = sample_of(blocks, n_clusters, mean, seed)
    if init == "random":
        return lambda run: random_rows(sample, n_clusters, Stream(seed, START_STREAM, run))
    if tiles is None or len(sample.X) < blocks.n_rows:
        tiles = Tiles.of(sample.X, np.nan_to_num(mean), blocks.threads)
    return lambda run: plus_plus(sample, tiles, n_clusters, Stream(seed, START_STREAM, run), blocks.threads)


@dataclass(frozen=True)
class Sample:
    """Rows with weight from which starting points are drawn, all of them or some at random.

    Parameters
    ----------
    X : ndarray of shape (n_rows, n_columns)
        The rows.
    w : ndarray of shape (n_rows,)
        Their weights.
    mean : ndarray of shape (n_columns,)
        Replacement for missing cells of a row that becomes a center.
    """

    X: Floats
    w: Floats
    mean: Floats

    def center(self, rows: Any) -> Floats:
        """Centers at these rows."""
        places = self.X[rows]
        return np.where(np.isnan(places), self.mean, places)


def sample_of(blocks: Blocks, n_clusters: int, mean: Floats, seed: int) -> Sample:
    """Draw rows by a random number for each, which depends only on the seed and the row's position."""
    share = max(MOST_ROWS, ROWS_EACH * n_clusters) / blocks.n_rows
    if share >= 1.0 and blocks.is_one_block and blocks.n_rows:
        ((X, w),) = _drawn(next(iter(blocks)), share, seed)  # not a copy
        return Sample(X, w, mean)
    pieces = blocks.reduce(_drawn, share, seed)
    if len(pieces) == 1:
        return Sample(*pieces[0], mean)
    return Sample(np.concatenate([X for X, _ in pieces]), np.concatenate([w for _, w in pieces]), mean)


def _drawn(block: Block, share: float, seed: int) -> list[tuple[Floats, Floats]]:
    w = np.ones(len(block)) if block.w is None else block.w
    if share < 1.0:
        # Keyed by the chunk of the global row index: the same rows are drawn from memory, files or a
        # cluster.
        chosen = Stream(seed, ROWS_STREAM, block.start // CHUNK).uniform(len(block)) < share
    else:
        chosen = np.ones(len(block), dtype=np.bool_)
    chosen &= w > 0
    rows = np.flatnonzero(chosen)
    return [(block.X, w) if len(rows) == len(block) else (block.X.take(rows, axis=0), w[rows])]


def weighted_draws(mass: Floats, draws: Floats) -> NDArray[np.intp]:
    """Rows with probabilities proportional to their mass, by inverting its cumulative sums."""
    running = np.cumsum(mass)
    places = np.searchsorted(running, draws * running[-1], side="right")
    return np.asarray(np.minimum(places, len(mass) - 1))  # rounding may put a draw at the very end


def plus_plus(sample: Sample, tiles: Tiles, n_clusters: int, draws: Stream, n_threads: int) -> Floats:
    """Greedy k-means++ (Arthur and Vassilvitskii 2007): rows drawn by their squared distance so far.

    For each center 2 + ln k candidates are drawn, and the one that lowers the sum of squared distances most
    is taken, as in their implementation and in scikit-learn.
    """
    # O(k n d log k) in all.
    trials = 2 + int(math.log(n_clusters))
    n_threads = threads_for(sample.X.size * trials, n_threads)
    rows = (sample.X, sample.w, tiles.numbers, tiles.origin)
    centers = [sample.center(weighted_draws(sample.w, draws.uniform(1)))[0]]
    closest = _native.square_distances(sample.X, centers[0][None], n_threads)[:, 0]
    while len(centers) < n_clusters:
        mass = sample.w * closest
        if not mass.any():  # every row is a center already
            mass = sample.w
        candidates = sample.center(weighted_draws(mass, draws.uniform(trials)))
        # The squared distances of rows that come closer are changed in place.
        centers.append(candidates[_native.closest_candidate(*rows, closest, candidates, n_threads)])
    return np.array(centers)


def random_rows(sample: Sample, n_clusters: int, draws: Stream) -> Floats:
    """Distinct rows, drawn with probabilities proportional to their weights."""
    mass, chosen = sample.w.copy(), []
    # Sequential draws without replacement: probabilities are proportional to what is left.
    for _ in range(n_clusters):
        if not mass.any():  # fewer different rows than centers
            mass = sample.w.copy()
        (row,) = weighted_draws(mass, draws.uniform(1))
        chosen.append(row)
        # Copies of a chosen row get mass 0: two equal centers would share one cluster.
        same = (sample.X[row] == sample.X) | (np.isnan(sample.X) & np.isnan(sample.X[row]))
        mass[same.all(axis=1)] = 0.0
    return sample.center(chosen)


def random_vectors(low: Floats, high: Floats, n_clusters: int, draws: Stream) -> Floats:
    """Vectors drawn evenly from the box that holds the rows; columns without values are 0."""
    low, high = np.nan_to_num(low), np.nan_to_num(high)
    places = draws.uniform(n_clusters * len(low)).reshape(n_clusters, len(low))
    return low + places * (high - low)

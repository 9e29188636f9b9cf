"""Centers and widths before any of them are trained."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import Any, Literal, cast

import numpy as np
from numpy.typing import NDArray

from hornbook import _native
from hornbook.clustering import KMeans
from hornbook.frame import Block, Blocks
from hornbook.linear import refuse_large
from hornbook.networks.prototypes._ordered_rows import rounded
from hornbook.params import Floats
from hornbook.random import row_bits

__all__ = ["DistinctRows", "initial_centers", "initial_widths", "sample_of"]

MOST_ROWS = 20_000  # distinct rows among which centers are found
NEIGHBORS = 2  # other centers that decide about a width


@dataclass(frozen=True)
class DistinctRows:
    """The distinct rows whose random bits are smallest, with the weight of all their copies.

    Which rows these are depends on their content and the seed, not on their place or on how rows are cut into
    blocks, and copies of a row are the same as its weight.
    """

    X: Floats
    w: Floats
    bits: NDArray[np.uint64]

    @classmethod
    def of(cls, X: Floats, w: Floats, bits: NDArray[np.uint64], most: int) -> DistinctRows:
        """Sort by the bits, add up the weights of copies, keep the first."""
        order = np.argsort(bits, kind="stable")
        first = np.flatnonzero(np.append(True, np.diff(bits[order]) != 0))
        mass = np.add.reduceat(w[order], first)[:most]
        places = order[first[:most]]
        return cls(X[places], mass, bits[places])

    def merge(self, other: DistinctRows, most: int = MOST_ROWS) -> DistinctRows:
        """The sample of the rows of both."""
        both = [
            np.concatenate(pair) for pair in ((self.X, other.X), (self.w, other.w), (self.bits, other.bits))
        ]
        X, w, bits = cast("tuple[Any, Any, Any]", both)
        return DistinctRows.of(X, w, bits, most) if len(X) else self


def sample_of(blocks: Blocks, seed: int, most: int = MOST_ROWS) -> DistinctRows:
    """Rows with weight among which centers are found."""
    sample: DistinctRows = blocks.reduce(_sampled, seed, most, merge=partial(DistinctRows.merge, most=most))
    return sample


def _sampled(block: Block, seed: int, most: int) -> DistinctRows:
    w = np.ones(len(block)) if block.w is None else block.w
    X, w = block.X[w > 0], w[w > 0]
    bits = row_bits(rounded(X).T, len(X), seed)
    return DistinctRows.of(X, w, bits, most) if len(X) else DistinctRows(X, w, bits)


def initial_centers(centers: Any, count: int, sample: DistinctRows, seed: int, learner: str) -> Floats:
    """Centers of clusters, distinct rows, or the given ones."""
    if not isinstance(centers, str):
        return _given_centers(centers, sample.X.shape[1], learner)
    count = min(count, len(sample.X))
    if centers == "random" or count == len(sample.X):
        return np.ascontiguousarray(sample.X[:count])
    with np.errstate(over="ignore", invalid="ignore"):
        spread = _spread(sample)
    if not np.isfinite(sample.w.sum() * spread * spread):
        refuse_large(learner, "X")
    clusters = KMeans(count, random_state=seed, n_jobs=1).fit(sample.X, sample_weight=sample.w)
    return clusters.cluster_centers_


def _given_centers(centers: Any, n_columns: int, learner: str) -> Floats:
    places = np.array(centers, dtype=np.float64, order="C")
    if places.ndim != 2 or not len(places) or places.shape[1] != n_columns or not np.isfinite(places).all():
        raise ValueError(
            f"{learner}: parameter 'centers' must be 'kmeans', 'random', 'trained' or rows of {n_columns} "
            f"finite numbers, one for each encoded column; got shape {places.shape}"
            f"{'' if np.isfinite(places).all() else ' with cells that are not finite'}."
        )
    return places


def initial_widths(width: Any, centers: Floats, sample: DistinctRows, learner: str) -> Floats:
    """A width for each center."""
    if not isinstance(width, str):
        return _given_widths(width, len(centers), learner)
    k = len(centers)
    distances = np.sqrt(_native.square_distances(centers, centers, 1))
    np.fill_diagonal(distances, np.inf)
    if cast("Literal['nearest', 'common']", width) == "common":
        widest = float(distances[np.isfinite(distances)].max(initial=0.0))
        # Neither too peaked nor too flat for centers that are spread evenly (Haykin, Neural Networks).
        widths = np.full(k, widest / np.sqrt(2.0 * k))
    else:
        # The nearest neighbors heuristic of Moody and Darken (1989): neighboring functions overlap, wherever
        # centers are dense or sparse.
        near = np.sort(distances, axis=1)[:, : min(NEIGHBORS, k - 1)]
        widths = near.mean(axis=1) if k > 1 else np.zeros(1)
    # Centers that coincide, or a single one, have no distance to others.
    usual = widths[widths > 0].min() if (widths > 0).any() else _spread(sample)
    return np.where(widths > 0, widths, usual)


def _spread(sample: DistinctRows) -> float:
    """Root mean squared distance of rows from their mean; 1 if they are all the same."""
    share = sample.w / sample.w.sum()
    gaps = sample.X - sample.X[0]
    gaps -= share @ gaps
    return float(np.sqrt(share @ np.square(gaps).sum(axis=1))) or 1.0


def _given_widths(width: Any, count: int, learner: str) -> Floats:
    widths = np.asarray(width, dtype=np.float64)
    if widths.ndim > 1 or (widths.ndim == 1 and len(widths) != count) or not (widths > 0).all():
        raise ValueError(
            f"{learner}: parameter 'width' must be 'nearest', 'common', a number above 0 or {count} of them, "
            f"one for each center; got {width!r}."
        )
    with np.errstate(over="ignore"):
        squares = np.square(widths)
    if not (np.isfinite(squares) & (squares > 0)).all():
        raise ValueError(
            f"{learner}: parameter 'width' must have squares that are finite and above 0; got {width!r}: "
            "scale the columns."
        )
    return np.full(count, widths) if widths.ndim == 0 else widths.copy()

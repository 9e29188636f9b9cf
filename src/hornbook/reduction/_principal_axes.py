"""Principal axes of rows: from their covariance, by QR factors, or from random directions."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hornbook.base import refuse_infinite
from hornbook.frame import Block, Blocks, Moments
from hornbook.linear import Scatter, refuse_large, refuse_wide, total_scatter
from hornbook.params import Floats, blas_threads
from hornbook.random import Stream
from hornbook.reduction._missing_cells import RIDGE, normal_covariance

__all__ = [
    "PrincipalAxes",
    "coordinates",
    "from_covariance",
    "from_factor",
    "from_random_directions",
    "in_doubles",
]

LEARNER = "PCA"
EPSILON = float(np.finfo(np.float64).eps)
CELLS = 2**17  # whose coordinates are computed at a time, while they are in the cache
LARGEST = 1e150  # the squares of larger entries overflow
TIED = 1e-6  # of the largest: numbers that differ by no more are called equal
CHUNKS = 4  # in one call of the kernel: merging two scatter matrices takes as long as many rows
WIDE = 100  # columns from which on a single chunk takes long enough, and leaves work for other threads


@dataclass(frozen=True)
class PrincipalAxes:
    """Orthonormal directions, the sum of squares along each, and what else is known of the rows.

    Parameters
    ----------
    mean : ndarray of shape (n_columns,)
        Mean of the rows.
    directions : ndarray of shape (n_directions, n_columns)
        Unit vectors, the one with the largest sum of squares first.
    squares : ndarray of shape (n_directions,)
        Sum over rows of weight times the square of the coordinate along each.
    total : float
        The same over all directions.
    mass : float
        Weight of the rows.
    rounding : float
        Sums of squares that are no larger than this times the largest are rounding.
    n_iter : int
        Passes over the rows that were refined.
    """

    mean: Floats
    directions: Floats
    squares: Floats
    total: float
    mass: float
    rounding: float
    n_iter: int = 1

    @property
    def divisor(self) -> float:
        """Of variances: the weight - 1, or the weight itself where that is not above 1."""
        return self.mass - 1.0 if self.mass > 1.0 else self.mass

    @property
    def rank(self) -> int:
        """How many directions have variance; at least 1."""
        return max(1, int((self.squares > self.rounding * self.squares.max(initial=0.0)).sum()))

    def completed(self, number: int) -> PrincipalAxes:
        """So many directions: beyond those with variance, unit vectors perpendicular to them.

        Any such vectors would do. These do not depend on rounding: each is what directions so far leave of
        the axis of a column, of the first among those of which they leave most.
        """
        rank = self.rank
        if number <= rank:
            return self
        directions = np.empty((number, len(self.mean)))
        directions[:rank] = self.directions[:rank]
        left = 1.0 - np.square(directions[:rank]).sum(axis=0)
        for k in range(rank, number):
            before = directions[:k]
            column = int(np.argmax(left >= (1.0 - TIED) * left.max()))
            axis = -(before.T @ before[:, column])
            axis[column] += 1.0
            # Gram-Schmidt twice is enough (Giraud, Langou, Rozložník and van den Eshof 2005).
            axis -= before.T @ (before @ axis)  # once more, for what rounding has left
            directions[k] = axis / np.linalg.norm(axis)
            left -= np.square(directions[k])
        squares = np.zeros(max(number, len(self.squares)))
        squares[:rank] = self.squares[:rank]
        return replace(self, directions=directions, squares=squares)

    def oriented(self) -> PrincipalAxes:
        """The same with signs such that the entry of each direction with the largest size is positive."""
        sizes = np.abs(self.directions)
        # Of several entries that differ by rounding only, the first.
        largest = (sizes >= (1.0 - TIED) * sizes.max(axis=1, keepdims=True)).argmax(axis=1)
        signs = np.sign(self.directions[np.arange(len(largest)), largest])
        return replace(self, directions=self.directions * np.where(signs == 0, 1.0, signs)[:, None])


def coordinates(X: Floats, mean: Floats, directions: Floats) -> Floats:
    """Coordinates of rows along directions, from the mean; NaN for rows with missing cells."""
    n_rows = max(CELLS // len(mean), 1)
    if len(X) <= n_rows:
        return np.asarray((X - mean) @ directions.T)
    out, gaps = np.empty((len(X), len(directions))), np.empty((n_rows, len(mean)))
    with blas_threads(1):  # such small products are slower on more
        for start in range(0, len(X), n_rows):
            rows = X[start : start + n_rows]
            np.subtract(rows, mean, out=gaps[: len(rows)])
            np.matmul(gaps[: len(rows)], directions.T, out=out[start : start + n_rows])
    return out


def from_covariance(blocks: Blocks, names: NDArray[Any], tol: float, max_iter: int) -> PrincipalAxes:
    """Eigenvectors of the scatter matrix; where cells are missing, of its maximum likelihood estimate."""
    refuse_wide(len(names), LEARNER)
    if blocks.take([0]).w is not None:  # rows of weight 0 do not show in sums
        blocks = in_doubles(blocks)
        refuse_infinite(blocks, names)
    together = CHUNKS if len(names) < WIDE else 1
    scatter = blocks.reduce(total_scatter, merge=Scatter.merge, together=together)
    mass, mean, within = float(scatter.mass[0]), scatter.mean[0], scatter.within
    # Rounding errors of a scatter matrix are relative to its largest eigenvalue. Small ones are lost in them,
    # which is why tables with few rows for each column use QR factors instead.
    n_iter, rounding = 1, 16 * len(mean) * EPSILON
    if not np.isfinite(within).all() or not np.isfinite(mean).all():
        blocks = in_doubles(blocks)
        refuse_infinite(blocks, names)
        mean, covariance, n_iter = normal_covariance(blocks, _moments_with_gaps(blocks), tol, max_iter)
        within, rounding = covariance * mass, 4 * RIDGE
    squares, vectors = np.linalg.eigh(within)
    squares = np.maximum(squares[::-1], 0.0)
    directions = np.ascontiguousarray(vectors.T[::-1])
    return PrincipalAxes(mean, directions, squares, float(squares.sum()), mass, rounding, n_iter)


def in_doubles(blocks: Blocks) -> Blocks:
    """The same rows in double precision; a pass for the scatter matrix alone takes single precision, too."""
    return blocks.map(_in_doubles)


def _in_doubles(block: Block) -> Block:
    return replace(block, X=block.X.astype(np.float64, copy=False))


def _moments_with_gaps(blocks: Blocks) -> Moments:
    """Moments of columns of which at least one lacks cells."""
    moments = blocks.reduce(_moments, merge=Moments.merge)
    if not np.isfinite(moments.scatter).all() or not np.isfinite(moments.mean).all():
        refuse_large(LEARNER, "X")
    return moments


def _moments(block: Block) -> Moments:
    return Moments.of_rows(block.X, block.w)


@dataclass(frozen=True)
class Factor:
    """Rows, up to a rotation: a triangular factor R with R'R = scatter matrix.

    Parameters
    ----------
    mass : float
        Weight of the rows.
    mean : ndarray of shape (n_columns,)
        Their mean.
    factor : ndarray of shape (at most n_columns, n_columns)
        The factor.
    """

    mass: float
    mean: Floats
    factor: Floats

    def merge(self, other: Factor) -> Factor:
        """The factor of the rows of both (Chan, Golub and LeVeque 1983, by QR)."""
        mass = self.mass + other.mass
        if mass == 0:
            return self
        gap = other.mean - self.mean
        between = np.sqrt(self.mass / mass * other.mass) * gap
        # One more row carries the scatter between both means: R'R of the stack is the merged scatter matrix.
        rows = np.vstack([self.factor, other.factor, between])
        return Factor(mass, self.mean + gap * (other.mass / mass), _triangle(rows))


def _triangle(rows: Floats) -> Floats:
    return np.asarray(np.linalg.qr(rows, mode="r"), dtype=np.float64)


def from_factor(blocks: Blocks) -> PrincipalAxes:
    """Singular vectors, without squaring the condition of the rows: QR of chunks, merged, then the SVD."""
    # Tall and skinny QR (Demmel, Grigori, Hoemmen and Langou 2012): rows are read once, factors are d by d.
    whole = blocks.reduce(_factor, merge=Factor.merge)
    if not np.isfinite(whole.factor).all() or not np.abs(whole.factor).max(initial=0.0) < LARGEST:
        refuse_large(LEARNER, "X")
    _, sizes, directions = np.linalg.svd(whole.factor, full_matrices=False)
    most = min(blocks.n_rows, len(whole.mean))
    squares = np.square(sizes[:most])
    rounding = (max(blocks.n_rows, len(whole.mean)) * EPSILON) ** 2
    return PrincipalAxes(whole.mean, directions[:most], squares, float(squares.sum()), whole.mass, rounding)


def _factor(block: Block) -> Factor:
    moments = _moments(block)
    mass, mean = float(moments.mass[0].max()), moments.mean[0]
    return Factor(mass, mean, _triangle(_centered(block, mean)))


def _centered(block: Block, mean: Floats) -> Floats:
    """Rows minus the mean, times the roots of their weights."""
    rows = block.X - mean
    return np.asarray(rows if block.w is None else rows * np.sqrt(block.w)[:, None])


def from_random_directions(
    blocks: Blocks, n_components: int, n_oversamples: int, passes: int, seed: int
) -> PrincipalAxes:
    """The leading directions by subspace iteration from random ones (Halko, Martinsson and Tropp 2011)."""
    moments = blocks.reduce(_moments, merge=Moments.merge)
    mean, total, mass = moments.mean[0], float(moments.scatter.sum()), float(moments.mass.max())
    if not np.isfinite(total):
        refuse_large(LEARNER, "X")
    d = len(mean)
    width = min(n_components + n_oversamples, d)
    basis = np.linalg.qr(Stream(seed).uniform(d * width).reshape(d, width) - 0.5)[0]
    # Orthonormal after each pass: without that all columns would turn to the first direction and lose the
    # others.
    for _ in range(passes):
        basis = np.linalg.qr(blocks.reduce(_scattered, mean, basis))[0]
    inside = basis.T @ blocks.reduce(_scattered, mean, basis)
    # Rayleigh-Ritz: the eigenvectors within the subspace. The product of both passes is symmetric up to
    # rounding.
    squares, vectors = np.linalg.eigh((inside + inside.T) / 2)
    most = min(n_components, blocks.n_rows, d)
    leading = np.maximum(squares[::-1][:most], 0.0)
    directions = (basis @ vectors[:, ::-1][:, :most]).T
    return PrincipalAxes(mean, np.ascontiguousarray(directions), leading, total, mass, 0.0, max(passes, 1))


def _scattered(block: Block, mean: Floats, basis: Floats) -> Floats:
    """The scatter matrix of a chunk times the basis."""
    rows = _centered(block, mean)
    return np.asarray(rows.T @ (rows @ basis))

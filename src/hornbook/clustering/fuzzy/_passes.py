"""One pass over the rows: memberships, and the sums from which the next prototypes are computed."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from hornbook import _native
from hornbook.clustering.fuzzy._assignment import Assignment
from hornbook.clustering.fuzzy._prototypes import FuzzyPrototypes
from hornbook.clustering.fuzzy._transforms import PowerTransform
from hornbook.frame import Arrays, Block, Blocks
from hornbook.params import Floats

__all__ = ["FuzzyTotals", "known_share", "memberships_of_rows", "rows_by_degrees", "totals_of"]

SHARING = {"probabilistic": 0, "noise": 1, "possibilistic": 2}  # as the kernel numbers them


@dataclass(frozen=True)
class FuzzyTotals:
    """Sums over rows for each cluster; v = weight times h(membership).

    Parameters
    ----------
    sums : ndarray of shape (n_clusters, n_columns)
        Of v times (value - center).
    mass : ndarray of shape (n_clusters, n_columns)
        Of v over the known cells.
    shares : ndarray of shape (n_clusters,)
        Of weight times membership.
    spread : ndarray of shape (n_clusters,)
        Of v times squared distance.
    heights : ndarray of shape (n_clusters,)
        Of v.
    weight : float
        Of the rows.
    objective : float
        Sum over rows.
    scatter : ndarray of shape (n_clusters, n_columns, n_columns), optional
        Of v times the products of deviations from the center.
    """

    sums: Floats
    mass: Floats
    shares: Floats
    spread: Floats
    heights: Floats
    weight: float
    objective: float
    scatter: Floats | None = None

    def __add__(self, other: FuzzyTotals) -> FuzzyTotals:
        scatter = None
        if self.scatter is not None and other.scatter is not None:
            scatter = self.scatter + other.scatter
        return FuzzyTotals(
            self.sums + other.sums,
            self.mass + other.mass,
            self.shares + other.shares,
            self.spread + other.spread,
            self.heights + other.heights,
            self.weight + other.weight,
            self.objective + other.objective,
            scatter,
        )

    @property
    def moves(self) -> Floats:
        """From the centers of the pass to the means of their rows; 0 where there are none."""
        return np.divide(self.sums, self.mass, out=np.zeros_like(self.sums), where=self.mass > 0)

    @property
    def covariances(self) -> Floats:
        """Mean products of the deviations from the new centers, without rows 0."""
        assert self.scatter is not None
        moves, mass = self.moves, self.heights[:, None, None]
        means = np.divide(self.scatter, mass, out=np.zeros_like(self.scatter), where=mass > 0)
        # Around the new means by the shift theorem; moves vanish as the alternation converges.
        return np.asarray(means - moves[:, :, None] * moves[:, None, :])

    @property
    def radii(self) -> Floats:
        """Mean squared distance of the rows of each cluster, weighted by v."""
        return np.divide(self.spread, self.heights, out=np.zeros_like(self.spread), where=self.heights > 0)

    @staticmethod
    def of(flat: Floats, shape: tuple[int, ...], *, gaps: bool, shapes: bool) -> FuzzyTotals:
        """The totals that the kernel gives for centers of this shape, one after the other."""
        k, d = shape
        sizes = [k * d, k * d * gaps, k, k, k, 1, 1]
        sums, mass, shares, spread, heights, weight, objective, triangles = np.split(flat, np.cumsum(sizes))
        scatter = None
        if shapes:
            scatter = np.empty((k, d, d))
            rows, columns = np.tril_indices(d)
            # The kernel returns lower triangles, about half of the sums.
            scatter[:, rows, columns] = scatter[:, columns, rows] = triangles.reshape(k, -1)
        # Without missing cells a center has one weight for all columns.
        wide = mass if gaps else np.repeat(heights, d)
        return FuzzyTotals(
            sums.reshape(shape),
            wide.reshape(shape),
            shares,
            spread,
            heights,
            float(weight[0]),
            float(objective[0]),
            scatter,
        )


def totals_of(
    blocks: Blocks, prototypes: FuzzyPrototypes, assignment: Assignment, *, gaps: bool, shapes: bool
) -> FuzzyTotals:
    """Totals of all rows.

    Parameters
    ----------
    blocks : Blocks
        The rows.
    prototypes : FuzzyPrototypes
        The clusters.
    assignment : Assignment
        How distances become memberships.
    gaps : bool
        Whether cells are missing.
    shapes : bool
        Whether the products of deviations are wanted.
    """
    completes = gaps and (shapes or prototypes.factors is not None)
    # Powers without completed cells have a kernel; any other transform goes through NumPy.
    if isinstance(assignment.transform, PowerTransform) and not completes:
        flat = blocks.reduce(_kernel_sums, prototypes, assignment, gaps, shapes)
        return FuzzyTotals.of(flat, prototypes.centers.shape, gaps=gaps, shapes=shapes)
    return blocks.reduce(_chunk_totals, prototypes, assignment, shapes)


def _kernel_sums(
    block: Block, prototypes: FuzzyPrototypes, assignment: Assignment, gaps: bool, shapes: bool
) -> Floats:
    return _native.fuzzy_sums(block.X, block.w, *_clusters(prototypes, assignment), gaps, shapes)


def _clusters(
    prototypes: FuzzyPrototypes, assignment: Assignment
) -> tuple[Floats, Floats | None, float, int, Floats]:
    """Clusters as the kernels want them."""
    centers, factors = prototypes.centers, prototypes.factors
    assert isinstance(assignment.transform, PowerTransform)
    flat = None if factors is None else factors.reshape(len(centers), -1)
    return centers, flat, assignment.transform.exponent, SHARING[assignment.kind], assignment.scales


def _chunk_totals(
    block: Block, prototypes: FuzzyPrototypes, assignment: Assignment, shapes: bool
) -> FuzzyTotals:
    w = np.ones(len(block)) if block.w is None else block.w
    squares, known = prototypes.square_distances(block.X), known_share(block.X)
    u = assignment.memberships(squares, known)
    v = w[:, None] * assignment.transform.value(u)
    # With shapes missing cells are completed, otherwise left out.
    present = np.ones_like(block.X) if prototypes.factors is not None else ~np.isnan(block.X) * 1.0
    k, d = prototypes.centers.shape
    sums, scatter = np.empty((k, d)), np.empty((k, d, d)) if shapes else None
    for i in range(k):
        rows = prototypes.deviations(block.X, i)
        sums[i] = v[:, i] @ rows
        if scatter is not None:
            # (v x)'x: weights on one side only.
            scatter[i] = (v[:, i, None] * rows).T @ rows
    return FuzzyTotals(
        sums,
        v.T @ present,
        w @ u,
        np.einsum("ij,ij->j", v, squares),
        v.sum(axis=0),
        float(w.sum()),
        float(w @ assignment.losses(u, squares, known)),
        scatter,
    )


def known_share(X: Floats) -> Floats:
    """Share of the columns that are known, for each row.

    Parameters
    ----------
    X : ndarray of shape (n_rows, n_columns)
        The rows.
    """
    missing = np.isnan(X)
    return np.asarray(1.0 - missing.mean(axis=1)) if missing.any() else np.ones(len(X))


def rows_by_degrees(
    X: Floats, prototypes: FuzzyPrototypes, assignment: Assignment
) -> tuple[Floats, NDArray[np.int32]]:
    """Memberships and labels of some rows.

    Parameters
    ----------
    X : ndarray of shape (n_rows, n_columns)
        The rows.
    prototypes : FuzzyPrototypes
        The clusters.
    assignment : Assignment
        How distances become memberships.
    """
    gaps = bool(np.isnan(X).any())
    if isinstance(assignment.transform, PowerTransform) and not (gaps and prototypes.factors is not None):
        rows = np.ascontiguousarray(X)
        return _native.fuzzy_memberships(rows, *_clusters(prototypes, assignment), gaps)
    squares, known = prototypes.square_distances(X), known_share(X)
    return assignment.memberships(squares, known), assignment.labels(squares, known)


def memberships_of_rows(
    blocks: Blocks, prototypes: FuzzyPrototypes, assignment: Assignment
) -> tuple[Floats, NDArray[np.int32]]:
    """Memberships and labels of all rows.

    Parameters
    ----------
    blocks : Blocks
        The rows.
    prototypes : FuzzyPrototypes
        The clusters.
    assignment : Assignment
        How distances become memberships.
    """
    carry = blocks.carry(_chunk_memberships, prototypes, assignment)
    blocks.reduce(_unchanged, carry=carry)
    memberships, labels = carry.gather()
    return memberships, labels


def _chunk_memberships(block: Block, prototypes: FuzzyPrototypes, assignment: Assignment) -> Arrays:
    return rows_by_degrees(block.X, prototypes, assignment)


def _unchanged(_: Block, arrays: Arrays) -> tuple[int, Arrays]:
    return 0, arrays

"""The second step of the alternation: the best prototypes for given memberships."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
from numpy.typing import ArrayLike

from hornbook.clustering.fuzzy._passes import FuzzyTotals
from hornbook.clustering.fuzzy._prototypes import FuzzyPrototypes
from hornbook.params import Floats

__all__ = ["AdaptiveShapes", "FixedShapes", "Update", "checked_shapes", "checked_volumes", "sphere_of"]


class Update(Protocol):
    """How prototypes begin and move."""

    @property
    def learns_shapes(self) -> bool:
        """Whether a pass must collect products of deviations."""

    def first(self, centers: Floats) -> FuzzyPrototypes:
        """The prototypes before the first pass."""

    def moved(self, prototypes: FuzzyPrototypes, totals: FuzzyTotals) -> FuzzyPrototypes:
        """The best prototypes for the memberships of a pass."""


@dataclass(frozen=True)
class FixedShapes:
    """Centers move to the means of their rows; shapes, if there are any, stay as they are.

    Parameters
    ----------
    shapes : ndarray of shape (n_clusters, n_columns, n_columns), optional
        The shapes.
    """

    shapes: Floats | None = None
    learns_shapes = False

    def first(self, centers: Floats) -> FuzzyPrototypes:
        """Centers with the given shapes."""
        return (
            FuzzyPrototypes(centers) if self.shapes is None else FuzzyPrototypes.shaped(centers, self.shapes)
        )

    def moved(self, prototypes: FuzzyPrototypes, totals: FuzzyTotals) -> FuzzyPrototypes:
        """Centers at the means."""
        return FuzzyPrototypes(prototypes.centers + totals.moves, prototypes.shapes, prototypes.factors)


@dataclass(frozen=True)
class AdaptiveShapes:
    """Shapes follow the covariances of their rows, with fixed volumes and away from singular matrices.

    Babuška, van der Veen and Kaymak (2002), "Improved covariance estimation for Gustafson-Kessel clustering".

    Parameters
    ----------
    volumes : ndarray of shape (n_clusters,)
        Determinants of the shapes.
    regularization : float
        Share of a sphere in each covariance matrix, from 0 to 1.
    max_condition : float
        The largest ratio of two variances along the axes of a shape.
    sphere : float
        Variance of that sphere in each direction.
    """

    volumes: Floats
    regularization: float
    max_condition: float
    sphere: float
    learns_shapes = True

    def first(self, centers: Floats) -> FuzzyPrototypes:
        """Spheres of the given volumes."""
        return FuzzyPrototypes.shaped(centers, self._sized(np.zeros((*centers.shape, centers.shape[1]))))

    def moved(self, prototypes: FuzzyPrototypes, totals: FuzzyTotals) -> FuzzyPrototypes:
        """Centers at the means, shapes in proportion to the covariances around them."""
        sphere = self.sphere * np.eye(prototypes.centers.shape[1])
        # Mixing with a sphere keeps a cluster of few rows from degenerating to a line.
        mixed = (1.0 - self.regularization) * totals.covariances + self.regularization * sphere
        return FuzzyPrototypes.shaped(prototypes.centers + totals.moves, self._sized(mixed))

    def _sized(self, covariances: Floats) -> Floats:
        values, vectors = np.linalg.eigh(covariances)
        values = _limited(values, self.max_condition)
        # By logarithms: the product of many small variances is soon 0.
        log_factor = (np.log(self.volumes) - np.log(values).sum(axis=1)) / values.shape[1]
        # Gustafson and Kessel (1979) fix the determinant: otherwise the objective would fall as shapes grow.
        values = values * np.exp(log_factor)[:, None]
        return np.asarray((vectors * values[:, None, :]) @ np.swapaxes(vectors, 1, 2))


def sphere_of(covariance: Floats, max_condition: float) -> float:
    """Variance in each direction of the sphere that has the determinant of a covariance matrix."""
    values = _limited(np.asarray(np.linalg.eigvalsh(covariance), dtype=np.float64), max_condition)
    return float(np.exp(np.log(values).mean()))


def _limited(values: Floats, max_condition: float) -> Floats:
    """Variances along axes, ascending, raised to the least that the condition allows; without any, all 1."""
    largest = values[..., -1:]
    return np.where(largest > 0, np.maximum(values, largest / max_condition), 1.0)


def checked_shapes(covariances: Any, n_clusters: int, n_columns: int) -> Floats:
    """Shapes that the user gave, validated: one for each cluster."""
    shapes = np.array(covariances, dtype=np.float64)
    allowed = ((n_columns, n_columns), (n_clusters, n_columns, n_columns))
    if shapes.shape not in allowed or not np.isfinite(shapes).all():
        raise ValueError(
            f"FuzzyCMeans: parameter 'covariances' must be finite numbers of shape {allowed[0]} or "
            f"{allowed[1]}, one row and column for each encoded column; got shape {shapes.shape}."
        )
    shapes = np.broadcast_to(shapes, allowed[1]).copy()
    values = np.linalg.eigvalsh(shapes)
    symmetric = np.allclose(shapes, np.swapaxes(shapes, 1, 2), rtol=1e-9, atol=0.0)
    if not symmetric or not (values[:, 0] > 1e-15 * values[:, -1]).all():
        raise ValueError(
            "FuzzyCMeans: parameter 'covariances' must be symmetric and positive definite: leave out columns "
            "that others determine, or add a small number to the diagonal."
        )
    return shapes


def checked_volumes(volumes: ArrayLike, n_clusters: int) -> Floats:
    """Volumes that the user gave, validated: one for each cluster."""
    sizes = np.array(volumes, dtype=np.float64)
    if sizes.shape not in ((), (n_clusters,)) or not (np.isfinite(sizes) & (sizes > 0)).all():
        raise ValueError(
            f"GustafsonKessel: parameter 'volumes' must be a positive number or {n_clusters} of them, one "
            f"for each cluster; got {volumes!r}."
        )
    return np.broadcast_to(sizes, n_clusters).copy()

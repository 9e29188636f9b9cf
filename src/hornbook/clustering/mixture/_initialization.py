"""Starting points of expectation maximization: from centers, at random, or given by the user."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias

import numpy as np

from hornbook import _native
from hornbook.clustering._column_moments import ColumnMoments
from hornbook.clustering._empty_clusters import relocated
from hornbook.clustering._initialization import initializer
from hornbook.clustering._lloyd import Lloyd
from hornbook.clustering.mixture._components import MixtureModel, NormalComponents, Sums
from hornbook.frame import CHUNK, Block, Blocks
from hornbook.params import Floats
from hornbook.random import Stream

__all__ = ["Given", "InitParams", "Starter"]

InitParams: TypeAlias = Literal["kmeans", "k-means++", "random", "random_from_data"]

PASSES = 300  # of k-means, at most, and its tolerance: those of KMeans
TOLERANCE = 1e-4
RESPONSIBILITIES_STREAM = 1000  # random numbers of each start; k-means uses the streams below


@dataclass(frozen=True)
class Given:
    """Parameters from the user, validated; None where they are left to the start."""

    weights: Floats | None
    means: Floats | None
    covariances: Floats | None

    @staticmethod
    def of(weights: Any, means: Any, precisions: Any, model: MixtureModel, k: int, d: int) -> Given:
        """Check them."""
        shape = {"diag": (k, d), "spherical": (k,), "tied": (d, d)}.get(model.covariance_type, (k, d, d))
        return Given(
            None if weights is None else _weights(weights, k),
            None if means is None else _array("means_init", means, (k, d)),
            None if precisions is None else _covariances(_array("precisions_init", precisions, shape), model),
        )

    @property
    def complete(self) -> bool:
        """Whether nothing is left to chance."""
        return all(part is not None for part in (self.weights, self.means, self.covariances))


def _array(name: str, values: Any, shape: tuple[int, ...]) -> Floats:
    array = np.array(values, dtype=np.float64, order="C")
    finite = bool(np.isfinite(array).all())
    if array.shape != shape or not finite:
        raise ValueError(
            f"GaussianMixture: parameter '{name}' must be finite numbers of shape {shape}, one entry for "
            f"each component and encoded column; got shape {array.shape}"
            f"{'' if finite else ' with numbers that are not finite'}."
        )
    return array


def _weights(values: Any, k: int) -> Floats:
    weights = _array("weights_init", values, (k,))
    if not (weights > 0).all() or abs(weights.sum() - 1) > 1e-8:
        raise ValueError(
            "GaussianMixture: parameter 'weights_init' must be positive numbers with sum 1; "
            f"got {weights.tolist()}."
        )
    return weights


def _covariances(precisions: Floats, model: MixtureModel) -> Floats:
    if model.diagonal:
        valid = bool((precisions > 0).all())
        return 1.0 / precisions if valid else _refuse_precisions()
    symmetric = np.allclose(precisions, np.swapaxes(precisions, -1, -2))
    if not symmetric or not (np.linalg.eigvalsh(precisions) > 0).all():
        return _refuse_precisions()
    return np.asarray(np.linalg.inv(precisions))


def _refuse_precisions() -> Floats:
    raise ValueError(
        "GaussianMixture: parameter 'precisions_init' must be positive, and matrices symmetric and positive "
        "definite: pass the inverses of covariance matrices."
    )


class Starter:
    """Makes the components of each start.

    Parameters
    ----------
    blocks : Blocks
        The rows.
    columns : ColumnMoments
        Of these rows.
    model : MixtureModel
        What components may be.
    given : Given
        What the user has decided.
    init : str
        How the rest is found.
    n_components : int
        How many there are.
    seed : int
        Seed of the draws.
    """

    def __init__(
        self,
        blocks: Blocks,
        columns: ColumnMoments,
        model: MixtureModel,
        given: Given,
        init: InitParams,
        n_components: int,
        seed: int,
    ) -> None:
        self.blocks = blocks
        self.columns = columns
        self.model = model
        self.given = given
        self.init = init
        self.k = n_components
        self.seed = seed
        self._centers: Callable[[int], Floats] | None = None

    def components(self, run: int) -> NormalComponents:
        """Those of the start with this number."""
        given = self.given
        if given.weights is not None and given.means is not None and given.covariances is not None:
            return self._adjusted(given.weights, given.means, given.covariances)
        start = self._found(run)
        return self._adjusted(
            start.weights if given.weights is None else given.weights,
            start.means if given.means is None else given.means,
            start.covariances if given.covariances is None else given.covariances,
        )

    def _adjusted(self, weights: Floats, means: Floats, covariances: Floats) -> NormalComponents:
        if self.model.equal_priors:
            weights = np.full(self.k, 1.0 / self.k)
        return self.model.prepared(weights, means, covariances)

    def _found(self, run: int) -> NormalComponents:
        """The estimates from rows that belong to the component of the nearest center, or to all by chance."""
        mean = np.asarray(self.columns.mean)
        if self.init == "random":
            centers, draws = np.tile(mean, (self.k, 1)), (self.seed, RESPONSIBILITIES_STREAM + run)
        else:
            centers, draws = self._initial_centers(run), None
        # Missing cells count as what is known of them so far: the center, with the variance of the column.
        variance = np.where(self.columns.variance > 0, self.columns.variance, self.model.reg_covar or 1.0)
        whiten = 1.0 / np.sqrt(np.tile(variance, (self.k, 1)))
        if not self.model.diagonal:
            whiten = np.concatenate([np.diag(row) for row in whiten])
        state = (centers, whiten, np.zeros(self.k), self.model.diagonal, draws)
        flat: Floats = self.blocks.reduce(_assigned_sums, *state)
        sums = Sums.of(flat, self.k, len(mean), diagonal=self.model.diagonal)
        return self.model.estimated(sums, centers, self.columns.variance)

    def _initial_centers(self, run: int) -> Floats:
        if self._centers is None:
            rows = "random" if self.init == "random_from_data" else "k-means++"
            self._centers = initializer(rows, self.blocks, self.k, self.columns.mean, self.seed)
        centers = self._centers(run)
        return self._lloyd(centers) if self.init == "kmeans" else centers

    def _lloyd(self, centers: Floats) -> Floats:
        """The centers to which k-means takes these."""
        lloyd = Lloyd(self.blocks, self.columns)
        tolerance = TOLERANCE * float(self.columns.variance.mean())
        for i in range(PASSES):
            totals = lloyd.step(centers)
            moved = relocated(totals, self.blocks, centers).means(centers)
            shift = float(np.square(moved - centers).sum())
            centers = moved
            if shift <= tolerance or (i > 0 and totals.changed == 0):
                break
        return centers


def _assigned_sums(
    block: Block,
    centers: Floats,
    whiten: Floats,
    scales: Floats,
    diagonal: bool,
    draws: tuple[int, int] | None,
) -> Floats:
    """Sums of a chunk whose rows belong to the nearest center, or by chance to all."""
    k = len(centers)
    if draws is None:
        given = np.eye(k)[_native.nearest_centers(block.X, centers, 1)[0]]
    else:
        # 2^-53 keeps a row from having probability 0 for all components.
        given = Stream(*draws, block.start // CHUNK).uniform(len(block) * k).reshape(-1, k) + 2.0**-53
        given /= given.sum(axis=1, keepdims=True)
    return _native.mixture_sums(block.X, block.w, given, centers, whiten, scales, diagonal)

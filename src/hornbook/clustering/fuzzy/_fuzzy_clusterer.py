"""What fuzzy clusterers have in common: alternating optimization, memberships, words and pictures."""

from __future__ import annotations

import math
import warnings
from abc import abstractmethod
from collections.abc import Callable
from typing import Annotated, Any, ClassVar, Literal

import numpy as np
from numpy.typing import NDArray
from sklearn.utils.validation import check_is_fitted

from hornbook.base import Clusterer, Transformer, Working
from hornbook.clustering._column_moments import ColumnMoments, checked_moments
from hornbook.clustering._initialization import checked_centers, initializer
from hornbook.clustering.fuzzy._alternation import FuzzyRun, estimated_scales, given_scales, warn_of_end
from hornbook.clustering.fuzzy._assignment import Assignment
from hornbook.clustering.fuzzy._description import working_of
from hornbook.clustering.fuzzy._parameters import FuzzyParameters
from hornbook.clustering.fuzzy._passes import (
    FuzzyTotals,
    known_share,
    memberships_of_rows,
    rows_by_degrees,
    totals_of,
)
from hornbook.clustering.fuzzy._plot import draw
from hornbook.clustering.fuzzy._prototypes import FuzzyPrototypes
from hornbook.clustering.fuzzy._transforms import checked_transform
from hornbook.clustering.fuzzy._updates import Update
from hornbook.frame import Blocks
from hornbook.params import Finite, Floats, Index, Shape, blas_threads
from hornbook.random import seed_of

__all__ = ["FuzzyClusterer"]


class FuzzyClusterer(FuzzyParameters, Clusterer, Transformer):
    """Base of clusterers to which rows belong by degrees.

    Attributes
    ----------
    cluster_centers_ : ndarray of shape (n_clusters, n_encoded)
        The centers.
    memberships_ : ndarray of shape (n_rows, n_clusters)
        Membership of each row of the fit in each cluster.
    labels_ : ndarray of shape (n_rows,)
        The cluster in which each row has the greatest membership; -1 where that of the noise is greater.
    covariances_, factors_ : ndarray of shape (n_clusters, n_encoded, n_encoded)
        Where distances are specific to clusters, their matrices C, and upper triangular R with RᵀR = C⁻¹.
    weights_ : ndarray of shape (n_clusters,)
        Mean membership of the rows: the relative weight of each cluster.
    scales_ : ndarray
        Empty, the square of the noise distance, or eta of each cluster, by ``kind``.
    objective_ : float
        What was minimized.
    n_iter_ : int
        Number of passes.
    history_ : dict
        For each pass the number of the start, the objective before centers moved, and the largest move. Where
        noise distance or eta are estimated, the last start is the one from the best that came before.
    encoded_names_ : ndarray of shape (n_encoded,)
        Names of the encoded columns.
    n_features_in_ : int
        Number of columns at fit.
    feature_names_in_ : ndarray of shape (n_features_in_,)
        Their names, if they had any.
    """

    wants: ClassVar[Literal["matrix"]] = "matrix"
    missing_cells: ClassVar[Literal["keep"]] = "keep"
    scale_sensitive: ClassVar[bool] = True

    optimizer = "alternation of memberships for fixed clusters and clusters for fixed memberships"

    cluster_centers_: Annotated[Floats, Shape("n_centers", "n_encoded"), Finite()]
    memberships_: Annotated[Floats, Shape("n_rows", "n_centers")]
    labels_: Annotated[NDArray[np.int32], Shape("n_rows"), Index("n_centers", low=-1)]
    weights_: Annotated[Floats, Shape("n_centers")]
    scales_: Annotated[Floats, Shape(0), Shape(1), Shape("n_centers")]
    objective_: float
    n_iter_: int
    covariances_: Annotated[Floats, Shape("n_centers", "n_encoded", "n_encoded"), Finite()]
    factors_: Annotated[Floats, Shape("n_centers", "n_encoded", "n_encoded"), Finite()]

    @abstractmethod
    def _update(self, blocks: Blocks, columns: ColumnMoments) -> Update:
        """How prototypes begin and move."""

    def _fit_blocks(self, blocks: Blocks) -> None:
        name = type(self).__name__
        transform = checked_transform(self.fuzzifier)
        scales = given_scales(name, self.kind, self.n_clusters, self.noise_distance, self.eta)
        columns = checked_moments(blocks, self.n_clusters, self.encoded_names_, name)
        update = self._update(blocks, columns)
        start, n_starts = self._starts(blocks, columns)
        assignment = Assignment.probabilistic(transform)
        if scales is not None:
            assignment = Assignment(transform, self.kind, scales)
        # Scales that must be estimated take one more run, from the result of the best probabilistic
        # one, as Krishnapuram and Keller suggest.
        n_runs = n_starts + (scales is None)
        best: FuzzyRun | None = None
        with blas_threads(1):  # once, instead of in each of many short passes
            for i in self.iterate(n_runs, name="start", inner=self.max_iter) if n_runs > 1 else range(1):
                prototypes = update.first(start(i)) if i < n_starts else None
                if prototypes is None and best is not None:
                    prototypes = best.prototypes
                    assignment = Assignment(transform, self.kind, estimated_scales(self.kind, best.totals))
                assert prototypes is not None
                run = self._run(blocks, columns, update, prototypes, assignment, i)
                # The run with estimated scales minimizes another objective and is not compared.
                if best is None or i == n_starts or run.totals.objective < best.totals.objective:
                    best = run  # ties go to the earlier start
            assert best is not None
            self._keep(best)
            self.memberships_, self.labels_ = memberships_of_rows(blocks, best.prototypes, best.assignment)
        warn_of_end(name, best, self.max_iter, self.tol, columns)

    def _starts(self, blocks: Blocks, columns: ColumnMoments) -> tuple[Callable[[int], Floats], int]:
        """A function from the number of a start to its centers, and the number of starts."""
        if isinstance(self.init, str):
            seed = seed_of(self.random_state)
            return initializer(self.init, blocks, self.n_clusters, columns.mean, seed), self.n_init
        name = type(self).__name__
        centers = checked_centers(self.init, self.n_clusters, len(columns.mean), name)
        if self.n_init > 1:
            warnings.warn(
                f"{name}: parameter 'init' holds the initial centers, so n_init={self.n_init} starts would "
                "all be the same: only one is made; leave n_init at 1.",
                RuntimeWarning,
                stacklevel=7,
            )
        return lambda _: centers, 1

    def _run(
        self,
        blocks: Blocks,
        columns: ColumnMoments,
        update: Update,
        prototypes: FuzzyPrototypes,
        assignment: Assignment,
        number: int,
    ) -> FuzzyRun:
        """Alternate until the centers rest; each pass is seen by callbacks."""
        tolerance = self.tol * math.sqrt(float(columns.variance.mean()))
        n_iter, shift = 0, math.inf

        def totals_with(prototypes: FuzzyPrototypes) -> FuzzyTotals:
            totals = totals_of(blocks, prototypes, assignment, gaps=columns.gaps, shapes=update.learns_shapes)
            columns.check_overflow(totals.objective, self.encoded_names_, type(self).__name__)
            return totals

        for i in self.iterate(self.max_iter, name="pass"):
            totals = totals_with(prototypes)
            moved = update.moved(prototypes, totals)
            shift = float(np.linalg.norm(moved.centers - prototypes.centers, axis=1).max())
            self.record(start=number, objective=totals.objective, shift=shift)
            prototypes, n_iter = moved, i + 1
            self._keep(FuzzyRun(prototypes, assignment, totals, n_iter, at_rest=False))
            if shift <= tolerance:
                break
        # The objective and the weights of the last prototypes.
        # Recomputed: the totals of the last pass belong to the prototypes before it.
        return FuzzyRun(prototypes, assignment, totals_with(prototypes), n_iter, shift <= tolerance)

    def _keep(self, run: FuzzyRun) -> None:
        self.cluster_centers_, self.scales_ = run.prototypes.centers, run.assignment.scales
        if run.prototypes.shapes is not None and run.prototypes.factors is not None:
            self.covariances_, self.factors_ = run.prototypes.shapes, run.prototypes.factors
        self.weights_ = run.totals.shares / run.totals.weight
        self.objective_, self.n_iter_ = run.totals.objective, run.n_iter

    def _prototypes(self) -> FuzzyPrototypes:
        return FuzzyPrototypes(
            self.cluster_centers_, getattr(self, "covariances_", None), getattr(self, "factors_", None)
        )

    def _assignment(self) -> Assignment:
        # Without scales yet: callbacks see the probabilistic clustering from which they are estimated.
        kind = self.kind if len(self.scales_) else "probabilistic"
        return Assignment(checked_transform(self.fuzzifier), kind, self.scales_)

    def memberships(self, X: Any) -> Floats:
        """Membership of each row in each cluster.

        Parameters
        ----------
        X : table of shape (n_rows, n_columns)
            The rows.

        Returns
        -------
        memberships : ndarray of shape (n_rows, n_clusters)
            From 0 to 1; with sum 1 if ``kind`` is "probabilistic", at most 1 if it is "noise".
        """
        check_is_fitted(self)
        return self._memberships(self._prepared(X))

    def _memberships(self, X: Floats) -> Floats:
        return rows_by_degrees(X, self._prototypes(), self._assignment())[0]

    def _predict(self, X: Floats) -> NDArray[np.int32]:
        return rows_by_degrees(X, self._prototypes(), self._assignment())[1]

    def _row_scores(self, X: Floats) -> Floats:
        squares, known = self._prototypes().square_distances(X), known_share(X)
        assignment = self._assignment()
        return -assignment.losses(assignment.memberships(squares, known), squares, known)

    def _transform(self, X: Floats) -> Floats:
        return np.sqrt(self._prototypes().square_distances(X))

    def _n_new_columns(self) -> int:
        return len(self.cluster_centers_)

    def _working(self, X: Floats) -> Working:
        return working_of(self, X, self._prototypes(), self._assignment())

    def _plot(self, X: Any, y: Any, ax: Any) -> Any:
        rows = np.empty((0, len(self.encoded_names_))) if X is None else self._prepared(X)
        return draw(self._prototypes(), self._memberships(rows), self.encoded_names_, rows, y, ax)

"""What the full Bayes classifier counts, and the resulting model."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

import numpy as np
from numpy.typing import NDArray

from hornbook.bayes.models._factors import Factors, NormalDensities
from hornbook.bayes.models._joint_table import JointCounts, JointTable
from hornbook.bayes.models._multinormal import CoMoments, MultiNormal
from hornbook.bayes.models._statistics import CountingPlan
from hornbook.frame import Block
from hornbook.params import Floats, Shape

__all__ = ["FullFactors", "FullStatistics", "full_statistics_of"]

Codes = NDArray[np.int32]


@dataclass(frozen=True)
class FullStatistics:
    """Sums over rows.

    Parameters
    ----------
    class_mass : ndarray of shape (n_classes,)
        Weight of each class.
    moments : CoMoments, optional
        Moments of all pairs of numeric columns; None when these are counted in bins.
    joint : JointCounts
        Weights of the combinations of levels.
    """

    class_mass: Annotated[Floats, Shape("n_classes")]
    moments: CoMoments | None
    joint: JointCounts

    def merge(self, other: FullStatistics) -> FullStatistics:
        """Statistics of the rows of both."""
        moments = None
        if self.moments is not None and other.moments is not None:
            moments = self.moments.merge(other.moments)
        return FullStatistics(self.class_mass + other.class_mass, moments, self.joint.merge(other.joint))

    def empty(self, plan: CountingPlan) -> NDArray[np.bool_]:
        """Whether a numeric column has no value at all."""
        if self.moments is not None:
            return np.asarray(self.moments.single("mass").sum(axis=0) == 0)
        return np.asarray((self.joint.cells[:, len(plan.n_levels) :] < 0).all(axis=0))

    def widened(self, _old: Codes, _new: Codes) -> FullStatistics:
        """Unchanged: only combinations that occur are stored, whatever levels there are."""
        return self


def full_statistics_of(block: Block, plan: CountingPlan) -> FullStatistics:
    """Count one chunk of rows."""
    numbers, y = block.X.numbers, np.asarray(block.y, dtype=np.int32)
    codes = plan.codes(numbers, block.X.codes)
    moments = CoMoments.of(numbers, y, block.w, plan.n_classes) if plan.edges is None else None
    return FullStatistics(
        np.bincount(y, weights=block.w, minlength=plan.n_classes).astype(np.float64),
        moments,
        JointCounts.of(codes, y, block.w, plan.n_classes),
    )


@dataclass(frozen=True)
class FullFactors:
    """Everything prediction needs.

    Parameters
    ----------
    log_prior : ndarray of shape (n_classes,)
        Logarithm of the class probabilities.
    normal : MultiNormal, optional
        Densities of the numeric columns; None when they are counted in bins.
    table : JointTable
        Probabilities of the combinations of levels.
    plan : CountingPlan
        What was counted.
    """

    log_prior: Annotated[Floats, Shape("n_classes")]
    normal: MultiNormal | None
    table: JointTable
    plan: CountingPlan

    def verify(self, _: object) -> None:
        """Reject tables of other columns, as in a damaged model file."""
        if not np.array_equal(self.table.sizes, self.plan.table_sizes):
            raise ValueError("the table is not that of the columns")

    def density(self, numbers: Floats, n_threads: int) -> Floats:
        """Log density of the numbers that are not missing."""
        if self.normal is None:
            return np.zeros((len(numbers), len(self.log_prior)))
        return self.normal.joint(numbers, n_threads)

    def joint(self, numbers: Floats, codes: Codes, n_threads: int) -> Floats:
        """Log of P(class) times the density of the numbers times P(combination of levels)."""
        # Given the class, numbers and categories are independent: their logarithms add up.
        total = self.density(numbers, n_threads) + self.log_prior
        if self.table.sizes.size:
            total += self.table.log_probability(self.plan.codes(numbers, codes))
        return np.asarray(total)

    def marginals(self) -> Factors:
        """The columns one by one, as if the others were missing."""
        # A row with all other cells missing has the marginal probability of its one cell.
        parts = []
        for j, size in enumerate(self.table.sizes):
            alone = np.full((size, len(self.table.sizes)), -1, dtype=np.int32)
            alone[:, j] = np.arange(size)
            parts.append(self.table.log_probability(alone).T)
        table = np.concatenate([np.empty((len(self.log_prior), 0)), *parts], axis=1)
        normal = self.normal
        density = None
        if normal is not None:
            density = NormalDensities(normal.mean, np.diagonal(normal.covariance, axis1=1, axis2=2).copy())
        return Factors(self.log_prior, density, np.ascontiguousarray(table), self.plan)

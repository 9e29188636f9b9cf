"""The tables of averaged one-dependence estimators (Webb, Boughton and Wang 2005)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

import numpy as np
from numpy.typing import NDArray

from hornbook import _native
from hornbook.bayes.models._conditional_normals import NumbersGiven, numbers_given
from hornbook.bayes.models._factors import (
    Factors,
    NormalDensities,
    Smoothing,
    gaussian,
    log_share,
    probability_tables,
)
from hornbook.bayes.models._pairs import PairStatistics
from hornbook.bayes.models._statistics import CountingPlan
from hornbook.frame import CHUNK
from hornbook.params import Floats, Index, Shape

__all__ = [
    "AODEModel",
    "Estimates",
    "given_of",
    "level_places",
    "log_pairs",
    "log_parents",
    "naive_factors",
    "parent_logs",
]

Codes = NDArray[np.int32]


@dataclass(frozen=True)
class Estimates:
    """How probabilities follow from counts.

    Parameters
    ----------
    smoothing : {"laplace", "zero_only", "none"}
        With n of N and m possibilities: (n + alpha) / (N + alpha m); n / N, and that where n is 0; n / N.
    alpha : float
        The count added.
    var_smoothing : float
        Fraction of a column's variance that is added to its variances.
    """

    smoothing: Smoothing
    alpha: float
    var_smoothing: float

    @property
    def rows_added(self) -> float:
        """How many pseudo-rows of the class are added to the moments of a class and level."""
        return self.alpha if self.smoothing == "laplace" else 0.0


def naive_factors(
    statistics: PairStatistics, plan: CountingPlan, log_prior: Floats, estimates: Estimates
) -> Factors:
    """Naive Bayes from the same rows."""
    density: NormalDensities | None = None
    if plan.edges is None:
        density = gaussian(statistics.single.moments, unbiased=False, var_smoothing=estimates.var_smoothing)
    tables = probability_tables(statistics.single, plan, estimates.smoothing, estimates.alpha)
    return Factors(log_prior, density, tables, plan)


def given_of(statistics: PairStatistics, n_classes: int, estimates: Estimates) -> NumbersGiven | None:
    """Densities of the numbers given class and level; None when they are counted in bins."""
    if statistics.given is None:
        return None
    return numbers_given(
        statistics.given,
        statistics.single.moments,
        n_classes=n_classes,
        alpha=estimates.rows_added,
        var_smoothing=estimates.var_smoothing,
    )


def log_parents(
    statistics: PairStatistics, plan: CountingPlan, estimates: Estimates, left_out: float = 0.0
) -> Floats:
    """Log of P(class, level) = (n + alpha) / (N + alpha c m) with c classes that have any weight.

    ``left_out`` is subtracted from every n beforehand.
    """
    sizes = plan.table_sizes
    owner = np.repeat(np.arange(len(sizes)), sizes)
    counts = statistics.single.counts
    total = np.bincount(owner, weights=counts.sum(axis=0), minlength=len(sizes))[owner]
    absent = statistics.class_mass <= 0
    # A class without weight takes no part in the smoothing: it would lower the others' probabilities.
    m = (~absent).sum() * sizes[owner].astype(np.float64)
    n = np.maximum(counts - left_out, 0.0)
    # P(class, level) is smoothed over all c m cells of the column's table at once.
    logs = log_share(n, np.broadcast_to(total, n.shape), m, estimates.smoothing, estimates.alpha)
    logs[absent] = -np.inf  # even where smoothing would make it positive
    return logs


def log_pairs(pairs: Floats, sizes: Codes, estimates: Estimates, left_out: float = 0.0) -> Floats:
    """Log of P(other level | class, level) = (n + alpha) / (N + alpha m), in the shape of the counts.

    N is the weight of the class and level in the rows where the other column is known. ``left_out`` is
    subtracted from every count and its N beforehand, to leave out a row.
    """
    out = np.empty_like(pairs)
    for stop, m in zip(np.cumsum(sizes), sizes, strict=True):
        n = pairs[:, :, stop - m : stop]
        total = n.sum(axis=2, keepdims=True)
        # A cell that the row left out is not in may hold less than its weight.
        n, total = np.maximum(n - left_out, 0.0), np.maximum(total - left_out, 0.0)
        out[:, :, stop - m : stop] = log_share(
            n, np.broadcast_to(total, n.shape), np.array(float(m)), estimates.smoothing, estimates.alpha
        )
    return out


def level_places(counted: Codes, sizes: Codes) -> NDArray[np.intp]:
    """The position of each cell's level among those of all columns; -1 where it is missing."""
    return np.where(counted >= 0, counted + (np.cumsum(sizes) - sizes), -1).astype(np.intp)


def parent_logs(
    statistics: PairStatistics,
    plan: CountingPlan,
    estimates: Estimates,
    *,
    include_self: bool,
    left_out: float = 0.0,
) -> tuple[Floats, Floats]:
    """Log of P(class, level) and of P(other level | class, level), classes side by side, for every column."""
    # The kernel reads all classes of a pair of levels together, so classes become the last axis.
    pairs = log_pairs(statistics.pairs, plan.table_sizes, estimates, left_out)
    n_classes, levels, _ = pairs.shape
    if not include_self:
        for stop, m in zip(np.cumsum(plan.table_sizes), plan.table_sizes, strict=True):
            pairs[:, stop - m : stop, stop - m : stop] = 0.0  # P(x | class, x) = 1
    return (
        np.ascontiguousarray(log_parents(statistics, plan, estimates, left_out).T),
        np.ascontiguousarray(pairs.transpose(1, 2, 0)).reshape(levels * levels, n_classes),
    )


@dataclass(frozen=True)
class AODEModel:
    """Everything prediction needs.

    Parameters
    ----------
    naive : Factors
        Naive Bayes, for rows without a column that may be a parent.
    log_parent : ndarray of shape (n_levels, n_classes)
        Log of P(class, level).
    log_pair : ndarray of shape (n_levels * n_levels, n_classes)
        Log of P(other level | class, level).
    usable : ndarray of shape (n_levels,)
        Whether the level occurs often enough to be a parent.
    given : NumbersGiven, optional
        Densities of the numbers given class and level; None when they are counted in bins.
    """

    naive: Factors
    log_parent: Annotated[Floats, Shape("n_levels", "n_classes")]
    log_pair: Annotated[Floats, Shape("n_levels * n_levels", "n_classes")]
    usable: Annotated[NDArray[np.uint8], Shape("n_levels"), Index(2)]
    given: NumbersGiven | None

    def verify(self, _: object) -> None:
        """Reject densities given other levels, as in a damaged model file."""
        if self.given is not None and self.given.mean.shape[1] != len(self.log_parent):
            raise ValueError("the densities are not those given the levels")

    @classmethod
    def of(
        cls,
        statistics: PairStatistics,
        naive: Factors,
        estimates: Estimates,
        *,
        min_count: float,
        include_self: bool,
    ) -> AODEModel:
        """The tables that follow from counts of all pairs."""
        log_parent, log_pair = parent_logs(statistics, naive.plan, estimates, include_self=include_self)
        mass = statistics.single.counts.sum(axis=0)
        # Webb's threshold: probabilities given a rare level are too unreliable to average.
        usable = ((mass >= min_count) & (mass > 0)).astype(np.uint8)
        return cls(naive, log_parent, log_pair, usable, given_of(statistics, naive.plan.n_classes, estimates))

    @property
    def log_prior(self) -> Floats:
        """Logarithm of the class probabilities."""
        return self.naive.log_prior

    def joint(self, numbers: Floats, codes: Codes, n_threads: int) -> Floats:
        """Log of the sum over parents of P(class, parent) P(others | class, parent)."""
        counted = self.naive.plan.codes(numbers, codes)
        total, parents = self.averaged(numbers, counted, n_threads)
        orphans = parents == 0
        if orphans.any():
            total[orphans] = self.naive.joint(numbers[orphans], codes[orphans], n_threads)
        return total

    def averaged(self, numbers: Floats, counted: Codes, n_threads: int) -> tuple[Floats, Codes]:
        """The sum over parents, and how many of them each row has."""
        if self.given is None:
            return self._kernel(counted, None, n_threads)
        # In chunks: the densities take columns x classes numbers a row.
        terms = [
            self._kernel(part, self._densities(numbers[at : at + CHUNK], part), n_threads)
            for at in range(0, max(len(counted), 1), CHUNK)
            for part in [counted[at : at + CHUNK]]
        ]
        return np.concatenate([total for total, _ in terms]), np.concatenate([n for _, n in terms])

    def _kernel(self, counted: Codes, extra: Floats | None, n_threads: int) -> tuple[Floats, Codes]:
        sizes = self.naive.plan.table_sizes
        return _native.aode_joint(
            counted, sizes, self.log_parent, self.log_pair, self.usable, extra, n_threads
        )

    def _densities(self, numbers: Floats, counted: Codes) -> Floats:
        """Log density of the numbers given each column in turn."""
        assert self.given is not None
        n_classes = len(self.log_prior)
        extra = np.zeros((len(counted), counted.shape[1], n_classes))
        for j, levels in enumerate(level_places(counted, self.naive.plan.table_sizes).T):
            extra[:, j] = self.given.log_density(numbers, levels, slice(None))
        return extra.reshape(len(counted), counted.shape[1] * n_classes)

"""The factors of naive Bayes: a density for each number, a table for each category."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Literal

import numpy as np
from numpy.typing import NDArray

from hornbook import _native
from hornbook.bayes.models._statistics import ClassStatistics, CountingPlan
from hornbook.bayes.models._variances import (
    VarScale,
    constant_columns,
    raised,
    smoothing_unit,
    substitute_variance,
)
from hornbook.frame import Moments, check_offsets
from hornbook.params import Floats, Shape

__all__ = [
    "Factors",
    "KernelDensity",
    "NormalDensities",
    "Smoothing",
    "gaussian",
    "kernel_density",
    "log_share",
    "probability_tables",
]

Smoothing = Literal["laplace", "zero_only", "none"]


@dataclass(frozen=True)
class NormalDensities:
    """One normal density for each class and numeric column."""

    mean: Annotated[Floats, Shape("n_classes", "n_numeric")]
    var: Annotated[Floats, Shape("n_classes", "n_numeric")]

    def joint(self, numbers: Floats, n_threads: int) -> Floats:
        """Sum of the log densities of the columns that are not missing."""
        return _native.gaussian_joint(numbers, self.mean, self.var, n_threads)


@dataclass(frozen=True)
class KernelDensity:
    """Kernel density estimates (Parzen 1962) with normal kernels, for each class and numeric column."""

    points: Annotated[Floats, Shape("n_points")]
    weights: Annotated[Floats, Shape("n_points")]
    offsets: Annotated[NDArray[np.int64], Shape("n_classes * n_numeric + 1")]
    bandwidth: Annotated[Floats, Shape("n_classes", "n_numeric")]

    def verify(self, _: object) -> None:
        """Reject offsets that lead outside the points, as in a damaged model file."""
        wrong = check_offsets(self.offsets, len(self.offsets), len(self.points))
        if wrong or self.offsets[-1] != len(self.points):
            raise ValueError(wrong or "points are left over")

    def joint(self, numbers: Floats, n_threads: int) -> Floats:
        """Sum of the log densities of the columns that are not missing."""
        return _native.kernel_joint(
            numbers, self.points, self.weights, self.offsets, self.bandwidth, n_threads
        )


@dataclass(frozen=True)
class Factors:
    """Everything prediction needs.

    Parameters
    ----------
    log_prior : ndarray of shape (n_classes,)
        Logarithm of the class probabilities.
    density : NormalDensities or KernelDensity, optional
        Densities of the numeric columns; None when they are counted in bins.
    log_table : ndarray of shape (n_classes, total number of levels)
        Logarithm of P(level | class), columns side by side.
    plan : CountingPlan
        Layout of the tables.
    """

    log_prior: Annotated[Floats, Shape("n_classes")]
    density: NormalDensities | KernelDensity | None
    log_table: Annotated[Floats, Shape("n_classes", "n_levels")]
    plan: CountingPlan

    def likelihood(self, numbers: Floats, codes: NDArray[np.int32], n_threads: int) -> Floats:
        """Log of the product of the factors, one row for each row; missing cells contribute none."""
        total = _native.table_joint(
            self.plan.codes(numbers, codes), self.log_table, self.plan.table_sizes, n_threads
        )
        if self.density is not None:
            total += self.density.joint(numbers, n_threads)
        return total

    def joint(self, numbers: Floats, codes: NDArray[np.int32], n_threads: int) -> Floats:
        """Log of P(class) times the product of the factors."""
        return self.likelihood(numbers, codes, n_threads) + self.log_prior

    def table(self, j: int) -> Floats:
        """P(level | class) of one counted column, of shape (n_classes, n_levels)."""
        ends = np.cumsum(self.plan.table_sizes)
        return np.exp(self.log_table[:, ends[j] - self.plan.table_sizes[j] : ends[j]])


def probability_tables(
    statistics: ClassStatistics, plan: CountingPlan, smoothing: Smoothing, alpha: float
) -> Floats:
    """Log of P(level | class) for all counted columns.

    ``laplace``: (n + alpha) / (N + alpha m); ``none``: n / N; ``zero_only``: n / N, and
    alpha / (N + alpha m) where n is 0. N is the weight of the class in rows where the column is not
    missing, m the number of levels; without any such row all levels are equally likely.
    """
    sizes = plan.table_sizes
    owner = np.repeat(np.arange(len(sizes)), sizes)
    known = np.zeros((plan.n_classes, len(sizes)))
    for j, stop in enumerate(np.cumsum(sizes)):
        known[:, j] = statistics.counts[:, stop - sizes[j] : stop].sum(axis=1)
    return log_share(statistics.counts, known[:, owner], sizes[owner].astype(np.float64), smoothing, alpha)


def log_share(n: Floats, total: Floats, m: Floats, smoothing: Smoothing, alpha: float) -> Floats:
    """Log of n of ``total`` where there are m possibilities, smoothed as in `probability_tables`."""
    m = np.maximum(m, 1.0)  # a column without levels
    # Without any count all possibilities are equally likely.
    smooth = (n + alpha) / (total + alpha * m)
    plain = np.divide(n, total, out=np.broadcast_to(1 / m, smooth.shape).copy(), where=total > 0)
    table = {
        "laplace": smooth,
        "none": plain,
        "zero_only": np.where((n == 0) & (total > 0), smooth, plain),
    }[smoothing]
    with np.errstate(divide="ignore"):
        return np.ascontiguousarray(np.log(table))


def gaussian(
    moments: Moments, *, unbiased: bool, var_smoothing: float, var_scale: VarScale = "column"
) -> NormalDensities:
    """Normal densities; a class without values in a column uses those of all classes together."""
    pooled = moments.pooled()
    with np.errstate(over="ignore", invalid="ignore"):
        mean = np.where(moments.mass > 0, moments.mean, pooled.mean)
        spread = pooled.variance()
        var = np.where(moments.mass > 0, moments.variance(unbiased=unbiased), spread)
        # With scikit-learn's scale, as with a smoothing of 0, variances stay as they are estimated.
        if var_smoothing > 0 and var_scale == "column":
            var = raised(var, spread, moments.mass)
        var = var + var_smoothing * smoothing_unit(spread, var_scale)
    empty = pooled.mass[0] == 0
    return NormalDensities(np.where(empty, 0.0, mean), np.where(empty, 1.0, var))


def kernel_density(statistics: ClassStatistics, bandwidth: str | float) -> KernelDensity:
    """Kernel densities; a class without values in a column uses those of all classes.

    Naive Bayes with kernel densities is due to John and Langley (1995). The bandwidth is ``factor * s`` with
    s the standard deviation (divisor n - 1) of the column in the class and factor ``n ** -0.2`` (Scott) or
    ``(3 n / 4) ** -0.2`` (Silverman); a number is used as it is. A column with one value in a class has the
    square root of its `substitute_variance` as bandwidth.
    """
    kept = statistics.kept
    assert kept is not None
    n_classes, n_columns = statistics.moments.mean.shape
    points, weights, widths = [], [], np.empty((n_classes, n_columns))
    for c in range(n_classes):
        for j in range(n_columns):
            x = kept.numbers[:, j]
            used = ~np.isnan(x) & (kept.w > 0)
            mine = used & (kept.y == c)
            # Repeated values are merged: the kernel costs time for each distinct point.
            values, mass = _sample(x, kept.w, mine if mine.any() else used)
            points.append(values)
            weights.append(mass)
            widths[c, j] = _width(values, mass, bandwidth)
    # A rule of thumb gives a constant column the bandwidth 0; a bandwidth from the user is taken as it is.
    if isinstance(bandwidth, str):
        spread = statistics.moments.pooled().variance()
        wide = np.sqrt(substitute_variance(spread, statistics.moments.mass))
        widths = np.where(constant_columns(statistics.moments), wide, np.where(spread > 0, widths, 1.0))
    offsets = np.concatenate([[0], np.cumsum([len(values) for values in points])]).astype(np.int64)
    none = np.empty(0)
    return KernelDensity(np.concatenate([none, *points]), np.concatenate([none, *weights]), offsets, widths)


def _sample(x: Floats, w: Floats, used: NDArray[np.bool_]) -> tuple[Floats, Floats]:
    """Distinct values in order, with their weights."""
    if not used.any():
        return np.zeros(1), np.ones(1)
    values, place = np.unique(x[used], return_inverse=True)
    return values, np.bincount(place, weights=w[used]).astype(np.float64)


def _width(values: Floats, mass: Floats, bandwidth: str | float) -> float:
    if not isinstance(bandwidth, str):
        return float(bandwidth)
    n = float(mass.sum())
    scatter = mass @ (values - mass @ values / n) ** 2
    spread = np.sqrt(scatter / (n - 1 if n > 1 else n))  # no bias correction for a weight of at most one row
    # Scott (1992) and Silverman (1986): both minimize the mean integrated squared error for a normal density,
    # up to a constant.
    return float(spread * max(n if bandwidth == "scott" else 0.75 * n, 1.0) ** -0.2)

"""Multivariate normal densities, one for each class, from sums over rows with missing cells."""

from __future__ import annotations

from dataclasses import dataclass
from functools import reduce
from typing import Annotated

import numpy as np
from numpy.typing import NDArray

from hornbook import _native
from hornbook.bayes.models._variances import raised
from hornbook.params import Floats, Shape

__all__ = ["CoMoments", "MultiNormal", "multinormal"]

Codes = NDArray[np.int32]

ROUNDING = 1e-13  # eigenvalues below this fraction of the largest, times the columns, are rounding


@dataclass(frozen=True)
class CoMoments:
    """Moments of all pairs of columns within each class, over the rows in which both are known.

    All arrays have shape (n_classes, n_columns, n_columns); the diagonal holds the moments of single columns.
    Moments of disjoint rows are merged by the formulas of Chan, Golub and LeVeque (1983), which are
    numerically stable where sums of squares would cancel.

    Parameters
    ----------
    mass : ndarray
        Weight of the rows in which columns j and k are known.
    mean : ndarray
        Mean of column j over these rows.
    spread : ndarray
        Weighted sum over these rows of the squared deviations of column j from that mean.
    scatter : ndarray
        The same of the products of the deviations of columns j and k.
    """

    mass: Annotated[Floats, Shape("n_classes", "n_numeric", "n_numeric")]
    mean: Annotated[Floats, Shape("n_classes", "n_numeric", "n_numeric")]
    spread: Annotated[Floats, Shape("n_classes", "n_numeric", "n_numeric")]
    scatter: Annotated[Floats, Shape("n_classes", "n_numeric", "n_numeric")]

    @classmethod
    def of(cls, X: Floats, y: Codes, w: Floats | None, n_classes: int) -> CoMoments:
        """Moments of the rows of one chunk."""
        mass, mean, _ = _native.class_moments(X, y, w, n_classes)
        d = X.shape[1]
        out = cls(*(np.zeros((n_classes, d, d)) for _ in range(4)))
        complete = not np.isnan(X).any()
        weights = np.ones(len(X)) if w is None else w
        order = np.argsort(y, kind="stable")
        ends = np.cumsum(np.bincount(y, minlength=n_classes))
        # Class by class: each has a plain matrix product, which BLAS does faster than any loop.
        for c, rows in enumerate(np.split(order, ends[:-1])):
            rows = rows[weights[rows] > 0]  # noqa: PLW2901  a row of weight 0 does not count
            if not len(rows):
                continue
            with np.errstate(over="ignore", invalid="ignore"):
                gaps = X[rows] - mean[c]
                if complete:
                    out._fill(c, gaps, weights[rows], mass[c], mean[c])
                else:
                    out._fill_known(c, gaps, weights[rows], mean[c])
        return out

    def _fill(self, c: int, gaps: Floats, w: Floats, mass: Floats, mean: Floats) -> None:
        self.mass[c] = mass
        self.mean[c] = mean[:, None]
        self.scatter[c] = (gaps * w[:, None]).T @ gaps
        self.spread[c] = np.diag(self.scatter[c])[:, None]

    def _fill_known(self, c: int, gaps: Floats, w: Floats, mean: Floats) -> None:
        known = ~np.isnan(gaps)
        gaps, present = np.where(known, gaps, 0.0), known.astype(np.float64)
        heavy = gaps * w[:, None]
        mass = (present * w[:, None]).T @ present
        share = np.divide(1.0, mass, out=np.zeros_like(mass), where=mass > 0)
        sums = heavy.T @ present  # small, because deviations are taken from the mean of all known cells
        self.mass[c] = mass
        self.mean[c] = np.where(mass > 0, mean[:, None] + sums * share, 0.0)
        self.spread[c] = np.maximum((heavy * gaps).T @ present - sums * sums * share, 0.0)
        self.scatter[c] = heavy.T @ gaps - sums * sums.T * share

    def merge(self, other: CoMoments) -> CoMoments:
        """Moments of the rows of both."""
        mass = self.mass + other.mass
        share = np.divide(other.mass, mass, out=np.zeros_like(mass), where=mass > 0)
        with np.errstate(over="ignore", invalid="ignore"):
            # Deviations of the merged mean enter as products of mean differences, so that nothing cancels.
            gap, pull = other.mean - self.mean, self.mass * share
            return CoMoments(
                mass,
                self.mean + gap * share,
                self.spread + other.spread + gap * gap * pull,
                self.scatter + other.scatter + gap * gap.transpose(0, 2, 1) * pull,
            )

    def pooled(self) -> CoMoments:
        """Moments over all classes together, of shape (1, n_columns, n_columns)."""
        parts = [
            CoMoments(self.mass[c][None], self.mean[c][None], self.spread[c][None], self.scatter[c][None])
            for c in range(len(self.mass))
        ]
        return reduce(CoMoments.merge, parts)

    def single(self, part: str) -> Floats:
        """One of the arrays for single columns, of shape (n_classes, n_columns)."""
        return np.diagonal(getattr(self, part), axis1=1, axis2=2)


@dataclass(frozen=True)
class MultiNormal:
    """One multivariate normal density for each class.

    Parameters
    ----------
    mean : ndarray of shape (n_classes, n_columns)
        The means.
    covariance : ndarray of shape (n_classes, n_columns, n_columns)
        The covariance matrices, smoothing included.
    lacking : ndarray of shape (n_classes,)
        In how many directions the class does not vary, so that before smoothing its matrix has no inverse.
        Columns that never vary do not count.
    """

    mean: Annotated[Floats, Shape("n_classes", "n_numeric")]
    covariance: Annotated[Floats, Shape("n_classes", "n_numeric", "n_numeric")]
    lacking: Annotated[NDArray[np.int64], Shape("n_classes")]

    def joint(self, numbers: Floats, n_threads: int) -> Floats:
        """Log densities of the columns that are not missing, of shape (n_rows, n_classes)."""
        n_classes, d = self.mean.shape
        flat = self.covariance.reshape(n_classes * d, d)
        return _native.multinormal_joint(numbers, self.mean, flat, n_threads)


def multinormal(moments: CoMoments, *, unbiased: bool, var_smoothing: float) -> MultiNormal:
    """Densities from moments.

    A covariance is the correlation over the rows that have both columns times the two standard deviations.
    ``var_smoothing`` times the variance of each column over all rows is added to the diagonal. Before that, a
    direction in which a class does not vary, or in which pairwise covariances from different rows are
    inconsistent (not positive definite), gets the `substitute_variance` of the variance of all rows in it. A
    class without values in a column uses those of all classes together.
    """
    mass, mean, scatter = (moments.single(part) for part in ("mass", "mean", "scatter"))
    total = mass.sum(axis=0)
    with np.errstate(over="ignore", invalid="ignore"):
        middle = np.divide((mass * mean).sum(axis=0), total, out=np.zeros_like(total), where=total > 0)
        pooled = (scatter + mass * (mean - middle) ** 2).sum(axis=0)
        pooled = np.divide(pooled, total, out=np.zeros_like(total), where=total > 0)
        # Weights count as repeated rows, so that n - 1 is the total weight minus one row.
        divisor = mass - 1.0 if unbiased else mass
        var = np.divide(scatter, divisor, out=np.zeros_like(scatter), where=divisor > 0)
    var = np.where(mass > 0, var, pooled)
    unit = np.where(pooled > 0, pooled, 1.0)  # in units of the column's own variance
    everywhere = _correlation(moments.pooled(), 0) * np.outer(pooled > 0, pooled > 0)
    covariance, lacking = np.empty_like(moments.mass), np.zeros(len(mass), dtype=np.int64)
    for c in range(len(mass)):
        with np.errstate(over="ignore", invalid="ignore"):
            share = np.sqrt(var[c] / unit)
            scaled = _correlation(moments, c) * np.outer(share, share)
            if len(scaled) and np.isfinite(scaled).all():
                scaled, n_null = _definite(scaled, everywhere, mass[c].max(), var_smoothing)
                lacking[c] = n_null - (pooled == 0).sum()
            covariance[c] = scaled * np.outer(np.sqrt(unit), np.sqrt(unit))
    return MultiNormal(np.where(mass > 0, mean, middle), covariance, lacking)


def _correlation(moments: CoMoments, c: int) -> Floats:
    with np.errstate(over="ignore", invalid="ignore"):
        # Spreads are those of the rows that have both columns, so that by Cauchy and Schwarz only rounding
        # exceeds 1. Correlations of different pairs come from different rows, though, and may contradict each
        # other: see `_definite`.
        size = np.sqrt(moments.spread[c]) * np.sqrt(moments.spread[c].T)
        correlation = np.divide(moments.scatter[c], size, out=np.zeros_like(size), where=size > 0)
    np.fill_diagonal(correlation, 1.0)  # also for constant columns, whose variance is 0 anyway
    return np.asarray(np.clip(correlation, -1.0, 1.0))


def _definite(scaled: Floats, everywhere: Floats, mass: float, var_smoothing: float) -> tuple[Floats, int]:
    """The matrix with ``var_smoothing`` on the diagonal added, and in how many directions it lacked variance.

    Parameters
    ----------
    scaled, everywhere : ndarray of shape (n_columns, n_columns)
        Covariances of the class and of all rows, in units of the variances of the columns.
    mass : float
        Weight of the class.
    var_smoothing : float
        With 0 the matrix stays as it is.
    """
    # Columns are in units of their own variance, so that one threshold fits all eigenvalues.
    values, vectors = np.linalg.eigh(scaled)
    null = values <= max(values[-1], 0.0) * len(scaled) * ROUNDING
    if var_smoothing == 0:
        return scaled, int(null.sum())
    ridge = var_smoothing * np.eye(len(scaled))
    if not null.any():
        return np.asarray(scaled + ridge), 0
    # Within the null space, the directions of the variance over all rows decide what is filled in.
    axes = vectors[:, null]
    spread, turn = np.linalg.eigh(axes.T @ everywhere @ axes)
    spread = np.where(spread > len(scaled) * ROUNDING, spread, 0.0)
    axes = axes @ turn
    own = vectors[:, ~null]
    fill = raised(np.zeros_like(spread), spread, np.full_like(spread, mass))
    return np.asarray((own * values[~null]) @ own.T + (axes * fill) @ axes.T + ridge), int(null.sum())

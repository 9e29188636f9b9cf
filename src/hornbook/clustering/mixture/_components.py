"""The components of a normal mixture, and their estimates from weighted sums over rows (the M step)."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Literal, TypeAlias

import numpy as np

from hornbook.params import Floats

__all__ = ["Collapse", "CovarianceType", "MixtureModel", "NormalComponents", "Sums"]

CovarianceType: TypeAlias = Literal["full", "diag", "spherical", "tied", "equal_determinant"]

LOST = 16 * np.finfo(np.float64).eps  # of a variance: no more than rounding, or than a point


class Collapse(Exception):  # noqa: N818 - it ends a start, not the fit
    """A component without rows, or without width in some direction: its density has no upper bound.

    Parameters
    ----------
    component : int
        Its number.
    reason : str
        What happened to it, as the end of a sentence.
    """

    def __init__(self, component: int, reason: str) -> None:
        super().__init__(f"component {component} {reason}")


@dataclass(frozen=True)
class Sums:
    """Sums over rows, each row counted in every component with its posterior probability.

    Parameters
    ----------
    log_likelihood : float
        Weighted sum of the logs of the densities of the rows.
    mass : ndarray of shape (n_components,)
        Weight of each component.
    first : ndarray of shape (n_components, n_columns)
        Of x - (mean before).
    second : ndarray of shape (n_components, n_columns, n_columns) or (n_components, n_columns)
        Of (x - mean before)(x - mean before)', or of its diagonal.
    """

    log_likelihood: float
    mass: Floats
    first: Floats
    second: Floats

    @staticmethod
    def of(flat: Floats, n_components: int, n_columns: int, *, diagonal: bool) -> Sums:
        """Unpack what the kernel returns."""
        by_component = flat[1:].reshape(n_components, -1)
        second = by_component[:, 1 + n_columns :]
        if not diagonal:
            lower = np.tril_indices(n_columns)
            full = np.empty((n_components, n_columns, n_columns))
            full[:, lower[0], lower[1]] = second
            full[:, lower[1], lower[0]] = second
            second = full
        return Sums(float(flat[0]), by_component[:, 0], by_component[:, 1 : 1 + n_columns], second)


@dataclass(frozen=True)
class NormalComponents:
    """Normal distributions with weights, ready for use.

    Parameters
    ----------
    weights : ndarray of shape (n_components,)
        Prior probabilities.
    means : ndarray of shape (n_components, n_columns)
        The means.
    covariances : ndarray
        As the covariance type has them.
    whitening : ndarray
        Lower triangular W with W' W = inverse of the covariance matrix, or the inverses of standard
        deviations; in the same shape.
    """

    weights: Floats
    means: Floats
    covariances: Floats
    whitening: Floats

    def arguments(self, model: MixtureModel) -> tuple[Floats, Floats, Floats, bool]:
        """What the kernels want: means, a matrix or a row of numbers for each component, scales, which."""
        k, d = self.means.shape
        whiten = self.whitening
        if model.diagonal:
            rows = np.repeat(whiten[:, None], d, axis=1) if whiten.ndim == 1 else whiten
            log_determinants = np.log(rows).sum(axis=1)
        else:
            full = np.broadcast_to(whiten, (k, d, d))
            log_determinants = np.log(np.diagonal(full, axis1=1, axis2=2)).sum(axis=1)
            rows = full.reshape(k * d, d)
        # log w + log |W| - d/2 log 2 pi: all that a component adds to the log density beside the
        # distance.
        scales = np.log(self.weights) + log_determinants - 0.5 * d * math.log(2 * math.pi)
        return np.ascontiguousarray(self.means), np.ascontiguousarray(rows), scales, model.diagonal


@dataclass(frozen=True)
class MixtureModel:
    """What the components may be: the parameters of the learner that restrict them.

    Parameters
    ----------
    covariance_type : str
        The form of the covariance matrices.
    equal_priors : bool
        Whether all components have the same weight.
    reg_covar : float
        Added to all variances.
    """

    covariance_type: CovarianceType
    equal_priors: bool
    reg_covar: float

    @property
    def diagonal(self) -> bool:
        """Whether columns are independent within components."""
        return self.covariance_type in {"diag", "spherical"}

    def n_parameters(self, k: int, d: int) -> int:
        """How many numbers can be chosen freely."""
        matrix = d * (d + 1) // 2
        covariances = {
            "full": k * matrix,
            "diag": k * d,
            "spherical": k,
            "tied": matrix,
            # k matrices, of which k - 1 determinants are bound by the first.
            "equal_determinant": k * matrix - (k - 1),
        }
        return covariances[self.covariance_type] + k * d + (0 if self.equal_priors else k - 1)

    def estimated(self, sums: Sums, means: Floats, widths: Floats) -> NormalComponents:
        """The M step: weighted maximum likelihood from sums around the means before.

        ``widths`` are the variances of the columns in all rows, with which those of components are compared.
        """
        k, total = len(means), float(sums.mass.sum())
        for i, mass in enumerate(sums.mass):
            if not mass > LOST * total:
                raise Collapse(i, "has lost all its rows")
        weights = np.full(k, 1.0 / k) if self.equal_priors else sums.mass / total
        shift = sums.first / sums.mass[:, None]
        # Around the new mean, by a shift that becomes 0 as the means converge.
        if self.diagonal:
            raw = sums.second / sums.mass[:, None]
            scatter = raw - shift**2
        else:
            raw = sums.second / sums.mass[:, None, None]
            scatter = raw - shift[:, :, None] * shift[:, None, :]
        covariances = self._restricted(scatter, sums.mass / total, raw, widths)
        return self.prepared(weights, means + shift, covariances)

    def _restricted(self, scatter: Floats, shares: Floats, raw: Floats, widths: Floats) -> Floats:
        """Covariances of the form that the type asks for, regularized."""
        kind, d = self.covariance_type, scatter.shape[1]
        if kind == "tied":
            scatter = np.einsum("k,kij->ij", shares, scatter)[None]
            raw = np.einsum("k,kij->ij", shares, raw)[None]
        if kind == "spherical":
            scatter, raw = (table.mean(axis=1, keepdims=True) for table in (scatter, raw))
        if self.diagonal:
            covariances = scatter + self.reg_covar
            self._require_width(covariances, raw, widths.mean() if kind == "spherical" else widths)
            return covariances[:, 0] if kind == "spherical" else covariances
        covariances = scatter + self.reg_covar * np.eye(d)
        pivots = np.square(np.diagonal(_factors(covariances), axis1=1, axis2=2))
        self._require_width(pivots, np.diagonal(raw, axis1=1, axis2=2), widths)
        if kind == "equal_determinant":
            # Celeux and Govaert (1995): with a_k the d-th root of the determinant of S_k, the covariance
            # matrices of greatest likelihood are (sum of shares times a) S_k / a_k.
            roots = np.exp(np.log(pivots).mean(axis=1))
            covariances = covariances * (shares @ roots / roots)[:, None, None]
        return covariances[0] if kind == "tied" else covariances

    def _require_width(self, pivots: Floats, raw: Floats, widths: Floats) -> None:
        # Regularized variances may be as small as the user wants, and equal determinants decide about widths
        # themselves: there only rounding is refused.
        free = self.reg_covar == 0 and self.covariance_type != "equal_determinant"
        least = np.maximum(raw, widths) if free else raw
        # Relative to the moments they were subtracted from: pivots below are nothing but rounding.
        narrow = ~(pivots > LOST * pivots.shape[1] * least).all(axis=1)
        if narrow.any():
            raise Collapse(
                int(narrow.argmax()), "has no width in some direction (a singular covariance matrix)"
            )

    def matrices(self, components: NormalComponents) -> Floats:
        """The covariance matrix of each component."""
        k, d = components.means.shape
        if self.diagonal:
            return self.variances(components)[:, :, None] * np.eye(d)
        return np.broadcast_to(components.covariances, (k, d, d))

    def variances(self, components: NormalComponents) -> Floats:
        """The variance of each column in each component."""
        k, d = components.means.shape
        if self.diagonal:
            table = components.covariances
            return np.broadcast_to(table[:, None] if table.ndim == 1 else table, (k, d))
        return np.broadcast_to(np.diagonal(components.covariances, axis1=-2, axis2=-1), (k, d))

    def prepared(self, weights: Floats, means: Floats, covariances: Floats) -> NormalComponents:
        """Components with their whitening matrices."""
        if self.diagonal:
            return NormalComponents(weights, means, covariances, 1.0 / np.sqrt(covariances))
        d = means.shape[1]
        factors = _factors(covariances.reshape(-1, d, d))
        # L^(-1), so that |L^(-1) (x - m)|^2 is the Mahalanobis distance.
        whitening = np.linalg.solve(factors, np.broadcast_to(np.eye(d), factors.shape))
        # Exactly triangular, whatever the solver has left above the diagonal.
        return NormalComponents(weights, means, covariances, np.tril(whitening).reshape(covariances.shape))


def _factors(matrices: Floats) -> Floats:
    """Cholesky factors, one matrix after the other, so that a failure names its component."""
    factors = np.empty_like(matrices)
    for i, matrix in enumerate(matrices):
        try:
            factors[i] = np.linalg.cholesky(matrix)
        except np.linalg.LinAlgError:
            raise Collapse(i, "has no width in some direction (a singular covariance matrix)") from None
    return factors

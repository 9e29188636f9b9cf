"""The kernels by name, in the width conventions of textbooks and of practice."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, Literal

import numpy as np
from scipy.spatial.distance import cdist

from hornbook import _native
from hornbook.frame import SparseRows
from hornbook.kernels._kernel import Kernel
from hornbook.params import Floats

__all__ = ["Gaussian", "Laplacian", "Linear", "Polynomial", "Precomputed", "Sigmoid", "cell_variance"]


MOST_PRODUCTS = 4  # for a power


def _above_zero(owner: str, name: str, value: Any) -> None:
    if value is not None and not (np.isfinite(value) and value > 0):
        raise ValueError(f"{owner}: '{name}' must be a number above 0; got {value!r}.")


def _powered(values: Floats, degree: int) -> Floats:
    """The power of each number, in place: small ones by products, which are faster than logarithms."""
    if degree > MOST_PRODUCTS:
        return np.power(values, degree, out=values)
    base = values.copy() if degree > 1 else values
    for _ in range(degree - 1):
        values *= base
    return values


def cell_variance(X: Floats | SparseRows, w: Floats | None = None) -> float:
    """Variance of all cells of a table, whatever their column, with weights of its rows."""
    if isinstance(X, SparseRows):
        return _stored_variance(X, np.ones(len(X)) if w is None else w)
    if w is None:
        return float(X.var())
    # Two passes: the difference of mean square and squared mean loses all digits when the mean is large
    # beside the spread.
    mean = float(np.average(X.mean(axis=1), weights=w))
    return float(np.average(np.square(X - mean).mean(axis=1), weights=w))


def _stored_variance(X: SparseRows, w: Floats) -> float:
    """The same where cells that are not stored are 0."""
    # Cells that are not stored all differ from the mean by the mean itself, so their squares are one term.
    counts = np.diff(X.offsets)
    weights, mass = np.repeat(w, counts), float(w.sum()) * X.n_columns
    mean = float(weights @ X.values) / mass
    zeros = mass - float(w @ counts)
    return (float(weights @ np.square(X.values - mean)) + zeros * mean**2) / mass


@dataclass(frozen=True)
class Linear(Kernel):
    """The scalar product x·y.

    Examples
    --------
    >>> Linear()([1.0, 2.0], [3.0, 1.0])
    5.0
    """

    def matrix(self, X: Floats, Y: Floats) -> Floats:
        """Values for each row of X with each row of Y."""
        return np.asarray(X @ Y.T)

    def diagonal(self, X: Floats) -> Floats:
        """Values of each row with itself."""
        return np.asarray(np.einsum("ij,ij->i", X, X))


@dataclass(frozen=True)
class Polynomial(Kernel):
    """(scale · x·y + constant)^degree; constant 0 is the homogeneous kernel.

    scikit-learn writes gamma for scale and coef0 for constant.

    Parameters
    ----------
    degree : int, default 2
        The power, at least 1.
    constant : float, default 1.0
        At least 0.
    scale : float, default 1.0
        Above 0.

    Examples
    --------
    >>> Polynomial(degree=2, constant=0.0)([1.0, 2.0], [3.0, 1.0])
    25.0
    """

    degree: int = 2
    constant: float = 1.0
    scale: float = 1.0

    def __post_init__(self) -> None:
        if isinstance(self.degree, bool) or not isinstance(self.degree, int | np.integer) or self.degree < 1:
            raise ValueError(f"Polynomial: 'degree' must be an integer from 1 on; got {self.degree!r}.")
        if not (np.isfinite(self.constant) and self.constant >= 0):
            raise ValueError(f"Polynomial: 'constant' must be a number >= 0; got {self.constant!r}.")
        _above_zero("Polynomial", "scale", self.scale)

    def matrix(self, X: Floats, Y: Floats) -> Floats:
        """Values for each row of X with each row of Y."""
        values = np.asarray(X @ Y.T)
        if self.scale != 1.0:
            values *= self.scale
        if self.constant != 0.0:
            values += self.constant
        return _powered(values, self.degree)

    def diagonal(self, X: Floats) -> Floats:
        """Values of each row with itself."""
        # Only the diagonal of X @ X.T: n·d products instead of n²·d.
        squares = np.einsum("ij,ij->i", X, X)
        return np.asarray((self.scale * squares + self.constant) ** self.degree)


@dataclass(frozen=True)
class Gaussian(Kernel):
    """Gaussian kernel, exp(-|x - y|² / (2 sigma²)), or with sigma² alone: both are in use.

    scikit-learn's gamma is 1 / (2 sigma²) in the first and 1 / sigma² in the second.

    Parameters
    ----------
    sigma : float, optional
        The width, above 0; when left out, the one that belongs to scikit-learn's ``gamma="scale"``, which is
        1 / (number of columns times variance of all cells).
    form : {"2sigma2", "sigma2"}, default "2sigma2"
        What the squared distance is divided by.

    Examples
    --------
    >>> (
    ...     round(Gaussian(sigma=1.0)([0.0], [2.0]), 4),
    ...     round(Gaussian(sigma=1.0, form="sigma2")([0.0], [2.0]), 4),
    ... )
    (0.1353, 0.0183)
    """

    sigma: float | None = None
    form: Literal["2sigma2", "sigma2"] = "2sigma2"

    def __post_init__(self) -> None:
        _above_zero("Gaussian", "sigma", self.sigma)
        if self.form not in ("2sigma2", "sigma2"):
            raise ValueError(f"Gaussian: 'form' must be '2sigma2' or 'sigma2'; got {self.form!r}.")

    @classmethod
    def of_gamma(cls, gamma: float) -> Gaussian:
        """Return the kernel exp(-gamma |x - y|²).

        Parameters
        ----------
        gamma : float
            Above 0.

        Returns
        -------
        kernel : Gaussian
            With sigma = 1 / sqrt(2 gamma).
        """
        _above_zero("Gaussian", "gamma", gamma)
        return cls(float(np.sqrt(0.5 / gamma)))

    @property
    def gamma(self) -> float:
        """The factor of the squared distance."""
        if self.sigma is None:
            raise ValueError("Gaussian: 'sigma' was left out, so it depends on the table: use kernel_matrix.")
        return float((0.5 if self.form == "2sigma2" else 1.0) / self.sigma**2)

    def matrix(self, X: Floats, Y: Floats) -> Floats:
        """Values for each row of X with each row of Y."""
        values = _native.square_distances(np.ascontiguousarray(X), np.ascontiguousarray(Y), 1)
        values *= -self.gamma
        return np.asarray(np.exp(values, out=values))

    def diagonal(self, X: Floats) -> Floats:
        """Values of each row with itself."""
        # A row has distance 0 from itself; computed, rounding could say otherwise.
        return np.ones(len(X))

    def fitted(self, X: Floats, w: Floats | None = None) -> Gaussian:
        """The kernel with a width: that of gamma="scale" if it was left out."""
        if self.sigma is not None:
            return self
        spread = X.shape[1] * cell_variance(X, w)
        width = np.sqrt(spread if self.form == "sigma2" else spread / 2)
        # In a table of equal cells all distances are 0 and any width gives the same kernel.
        return replace(self, sigma=float(width) if width > 0 else 1.0)


@dataclass(frozen=True)
class Laplacian(Kernel):
    """Laplacian kernel, exp(-|x - y| / sigma), with the Euclidean distance, not squared.

    scikit-learn's ``laplacian_kernel`` takes the Manhattan distance, and gamma = 1 / sigma.

    Parameters
    ----------
    sigma : float, default 1.0
        The width, above 0.
    norm : {"l2", "l1"}, default "l2"
        The distance: Euclidean, or Manhattan.

    Examples
    --------
    >>> round(Laplacian(sigma=2.0)([0.0, 0.0], [3.0, 4.0]), 4)
    0.0821
    """

    sigma: float = 1.0
    norm: Literal["l2", "l1"] = "l2"

    def __post_init__(self) -> None:
        _above_zero("Laplacian", "sigma", self.sigma)
        if self.norm not in ("l2", "l1"):
            raise ValueError(f"Laplacian: 'norm' must be 'l2' or 'l1'; got {self.norm!r}.")

    def matrix(self, X: Floats, Y: Floats) -> Floats:
        """Values for each row of X with each row of Y."""
        if self.norm == "l2":
            far = np.sqrt(_native.square_distances(np.ascontiguousarray(X), np.ascontiguousarray(Y), 1))
        else:
            far = np.asarray(cdist(X, Y, "cityblock"))
        far *= -1 / self.sigma
        return np.asarray(np.exp(far, out=far))

    def diagonal(self, X: Floats) -> Floats:
        """Values of each row with itself."""
        return np.ones(len(X))


@dataclass(frozen=True)
class Sigmoid(Kernel):
    """Sigmoid kernel, tanh(scale · x·y + offset); not positive semidefinite for all values.

    Parameters
    ----------
    scale : float, default 1.0
        Above 0.
    offset : float, default -1.0
        Usually below 0.

    Examples
    --------
    >>> round(Sigmoid(scale=1.0, offset=-1.0)([1.0], [2.0]), 4)
    0.7616
    """

    scale: float = 1.0
    offset: float = -1.0

    def __post_init__(self) -> None:
        _above_zero("Sigmoid", "scale", self.scale)
        if not np.isfinite(self.offset):
            raise ValueError(f"Sigmoid: 'offset' must be a finite number; got {self.offset!r}.")

    def matrix(self, X: Floats, Y: Floats) -> Floats:
        """Values for each row of X with each row of Y."""
        # Its matrices may have negative eigenvalues (Lin and Lin, A Study on Sigmoid Kernels for SVM, 2003),
        # so solvers must not rely on a convex dual.
        return np.asarray(np.tanh(self.scale * (X @ Y.T) + self.offset))

    def diagonal(self, X: Floats) -> Floats:
        """Values of each row with itself."""
        return np.asarray(np.tanh(self.scale * np.einsum("ij,ij->i", X, X) + self.offset))


@dataclass(frozen=True)
class Precomputed(Kernel):
    """Tables are kernel matrices already: one row for each new row, one column for each training row.

    Examples
    --------
    >>> Precomputed().matrix(np.eye(2), np.eye(2)).tolist()
    [[1.0, 0.0], [0.0, 1.0]]
    """

    def matrix(self, X: Floats, Y: Floats) -> Floats:
        """The values themselves."""
        if X.shape[1] != len(Y):
            raise ValueError(
                f"Precomputed: the matrix must have one column for each of the {len(Y)} rows it is compared "
                f"with; got {X.shape[1]}."
            )
        return X

    def diagonal(self, X: Floats) -> Floats:
        """The diagonal of a square matrix."""
        return np.diag(X).copy()

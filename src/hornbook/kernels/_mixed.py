"""A kernel for tables with numbers, categories and missing cells."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Annotated, Any

import numpy as np
from numpy.typing import NDArray

from hornbook import _native
from hornbook.kernels._kernel import Kernel
from hornbook.params import Floats, Shape

__all__ = ["Mixed"]


@dataclass(frozen=True)
class Mixed(Kernel):
    """Product over the columns of a similarity of two cells; positive semidefinite, missing cells included.

    Numbers have the similarity exp(-(x - y)² / (C v width²)) for a column of variance v among C columns,
    which on standardized numbers is the Gaussian kernel with scikit-learn's ``gamma="scale"``. Ordered
    categories are evenly spaced numbers. Equal categories have 1, different ones exp(-2 / (C (1 - Σ p²)
    width²)) with the frequencies p, so that a column counts the same on average whatever its kind. A missing
    cell is a random one: the mean of the similarities over the distribution of the column, normal for
    numbers. It is thus a mean of points of the feature space, and the kernel remains a scalar product.

    `kernel_matrix` and all learners with a kernel give it categories and missing cells as they are. In sums
    and products with a kernel that cannot take them, it compares the imputed numbers and indicators that the
    others get.

    Parameters
    ----------
    width : float, default 1.0
        The larger, the more similar are different rows; above 0.
    sizes : ndarray of shape (n_columns,), optional
        Set by `over`: how many numbers encode each column.
    mean, variance : ndarray of shape (n_cells,), optional
        Set by `fitted`: moments of the encoded columns.

    Examples
    --------
    >>> from hornbook import Frame
    >>> from hornbook.kernels import Mixed, is_mercer, kernel_matrix
    >>> melons = Frame({"size": [1.0, 2.0, None, 4.0], "color": ["green", "dark", "green", None]})
    >>> K = kernel_matrix(melons, kernel=Mixed())
    >>> K.round(2).tolist()[0], is_mercer(K)
    ([1.0, 0.08, 0.53, 0.04], True)
    """

    width: float = 1.0
    sizes: NDArray[np.int64] | None = field(default=None, compare=False, repr=False)
    mean: Annotated[Floats, Shape("n_cells")] | None = field(default=None, compare=False, repr=False)
    variance: Annotated[Floats, Shape("n_cells")] | None = field(default=None, compare=False, repr=False)

    def __post_init__(self) -> None:
        if not (np.isfinite(self.width) and self.width > 0):
            raise ValueError(f"Mixed: 'width' must be a number above 0; got {self.width!r}.")

    def verify(self, _: object) -> None:
        """Refuse sizes of columns other than those of the means, as in a damaged model file."""
        if self.mean is not None and self.variance is not None and self.sizes is not None:
            whole = self.sizes.ndim == 1 and (self.sizes >= 0).all()
            if not whole or self.sizes.sum() != len(self.mean) or (self.variance < 0).any():
                raise ValueError("the sizes of the columns are not those of the kernel")

    @property
    def takes_missing(self) -> bool:
        """Whether missing cells are taken as NaN."""
        return True

    def over(self, sizes: NDArray[Any]) -> Mixed:
        """The kernel for columns that are encoded by so many numbers each: several are indicators."""
        return Mixed(self.width, np.asarray(sizes, dtype=np.int64))

    def fitted(self, X: Floats, w: Floats | None = None) -> Mixed:
        """The kernel with means and variances of the encoded columns of a table, without missing cells."""
        sizes = np.ones(X.shape[1], dtype=np.int64) if self.sizes is None else self.sizes
        known = ~np.isnan(X)
        weights = known if w is None else known * w[:, None]
        mass = weights.sum(axis=0)
        cells = np.where(known, X, 0.0)
        safe = np.where(mass > 0, mass, 1.0)
        mean = (weights * cells).sum(axis=0) / safe
        variance = (weights * np.square(np.where(known, X - mean, 0.0))).sum(axis=0) / safe
        return Mixed(self.width, sizes, mean, variance)

    def matrix(self, X: Floats, Y: Floats) -> Floats:
        """Values for each row of X with each row of Y."""
        sizes, mean, variance = self._learned()
        if X.shape[1] != sizes.sum() or Y.shape[1] != X.shape[1]:
            raise ValueError(
                f"Mixed: rows must have the {sizes.sum()} columns of the fit; got "
                f"{X.shape[1]} and {Y.shape[1]}."
            )
        share = np.count_nonzero(sizes) * self.width**2  # what one column counts: all together 1
        # A constant column has the rate 0, similarity 1, and so no influence.
        rate = np.divide(1.0, share * variance, out=np.zeros_like(variance), where=share * variance > 0)
        complete, gappy, groups = _columns(X, Y, sizes)
        # A product of exponentials is the exponential of a sum, so that all columns without gaps are one
        # Gaussian kernel of scaled columns, which has a fast routine.
        left, right = (np.ascontiguousarray(Z[:, complete] * np.sqrt(rate[complete])) for Z in (X, Y))
        values = np.exp(-_native.square_distances(left, right, 1))
        for j in gappy:
            values *= _numbers(X[:, j], Y[:, j], float(rate[j]), float(mean[j]), float(variance[j]))
        for group in groups:
            values *= _categories(X[:, group], Y[:, group], mean[group], share)
        return np.asarray(values)

    def _learned(self) -> tuple[NDArray[np.int64], Floats, Floats]:
        if self.sizes is None or self.mean is None or self.variance is None:
            raise ValueError("Mixed: the scales of the columns depend on the table: use kernel_matrix.")
        return self.sizes, self.mean, self.variance

    def diagonal(self, X: Floats) -> Floats:
        """Values of each row with itself, below 1 where cells are missing."""
        return np.array([self.matrix(row[None], row[None])[0, 0] for row in X])


def _columns(
    X: Floats, Y: Floats, sizes: NDArray[np.int64]
) -> tuple[NDArray[np.int64], NDArray[np.int64], list[slice]]:
    """Numbers that are all there, those with gaps, and the indicators of each category."""
    stops = np.cumsum(sizes)
    numbers = stops[sizes == 1] - 1
    gaps = np.isnan(X[:, numbers]).any(axis=0) | np.isnan(Y[:, numbers]).any(axis=0)
    wide = np.flatnonzero(sizes > 1)
    return numbers[~gaps], numbers[gaps], [slice(stops[c] - sizes[c], stops[c]) for c in wide]


def _numbers(x: Floats, y: Floats, rate: float, mean: float, variance: float) -> Floats:
    """Similarities exp(-rate (x - y)²) of two columns of numbers of which some are missing."""
    # Their means over a normal x, and over normal x and y.
    one, both = 1 + 2 * rate * variance, 1 + 4 * rate * variance
    values = np.exp(-rate * np.square(x[:, None] - y[None, :]))
    for_x, for_y = (np.exp(-rate * np.square(cells - mean) / one) / np.sqrt(one) for cells in (x, y))
    no_x, no_y = np.isnan(x)[:, None], np.isnan(y)[None, :]
    values = np.where(no_x, for_y[None, :], np.where(no_y, for_x[:, None], values))
    return np.where(no_x & no_y, 1 / np.sqrt(both), values)


def _categories(X: Floats, Y: Floats, p: Floats, share: float) -> Floats:
    """Similarities of two columns of categories: a missing one has the frequencies for indicators."""
    spread = max(1.0 - float(p @ p), 0.0) * share
    different = float(np.exp(-2 / spread)) if spread > 0 else 1.0
    left, right = (np.where(np.isnan(cells), p, cells) for cells in (X, Y))
    # Indicators have the product 1 for equal categories and 0 for others; with frequencies in their place it
    # is the probability that a random category is equal.
    return np.asarray(different + (1 - different) * (left @ right.T))

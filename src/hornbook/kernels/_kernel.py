"""What every kernel can do, and kernels made of others."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from hornbook.params import Floats

__all__ = ["CalledKernel", "Kernel", "KernelProduct", "KernelSum", "ScaledKernel"]


class Kernel(ABC):
    """Base of the kernels; ``k(x, y)`` is the value for two rows."""

    @abstractmethod
    def matrix(self, X: Floats, Y: Floats) -> Floats:
        """Values for each row of X with each row of Y."""

    def diagonal(self, X: Floats) -> Floats:
        """Values of each row with itself."""
        # The whole matrix would take n² memory for n numbers.
        return np.array([float(self.matrix(row[None], row[None])[0, 0]) for row in X])

    def fitted(self, X: Floats, w: Floats | None = None) -> Kernel:
        """The kernel with what it learns from a table: a width that was left out."""
        del X, w
        return self

    @property
    def takes_missing(self) -> bool:
        """Whether missing cells are taken as NaN."""
        return False

    def over(self, sizes: NDArray[Any]) -> Kernel:
        """The kernel for columns that are encoded by so many numbers each; most do not care."""
        del sizes
        return self

    def __call__(self, x: ArrayLike, y: ArrayLike) -> float:
        rows = [np.asarray(row, dtype=np.float64) for row in (x, y)]
        if any(row.ndim != 1 for row in rows) or rows[0].shape != rows[1].shape:
            raise ValueError(
                f"A kernel compares rows of equal length; got shapes {rows[0].shape} and {rows[1].shape}: "
                "use hornbook.kernels.kernel_matrix for tables."
            )
        return float(self.matrix(rows[0][None], rows[1][None])[0, 0])

    def __add__(self, other: Kernel) -> Kernel:
        # Sums, products and positive multiples of positive semidefinite kernels are positive semidefinite
        # again (products by Schur's theorem; Shawe-Taylor and Cristianini, Kernel Methods for Pattern
        # Analysis, proposition 3.22). Differences need not be, so there are none.
        return KernelSum(self, other) if isinstance(other, Kernel) else NotImplemented

    def __mul__(self, other: Kernel | float) -> Kernel:
        if isinstance(other, Kernel):
            return KernelProduct(self, other)
        return ScaledKernel(self, float(other))

    __rmul__ = __mul__


@dataclass(frozen=True)
class KernelSum(Kernel):
    """The sum of two kernels, which is a kernel again.

    Parameters
    ----------
    one, other : Kernel
        The kernels.

    Examples
    --------
    >>> from hornbook.kernels import Linear
    >>> (Linear() + Linear())([1.0, 2.0], [3.0, 1.0])
    10.0
    """

    one: Kernel
    other: Kernel

    def matrix(self, X: Floats, Y: Floats) -> Floats:
        """Values for each row of X with each row of Y."""
        return self.one.matrix(X, Y) + self.other.matrix(X, Y)

    def diagonal(self, X: Floats) -> Floats:
        """Values of each row with itself."""
        return self.one.diagonal(X) + self.other.diagonal(X)

    def fitted(self, X: Floats, w: Floats | None = None) -> Kernel:
        """Both with what they learn from a table."""
        return KernelSum(self.one.fitted(X, w), self.other.fitted(X, w))

    @property
    def takes_missing(self) -> bool:
        """Whether both take missing cells."""
        return self.one.takes_missing and self.other.takes_missing

    def over(self, sizes: NDArray[Any]) -> Kernel:
        """Both for columns that are encoded by so many numbers each."""
        return KernelSum(self.one.over(sizes), self.other.over(sizes))


@dataclass(frozen=True)
class KernelProduct(Kernel):
    """The product of two kernels, which is a kernel again.

    Parameters
    ----------
    one, other : Kernel
        The kernels.

    Examples
    --------
    >>> from hornbook.kernels import Linear
    >>> (Linear() * Linear())([1.0, 2.0], [3.0, 1.0])
    25.0
    """

    one: Kernel
    other: Kernel

    def matrix(self, X: Floats, Y: Floats) -> Floats:
        """Values for each row of X with each row of Y."""
        return self.one.matrix(X, Y) * self.other.matrix(X, Y)

    def diagonal(self, X: Floats) -> Floats:
        """Values of each row with itself."""
        return self.one.diagonal(X) * self.other.diagonal(X)

    def fitted(self, X: Floats, w: Floats | None = None) -> Kernel:
        """Both with what they learn from a table."""
        return KernelProduct(self.one.fitted(X, w), self.other.fitted(X, w))

    @property
    def takes_missing(self) -> bool:
        """Whether both take missing cells."""
        return self.one.takes_missing and self.other.takes_missing

    def over(self, sizes: NDArray[Any]) -> Kernel:
        """Both for columns that are encoded by so many numbers each."""
        return KernelProduct(self.one.over(sizes), self.other.over(sizes))


@dataclass(frozen=True)
class ScaledKernel(Kernel):
    """A kernel times a number above 0.

    Parameters
    ----------
    kernel : Kernel
        The kernel.
    factor : float
        The number.

    Examples
    --------
    >>> from hornbook.kernels import Linear
    >>> (0.5 * Linear())([1.0, 2.0], [3.0, 1.0])
    2.5
    """

    kernel: Kernel
    factor: float

    def __post_init__(self) -> None:
        # A negative factor would turn the sign of all eigenvalues.
        if not (np.isfinite(self.factor) and self.factor > 0):
            raise ValueError(f"ScaledKernel: 'factor' must be a number above 0; got {self.factor!r}.")

    def matrix(self, X: Floats, Y: Floats) -> Floats:
        """Values for each row of X with each row of Y."""
        return self.factor * self.kernel.matrix(X, Y)

    def diagonal(self, X: Floats) -> Floats:
        """Values of each row with itself."""
        return self.factor * self.kernel.diagonal(X)

    def fitted(self, X: Floats, w: Floats | None = None) -> Kernel:
        """The same with what the kernel learns from a table."""
        return ScaledKernel(self.kernel.fitted(X, w), self.factor)

    @property
    def takes_missing(self) -> bool:
        """Whether the kernel takes missing cells."""
        return self.kernel.takes_missing

    def over(self, sizes: NDArray[Any]) -> Kernel:
        """The same for columns that are encoded by so many numbers each."""
        return ScaledKernel(self.kernel.over(sizes), self.factor)


@dataclass(frozen=True)
class CalledKernel(Kernel):
    """Any function of two rows, or of two tables as in scikit-learn's support vector machines.

    It is a function of tables if for a table of two rows and one of three it returns a table of 2 by 3.

    Parameters
    ----------
    function : callable
        Takes two rows of numbers and returns a number, or two tables and returns that for all pairs.
    """

    function: Callable[[Any, Any], Any]

    def matrix(self, X: Floats, Y: Floats) -> Floats:
        """Values for each row of X with each row of Y."""
        if self._takes_tables(X, Y):
            values = self.function(X, Y)
        else:
            values = [[self.function(x, y) for y in Y] for x in X]
        try:
            given = np.asarray(values)
            # Of complex numbers NumPy would keep the real parts.
            table = np.empty(0) if np.iscomplexobj(given) else np.array(given, dtype=np.float64)
        except (TypeError, ValueError):
            table = given = np.empty(0)
        if np.iscomplexobj(given):
            raise ValueError("The kernel function returned complex numbers: make it return a real number.")
        if table.shape != (len(X), len(Y)):
            raise ValueError(
                "The kernel function must return one number for two rows, or for tables of n and m rows a "
                f"table of n by m; for {len(X)} and {len(Y)} rows it gave shape {np.shape(table)}."
            )
        if not np.isfinite(table).all():
            raise ValueError("The kernel function returned NaN or infinity: make it return a finite number.")
        return table

    def _takes_tables(self, X: Floats, Y: Floats) -> bool:
        if not len(X) or not len(Y):
            return False
        try:
            # Two rows and three, because a square result could also come from a function of rows that
            # returns, say, an outer product.
            return bool(np.shape(self.function(X[[0, 0]], Y[[0, 0, 0]])) == (2, 3))
        except Exception:  # noqa: BLE001 - a function of rows may raise anything for tables
            return False

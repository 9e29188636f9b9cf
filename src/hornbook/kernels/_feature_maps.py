"""The feature spaces of polynomial kernels, explicitly: columns whose scalar products are the kernel."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import combinations_with_replacement
from math import comb, factorial, prod, sqrt

import numpy as np
from numpy.typing import ArrayLike

from hornbook.frame import require_memory
from hornbook.kernels._kernels import Linear, Polynomial
from hornbook.params import Floats

__all__ = ["feature_map", "feature_names"]


def feature_map(X: ArrayLike, kernel: Linear | Polynomial) -> Floats:
    """Map rows into the feature space of a linear or polynomial kernel.

    Scalar products of the new rows are values of the kernel: (scale · x·y + constant)^degree is the sum over
    all products of at most ``degree`` columns of that of x times that of y, times the number of ways to get
    it. With two columns, degree 2 and constant 1 the new columns are 1, √2 x1, √2 x2, x1², √2 x1 x2, x2²;
    with constant 0 (the homogeneous kernel) the last three.

    Parameters
    ----------
    X : array-like of shape (n, n_columns)
        Rows of numbers.
    kernel : Linear or Polynomial
        The kernel.

    Returns
    -------
    mapped : ndarray of shape (n, n_new)
        The rows in feature space, in the order of `feature_names`.

    Examples
    --------
    >>> from hornbook.kernels import Polynomial, feature_map
    >>> x, y = feature_map([[1.0, 2.0], [3.0, 1.0]], Polynomial(2, constant=0.0))
    >>> x.round(4).tolist(), round(float(x @ y), 9)
    ([1.0, 2.8284, 4.0], 25.0)
    """
    rows = np.asarray(X, dtype=np.float64)
    if rows.ndim != 2 or not np.isfinite(rows).all():
        raise ValueError("feature_map: 'X' must be a table of finite numbers, one row for each point.")
    _require(kernel, "feature_map")
    if isinstance(kernel, Linear):
        return rows.copy()
    # So many products of at most `degree` of d columns exist: (d + degree) over degree, which grows too fast
    # for a loop to be left to find out.
    require_memory(len(rows), comb(rows.shape[1] + kernel.degree, kernel.degree), "use the kernel itself")
    columns = [
        factor * rows[:, list(columns)].prod(axis=1) for columns, factor in _terms(kernel, rows.shape[1])
    ]
    return np.column_stack(columns)


def feature_names(kernel: Linear | Polynomial, names: Sequence[str]) -> list[str]:
    """Name the columns of `feature_map`, without their factors.

    Parameters
    ----------
    kernel : Linear or Polynomial
        The kernel.
    names : sequence of str
        Names of the columns that are mapped.

    Returns
    -------
    list of str
        One name for each new column.

    Examples
    --------
    >>> from hornbook.kernels import Polynomial, feature_names
    >>> feature_names(Polynomial(2, constant=1.0), ["x1", "x2"])
    ['1', 'x1', 'x2', 'x1²', 'x1 x2', 'x2²']
    """
    _require(kernel, "feature_names")
    if isinstance(kernel, Linear):
        return list(names)
    return [_name(columns, names) for columns, _ in _terms(kernel, len(names))]


def _require(kernel: object, function: str) -> None:
    if not isinstance(kernel, Linear | Polynomial):
        raise TypeError(
            f"{function}: 'kernel' must be Linear() or a Polynomial; got {kernel!r}: the feature space of "
            "others is not finite, see hornbook.RBFSampler and hornbook.Nystroem."
        )


def _terms(kernel: Polynomial, n_columns: int) -> Iterator[tuple[tuple[int, ...], float]]:
    """Each product of columns and its factor: the root of how often it occurs in the power of the sum."""
    # The multinomial theorem: the power of a sum has each product as often as its factors can be put in
    # order. The root of that number goes to either side of the scalar product.
    whole = factorial(kernel.degree)
    # Without a constant all products of lower order have the factor 0 and are left out.
    for order in range(0 if kernel.constant > 0 else kernel.degree, kernel.degree + 1):
        rest = kernel.degree - order
        for columns in combinations_with_replacement(range(n_columns), order):
            ways = whole // (factorial(rest) * prod(factorial(n) for n in Counter(columns).values()))
            yield columns, sqrt(ways * kernel.constant**rest * kernel.scale**order)


def _name(columns: tuple[int, ...], names: Sequence[str]) -> str:
    powers = str.maketrans("0123456789", "⁰¹²³⁴⁵⁶⁷⁸⁹")
    parts = [
        str(names[j]) + (str(n).translate(powers) if n > 1 else "")
        for j, n in sorted(Counter(columns).items())
    ]
    return " ".join(parts) or "1"

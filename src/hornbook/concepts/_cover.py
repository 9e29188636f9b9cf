"""Cover's function counting theorem (1965): in how many ways a hyperplane can split points in two."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from hornbook.params import Floats
from hornbook.plots import capacity

__all__ = ["CapacityCurve", "capacity_curve", "dichotomies", "separable_probability"]


def dichotomies(n: int, l: int) -> int:  # noqa: E741 - the letter of the theorem
    """Count the ways to split n points in general position in two classes by a hyperplane of R^l.

    O(n, l) = 2 times the sum over i = 0, ..., l of the binomial coefficients (n - 1 over i). With n <= l + 1
    these are all 2^n ways.

    Parameters
    ----------
    n : int
        Number of points.
    l : int
        Number of dimensions.

    Returns
    -------
    int
        However large.

    Examples
    --------
    >>> dichotomies(4, 2), dichotomies(3, 2)
    (14, 8)
    """
    _require_count("dichotomies", "n", n)
    _require_count("dichotomies", "l", l)
    # The closed form of Cover's recursion C(n + 1, l) = C(n, l) + C(n, l - 1): a new point either leaves a
    # dichotomy as it is or divides it in two.
    return 2 * sum(math.comb(n - 1, i) for i in range(min(l, n - 1) + 1))


def separable_probability(n: int, l: int) -> float:  # noqa: E741 - the letter of the theorem
    """Return the probability that a hyperplane of R^l separates n points with random classes.

    Parameters
    ----------
    n : int
        Number of points, in general position.
    l : int
        Number of dimensions.

    Returns
    -------
    float
        O(n, l) / 2^n: 1 for n <= l + 1, and 1/2 for n = 2 (l + 1).

    Examples
    --------
    >>> separable_probability(4, 2), separable_probability(6, 2)
    (0.875, 0.5)
    """
    # Integers throughout: Python divides them exactly, however large, and rounds once.
    return float(dichotomies(n, l) / 2**n)


@dataclass(frozen=True)
class CapacityCurve:
    """The probability of linear separability against the number of points for each dimension.

    Parameters
    ----------
    ratio : ndarray
        r: points for each of the l + 1 weights of a hyperplane.
    probability : mapping of int to ndarray
        For each l the probability with floor(r (l + 1)) points.
    """

    ratio: Floats
    probability: Mapping[int, Floats]

    def plot(self, ax: Any = None) -> Any:
        """Draw one curve for each dimension; all go through 1/2 at r = 2."""
        return capacity(self.ratio, {f"l = {size}": p for size, p in self.probability.items()}, ax=ax)


def capacity_curve(dimensions: Sequence[int] = (5, 20, 100), ratio: Any = None) -> CapacityCurve:
    """Compute how the probability of linear separability decreases as points are added.

    With n = r (l + 1) points it tends to 1 for large l as long as r < 2, and to 0 beyond: the capacity is
    about two points for each weight of a hyperplane.

    Parameters
    ----------
    dimensions : sequence of int, default (5, 20, 100)
        Values of l.
    ratio : array-like, optional
        Values of r, above 0; from 0.5 to 4 when left out.

    Returns
    -------
    CapacityCurve
        Numbers, with ``plot()``.

    Examples
    --------
    >>> curve = capacity_curve([5, 50], ratio=[1.5, 2.0, 2.5])
    >>> curve.probability[50].round(4).tolist()
    [0.9988, 0.5, 0.0128]
    """
    ratios = np.linspace(0.5, 4.0, 71) if ratio is None else np.asarray(ratio, dtype=np.float64)
    if ratios.ndim != 1 or not np.isfinite(ratios).all() or not (ratios > 0).all():
        raise ValueError("capacity_curve: 'ratio' must be a list of numbers above 0.")
    probability = {}
    for l in dimensions:  # noqa: E741 - the letter of the theorem
        _require_count("capacity_curve", "dimensions", l)
        # 1e-9: a ratio such as 1.1 may fall just short of the integer it stands for.
        points = np.maximum(np.floor(ratios * (l + 1) + 1e-9), 1).astype(int)
        probability[int(l)] = np.array([separable_probability(int(n), int(l)) for n in points])
    return CapacityCurve(ratios, probability)


def _require_count(function: str, name: str, value: Any) -> None:
    if isinstance(value, bool) or not isinstance(value, int | np.integer) or value < 1:
        raise ValueError(f"{function}: '{name}' must be a whole number >= 1; got {value!r}.")

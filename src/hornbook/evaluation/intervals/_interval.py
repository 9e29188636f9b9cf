"""Confidence intervals of a mean or a proportion."""

from __future__ import annotations

import math
from dataclasses import asdict, dataclass
from html import escape
from typing import Any, Literal

from numpy.typing import ArrayLike
from scipy import special

from hornbook.evaluation.intervals._number_text import decimals_for, fixed, plain, significant
from hornbook.evaluation.intervals._samples import (
    Divisor,
    mean_and_deviation,
    numbers,
    one_of,
    positive,
    share,
    whole,
)
from hornbook.params import ParameterError

__all__ = ["Interval", "mean_interval", "proportion_interval", "wilson_ends"]


SMALL, HUGE = 1e-4, 1e7  # numbers outside are written as 3.2e-14
ROUNDING = 1e-13  # widths below, relative to the bounds, are rounding errors


@dataclass(frozen=True)
class Interval:
    """An estimate and its confidence interval.

    Parameters
    ----------
    low, high : float
        The bounds, inclusive; infinite on the open side of a one-sided interval.
    estimate : float
        The estimate itself.
    level : float
        The confidence level, in (0, 1).
    method : str
        How it was computed.

    Examples
    --------
    >>> interval = Interval(0.5555, 0.8582, 0.7333, 0.95, "Wilson")
    >>> print(interval)
    0.733 [0.56, 0.86] (95 %, Wilson)
    >>> 0.5 in interval
    False
    """

    low: float
    high: float
    estimate: float
    level: float
    method: str

    def __contains__(self, value: float) -> bool:
        return self.low <= value <= self.high

    @property
    def width(self) -> float:
        """The distance between the ends."""
        return self.high - self.low

    def numbers(self, null: float = 0.0) -> str:
        """Format the estimate and the bounds so that rounding moves none of them across ``null``.

        Parameters
        ----------
        null : float, default 0.0
            The value they are compared with.

        Returns
        -------
        str
            For instance ``"0.733 [0.56, 0.86]"``.
        """
        # A one-sided interval has no width: twice the finite reach stands in for it.
        reach = self.width if math.isfinite(self.width) else 2 * min(self._reaches(), default=math.inf)
        sizes = [abs(n) for n in (self.low, self.estimate, self.high) if math.isfinite(n)]
        plain = not sizes or SMALL <= max(sizes) < HUGE or max(sizes) == 0
        if 0 < reach <= ROUNDING * max(sizes, default=0.0):  # one number, with rounding errors
            one = fixed(self.estimate, 4, [null]) if plain else significant(self.estimate, 4, [null])
            return f"{one} [{one}, {one}]"
        if not plain:
            return self._with_exponents(max(sizes), reach, null)
        start = decimals_for(reach)
        # More decimals until the rounded estimate lies between the rounded bounds; 17 identify any double
        for decimals in range(start, start + 17):
            middle = fixed(self.estimate, decimals + 1, [null])
            low, high = fixed(self.low, decimals, [null]), fixed(self.high, decimals, [null])
            if float(low) <= float(middle) <= float(high) or self.estimate not in self:
                break
        return f"{middle} [{low}, {high}]"

    def _with_exponents(self, largest: float, reach: float, null: float) -> str:
        """Format very small or large numbers: two digits of the width, and one more for the estimate."""
        known = math.isfinite(reach) and reach > 0
        # Digits down to two places of the width, counted from the leading digit of the largest
        # number.
        start = max(2, math.floor(math.log10(largest)) - math.floor(math.log10(reach)) + 2) if known else 3
        for digits in range(start, start + 17):
            middle = significant(self.estimate, digits + 1, [null])
            low, high = significant(self.low, digits, [null]), significant(self.high, digits, [null])
            if float(low) <= float(middle) <= float(high) or self.estimate not in self:
                break
        return f"{middle} [{low}, {high}]"

    def _reaches(self) -> list[float]:
        return [
            abs(end - self.estimate)
            for end in (self.low, self.high)
            if math.isfinite(end) and end != self.estimate
        ]

    def __str__(self) -> str:
        return f"{self.numbers()} ({100 * self.level:g} %, {self.method})"

    def _repr_html_(self) -> str:
        return f"<span>{escape(str(self))}</span>"

    def to_dict(self) -> dict[str, Any]:
        """Return the interval as plain data."""
        return {name: plain(value) for name, value in asdict(self).items()}


def mean_interval(
    values: ArrayLike,
    *,
    level: float = 0.95,
    method: Literal["t", "normal", "known_variance"] = "t",
    sigma: float | None = None,
    divisor: Divisor = "n-1",
) -> Interval:
    """Compute the confidence interval of a mean, for instance of the scores of cross-validation folds.

    The half width is q s / sqrt(n), where s is the standard deviation: sqrt(sum (v - mean)^2 / (n - 1)), or
    with divisor ``"n"`` sqrt(sum (v - mean)^2 / n), which is too small for few values.

    Parameters
    ----------
    values : array-like of shape (n,)
        At least two numbers (one when the variance is known), taken as independent; cross-validation folds
        share training rows, so their interval is a little too narrow.
    level : float, default 0.95
        The confidence level, in (0, 1).
    method : {"t", "normal", "known_variance"}, default "t"
        Where q comes from: Student's t with n - 1 degrees of freedom, right for few values; the normal
        distribution, for many; the normal distribution with a known standard deviation.
    sigma : float, optional
        The known standard deviation of one value; required for ``"known_variance"``, and only there.
    divisor : {"n-1", "n"}, default "n-1"
        The divisor of the variance.

    Returns
    -------
    Interval
        Symmetric about the mean.

    Examples
    --------
    >>> errors = [8 / 30, 4 / 30, 7 / 30, 11 / 30, 5 / 30]
    >>> print(mean_interval(errors))
    0.233 [0.12, 0.35] (95 %, Student t)
    >>> print(mean_interval(errors, method="normal"))
    0.233 [0.15, 0.31] (95 %, normal)
    """
    level = share("mean_interval", "level", level)
    one_of("mean_interval", "method", method, ("t", "normal", "known_variance"))
    one_of("mean_interval", "divisor", divisor, ("n-1", "n"))
    known = method == "known_variance"
    if known != (sigma is not None):
        raise ParameterError(
            "mean_interval: 'sigma' is required for method 'known_variance', and only for it; "
            f"got method '{method}' and sigma={sigma}."
        )
    column = numbers("mean_interval", "values", values, least=1 if known else 2)
    # "n" divides by n, the maximum-likelihood estimate; it makes the interval slightly too short.
    mean, deviation = mean_and_deviation(column, divisor)
    if sigma is not None:
        deviation = positive("mean_interval", "sigma", sigma)
    tail = (1 - level) / 2
    q = -special.stdtrit(len(column) - 1, tail) if method == "t" else -special.ndtri(tail)
    half = float(q) * deviation / math.sqrt(len(column))
    labels = {"t": "Student t", "normal": "normal", "known_variance": "normal, known variance"}
    return Interval(mean - half, mean + half, mean, level, labels[method])


def proportion_interval(
    successes: int, n: int, *, level: float = 0.95, method: Literal["wilson", "exact", "normal"] = "wilson"
) -> Interval:
    """Compute the confidence interval of a proportion, for instance of the accuracy on a test set.

    Parameters
    ----------
    successes : int
        How many of the n cases, for instance correct predictions.
    n : int
        Number of cases, at least 1.
    level : float, default 0.95
        The confidence level, in (0, 1).
    method : {"wilson", "exact", "normal"}, default "wilson"
        The score interval of Wilson (1927) has the stated coverage on average; the exact one of Clopper and
        Pearson (1934) never has less, and is wider; the normal (Wald) one, p +- z sqrt(p (1 - p) / n), is for
        large n only.

    Returns
    -------
    Interval
        Within [0, 1].

    Examples
    --------
    >>> print(proportion_interval(22, 30))
    0.733 [0.56, 0.86] (95 %, Wilson)
    >>> print(proportion_interval(30, 30, method="exact"))
    1.000 [0.88, 1.00] (95 %, Clopper-Pearson)
    """
    level = share("proportion_interval", "level", level)
    one_of("proportion_interval", "method", method, ("wilson", "exact", "normal"))
    total = whole("proportion_interval", "n", n, least=1)
    count = whole("proportion_interval", "successes", successes, least=0)
    if count > total:
        raise ValueError(f"proportion_interval: 'successes' must be at most n; got {count} of {total}.")
    # Wilson by default (Brown, Cai and DasGupta 2001): its coverage is close to nominal also near 0
    # and 1, where the normal interval collapses and the exact one is too wide.
    ends = {"wilson": wilson_ends, "exact": _exact, "normal": _normal}[method]
    low, high = ends(count, total, (1 - level) / 2)
    labels = {"wilson": "Wilson", "exact": "Clopper-Pearson", "normal": "normal"}
    return Interval(low, high, count / total, level, labels[method])


def wilson_ends(k: float, n: float, tail: float) -> tuple[float, float]:
    """Compute the Wilson bounds for k of n cases; sums of weights need not be integers."""
    # solutions of |k / n - p| = z sqrt(p (1 - p) / n) for p
    z2 = float(special.ndtri(tail)) ** 2
    middle = (k + z2 / 2) / (n + z2)
    half = math.sqrt(z2 * (k * (n - k) / n + z2 / 4)) / (n + z2)
    # without a success the lower bound is exactly 0, which rounding could miss
    return (middle - half if k > 0 else 0.0), (middle + half if k < n else 1.0)


def _exact(k: int, n: int, tail: float) -> tuple[float, float]:
    # binomial tails are incomplete beta functions: P(X >= k) = I_p(k, n - k + 1)
    low = float(special.betaincinv(k, n - k + 1, tail)) if k > 0 else 0.0
    # The complement's inverse keeps the digits of an upper bound close to 1.
    high = float(special.betainccinv(k + 1, n - k, tail)) if k < n else 1.0
    return low, high


def _normal(k: int, n: int, tail: float) -> tuple[float, float]:
    half = -float(special.ndtri(tail)) * math.sqrt(k * (n - k) / n) / n
    # Wald's interval leaves [0, 1] for extreme proportions and is cut off there.
    return max(0.0, k / n - half), min(1.0, k / n + half)

"""The distribution of a test statistic under the null hypothesis."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
from scipy import special

from hornbook.evaluation.intervals._samples import Alternative
from hornbook.params import Floats

__all__ = ["NullDistribution"]

Family = Literal["normal", "t", "f", "chi2", "discrete", "draws"]

_NEAR = 1e-12  # rounding error of a statistic, as a share of the largest


@dataclass(frozen=True, eq=False)
class NullDistribution:
    """The distribution of a test's statistic when the null hypothesis holds.

    Parameters
    ----------
    family : {"normal", "t", "f", "chi2", "discrete", "draws"}
        A curve, probabilities of single values, or a sample of the statistic.
    parameters : tuple of float, default ()
        Degrees of freedom of a curve.
    values : ndarray, optional
        The values that are possible, in ascending order, or the draws.
    probabilities : ndarray, optional
        Of the possible values.
    plus_one : bool, default True
        Whether the observed statistic counts as one of the draws.
    mid_p : bool, default False
        Whether the observed value counts half (Lancaster, 1961).
    """

    family: Family
    parameters: tuple[float, ...] = ()
    values: Floats | None = None
    probabilities: Floats | None = None
    plus_one: bool = True
    mid_p: bool = False

    @property
    def is_curve(self) -> bool:
        """Whether it has a density."""
        # Families without stored values are evaluated by special functions.
        return self.values is None

    def density(self, x: Floats) -> Floats:
        """Return the density of a curve at each point.

        Parameters
        ----------
        x : ndarray
            The points.

        Returns
        -------
        ndarray
            The densities.
        """
        return np.asarray(np.exp(_log_density(self.family, self.parameters, np.asarray(x, dtype=float))))

    def p(self, statistic: float, alternative: Alternative) -> float:
        """Return the probability of a statistic at least as far out.

        Parameters
        ----------
        statistic : float
            The observed one.
        alternative : {"two-sided", "less", "greater"}
            Which tail counts; two-sided is twice the smaller one. F and chi-square have no sign, so only
            their upper tail counts.

        Returns
        -------
        float
            At most 1.
        """
        lower, upper = self.tails(statistic)
        if alternative == "two-sided" and self._signed:
            # Twice the smaller tail: the convention that matches central confidence intervals, also
            # for discrete and skewed distributions, where doubling can exceed 1.
            return min(1.0, 2 * min(lower, upper))
        return lower if alternative == "less" else upper

    def critical(self, alpha: float, alternative: Alternative) -> tuple[float, ...]:
        """Return the critical values: a statistic there or farther out is rejected, one for each side.

        Parameters
        ----------
        alpha : float
            Probability of the rejection region; an upper bound when the distribution is discrete.
        alternative : {"two-sided", "less", "greater"}
            The sides.

        Returns
        -------
        tuple of float
            Infinite where no value is far enough out.
        """
        if alternative == "two-sided" and self._signed:
            return (self._edge(alpha / 2, -1), self._edge(alpha / 2, 1))
        return (self._edge(alpha, -1 if alternative == "less" else 1),)

    def to_dict(self) -> dict[str, Any]:
        """Return the name, the parameters and the number of values."""
        count = {} if self.values is None else {"n_values": len(self.values)}
        return {"family": self.family, "parameters": list(self.parameters), **count}

    def __str__(self) -> str:
        degrees = " and ".join(f"{parameter:g}" for parameter in self.parameters)
        names = {
            "normal": "standard normal",
            "t": f"Student t, {degrees} degrees of freedom",
            "f": f"F, {degrees} degrees of freedom",
            "chi2": f"chi-square, {degrees} degrees of freedom",
            "discrete": "exact",
        }
        return names.get(self.family) or f"{0 if self.values is None else len(self.values):,} draws"

    @property
    def _signed(self) -> bool:
        # F and chi-square measure distance from the null hypothesis; "two-sided" is their upper tail
        # alone.
        return self.family not in ("f", "chi2")

    def tails(self, statistic: float) -> tuple[float, float]:
        """Return the probabilities of a statistic at most, and at least, as large.

        Parameters
        ----------
        statistic : float
            The observed one.

        Returns
        -------
        tuple of float
            The lower and the upper one.
        """
        if self.values is None:
            return _curve_tails(self.family, self.parameters, statistic)
        below, above = self._reached(statistic)
        if self.probabilities is not None:
            weights = self.probabilities
            # Lancaster's mid-p counts the observed value half, which removes most of the conservatism
            # of a discrete test at the price of a guarantee.
            half = float(weights[below & above].sum()) / 2 if self.mid_p else 0.0
            return min(1.0, float(weights[below].sum()) - half), min(1.0, float(weights[above].sum()) - half)
        # Phipson and Smyth (2010): the sample itself is one of the permutations under the null
        # hypothesis; without the 1 a p-value of 0 would be possible and the test too liberal.
        extra, total = int(self.plus_one), len(self.values) + int(self.plus_one)
        return (int(below.sum()) + extra) / total, (int(above.sum()) + extra) / total

    def _reached(self, statistic: float) -> tuple[Any, Any]:
        """Return which values are at most, and at least, the statistic, up to rounding error."""
        assert self.values is not None
        slack = _slack(self.values, statistic)
        return self.values <= statistic + slack, self.values >= statistic - slack

    def _edge(self, alpha: float, side: int) -> float:
        if self.values is None:
            return _curve_edge(self.family, self.parameters, alpha, side)
        if self.probabilities is None:
            return _draws_edge(self.values, alpha, side, int(self.plus_one))
        # the innermost value whose tail is at most alpha
        # Reversing both arrays turns the lower tail into the upper one, so that one loop serves both
        # sides.
        values, weights = self.values[::side], self.probabilities[::side]
        tails = np.cumsum(weights[::-1])[::-1] - (weights / 2 if self.mid_p else 0.0)
        far = values[tails <= alpha]
        return float(far[0]) if len(far) else side * math.inf


def _draws_edge(draws: Floats, alpha: float, side: int, extra: int) -> float:
    """Return the number just beyond the innermost draw that is not yet rejected."""
    # p = (reached + extra) / (draws + extra) <= alpha bounds how many draws may be as extreme; the factor
    # keeps a product such as 0.29 * 100, which is 28.999..., from being rounded down
    allowed = math.floor(alpha * (len(draws) + extra) * (1 + _NEAR)) - extra
    if allowed < 0:
        return side * math.inf
    outward = np.sort(side * draws)
    if allowed >= len(outward):
        # Every draw may be exceeded: with an alpha this large all statistics are rejected.
        return -side * math.inf
    last = float(outward[len(outward) - 1 - allowed])
    return side * math.nextafter(last + _slack(draws, 0.0), math.inf)


def _slack(values: Floats, statistic: float) -> float:
    size = max(abs(statistic), float(np.abs(values).max(initial=0.0)))
    return _NEAR * size if math.isfinite(size) else 0.0


def _log_density(family: str, parameters: tuple[float, ...], x: Floats) -> Floats:
    # in logarithms, because the gamma functions overflow for many degrees of freedom
    if family == "normal":
        return np.asarray(-(x**2) / 2 - math.log(2 * math.pi) / 2)
    if family == "t":
        (v,) = parameters
        scale = math.lgamma((v + 1) / 2) - math.lgamma(v / 2) - math.log(v * math.pi) / 2
        return np.asarray(scale - (v + 1) / 2 * np.log1p(x**2 / v))
    if family == "chi2":
        (v,) = parameters
        scale = -math.lgamma(v / 2) - v / 2 * math.log(2)
        return np.asarray(scale + special.xlogy(v / 2 - 1, x) - x / 2, dtype=np.float64)
    v, w = parameters
    scale = v / 2 * math.log(v) + w / 2 * math.log(w) - float(special.betaln(v / 2, w / 2))
    # xlogy makes the density at 0 finite where its exponent is 0, that is v = 2.
    return np.asarray(scale + special.xlogy(v / 2 - 1, x) - (v + w) / 2 * np.log(w + v * x), dtype=np.float64)


def _curve_tails(family: str, parameters: tuple[float, ...], x: float) -> tuple[float, float]:
    # the upper tail is computed directly: 1 minus the lower one would lose all digits of a small p
    if family == "normal":
        return float(special.ndtr(x)), float(special.ndtr(-x))
    if family == "t":
        (v,) = parameters
        return float(special.stdtr(v, x)), float(special.stdtr(v, -x))
    if family == "chi2":
        (v,) = parameters
        return float(special.chdtr(v, x)), float(special.chdtrc(v, x))
    v, w = parameters
    return float(special.fdtr(v, w, x)), float(special.fdtrc(v, w, x))


def _curve_edge(family: str, parameters: tuple[float, ...], alpha: float, side: int) -> float:
    # Quantiles at alpha itself, not at 1 - alpha, for the symmetric families: 1 - 1e-20 is 1.
    if family == "normal":
        return float(-side * special.ndtri(alpha))
    if family == "t":
        (v,) = parameters
        return float(-side * special.stdtrit(v, alpha))
    if family == "chi2":
        (v,) = parameters
        return float(special.chdtri(v, alpha if side > 0 else 1 - alpha))
    v, w = parameters
    return float(special.fdtri(v, w, 1 - alpha if side > 0 else alpha))

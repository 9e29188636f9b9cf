"""Exponential families and link functions of generalized linear models (McCullagh and Nelder 1989)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray
from scipy.special import expit, logit, xlogy

from hornbook.params import Floats

__all__ = ["FAMILIES", "LINKS", "Family", "Link", "link_of"]


@dataclass(frozen=True)
class Link:
    """A link function: how the mean depends on the linear predictor.

    Parameters
    ----------
    name : str
        Its name.
    link : callable
        From the mean to the linear predictor.
    mean : callable
        The inverse, from the linear predictor to the mean.
    slope, curve : callable
        First and second derivative of the mean by the linear predictor.
    positive : bool
        Whether the linear predictor must stay above 0.
    """

    name: Literal["identity", "log", "logit", "inverse"]
    link: Callable[[Any], Any]
    mean: Callable[[Any], Any]
    slope: Callable[[Any], Any]
    curve: Callable[[Any], Any]
    positive: bool = False

    def __reduce__(self) -> tuple[Any, tuple[str]]:
        return _link, (self.name,)  # lambdas cannot be pickled


@dataclass(frozen=True)
class Family:
    """A family of distributions of the target around its mean.

    Parameters
    ----------
    canonical : str
        The link under which the linear predictor is the natural parameter.
    variance, steepness : callable
        Variance as a function of the mean, up to a constant, and its derivative.
    deviance : callable
        Deviance of a row with target y and mean m: twice the log likelihood lost against a perfect fit.
    allowed : callable
        Which targets are possible.
    allowed_text : str
        The same as text, for messages.
    inside : callable
        Which means are possible.
    free : bool
        Whether the dispersion is estimated; otherwise it is 1.
    """

    canonical: str
    variance: Callable[[Any], Any]
    steepness: Callable[[Any], Any]
    deviance: Callable[[Any, Any], Any]
    allowed: Callable[[Any], Any]
    allowed_text: str
    inside: Callable[[Any], Any]
    free: bool

    def __reduce__(self) -> tuple[Any, tuple[str]]:
        # By name: a pickle then holds no functions, and unpickling gives the table's own object.
        (name,) = (name for name, family in FAMILIES.items() if family is self)
        return _family, (name,)


# Deviances: twice the difference of the log likelihoods of the saturated model and the model (McCullagh and
# Nelder, Generalized Linear Models, 1989, chapter 2).
def _square(y: Floats, m: Floats) -> Floats:
    return np.asarray((y - m) ** 2)


# xlogy is 0 for y = 0, where y log(y) has no value but the limit 0.
def _poisson(y: Floats, m: Floats) -> Floats:
    return np.asarray(2.0 * (xlogy(y, y / m) - (y - m)))


def _gamma(y: Floats, m: Floats) -> Floats:
    return np.asarray(2.0 * ((y - m) / m - np.log(y / m)))


def _binomial(y: Floats, m: Floats) -> Floats:
    return np.asarray(2.0 * (xlogy(y, y) - xlogy(y, m) + xlogy(1 - y, 1 - y) - xlogy(1 - y, 1 - m)))


def _any(y: Floats) -> NDArray[np.bool_]:
    return np.isfinite(y)


LINKS: dict[str, Link] = {
    "identity": Link("identity", lambda m: m, lambda z: z, np.ones_like, np.zeros_like),
    "log": Link("log", np.log, np.exp, np.exp, np.exp),
    "inverse": Link(
        "inverse",
        lambda m: 1.0 / m,
        lambda z: 1.0 / z,
        lambda z: -1.0 / z**2,
        lambda z: 2.0 / z**3,
        positive=True,
    ),
    "logit": Link(
        "logit",
        logit,
        expit,
        lambda z: expit(z) * expit(-z),
        lambda z: expit(z) * expit(-z) * (expit(-z) - expit(z)),
    ),
}

# Variance functions 1, m, m² and m (1 - m), each followed by its derivative.
FAMILIES: dict[str, Family] = {
    "gaussian": Family(
        "identity", np.ones_like, np.zeros_like, _square, _any, "finite numbers", _any, free=True
    ),
    "poisson": Family(
        "log",
        lambda m: m,
        np.ones_like,
        _poisson,
        lambda y: y >= 0,
        "numbers of at least 0",
        lambda m: m > 0,
        free=False,
    ),
    "gamma": Family(
        "inverse",
        np.square,
        lambda m: 2.0 * m,
        _gamma,
        lambda y: y > 0,
        "numbers above 0",
        lambda m: m > 0,
        free=True,
    ),
    "binomial": Family(
        "logit",
        lambda m: m * (1.0 - m),
        lambda m: 1.0 - 2.0 * m,
        _binomial,
        lambda y: (y >= 0) & (y <= 1),
        "shares from 0 to 1",
        lambda m: (m > 0) & (m < 1),
        free=False,
    ),
}


def link_of(family: str, link: str) -> Link:
    """The link by name, or the family's own."""
    return LINKS[FAMILIES[family].canonical if link == "canonical" else link]


def _link(name: str) -> Link:
    return LINKS[name]


def _family(name: str) -> Family:
    return FAMILIES[name]

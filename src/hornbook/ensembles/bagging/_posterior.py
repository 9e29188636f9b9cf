"""How well models explain the rows, and how much each is to be believed."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hornbook.base import member_answers, member_proba
from hornbook.params import Floats
from hornbook.random import Stream

__all__ = ["Evidence", "posterior_of", "proposals_of", "visits_of"]

SMALLEST = 1e-15  # probability, or share of the variance, below which a model cannot fall
CHAIN = int.from_bytes(b"models", "big")  # random stream of this module


class Evidence:
    """The log-likelihood of rows under one model, summed part by part.

    For classes it is the sum of w log P(y | x). For numbers it is that of normal errors with the variance
    that fits the model best: -n/2 (log(2 pi s) + 1) with the mean squared error s and n = sum of w.

    Parameters
    ----------
    y : ndarray of shape (n_rows,)
        Class numbers, or numbers.
    w : ndarray of shape (n_rows,), optional
        Weights of the rows.
    n_classes : int
        Number of classes; 0 for numbers.
    """

    def __init__(self, y: NDArray[Any], w: Floats | None, n_classes: int) -> None:
        self._y, self._w, self._n_classes = y, np.ones(len(y)) if w is None else w, n_classes
        self._total = self._weight = 0.0

    def add(self, member: Any, data: Any, rows: NDArray[np.intp]) -> None:
        """Let a model, which has not seen them, predict some rows."""
        y, w = self._y[rows], self._w[rows]
        self._weight += float(w.sum())
        if not self._n_classes:
            self._total += float(w @ (member_answers(member, data) - y) ** 2)
            return
        # Under a model the probability of the class that occurred, which is its likelihood of the
        # row.
        likelihood = member_proba(member, data, self._n_classes)[np.arange(len(y)), y]
        self._total += float(w @ np.log(np.maximum(likelihood, SMALLEST)))

    @property
    def log_likelihood(self) -> float:
        """The logarithm of the likelihood."""
        if self._n_classes:
            return self._total
        mean = np.average(self._y, weights=self._w)
        # A model that reproduces the target exactly would have an infinite likelihood.
        least = SMALLEST * float(np.average((self._y - mean) ** 2, weights=self._w))
        variance = max(self._total / self._weight, least, float(np.finfo(np.float64).tiny))
        # Normal errors with the variance at its maximum-likelihood value: -n/2 (ln(2 pi s^2) + 1).
        return -0.5 * self._weight * (math.log(2 * math.pi * variance) + 1.0)


def posterior_of(log_prior: Floats, log_likelihood: Floats) -> Floats:
    """Posterior probabilities of models, from logarithms, so that nothing underflows."""
    joint = log_prior + log_likelihood
    # Divided afterward: beside huge logarithms, that of the sum would be lost in rounding.
    shares = np.exp(joint - joint.max())
    return np.asarray(shares / shares.sum())


def visits_of(proposals: NDArray[np.intp], log_likelihood: Floats, seed: int) -> Floats:
    """Share of the steps that a Metropolis chain spends on each model (Metropolis et al. 1953).

    Proposals are drawn from the prior, so a step from model a to model b is taken with probability
    min(1, P(D | b) / P(D | a)); else the chain stays where it is. The first proposal is its start.
    """
    # log1p(-u) is the log of a uniform number in (0, 1], never of 0.
    luck = np.log1p(-Stream(seed, CHAIN, 1).uniform(len(proposals)))
    visits, at = np.zeros(len(log_likelihood)), proposals[0]
    for step, proposed in enumerate(proposals.tolist()):
        # Proposals come from the prior, so prior and proposal cancel: the likelihood ratio decides
        # alone.
        if luck[step] <= log_likelihood[proposed] - log_likelihood[at]:
            at = proposed
        visits[at] += 1.0
    return visits / len(proposals)


def proposals_of(log_prior: Floats, n_samples: int, seed: int) -> NDArray[np.intp]:
    """Models drawn from the prior."""
    steps = np.cumsum(np.exp(log_prior))
    draws = Stream(seed, CHAIN).uniform(n_samples) * steps[-1]
    return np.asarray(np.minimum(np.searchsorted(steps, draws, side="right"), len(steps) - 1))

"""Rules that make one distribution over the classes of those that members give."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from hornbook.base import normalized
from hornbook.ensembles.combining._averages import average
from hornbook.ensembles.combining._checks import probability_tables, shares_of
from hornbook.params import Floats, ParameterError

__all__ = [
    "borda_count",
    "crisp_votes",
    "dempster_shafer",
    "max_rule",
    "median_rule",
    "min_rule",
    "plausibilities",
    "points_of",
    "product_rule",
    "reliabilities_of",
    "sum_rule",
]


# Kittler, Hatef, Duin and Matas (1998) derive these rules from Bayes' theorem, and show why the sum suffers
# least from errors of single members, the product and the minimum most.
def sum_rule(probabilities: ArrayLike, weights: ArrayLike | None = None) -> Floats:
    """Average the probabilities of each class: soft voting.

    Of all distributions P it has the least average Kullback-Leibler divergence of the members from it, the
    mean over members j of sum_k P_j(k) ln(P_j(k) / P(k)).

    Parameters
    ----------
    probabilities : array-like of shape (n_members, n_rows, n_classes)
        What each member says.
    weights : array-like of shape (n_members,), optional
        Weights of the members, at least 0; all count the same when left out.

    Returns
    -------
    ndarray of shape (n_rows, n_classes)
        The combined probabilities.

    Examples
    --------
    >>> sum_rule([[[0.9, 0.1]], [[0.5, 0.5]]]).round(3).tolist()
    [[0.7, 0.3]]
    """
    return average(probability_tables("sum_rule", probabilities), weights)


def product_rule(probabilities: ArrayLike, weights: ArrayLike | None = None) -> Floats:
    """Multiply the probabilities of each class: their geometric mean, made to sum to 1.

    Of all distributions P it has the least average Kullback-Leibler divergence from the members, the mean
    over members j of sum_k P(k) ln(P(k) / P_j(k)). The class is that of the plain product, but the
    probabilities are not more extreme than those of the members. A single 0 vetoes a class; where every class
    is vetoed, all are equally probable.

    Parameters
    ----------
    probabilities : array-like of shape (n_members, n_rows, n_classes)
        What each member says.
    weights : array-like of shape (n_members,), optional
        Weights of the members, at least 0: exponents of their factors; all count the same when left out.

    Returns
    -------
    ndarray of shape (n_rows, n_classes)
        The combined probabilities.

    Examples
    --------
    >>> product_rule([[[0.8, 0.2]], [[0.5, 0.5]]]).round(3).tolist()
    [[0.667, 0.333]]
    """
    tables = probability_tables("product_rule", probabilities)
    shares = shares_of("product_rule", weights, len(tables))
    counted = shares > 0  # 0^0 is 1, but 0 times the logarithm of 0 is not a number
    with np.errstate(divide="ignore"):
        # Weighted geometric mean by logarithms: products of many probabilities underflow.
        return _from_logs(np.tensordot(shares[counted], np.log(tables[counted]), axes=1))


def _from_logs(logs: Floats) -> Floats:
    """Probabilities from logarithms up to a constant; uniform where all are those of 0."""
    best = logs.max(axis=1, keepdims=True)
    # Scaled by the largest logarithm; rows where every class has probability 0 stay all zero and
    # become uniform.
    return normalized(np.exp(logs - np.where(np.isneginf(best), 0.0, best)))


def median_rule(probabilities: ArrayLike) -> Floats:
    """Take the median of the probabilities of each class, made to sum to 1.

    Parameters
    ----------
    probabilities : array-like of shape (n_members, n_rows, n_classes)
        What each member says.

    Returns
    -------
    ndarray of shape (n_rows, n_classes)
        The combined probabilities; uniform where all medians are 0.

    Examples
    --------
    >>> median_rule([[[0.9, 0.1]], [[0.6, 0.4]], [[0.0, 1.0]]]).round(3).tolist()
    [[0.6, 0.4]]
    """
    return normalized(np.median(probability_tables("median_rule", probabilities), axis=0))


def min_rule(probabilities: ArrayLike) -> Floats:
    """Take the least probability that a member gives to each class, made to sum to 1.

    Parameters
    ----------
    probabilities : array-like of shape (n_members, n_rows, n_classes)
        What each member says.

    Returns
    -------
    ndarray of shape (n_rows, n_classes)
        The combined probabilities; uniform where every class has a member that gives it 0.

    Examples
    --------
    >>> min_rule([[[0.9, 0.1]], [[0.6, 0.4]]]).round(3).tolist()
    [[0.857, 0.143]]
    """
    return normalized(probability_tables("min_rule", probabilities).min(axis=0))


def max_rule(probabilities: ArrayLike) -> Floats:
    """Take the largest probability that a member gives to each class, made to sum to 1.

    Parameters
    ----------
    probabilities : array-like of shape (n_members, n_rows, n_classes)
        What each member says.

    Returns
    -------
    ndarray of shape (n_rows, n_classes)
        The combined probabilities.

    Examples
    --------
    >>> max_rule([[[0.9, 0.1]], [[0.4, 0.6]]]).round(3).tolist()
    [[0.6, 0.4]]
    """
    return normalized(probability_tables("max_rule", probabilities).max(axis=0))


def borda_count(probabilities: ArrayLike, weights: ArrayLike | None = None) -> Floats:
    """Let every member rank the classes, and count for each class how many it is ranked above.

    Only the order of a member's probabilities matters; classes that it holds equally probable share their
    points (Borda 1781).

    Parameters
    ----------
    probabilities : array-like of shape (n_members, n_rows, n_classes)
        What each member says.
    weights : array-like of shape (n_members,), optional
        Weights of the members, at least 0; all count the same when left out.

    Returns
    -------
    ndarray of shape (n_rows, n_classes)
        The mean points of each class, between 0 and n_classes - 1.

    Examples
    --------
    >>> borda_count([[[0.6, 0.3, 0.1]], [[0.2, 0.5, 0.3]]]).tolist()
    [[1.0, 1.5, 0.5]]
    """
    return average(points_of(probability_tables("borda_count", probabilities)), weights)


def points_of(tables: Floats) -> Floats:
    """Return the points of each class by each member: classes ranked below, and half of its equals."""
    points = np.zeros_like(tables)
    # Class by class, O(members x rows x classes) memory; ranks by sorting would need ties averaged
    # anyhow.
    for k in range(tables.shape[2]):
        rival = tables[..., k : k + 1]
        points += (tables > rival) + 0.5 * (tables == rival)
    return points - 0.5  # a class is its own equal


def dempster_shafer(probabilities: ArrayLike, reliabilities: ArrayLike | None = None) -> Floats:
    """Combine the evidence of members by Dempster's rule.

    A member of reliability r gives the mass r P_j(k) to each class and 1 - r to all classes together: what
    it cannot tell (Shafer 1976, discounting). Masses are multiplied, contradictions left out, and what
    remains on all classes together is divided evenly. With full reliability this is the product of the
    probabilities, which is more extreme than `product_rule` and names the same class.

    Parameters
    ----------
    probabilities : array-like of shape (n_members, n_rows, n_classes)
        What each member says.
    reliabilities : array-like of shape (n_members,), optional
        How far each member can be trusted, between 0 and 1; 1 when left out.

    Returns
    -------
    ndarray of shape (n_rows, n_classes)
        The combined probabilities; uniform where members contradict each other completely.

    Examples
    --------
    >>> dempster_shafer([[[0.8, 0.2]], [[0.8, 0.2]]]).round(3).tolist()
    [[0.941, 0.059]]
    >>> dempster_shafer([[[0.8, 0.2]], [[0.8, 0.2]]], reliabilities=[1.0, 0.0]).round(3).tolist()
    [[0.8, 0.2]]
    """
    tables = probability_tables("dempster_shafer", probabilities)
    trust = reliabilities_of(reliabilities, len(tables))
    # Mass that no member assigns: the product of the shares each leaves to the whole frame of
    # discernment (Shafer 1976).
    ignorance = float(np.prod(1 - trust))
    with np.errstate(divide="ignore"):
        logs = np.log(plausibilities(tables, trust)).sum(axis=0)
    if ignorance == 0.0:
        return _from_logs(logs)
    products = np.exp(logs)  # each is at least the ignorance, so that none underflows alone
    # m({c}) before normalization: prod of plausibilities minus the part that is ignorance of all
    # members.
    masses = products - ignorance
    # The pignistic transform (Smets 1990) divides ignorance evenly; conflict is removed by
    # normalizing.
    return normalized(np.maximum(masses, 0.0) + ignorance / tables.shape[2])


def reliabilities_of(reliabilities: ArrayLike | None, n_members: int) -> Floats:
    """Return the reliability of each member; 1 when left out."""
    trust = np.ones(n_members) if reliabilities is None else np.asarray(reliabilities, dtype=np.float64)
    if trust.shape != (n_members,) or not ((trust >= 0) & (trust <= 1)).all():
        raise ParameterError(
            "dempster_shafer: the reliabilities must be one number between 0 and 1 for each of the "
            f"{n_members} members; got {reliabilities!r}."
        )
    return trust


def plausibilities(tables: Floats, trust: Floats) -> Floats:
    """Return the mass that each member does not give to other classes alone."""
    return np.asarray(trust[:, None, None] * tables + (1 - trust)[:, None, None])


def crisp_votes(probabilities: ArrayLike) -> Floats:
    """Turn probabilities into votes: 1 for the most probable class of each member, 0 for the others.

    Probabilities of learners of different types are not comparable, but their decisions are. Of equally
    probable classes, the first gets the vote.

    Parameters
    ----------
    probabilities : array-like of shape (n_members, n_rows, n_classes)
        What each member says.

    Returns
    -------
    ndarray of shape (n_members, n_rows, n_classes)
        The votes, as probabilities of 0 and 1.

    Examples
    --------
    >>> crisp_votes([[[0.2, 0.5, 0.3]], [[0.9, 0.1, 0.0]]]).tolist()
    [[[0.0, 1.0, 0.0]], [[1.0, 0.0, 0.0]]]
    """
    tables = probability_tables("crisp_votes", probabilities)
    return np.asarray(np.arange(tables.shape[2]) == tables.argmax(axis=2)[..., None], dtype=np.float64)

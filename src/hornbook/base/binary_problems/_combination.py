"""From the answers of binary problems to those for many classes: votes and probabilities."""

from __future__ import annotations

import numpy as np

from hornbook.base.binary_problems._codes import Code
from hornbook.optimize import constrained_quadratic
from hornbook.params import Floats

__all__ = ["coupled", "normalized", "pair_votes", "pair_wins", "tie_breakers"]

SUREST = 1e-7  # probabilities of a pair this close to 0 or 1 count as that close, as in LIBSVM
MOST_CELLS = 2**22  # of the linear equations that are solved at a time


def pair_wins(code: Code, scores: Floats) -> Floats:
    """Count the pairs that each class wins.

    Parameters
    ----------
    code : ndarray of shape (n_classes, n_pairs)
        As made by `one_vs_one`.
    scores : ndarray of shape (n_rows, n_pairs)
        Positive for the class with +1.

    Returns
    -------
    ndarray of shape (n_rows, n_classes)
        Whole numbers.

    Examples
    --------
    >>> from hornbook.base import one_vs_one
    >>> pair_wins(one_vs_one(3), np.array([[0.5, -2.0, -1.0]])).tolist()
    [[1.0, 0.0, 2.0]]
    """
    # A class with -1 wins unless the other one does: all its pairs, less those.
    return np.asarray((scores > 0).astype(np.float64) @ code.T.astype(np.float64) + (code < 0).sum(axis=1))


def pair_votes(code: Code, scores: Floats) -> Floats:
    """Count the pairs that each class wins; sums of scores settle ties, as in scikit-learn.

    Parameters
    ----------
    code : ndarray of shape (n_classes, n_pairs)
        As made by `one_vs_one`.
    scores : ndarray of shape (n_rows, n_pairs)
        Positive for the class with +1.

    Returns
    -------
    ndarray of shape (n_rows, n_classes)
        The votes, plus what settles ties.

    Examples
    --------
    >>> from hornbook.base import one_vs_one
    >>> pair_votes(one_vs_one(3), np.array([[0.5, -2.0, -1.0]])).argmax().item()
    2
    """
    return pair_wins(code, scores) + tie_breakers(code, scores)


def tie_breakers(code: Code, scores: Floats) -> Floats:
    """Squash the sums of scores of each class into (-1/3, 1/3), so that they never outweigh a vote.

    Parameters
    ----------
    code : ndarray of shape (n_classes, n_pairs)
        As made by `one_vs_one`.
    scores : ndarray of shape (n_rows, n_pairs) or (n_pairs,)
        Positive for the class with +1.

    Returns
    -------
    ndarray of shape (n_rows, n_classes) or (n_classes,)
        What settles ties.

    Examples
    --------
    >>> from hornbook.base import one_vs_one
    >>> tie_breakers(one_vs_one(3), np.array([1.0, -3.0, 0.0])).round(3).tolist()
    [-0.222, -0.167, 0.25]
    """
    sums = scores @ code.T
    return np.asarray(sums / (3 * (np.abs(sums) + 1)))


def normalized(probabilities: Floats) -> Floats:
    """Divide the probabilities of one-vs-rest problems by their sum; uniform where all are 0.

    Parameters
    ----------
    probabilities : ndarray of shape (n_rows, n_classes)
        Of each class against the rest.

    Returns
    -------
    ndarray of shape (n_rows, n_classes)
        Rows sum to 1.

    Examples
    --------
    >>> normalized(np.array([[0.5, 0.25, 0.25], [0.0, 0.0, 0.0]])).round(3).tolist()
    [[0.5, 0.25, 0.25], [0.333, 0.333, 0.333]]
    """
    total = probabilities.sum(axis=1, keepdims=True)
    uniform = np.full_like(probabilities, 1 / probabilities.shape[1])
    return np.asarray(np.divide(probabilities, total, out=uniform, where=total > 0))


def coupled(code: Code, pairs: Floats) -> Floats:
    """Find the class probabilities that agree best with those of the pairs.

    They minimize the sum over all i and j of (r_ji p_i - r_ij p_j)^2, where r_ij is the probability of class
    i in the pair with j: the second method of Wu, Lin and Weng, Probability estimates for multi-class
    classification by pairwise coupling (JMLR 2004), which LIBSVM uses. If r_ij = p_i / (p_i + p_j), it is p.

    Parameters
    ----------
    code : ndarray of shape (n_classes, n_pairs)
        As made by `one_vs_one`.
    pairs : ndarray of shape (n_rows, n_pairs)
        Probability of the class with +1.

    Returns
    -------
    ndarray of shape (n_rows, n_classes)
        Rows sum to 1.

    Examples
    --------
    >>> from hornbook.base import one_vs_one
    >>> coupled(one_vs_one(3), np.array([[5 / 8, 5 / 7, 3 / 5]])).round(9).tolist()
    [[0.5, 0.3, 0.2]]
    """
    k = len(code)
    step = max(1, MOST_CELLS // (k + 1) ** 2)
    return np.concatenate([_coupled(code, pairs[i : i + step]) for i in range(0, max(len(pairs), 1), step)])


def _coupled(code: Code, pairs: Floats) -> Floats:
    k, (first, second) = len(code), (code.argmax(axis=0), code.argmin(axis=0))
    against = np.zeros((len(pairs), k, k))  # r_ji at (i, j)
    against[:, second, first] = np.clip(pairs, SUREST, 1 - SUREST)
    against[:, first, second] = 1 - against[:, second, first]
    curvature = -against * against.transpose(0, 2, 1)
    curvature[:, range(k), range(k)] = (against**2).sum(axis=2)
    # The gradient is Q p, and the probabilities sum to 1.
    solved, _ = constrained_quadratic(curvature, np.zeros((len(pairs), k)), np.ones((1, k)), np.ones(1))
    # In theory none is negative; rounding may leave a tiny one.
    return normalized(solved.clip(0.0))

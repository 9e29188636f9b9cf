"""Losses of a majority vote of +1 and -1, by the number of voters."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from hornbook.params import Floats

__all__ = ["VoteLosses", "vote_losses"]


@dataclass(frozen=True)
class VoteLosses:
    """Losses of the first 1, 2, ... voters together.

    Parameters
    ----------
    zero_one : ndarray of shape (n_voters,)
        Share of the rows on which the other class has more votes; a tie is no error.
    squared : ndarray of shape (n_voters,)
        Mean of (y - v)^2 with classes y of +1 and -1 and a vote v of +1, -1, or 0 for a tie: 4 for an error
        and 1 for a tie.
    ties : ndarray of int of shape (n_voters,)
        Number of rows with a tie.
    """

    zero_one: Floats
    squared: Floats
    ties: NDArray[np.intp]


def vote_losses(votes: ArrayLike, y: ArrayLike) -> VoteLosses:
    """Compute zero-one and squared loss of a vote between two classes, by the number of voters.

    Parameters
    ----------
    votes : array-like of shape (n_voters, n_rows)
        The class that each voter gives to each row, as ``member_predictions`` of bagging returns them.
    y : array-like of shape (n_rows,)
        The true classes; of the two, the second in ascending order is +1.

    Returns
    -------
    losses : VoteLosses
        One number for each number of voters.

    Examples
    --------
    >>> losses = vote_losses([["a", "b", "b"], ["a", "a", "a"]], ["a", "b", "a"])
    >>> losses.zero_one.round(3).tolist(), losses.squared.round(3).tolist(), losses.ties.tolist()
    ([0.333, 0.0], [1.333, 0.667], [0, 2])
    """
    cast, truth = np.asarray(votes), np.asarray(y)
    if cast.ndim != 2 or truth.shape != cast.shape[1:] or not cast.size:
        raise ValueError(
            "vote_losses: 'votes' must have a row for each voter and a column for each of the rows of 'y'; "
            f"got shapes {cast.shape} and {truth.shape}."
        )
    classes = np.unique(np.concatenate([truth, cast.ravel()]))
    if len(classes) > 2:
        raise ValueError(
            f"vote_losses: a vote of +1 and -1 is between two classes; got {len(classes)}: pass the rows of "
            "two of them."
        )
    signs, right = 2.0 * (cast == classes[-1]) - 1.0, 2.0 * (truth == classes[-1]) - 1.0
    # The sign of a sum of +1 and -1; 0 is a tie, which counts for half in the squared loss.
    together = np.sign(np.cumsum(signs, axis=0))
    return VoteLosses(
        (together == -right).mean(axis=1),
        ((together - right) ** 2).mean(axis=1),
        (together == 0).sum(axis=1),
    )

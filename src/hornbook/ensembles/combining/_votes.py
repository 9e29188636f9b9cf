"""Votes for labels: plurality, majority with rejection, signs, and what settles ties."""

from __future__ import annotations

from typing import Annotated, Any, Literal, TypeAlias

import numpy as np
from numpy.typing import ArrayLike, NDArray

from hornbook.ensembles.combining._checks import label_table, probability_tables, shares_of
from hornbook.params import Floats, ParameterError, Range, Seed
from hornbook.random import Stream, seed_of

__all__ = [
    "Quorum",
    "Ties",
    "drawn_breakers",
    "majority_vote",
    "plurality_vote",
    "quorum_share",
    "rejected",
    "settled",
    "sign_vote",
    "tally",
    "tied",
    "votes_needed",
    "with_rejection",
]

Ties: TypeAlias = Literal["first", "random", "confidence"]
Quorum: TypeAlias = (
    Annotated[int, Range(low=1)] | Annotated[float, Range(low=0, high=1, open_low=True)] | None
)
SAME = 1e-12  # shares of votes that differ by less are equal up to rounding


def votes_needed(n_members: int) -> int:
    """Count the members that must agree for a majority: L / 2 + 1 of an even L, (L + 1) / 2 of an odd one.

    Parameters
    ----------
    n_members : int
        How many members vote.

    Examples
    --------
    >>> [votes_needed(n) for n in (3, 4, 5)]
    [2, 3, 3]
    """
    if n_members < 1:
        raise ParameterError(f"votes_needed: 'n_members' must be at least 1; got {n_members!r}.")
    # More than half: ties of an even number are not a majority.
    return n_members // 2 + 1


def sign_vote(votes: ArrayLike) -> NDArray[np.int8]:
    """Combine votes of -1 and 1: the sign of their sum, 0 for a tie, which an odd number of members avoids.

    Parameters
    ----------
    votes : array-like of shape (n_members, n_rows)
        -1 or 1.

    Returns
    -------
    ndarray of shape (n_rows,)
        -1, 0 or 1.

    Examples
    --------
    >>> sign_vote([[1, 1, -1], [1, -1, -1], [-1, 1, -1]]).tolist()
    [1, 1, -1]
    """
    table = label_table("sign_vote", votes)
    if not np.isin(table, (-1, 1)).all():
        other = table[~np.isin(table, (-1, 1))].tolist()[0]
        raise ValueError(f"sign_vote: 'votes' must be -1 or 1; got {other!r}: use plurality_vote for labels.")
    return np.asarray(np.sign(table.astype(np.int64).sum(axis=0)), dtype=np.int8)


def plurality_vote(
    votes: ArrayLike,
    weights: ArrayLike | None = None,
    *,
    ties: Ties = "first",
    probabilities: ArrayLike | None = None,
    random_state: Seed = None,
) -> NDArray[Any]:
    """Return the class with the most votes of each row.

    Parameters
    ----------
    votes : array-like of shape (n_members, n_rows)
        The class that each member gives to each row.
    weights : array-like of shape (n_members,), optional
        Weights of the votes, at least 0; all count the same when left out.
    ties : {"first", "random", "confidence"}, default "first"
        Which of several classes with the most votes is taken: the first in order, as in scikit-learn; one at
        random; or the one to which the members give the largest mean probability.
    probabilities : array-like of shape (n_members, n_rows, n_classes), optional
        The confidence of the members in each class that gets a vote, in order; needed for
        ``ties="confidence"``.
    random_state : int, RandomState or None
        Seed of the draws; a fresh one each time when left out.

    Returns
    -------
    ndarray of shape (n_rows,)
        One class for each row.

    Examples
    --------
    >>> plurality_vote([["a", "b"], ["b", "b"], ["c", "a"]]).tolist()
    ['a', 'b']
    >>> plurality_vote([["a"], ["b"]], weights=[1, 2]).tolist()
    ['b']
    """
    table = label_table("plurality_vote", votes)
    classes, codes = np.unique(table, return_inverse=True)
    # Weights as shares, so that votes of 0.5 are half whatever the scale of the weights.
    totals = tally(codes.reshape(table.shape), len(classes), shares_of("plurality_vote", weights, len(table)))
    breakers = None
    if ties == "random":
        breakers = drawn_breakers(totals, Stream(seed_of(random_state)).uniform(len(totals)))
    elif ties == "confidence":
        if probabilities is None:
            raise ValueError("plurality_vote: ties='confidence' needs the 'probabilities' of the members.")
        breakers = probability_tables("plurality_vote", probabilities).mean(axis=0)
        if breakers.shape != totals.shape:
            raise ValueError(
                f"plurality_vote: 'probabilities' must have a column for each of the {len(classes)} classes "
                f"that get a vote; got an array of shape {np.shape(probabilities)}."
            )
    return np.asarray(classes[settled(totals, breakers)])


def majority_vote(
    votes: ArrayLike, *, reject: Any, weights: ArrayLike | None = None, quorum: Quorum = None
) -> NDArray[Any]:
    """Return the class with more than half of the votes of each row, and reject rows without one.

    Parameters
    ----------
    votes : array-like of shape (n_members, n_rows)
        The class that each member gives to each row.
    reject : object
        What stands for "no decision", such as "unsure" or -1.
    weights : array-like of shape (n_members,), optional
        Weights of the votes, at least 0; all count the same when left out.
    quorum : int or float, optional
        How many members must agree, or at least what share of the votes; more than half when left out.

    Returns
    -------
    ndarray of shape (n_rows,)
        A class, or what stands for no decision.

    Examples
    --------
    >>> majority_vote([["a", "a"], ["a", "b"], ["b", "c"]], reject="unsure").tolist()
    ['a', 'unsure']
    >>> majority_vote([["a", "a"], ["a", "a"], ["a", "b"]], reject="unsure", quorum=3).tolist()
    ['a', 'unsure']
    """
    table = label_table("majority_vote", votes)
    classes, codes = np.unique(table, return_inverse=True)
    totals = tally(codes.reshape(table.shape), len(classes), shares_of("majority_vote", weights, len(table)))
    answers = classes[settled(totals, None)]
    return with_rejection(answers, rejected(totals, quorum, len(table), "majority_vote"), reject)


def tally(codes: NDArray[np.integer[Any]], n_classes: int, shares: Floats) -> Floats:
    """Return the share of the votes for each class, one row for each row that is voted on."""
    return np.column_stack([shares @ (codes == k) for k in range(n_classes)])


def tied(totals: Floats) -> NDArray[np.bool_]:
    """Return which classes have the most votes."""
    return np.asarray(totals >= totals.max(axis=1, keepdims=True) - SAME)


def settled(totals: Floats, breakers: Floats | None) -> NDArray[np.intp]:
    """Return the class with the most votes; of several, the one with the largest breaker, or the first."""
    best = tied(totals)
    if breakers is None:
        return np.asarray(best.argmax(axis=1))
    return np.asarray(np.where(best, breakers, -np.inf).argmax(axis=1))


def drawn_breakers(totals: Floats, uniform: Floats) -> Floats:
    """Return breakers that choose one of the classes with the most votes by a number in [0, 1) a row."""
    best = tied(totals)
    # uniform < 1, so the place is one of 0, ..., ties - 1.
    place = np.floor(uniform * best.sum(axis=1))
    return np.asarray((np.cumsum(best, axis=1) - 1 == place[:, None]) & best, dtype=np.float64)


def rejected(totals: Floats, quorum: Quorum, n_members: int, rule: str) -> NDArray[np.bool_]:
    """Return which rows have no class with enough of the votes."""
    most = totals.max(axis=1)
    if quorum is None:
        # Exactly half is no majority; SAME absorbs the rounding of weighted shares.
        return np.asarray(most <= 0.5 + SAME)
    return np.asarray(most < quorum_share(quorum, n_members, rule) - SAME)


def quorum_share(quorum: float, n_members: int, rule: str) -> float:
    """Return the share of the votes that a class needs at least."""
    if isinstance(quorum, float | np.floating):
        share = float(quorum)
        if 0 < share <= 1:
            return share
    elif 1 <= quorum <= n_members:
        return quorum / n_members
    raise ParameterError(
        f"{rule}: parameter 'quorum' must be a number of members between 1 and {n_members}, or a share of "
        f"the votes in (0, 1]; got {quorum!r}."
    )


def with_rejection(answers: NDArray[Any], no: NDArray[np.bool_], reject: Any) -> NDArray[Any]:
    """Return the answers with what stands for no decision where there is none."""
    one = np.asarray(reject)
    # Text into text and numbers into numbers; anything else, such as None among strings, makes
    # objects.
    same_kind = one.ndim == 0 and one.dtype.kind == answers.dtype.kind
    kind = np.result_type(answers, one) if same_kind else np.dtype(object)
    whole = answers.astype(kind)
    whole[no] = reject
    return whole

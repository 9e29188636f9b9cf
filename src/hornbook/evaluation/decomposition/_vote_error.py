"""The error of a majority vote whose members err independently of each other."""

from __future__ import annotations

import math
import operator
from typing import Literal

from scipy.special import bdtrc

__all__ = ["hoeffding_bound", "vote_error"]


def vote_error(
    n_members: int, member_error: float, *, ties: Literal["half", "error", "correct"] = "half"
) -> float:
    """Probability that the majority of independent members errs.

    It is the sum of C(n, i) p^i (1 - p)^(n - i) over all i > n/2. More members help only if each errs with
    probability p below 1/2, and do harm above. Members fitted to the same rows are not independent, so this
    is the best that a vote can do.

    Parameters
    ----------
    n_members : int
        Number of members.
    member_error : float
        Probability that a member errs.
    ties : {"half", "error", "correct"}, default "half"
        How a tie of an even number of members counts: as if a coin decided it, as an error (at most half of
        the members are right), or not at all (more than half of them must be wrong).

    Returns
    -------
    float
        The probability.

    Examples
    --------
    >>> round(vote_error(5, 0.3), 5)
    0.16308
    """
    n, p = _checked("vote_error", n_members, member_error)
    shares = {"half": 0.5, "error": 1.0, "correct": 0.0}
    if ties not in shares:
        raise ValueError(f"parameter 'ties' must be 'half', 'error' or 'correct'; got {ties!r}.")
    # P(X > n / 2) and P(X >= n / 2) by the incomplete beta function; they differ only for even n.
    wrong, at_least_half = float(bdtrc(n // 2, n, p)), float(bdtrc((n - 1) // 2, n, p))
    return wrong + shares[ties] * (at_least_half - wrong)


def hoeffding_bound(n_members: int, member_error: float) -> float:
    """Bound the probability that the majority of independent members errs (Hoeffding 1963).

    It is exp(-n (1 - 2p)^2 / 2) for members that err with probability p below 1/2: the error of a vote falls
    exponentially with the number of members. Above 1/2 nothing is promised, and the bound is 1.

    Parameters
    ----------
    n_members : int
        Number of members.
    member_error : float
        Probability that a member errs.

    Returns
    -------
    float
        The bound; `vote_error` is at most that, however ties count.

    Examples
    --------
    >>> round(hoeffding_bound(11, 0.3), 4)
    0.4148
    """
    n, p = _checked("hoeffding_bound", n_members, member_error)
    # P(X - np >= n (1/2 - p)) <= exp(-2 n (1/2 - p)^2).
    return math.exp(-0.5 * n * (1 - 2 * p) ** 2) if p < 0.5 else 1.0


def _checked(who: str, n_members: int, member_error: float) -> tuple[int, float]:
    n = operator.index(n_members)
    if n < 1:
        raise ValueError(f"{who}: n_members must be at least 1; got {n}.")
    if not 0.0 <= member_error <= 1.0:
        raise ValueError(f"{who}: member_error must be a probability in [0, 1]; got {member_error!r}.")
    return n, float(member_error)

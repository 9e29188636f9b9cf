"""Many learners on many tables: whether their mean ranks differ, and which do (Demsar, 2006)."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from html import escape
from typing import Any, Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

from hornbook.evaluation.intervals._number_text import plain, significant
from hornbook.evaluation.intervals._samples import finite, one_of, positive, ranking_keys, share
from hornbook.evaluation.significance._null_distribution import NullDistribution
from hornbook.evaluation.significance._test_result import TestResult
from hornbook.params import Floats

__all__ = ["Nemenyi", "friedman", "nemenyi", "rank_groups"]


def friedman(
    scores: ArrayLike,
    *,
    names: Sequence[str] | None = None,
    greater_is_better: bool = True,
    method: Literal["iman_davenport", "chi_square"] = "iman_davenport",
    alpha: float = 0.05,
) -> TestResult:
    """Test whether any of several learners ranks differently over many tables.

    On each table the best of k learners has rank 1; ties get the mean of their ranks. With R_j the mean rank
    over n tables, the chi-square of Friedman (1937) is 12 n / (k (k + 1)) sum (R_j - (k + 1) / 2)^2, divided
    by a correction for ties, with k - 1 degrees of freedom. It is conservative; the statistic of Iman and
    Davenport (1980), F = (n - 1) chi2 / (n (k - 1) - chi2) with k - 1 and (k - 1)(n - 1) degrees of freedom,
    is less so.

    Parameters
    ----------
    scores : array-like of shape (n_tables, n_learners)
        One row for each table, one column for each learner; at least two of both.
    names : sequence of str, optional
        Names of the learners, for the details.
    greater_is_better : bool, default True
        False when the scores are errors.
    method : {"iman_davenport", "chi_square"}, default "iman_davenport"
        The statistic.
    alpha : float, default 0.05
        Significance level, in (0, 1).

    Returns
    -------
    TestResult
        The effect is Kendall's W, how far the tables agree on the ranks, from 0 to 1;
        ``details["mean_ranks"]`` has the mean ranks.

    Examples
    --------
    >>> errors = [[0.10, 0.12, 0.20], [0.22, 0.25, 0.27], [0.05, 0.04, 0.09], [0.31, 0.33, 0.40]]
    >>> result = friedman(errors, greater_is_better=False)
    >>> result.details["mean_ranks"], round(result.p, 4)
    ([1.25, 1.75, 3.0], 0.0066)
    """
    one_of("friedman", "method", method, ("iman_davenport", "chi_square"))
    alpha = share("friedman", "alpha", alpha)
    ranks, labels = _ranked("friedman", scores, names, greater_is_better)
    n, k = ranks.shape
    mean_ranks = ranks.mean(axis=0)
    # Kendall's W from sums of squares: the denominator shrinks with ties, which is the usual tie correction
    spread = float(((ranks - (k + 1) / 2) ** 2).sum())
    between = n * float(((mean_ranks - (k + 1) / 2) ** 2).sum())
    agreement = min(1.0, between / spread) if spread else 0.0
    chi2 = n * (k - 1) * agreement
    if method == "chi_square":
        statistic, distribution = chi2, NullDistribution("chi2", (k - 1.0,))
    else:
        # Iman and Davenport (1980): the chi-square form is too conservative, and F = (n - 1) chi2 /
        # (n (k - 1) - chi2) is nearly exact also for few tables; in terms of W it is this ratio.
        left = 1 - agreement
        # the same ranks on every table leave only rounding error in the denominator
        statistic = (n - 1) * agreement / left if left > 1e-12 else math.inf
        distribution = NullDistribution("f", (k - 1.0, (k - 1.0) * (n - 1)))
    return TestResult(
        name="Friedman's test",
        statistic=statistic,
        p=distribution.p(statistic, "two-sided"),
        alpha=alpha,
        effect=agreement,
        details={
            "n": n,
            "names": labels,
            "mean_ranks": mean_ranks.tolist(),
            "chi_square": chi2,
            "degrees_of_freedom": list(distribution.parameters),
        },
        quantity="agreement on the ranks (Kendall's W)",
        symbol="chi-square" if method == "chi_square" else "F",
        says=(f"the {k} learners differ", f"the {k} learners cannot be told apart"),
        remark="" if spread else "they are the same on every table",
        distribution=distribution,
    )


@dataclass(frozen=True, eq=False, kw_only=True)
class Nemenyi:
    """The pairs of learners that differ: their mean ranks are at least the critical difference apart.

    Parameters
    ----------
    names : tuple of str
        The learners.
    mean_ranks : ndarray of shape (k,)
        Their mean ranks, 1 is best.
    n : int
        Number of tables.
    alpha : float
        Significance level of all comparisons together.
    critical_difference : float
        Mean ranks at least this far apart differ.
    p : ndarray of shape (k, k)
        p-value of each pair; 1 on the diagonal.
    """

    names: tuple[str, ...]
    mean_ranks: Floats
    n: int
    alpha: float
    critical_difference: float
    p: Floats

    @property
    def rejected(self) -> NDArray[np.bool_]:
        """Whether each pair of learners differs."""
        gaps = np.abs(self.mean_ranks[:, None] - self.mean_ranks[None, :])
        # At exactly the critical difference a pair is rejected, in line with p <= alpha elsewhere.
        return np.asarray(gaps >= self.critical_difference)

    @property
    def groups(self) -> list[list[int]]:
        """Maximal sets of learners of which no two differ, best first; single learners are left out."""
        return rank_groups(self.mean_ranks, self.critical_difference)

    @property
    def sentence(self) -> str:
        """The result in one sentence."""
        order = np.argsort(self.mean_ranks, kind="stable")
        best = order[0]
        worse = [self.names[j] for j in order if self.rejected[best, j]]
        tied = [self.names[j] for j in order[1:] if not self.rejected[best, j]]
        parts = [f"{self.names[best]} has the best mean rank, {significant(self.mean_ranks[best])}"]
        if worse:
            parts.append(f"and differs from {_listed(worse)}")
        if tied:
            parts.append(f"{'but' if worse else 'and'} cannot be told apart from {_listed(tied)}")
        limit = significant(self.critical_difference)
        return f"{' '.join(parts)} (critical difference {limit}, alpha = {self.alpha!r}, {self.n} tables)."

    def __str__(self) -> str:
        return f"Nemenyi's test: {self.sentence}"

    def _repr_html_(self) -> str:
        head = "".join(f"<th>{escape(name)}</th>" for name in ("mean rank", *self.names))
        rows = ""
        for i, name in enumerate(self.names):
            cells = "".join(f"<td>{significant(p, 3, [self.alpha])}</td>" for p in self.p[i])
            rank = significant(self.mean_ranks[i])
            rows += f"<tr><th>{escape(name)}</th><td>{rank}</td>{cells}</tr>"
        return f"<table><caption>{escape(str(self))}</caption><tr><th></th>{head}</tr>{rows}</table>"

    def to_dict(self) -> dict[str, Any]:
        """Return the result as plain data."""
        return {
            "name": "Nemenyi's test",
            "names": list(self.names),
            "mean_ranks": plain(self.mean_ranks),
            "n": self.n,
            "alpha": self.alpha,
            "critical_difference": self.critical_difference,
            "p": plain(self.p),
            "rejected": plain(self.rejected),
            "groups": [[self.names[i] for i in group] for group in self.groups],
            "sentence": self.sentence,
        }


def nemenyi(
    scores: ArrayLike,
    *,
    names: Sequence[str] | None = None,
    greater_is_better: bool = True,
    alpha: float = 0.05,
) -> Nemenyi:
    """Compare all pairs of learners over many tables by their mean ranks, after Friedman's test.

    The post-hoc test of Nemenyi (1963), in the form of Demsar (2006): two learners differ when their mean
    ranks are at least q sqrt(k (k + 1) / (6 n)) apart, where q is the upper alpha quantile of the studentized
    range of k normal variables, divided by sqrt(2).

    Parameters
    ----------
    scores : array-like of shape (n_tables, n_learners)
        One row for each table, one column for each learner; at least two of both.
    names : sequence of str, optional
        Names of the learners; ``learner 1``, ``learner 2`` and so on when left out.
    greater_is_better : bool, default True
        False when the scores are errors.
    alpha : float, default 0.05
        Significance level of all comparisons together, in (0, 1).

    Returns
    -------
    Nemenyi
        Mean ranks, the critical difference, and the p-value of each pair.

    Examples
    --------
    >>> errors = [[0.10, 0.12, 0.20], [0.22, 0.25, 0.27], [0.05, 0.04, 0.09], [0.31, 0.33, 0.40]]
    >>> result = nemenyi(errors, names=["tree", "forest", "bayes"], greater_is_better=False)
    >>> print(result.sentence)  # doctest: +NORMALIZE_WHITESPACE
    tree has the best mean rank, 1.25 and differs from bayes but cannot be told apart from forest
    (critical difference 1.66, alpha = 0.05, 4 tables).
    """
    alpha = share("nemenyi", "alpha", alpha)
    ranks, labels = _ranked("nemenyi", scores, names, greater_is_better)
    n, k = ranks.shape
    mean_ranks = ranks.mean(axis=0)
    # Standard error of the difference of two mean ranks, without ties: sqrt(k (k + 1) / (6 n)).
    unit = math.sqrt(k * (k + 1) / (6 * n))
    # scipy.stats takes longer to import than everything else here
    from scipy.stats import studentized_range  # noqa: PLC0415

    # infinite degrees of freedom: the variance of ranks is known, not estimated
    limit = float(studentized_range.ppf(1 - alpha, k, np.inf)) / math.sqrt(2) * unit
    gaps = np.abs(mean_ranks[:, None] - mean_ranks[None, :])
    p = np.ones((k, k))
    above = np.triu_indices(k, 1)
    # The studentized range is defined for one standard deviation of a mean; a difference of two has
    # sqrt(2) of it, which is why the factor appears here and divides above.
    p[above] = np.clip(studentized_range.sf(gaps[above] / unit * math.sqrt(2), k, np.inf), 0.0, 1.0)
    # Reversed index arrays address the lower triangle: p is symmetric, and 1 on the diagonal.
    p[above[::-1]] = p[above]
    return Nemenyi(
        names=tuple(labels), mean_ranks=mean_ranks, n=n, alpha=alpha, critical_difference=limit, p=p
    )


def rank_groups(mean_ranks: ArrayLike, critical_difference: float) -> list[list[int]]:
    """Find the maximal sets of learners of which no two are a critical difference apart.

    These are the bars of a critical difference diagram (Demsar, 2006).

    Parameters
    ----------
    mean_ranks : array-like of shape (k,)
        Mean ranks.
    critical_difference : float
        Mean ranks at least this far apart differ.

    Returns
    -------
    list of list of int
        Positions, best first within each set and from set to set; single learners are left out.

    Examples
    --------
    >>> rank_groups([3.0, 1.2, 1.9, 2.4], 1.0)
    [[1, 2], [2, 3], [3, 0]]
    """
    ranks = np.asarray(mean_ranks, dtype=np.float64)
    limit = positive("rank_groups", "critical_difference", critical_difference)
    order = np.argsort(ranks, kind="stable")
    groups: list[list[int]] = []
    reached = 0
    for start in range(len(order)):
        # in rank order a group is a window; one that ends no later than an earlier one is not maximal
        near = ranks[order] - ranks[order[start]] < limit
        end = int(np.flatnonzero(near)[-1]) + 1
        if end > max(reached, start + 1):
            groups.append([int(i) for i in order[start:end]])
        reached = max(reached, end)
    return groups


def _ranked(
    function: str, scores: ArrayLike, names: Sequence[str] | None, greater_is_better: bool
) -> tuple[Floats, list[str]]:
    """Return the ranks within each row, 1 for the best, and the names of the columns."""
    try:
        table = np.asarray(scores, dtype=np.float64)
    except (TypeError, ValueError):
        raise ValueError(
            f"{function}: 'scores' must be a table of numbers, one row for each table."
        ) from None
    if table.ndim != 2 or min(table.shape) < 2:
        raise ValueError(
            f"{function}: 'scores' must have at least 2 rows (tables) and 2 columns (learners); "
            f"got an array of shape {table.shape}."
        )
    finite(function, "scores", table)
    labels = [f"learner {j + 1}" for j in range(table.shape[1])] if names is None else [str(n) for n in names]
    if len(labels) != table.shape[1]:
        raise ValueError(
            f"{function}: 'names' must have one name for each of the {table.shape[1]} learners; "
            f"got {len(labels)}."
        )
    keys = ranking_keys(-table if greater_is_better else table)  # scores equal up to rounding are ties
    # Average ranks without a sort per row: a table has few learners, so k^2 comparisons per row are
    # cheap. Rank = number below + (number equal, itself included, + 1) / 2.
    less = np.stack([(keys < column[:, None]).sum(axis=1) for column in keys.T], axis=1)
    same = np.stack([(keys == column[:, None]).sum(axis=1) for column in keys.T], axis=1)
    return np.asarray(less + (same + 1) / 2, dtype=np.float64), labels


def _listed(names: list[str]) -> str:
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"

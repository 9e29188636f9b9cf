"""How much a split reveals about the class."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Literal

import numpy as np
from numpy.typing import ArrayLike

from hornbook.impurity._impurities import entropy, impurity, quadratic_entropy
from hornbook.params import Floats

__all__ = [
    "CRITERIA",
    "cart_measure",
    "gain",
    "gain_ratio",
    "impurity_decrease",
    "information_gain",
    "intrinsic_value",
    "quadratic_gain",
    "split_impurity",
    "symmetric_gain_ratio",
]


def _table(table: ArrayLike) -> Floats:
    counts = np.asarray(table, dtype=np.float64)
    if counts.ndim != 2 or counts.size == 0 or not np.isfinite(counts).all() or (counts < 0).any():
        raise ValueError(
            "table must hold finite numbers, at least 0, with a row for each branch and a column for each "
            f"class; got shape {counts.shape}."
        )
    if counts.sum() == 0:
        raise ValueError("table must have some weight, but every entry is 0.")
    return counts


def split_impurity(table: ArrayLike, criterion: str = "entropy", beta: float = 2.0) -> float:
    """Impurity left after a split: the mean over the branches, weighted by their rows.

    Parameters
    ----------
    table : array-like of shape (n_branches, n_classes)
        Class weights of each branch.
    criterion : str, default "entropy"
        Name of the impurity; with ``"gini"`` this is the Gini index, which is to be minimized.
    beta : float, default 2.0
        The exponent of ``"daroczy"``.

    Examples
    --------
    >>> split_impurity([[2, 0], [1, 1]])
    0.5
    """
    counts = _table(table)
    weights = counts.sum(axis=1)
    return float(weights @ impurity(counts, criterion, beta) / weights.sum())


def impurity_decrease(table: ArrayLike, criterion: str = "entropy", beta: float = 2.0) -> float:
    """Impurity before the split minus the impurity left after it.

    Parameters
    ----------
    table : array-like of shape (n_branches, n_classes)
        Class weights of each branch.
    criterion : str, default "entropy"
        Name of the impurity.
    beta : float, default 2.0
        The exponent of ``"daroczy"``.

    Examples
    --------
    >>> round(impurity_decrease([[3, 1, 0], [1, 3, 2]]), 6)
    0.321928
    """
    counts = _table(table)
    return float(impurity(counts.sum(axis=0), criterion, beta)) - split_impurity(counts, criterion, beta)


def information_gain(table: ArrayLike) -> float:
    """Decrease in entropy: H(C) - H(C | A) (Quinlan's ID3, 1986).

    Parameters
    ----------
    table : array-like of shape (n_branches, n_classes)
        Class weights of each branch.

    Examples
    --------
    >>> information_gain([[2, 0], [0, 2]])
    1.0
    """
    return impurity_decrease(table, "entropy")


def intrinsic_value(table: ArrayLike) -> float:
    """Entropy of the split itself, H(A): large for splits into many branches.

    Parameters
    ----------
    table : array-like of shape (n_branches, n_classes)
        Class weights of each branch.

    Examples
    --------
    >>> intrinsic_value([[2, 0], [0, 2]])
    1.0
    """
    return float(entropy(_table(table).sum(axis=1)))


def gain_ratio(table: ArrayLike) -> float:
    """Information gain divided by the intrinsic value, H(A); 0 for a single branch.

    Trees with ``criterion="raw_gain_ratio"`` compare all their splits by it. With ``criterion="gain_ratio"``
    they follow C4.5 (Quinlan 1993, 1996): a numeric split is charged for its threshold, and only columns of
    at least average gain are compared.

    Parameters
    ----------
    table : array-like of shape (n_branches, n_classes)
        Class weights of each branch.

    Examples
    --------
    >>> round(gain_ratio([[3, 1], [1, 2], [0, 3]]), 6)
    0.236131
    """
    return _ratio(information_gain(table), intrinsic_value(table))


def symmetric_gain_ratio(table: ArrayLike, divisor: Literal["joint", "sum"] = "joint") -> float:
    """Information gain divided by H(A, C), or by H(A) + H(C).

    Parameters
    ----------
    table : array-like of shape (n_branches, n_classes)
        Class weights of each branch.
    divisor : {"joint", "sum"}, default "joint"
        The entropy of branch and class together, or the sum of their entropies.

    Examples
    --------
    >>> round(symmetric_gain_ratio([[3, 1], [1, 2], [0, 3]]), 6)
    0.17087
    """
    counts = _table(table)
    if divisor not in ("joint", "sum"):
        raise ValueError(f"divisor must be 'joint' or 'sum'; got {divisor!r}.")
    # H(A, C) is the entropy of the cells of the table.
    below = (
        entropy(counts.ravel())
        if divisor == "joint"
        else intrinsic_value(counts) + entropy(counts.sum(axis=0))
    )
    return _ratio(information_gain(counts), float(below))


def quadratic_gain(table: ArrayLike) -> float:
    """Gain of quadratic entropies: H(C) + H(A) - H(A, C) with H = 2 - 2 sum p**2.

    Parameters
    ----------
    table : array-like of shape (n_branches, n_classes)
        Class weights of each branch.

    Examples
    --------
    >>> round(quadratic_gain([[3, 1], [1, 2], [0, 3]]), 6)
    0.76
    """
    counts = _table(table)
    by_class, by_branch = quadratic_entropy(counts.sum(axis=0)), quadratic_entropy(counts.sum(axis=1))
    # Unlike Shannon's, this entropy is not additive, so the gain is not H(C) - H(C | A).
    return float(by_class + by_branch - quadratic_entropy(counts.ravel()))


def cart_measure(table: ArrayLike) -> float:
    """Distance between two branches: 2 P(left) P(right) sum |P(c | left) - P(c | right)|, not squared.

    Parameters
    ----------
    table : array-like of shape (2, n_classes)
        Class weights of both branches.

    Examples
    --------
    >>> cart_measure([[2, 0], [0, 2]])
    1.0
    """
    counts = _table(table)
    if len(counts) != 2:
        raise ValueError(f"the CART measure compares two branches; got {len(counts)}.")
    weights = counts.sum(axis=1)
    if (weights == 0).any():  # P(class | branch) is undefined, and nothing was split off
        return 0.0
    apart = np.abs(counts[0] / weights[0] - counts[1] / weights[1]).sum()
    # The product of the shares prefers branches of equal size.
    return float(2.0 * weights.prod() / weights.sum() ** 2 * apart)


def _ratio(above: float, below: float) -> float:
    return above / below if below > 0 else 0.0


# The score of a split, larger is better, by the name of the criterion.
CRITERIA: dict[str, Callable[..., float]] = {
    "gini": lambda table: impurity_decrease(table, "gini"),
    "entropy": information_gain,
    "log_loss": information_gain,
    "gain": information_gain,
    "gain_ratio": gain_ratio,
    "raw_gain_ratio": gain_ratio,
    "symmetric_gain_ratio": symmetric_gain_ratio,
    "symmetric_gain_ratio_sum": lambda table: symmetric_gain_ratio(table, "sum"),
    "cart": cart_measure,
    "quadratic_gain": quadratic_gain,
    "daroczy": lambda table, beta=2.0: impurity_decrease(table, "daroczy", beta),
    "misclassification": lambda table: impurity_decrease(table, "misclassification"),
}


def gain(table: ArrayLike, criterion: str = "gini", beta: float = 2.0) -> float:
    """Score of a split under the name of a criterion; the larger the better.

    Parameters
    ----------
    table : array-like of shape (n_branches, n_classes)
        Class weights of each branch.
    criterion : str, default "gini"
        A name in ``CRITERIA``.
    beta : float, default 2.0
        The exponent of ``"daroczy"``.

    Examples
    --------
    >>> gain([[2, 0], [0, 2]], "gini")
    0.5
    """
    if criterion not in CRITERIA:
        raise ValueError(f"criterion must be one of {', '.join(CRITERIA)}; got {criterion!r}.")
    # Only one criterion has a parameter.
    options: dict[str, Any] = {"beta": beta} if criterion == "daroczy" else {}
    return CRITERIA[criterion](table, **options)

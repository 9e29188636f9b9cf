"""Stratified folds: every class, or level of a column, keeps its proportion."""

from __future__ import annotations

from dataclasses import KW_ONLY, dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hornbook.evaluation.splits._kfold import Dealer, Folds, FoldSplit, RepeatedSplit, Repeats, Rows
from hornbook.evaluation.splits._strata import By, strata_by, strata_of_classes
from hornbook.params import Seed

__all__ = ["RepeatedStratifiedKFold", "StratifiedKFold", "dealt_by_stratum"]


@dataclass(frozen=True)
class StratifiedKFold(FoldSplit):
    """Split the rows into folds with the same class proportions, up to one row.

    Fold sizes differ by at most one, too. Without shuffling the folds are those of scikit-learn,
    except that a class with fewer rows than folds is an error here.

    Parameters
    ----------
    n_splits : int, default 10
        Number of folds.
    shuffle : bool, default False
        Whether the rows of a class are assigned in random order.
    random_state : int, RandomState or None
        Seed of the draws; a fresh one each time when left out.
    by : str, int or list of them, optional
        The column of X to stratify by, or several columns whose combinations are the strata, instead of the
        class. A column with more than 20 distinct numbers is first cut into ten bins of about equal size.

    Examples
    --------
    >>> y = np.repeat(["ill", "well"], [20, 80])
    >>> folds = StratifiedKFold(3, shuffle=True, random_state=0).split(np.zeros((100, 4)), y)
    >>> [np.unique(y[test], return_counts=True)[1].tolist() for _, test in folds]
    [[7, 27], [7, 26], [6, 27]]
    """

    n_splits: Folds = 10
    _: KW_ONLY
    shuffle: bool = False
    random_state: Seed = None
    by: By | None = None

    def _dealer(self, X: Any, y: NDArray[Any] | None, groups: NDArray[Any] | None) -> Dealer:  # noqa: ARG002 (rows are on their own)
        who = type(self).__name__
        strata = strata_of_classes(y, who) if self.by is None else strata_by(X, self.by)
        strata.require(self.n_splits, who, f"each of n_splits={self.n_splits} folds needs one")

        return lambda order: dealt_by_stratum(strata.codes, self.n_splits, order)


def dealt_by_stratum(strata: NDArray[np.intp], n_splits: int, order: Rows) -> Rows:
    """Deal rows to folds so that each has its share of every stratum, up to one row.

    Parameters
    ----------
    strata : ndarray of shape (n_rows,)
        The stratum of each row, numbered from 0 in order of appearance; it may have fewer rows than folds.
    n_splits : int
        How many folds.
    order : ndarray of shape (n_rows,)
        The order in which rows are dealt.

    Returns
    -------
    folds : ndarray of shape (n_rows,)
        The fold of each row.

    Examples
    --------
    >>> dealt_by_stratum(np.array([0, 0, 1, 0, 0]), 2, np.arange(5)).tolist()
    [0, 0, 0, 1, 1]
    """
    fold_of = np.empty(len(order), dtype=np.intp)
    sorted_rows = order[np.argsort(strata[order], kind="stable")]
    # Dealing round robin keeps both fold sizes and stratum sizes within one row of each other.
    dealt = strata[sorted_rows] * n_splits + np.arange(len(order)) % n_splits
    # How many rows of each stratum go to each fold; the rows are then cut in blocks of these sizes,
    # so that unshuffled folds are contiguous within a class, as in scikit-learn.
    shares = np.bincount(dealt, minlength=(int(strata.max()) + 1) * n_splits)
    fold_of[sorted_rows] = np.repeat(np.arange(len(shares)) % n_splits, shares)
    return fold_of


@dataclass(frozen=True)
class RepeatedStratifiedKFold(RepeatedSplit):
    """Shuffled stratified k-fold cross-validation, ``n_repeats`` times with different folds.

    The first repeat has the folds of ``StratifiedKFold(n_splits, shuffle=True)`` with the same seed.

    Parameters
    ----------
    n_splits : int, default 10
        Number of folds.
    n_repeats : int, default 10
        How often the rows are split into folds.
    random_state : int, RandomState or None
        Seed of the draws; a fresh one each time when left out.
    by : str, int or list of them, optional
        The column of X to stratify by, instead of the class; see `StratifiedKFold`.

    Examples
    --------
    >>> RepeatedStratifiedKFold(n_splits=10, n_repeats=3).get_n_splits()
    30
    """

    _: KW_ONLY
    n_splits: Folds = 10
    n_repeats: Repeats = 10
    random_state: Seed = None
    by: By | None = None

    def _once(self) -> FoldSplit:
        return StratifiedKFold(self.n_splits, shuffle=True, random_state=self.random_state, by=self.by)

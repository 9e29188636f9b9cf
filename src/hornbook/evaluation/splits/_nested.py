"""Nested cross-validation: choose inside, judge outside."""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, NamedTuple

from hornbook.evaluation.splits._kfold import Rows, SmallFoldWarning, Split, Splitter
from hornbook.evaluation.splits._rows import take_rows
from hornbook.params import ParameterError

__all__ = ["NestedCV", "NestedSplit"]


class NestedSplit(NamedTuple):
    """An outer pair, and the inner pairs that cut its training rows once more.

    Parameters
    ----------
    train, test : ndarray of int
        The rows to learn from, and to test on.
    inner : list of pairs of ndarray of int
        Training rows to learn from, and training rows to choose by.
    """

    train: Rows
    test: Rows
    inner: list[Split]


@dataclass(frozen=True)
class NestedCV:
    """Cut the rows twice: the outer pairs judge, the inner pairs, made of outer training rows only, choose.

    A score by which something was chosen is too good. The rows of an outer test part took no part in the
    choice, so that their score is honest. As a split it gives the outer pairs.

    Parameters
    ----------
    outer, inner : splitter
        Objects such as ``StratifiedKFold(5)``, also scikit-learn's.

    Examples
    --------
    >>> import numpy as np
    >>> from hornbook.evaluation import KFold
    >>> splits = NestedCV(KFold(2), KFold(3)).nested_split(np.zeros((180, 4)))
    >>> [(len(each.train), len(each.test), [len(train) for train, _ in each.inner]) for each in splits]
    [(90, 90, [60, 60, 60]), (90, 90, [60, 60, 60])]
    """

    outer: Splitter
    inner: Splitter

    def __post_init__(self) -> None:
        for name in ("outer", "inner"):
            given = getattr(self, name)
            if not hasattr(given, "split") or not hasattr(given, "get_n_splits"):
                raise ParameterError(
                    f"NestedCV: '{name}' must be a splitter such as KFold(5); got {given!r}."
                )

    def split(self, X: Any, y: Any = None, groups: Any = None) -> Iterator[Split]:
        """Give the outer pairs of training and test rows.

        Parameters
        ----------
        X, y, groups
            As the outer splitter takes them.
        """
        return self.outer.split(X, y, groups)

    def get_n_splits(self, X: Any = None, y: Any = None, groups: Any = None) -> int:
        """Count the outer pairs.

        Parameters
        ----------
        X, y, groups
            As the outer splitter takes them.
        """
        return self.outer.get_n_splits(X, y, groups)

    def nested_split(self, X: Any, y: Any = None, groups: Any = None) -> Iterator[NestedSplit]:
        """Give the outer pairs, each with the inner pairs of its training rows.

        All positions are positions in X.

        Parameters
        ----------
        X, y, groups
            As the two splitters take them.
        """
        for train, test in self.outer.split(X, y, groups):
            pairs = self.inner_split(*(take_rows(each, train) for each in (X, y, groups)))
            yield NestedSplit(train, test, [(train[learn], train[choose]) for learn, choose in pairs])

    def inner_split(self, X: Any, y: Any = None, groups: Any = None) -> list[Split]:
        """Give the inner pairs of a table, which only choose, so that small ones are not warned of.

        Parameters
        ----------
        X, y, groups
            As the inner splitter takes them.
        """
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", SmallFoldWarning)
            return list(self.inner.split(X, y, groups))

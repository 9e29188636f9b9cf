"""Nested cross-validation: choose in the inner loop, assess in the outer one."""

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
    """An outer pair, and the inner pairs that split its training rows again.

    Parameters
    ----------
    train, test : ndarray of int
        The rows to train on, and to test on.
    inner : list of pairs of ndarray of int
        Outer training rows to train on, and outer training rows to choose by.
    """

    train: Rows
    test: Rows
    inner: list[Split]


@dataclass(frozen=True)
class NestedCV:
    """Split the rows twice: inner pairs, made of outer training rows only, choose; outer pairs assess.

    A score that was maximized is optimistic. The rows of an outer test set took no part in the choice, so
    their score is not (Varma and Simon, 2006). As a split it gives the outer pairs.

    Parameters
    ----------
    outer, inner : splitter
        Objects such as ``StratifiedKFold(5)``, including scikit-learn's.

    Examples
    --------
    >>> import numpy as np
    >>> from hornbook.evaluation import KFold
    >>> splits = NestedCV(KFold(2), KFold(3)).nested_split(np.zeros((180, 4)))
    >>> [(len(split.train), len(split.test), [len(train) for train, _ in split.inner]) for split in splits]
    [(90, 90, [60, 60, 60]), (90, 90, [60, 60, 60])]
    """

    outer: Splitter
    inner: Splitter

    def __post_init__(self) -> None:
        for name in ("outer", "inner"):
            splitter = getattr(self, name)
            if not hasattr(splitter, "split") or not hasattr(splitter, "get_n_splits"):
                raise ParameterError(
                    f"NestedCV: '{name}' must be a splitter such as KFold(5); got {splitter!r}."
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
            pairs = self.inner_split(*(take_rows(column, train) for column in (X, y, groups)))
            # Inner positions count within the outer training rows; indexing maps them back to the
            # table.
            yield NestedSplit(train, test, [(train[learn], train[choose]) for learn, choose in pairs])

    def inner_split(self, X: Any, y: Any = None, groups: Any = None) -> list[Split]:
        """Give the inner pairs of a table; they only choose, so small ones cause no warning.

        Parameters
        ----------
        X, y, groups
            As the inner splitter takes them.
        """
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", SmallFoldWarning)
            return list(self.inner.split(X, y, groups))

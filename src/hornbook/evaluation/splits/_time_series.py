"""Splits of rows that are ordered in time: train on the past, test on the future."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import KW_ONLY, dataclass
from typing import Annotated, Any

import numpy as np

from hornbook.evaluation.splits._kfold import Folds, Split, warn_if_small
from hornbook.evaluation.splits._rows import count_rows, same_rows
from hornbook.params import Range, check

__all__ = ["TimeSeriesSplit"]


@dataclass(frozen=True)
class TimeSeriesSplit:
    """Test on contiguous rows that come after all training rows; the rows must be in order of time.

    The splits are those of scikit-learn.

    Parameters
    ----------
    n_splits : int, default 5
        Number of splits.
    max_train_size : int, optional
        Most rows to train on, the latest ones; all earlier rows when left out.
    test_size : int, optional
        Rows in each test set; n_rows // (n_splits + 1) when left out.
    gap : int, default 0
        Rows left out between training and test set, which could leak information.

    Examples
    --------
    >>> for train, test in TimeSeriesSplit(2, gap=5).split(np.zeros((90, 4))):
    ...     print(f"learn {train[0]} to {train[-1]}, test {test[0]} to {test[-1]}")
    learn 0 to 24, test 30 to 59
    learn 0 to 54, test 60 to 89
    """

    n_splits: Folds = 5
    _: KW_ONLY
    max_train_size: Annotated[int | None, Range(low=1)] = None
    test_size: Annotated[int | None, Range(low=1)] = None
    gap: Annotated[int, Range(low=0)] = 0

    def __post_init__(self) -> None:
        check(self)

    def split(self, X: Any, y: Any = None, groups: Any = None) -> Iterator[Split]:
        """Give the pairs of training and test rows, earliest first.

        Parameters
        ----------
        X : Frame, DataFrame, array or list
            The table, in order of time.
        y, groups : optional
            Not used, only their length is checked; scikit-learn passes them to every splitter.
        """
        n_rows = count_rows(X)
        same_rows(n_rows, y=y, groups=groups)
        size = n_rows // (self.n_splits + 1) if self.test_size is None else self.test_size
        # At least one training row before the first test set, besides the gap.
        needed = self.n_splits * max(size, 1) + self.gap + 1
        if n_rows < needed:
            raise ValueError(
                f"TimeSeriesSplit: n_splits={self.n_splits}, test_size={self.test_size} and gap={self.gap} "
                f"need at least {needed} rows; got {n_rows}: use fewer splits, smaller test sets or no gap."
            )
        warn_if_small(self, np.full(self.n_splits, size))
        return (
            # Test sets end at the last row; the remainder goes to the first training set.
            self._pair(n_rows, start, size)
            for start in range(n_rows - self.n_splits * size, n_rows, size)
        )

    def _pair(self, n_rows: int, start: int, size: int) -> Split:
        end = start - self.gap
        begin = 0 if self.max_train_size is None else max(0, end - self.max_train_size)
        rows = np.arange(n_rows)
        return rows[begin:end], rows[start : start + size]

    def get_n_splits(self, X: Any = None, y: Any = None, groups: Any = None) -> int:  # noqa: ARG002 (scikit-learn's signature)
        """Count the splits."""
        return self.n_splits

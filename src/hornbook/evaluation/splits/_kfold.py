"""K-fold cross-validation, leave-one-out, and what all splits share."""

from __future__ import annotations

import warnings
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator
from dataclasses import KW_ONLY, dataclass
from typing import Annotated, Any, Protocol, TypeAlias, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from hornbook.evaluation.splits._rows import count_rows, same_rows
from hornbook.frame import Frame
from hornbook.params import ParameterError, Range, Seed, check
from hornbook.random import Stream, seed_of

__all__ = [
    "Dealer",
    "FoldSplit",
    "Folds",
    "KFold",
    "LeaveOneOut",
    "RepeatedKFold",
    "RepeatedSplit",
    "Repeats",
    "Rows",
    "SmallFoldWarning",
    "Split",
    "Splitter",
    "row_order",
    "warn_if_small",
]

Rows: TypeAlias = NDArray[np.intp]
Split: TypeAlias = tuple[Rows, Rows]
Dealer: TypeAlias = Callable[[Rows], Rows]
Folds: TypeAlias = Annotated[int, Range(low=2)]
Repeats: TypeAlias = Annotated[int, Range(low=1)]

ENOUGH_ROWS = 30  # in a fold, by the rule of thumb of the notes
STREAM = int.from_bytes(b"splits", "big")  # random stream of this module


class SmallFoldWarning(UserWarning):
    """A fold has fewer than 30 rows, too few for a reliable score."""


@runtime_checkable
class Splitter(Protocol):
    """An object that splits rows into pairs of training and test rows, like scikit-learn's splitters."""

    def split(self, X: Any, y: Any = None, groups: Any = None) -> Iterator[Split]:
        """Give pairs of positions: training rows and test rows."""
        ...

    def get_n_splits(self, X: Any = None, y: Any = None, groups: Any = None) -> int:
        """Count the pairs."""
        ...


class FoldSplit(ABC):
    """Split all rows into ``n_splits`` folds, each of which is the test set once.

    Subclasses are dataclasses and repeat these fields, because the parameter check resolves annotations in
    the module of the class.
    """

    n_splits: int
    shuffle: bool
    random_state: Seed

    def __post_init__(self) -> None:
        check(self)
        if not self.shuffle and self.random_state is not None:
            raise ParameterError(
                f"{type(self).__name__}: parameter 'random_state' has no effect without shuffling: "
                "set shuffle=True, or leave it None."
            )

    def split(self, X: Any, y: Any = None, groups: Any = None) -> Iterator[Split]:
        """Give the pairs of training and test rows, as ascending positions.

        Parameters
        ----------
        X : Frame, DataFrame, array or list
            The table; what is left out below is taken from the roles of a Frame.
        y : array-like of shape (n_rows,), optional
            The target, where folds are stratified by it.
        groups : array-like of shape (n_rows,), optional
            The group of each row, where groups stay together.
        """
        # not a generator function: errors and warnings come with the call, not with the first pair
        fold_of = self.fold_numbers(X, y, groups)
        warn_if_small(self, np.bincount(fold_of, minlength=self.n_splits))
        return ((np.flatnonzero(fold_of != k), np.flatnonzero(fold_of == k)) for k in range(self.n_splits))

    def get_n_splits(self, X: Any = None, y: Any = None, groups: Any = None) -> int:  # noqa: ARG002 (scikit-learn's signature)
        """Count the folds."""
        return self.n_splits

    def fold_numbers(self, X: Any, y: Any = None, groups: Any = None) -> Rows:
        """Return for each row the number of the fold in which it is tested, 0, 1, ..., n_splits - 1.

        Parameters
        ----------
        X, y, groups
            As for ``split``.
        """
        return self.repeated_fold_numbers(X, y, groups, 1)[0]

    def repeated_fold_numbers(self, X: Any, y: Any, groups: Any, n_repeats: int) -> list[Rows]:
        """Return the fold numbers of each repeat; every repeat has its own random stream."""
        n_rows = count_rows(X)
        if n_rows < self.n_splits:
            raise ValueError(
                f"{type(self).__name__}: n_splits={self.n_splits} folds need at least as many rows; "
                f"got {n_rows}: use fewer folds."
            )
        if isinstance(X, Frame):
            y, groups = (X.y if y is None else y), (X.groups if groups is None else groups)
        columns = same_rows(n_rows, y=y, groups=groups)
        deal = self._dealer(X, columns["y"], columns["groups"])
        seed = seed_of(self.random_state) if self.shuffle else None
        return [deal(row_order(n_rows, seed, repeat)) for repeat in range(n_repeats)]

    @abstractmethod
    def _dealer(self, X: Any, y: NDArray[Any] | None, groups: NDArray[Any] | None) -> Dealer:
        """Return the function that takes the rows in some order and assigns each row to a fold."""


@dataclass(frozen=True)
class KFold(FoldSplit):
    """Split the rows into folds whose sizes differ by at most one.

    Without shuffling the folds are contiguous rows, the same as scikit-learn's; the notes shuffle first
    (``shuffle=True``), as sorted tables require.

    Parameters
    ----------
    n_splits : int, default 10
        Number of folds.
    shuffle : bool, default False
        Whether rows are assigned to folds in random order.
    random_state : int, RandomState or None
        Seed of the draws; a fresh one each time when left out.

    Examples
    --------
    >>> [(len(train), len(test)) for train, test in KFold(3).split(np.zeros((100, 4)))]
    [(66, 34), (67, 33), (67, 33)]
    """

    n_splits: Folds = 10
    _: KW_ONLY
    shuffle: bool = False
    random_state: Seed = None

    def _dealer(self, X: Any, y: NDArray[Any] | None, groups: NDArray[Any] | None) -> Dealer:  # noqa: ARG002 (every row is alike)
        def deal(order: Rows) -> Rows:
            fold_of = np.empty(len(order), dtype=np.intp)
            sizes = np.full(self.n_splits, len(order) // self.n_splits)
            # The first folds take the remainder, as in scikit-learn: unshuffled folds agree with its
            # own.
            sizes[: len(order) % self.n_splits] += 1
            fold_of[order] = np.repeat(np.arange(self.n_splits), sizes)
            return fold_of

        return deal


class RepeatedSplit(ABC):
    """Folds drawn anew in each repeat; subclasses are dataclasses and repeat these fields."""

    n_splits: int
    n_repeats: int
    random_state: Seed

    def __post_init__(self) -> None:
        check(self)

    @abstractmethod
    def _once(self) -> FoldSplit:
        """Return the shuffled split that is repeated."""

    def split(self, X: Any, y: Any = None, groups: Any = None) -> Iterator[Split]:
        """Give the pairs of training and test rows, all folds of the first repeat before the second.

        Parameters
        ----------
        X : Frame, DataFrame, array or list
            The table.
        y : array-like of shape (n_rows,), optional
            The target, where folds are stratified by it.
        groups : optional
            Not used; scikit-learn passes it to every splitter.
        """
        # repeats share the dealer, so strata and groups are coded once
        repeats = self._once().repeated_fold_numbers(X, y, groups, self.n_repeats)
        # Fold sizes are the same in every repeat; one look is enough, and one warning.
        warn_if_small(self, np.bincount(repeats[0], minlength=self.n_splits))
        return (
            (np.flatnonzero(fold_of != k), np.flatnonzero(fold_of == k))
            for fold_of in repeats
            for k in range(self.n_splits)
        )

    def get_n_splits(self, X: Any = None, y: Any = None, groups: Any = None) -> int:  # noqa: ARG002 (scikit-learn's signature)
        """Count the folds of all repeats."""
        return self.n_splits * self.n_repeats


@dataclass(frozen=True)
class RepeatedKFold(RepeatedSplit):
    """Shuffled k-fold cross-validation, ``n_repeats`` times with different folds.

    The first repeat has the folds of ``KFold(n_splits, shuffle=True)`` with the same seed.

    Parameters
    ----------
    n_splits : int, default 10
        Number of folds.
    n_repeats : int, default 10
        How often the rows are split into folds.
    random_state : int, RandomState or None
        Seed of the draws; a fresh one each time when left out.

    Examples
    --------
    >>> RepeatedKFold(n_splits=5, n_repeats=2).get_n_splits()
    10
    """

    _: KW_ONLY
    n_splits: Folds = 10
    n_repeats: Repeats = 10
    random_state: Seed = None

    def _once(self) -> FoldSplit:
        return KFold(self.n_splits, shuffle=True, random_state=self.random_state)


@dataclass(frozen=True)
class LeaveOneOut:
    """Test each row with a model of all others: k-fold cross-validation with as many folds as rows.

    Examples
    --------
    >>> [(train.tolist(), test.tolist()) for train, test in LeaveOneOut().split([[1.0], [2.0], [3.0]])]
    [([1, 2], [0]), ([0, 2], [1]), ([0, 1], [2])]
    """

    def split(self, X: Any, y: Any = None, groups: Any = None) -> Iterator[Split]:
        """Give the pairs of training and test rows, one pair for each row.

        Parameters
        ----------
        X : Frame, DataFrame, array or list
            The table.
        y, groups : optional
            Not used, only their length is checked; scikit-learn passes them to every splitter.
        """
        n_rows = self.get_n_splits(X)
        same_rows(n_rows, y=y, groups=groups)
        rows = np.arange(n_rows)
        return ((np.delete(rows, i), rows[i : i + 1]) for i in range(n_rows))

    def get_n_splits(self, X: Any = None, y: Any = None, groups: Any = None) -> int:  # noqa: ARG002 (scikit-learn's signature)
        """Count the rows, which is the number of pairs.

        Parameters
        ----------
        X : Frame, DataFrame, array or list
            The table; needed here.
        y, groups : optional
            Not used.
        """
        if X is None:
            raise ValueError("LeaveOneOut: there are as many splits as rows: pass X to count them.")
        n_rows = count_rows(X)
        if n_rows < 2:
            raise ValueError(
                f"LeaveOneOut: needs at least 2 rows, one to train on and one to test; got {n_rows}."
            )
        return n_rows


def row_order(n_rows: int, seed: int | None, repeat: int = 0) -> Rows:
    """Return the order of the rows: as they are without a seed, else random, different in each repeat."""
    if seed is None:
        return np.arange(n_rows)
    return Stream(seed, STREAM, repeat).permutation(n_rows)


def warn_if_small(splitter: object, sizes: NDArray[np.intp]) -> None:
    """Warn once if the smallest test set has too few rows for a reliable score."""
    least = int(sizes.min())
    if least < ENOUGH_ROWS:
        rows = f"{least} row{'s' * (least != 1)}"
        warnings.warn(
            f"{type(splitter).__name__}: the smallest test set has {rows}, and a score on fewer than "
            f"{ENOUGH_ROWS} is unreliable: use fewer folds, LeaveOneOut or Bootstrap.",
            SmallFoldWarning,
            # Past `split` of this class, to the line that called it.
            stacklevel=3,
        )

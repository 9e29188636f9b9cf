"""Hold-out splits: one training set and one or two sets held out."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import KW_ONLY, dataclass
from typing import Annotated, Any, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from hornbook.evaluation.splits._kfold import Rows, Split, row_order, warn_if_small
from hornbook.evaluation.splits._rows import count_rows, same_rows
from hornbook.evaluation.splits._strata import By, strata_by, strata_of_classes
from hornbook.frame import Frame
from hornbook.params import ParameterError, Range, Seed, check
from hornbook.random import seed_of

__all__ = ["HoldOut", "ThreeWaySplit", "part_numbers", "three_way_split"]

Size: TypeAlias = Annotated[int, Range(low=1)] | Annotated[float, Range(0, 1, open_low=True, open_high=True)]


@dataclass(frozen=True)
class HoldOut:
    """Hold out some rows for testing; the rest is the training set.

    Parameters
    ----------
    test_size : float or int, default 0.2
        Fraction of the rows to hold out, rounded up, or their number.
    stratify : bool, str, int or list of them, default False
        True keeps the class proportions in the test set, up to one row; the name of a column of X keeps those
        of its levels, several names those of their combinations.
    shuffle : bool, default True
        Whether rows are held out at random. If not, the last rows (of each stratum) are held out.
    random_state : int, RandomState or None
        Seed of the draws; a fresh one each time when left out.

    Examples
    --------
    >>> y = np.repeat(["ill", "well"], [50, 150])
    >>> [(train, test)] = HoldOut(0.2, stratify=True, random_state=0).split(np.zeros((200, 4)), y)
    >>> (
    ...     np.unique(y[train], return_counts=True)[1].tolist(),
    ...     np.unique(y[test], return_counts=True)[1].tolist(),
    ... )
    ([40, 120], [10, 30])
    """

    test_size: Size = 0.2
    _: KW_ONLY
    stratify: bool | By = False
    shuffle: bool = True
    random_state: Seed = None

    def __post_init__(self) -> None:
        check(self)

    def split(self, X: Any, y: Any = None, groups: Any = None) -> Iterator[Split]:
        """Give the one pair of training and test rows, as ascending positions.

        Parameters
        ----------
        X : Frame, DataFrame, array or list
            The table; a Frame includes its target.
        y : array-like of shape (n_rows,), optional
            The target, where the split is stratified by it.
        groups : optional
            Not used, only its length is checked; scikit-learn passes it to every splitter.
        """
        same_rows(count_rows(X), groups=groups)
        part_of = part_numbers(
            "HoldOut", X, y, {"test_size": self.test_size}, self.stratify, self.shuffle, self.random_state
        )
        warn_if_small(self, np.bincount(part_of)[1:])
        return iter([(np.flatnonzero(part_of == 0), np.flatnonzero(part_of == 1))])

    def get_n_splits(self, X: Any = None, y: Any = None, groups: Any = None) -> int:  # noqa: ARG002 (scikit-learn's signature)
        """Count the pairs: there is one."""
        return 1


class ThreeWaySplit(NamedTuple):
    """Positions of the training, validation and test rows.

    Parameters
    ----------
    train, validation, test : ndarray of int
        The rows to train on, to choose by, and to test on.
    """

    train: Rows
    validation: Rows
    test: Rows


def three_way_split(
    X: Any,
    y: Any = None,
    *,
    validation_size: Size = 0.2,
    test_size: Size = 0.2,
    stratify: bool | By = False,
    shuffle: bool = True,
    random_state: Seed = None,
) -> ThreeWaySplit:
    """Split the rows into three sets: for training, for choosing between learners, and for the final test.

    Parameters
    ----------
    X : Frame, DataFrame, array or list
        The table; a Frame includes its target.
    y : array-like of shape (n_rows,), optional
        The target, where the split is stratified by it.
    validation_size, test_size : float or int, default 0.2
        Fraction of all rows, rounded up, or their number.
    stratify : bool, str, int or list of them, default False
        True keeps the class proportions in each set, up to two rows; the name of a column of X keeps those of
        its levels.
    shuffle : bool, default True
        Whether the sets are drawn at random. If not, validation and test rows are the last ones.
    random_state : int, RandomState or None
        Seed of the draws; a fresh one each time when left out.

    Returns
    -------
    ThreeWaySplit
        The positions ``train``, ``validation`` and ``test``, each ascending.

    Examples
    --------
    >>> parts = three_way_split(np.zeros((10, 1)), shuffle=False)
    >>> [part.tolist() for part in parts]
    [[0, 1, 2, 3, 4, 5], [6, 7], [8, 9]]
    """
    sizes = {"validation_size": validation_size, "test_size": test_size}
    part_of = part_numbers("three_way_split", X, y, sizes, stratify, shuffle, random_state)
    return ThreeWaySplit(*(np.flatnonzero(part_of == part) for part in range(3)))


def part_numbers(
    who: str,
    X: Any,
    y: Any,
    sizes: Mapping[str, float],
    stratify: bool | By,
    shuffle: bool,
    random_state: Seed,
) -> NDArray[np.intp]:
    """Return the set of each row: 0 for training, then one for each size.

    Parameters
    ----------
    who : str
        The function or class that errors name.
    X, y : table, array-like or None
        The rows, and the target where strata come from it.
    sizes : mapping
        Fractions or numbers of rows by the names of their parameters.
    stratify : bool, str, int or list of them
        Whether sets keep the proportions of the classes, or of the levels of columns.
    shuffle : bool
        Whether the sets are drawn at random.
    random_state : int, RandomState or None
        Seed of the draws; a fresh one each time when left out.

    Examples
    --------
    >>> part_numbers("me", [[0], [1], [2], [3]], None, {"size": 1}, False, False, None).tolist()
    [0, 0, 0, 1]
    """
    n_rows = count_rows(X)
    held_out = {name: _held_out(who, name, size, n_rows) for name, size in sizes.items()}
    if sum(held_out.values()) >= n_rows:
        settings = " and ".join(f"{name}={sizes[name]}" for name in sizes)
        raise ValueError(
            f"{who}: {settings} leave none of the {n_rows} rows for training: hold out fewer rows."
        )
    strata = _strata(who, X, y, stratify)
    order = row_order(n_rows, seed_of(random_state) if shuffle else None)
    # Stable by stratum: within a stratum the rows keep the random (or given) order.
    sorted_rows = order[np.argsort(strata[order], kind="stable")]
    shares = _shares(np.bincount(strata), list(held_out.values()))
    part_of = np.empty(n_rows, dtype=np.intp)
    # `shares` is (stratum, set); raveled, it reads off the sets of the sorted rows in turn.
    part_of[sorted_rows] = np.repeat(np.arange(shares.size) % shares.shape[1], shares.ravel())
    return part_of


def _held_out(who: str, name: str, size: float, n_rows: int) -> int:
    """Return the number of rows that a size stands for."""
    if isinstance(size, int | np.integer) and not isinstance(size, bool) and size >= 1:
        return int(size)
    if isinstance(size, float | np.floating) and 0 < size < 1:
        return math.ceil(size * n_rows)  # as scikit-learn: at least one row
    raise ParameterError(
        f"{who}: parameter '{name}' must be a fraction in (0, 1) or a number of rows, at least 1; "
        f"got {size!r}."
    )


def _strata(who: str, X: Any, y: Any, stratify: bool | By) -> NDArray[np.intp]:
    n_rows = count_rows(X)
    if isinstance(X, Frame) and y is None:
        y = X.y
    y = same_rows(n_rows, y=y)["y"]
    if stratify is False:
        return np.zeros(n_rows, dtype=np.intp)
    strata = strata_of_classes(y, who) if stratify is True else strata_by(X, stratify)
    strata.require(2, who, "two are needed to have it on both sides")
    return strata.codes


def _shares(sizes: NDArray[np.intp], held_out: list[int]) -> NDArray[np.intp]:
    """Return the rows of each stratum in each set: column 0 for training, then the sets held out."""
    # Rounding the cumulative counts, not the counts, makes each set exactly as large as asked for and leaves
    # each stratum within one row of its share.
    rest, columns = sizes, []
    # The test set is cut first: it is the same whether or not there is a validation set.
    for count in reversed(held_out):
        ends = np.concatenate([[0], np.cumsum(rest)])
        columns.append(np.diff(ends * count // ends[-1]))
        rest = rest - columns[-1]
    return np.stack([rest, *reversed(columns)], axis=1)

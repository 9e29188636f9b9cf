"""The bootstrap: train on rows drawn with replacement, test on those left out, or on all."""

from __future__ import annotations

import math
import operator
from collections.abc import Iterator
from dataclasses import KW_ONLY, dataclass
from typing import Annotated, Any, Literal, TypeAlias

import numpy as np

from hornbook.evaluation.splits._kfold import Rows, Split
from hornbook.evaluation.splits._rows import count_rows, same_rows
from hornbook.params import Range, Seed, check
from hornbook.random import Stream, seed_of

__all__ = ["Bootstrap", "Estimator", "bootstrap_sample_count", "inclusion_probability"]

Estimator: TypeAlias = Literal["out_of_bag", "all", "632", "632+"]
STREAM = int.from_bytes(b"sample", "big")  # random stream of this module


@dataclass(frozen=True)
class Bootstrap:
    """Draw ``n_samples`` samples with replacement, each with as many rows as there are.

    A sample leaves out about 36.8 % of the rows. Testing on the rows left out is a little pessimistic,
    testing on all rows is optimistic; the .632 (Efron, 1983) and .632+ (Efron and Tibshirani, 1997) estimates
    lie between, see `bootstrap_estimate`.

    Parameters
    ----------
    n_samples : int, default 50
        Number of samples.
    test : {"out_of_bag", "all", "632", "632+"}, default "out_of_bag"
        The test rows: those left out, or all. The .632 and .632+ estimates are computed from scores on the
        rows left out, so as a split they give the same pairs as "out_of_bag".
    random_state : int, RandomState or None
        Seed of the draws; a fresh one each time when left out.

    Examples
    --------
    >>> for train, test in Bootstrap(2, random_state=1).split([[1.0], [2.0], [3.0], [4.0], [5.0]]):
    ...     print(train.tolist(), test.tolist())
    [2, 0, 1, 0, 2] [3, 4]
    [2, 4, 4, 3, 3] [0, 1]
    """

    n_samples: Annotated[int, Range(low=1)] = 50
    _: KW_ONLY
    test: Estimator = "out_of_bag"
    random_state: Seed = None

    def __post_init__(self) -> None:
        check(self)

    def split(self, X: Any, y: Any = None, groups: Any = None) -> Iterator[Split]:
        """Give pairs of training rows, in the order drawn and with repeats, and test rows.

        A sample that leaves no row out, likely only for a handful of rows, is drawn again.

        Parameters
        ----------
        X : Frame, DataFrame, array or list
            The table.
        y, groups : optional
            Not used, only their length is checked; scikit-learn passes them to every splitter.
        """
        n_rows = count_rows(X)
        same_rows(n_rows, y=y, groups=groups)
        if n_rows < 2:
            raise ValueError(f"Bootstrap: needs at least 2 rows, to leave one out; got {n_rows}.")
        seed = seed_of(self.random_state)
        return (self._pair(Stream(seed, STREAM, i), n_rows) for i in range(self.n_samples))

    def _pair(self, draws: Stream, n_rows: int) -> Split:
        if self.test == "all":
            # An all-rows test set overlaps with the training rows: optimistic by design, the
            # "resubstitution" part of .632.
            return draws.integers(n_rows, n_rows), np.arange(n_rows)
        while True:  # a sample holds every row with probability n! / n^n, at most 1/2
            sample = draws.integers(n_rows, n_rows)
            left_out: Rows = np.flatnonzero(np.bincount(sample, minlength=n_rows) == 0)
            if len(left_out):
                return sample, left_out

    def get_n_splits(self, X: Any = None, y: Any = None, groups: Any = None) -> int:  # noqa: ARG002 (scikit-learn's signature)
        """Count the samples."""
        return self.n_samples


def inclusion_probability(n_rows: int) -> float:
    """Probability that a row is in a bootstrap sample: ``1 - (1 - 1/n)**n``.

    It tends to 1 - 1/e = 0.632 as n grows.

    Parameters
    ----------
    n_rows : int
        Number of rows, which is also the number of draws.

    Returns
    -------
    float
        The probability.

    Examples
    --------
    >>> round(1 - inclusion_probability(17), 4)
    0.3568
    """
    n = _row_count("inclusion_probability", n_rows)
    # Tends to 1 - 1/e = 0.632, the constant of Efron's (1983) estimator.
    return 1 - (1 - 1 / n) ** n


def bootstrap_sample_count(n_rows: int) -> int:
    """Count the different bootstrap samples of a table: C(2n - 1, n).

    A sample is determined by how often each of the n rows is in it, n in all. Samples are not equally likely:
    the one with every row once has probability n! / n^n, the one with a single row n times 1 / n^n.

    Parameters
    ----------
    n_rows : int
        Number of rows, which is also the number of draws.

    Returns
    -------
    int
        The number of samples.

    Examples
    --------
    >>> [bootstrap_sample_count(n) for n in (1, 2, 3, 10)]
    [1, 3, 10, 92378]
    """
    n = _row_count("bootstrap_sample_count", n_rows)
    # Multisets of n out of n rows, "stars and bars"; grows like 4^n, hence Python integers.
    return math.comb(2 * n - 1, n)


def _row_count(who: str, n_rows: int) -> int:
    n = operator.index(n_rows)
    if n < 1:
        raise ValueError(f"{who}: n_rows must be at least 1; got {n}.")
    return n

"""Agreement and error of all pairs of classifiers (Margineantu and Dietterich 1997)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from hornbook.evaluation.diversity._prediction_table import agreements, prediction_table
from hornbook.params import Floats

__all__ = ["KappaError", "kappa_error"]


@dataclass(frozen=True)
class KappaError:
    """Kappa and mean error of each pair of different classifiers.

    Parameters
    ----------
    groups : ndarray of int of shape (n_classifiers,)
        Which of the different classifiers each one is: those that predict the same have the same number.
    pairs : ndarray of int of shape (n_pairs, 2)
        The numbers of both.
    kappa : ndarray of shape (n_pairs,)
        Agreement of both beyond chance; 1 is complete, 0 what chance gives, negative less.
    error : ndarray of shape (n_pairs,)
        Mean of their error rates.
    """

    groups: NDArray[np.intp]
    pairs: NDArray[np.intp]
    kappa: Floats
    error: Floats

    @property
    def n_distinct(self) -> int:
        """How many different classifiers there are."""
        return int(self.groups.max()) + 1

    @property
    def points(self) -> Floats:
        """Different pairs of kappa and error, and how many pairs of classifiers share them: three columns."""
        # Equal up to rounding, which depends on how often two classifiers agree and where.
        places = np.column_stack([self.kappa, self.error]).round(12)
        distinct, counts = np.unique(places, axis=0, return_counts=True)
        return np.column_stack([distinct, counts])


def kappa_error(
    predictions: ArrayLike, y: ArrayLike, *, merge: bool = True, sample_weight: ArrayLike | None = None
) -> KappaError:
    """Compute kappa and mean error of all pairs of classifiers, for the diagram of both.

    Classifiers that are accurate and different lie low and to the left. Those that predict the same for all
    rows are merged first, because their pairs say nothing.

    Parameters
    ----------
    predictions : array-like of shape (n_classifiers, n_rows)
        What each classifier predicts.
    y : array-like of shape (n_rows,)
        The true classes.
    merge : bool, default True
        Whether classifiers that predict the same count as one.
    sample_weight : array-like of shape (n_rows,), optional
        Weights of the rows; every row counts once when left out.

    Returns
    -------
    KappaError
        A point for each pair; `hornbook.plots.kappa_error` draws it.

    Examples
    --------
    >>> result = kappa_error([["a", "a", "b"], ["a", "b", "b"], ["a", "a", "b"]], ["a", "a", "b"])
    >>> result.n_distinct, result.kappa.round(2).tolist(), result.error.round(3).tolist()
    (2, [0.4], [0.167])
    """
    table = prediction_table("kappa_error", predictions, y, sample_weight)
    groups = _groups(table.codes) if merge else np.arange(len(table.codes))
    # One classifier per group of identical predictions: T^2 / 2 pairs shrink with the duplicates.
    kept = np.unique(groups, return_index=True)[1]
    codes = table.codes[kept]
    errors = (codes != table.truth) @ table.w
    shares = np.stack([(codes == k) @ table.w for k in range(table.n_classes)], axis=1)
    first, second = np.triu_indices(len(codes), 1)
    observed = agreements(codes, table.w, table.n_classes)[first, second]
    expected = (shares[first] * shares[second]).sum(axis=1)
    constant = expected >= 1.0 - 1e-15  # both always say the same class: kappa counts as 0, as in `kappa`
    kappa = np.where(constant, 0.0, (observed - expected) / np.where(constant, 1.0, 1.0 - expected))
    pairs = np.column_stack([first, second])
    return KappaError(groups, pairs, np.asarray(kappa), np.asarray((errors[first] + errors[second]) / 2))


def _groups(codes: NDArray[Any]) -> NDArray[np.intp]:
    """Number equal rows alike, in order of appearance."""
    _, first, group = np.unique(codes, axis=0, return_index=True, return_inverse=True)
    return np.asarray(np.argsort(np.argsort(first))[group.ravel()])

"""Why the mean of many trees varies less than one of them: components of the variance of a forest."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.base import clone

from hornbook.ensembles.forests._forest_regressor import ForestRegressor
from hornbook.params import Floats
from hornbook.random import Stream, seed_of

__all__ = ["VarianceParts", "forest_variance", "mean_variance", "total_variance"]


def mean_variance(variance: float, correlation: float, n: int) -> float:
    """Variance of the mean of n variables that all have the same variance and correlation.

    Parameters
    ----------
    variance : float
        Variance of each variable.
    correlation : float
        Correlation of each pair, from -1 / (n - 1) to 1.
    n : int
        Number of variables.

    Returns
    -------
    variance : float
        ``correlation * variance + (1 - correlation) * variance / n``; the first part stays when n grows.

    Examples
    --------
    >>> round(mean_variance(1.0, 0.3, 10), 10)
    0.37
    """
    if not (isinstance(n, int | np.integer) and n >= 1 and 0.0 <= variance < np.inf):
        raise ValueError(
            f"mean_variance: 'n' must be an integer in [1, inf) and 'variance' a number in [0, inf); got "
            f"{n!r} and {variance!r}."
        )
    if not (-1.0 / max(n - 1, 1) <= correlation <= 1.0):
        raise ValueError(
            f"the correlation of all pairs of {n} variables lies between -1 / (n - 1) and 1; "
            f"got {correlation}."
        )
    # rho s^2 + (1 - rho) s^2 / n: more members remove the second term only (Breiman 2001).
    return correlation * variance + (1.0 - correlation) * variance / n


def total_variance(values: ArrayLike, groups: ArrayLike) -> tuple[float, float]:
    """Mean variance within groups and variance of their means; together they are the variance of all values.

    Parameters
    ----------
    values : array-like of shape (n,)
        The values.
    groups : array-like of shape (n,)
        The group of each.

    Returns
    -------
    within, between : float
        Both with the shares of the groups as weights, and divisor n.

    Examples
    --------
    >>> total_variance([1.0, 3.0, 10.0, 14.0], ["a", "a", "b", "b"])
    (2.5, 25.0)
    """
    numbers, labels = np.asarray(values, dtype=np.float64), np.asarray(groups)
    same_shape = numbers.ndim == 1 and labels.shape == numbers.shape
    if not (same_shape and numbers.size and np.isfinite(numbers).all()):
        raise ValueError(
            "total_variance: 'values' must be a list of at least 1 finite number and 'groups' one group for "
            f"each; got shapes {numbers.shape} and {labels.shape}."
        )
    _, group = np.unique(labels, return_inverse=True)
    counts = np.bincount(group)
    means = np.bincount(group, weights=numbers) / counts
    within = float(((numbers - means[group]) ** 2).mean())
    # Law of total variance: E[Var(v | group)] + Var(E[v | group]), with divisor n, adds up exactly.
    between = float((counts / len(numbers)) @ (means - numbers.mean()) ** 2)
    return within, between


@dataclass(frozen=True)
class VarianceParts:
    """Components of the variance of a single tree's prediction, for each row.

    Parameters
    ----------
    mean : ndarray of shape (n_rows,)
        Mean prediction: that of an infinite forest, over all data sets.
    data : ndarray of shape (n_rows,)
        Variance over data sets of an infinite forest, which is ``correlation`` times ``total``.
    randomization : ndarray of shape (n_rows,)
        Mean over data sets of the variance of trees grown on the same data; it vanishes with many trees.
    """

    mean: Floats
    data: Floats
    randomization: Floats

    def bias(self, truth: ArrayLike) -> Floats:
        """True mean of the target minus the mean prediction: the same for a forest and each of its trees."""
        return np.asarray(np.asarray(truth, dtype=np.float64) - self.mean)

    @property
    def total(self) -> Floats:
        """Variance of a single tree over data sets and draws."""
        return np.asarray(self.data + self.randomization)

    @property
    def correlation(self) -> Floats:
        """Correlation of two trees of the same forest; 0 where trees do not vary."""
        # Trees of one forest share the data and nothing else: Cov = Var(E[tree | data]).
        return np.asarray(self.data / np.where(self.total > 0, self.total, 1.0))


def forest_variance(
    model: ForestRegressor,
    draw: Callable[[int], tuple[Any, Any]],
    X: Any,
    *,
    n_datasets: int = 50,
    random_state: Any = 0,
) -> VarianceParts:
    """Decompose the variance of a regression forest by growing it on many data sets.

    Parameters
    ----------
    model : forest for numbers
        The forest, of at least 2 trees.
    draw : callable
        Given a seed, returns a fresh table and its target.
    X : table of shape (n_rows, n_columns)
        The rows to predict.
    n_datasets : int, default 50
        Number of data sets.
    random_state : int, default 0
        Seed of the draws; a fresh one each time when left out.

    Returns
    -------
    parts : VarianceParts
        Mean, and variance by data and by draws, for each row; unbiased estimates, so that ``data`` can
        be negative where it is small.

    Examples
    --------
    >>> from hornbook import RandomForestRegressor
    >>> def draw(seed):
    ...     x = Stream(seed).uniform(40)
    ...     return x[:, None], x + Stream(seed, 1).uniform(40)
    >>> parts = forest_variance(RandomForestRegressor(10), draw, [[0.5]], n_datasets=10)
    >>> bool(parts.randomization[0] > 0), len(parts.total)
    (True, 1)
    """
    if n_datasets < 2 or model.n_estimators < 2:
        raise ValueError(
            f"variances need at least 2 data sets and 2 trees; got {n_datasets} and {model.n_estimators}."
        )
    # A seed for the data and one for the trees of each repeat, so that the two sources can be told
    # apart.
    seeds = Stream(seed_of(random_state)).integers(2**31, 2 * n_datasets).tolist()
    means, inside = [], []
    for data_seed, tree_seed in zip(seeds[::2], seeds[1::2], strict=True):
        fitted = clone(model).set_params(random_state=tree_seed).fit(*draw(data_seed))
        answers: NDArray[np.float64] = fitted.tree_answers(X)
        means.append(answers.mean(axis=0))
        inside.append(answers.var(axis=0, ddof=1))
    randomization = np.mean(inside, axis=0)
    # The variance of a finite forest contains the part of its draws, which is taken out: unbiased, and
    # therefore below 0 at times where the data hardly matter.
    data = np.var(means, axis=0, ddof=1) - randomization / model.n_estimators
    return VarianceParts(np.mean(means, axis=0), np.asarray(data), np.asarray(randomization))

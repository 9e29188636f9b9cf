"""Normal densities of numbers given the class and the level of another column."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

import numpy as np
from numpy.typing import NDArray

from hornbook.bayes.models._variances import raised, smoothing_unit
from hornbook.frame import Moments
from hornbook.params import Floats, Shape

__all__ = ["NumbersGiven", "blended", "log_normal", "numbers_given"]

Codes = NDArray[np.int32]

LOG_TWO_PI = float(np.log(2 * np.pi))


@dataclass(frozen=True)
class NumbersGiven:
    """Mean and variance of each number within each class and level, levels of all columns side by side.

    Parameters
    ----------
    mean, var : ndarray of shape (n_classes, n_levels, n_numbers)
        Of the rows of the class that have the level.
    class_mean, class_var : ndarray of shape (n_classes, n_numbers)
        Of all rows of the class, for rows in which the other column is missing.
    """

    mean: Annotated[Floats, Shape("n_classes", "n_given_levels", "n_numeric")]
    var: Annotated[Floats, Shape("n_classes", "n_given_levels", "n_numeric")]
    class_mean: Annotated[Floats, Shape("n_classes", "n_numeric")]
    class_var: Annotated[Floats, Shape("n_classes", "n_numeric")]

    def log_density(self, numbers: Floats, levels: NDArray[np.intp], which: slice | Codes) -> Floats:
        """Sum of the log densities of some numbers given one level for each row; a level of -1 is missing.

        Returns
        -------
        ndarray of shape (n_rows, n_classes)
        """
        x = numbers[:, which]
        out = np.empty((len(x), len(self.mean)))
        for c in range(len(self.mean)):
            # Given the class alone, for rows in which the parent is missing.
            mean, var = self.class_mean[c, which], self.class_var[c, which]
            if self.mean.shape[1]:  # there may be no categorical column
                known = (levels >= 0)[:, None]
                mean = np.where(known, self.mean[c, levels][:, which], mean)
                var = np.where(known, self.var[c, levels][:, which], var)
            out[:, c] = log_normal(x, mean, var).sum(axis=1)
        return out


def log_normal(x: Floats, mean: Floats, var: Floats) -> Floats:
    """Log density of numbers, 0 where a number is missing."""
    with np.errstate(over="ignore"):
        logs = -0.5 * (LOG_TWO_PI + np.log(var)) - 0.5 * ((x - mean) / np.sqrt(var)) ** 2
    return np.where(np.isnan(x), 0.0, logs)  # a missing number contributes the factor 1


def numbers_given(
    given: Moments, classes: Moments, *, n_classes: int, alpha: float, var_smoothing: float
) -> NumbersGiven:
    """Densities from moments within each class and level, and within each class.

    ``alpha`` pseudo-rows with the mean and variance of the class are added to the rows of a class and level,
    which is to numbers what Laplace smoothing is to counts. Constant columns get a variance by `raised`.
    """
    pooled = classes.pooled()
    spread = pooled.variance()
    floor = var_smoothing * smoothing_unit(spread)
    has = classes.mass > 0
    class_mean = np.where(has, classes.mean, pooled.mean)
    # A class without values falls back on all rows, as in naive Bayes.
    class_var = raised(np.where(has, classes.variance(), spread), spread, classes.mass)
    d = class_mean.shape[1]
    shape = (n_classes, len(given.mass) // n_classes, d)
    mean, var = blended(
        (given.mass.reshape(shape), given.mean.reshape(shape), given.scatter.reshape(shape)),
        class_mean[:, None],
        class_var[:, None],
        alpha,
    )
    empty = pooled.mass[0] == 0  # a column without values is left out
    return NumbersGiven(
        np.where(empty, 0.0, mean),
        np.where(empty, 1.0, raised(var, spread, given.mass.reshape(shape)) + floor),
        np.where(empty, 0.0, class_mean),
        np.where(empty, 1.0, class_var + floor),
    )


def blended(
    own: tuple[Floats, Floats, Floats], mean: Floats, var: Floats, alpha: float
) -> tuple[Floats, Floats]:
    """Mean and variance of some rows pooled with ``alpha`` pseudo-rows of a given mean and variance.

    Parameters
    ----------
    own : tuple of ndarray
        Mass, mean and scatter of the rows.
    mean, var : ndarray
        Of the rows added; used alone where there are no others.
    alpha : float
        How many are added.
    """
    mass, center, scatter = own
    # The pairwise update of Chan, Golub and LeVeque (1983), with the pseudo-rows as the second sample.
    total = mass + alpha
    none = mass <= 0
    share = np.divide(alpha, total, out=np.ones_like(total), where=~none)
    gap = np.where(none, 0.0, mean - center)
    middle = np.where(none, mean, center + gap * share)
    spread = scatter + alpha * var + gap * gap * mass * share
    return middle, np.where(none, var, np.divide(spread, total, out=np.ones_like(total), where=~none))

"""How much the decision regions and the errors of classifiers have in common."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from hornbook.evaluation.diversity._prediction_table import agreements, prediction_table
from hornbook.params import Floats

__all__ = ["error_correlation", "region_overlap"]


def region_overlap(predictions: ArrayLike) -> Floats:
    """Estimate which share of the space two classifiers give the same class.

    Ho (1998) compares trees by the overlap of their decision regions without a formula; here it is the share
    of the points for which both predict the same class. Fully grown trees agree on the rows they learned
    from, so take other points: new rows, or points spread over the space.

    Parameters
    ----------
    predictions : array-like of shape (n_classifiers, n_points)
        What each classifier predicts.

    Returns
    -------
    ndarray of shape (n_classifiers, n_classifiers)
        The shares; 1 on the diagonal.

    Examples
    --------
    >>> region_overlap([["a", "a", "b", "b"], ["a", "b", "b", "b"]]).tolist()
    [[1.0, 0.75], [0.75, 1.0]]
    """
    table = prediction_table("region_overlap", predictions, None)
    return agreements(table.codes, table.w, table.n_classes)


def error_correlation(
    predictions: ArrayLike, y: ArrayLike, *, sample_weight: ArrayLike | None = None
) -> Floats:
    """Correlate the errors of classifiers: 0 where they are independent, 1 where they are the same.

    The less errors are correlated, the more a vote gains; a vote of classifiers with negative correlation
    gains most. It need not beat the best of them.

    Parameters
    ----------
    predictions : array-like of shape (n_classifiers, n_rows)
        What each classifier predicts.
    y : array-like of shape (n_rows,)
        The true classes.
    sample_weight : array-like of shape (n_rows,), optional
        Weights of the rows; every row counts once when left out.

    Returns
    -------
    ndarray of shape (n_classifiers, n_classifiers)
        Pearson's correlation of being wrong; 0 for a classifier that is always or never wrong, 1 on the
        diagonal.

    Examples
    --------
    >>> error_correlation([[1, 1, 0, 0], [1, 0, 1, 0]], [1, 1, 1, 1]).tolist()
    [[1.0, 0.0], [0.0, 1.0]]
    """
    table = prediction_table("error_correlation", predictions, y, sample_weight)
    wrong = (table.codes != table.truth).astype(np.float64)
    # Weights sum to 1, so a product with them is a mean.
    centered = wrong - (wrong @ table.w)[:, None]
    covariance = (centered * table.w) @ centered.T
    spread = np.sqrt(np.diag(covariance))
    varies = np.outer(spread, spread) > 0
    correlation = np.divide(covariance, np.outer(spread, spread), out=np.zeros_like(covariance), where=varies)
    np.fill_diagonal(correlation, 1.0)
    return np.asarray(np.clip(correlation, -1.0, 1.0))

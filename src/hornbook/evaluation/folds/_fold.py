"""One learner fitted to some rows of a table, and the sentence when that fails."""

from __future__ import annotations

import time
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.base import clone
from sklearn.utils.validation import has_fit_parameter

from hornbook.evaluation.splits._rows import take_rows

__all__ = ["failure", "fit_rows"]


def fit_rows(
    learner: Any, X: Any, y: NDArray[Any], rows: NDArray[np.intp], sample_weight: NDArray[Any] | None = None
) -> tuple[Any, float]:
    """Fit a copy of a learner to some rows of a table.

    Parameters
    ----------
    learner : estimator
        Cloned, never changed.
    X : table
        The features of all rows.
    y : ndarray of shape (n_rows,)
        The target of all rows.
    rows : ndarray of int
        Positions of the rows to learn from.
    sample_weight : array-like of shape (n_rows,), optional
        Weights of the rows; every row counts once when left out.

    Returns
    -------
    model, seconds
        The fitted copy and the time that ``fit`` took.

    Examples
    --------
    >>> from hornbook import NaiveBayes
    >>> y = np.array(["low", "low", "high", "high"])
    >>> model, _ = fit_rows(NaiveBayes(), np.array([[1.0], [2.0], [7.0], [8.0]]), y, np.array([0, 1, 2]))
    >>> model.class_count_.tolist()
    [1.0, 2.0]
    """
    options: dict[str, Any] = {}
    if sample_weight is not None:
        if not has_fit_parameter(learner, "sample_weight"):
            raise TypeError("it takes no weights; leave out sample_weight, or the learner")
        options["sample_weight"] = sample_weight[rows]
    model = clone(learner)
    start = time.perf_counter()
    model.fit(take_rows(X, rows), y[rows], **options)
    return model, time.perf_counter() - start


def failure(error: BaseException) -> str:
    """Say in one line what went wrong.

    Parameters
    ----------
    error : exception
        What was raised.

    Returns
    -------
    str
        Its type and the first line of its message.

    Examples
    --------
    >>> failure(ValueError("no rows"))
    'ValueError: no rows'
    """
    told = str(error).strip()
    return f"{type(error).__name__}: {told.splitlines()[0] if told else repr(error)}"

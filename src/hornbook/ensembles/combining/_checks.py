"""What combination rules are given: the answers of members, and their weights."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from hornbook.params import Floats, ParameterError

__all__ = ["label_table", "number_table", "probability_tables", "shares_of"]


def shares_of(rule: str, weights: ArrayLike | None, n_members: int) -> Floats:
    """Return the weights of the members as shares that sum to 1; equal ones when left out."""
    if weights is None:
        return np.full(n_members, 1.0 / n_members)
    w = np.asarray(weights, dtype=np.float64)
    if w.ndim == 1 and len(w) != n_members:
        raise ParameterError(
            f"{rule}: Number of `estimators` and weights must be equal; got {len(w)} weights, {n_members} "
            "estimators."
        )
    if w.shape != (n_members,) or not np.isfinite(w).all() or (w < 0).any() or not w.any():
        raise ParameterError(
            f"{rule}: parameter 'weights' must be one number >= 0 for each of the {n_members} members, not "
            f"all 0; got {weights!r}."
        )
    w = w / w.max()  # sums of huge weights would overflow
    return np.asarray(w / w.sum())


def label_table(rule: str, votes: ArrayLike) -> NDArray[np.generic]:
    """Return the labels that each member gives to each row."""
    table = _as_array(rule, "votes", votes, None)
    if table.ndim != 2 or not table.shape[0]:
        raise ValueError(
            f"{rule}: 'votes' must have a row for each member and a column for each row to be predicted; got "
            f"an array of shape {table.shape}."
        )
    return table


def number_table(rule: str, numbers: ArrayLike) -> Floats:
    """Return what each member predicts, along the first axis."""
    table = _as_array(rule, "numbers", numbers, np.float64)
    if table.ndim < 1 or not table.shape[0]:
        raise ValueError(
            f"{rule}: 'numbers' must have an entry for each member; got an array of shape {table.shape}."
        )
    return table


def probability_tables(rule: str, probabilities: ArrayLike) -> Floats:
    """Return the probabilities of each member, row and class."""
    tables = _as_array(rule, "probabilities", probabilities, np.float64)
    if tables.ndim != 3 or 0 in (tables.shape[0], tables.shape[2]):
        raise ValueError(
            f"{rule}: 'probabilities' must have the shape (n_members, n_rows, n_classes); got {tables.shape}."
        )
    wrong = ~((tables >= 0) & (tables <= 1))
    if wrong.any():
        raise ValueError(
            f"{rule}: 'probabilities' must lie between 0 and 1; got {tables[wrong][0]}: calibrate scores "
            "first, for instance with hornbook.Calibrated."
        )
    return tables


def _as_array(rule: str, name: str, values: ArrayLike, dtype: type[np.float64] | None) -> NDArray[Any]:
    try:
        return np.asarray(values, dtype=dtype)
    except (ValueError, TypeError):  # NumPy's words are about sequences and elements
        kind = "labels" if dtype is None else "numbers"
        raise ValueError(
            f"{rule}: {name!r} must be an array of {kind}, with as many for each member: pass members that "
            "predict the same rows and know the same classes."
        ) from None

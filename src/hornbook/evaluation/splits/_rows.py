"""Rows of a table of any type: count, select, stack."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import narwhals as nw
import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.sparse import issparse

from hornbook.frame import Frame, checked_sparse

__all__ = ["count_rows", "same_rows", "stack_rows", "take_rows"]


def take_rows(X: Any, rows: ArrayLike) -> Any:
    """Take some rows of a table, a column or a list, and keep its type.

    Parameters
    ----------
    X : Frame, DataFrame, dict of columns, Series, array, sparse matrix, list or None
        The rows to choose from; None stays None, as for a target that is left out.
    rows : array-like of int or bool
        Positions, which may repeat, or a mask.

    Returns
    -------
    same type as X
        The chosen rows, in the order of ``rows``.

    Examples
    --------
    >>> take_rows(np.array([10, 20, 30]), [2, 0, 2]).tolist()
    [30, 10, 30]
    >>> take_rows(["a", "b", "c"], [True, False, True])
    ['a', 'c']
    """
    chosen = np.asarray(rows)
    # A mask becomes positions: lists, frames and sparse matrices disagree about what a mask means.
    if chosen.dtype == np.bool_:
        chosen = np.flatnonzero(chosen)
    chosen = chosen.astype(np.intp, copy=False)
    if X is None or isinstance(X, Frame | np.ndarray):
        return None if X is None else X[chosen]
    if isinstance(X, list | tuple):
        return [X[i] for i in chosen.tolist()]
    if isinstance(X, Mapping):
        return {name: take_rows(column, chosen) for name, column in X.items()}
    if issparse(X):
        kept: Any = X  # SciPy's type stubs do not have the format
        # CSR is the format that can select rows; the caller gets back the one that came.
        return checked_sparse(X)[chosen].asformat(kept.format)
    native = nw.from_native(X, eager_only=True, allow_series=True, pass_through=True)
    # `pass_through` returns what narwhals does not know: it is then indexed as an array.
    return native[chosen] if native is X else native[chosen].to_native()


def count_rows(X: Any) -> int:
    """Count the rows of a table, a column or a list.

    Parameters
    ----------
    X : Frame, DataFrame, dict of columns, Series, array, sparse matrix or list
        Anything with a length; of a dict, the length of its columns.

    Examples
    --------
    >>> count_rows([[1.0, 2.0], [3.0, 4.0]])
    2
    >>> count_rows({"length": [4.3, 5.2, 6.0], "color": ["red", "blue", "red"]})
    3
    """
    if isinstance(X, Mapping):
        lengths = sorted({count_rows(column) for column in X.values()})
        if len(lengths) != 1:
            sizes = f"of {lengths[0]} to {lengths[-1]} rows" if lengths else "no columns"
            raise ValueError(f"X must have columns with one value for each row; got {sizes}.")
        return lengths[0]
    shape = getattr(X, "shape", None)
    if isinstance(shape, tuple) and shape:
        return int(shape[0])
    if not isinstance(X, Sequence) and not hasattr(X, "__len__"):
        raise TypeError(
            f"X must be a table, an array or a list, so that it has rows; got {type(X).__name__}."
        )
    return len(X)


def same_rows(n_rows: int, **columns: Any) -> dict[str, NDArray[Any] | None]:
    """Return columns as arrays, after checking that each has one value per row; None stays None."""
    arrays: dict[str, NDArray[Any] | None] = {}
    for name, values in columns.items():
        if values is not None and count_rows(values) != n_rows:
            raise ValueError(
                f"'{name}' must have one value for each of the {n_rows} rows of X; got {count_rows(values)}."
            )
        arrays[name] = None if values is None else np.asarray(values)
    return arrays


def stack_rows(parts: Sequence[Any]) -> Any:
    """Stack tables, columns or lists of one type, which is also the type of the result."""
    first = parts[0]
    if isinstance(first, Frame):
        return Frame.concat(list(parts))
    if isinstance(first, Mapping):
        return {name: stack_rows([part[name] for part in parts]) for name in first}
    if isinstance(first, list | tuple):
        return [row for part in parts for row in part]
    native = nw.from_native(first, eager_only=True, pass_through=True)
    if isinstance(native, nw.DataFrame):
        return nw.concat([nw.from_native(part, eager_only=True) for part in parts]).to_native()
    return np.concatenate([np.asarray(part) for part in parts])

"""Validate the indices of a sparse matrix before anything follows them.

SciPy's kernels follow offsets and indices without looking, and its own check passes arrays that lead outside,
such as offsets that end in 0. A matrix may come from a user, a damaged file or a stranger's model.
"""

from __future__ import annotations

from typing import Any

from numpy.typing import NDArray

from hornbook.frame._memory import require_memory

__all__ = ["MOST_COLUMNS", "check_offsets", "checked_sparse"]

MOST_COLUMNS = 2**24  # each gets a name and a Column
MANY_ROWS = 2**20  # from here on, available memory is checked
STEP = 2**20  # offsets compared at a time
NUMBERS = "biufc"  # complex numbers get their own message
COMPRESSED = {"csr": 0, "csc": 1, "bsr": 0}  # format: the axis along which the offsets run


def checked_sparse(X: Any) -> Any:
    """Return a SciPy sparse matrix by rows (CSR), after a check of its size and of all its indices.

    Parameters
    ----------
    X : SciPy sparse matrix or array
        Of any format; one that is CSR already is returned as it is.

    Examples
    --------
    >>> from scipy.sparse import csr_array
    >>> X = csr_array([[0.0, 2.0], [3.0, 0.0]])
    >>> X.indices[0] = 7
    >>> checked_sparse(X)
    Traceback (most recent call last):
    ValueError: The sparse matrix X is damaged: it has a value in column 7, and its columns are 0 to 1.
    """
    _check_size(X)
    if X.dtype.kind not in NUMBERS:
        raise ValueError(
            f"The sparse matrix X holds values of type {X.dtype}, and only real numbers can be used: convert "
            "them, for example with X.astype(float)."
        )
    if X.format in COMPRESSED:
        _check_compressed(X)
        return X.tocsr()
    if X.format == "lil":
        _check_lists(X)
        rows = X.tocsr()
        _check_compressed(rows)
        return rows
    pairs = X.tocoo(copy=False)
    _check_pairs(pairs)
    return pairs.tocsr()


def check_offsets(offsets: NDArray[Any], n_offsets: int, n_stored: int) -> str:
    """Describe what is wrong with offsets into n_stored entries; empty if they are valid.

    Parameters
    ----------
    offsets : ndarray
        Those that should begin with 0, never fall, and stay within the entries.
    n_offsets : int
        How many there should be.
    n_stored : int
        Number of entries.

    Examples
    --------
    >>> import numpy as np
    >>> check_offsets(np.array([0, 2, 5]), 3, 5)
    ''
    >>> check_offsets(np.array([0, 6, 5]), 3, 5)
    'its offsets fall from 6 to 5 at place 2'
    """
    if offsets.ndim != 1 or offsets.dtype.kind not in "iu" or len(offsets) != n_offsets:
        return f"it has {offsets.size} offsets of type {offsets.dtype} in place of {n_offsets} integers"
    if offsets[0] != 0 or offsets[-1] > n_stored:
        return f"its offsets run from {offsets[0]} to {offsets[-1]}, and it has {n_stored} values"
    for start in range(0, n_offsets - 1, STEP):
        part = offsets[start : start + STEP + 1]
        falls = part[1:] < part[:-1]
        if falls.any():
            place = start + int(falls.argmax())
            return f"its offsets fall from {offsets[place]} to {offsets[place + 1]} at place {place + 1}"
    return ""


def _check_size(X: Any) -> None:
    if len(X.shape) != 2:
        raise ValueError(
            f"Expected 2D array, got {len(X.shape)}D sparse array instead: pass rows and columns."
        )
    n_rows, n_columns = X.shape
    if n_columns > MOST_COLUMNS:
        raise ValueError(
            f"The sparse matrix X has {n_rows} rows and {n_columns} columns, and more than {MOST_COLUMNS} "
            "columns are refused: leave out those that are always 0, or hash them into fewer."
        )
    if n_rows > MANY_ROWS:
        require_memory(n_rows, 1, "pass fewer rows at a time")


def _check_compressed(X: Any) -> None:
    axis = COMPRESSED[X.format]
    heights, widths = (X.shape[axis], X.shape[1 - axis])
    if X.format == "bsr":
        blocks = X.data.shape[1:] if X.data.ndim == 3 else (0, 0)
        if 0 in blocks or heights % blocks[0] or widths % blocks[1]:
            _refuse(f"its blocks are of shape {blocks}")
        heights, widths = heights // blocks[0], widths // blocks[1]
    elif X.data.ndim != 1:
        _refuse(f"its values have {X.data.ndim} dimensions")
    n_stored = min(len(X.indices), len(X.data)) if X.indices.ndim == 1 else 0
    wrong = check_offsets(X.indptr, heights + 1, n_stored)
    if wrong:
        _refuse(wrong)
    # Behind the last offset SciPy allows spare room, which may hold anything.
    used = X.indices[: int(X.indptr[-1])]
    _check_indices(used, widths, "row" if axis else "column")


def _check_pairs(X: Any) -> None:
    for place, size, name in zip(X.coords, X.shape, ("row", "column"), strict=True):
        if place.ndim != 1 or X.data.ndim != 1 or len(place) != len(X.data):
            _refuse(f"it has {place.size} {name}s for {X.data.size} values")
        _check_indices(place, size, name)


def _check_indices(indices: NDArray[Any], size: int, name: str) -> None:
    if indices.dtype.kind not in "iu":
        _refuse(f"its {name}s are of type {indices.dtype}")
    if not len(indices):
        return
    low, high = int(indices.min()), int(indices.max())
    if low < 0 or high >= size:
        wrong = low if low < 0 else high
        _refuse(f"it has a value in {name} {wrong}, and its {name}s are 0 to {size - 1}")


def _check_lists(X: Any) -> None:
    n_rows = X.shape[0]
    if len(X.rows) != n_rows or len(X.data) != n_rows:
        _refuse(f"it has lists for {len(X.rows)} rows, and {n_rows} rows")
    for i, (places, values) in enumerate(zip(X.rows, X.data, strict=True)):
        if len(places) != len(values):
            _refuse(f"it has {len(places)} columns for {len(values)} values in row {i}")


def _refuse(what: str) -> None:
    raise ValueError(f"The sparse matrix X is damaged: {what}.")

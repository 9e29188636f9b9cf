"""Alignment of new tables with the schema a learner was fitted on."""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, NoReturn

import numpy as np
from numpy.typing import NDArray

from hornbook.frame._frame import Frame
from hornbook.frame._schema import Column, Label, Schema, listed
from hornbook.frame.convert._typed import remapped

__all__ = ["align"]


@dataclass(frozen=True)
class _Aligned:
    values: NDArray[Any]
    column: Column
    unseen: Sequence[Label] = ()


def align(frame: Frame, schema: Schema, *, extend: bool = False, start: int = 0) -> Frame:
    """Make a frame match the schema of the one a learner was fitted on, column by column in order.

    Codes are those of the fitted levels. Categories that were not there at fit count as missing, with one
    warning that names them. A column that has changed its type is an error.

    Parameters
    ----------
    frame : Frame
        New rows; columns that are not features are left out when the schema has features only.
    schema : Schema
        The columns at fit.
    extend : bool, default False
        Append unseen categories to the levels instead, so that the schema grows.
    start : int, default 0
        The number of the first row, for messages.

    Returns
    -------
    Frame
        With the columns of the schema.

    Examples
    --------
    >>> fitted = Frame({"color": ["green", "red"]}).schema
    >>> align(Frame({"color": ["red", "red"]}), fitted).codes.tolist()
    [[1], [1]]
    >>> align(Frame({"color": ["blue"]}), fitted, extend=True).schema.columns[0].levels
    ('green', 'red', 'blue')
    """
    rows = frame.features if schema.features is schema else frame
    same_width = len(rows.schema) == len(schema)
    # Columns are compared one by one only where they can differ: in rows of an array they cannot.
    if rows.schema is schema or (same_width and rows.schema.plain and schema.plain) or rows.schema == schema:
        return rows
    if not same_width:
        raise ValueError(
            f"X has {len(rows.schema)} features, but {len(schema)} features are expected as input: "
            f"pass the columns {listed(schema.names)}."
        )
    # Numbers need no recoding: the array gets the names of the fit without being taken apart.
    if rows.array is not None and not len(schema.coded):
        return Frame.from_columns(schema, rows.array)
    aligned = [
        _aligned(rows.column(j), have, want, extend=extend, start=start)
        for j, (have, want) in enumerate(zip(rows.schema.columns, schema.columns, strict=True))
    ]
    _warn_of_unseen(aligned)
    if extend and any(part.column is not want for part, want in zip(aligned, schema.columns, strict=True)):
        schema = Schema(tuple(part.column for part in aligned), schema.named)
    return Frame.from_columns(schema, [part.values for part in aligned], len(rows))


def _aligned(values: NDArray[Any], have: Column, want: Column, *, extend: bool, start: int) -> _Aligned:
    if have.kind == "numeric" and want.kind == "numeric":
        return _Aligned(values, want)
    if have.kind != "numeric" and have.levels == want.levels and want.kind != "numeric":
        return _Aligned(values, want)
    # A column without values has the kind it was read as by chance, and fits any.
    if _all_missing(values, have):
        fill: Any = np.nan if want.kind == "numeric" else np.int32(-1)
        return _Aligned(np.full(len(values), fill), want)
    codes, levels, present = _coded(values, have)
    if want.kind == "numeric" or (want.levels and not _types(present) & _types(want.levels)):
        _refuse(values, have, want, start)
    place = {level: code for code, level in enumerate(want.levels)}
    unseen = tuple(level for level in present if level not in place)
    if unseen and extend:
        # Appended, so that the codes of earlier rows stay valid.
        place.update({level: len(place) + i for i, level in enumerate(unseen)})
        want, unseen = replace(want, levels=want.levels + unseen), ()
    places = np.array([place.get(level, -1) for level in levels], dtype=np.int32)
    return _Aligned(remapped(codes, places), want, unseen)


def _all_missing(values: NDArray[Any], have: Column) -> bool:
    if have.kind == "numeric":
        return values.dtype.kind == "f" and bool(np.isnan(values).all())
    return bool((values < 0).all())


def _coded(values: NDArray[Any], have: Column) -> tuple[NDArray[Any], Sequence[Label], Sequence[Label]]:
    """Codes, their levels, and the levels that occur."""
    if have.kind != "numeric":
        occurs = np.bincount(values + 1, minlength=len(have.levels) + 1)[1:] > 0
        return values, have.levels, [have.levels[code] for code in np.flatnonzero(occurs).tolist()]
    known = ~np.isnan(values)
    levels, places = np.unique(values[known], return_inverse=True)
    codes = np.full(len(values), -1, dtype=np.int32)
    codes[known] = places
    return codes, levels.tolist(), levels.tolist()


def _types(levels: Sequence[Label]) -> set[str]:
    # True equals 1 in Python, and a file may contain either.
    return {"text" if isinstance(level, str) else "number" for level in levels}


def _refuse(values: NDArray[Any], have: Column, want: Column, start: int) -> NoReturn:
    missing = np.isnan(values) if have.kind == "numeric" else values < 0
    row = int(np.argmin(missing))
    value = values[row].item() if have.kind == "numeric" else have.levels[values[row]]
    was = "numbers" if want.kind == "numeric" else f"categories such as {listed(want.levels, 3)}"
    to = "float" if want.kind == "numeric" or _types(want.levels) == {"number"} else "str"
    raise ValueError(
        f"Column {want.name!r} held {was} at fit, and now row {start + row} holds {value!r}: give it the "
        f"type it had, for example with astype({to})."
    )


def _warn_of_unseen(aligned: list[_Aligned]) -> None:
    unseen = [f"{part.column.name!r} has {listed(part.unseen, 3)}" for part in aligned if part.unseen]
    if unseen:
        warnings.warn(
            f"Categories that were not there at fit count as missing: column {'; column '.join(unseen)}.",
            UserWarning,
            stacklevel=3,
        )

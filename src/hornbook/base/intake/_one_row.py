"""One row in any form a person would write it."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date
from decimal import Decimal
from typing import Any

import numpy as np

from hornbook.frame import Frame, Schema, as_frame, is_missing, require_rows_and_columns

__all__ = ["named_rows", "one_row"]

ROW = (str, bytes, bool, int, float, complex, Decimal, date, np.generic, type(None))


def named_rows(X: Any, schema: Schema) -> Frame:
    """Return new rows as a table, a dict in the order of the fit, since a dict says which is which.

    Parameters
    ----------
    X : dict of columns, dict with one row, or other table
        New rows.
    schema : Schema
        The columns of the fit.
    """
    if isinstance(X, Mapping) and X and schema.named:
        X = _in_order(X, schema)
        # A dict of lists is a table of columns, a dict of single cells is one row.
        if all(isinstance(cell, ROW) or is_missing(cell) for cell in X.values()):
            X = Frame([X])
    frame = as_frame(X)
    require_rows_and_columns(frame)
    return frame


def one_row(x: Any, schema: Schema) -> Frame:
    """Return a Frame with one row from a dict, a flat sequence, or a table with one row.

    Parameters
    ----------
    x : dict, sequence or table
        The row; a sequence has one value for each column of the schema, in order.
    schema : Schema
        The columns of the fit.
    """
    if isinstance(x, Mapping):
        frame = Frame([_in_order(x, schema)])
    elif isinstance(x, list | tuple) and not (len(x) == 1 and isinstance(x[0], list | tuple | Mapping)):
        frame = _from_sequence(list(x), schema)
    elif getattr(x, "ndim", 2) == 1:
        # A row taken from a pandas table knows the names of its cells; an array does not.
        named = hasattr(x, "to_dict")
        frame = Frame([_in_order(x.to_dict(), schema)]) if named else _from_sequence(x.tolist(), schema)
    else:
        frame = as_frame(x)
    if len(frame) != 1:
        raise ValueError(f"working shows one row at a time; got {len(frame)} rows: pass one of them.")
    return frame


def _in_order(cells: Mapping[str, Any], schema: Schema) -> dict[str, Any]:
    """The cells in the order of the fit, others after them; a dict says which is which."""
    known = {name: cells[name] for name in schema.names if name in cells}
    return {**known, **cells}


def _from_sequence(values: list[Any], schema: Schema) -> Frame:
    if len(values) != len(schema.columns):
        raise ValueError(
            f"X has {len(values)} features, but the learner was fitted on {len(schema.columns)}: "
            "pass one value for each column."
        )
    if not schema.named:
        return as_frame([values])
    return Frame([dict(zip(schema.names, values, strict=True))])

"""One row in any form a person would write it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from hornbook.frame import Frame, Schema, as_frame

__all__ = ["one_row"]


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

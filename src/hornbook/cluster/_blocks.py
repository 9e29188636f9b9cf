"""Dask collections as Blocks, and predictions for them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import dask
import dask.array as da
import numpy as np
from dask.delayed import Delayed, delayed
from numpy.typing import NDArray

from hornbook.cluster._client import client_of
from hornbook.cluster._parcel import task
from hornbook.cluster._partitions import Part, blocks_of_parts
from hornbook.frame import Blocks, Frame

__all__ = ["blocks", "collection_answers", "collection_blocks", "collection_values"]

Key = str | int


def blocks(
    table: Any,
    target: Key | None = None,
    *,
    weight: Key | None = None,
    group: Key | None = None,
    id: Key | None = None,  # noqa: A002 (the word users know)
    kinds: Any = None,
    client: Any = None,
) -> Blocks:
    """Rows of a Dask collection as Blocks: learners compute where the partitions are.

    The partitions are computed once, looked at, and kept on the workers as tables. Chunks of 4096 rows are
    counted over all partitions, so a learner learns the same to the last bit as from the whole table in
    memory.

    Parameters
    ----------
    table : dask.dataframe.DataFrame or dask.array.Array
        The table; partitions may have any length.
    target, weight, group, id : str or int, optional
        Name or position of the column with that role; all others are features.
    kinds : dict, optional
        Kinds of columns by name or position, as in `hornbook.Frame`.
    client : distributed.Client, optional
        The cluster; the current client of this process when left out.

    Returns
    -------
    Blocks
        The rows.

    Examples
    --------
    >>> import dask.dataframe as dd
    >>> import pandas as pd
    >>> from distributed import Client
    >>> from hornbook import NaiveBayes
    >>> with Client(processes=False, n_workers=1, dashboard_address=":0") as client:
    ...     table = dd.from_pandas(
    ...         pd.DataFrame({"x": [1.0, 2.0, 8.0, 9.0], "y": list("aabb")}), npartitions=2
    ...     )
    ...     model = NaiveBayes().fit(blocks(table, target="y", client=client))
    >>> model.predict({"x": [1.5, 8.5]}).tolist()
    ['a', 'b']
    """
    options = {"target": target, "weight": weight, "group": group, "id": id, "kinds": kinds}
    return _blocks(table, None, None, {k: v for k, v in options.items() if v is not None}, client)


def collection_blocks(X: Any, y: Any, sample_weight: Any) -> Blocks:
    """Rows to learn from, target and weights as collections beside them."""
    return _blocks(X, y, sample_weight, {}, None)


def _blocks(X: Any, y: Any, w: Any, options: dict[str, Any], client: Any) -> Blocks:
    client = client_of(client)
    tables = _parts_of(X, "X")
    others = [_beside(values, tables, what) for values, what in ((y, "y"), (w, "sample_weight"))]
    make = delayed(_part, pure=False)
    parts = [make(*cells, options) for cells in zip(tables, *others, strict=True)]
    # Computed now and kept: passes of a fit would otherwise compute the collection again each time.
    futures = client.compute(parts)
    return blocks_of_parts(client, futures, lambda i: f"Partition {i}")


def _parts_of(table: Any, what: str) -> list[Delayed]:
    """The partitions of a collection by rows."""
    if not dask.is_dask_collection(table) or not hasattr(table, "to_delayed"):
        raise TypeError(f"{what} must be a Dask DataFrame, Series or Array; got {type(table).__name__}.")
    if isinstance(table, da.Array):
        if table.ndim > 1:
            # A partition has whole rows, so chunks are joined along all other dimensions.
            table = table.rechunk(dict.fromkeys(range(1, table.ndim), -1))
        return list(table.to_delayed().ravel())
    return list(table.to_delayed())


def _beside(values: Any, tables: Sequence[Delayed], what: str) -> Sequence[Delayed | None]:
    if values is None:
        return [None] * len(tables)
    if not dask.is_dask_collection(values):
        raise TypeError(
            f"X is a Dask collection, so {what} must be one with the same partitions; got "
            f"{type(values).__name__}: make it a column of the table, and select it."
        )
    parts = _parts_of(values, what)
    if len(parts) != len(tables):
        raise ValueError(
            f"X has {len(tables)} partitions, but {what} has {len(parts)}: give both the same partitions, "
            "for example by selecting both from one table."
        )
    return parts


@task
def _part(table: Any, y: Any, w: Any, options: dict[str, Any]) -> Part:
    return Part(Frame(_aligned(table), **options), _aligned(y), _aligned(w))


def _aligned(values: Any) -> Any:
    """Values as kernels read them: arrays that have traveled may lie anywhere in memory."""
    if hasattr(values, "to_numpy") and values.ndim == 1:
        values = values.to_numpy()
    return np.require(values, requirements=["ALIGNED"]) if isinstance(values, np.ndarray) else values


def collection_answers(learner: Any, method: str, X: Any) -> da.Array:
    """What a method says of the rows of a collection, partition by partition, when it is computed."""
    meta = _sample_answer(learner, method)
    whole = delayed(learner, pure=False)
    ask = delayed(_answer, pure=False)
    tables = _parts_of(X, "X")
    # Arrays say how long their chunks are; NaN is Dask's way of saying that it is not known yet.
    lengths = X.chunks[0] if isinstance(X, da.Array) else [np.nan] * len(tables)
    parts = [
        da.from_delayed(ask(whole, method, part, i, meta), (length, *meta.shape[1:]), meta=meta)
        for i, (part, length) in enumerate(zip(tables, lengths, strict=True))
    ]
    return da.concatenate(parts, allow_unknown_chunksizes=True)


def collection_values(values: Any) -> Any:
    """The values of a collection, computed and brought here; anything else as it is."""
    return values.compute() if dask.is_dask_collection(values) else values


def _sample_answer(learner: Any, method: str) -> NDArray[Any]:
    """No rows of what the method gives: its type and further dimensions."""
    schema = learner.schema_
    columns = [
        np.zeros(1) if column.kind == "numeric" else np.zeros(1, dtype=np.int32) for column in schema.columns
    ]
    row = Frame.from_columns(schema, columns, 1)
    # One row of zeros is predicted to learn the type of answers; Dask needs it before any partition is read.
    return np.asarray(getattr(learner, method)(row))[:0]


def _answer(learner: Any, method: str, table: Any, i: int, meta: NDArray[Any]) -> NDArray[Any]:
    if not len(table):
        return meta
    try:
        return np.asarray(getattr(learner, method)(table))
    except (TypeError, ValueError) as error:
        raise type(error)(f"Partition {i}: {error}") from error

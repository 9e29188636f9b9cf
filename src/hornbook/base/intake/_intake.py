"""How rows come to a learner: checked, and as what its hooks want."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import Any, Literal, TypeVar

import numpy as np
from scipy.sparse import issparse

from hornbook.base.intake._checks import warn_of_text
from hornbook.base.intake._conversion import Requirements, checked_block
from hornbook.base.intake._sparse import dense_table, sparse_blocks
from hornbook.base.intake._weights import (
    checked_weights,
    ordinary_weights,
    refuse_extreme,
    weight_factor,
    weight_range,
    wider_range,
)
from hornbook.frame import (
    Block,
    Blocks,
    Encoding,
    Frame,
    Schema,
    SparseRows,
    Statistics,
    as_frame,
    collection_module,
    column_statistics,
    require_rows_and_columns,
    require_shape,
)

__all__ = ["form_of", "learned_encoding", "training_blocks"]

_T = TypeVar("_T")


def training_blocks(
    needs: Requirements, X: Any, y: Any, sample_weight: Any, *, later: bool = False
) -> Blocks:
    """The rows to learn from, checked: features as Frame, target and weights as arrays.

    With ``later``, more rows may come in another call.
    """
    if isinstance(X, Blocks):
        return _given_blocks(needs, X, y, sample_weight, later=later)
    if (module := collection_module(X)) is not None:
        if not needs.by_blocks:
            raise TypeError(
                f"{needs.learner} needs all rows at once and cannot learn from a Dask collection: "
                "pass X.compute(), and y.compute()."
            )
        blocks = module.collection_blocks(X, y if needs.supervised else None, sample_weight)
        return _given_blocks(needs, blocks, None, None, later=later)
    if needs.accepts.sparse and issparse(X) and not needs.accepts.densified:
        return _sparse_blocks(needs, X, y, sample_weight, later=later)
    frame = dense_table(X) if needs.accepts.densified and issparse(X) else as_frame(X)
    require_rows_and_columns(frame)
    target = frame.y if y is None else y
    weights = frame.w if sample_weight is None else sample_weight
    block = Block(
        needs.checked(frame.features),
        needs.checked_target(target, len(frame)),
        ordinary_weights(checked_weights(weights, len(frame)), later=later),
    )
    warn_of_text(block.X)
    return Blocks.of(block, block.X.schema, needs.n_threads)


def _sparse_blocks(needs: Requirements, X: Any, y: Any, sample_weight: Any, *, later: bool) -> Blocks:
    n_rows = X.shape[0]
    target = needs.checked_target(y, n_rows)
    weights = ordinary_weights(checked_weights(sample_weight, n_rows), later=later)
    blocks = sparse_blocks(X, target, weights, needs.n_threads, whole=not needs.by_blocks)
    return blocks.map(partial(checked_block, needs=needs, all_parts=False))


def _given_blocks(needs: Requirements, blocks: Blocks, y: Any, sample_weight: Any, *, later: bool) -> Blocks:
    if not needs.by_blocks:
        raise TypeError(
            f"{needs.learner} needs all rows at once and cannot learn from Blocks: {needs.remedy}."
        )
    if y is not None or sample_weight is not None:
        raise TypeError("Blocks carry their own target and weights: leave out y and sample_weight.")
    require_shape(blocks.n_rows, len(blocks.schema.features))
    rows = blocks.map(partial(checked_block, needs=needs, all_parts=True))
    if rows.take([0]).w is None:  # then the table has no weights
        return rows
    factor = weight_factor(*rows.reduce(_range_of_weights, merge=wider_range))
    if factor == 1.0:
        return rows
    # Weights of earlier calls are not known any more and cannot be multiplied by the same factor.
    if later:
        refuse_extreme(factor)
    return rows.map(partial(_reweighted, factor=factor))


def learned_encoding(
    blocks: Blocks, schema: Schema, missing_cells: Literal["indicate", "keep"]
) -> tuple[Encoding, bool]:
    """How to make numbers of the columns, and whether it is known that no cell is missing."""
    whole = _sparse_table(blocks)
    if whole is not None:
        return _sparse_encoding(whole, schema)
    if missing_cells == "keep" and not len(schema.coded) and _starts_with_numbers(blocks):
        return form_of(blocks, "numbers as they are", lambda: Encoding.of_numbers(schema)), False
    statistics, seen = form_of(blocks, "statistics", lambda: blocks.reduce(_statistics, merge=_both))
    encoding = Encoding.from_statistics(  # it warns, so each learner works it out
        schema, statistics, scale=None, max_categories=256, missing=missing_cells
    )
    shared = form_of(blocks, f"encoding, {missing_cells} missing", lambda: encoding)
    return shared, seen and not statistics.missing.any()


def _sparse_table(blocks: Blocks) -> Block | None:
    """The rows, if they are all there and sparse."""
    parts = [] if blocks.lazy else list(blocks)
    return parts[0] if len(parts) == 1 and isinstance(parts[0].X, SparseRows) else None


def _sparse_encoding(block: Block, schema: Schema) -> tuple[Encoding, bool]:
    """The encoding of numbers without gaps; means stand in for gaps of later rows."""
    rows = block.X
    if not rows.complete:
        column = schema.names[int(rows.columns[np.isnan(rows.values)].min())]
        raise ValueError(
            f"Input X contains NaN: column {column!r} of the sparse matrix has missing values: fill them "
            "first, or pass a dense table."
        )
    w = np.ones(len(rows)) if block.w is None else block.w
    # Zeros that are not stored count in the mean through the sum of weights.
    mean = (rows.matrix.T @ w) / w.sum()
    statistics = column_statistics(Frame(mean[None, :]), spread=False)
    return Encoding.from_statistics(
        schema, statistics, scale=None, max_categories=256, missing="indicate"
    ), True


def _starts_with_numbers(blocks: Blocks) -> bool:
    """Whether the first row counts and lacks no number: then no column is empty, and no warning is due."""
    # One row instead of a pass over all: enough to know that every column has a value.
    first = blocks.take([0])
    return not np.isnan(first.X.numbers).any() and (first.w is None or bool(first.w.all()))


def _range_of_weights(block: Block) -> tuple[float, float]:
    return weight_range(block.w)


def _reweighted(block: Block, factor: float) -> Block:
    return replace(block, w=None if block.w is None else block.w * factor)


def form_of(blocks: Blocks, name: str, make: Callable[[], _T]) -> _T:
    """Return what is made of all rows and their weights: once, where they are a single prepared table."""
    parts = [] if blocks.lazy else list(blocks)
    if len(parts) != 1 or not isinstance(parts[0].X, Frame) or parts[0].X.forms is None:
        return make()
    return parts[0].X.form((name, None if parts[0].w is None else parts[0].w.tobytes()), make)


def _statistics(block: Block) -> tuple[Statistics, bool]:
    """Statistics of the rows that count, and whether those are all rows."""
    return column_statistics(block.X, block.w, spread=False), block.w is None or bool(block.w.all())


def _both(one: tuple[Statistics, bool], other: tuple[Statistics, bool]) -> tuple[Statistics, bool]:
    return one[0].merge(other[0]), one[1] and other[1]

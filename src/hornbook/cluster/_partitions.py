"""Partitions as tables with one schema: looked at where they are, refused by their number."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

import numpy as np
from distributed import Client, Future
from numpy.typing import NDArray

from hornbook.cluster._client import thread_count
from hornbook.cluster._faults import LostClusterError, cluster_faults, results_of
from hornbook.cluster._parcel import Parcel, task
from hornbook.cluster._pieces import cut_into_pieces, piece_chunks
from hornbook.cluster._rows import ClusterRows
from hornbook.frame import Block, Blocks, Column, Frame, Schema, align
from hornbook.params import threads

__all__ = ["Part", "blocks_of_parts", "looked_at"]

INFERRED = {"text", "boolean"}  # sources of levels that are found in the cells


@dataclass(frozen=True)
class Part:
    """One partition.

    Parameters
    ----------
    frame : Frame
        The table, with the roles of its columns.
    y, w : ndarray, optional
        Target and weights that are not columns of it.
    """

    frame: Frame
    y: NDArray[Any] | None = None
    w: NDArray[Any] | None = None


@dataclass(frozen=True)
class Facts:
    """What the caller has to know of a partition.

    Parameters
    ----------
    schema : Schema
        Its columns.
    n_rows : int
        Its rows.
    types : tuple of dtype
        How its columns are stored.
    others : tuple of int or None
        How many values target and weights have.
    gaps : tuple of bool
        Whether its columns have no values at all.
    """

    schema: Schema
    n_rows: int
    types: tuple[np.dtype[Any], ...]
    others: tuple[int | None, int | None]
    gaps: tuple[bool, ...]

    @classmethod
    def of(cls, parcel: Parcel) -> Facts:
        """Look at a partition, on its worker."""
        part: Part = parcel.value
        frame = part.frame
        counts = [None if values is None else len(values) for values in (part.y, part.w)]
        columns = [frame.column(j) for j in range(frame.shape[1])]
        types, gaps = (
            tuple(column.dtype for column in columns),
            tuple(map(_no_values, frame.schema.columns, columns)),
        )
        return cls(frame.schema, len(frame), types, (counts[0], counts[1]), gaps)


def _no_values(column: Column, cells: NDArray[Any]) -> bool:
    """Whether all cells are missing; almost always, the first ones say so already."""
    if column.kind == "numeric" and cells.dtype.kind != "f":
        return False
    return all(
        bool((np.isnan(part) if column.kind == "numeric" else part < 0).all()) for part in (cells[:16], cells)
    )


def blocks_of_parts(client: Client, parts: Sequence[Future], name_of: Callable[[int], str]) -> Blocks:
    """Partitions as Blocks on the cluster.

    Parameters
    ----------
    client : distributed.Client
        Connected to the cluster.
    parts : sequence of Future
        The partitions, each a parcel with a `Part`.
    name_of : callable
        What a partition is called in messages, by its number.
    """
    counts, schema, types = looked_at(client, parts, name_of)
    filled = [i for i, count in enumerate(counts) if count]
    lengths = [counts[i] for i in filled]
    # Recoded where they are: only facts about partitions come to the caller.
    ready = client.map(partial(_as_block, schema=schema, types=types), [parts[i] for i in filled], pure=False)
    chunks = piece_chunks(sum(lengths), thread_count(client))
    tables = cut_into_pieces(client, ready, lengths, chunks)
    rows = ClusterRows(client, tables, sum(lengths), chunks, threads(None), (_by_role,), tables)
    return Blocks.over(rows, schema)


def looked_at(
    client: Client, parts: Sequence[Future], name_of: Callable[[int], str]
) -> tuple[list[int], Schema, tuple[np.dtype[Any], ...]]:
    """Rows of each partition, and the columns of all with their types.

    Parameters
    ----------
    client : distributed.Client
        Connected to the cluster.
    parts : sequence of Future
        The partitions, each a parcel with a `Part`.
    name_of : callable
        What a partition is called in messages, by its number.
    """
    facts = _facts_of(client, parts, name_of)
    # An empty partition has columns without values, whose kinds mean nothing.
    filled = [i for i, fact in enumerate(facts) if fact.n_rows]
    if not filled:
        raise ValueError(f"None of the {len(facts)} partitions has any rows: at least one row is needed.")
    return [fact.n_rows for fact in facts], *_one_schema(facts, filled, name_of)


def _facts_of(client: Client, parts: Sequence[Future], name_of: Callable[[int], str]) -> list[Facts]:
    facts = []
    for i, future in enumerate(client.map(Facts.of, parts, pure=False)):
        try:
            with cluster_faults(client):
                fact: Facts = results_of(client, [future])[0]
        except (LostClusterError, MemoryError):
            raise
        except Exception as error:
            reason = " ".join(str(error).split()).removesuffix(".") or "no reason given"
            raise ValueError(
                f"{name_of(i)} cannot be computed ({type(error).__name__}: {reason}): correct what it is "
                "made of."
            ) from error
        for count, what in zip(fact.others, ("target", "weights"), strict=True):
            if count is not None and count != fact.n_rows:
                raise ValueError(
                    f"{name_of(i)} has {fact.n_rows} rows, but there are {count} values of its {what}: give "
                    "both the same partitions."
                )
        facts.append(fact)
    return facts


def _one_schema(
    facts: Sequence[Facts], filled: Sequence[int], name_of: Callable[[int], str]
) -> tuple[Schema, tuple[np.dtype[Any], ...]]:
    """The columns of all partitions, with the levels of all; what does not fit together is refused."""
    start = filled[0]
    first = facts[start].schema
    for i in filled:
        other = facts[i].schema
        if other.names != first.names:
            raise ValueError(
                f"{name_of(i)} has the columns {', '.join(other.names)}, but {_small(name_of(start))} has "
                f"{', '.join(first.names)}: give all partitions the same columns in the same order."
            )
    columns, types = zip(
        *(_one_column(facts, filled, j, name_of) for j in range(len(first.columns))), strict=True
    )
    return Schema(columns, first.named), types


def _one_column(
    facts: Sequence[Facts], filled: Sequence[int], j: int, name_of: Callable[[int], str]
) -> tuple[Column, np.dtype[Any]]:
    """A column of all partitions, with the levels of all, and how it is stored."""
    # Where it has no values, a column has the kind that it was read as by chance.
    source = next((i for i in filled if not facts[i].gaps[j]), filled[0])
    want = facts[source].schema.columns[j]
    levels, types = set(want.levels), {facts[source].types[j]}
    for i in filled:
        have = facts[i].schema.columns[j]
        if facts[i].gaps[j] and (have.kind, have.source) != (want.kind, want.source):
            types |= {np.dtype(np.float64)} if want.kind == "numeric" else set()
            continue
        _check_kind(have, want, name_of(i), _small(name_of(source)))
        types.add(facts[i].types[j])  # it may be whole numbers in one partition and fractions in another
        if have.levels != want.levels and want.source not in INFERRED:
            raise ValueError(_other_categories(have, want, name_of(i), _small(name_of(source))))
        # Levels found in the cells depend on the partition, so all of them are united; declared categories
        # are the user's word and must agree.
        levels.update(have.levels)
    if levels != set(want.levels):
        # Sorted: codes depend on which levels there are, not on the order of the partitions.
        want = replace(want, levels=tuple(sorted(levels)))
    return want, np.result_type(*types)


def _small(name: str) -> str:
    return name[0].lower() + name[1:]


def _check_kind(have: Column, want: Column, here: str, first: str) -> None:
    if (have.kind, have.source) != (want.kind, want.source):
        raise ValueError(
            f"Column {have.name!r} of {_small(here)} is {have.kind} (from {have.source}), but that of "
            f"{first} is {want.kind} (from {want.source}): give it the same type in all partitions."
        )


def _other_categories(have: Column, want: Column, here: str, first: str) -> str:
    new = sorted(set(map(str, have.levels)) ^ set(map(str, want.levels)))
    what = f"other categories ({', '.join(new[:5])})" if new else "its categories in another order"
    return (
        f"Column {have.name!r} of {_small(here)} has {what} than that of {first}: give all partitions the "
        "same categories, for example with table.categorize()."
    )


@task
def _as_block(part: Part, schema: Schema, types: tuple[np.dtype[Any], ...]) -> Block:
    """A partition with the levels and types of all of them."""
    frame = part.frame
    if frame.schema != schema:
        frame = align(frame, schema)
    if any(frame.column(j).dtype != kind for j, kind in enumerate(types)):
        columns = [frame.column(j).astype(kind, copy=False) for j, kind in enumerate(types)]
        frame = Frame.from_columns(schema, columns, len(frame))
    return Block(frame, part.y, part.w)


def _by_role(block: Block) -> Block:
    """Features, target and weights of rows that are whole tables."""
    frame = block.X
    y = frame.y if block.y is None else block.y
    w = frame.w if block.w is None else block.w
    return Block(_as_matrix(frame.features), y, w, block.start)


def _as_matrix(features: Frame) -> Frame:
    """The same columns; where all are fractions, as one matrix."""
    columns = map(features.column, range(len(features.schema)))
    if features.array is None and all(cells.dtype == np.float64 for cells in columns):
        # Once, and not for each pass or fit: gathering columns takes longer than most passes.
        return Frame.from_columns(features.schema, features.numbers, len(features))
    return features

"""The version space (Mitchell 1982): all consistent conjunctions, from most specific to most general."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

import numpy as np
from numpy.typing import NDArray

from hornbook.concepts._cells import MISSING, value_of
from hornbook.frame import Schema
from hornbook.params import Shape

__all__ = ["MOST_GENERAL", "VersionSpace", "conjunction_text", "version_space"]

Cells = NDArray[np.int64]
Flags = NDArray[np.bool_]

MOST_COUNTED = 20  # literals; the number of conjunctions to examine is two to the power of this
MOST_GENERAL = 1000  # members of the general boundary that are listed
AT_ONCE = 1 << 22  # comparisons of rows with negative examples


@dataclass(frozen=True)
class VersionSpace:
    """The conjunctions that cover all positive examples and no negative one.

    Each is the most specific one with some of its literals left out, so that the whole space lies between
    that and the most general ones, which are as short as the negative examples allow.

    Parameters
    ----------
    values : ndarray of int64 of shape (n_columns,)
        The value that the most specific conjunction requires of each column.
    specific : ndarray of bool of shape (n_columns,)
        Of which columns it requires anything.
    rejected : ndarray of bool of shape (n_rejected, n_columns)
        Which literals of the most specific conjunction the negative examples violate: of each conjunction of
        the space at least one in every row. Examples that follow from others are left out.
    general : ndarray of bool of shape (n_general, n_columns) or None
        Of which columns each of the most general conjunctions asks anything; none when the space is empty,
        None when there are more than 1000 and they are not listed.
    size : int or None
        How many conjunctions there are, 0 when none agrees with all examples; None when the most specific one
        has more than 20 literals and they are not counted.
    """

    values: Annotated[Cells, Shape("n_columns")]
    specific: Annotated[Flags, Shape("n_columns")]
    rejected: Annotated[Flags, Shape("n_rejected", "n_columns")]
    general: Annotated[Flags, Shape("n_general", "n_columns")] | None
    size: int | None

    @property
    def empty(self) -> bool:
        """Whether no conjunction agrees with all examples."""
        return not self.rejected.any(axis=1).all()

    def violations(self, cells: Cells) -> Flags:
        """Which literals of the most specific conjunction each row violates."""
        return np.asarray((cells != self.values) & self.specific)

    def covers(self, cells: Cells, *, general: bool = False) -> Flags:
        """Which rows the most specific conjunction covers, or any of the most general ones."""
        wrong = self.violations(cells)
        if not general or self.empty:
            return np.asarray(~wrong.any(axis=1))
        # The literals that a row does not violate form the longest conjunction that covers it: is it
        # consistent?
        step = max(1, AT_ONCE // max(len(self.rejected), 1))
        parts = [
            ((~wrong[at : at + step] @ self.rejected.T.astype(np.float32)) > 0).all(axis=1)
            for at in range(0, max(len(wrong), 1), step)
        ]
        return np.concatenate(parts)


def version_space(positive: Cells, negative: Cells) -> VersionSpace:
    """Find the boundaries of the version space of positive and negative examples."""
    # A literal survives if all positive examples share the value, so the first one has them all.
    values = positive[0]
    specific = (positive == values).all(axis=0) & (values != MISSING)
    wrong = (negative != values) & specific
    rejected = _minimal_sets(wrong)
    if not rejected.any(axis=1).all():
        return VersionSpace(values, specific, rejected, np.zeros((0, len(values)), dtype=np.bool_), 0)
    return VersionSpace(
        values, specific, rejected, _minimal_hitting_sets(rejected), _counted(rejected, specific)
    )


def _minimal_sets(sets: Flags) -> Flags:
    """Sets of which none contains another, without duplicates, the smallest first."""
    sets = np.unique(sets, axis=0) if len(sets) else sets
    sets = sets[np.argsort(sets.sum(axis=1), kind="stable")]
    # Sorted by size, a set can only contain earlier ones.
    bits = np.packbits(sets, axis=1)
    kept = np.ones(len(sets), dtype=np.bool_)
    for i in range(len(sets)):
        if kept[i]:
            kept[i + 1 :] &= (bits[i] & ~bits[i + 1 :]).any(axis=1)
    return np.asarray(sets[kept])


def _minimal_hitting_sets(rejected: Flags) -> Flags | None:
    """The minimal hitting sets of the rejected sets (Berge's algorithm); None when there are too many."""
    covers = np.zeros((1, rejected.shape[1]), dtype=np.bool_)
    for mask in rejected:
        rejects = (covers & mask).any(axis=1)
        longer = covers[~rejects][:, None, :] | np.eye(len(mask), dtype=np.bool_)[mask]
        longer = longer.reshape(-1, len(mask))
        # Extended sets do not contain each other, but they may contain one that was not extended.
        spared = covers[rejects].astype(np.float32)
        contains = (~longer @ spared.T == 0).any(axis=1)
        covers = np.concatenate([covers[rejects], longer[~contains]])
        if len(covers) > MOST_GENERAL:
            return None
    return covers[np.argsort(covers.sum(axis=1), kind="stable")]


def _counted(masks: Flags, specific: Flags) -> int | None:
    """How many sets of literals reject every negative example."""
    literals = np.flatnonzero(specific)
    if len(literals) > MOST_COUNTED:
        return None
    # Sets of literals as bit masks, all of them at once.
    powers = 1 << np.arange(len(literals))
    every = np.arange(1 << len(literals))
    agree = np.ones(len(every), dtype=np.bool_)
    for mask in masks[:, literals] @ powers:
        agree &= (every & mask) != 0
    return int(agree.sum())


def conjunction_text(space: VersionSpace, chosen: Flags, schema: Schema) -> str:
    """A conjunction as text: the literals of the chosen columns."""
    literals = [
        f"{schema.names[j]} = {_value_text(value_of(int(space.values[j]), schema.columns[j]))}"
        for j in np.flatnonzero(chosen).tolist()
    ]
    return " and ".join(literals) or "anything"


def _value_text(value: object) -> str:
    return f"{value:g}" if isinstance(value, float) else str(value)

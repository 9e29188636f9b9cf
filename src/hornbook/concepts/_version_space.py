"""All conjunctions that agree with the examples, between their most specific and their most general ones."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from hornbook.concepts._cells import MISSING, value_of
from hornbook.frame import Schema

__all__ = ["VersionSpace", "in_words", "version_space"]

Cells = NDArray[np.int64]
Flags = NDArray[np.bool_]

MOST_COUNTED = 20  # literals; there are two to the power of them conjunctions to look at
MOST_GENERAL = 10_000  # members of the general boundary that are kept


@dataclass(frozen=True)
class VersionSpace:
    """The conjunctions that cover all positive examples and no negative one.

    Each is the most specific one with some of its literals left out, so that the whole space lies between
    that and the most general ones, which are as short as the negative examples allow.

    Parameters
    ----------
    values : ndarray of int64 of shape (n_columns,)
        What the most specific conjunction asks of each column.
    specific : ndarray of bool of shape (n_columns,)
        Of which columns it asks anything.
    general : ndarray of bool of shape (n_general, n_columns)
        The same for each of the most general conjunctions; none when the space is empty.
    size : int or None
        How many conjunctions there are, 0 when none agrees with all examples; None when the most specific one
        has more than 20 literals and they are not counted.
    """

    values: Cells
    specific: Flags
    general: Flags
    size: int | None

    @property
    def empty(self) -> bool:
        """Whether no conjunction agrees with all examples."""
        return len(self.general) == 0

    def violations(self, cells: Cells) -> Flags:
        """Which literals of the most specific conjunction each row violates."""
        return np.asarray((cells != self.values) & self.specific)

    def covers(self, cells: Cells, *, general: bool = False) -> Flags:
        """Which rows the most specific conjunction covers, or any of the most general ones."""
        wrong = self.violations(cells)
        if not general or self.empty:
            return np.asarray(~wrong.any(axis=1))
        # A conjunction covers a row when none of its literals is violated.
        return np.asarray(((wrong @ self.general.T.astype(np.intp)) == 0).any(axis=1))


def version_space(positive: Cells, negative: Cells) -> VersionSpace:
    """Find the boundaries of the version space of positive and negative examples."""
    values = positive[0]
    specific = (positive == values).all(axis=0) & (values != MISSING)
    wrong = (np.unique(negative, axis=0) != values) & specific
    masks = np.unique(wrong, axis=0) if len(wrong) else wrong
    if len(masks) and not masks.any(axis=1).all():
        return VersionSpace(values, specific, np.zeros((0, len(values)), dtype=np.bool_), 0)
    return VersionSpace(values, specific, _shortest(masks), _counted(masks, specific))


def _shortest(masks: Flags) -> Flags:
    """The smallest sets of literals of which each negative example violates at least one."""
    found = np.zeros((1, masks.shape[1]), dtype=np.bool_)
    # Examples with few violations first: they leave the least choice.
    for mask in masks[np.argsort(masks.sum(axis=1), kind="stable")]:
        rejects = (found & mask).any(axis=1)
        longer = found[~rejects][:, None, :] | np.eye(masks.shape[1], dtype=np.bool_)[mask]
        found = _minimal(np.concatenate([found[rejects], longer.reshape(-1, masks.shape[1])]))
        if len(found) > MOST_GENERAL:
            raise ValueError(
                f"ConjunctiveConcept: there are more than {MOST_GENERAL} most general conjunctions: leave "
                "out columns that say nothing about the class."
            )
    return found


def _minimal(sets: Flags) -> Flags:
    """Sets of which none contains another one, each once, the smallest first."""
    sets = np.unique(sets, axis=0)
    sets = sets[np.argsort(sets.sum(axis=1), kind="stable")]
    sizes = sets.sum(axis=1)
    kept = np.ones(len(sets), dtype=np.bool_)
    for i in range(len(sets)):
        if kept[i]:
            larger = kept & (sizes > sizes[i])
            kept[larger] &= (sets[i] & ~sets[larger]).any(axis=1)
    return np.asarray(sets[kept])


def _counted(masks: Flags, specific: Flags) -> int | None:
    """How many sets of literals reject every negative example."""
    literals = np.flatnonzero(specific)
    if len(literals) > MOST_COUNTED:
        return None
    powers = 1 << np.arange(len(literals))
    every = np.arange(1 << len(literals))
    agree = np.ones(len(every), dtype=np.bool_)
    for mask in masks[:, literals] @ powers:
        agree &= (every & mask) != 0
    return int(agree.sum())


def in_words(space: VersionSpace, chosen: Flags, schema: Schema) -> str:
    """Write a conjunction: the literals of the chosen columns."""
    literals = [
        f"{schema.names[j]} = {_shown(value_of(int(space.values[j]), schema.columns[j]))}"
        for j in np.flatnonzero(chosen).tolist()
    ]
    return " and ".join(literals) or "anything"


def _shown(value: object) -> str:
    return f"{value:g}" if isinstance(value, float) else str(value)

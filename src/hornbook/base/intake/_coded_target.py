"""The target of blocks as the hooks get it: positions among the classes, or numbers."""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hornbook.base.intake._target import DistinctLabels, coded, numbers_of
from hornbook.frame import Block, Blocks

__all__ = ["labels_of", "with_codes", "with_numbers", "without_classes"]

CHUNKS_PER_CALL = 16  # of rows in one block, which need not be copied for it

LabelPair = tuple[DistinctLabels, DistinctLabels]  # of all rows, and of those that have weight


def labels_of(blocks: Blocks) -> tuple[NDArray[Any], NDArray[Any]]:
    """The labels of all rows, and those of the rows that have any weight."""
    together = CHUNKS_PER_CALL if blocks.is_one_block else 1
    labels, weighty = blocks.reduce(_labels_of, merge=_all_labels, together=together)
    return labels.checked(), weighty.ascending()


def with_codes(blocks: Blocks, classes: NDArray[Any]) -> Blocks:
    """The blocks with the position of each label in ``classes`` as their target."""
    return blocks.map(partial(_with_codes, classes=classes))


def without_classes(blocks: Blocks, absent: NDArray[Any]) -> Blocks:
    """The blocks without the rows of some classes."""
    return blocks.where(partial(_has_other_class, absent=absent))


def with_numbers(blocks: Blocks) -> Blocks:
    """The blocks with their target as float64."""
    return blocks.map(_with_numbers)


# What the functions above do with a single block; they can be pickled, so that rows may be anywhere.


def _target(block: Block) -> NDArray[Any]:
    assert block.y is not None
    return block.y


def _labels_of(block: Block) -> LabelPair:
    y = _target(block)
    labels = DistinctLabels.of(y)
    rows = None if block.w is None or block.w.all() else np.flatnonzero(block.w)
    return labels, labels if rows is None else DistinctLabels.of(y[rows])


def _all_labels(one: LabelPair, other: LabelPair) -> LabelPair:
    return one[0].merge(other[0]), one[1].merge(other[1])


def _with_codes(block: Block, classes: NDArray[Any]) -> Block:
    return block.with_target(coded(_target(block), classes))


def _has_other_class(block: Block, absent: NDArray[Any]) -> NDArray[np.bool_]:
    return np.asarray(~np.isin(_target(block), absent))


def _with_numbers(block: Block) -> Block:
    return block.with_target(numbers_of(_target(block)))

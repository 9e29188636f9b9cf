"""Grows stumps one after the other on rows that are sorted once."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from hornbook import _native
from hornbook.frame import Frame
from hornbook.trees._fitted import FittedTree
from hornbook.trees._grower import Grower, leaves_of_all
from hornbook.trees._settings import GrowerSettings
from hornbook.trees._targets import Target
from hornbook.trees.binned._bins import columns_with_gaps

__all__ = ["StumpGrower"]

MOST_CELLS = 2**27  # of sorted rows, which have 4 bytes each
MOST_CLASSES = 256
CRITERIA = ("gini", "misclassification", "squared_error")


class StumpGrower:
    """Grows the trees of depth 1 that a `Grower` grows, in one pass over the rows of each column.

    Parameters
    ----------
    grower : Grower
        The grower, whose table is sorted.
    frame : Frame
        The rows.
    criterion : {"gini", "misclassification", "squared_error"}
        The criterion.
    """

    def __init__(self, grower: Grower, frame: Frame, criterion: str) -> None:
        self.table, self.frame, self.criterion = grower.table, frame, criterion
        self.n_threads = grower.n_threads
        self.rows = _native.sort_rows(self.table, self.n_threads)

    @staticmethod
    def of(grower: Grower, frame: Frame, settings: GrowerSettings, n_classes: int) -> StumpGrower | None:
        """The grower for these settings, classes (0 for numbers) and columns; None if it cannot be used."""
        # All settings are compared at once, so that one added later is never ignored here.
        plain = GrowerSettings(settings.learner, criterion=settings.criterion, max_depth=1)
        ordered = all(column.kind != "nominal" for column in frame.schema.columns)
        small = len(frame) * len(frame.schema) <= MOST_CELLS
        known = (
            settings.criterion in (CRITERIA if n_classes <= 2 else ("gini",)) and n_classes <= MOST_CLASSES
        )
        if settings != plain or not (known and ordered and small):
            return None
        if columns_with_gaps(frame).any():
            return None
        return StumpGrower(grower, frame, settings.criterion)

    def tree_and_leaves(self, target: Target) -> tuple[FittedTree, NDArray[np.int32]]:
        """Grow a stump, and give the node that each row of the table ends in."""
        arrays, leaves = _native.grow_stump(
            self.table,
            self.rows,
            target.codes,
            target.n_classes,
            target.sums,
            target.w,
            self.criterion,
            self.n_threads,
        )
        tree = FittedTree.grown(arrays, target.shift)
        return tree, leaves_of_all(tree, leaves, self.frame, self.n_threads)

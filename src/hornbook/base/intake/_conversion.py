"""From the tables of users to what hooks get, as functions that need no learner."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

from hornbook.base.intake._accepts import Accepts
from hornbook.base.intake._checks import check_cells, check_kinds
from hornbook.base.intake._target import target_array
from hornbook.base.intake._weights import checked_weights
from hornbook.frame import Block, Encoding, Frame, Schema, SparseRows, align, require_memory

__all__ = ["Conversion", "Requirements", "Wants", "aligned_block", "checked_block", "converted_block"]

Wants = Literal["frame", "matrix", "codes"]


@dataclass(frozen=True)
class Requirements:
    """What a learner takes, for messages with its name.

    Parameters
    ----------
    learner : str
        Its name.
    accepts : Accepts
        Kinds of columns, and whether cells may be missing.
    supervised : bool
        Whether there must be a target.
    n_threads : int
        Threads for looking at cells.
    by_blocks : bool
        Whether it is a sum over rows, which may then be anywhere.
    remedy : str
        What to do with rows elsewhere if it is not.
    """

    learner: str
    accepts: Accepts
    supervised: bool
    n_threads: int
    by_blocks: bool
    remedy: str

    def checked(self, features: Frame, start: int = 0) -> Frame:
        """The features, if they are fine; rows count from ``start``."""
        check_kinds(features, self.accepts.kinds, self.learner)
        # Such a learner sees in its own sums what is not finite, and spares a pass over the cells.
        if self.accepts.unchecked and not len(features.schema.coded):
            return features
        check_cells(
            features,
            self.learner,
            missing_allowed=self.accepts.missing,
            n_threads=self.n_threads,
            start=start,
        )
        return features

    def checked_target(self, y: Any, n_rows: int) -> Any:
        """The target as an array; None for learners that need none."""
        if not self.supervised:
            return None
        if y is None:
            raise ValueError(
                f"{self.learner} requires y to be passed, but the target y is None: "
                "pass y, or a Frame with a target."
            )
        return target_array(y, n_rows, self.learner, multi_output=self.accepts.multi_output)


@dataclass(frozen=True)
class Conversion:
    """How features become what hooks want.

    Parameters
    ----------
    wants : {"frame", "matrix", "codes"}
        The form.
    encoding : Encoding, optional
        How a matrix is made.
    single : bool, default False
        Whether numbers in single precision stay as they are.
    stored : bool, default False
        Whether a sparse matrix stays one.
    """

    wants: Wants
    encoding: Encoding | None
    single: bool = False
    stored: bool = False

    def apply(self, features: Frame | SparseRows, *, complete: bool) -> Any:
        """Convert; ``complete`` says that no cell is missing."""
        if self.wants == "frame":
            return features
        if isinstance(features, SparseRows):
            if self.stored:
                return features
            # A sparse matrix that fits may be a thousand times as large when it is dense.
            require_memory(len(features), features.n_columns, "use fewer rows or columns")
            return features.dense()
        if self.wants == "codes":
            return features.codes
        encoding = self.encoding
        assert encoding is not None
        # Single precision is passed on only where nothing is computed on the way, so that the kernel sees the
        # numbers of the user.
        if self.single and encoding.keeps_numbers and (numbers := features.single) is not None:
            return numbers
        # The encoding is kept with its matrix, so that no other one can have its id.
        _, matrix = features.form(
            ("matrix", id(encoding), complete),
            lambda: (encoding, encoding.apply(features, complete=complete)),
        )
        return matrix


def checked_block(block: Block, needs: Requirements, *, all_parts: bool) -> Block:
    """Check the features, and with ``all_parts`` also target and weights."""
    X = needs.checked(block.X, block.start)
    if not all_parts:
        return block.with_features(X)
    w = checked_weights(block.w, len(block), start=block.start)
    return Block(X, needs.checked_target(block.y, len(block)), w, block.start)


def converted_block(block: Block, conversion: Conversion, *, complete: bool) -> Block:
    """Convert the features."""
    return block.with_features(conversion.apply(block.X, complete=complete))


def aligned_block(block: Block, schema: Schema, conversion: Conversion) -> Block:
    """More rows with the columns of the first ones; categories that the schema lacks count as missing."""
    features = align(block.X, schema, start=block.start)
    return block.with_features(conversion.apply(features, complete=False))

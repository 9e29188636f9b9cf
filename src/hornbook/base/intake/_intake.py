"""How rows come to a learner: checked, and as what its hooks want."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import Annotated, Any, ClassVar, Literal

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import issparse
from sklearn.utils.validation import check_is_fitted

from hornbook.base.intake._accepts import Accepts
from hornbook.base.intake._checks import warn_of_text
from hornbook.base.intake._conversion import (
    Conversion,
    Requirements,
    Wants,
    checked_block,
    converted_block,
)
from hornbook.base.intake._names import check_names
from hornbook.base.intake._one_row import by_name
from hornbook.base.intake._sparse import sparse_blocks
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
    Statistics,
    align,
    as_frame,
    column_statistics,
    converted_once,
    require_rows_and_columns,
    require_shape,
)
from hornbook.params import Shape, threads

__all__ = ["Intake", "Wants", "one_table"]


class Intake:
    """What a learner takes and wants, and the way from the tables of users to what its hooks get.

    Learning goes through `_training_blocks` and `_learn_conversion`, answering through `_prepared`.
    """

    wants: ClassVar[Wants] = "matrix"
    accepts: ClassVar[Accepts] = Accepts()
    supervised: ClassVar[bool] = True
    # In a matrix: filled and marked, or NaN.
    missing_cells: ClassVar[Literal["indicate", "keep"]] = "indicate"

    # What fitting learns about the columns.
    schema_: Schema
    n_features_in_: int
    feature_names_in_: Annotated[NDArray[Any], Shape("n_columns")]
    target_name_: str
    encoding_: Encoding
    encoded_names_: Annotated[NDArray[Any], Shape("n_encoded")]

    def _training_blocks(self, X: Any, y: Any, sample_weight: Any, *, later: bool = False) -> Blocks:
        """The rows to learn from, checked: features as Frame, target and weights as arrays.

        With ``later``, more rows may come in another call.
        """
        if isinstance(X, Blocks):
            return self._given_blocks(X, y, sample_weight, later=later)
        if self.accepts.sparse and issparse(X):
            return self._sparse_blocks(X, y, sample_weight, later=later)
        frame = as_frame(X)
        require_rows_and_columns(frame)
        target = frame.y if y is None else y
        weights = frame.w if sample_weight is None else sample_weight
        block = Block(
            self._checked(frame.features),
            self._checked_target(target, len(frame)),
            ordinary_weights(checked_weights(weights, len(frame)), later=later),
        )
        warn_of_text(block.X)
        return Blocks.of(block, block.X.schema, self._threads())

    def _sparse_blocks(self, X: Any, y: Any, sample_weight: Any, *, later: bool) -> Blocks:
        n_rows = X.shape[0]
        target = self._checked_target(y, n_rows)
        weights = ordinary_weights(checked_weights(sample_weight, n_rows), later=later)
        whole = not hasattr(self, "_fit_blocks")
        blocks = sparse_blocks(X, target, weights, self._threads(), whole=whole)
        return blocks.map(partial(checked_block, needs=self._requirements(), all_parts=False))

    def _given_blocks(self, blocks: Blocks, y: Any, sample_weight: Any, *, later: bool) -> Blocks:
        if not hasattr(self, "_fit_blocks"):
            raise TypeError(
                f"{type(self).__name__} needs all rows at once and cannot learn from Blocks: "
                "pass blocks.to_frame()."
            )
        if y is not None or sample_weight is not None:
            raise TypeError("Blocks carry their own target and weights: leave out y and sample_weight.")
        require_shape(blocks.n_rows, len(blocks.schema.features))
        rows = blocks.map(partial(checked_block, needs=self._requirements(), all_parts=True))
        if rows.take([0]).w is None:  # then the table has no weights
            return rows
        factor = weight_factor(*rows.reduce(_range_of_weights, merge=wider_range))
        if factor == 1.0:
            return rows
        if later:
            refuse_extreme(factor)
        return rows.map(partial(_reweighted, factor=factor))

    def _requirements(self) -> Requirements:
        return Requirements(type(self).__name__, self.accepts, self.supervised, self._threads())

    def _checked(self, features: Frame) -> Frame:
        return self._requirements().checked(features)

    def _checked_target(self, y: Any, n_rows: int) -> NDArray[Any] | None:
        target: NDArray[Any] | None = self._requirements().checked_target(y, n_rows)
        return target

    def _learn_conversion(self, blocks: Blocks) -> Blocks:
        """Find out how to make numbers of the columns, and do so."""
        complete = False
        if self.wants == "matrix":
            frame, weights = one_table(blocks)
            statistics, seen = converted_once(
                frame, ("statistics", weights), lambda: blocks.reduce(_statistics, merge=_both)
            )
            complete = seen and not statistics.missing.any()
            encoding = Encoding.from_statistics(  # it warns, so each learner works it out
                self.schema_, statistics, scale=None, max_categories=256, missing=self.missing_cells
            )
            self.encoding_ = converted_once(
                frame, ("encoding", weights, self.missing_cells), lambda: encoding
            )
            self.encoded_names_ = np.array(encoding.names, dtype=object)
        return blocks.map(partial(converted_block, conversion=self._conversion(), complete=complete))

    def _conversion(self) -> Conversion:
        return Conversion(self.wants, getattr(self, "encoding_", None))

    def _converted(self, features: Frame, *, complete: bool) -> Any:
        return self._conversion().apply(features, complete=complete)

    def _prepared(self, X: Any) -> Any:
        """Return what the hooks get for new rows, checked against the columns of the fit."""
        aligned = self._new_rows(X)
        return self._converted(aligned, complete=self._requirements().complete(aligned))

    def _new_rows(self, X: Any) -> Frame:
        """Return new rows in the columns of the fit."""
        check_is_fitted(self)
        frame = as_frame(by_name(X, self.schema_))
        require_rows_and_columns(frame)
        features = frame.features
        check_names(self, features.schema)
        return align(features, self.schema_)

    def _threads(self) -> int:
        return threads(getattr(self, "n_jobs", None))


def _range_of_weights(block: Block) -> tuple[float, float]:
    return weight_range(block.w)


def _reweighted(block: Block, factor: float) -> Block:
    return replace(block, w=None if block.w is None else block.w * factor)


def one_table(blocks: Blocks) -> tuple[Frame | None, bytes | None]:
    """The table in memory that the rows are, if they are a single one, and its weights to tell by."""
    parts = [] if blocks.lazy else list(blocks)
    if len(parts) != 1 or not isinstance(parts[0].X, Frame):
        return None, None
    return parts[0].X, None if parts[0].w is None else parts[0].w.tobytes()


def _statistics(block: Block) -> tuple[Statistics, bool]:
    """Statistics of the rows that count, and whether those are all rows."""
    return column_statistics(block.X, block.w, spread=False), block.w is None or bool(block.w.all())


def _both(one: tuple[Statistics, bool], other: tuple[Statistics, bool]) -> tuple[Statistics, bool]:
    return one[0].merge(other[0]), one[1] and other[1]

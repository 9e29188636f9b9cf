"""Learners that predict a number."""

from __future__ import annotations

from typing import Any

import numpy as np
from sklearn.base import RegressorMixin

from hornbook.base._predictor import Predictor
from hornbook.base.intake._target import numbers_of
from hornbook.frame import Block, Blocks
from hornbook.params import Floats

__all__ = ["Regressor"]


class Regressor(RegressorMixin, Predictor):
    """Base of regressors; the hook ``_predict(X)`` gives one number a row."""

    def _learn_target(self, blocks: Blocks) -> Blocks:
        return blocks.map(with_numbers)

    def _answer(self, rows: Any) -> Floats:
        return np.asarray(self._predict(rows), dtype=np.float64)


def with_numbers(block: Block) -> Block:
    """Return the block with its target as float64."""
    assert block.y is not None
    return Block(block.X, numbers_of(block.y), block.w)

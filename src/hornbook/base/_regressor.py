"""Learners that predict a number."""

from __future__ import annotations

from sklearn.base import RegressorMixin

from hornbook.base._predictor import Predictor

__all__ = ["Regressor"]


class Regressor(RegressorMixin, Predictor):
    """Base of regressors."""

    def _predicts_classes(self) -> bool:
        return False

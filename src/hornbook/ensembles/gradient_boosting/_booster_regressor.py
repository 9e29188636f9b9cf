"""Base class of gradient boosting for numbers."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Literal

import numpy as np
from sklearn.utils import Tags

from hornbook.base import Regressor, Working
from hornbook.ensembles._staged import StagedPredictions
from hornbook.ensembles.gradient_boosting._booster import Booster
from hornbook.ensembles.gradient_boosting._description import member_terms
from hornbook.ensembles.gradient_boosting._losses_by_name import number_loss, refuse_targets
from hornbook.ensembles.gradient_boosting._parameters import NumberLoss
from hornbook.frame import Frame
from hornbook.losses import Loss
from hornbook.params import Floats
from hornbook.trees import with_contributions

__all__ = ["BoosterRegressor"]


class BoosterRegressor(NumberLoss, Booster, StagedPredictions, Regressor):
    """Base class of gradient boosting for numbers."""

    model_class = "a sum of trees, or of other members"

    # The quantile that the loss is about; the faces call the parameter differently.
    _quantile: Callable[[], float | None]

    def _loss(self) -> Loss:
        return number_loss(self.loss, self._quantile(), self.power, type(self).__name__)

    def _refuse_extremes(self, low: float, high: float) -> None:
        refuse_targets(low, high, self.loss, self._loss(), type(self).__name__)

    def _predict(self, features: Frame) -> Floats:
        return self._loss().inverse_link(self._scores(features))

    def __sklearn_tags__(self) -> Tags:
        tags = super().__sklearn_tags__()
        tags.target_tags.positive_only = self.loss in ("poisson", "gamma", "tweedie")
        return tags

    def _staged_answers(self, rows: Frame) -> Iterator[Floats]:
        loss = self._loss()
        for z in self._staged(self._coded(rows)):
            yield np.array(loss.inverse_link(z))

    def _working(self, row: Frame) -> Working:
        """The base score, and what each round adds."""
        frame = self._coded(row)
        terms = member_terms(self._first_scores(frame), list(self._updates(frame)))
        link: Literal["identity", "log", "logit"] = self._loss().link_name
        title = "What each round adds to the score"
        working = Working(title, "sum", ["value"], terms, float(self._answer(row)[0]), link=link)
        return with_contributions(self, row, working)

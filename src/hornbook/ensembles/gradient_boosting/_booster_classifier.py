"""Base class of gradient boosting for classes."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hornbook.base import Working
from hornbook.ensembles._staged import StagedClasses
from hornbook.ensembles.gradient_boosting._booster import Booster
from hornbook.ensembles.gradient_boosting._description import member_terms
from hornbook.ensembles.gradient_boosting._losses_by_name import class_loss
from hornbook.ensembles.gradient_boosting._parameters import ClassLoss
from hornbook.frame import Blocks, Frame
from hornbook.losses import ExponentialLoss, Loss
from hornbook.params import Floats
from hornbook.trees import class_factors, with_contributions

__all__ = ["BoosterClassifier"]


class BoosterClassifier(ClassLoss, Booster, StagedClasses):
    """Base class of gradient boosting for classes.

    Attributes
    ----------
    classes_ : ndarray of shape (n_classes,)
        The classes.
    """

    model_class = "a sum of trees, or of other members, that is turned into probabilities"

    def _loss(self) -> Loss:
        return class_loss(self.loss, self._n_classes(), type(self).__name__)

    def _n_classes(self) -> int:
        return len(self.classes_)

    def _class_factors(self, blocks: Blocks) -> Floats | None:
        return class_factors(self.class_weight, self.classes_, blocks, type(self).__name__)

    def _coded_target(self, blocks: Blocks) -> Blocks:
        return self._with_codes(blocks)

    def _decision(self, features: Frame) -> Floats:
        z = self._scores(features)
        return z[:, None] if self._n_classes() == 1 else z

    def _proba(self, features: Frame) -> Floats:
        return self._probabilities(self._scores(features))

    def _probabilities(self, z: Floats) -> Floats:
        if self._n_classes() == 1:
            return np.ones((len(z), 1))
        loss = self._loss()
        p = loss.inverse_link(z)
        if z.ndim == 2:
            return p
        if loss is self.loss:  # one of the user's own, which may give anything
            p = np.clip(p, 0.0, 1.0)
        both = np.empty((len(p), 2))
        both[:, 0], both[:, 1] = 1.0 - p, p
        return both

    def _staged_decisions(self, rows: Frame) -> Iterator[Floats]:
        for z in self._staged(self._coded(rows)):
            yield z.copy()

    def _staged_probabilities(self, rows: Frame) -> Iterator[Floats]:
        for z in self._staged(self._coded(rows)):
            yield self._probabilities(z)

    def _staged_answers(self, rows: Frame) -> Iterator[NDArray[Any]]:
        for probabilities in self._staged_probabilities(rows):
            yield self.classes_[probabilities.argmax(axis=1)]

    def _working(self, row: Frame) -> Working:
        """The base score, and what each round adds to the score of each class."""
        frame, labels = self._coded(row), self.classes_.tolist()
        first, updates = self._first_scores(frame), [update[0] for update in self._updates(frame)]
        if len(labels) <= 2:
            # Exponential loss scores half of the log odds, to both sides; log loss scores the second
            # class.
            sides = np.array([-1.0, 1.0] if isinstance(self._loss(), ExponentialLoss) else [0.0, 1.0])
            start, steps = first[0] * sides[: len(labels)], [update * sides for update in updates]
        else:
            start, steps = first[0], list(np.reshape(updates, (-1, len(labels))))
        title = "What each round adds to the scores, whose exponentials are proportional to the probabilities"
        terms = member_terms(start, steps)
        working = Working(title, "sum", labels, terms, self._answer(row)[0], softmax=True)
        return with_contributions(self, row, working)

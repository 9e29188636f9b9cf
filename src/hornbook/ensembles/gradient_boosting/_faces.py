"""The two faces of gradient boosting: what they call differently, and when they stop."""

from __future__ import annotations

from copy import copy
from dataclasses import replace
from typing import Any, ClassVar

from hornbook.ensembles.gradient_boosting._boosting_fit import StoppingRule
from hornbook.ensembles.gradient_boosting._constraints import directions_of, sets_of
from hornbook.ensembles.gradient_boosting._parameters import ExactBoosting, HistBoosting
from hornbook.ensembles.gradient_boosting._progress import Improves, improves_within, undercuts_some
from hornbook.ensembles.gradient_boosting._validation import BoostingRows
from hornbook.ensembles.gradient_boosting.blocks._block_booster import BlockBooster
from hornbook.losses import LogLoss, SquaredError
from hornbook.trees import GrowerSettings

__all__ = ["ExactBooster", "HistBooster"]


class ExactBooster(ExactBoosting, BlockBooster):
    """Boosting with exact thresholds and small trees, as in Friedman (2001).

    Attributes
    ----------
    n_estimators_ : int
        Number of rounds.
    train_score_, validation_score_ : ndarray of shape (n_estimators_,)
        Loss of the training rows, and of validation rows if there are any, after each round. Squared error
        and the log loss of two classes count twice: they are the mean squared error and the deviance.
    """

    title: ClassVar[str] = "Gradient boosting"
    always_scores: ClassVar[bool] = True
    from_start: ClassVar[bool] = False
    optimizer = "gradient descent or Newton's method in the space of functions, one member at a time"

    @property
    def n_estimators_(self) -> int:
        """Number of rounds."""
        return self.n_iter_

    def _n_rounds(self) -> int:
        return self.n_estimators

    def _stops_early(self, n_rows: int, given: bool) -> bool:  # noqa: ARG002 - a number of rounds says so
        return self.n_iter_no_change is not None

    def _l2(self) -> float:
        return self.reg_lambda

    def _score_factor(self) -> float:
        return 2.0 if isinstance(self._loss(), SquaredError | LogLoss) else 1.0

    def _improves(self) -> Improves:
        return undercuts_some


class HistBooster(HistBoosting, BlockBooster):
    """Boosting with binned columns and gradient-pair trees that grow best first.

    Attributes
    ----------
    n_iter_ : int
        Number of rounds.
    train_score_, validation_score_ : ndarray of shape (n_iter_ + 1,)
        With early stopping, minus the loss, or what ``scoring`` says, before the first round and after each.
    """

    title: ClassVar[str] = "Hist gradient boosting"
    always_scores: ClassVar[bool] = False
    from_start: ClassVar[bool] = True
    optimizer = "Newton's method in the space of functions, one tree at a time"

    def _n_rounds(self) -> int:
        return self.max_iter

    def _tree_settings(self) -> GrowerSettings:
        name = type(self).__name__
        monotone = directions_of(self.monotonic_cst, self.boosted_schema_, name)
        if monotone is not None and any(monotone) and self._n_classes() > 2:
            raise ValueError(
                f"{name}: parameter 'monotonic_cst' is for numbers and two classes, but there are "
                f"{self._n_classes()}: leave it out."
            )
        interactions = sets_of(self.interaction_cst, self.boosted_schema_, name)
        return replace(super()._tree_settings(), monotone=monotone, interactions=interactions)

    def _stops_early(self, n_rows: int, given: bool) -> bool:
        if given and self.early_stopping is False:
            raise ValueError(
                f"{type(self).__name__}: X_val is for early stopping, but early_stopping is False: set it to "
                "True, or leave X_val out."
            )
        return given or n_rows > 10_000 if self.early_stopping == "auto" else bool(self.early_stopping)

    def _l2(self) -> float:
        return self.l2_regularization

    def _score_factor(self) -> float:
        return -1.0

    def _improves(self) -> Improves:
        return improves_within

    def _rule(self, held: BoostingRows | None) -> StoppingRule:
        rule, scoring = super()._rule(held), self.scoring
        if isinstance(scoring, str):  # the loss
            return rule
        if held is None:
            raise ValueError(
                f"{type(self).__name__}: scoring is computed on held-out rows, but there are none: set "
                "validation_fraction to a number, or scoring='loss'."
            )
        target = held.y if not hasattr(self, "classes_") else self.classes_[held.y]

        def score(model: dict[str, Any]) -> float:
            twin = copy(self)
            vars(twin).update(model)
            if scoring is None:
                return twin.score(held.frame, target, held.w)
            return float(scoring(twin, held.frame, target))

        return replace(rule, score=score)

"""The two faces of gradient boosting: what they call differently, and when they stop."""

from __future__ import annotations

from copy import copy
from dataclasses import replace
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray
from sklearn.utils.validation import check_is_fitted

from hornbook.ensembles.gradient_boosting._boosting_fit import StoppingRule
from hornbook.ensembles.gradient_boosting._constraints import sets_of
from hornbook.ensembles.gradient_boosting._parameters import ExactBoosting, HistBoosting
from hornbook.ensembles.gradient_boosting._progress import Improves, improves_within, undercuts_some
from hornbook.ensembles.gradient_boosting._round_trees import RoundTrees
from hornbook.ensembles.gradient_boosting._validation import BoostingRows
from hornbook.ensembles.gradient_boosting.blocks._block_booster import BlockBooster
from hornbook.evaluation import Scorer, scorer
from hornbook.losses import LogLoss, SquaredError
from hornbook.trees import GrowerSettings, directions_of, feature_count

__all__ = ["ExactBooster", "HistBooster"]


# Names of scikit-learn's scorers that differ from those of our measures, of which losses get a minus sign.
SCORERS = {
    "neg_log_loss": "log_loss",
    "neg_mean_absolute_error": "mae",
    "neg_mean_squared_error": "mse",
    "neg_root_mean_squared_error": "rmse",
    "roc_auc": "auc",
}


def _scorer(name: str) -> Scorer:
    return scorer(SCORERS.get(name, name))


class ExactBooster(ExactBoosting, BlockBooster):
    """Boosting with exact thresholds and small trees, as in Friedman (2001).

    Attributes
    ----------
    n_estimators_ : int
        Number of rounds.
    max_features_ : int
        Number of columns that a split chooses from.
    estimators_ : ndarray of DecisionTreeRegressor of shape (n_estimators_, n_scores)
        The trees, made from ``forest_`` each time; their values include the learning rate. With
        ``estimator``, the list of members.
    train_score_, validation_score_ : ndarray of shape (n_estimators_,)
        Loss of the training rows, and of validation rows if there are any, after each round. Squared error
        and the log loss of two classes count twice: they are the mean squared error and the deviance.
    """

    title: ClassVar[str] = "Gradient boosting"
    always_scores: ClassVar[bool] = True
    from_start: ClassVar[bool] = False
    optimizer = "gradient descent or Newton's method in the space of functions, one member at a time"

    estimators_ = RoundTrees()  # members of another kind are an attribute instead

    @property
    def n_estimators_(self) -> int:
        """Number of rounds."""
        return self.n_iter_

    @property
    def max_features_(self) -> int:
        """Number of columns that a split chooses from."""
        check_is_fitted(self)
        return feature_count(self.max_features, self.boosted_schema_, type(self).__name__)

    def apply(self, X: Any) -> NDArray[np.int32]:
        """Give the node that each row ends in, for each tree.

        Parameters
        ----------
        X : table of shape (n_rows, n_columns)
            The rows.

        Returns
        -------
        nodes : ndarray of shape (n_rows, n_rounds) or (n_rows, n_rounds, n_scores)
            Numbers of leaves within their tree; for classes, with an axis for their scores, of which two
            classes have one.
        """
        check_is_fitted(self)
        if "forest_" not in vars(self):
            raise AttributeError(f"{type(self).__name__} has no trees: there are members of another kind.")
        frame = self._coded(self._prepared(X))
        nodes = self.forest_.apply(frame, self._threads()) - self.forest_.roots
        shape = (len(nodes), -1, len(self.base_score_)) if hasattr(self, "classes_") else (len(nodes), -1)
        return np.asarray(nodes.reshape(shape))

    def _n_rounds(self) -> int:
        return self.n_estimators

    def _stops_early(self, n_rows: int, given: bool) -> bool:  # noqa: ARG002 - a number of rounds says so
        return self.n_iter_no_change is not None

    def _l2(self) -> float:
        return self.reg_lambda

    def _score_factor(self) -> float:
        # scikit-learn shows the deviance, twice the negative log-likelihood, and the squared error
        # without 1/2.
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
    is_categorical_ : ndarray of bool of shape (n_features_in_,) or None
        Which columns hold categories.
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
        if monotone is not None and self._n_classes() > 2:
            raise ValueError(
                f"{name}: parameter 'monotonic_cst' is for numbers and two classes, but there are "
                f"{self._n_classes()}: leave it out."
            )
        interactions = sets_of(self.interaction_cst, self.boosted_schema_, name)
        return replace(super()._tree_settings(), monotone=monotone, interactions=interactions)

    def _stops_early(self, n_rows: int, given: bool) -> bool:
        if isinstance(self.scoring, str) and self.scoring != "loss":
            _scorer(self.scoring)  # rejects what is no measure, also where nothing stops
        if given and self.early_stopping is False:
            raise ValueError(
                f"{type(self).__name__}: X_val and y_val are passed to fit while at the same time "
                "early_stopping is False: set it to True, or leave them out."
            )
        # As scikit-learn: small tables are boosted to the end.
        return given or n_rows > 10_000 if self.early_stopping == "auto" else bool(self.early_stopping)

    def _l2(self) -> float:
        return self.l2_regularization

    def _score_factor(self) -> float:
        return -1.0

    def _improves(self) -> Improves:
        return improves_within

    @property
    def is_categorical_(self) -> NDArray[np.bool_] | None:
        """Which columns hold categories; None if none do."""
        check_is_fitted(self)
        marks = np.array([column.kind != "numeric" for column in self.boosted_schema_.columns])
        return marks if marks.any() else None

    def _rule(self, held: BoostingRows | None, rows: BoostingRows) -> StoppingRule:
        rule, scoring = super()._rule(held, rows), self.scoring
        if rule.judge == "oob" and scoring != "loss":
            raise ValueError(
                f"{type(self).__name__}: validation_fraction='oob' judges by the loss of rows that are not "
                f"drawn, but scoring={scoring!r}: set scoring='loss', or validation_fraction to a fraction."
            )
        if isinstance(scoring, str):
            if scoring == "loss":
                return rule
            scoring = _scorer(scoring)
        judged = rows if held is None else held
        target = judged.y if not hasattr(self, "classes_") else self.classes_[judged.y]

        def score(model: dict[str, Any]) -> float:
            twin = copy(self)
            vars(twin).update(model)
            if scoring is None:
                return twin.score(judged.frame, target, judged.w)
            return float(scoring(twin, judged.frame, target))

        return replace(rule, score=score)

"""What boosted ensembles for classes and for numbers have in common."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from typing import Annotated, Any, Protocol

import numpy as np
from sklearn.utils.validation import check_is_fitted, has_fit_parameter

from hornbook.base import Learner, adopted
from hornbook.ensembles.adaboost._rounds import BoostRound
from hornbook.params import Floats, Shape

__all__ = ["Boosted"]


class BoostRounds(Protocol):
    """Rounds of boosting."""

    failed: tuple[Any, float] | None

    def step(self, t: int, n_members: int) -> BoostRound:
        """Do round t, after so many members."""


class Boosted(Learner):
    """Fitted attributes of a boosted ensemble."""

    estimators_: Annotated[list[Any], Shape("n_members")]
    alphas_: Annotated[Floats, Shape("n_rounds")]
    estimator_errors_: Annotated[Floats, Shape("n_rounds")]

    method: Any
    n_estimators: Any
    _inner: Callable[[], Any]
    staged_errors: Callable[..., Floats]

    @property
    def estimator_weights_(self) -> Floats:
        """Weights of the members, under the name that scikit-learn has for ``alphas_``."""
        check_is_fitted(self)
        return self.alphas_

    @property
    def feature_importances_(self) -> Floats:
        """Share of each column in the decrease of impurity, the mean over the members by their weights."""
        check_is_fitted(self)
        members = self.estimators_
        if not all(hasattr(member, "feature_importances_") for member in members):
            raise AttributeError(f"{type(self._inner()).__name__} has no feature_importances_.")
        if not members:
            return np.zeros(self.n_features_in_)
        # LogitBoost and gentle AdaBoost have a regressor for each class in a round, with one weight
        # together.
        weights = np.repeat(self.alphas_, len(members) // len(self.alphas_))
        return np.average([member.feature_importances_ for member in members], axis=0, weights=weights)

    def _draws(self) -> bool:
        """Whether members learn from drawn rows, which is said when weights were asked for."""
        inner = self._inner()
        adopted(inner)  # an error if it is no learner
        if self.method == "resample" or has_fit_parameter(inner, "sample_weight"):
            return bool(self.method == "resample")
        warnings.warn(
            f"{type(self).__name__}: {type(inner).__name__} takes no sample_weight, so its members learn "
            "from rows drawn in proportion to the weights; method='resample' says so without this warning.",
            UserWarning,
            stacklevel=2,
        )
        return True

    def _boost(self, rounds: BoostRounds | None, wanted: str) -> None:
        """Fit the members, round by round; without rounds, there is nothing to learn.

        ``wanted`` says what members must be. If none is, the last of them is the only one.
        """
        self.estimators_ = []
        alphas: list[float] = []
        errors: list[float] = []

        def model() -> dict[str, Any]:
            return {"alphas_": np.array(alphas), "estimator_errors_": np.array(errors)}

        # `iterate` runs callbacks and keeps the history; zero rounds still make a fitted model.
        for t in self.iterate(self.n_estimators if rounds else 0, name="member", model=model):
            assert rounds is not None  # there are no counts otherwise
            made = rounds.step(t, len(alphas))
            if made.members:
                self.estimators_ += made.members
                alphas.append(made.alpha)
                errors.append(made.error)
                self.record(error=made.error)
            if made.last:
                break
        # Better a single poor member, and a warning, than an ensemble that cannot predict.
        if rounds is not None and rounds.failed is not None and not alphas:
            member, error = rounds.failed
            self.estimators_, alphas, errors = [member], [1.0], [error]
            warnings.warn(
                f"{type(self).__name__}: no {type(self._inner()).__name__} was {wanted}, so the ensemble is "
                f"one of them, with the weighted error {error:.3g}: choose another estimator.",
                UserWarning,
                stacklevel=2,
            )
        self.alphas_, self.estimator_errors_ = np.array(alphas), np.array(errors)

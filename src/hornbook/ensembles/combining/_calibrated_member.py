"""One learner inside a calibrated classifier, with its maps, under scikit-learn's names."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Any

import numpy as np

from hornbook.base import PlattSigmoid, normalized
from hornbook.ensembles.combining._calibration_maps import IsotonicMap
from hornbook.params import Floats, Shape

__all__ = ["CalibratedMember", "ClassMaps", "mapped"]

ClassMaps = Annotated[list[PlattSigmoid | IsotonicMap | None], Shape("n_classes")]


@dataclass(frozen=True)
class CalibratedMember:
    """One of the learners inside, with its own maps.

    Parameters
    ----------
    whole : Calibrated
        All of them.
    place : int
        Which one.
    """

    whole: Any
    place: int

    @property
    def estimator(self) -> Any:
        """The learner; one of another library itself."""
        member = self.whole.estimators_[self.place]
        return getattr(member, "estimator_", member)

    @property
    def calibrators(self) -> list[Any]:
        """Its maps from scores to probabilities; the factor of log probabilities, for a temperature."""
        if self.whole.method == "temperature":
            return [TemperatureFactor(float(self.whole.factors_[self.place]))]
        return [one for one in self.whole.maps_[self.place] if one is not None]

    def predict_proba(self, X: Any) -> Floats:
        """Give the probability of each class for each row, by this learner alone.

        Parameters
        ----------
        X : table of shape (n_rows, n_columns)
            The rows.

        Returns
        -------
        probabilities : ndarray of shape (n_rows, n_classes)
            Columns in the order of ``classes_``.
        """
        probabilities: Floats = self.whole._of_member(self.place, self.whole._prepared(X).prepared())  # noqa: SLF001 - its part
        return probabilities


@dataclass(frozen=True)
class TemperatureFactor:
    """What log probabilities are multiplied by: the inverse temperature.

    Parameters
    ----------
    beta_ : float
        The factor.
    """

    beta_: float


def mapped(scores: Floats, maps: ClassMaps) -> Floats:
    """Probabilities by the maps; a class without one has 0, and all are equal where all have 0."""
    if len(maps) == 2:
        second = np.zeros(len(scores)) if maps[1] is None else maps[1].probabilities(scores[:, 0])
        return np.column_stack([1 - second, second])
    columns = [
        np.zeros(len(scores)) if one is None else one.probabilities(scores[:, j])
        for j, one in enumerate(maps)
    ]
    return normalized(np.column_stack(columns))

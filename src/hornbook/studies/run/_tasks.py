"""Tasks of workers: one fold, a part of the learning curve, the final fit to all rows."""

from __future__ import annotations

import hashlib
import warnings
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hornbook.evaluation import (
    Clock,
    LearningCurve,
    for_positive,
    learning_curve,
    measure_by_name,
    stored_numbers,
)
from hornbook.studies._files import DiskError, reason_of
from hornbook.studies.run._predict import predict, scores_of, to_array
from hornbook.studies.run._recipe import FittedRecipe, Recipe
from hornbook.studies.run._row_learner import RowLearner
from hornbook.studies.run._shared_table import Shared

__all__ = ["CurveTask", "FoldDone", "FoldTask", "FullFitTask", "checksum", "first_warning", "written"]


@dataclass(frozen=True)
class FoldDone:
    """The result of one fold; the predictions are in a file."""

    scores: Mapping[str, float | None]
    fit_seconds: float
    predict_seconds: float
    stored: int
    checksum: str
    warning: str
    setting: Mapping[str, Any]


@dataclass(frozen=True)
class FoldTask:
    """Fit a learner to the training rows of a fold and predict the others.

    Parameters
    ----------
    recipe : Recipe
        What is fitted, and how its settings are chosen.
    repeat, fold : int
        Which fold.
    metric : str
        The measure that decides.
    beside : sequence of str
        Further measures.
    path : str
        Where the predictions are written.
    """

    recipe: Recipe
    repeat: int
    fold: int
    metric: str
    beside: Sequence[str]
    path: str

    def run(self, shared: Shared) -> FoldDone:
        """Fit, predict, score, and write the predictions."""
        train, test = shared.split(self.repeat, self.fold)
        with warnings.catch_warnings(record=True) as warned:
            warnings.simplefilter("default")
            fitted = self.recipe.fit(shared, train)
            # What another learner has already prepared is added to the time, so that learners are timed
            # alike.
            clock = Clock(shared.time_saved)
            predictions = predict(fitted.model, shared.part(test).X, test, self.metric, shared)
            predict_seconds = clock.seconds
        scores = scores_of(predictions, self.metric, self.beside, shared.positive, shared.costs)
        mark = written(Path(self.path), to_array(predictions))
        stored = stored_numbers(fitted.model)
        return FoldDone(
            scores, fitted.seconds, predict_seconds, stored, mark, first_warning(warned), fitted.setting
        )


def first_warning(warned: Sequence[warnings.WarningMessage]) -> str:
    """Return the text of the first warning, if there is one."""
    return " ".join(str(warned[0].message).split())[:300] if warned else ""


def written(path: Path, array: NDArray[Any]) -> str:
    """Write an array, and return its checksum."""
    # No fsync: it takes longer than many fits, and the checksum detects arrays that were lost.
    try:
        with path.open("wb") as file:
            np.save(file, array, allow_pickle=False)
    except OSError as error:
        path.unlink(missing_ok=True)
        raise DiskError(*reason_of(error), str(path)) from error
    return checksum(array)


def checksum(array: NDArray[Any]) -> str:
    """Hash by which damaged predictions are detected."""
    return hashlib.sha256(np.ascontiguousarray(array).data).hexdigest()[:32]


@dataclass(frozen=True)
class OneFold:
    """A splitter with one pair of training and test rows."""

    train: NDArray[np.intp]
    test: NDArray[np.intp]

    def split(self, X: Any, y: Any = None, groups: Any = None) -> Any:  # noqa: ARG002 (scikit-learn's signature)
        """Yield the pair."""
        return iter([(self.train, self.test)])

    def get_n_splits(self, X: Any = None, y: Any = None, groups: Any = None) -> int:  # noqa: ARG002 (as above)
        """Count the pairs."""
        return 1


@dataclass(frozen=True)
class CurveTask:
    """Fit a learner to growing parts of the training rows of one fold."""

    recipe: Recipe
    fold: int
    counts: tuple[int, ...]
    metric: str
    seed: int

    def run(self, shared: Shared) -> LearningCurve:
        """Compute the learning curve of the fold."""
        positive = None if shared.positive is None else shared.classes[shared.positive]
        measure = for_positive(measure_by_name(self.metric), shared.classes, positive)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # small parts may lack classes, and scores say so
            return learning_curve(
                RowLearner(self.recipe, shared),
                np.arange(len(shared.y))[:, None],
                shared.target.labels,
                sizes=self.counts,
                cv=OneFold(*shared.split(0, self.fold)),
                measure=measure,
                sample_weight=shared.weights,
                random_state=self.seed + self.fold,
            )


@dataclass(frozen=True)
class FullFitTask:
    """Fit a learner to all rows."""

    recipe: Recipe

    def run(self, shared: Shared) -> FittedRecipe:
        """Choose settings and fit."""
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # the folds have reported them
            return self.recipe.fit(shared, np.arange(len(shared.y)))

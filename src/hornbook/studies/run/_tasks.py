"""What a worker is asked to do: one fold, a part of the learning curve, the last fit to all rows."""

from __future__ import annotations

import hashlib
import time
import warnings
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hornbook.evaluation import (
    LearningCurve,
    for_positive,
    learning_curve,
    measure_by_name,
    stored_numbers,
    take_rows,
)
from hornbook.studies._files import DiskError, reason_of
from hornbook.studies.run._predict import Answers, ask
from hornbook.studies.run._recipe import Fitted, Recipe
from hornbook.studies.run._row_learner import RowLearner
from hornbook.studies.run._shared_table import Shared

__all__ = ["CurveTask", "FoldDone", "FoldTask", "FullFitTask", "checksum"]


@dataclass(frozen=True)
class FoldDone:
    """What came out of one fold; the answers are in a file."""

    scores: Mapping[str, float | None]
    fit_seconds: float
    predict_seconds: float
    stored: int
    checksum: str
    warning: str
    setting: Mapping[str, Any]


@dataclass(frozen=True)
class FoldTask:
    """Fit a learner to the training rows of a fold and ask it about the others.

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
        Where the answers are written.
    """

    recipe: Recipe
    repeat: int
    fold: int
    metric: str
    beside: Sequence[str]
    path: str

    def run(self, shared: Shared) -> FoldDone:
        """Do it."""
        train, test = shared.split(self.repeat, self.fold)
        with warnings.catch_warnings(record=True) as told:
            warnings.simplefilter("default")
            fitted = self.recipe.fit(shared, train)
            start = time.perf_counter()
            answers = ask(fitted.model, take_rows(shared.features, test), self.metric, shared)
            predict_seconds = time.perf_counter() - start
        truth = shared.y[test]
        weights = None if shared.weights is None else shared.weights[test]
        scores = answers.scores(truth, weights, self.metric, self.beside)
        mark = _written(Path(self.path), answers)
        stored = stored_numbers(fitted.model)
        return FoldDone(scores, fitted.seconds, predict_seconds, stored, mark, _first(told), fitted.setting)


def _first(told: Sequence[warnings.WarningMessage]) -> str:
    return " ".join(str(told[0].message).split())[:300] if told else ""


def _written(path: Path, answers: Answers) -> str:
    # Not synced to the disk: that takes longer than many a fit, and the checksum tells answers that got lost.
    array = answers.packed
    try:
        with path.open("wb") as file:
            np.save(file, array, allow_pickle=False)
    except OSError as error:
        path.unlink(missing_ok=True)
        raise DiskError(*reason_of(error), str(path)) from error
    return checksum(array)


def checksum(array: NDArray[Any]) -> str:
    """Mark by which damaged answers are told from whole ones."""
    return hashlib.sha256(np.ascontiguousarray(array).data).hexdigest()[:32]


@dataclass(frozen=True)
class OneFold:
    """A splitter that gives one pair of training and test rows."""

    train: NDArray[np.intp]
    test: NDArray[np.intp]

    def split(self, X: Any, y: Any = None, groups: Any = None) -> Any:  # noqa: ARG002 (scikit-learn's signature)
        """Give the pair."""
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
        """Do it."""
        positive = None if shared.positive is None else shared.classes[shared.positive]
        measure = for_positive(measure_by_name(self.metric), shared.classes, positive)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # small parts may lack classes, and scores say so
            return learning_curve(
                RowLearner(self.recipe, shared),
                np.arange(len(shared.y))[:, None],
                shared.target,
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

    def run(self, shared: Shared) -> Fitted:
        """Do it."""
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # told by the folds already
            return self.recipe.fit(shared, np.arange(len(shared.y)))

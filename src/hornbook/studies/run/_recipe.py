"""How a learner of a study is fitted to some rows: settings that are to be chosen are chosen on these rows.

The rows are cut into inner folds, every value is tried on all of them, and the one whose predictions for
rows it had not learned from are best is taken for the fit. Other rows take no part, so that the score of an
outer fold is honest about the choice as well (nested cross-validation).
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.base import clone

from hornbook.base import Learner, Scaled, member_answers, member_proba, member_rows, member_variants, prepare
from hornbook.evaluation import Clock, can_answer, default_measure, measure_by_name, score_of
from hornbook.random import Stream
from hornbook.studies.prepare._default_settings import RowCounts, Sensible
from hornbook.studies.prepare._folds import dealt
from hornbook.studies.prepare._training_data import TrainingData

__all__ = ["FittedRecipe", "Recipe"]

FOLDS = 3
LEAST = 12  # rows; with fewer, a choice would be a draw
MANY = 3_000  # rows; of more, one fold is held out once
MOST_ASKED = 2_000  # rows of that fold
MOST_LEARNED = 20_000  # rows, where every value needs a fit of its own
STREAM = int.from_bytes(b"choosing", "big")  # draws of this file, apart from everybody else's

Indices = NDArray[np.intp]
Fold = tuple[Indices, Indices]  # rows to learn from, and rows to ask about
Setting = Mapping[str, Any]


@dataclass(frozen=True)
class FittedRecipe:
    """A fitted learner, the settings that were chosen for it, and how long both took."""

    model: Any
    setting: Setting
    seconds: float


@dataclass(frozen=True)
class Recipe:
    """How to fit a learner to rows.

    Parameters
    ----------
    learner : Learner
        With everything set that is not chosen; it is cloned, never changed.
    sensible : Sensible, default Sensible()
        What is chosen; nothing when left out.
    metric : str, default ""
        The measure that decides the study; it decides here, too, if it can.
    seed : int, default 0
        Seed of the inner folds.
    """

    learner: Learner
    sensible: Sensible = field(default_factory=Sensible)
    metric: str = ""
    seed: int = 0

    def fit(self, shared: TrainingData, rows: Indices) -> FittedRecipe:
        """Choose settings on these rows, then fit to all of them."""
        clock = Clock(shared.time_saved)
        setting = self._chosen(shared, rows) if self.sensible.chosen else {}
        learner = self._with(setting) if setting else self.learner
        model = shared.part(rows).fit(learner).model
        return FittedRecipe(model, setting, clock.seconds)

    def measure(self, *, classes: bool) -> str:
        """Name of the measure that the choice is made by: the metric, or what comes next to it."""
        if self.metric:
            metric = measure_by_name(self.metric)
            if metric.row_mean is not None and can_answer(self.learner, metric.needs):
                return self.metric
        return default_measure(classes=classes, probabilities=can_answer(self.learner, "probabilities")).name

    def _with(self, setting: Setting) -> Learner:
        changed: Learner = clone(self.learner).set_params(**self._addressed(setting))
        return changed

    def _addressed(self, setting: Setting) -> dict[str, Any]:
        around = "estimator__" if isinstance(self.learner, Scaled) else ""
        return {f"{around}{name}": value for name, value in setting.items()}

    def _chosen(self, shared: TrainingData, rows: Indices) -> Setting:
        """The best setting; none if there are too few rows, or if the learner fails."""
        rows = np.sort(rows)  # in whatever order they come, the choice is the same
        folds = list(_inner_folds(shared, rows, self.seed))
        if not folds:
            return {}
        settings = self._settings(shared, rows)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # the fit that follows tells what matters
            try:
                if set(self._addressed(settings[0])) <= self.learner.adjustable:
                    best = _first_least(self._losses_of_variants(shared, folds, settings))
                else:
                    best = _valley(lambda i: self._loss_of(shared, folds, settings[i]), len(settings))
            except Exception:  # noqa: BLE001 - the fit that follows fails by itself, and in its own words
                return {}
        return {} if best is None else settings[best]

    def _settings(self, shared: TrainingData, rows: Indices) -> list[Setting]:
        """What to choose from, the simplest model first."""
        spread = 1.0 if shared.classes else float(np.std(shared.y[rows])) or 1.0
        values = self.sensible.values(RowCounts(len(rows), len(shared.features.schema), spread))
        return [{self.sensible.chosen: value} for value in values]

    def _losses_of_variants(
        self, shared: TrainingData, folds: Sequence[Fold], settings: Sequence[Setting]
    ) -> list[float]:
        """How bad each setting is, from one fit in each fold."""
        addressed = [self._addressed(setting) for setting in settings]
        predicted = []
        for learned, asked in folds:
            member = _member(self.learner, shared, learned)
            queries = member_rows(member, shared.part(asked).X)
            variants = member_variants(member, queries, addressed)
            predicted.append([self._predicted(shared, variant, queries) for variant in variants])
        return [self._loss(shared, folds, parts) for parts in zip(*predicted, strict=True)]

    def _loss_of(self, shared: TrainingData, folds: Sequence[Fold], setting: Setting) -> float:
        """How bad a setting is, from fits of its own; infinitely, if it fails."""
        learner, predicted = self._with(setting), []
        for learned, asked in folds:
            some = learned if len(learned) <= MOST_LEARNED else _drawn(learned, MOST_LEARNED, self.seed, 1)
            try:
                member = _member(learner, shared, some)
                predicted.append(self._predicted(shared, member, member_rows(member, shared.part(asked).X)))
            except Exception:  # noqa: BLE001 - one that fails is not chosen
                return np.inf
        return self._loss(shared, folds, predicted)

    def _predicted(self, shared: TrainingData, member: Any, queries: Any) -> NDArray[Any]:
        n_classes = len(shared.classes)
        if measure_by_name(self.measure(classes=n_classes > 0)).needs == "probabilities":
            return member_proba(member, queries, n_classes)
        return member_answers(member, queries)

    def _loss(self, shared: TrainingData, folds: Sequence[Fold], predicted: Sequence[NDArray[Any]]) -> float:
        """How bad predictions are, over the rows of all inner folds together."""
        measure = measure_by_name(self.measure(classes=bool(shared.classes)))
        asked = np.concatenate([held_out for _, held_out in folds])
        classes, weights = range(len(shared.classes)), _of(shared.weights, asked)
        score = score_of(measure, shared.y[asked], np.concatenate(predicted), classes, weights)
        return -score if measure.greater_is_better else score


def _first_least(losses: Sequence[float]) -> int | None:
    """Place of the least loss, of equal ones up to rounding the first; None if none is finite."""
    finite = np.where(np.isfinite(losses), losses, np.inf)
    least = finite.min()
    return int(np.argmax(finite <= least + 1e-12 * abs(least))) if np.isfinite(least) else None


def _valley(loss_of: Callable[[int], float], count: int) -> int | None:
    """Place of the least loss, going downhill from the middle; None if none on the way is finite.

    Along a penalty, losses fall and then rise: most of them need not be computed.
    """
    losses = [np.inf] * count
    known: set[int] = set()
    here = count // 2
    while True:
        for place in sorted({here, max(here - 1, 0), min(here + 1, count - 1)} - known):
            losses[place] = loss_of(place)
            known.add(place)
        best = _first_least(losses)
        if best is None or best == here:
            return best
        here = best


def _inner_folds(shared: TrainingData, rows: Indices, seed: int) -> Iterator[Fold]:
    """Rows to learn from and rows to ask about; groups stay together."""
    groups = _of(shared.groups, rows)
    count = FOLDS if groups is None else min(FOLDS, len(np.unique(groups)))
    if len(rows) < LEAST or count < 2:
        return
    number_of = dealt(shared.y[rows], len(shared.classes), groups, cv=count, repeats=1, seed=seed)[0]
    for number in range(count if len(rows) <= MANY else 1):
        held_out = rows[number_of == number]
        if len(rows) > MANY and len(held_out) > MOST_ASKED:
            held_out = _drawn(held_out, MOST_ASKED, seed, 0)
        yield rows[number_of != number], held_out


def _drawn(rows: Indices, count: int, seed: int, index: int) -> Indices:
    return np.sort(rows[Stream(seed, STREAM, index).permutation(len(rows))[:count]])


def _member(learner: Learner, shared: TrainingData, rows: Indices) -> Any:
    """A learner fitted to class numbers, or numbers."""
    weights = _of(shared.weights, rows)
    task: Any = "classification" if shared.classes else "regression"
    return prepare(learner, shared.part(rows).X, weights, task).fit(shared.y[rows], weights)


def _of(column: NDArray[Any] | None, rows: Indices) -> NDArray[Any] | None:
    return None if column is None else column[rows]

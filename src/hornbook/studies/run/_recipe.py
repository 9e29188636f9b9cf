"""How a learner of a study is fitted to some rows, including the choice of settings on the same rows.

The rows are split into inner folds, and the value with the best predictions for held-out rows is used for the
fit. No other rows are involved, so that the score of an outer fold is honest about the choice as well (nested
cross-validation; Varma and Simon, BMC Bioinformatics 2006).
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
LEAST = 12  # rows; with fewer, the choice would be mostly chance
MANY = 3_000  # rows; with more, only one fold is held out
MOST_HELD_OUT = 2_000  # rows of that fold
MOST_LEARNED = 20_000  # training rows, where every value needs a fit of its own
STREAM = int.from_bytes(b"choosing", "big")  # random numbers of this file, distinct from all others

Indices = NDArray[np.intp]
Fold = tuple[Indices, Indices]  # training rows, held-out rows
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
        """Name of the measure that decides: the metric if it is a mean over rows, else the usual one."""
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
        rows = np.sort(rows)  # the choice does not depend on their order
        folds = list(_inner_folds(shared, rows, self.seed))
        if not folds:
            return {}
        settings = self._settings(shared, rows)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # the final fit warns of what matters
            try:
                if set(self._addressed(settings[0])) <= self.learner.adjustable:
                    best = _first_least(self._losses_of_variants(shared, folds, settings))
                else:
                    best = _valley(lambda i: self._loss_of(shared, folds, settings[i]), len(settings))
            except Exception:  # noqa: BLE001 - the final fit fails with its own message
                return {}
        return {} if best is None else settings[best]

    def _settings(self, shared: TrainingData, rows: Indices) -> list[Setting]:
        """Settings to choose from, the simplest model first."""
        spread = 1.0 if shared.classes else float(np.std(shared.y[rows])) or 1.0
        values = self.sensible.values(RowCounts(len(rows), len(shared.features.schema), spread))
        return [{self.sensible.chosen: value} for value in values]

    def _losses_of_variants(
        self, shared: TrainingData, folds: Sequence[Fold], settings: Sequence[Setting]
    ) -> list[float]:
        """Loss of each setting, from one fit in each fold."""
        addressed = [self._addressed(setting) for setting in settings]
        predicted = []
        for learned, held_out in folds:
            member = _member(self.learner, shared, learned)
            queries = member_rows(member, shared.part(held_out).X)
            variants = member_variants(member, queries, addressed)
            predicted.append([self._predicted(shared, variant, queries) for variant in variants])
        return [self._loss(shared, folds, parts) for parts in zip(*predicted, strict=True)]

    def _loss_of(self, shared: TrainingData, folds: Sequence[Fold], setting: Setting) -> float:
        """Loss of a setting, from fits of its own; infinite if one fails."""
        learner, predicted = self._with(setting), []
        for learned, held_out in folds:
            some = learned if len(learned) <= MOST_LEARNED else _drawn(learned, MOST_LEARNED, self.seed, 1)
            try:
                member = _member(learner, shared, some)
                predicted.append(
                    self._predicted(shared, member, member_rows(member, shared.part(held_out).X))
                )
            except Exception:  # noqa: BLE001 - one that fails is not chosen
                return np.inf
        return self._loss(shared, folds, predicted)

    def _predicted(self, shared: TrainingData, member: Any, queries: Any) -> NDArray[Any]:
        n_classes = len(shared.classes)
        if measure_by_name(self.measure(classes=n_classes > 0)).needs == "probabilities":
            return member_proba(member, queries, n_classes)
        return member_answers(member, queries)

    def _loss(self, shared: TrainingData, folds: Sequence[Fold], predicted: Sequence[NDArray[Any]]) -> float:
        """Loss of predictions over the held-out rows of all inner folds."""
        measure = measure_by_name(self.measure(classes=bool(shared.classes)))
        tested = np.concatenate([held_out for _, held_out in folds])
        classes, weights = range(len(shared.classes)), _of(shared.weights, tested)
        score = score_of(measure, shared.y[tested], np.concatenate(predicted), classes, weights)
        return -score if measure.greater_is_better else score


def _first_least(losses: Sequence[float]) -> int | None:
    """Position of the smallest loss, the first of those equal up to rounding; None if none is finite."""
    finite = np.where(np.isfinite(losses), losses, np.inf)
    least = finite.min()
    return int(np.argmax(finite <= least + 1e-12 * abs(least))) if np.isfinite(least) else None


def _valley(loss_of: Callable[[int], float], count: int) -> int | None:
    """Position of the smallest loss, going downhill from the middle; None if none on the way is finite."""
    # Along a penalty, losses fall and then rise: most of them need not be computed.
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
    """Training and held-out rows; groups stay together."""
    groups = _of(shared.groups, rows)
    count = FOLDS if groups is None else min(FOLDS, len(np.unique(groups)))
    if len(rows) < LEAST or count < 2:
        return
    number_of = dealt(shared.y[rows], len(shared.classes), groups, cv=count, repeats=1, seed=seed)[0]
    for number in range(count if len(rows) <= MANY else 1):
        held_out = rows[number_of == number]
        if len(rows) > MANY and len(held_out) > MOST_HELD_OUT:
            held_out = _drawn(held_out, MOST_HELD_OUT, seed, 0)
        yield rows[number_of != number], held_out


def _drawn(rows: Indices, count: int, seed: int, index: int) -> Indices:
    return np.sort(rows[Stream(seed, STREAM, index).permutation(len(rows))[:count]])


def _member(learner: Learner, shared: TrainingData, rows: Indices) -> Any:
    """A learner fitted to class codes or numbers."""
    weights = _of(shared.weights, rows)
    task: Any = "classification" if shared.classes else "regression"
    return prepare(learner, shared.part(rows).X, weights, task).fit(shared.y[rows], weights)


def _of(column: NDArray[Any] | None, rows: Indices) -> NDArray[Any] | None:
    return None if column is None else column[rows]

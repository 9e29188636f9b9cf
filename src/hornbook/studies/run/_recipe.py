"""How a learner of a study is fitted to some rows, including the choice of settings on the same rows.

The rows are split into inner folds, and the setting with the best predictions for held-out rows is used for
the fit. One parameter is chosen from a list of values; several are searched by successive halving, over more
and more inner folds or, where there are many rows, over more and more of them. No rows but the given ones are
involved, so that the score of an outer fold is honest about the choice as well (nested cross-validation;
Varma and Simon, BMC Bioinformatics 2006).
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
from hornbook.evaluation import (
    Clock,
    best_by_halving,
    can_answer,
    default_measure,
    drawn_settings,
    first_least,
    measure_by_name,
    score_of,
)
from hornbook.random import Stream
from hornbook.studies.decide._threshold import chosen_threshold, least_cost_threshold
from hornbook.studies.prepare._default_settings import RowCounts, Sensible
from hornbook.studies.prepare._folds import dealt, forward_folds, training_and_test
from hornbook.studies.prepare._training_data import TrainingData

__all__ = ["FittedRecipe", "Recipe"]

FOLDS = 3
LEAST = 12  # rows; with fewer, the choice would be mostly chance
MANY = 3_000  # rows; with more, only one fold is held out
MOST_HELD_OUT = 2_000  # rows of that fold
MOST_LEARNED = 20_000  # training rows, where every value needs a fit of its own
SHARES = (0.25, 0.5, 1.0)  # of the training rows, on the rungs of a search with one fold
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
    temperature : float, optional
        What the logarithms of the probabilities are divided by; they stay as they are when left out.
    """

    learner: Learner
    sensible: Sensible = field(default_factory=Sensible)
    metric: str = ""
    seed: int = 0
    temperature: float | None = None

    def fit(self, shared: TrainingData, rows: Indices) -> FittedRecipe:
        """Choose settings on these rows, then fit to all of them."""
        clock = Clock(shared.time_saved)
        setting = self._chosen(shared, rows) if self.sensible.tuned else {}
        learner = self._with(setting) if setting else self.learner
        if shared.costs is not None and can_answer(learner, "probabilities"):
            learner, threshold = self._by_cost(learner, shared, rows)
            setting = {**setting, **threshold}
        if self.temperature is not None:
            from hornbook.ensembles import Calibrated  # noqa: PLC0415 - only for the final model

            learner = Calibrated(learner, method="temperature", temperature=self.temperature)
            setting = {**setting, "temperature": self.temperature}
        model = shared.part(rows).fit(learner).model
        return FittedRecipe(model, setting, clock.seconds)

    def _by_cost(self, learner: Learner, shared: TrainingData, rows: Indices) -> tuple[Learner, Setting]:
        """The learner with decisions by cost; of two classes, above a threshold chosen on these rows."""
        from hornbook.imbalance import CostSensitive  # noqa: PLC0415 - only where mistakes have costs

        assert shared.costs is not None
        present = np.unique(shared.y[rows])
        costs = shared.costs[np.ix_(present, present)]
        deciding: Any = CostSensitive(learner, costs=costs, method="decision")
        if len(present) != 2 or len(shared.classes) != 2:
            return deciding, {}
        threshold = self._threshold(learner, shared, rows)
        return deciding.set_params(threshold=threshold), {"threshold": threshold}

    def _threshold(self, learner: Learner, shared: TrainingData, rows: Indices) -> float:
        """The best threshold for held-out rows of inner folds, as far as they can tell."""
        assert shared.costs is not None
        folds = list(_inner_folds(shared, np.sort(rows), self.seed))
        usual = least_cost_threshold(shared.costs)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # the final fit warns of what matters
            try:
                parts = [
                    member_proba(member, member_rows(member, shared.part(held_out).X), 2)[:, 1]
                    for learned, held_out in folds
                    for member in [_member(learner, shared, learned)]
                ]
            except Exception:  # noqa: BLE001 - the final fit fails with its own message
                parts = []
        if not parts:
            return usual
        tested = np.concatenate([held_out for _, held_out in folds])
        weights = _of(shared.weights, tested)
        return chosen_threshold(np.concatenate(parts), shared.y[tested], weights, shared.costs)

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

    @property
    def _wrapped(self) -> bool:
        return isinstance(self.learner, Scaled)

    def _addressed(self, setting: Setting) -> dict[str, Any]:
        around = "estimator__" if self._wrapped else ""
        return {f"{around}{name}": value for name, value in setting.items()}

    def _chosen(self, shared: TrainingData, rows: Indices) -> Setting:
        """The best setting; none if there are too few rows, or if the learner fails."""
        rows = np.sort(rows)  # the choice does not depend on their order
        folds = list(_inner_folds(shared, rows, self.seed))
        if not folds:
            return {}
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # the final fit warns of what matters
            try:
                setting = self._valued(shared, rows, folds) if self.sensible.chosen else {}
                return self._searched(shared, folds, setting) if self.sensible.ranges else setting
            except Exception:  # noqa: BLE001 - the final fit fails with its own message
                return {}

    def _valued(self, shared: TrainingData, rows: Indices, folds: Sequence[Fold]) -> Setting:
        """The best value of the one parameter that has a list of values."""
        settings = self._settings(shared, rows)
        # Parameters such as the amount of pruning change a fitted model: one fit then serves all values. Of
        # equal losses the first counts, which is that of the simplest model.
        if set(self._addressed(settings[0])) <= self.learner.adjustable:
            best = first_least(self._losses_of_variants(shared, folds, settings))
        else:
            best = _valley(lambda i: self._loss_of(shared, folds, settings[i]), len(settings))
        return {} if best is None else settings[best]

    def _searched(self, shared: TrainingData, folds: Sequence[Fold], start: Setting) -> Setting:
        """The best of some settings that are drawn from the ranges, and of the one to start with."""
        inside = getattr(self.learner, "estimator", self.learner) if self._wrapped else self.learner
        usual = {name: getattr(inside, name) for name in self.sensible.ranges}
        drawn = drawn_settings(inside, self.sensible.ranges, self.sensible.n_settings - 1, self.seed)
        settings = [{**start, **usual}, *({**start, **_rounded(setting)} for setting in drawn)]
        rungs = _rungs(folds, self.seed)
        predicted: dict[int, list[NDArray[Any]]] = {}

        def loss_at(place: int, rung: int) -> float:
            (learned, held_out), *_ = rungs[rung]
            try:
                member = _member(self._with(settings[place]), shared, learned)
                part = self._predicted(shared, member, member_rows(member, shared.part(held_out).X))
            except Exception:  # noqa: BLE001 - one that fails is not chosen
                return np.inf
            parts = [*predicted.get(place, []), part][-len(rungs[rung]) :]
            predicted[place] = parts
            return self._loss(shared, rungs[rung][::-1], parts)

        # Jamieson and Talwalkar (2016). The usual setting takes part, so that a search seldom does worse than
        # none.
        best = best_by_halving(loss_at, len(settings), len(rungs), keep=self.sensible.keep)
        return start if best is None else settings[best]

    def _settings(self, shared: TrainingData, rows: Indices) -> list[Setting]:
        """Settings to choose from, the simplest model first."""
        # Penalties of a regression are in units of the target: the same values must suit meters and
        # millimeters.
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


def _rungs(folds: Sequence[Fold], seed: int) -> list[list[Fold]]:
    """On each rung of a search its fold, and those of earlier rungs whose predictions count as well."""
    if len(folds) > 1:
        return [list(folds[: rung + 1])[::-1] for rung in range(len(folds))]
    (learned, held_out), *_ = folds
    most = min(len(learned), MOST_LEARNED)
    parts = [_drawn(learned, max(1, round(share * most)), seed, 1) for share in SHARES[:-1]]
    whole = learned if most == len(learned) else _drawn(learned, most, seed, 1)
    return [[(part, held_out)] for part in (*parts, whole)]


def _rounded(setting: Setting) -> Setting:
    """Three digits, so that the value used is the value printed."""
    return {
        name: float(f"{value:.3g}") if isinstance(value, float) else value for name, value in setting.items()
    }


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
        best = first_least(losses)
        if best is None or best == here:
            return best
        here = best


def _inner_folds(shared: TrainingData, rows: Indices, seed: int) -> Iterator[Fold]:
    """Training and held-out rows; groups stay together, and in time what is held out comes later."""
    groups, times = _of(shared.groups, rows), _of(shared.times, rows)
    count = FOLDS if groups is None else min(FOLDS, len(np.unique(groups)))
    count = count if times is None else min(FOLDS, len(np.unique(times)) - 1)
    if len(rows) < LEAST or count < (2 if times is None else 1):
        return
    if times is None:
        number_of = dealt(shared.y[rows], len(shared.classes), groups, cv=count, repeats=1, seed=seed)[0]
    else:
        number_of = forward_folds(times, count)
    # Where only one fold is held out: in time the last one, which has the most rows to train on.
    one = 0 if times is None else count - 1
    for number in range(count) if len(rows) <= MANY else (one,):
        learned, held_out = (
            rows[part] for part in training_and_test(number_of, number, forward=times is not None)
        )
        if len(rows) > MANY and len(held_out) > MOST_HELD_OUT:
            held_out = _drawn(held_out, MOST_HELD_OUT, seed, 0)
        yield learned, held_out


def _drawn(rows: Indices, count: int, seed: int, index: int) -> Indices:
    return np.sort(rows[Stream(seed, STREAM, index).permutation(len(rows))[:count]])


def _member(learner: Learner, shared: TrainingData, rows: Indices) -> Any:
    """A learner fitted to class codes or numbers."""
    weights = _of(shared.weights, rows)
    task: Any = "classification" if shared.classes else "regression"
    return prepare(learner, shared.part(rows).X, weights, task).fit(shared.y[rows], weights)


def _of(column: NDArray[Any] | None, rows: Indices) -> NDArray[Any] | None:
    return None if column is None else column[rows]

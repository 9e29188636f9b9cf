"""What comes after the folds: the verdict, and a closer look at the recommended learner."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hornbook.evaluation import LearningCurve, Scores, Verdict, measure_by_name
from hornbook.studies._results import ColumnImportance
from hornbook.studies.prepare._portfolio import Candidate
from hornbook.studies.prepare._prepare import PreparedStudy
from hornbook.studies.prepare._setting_text import setting_text
from hornbook.studies.prepare._training_data import TrainingData
from hornbook.studies.run._gather_scores import Gathered, out_of_fold
from hornbook.studies.run._importance import ImportanceTask
from hornbook.studies.run._tasks import CurveTask, FullFitTask
from hornbook.studies.run._worker_pool import WorkerPool

__all__ = ["Explained", "FailedTask", "all_done", "explain", "judge"]

SHARES = (0.1, 0.325, 0.55, 0.775, 1.0)  # of the training rows, in the learning curve
LOOKS = 3  # folds that the learning curve and the importance of columns are measured in
MOST_SLOW = 1_000_000  # predictions that other measures are corrected for the choice with


def judge(gathered: Gathered, prepared: PreparedStudy) -> tuple[Verdict | None, str]:
    """Judge the folds that all learners without a failure have finished.

    Parameters
    ----------
    gathered : Gathered
        Results of the folds.
    prepared : PreparedStudy
        The study.

    Returns
    -------
    verdict, reason
        The verdict, or None and why there is none.
    """
    scores, common, settings = gathered.scores, gathered.common, prepared.settings
    if len(common) < 2:
        if len(scores.errors) == len(scores.names):
            broken = "; ".join(f"{name}: {error.rstrip('.')}" for name, error in scores.errors.items())
            return None, f"No learner could be fitted. {broken}."
        return None, f"All learners finished {len(common)} folds in common; a verdict needs 2."
    part = Scores(
        scores.measure,
        scores.greater_is_better,
        scores.names,
        scores.values[:, common],
        scores.n_train[common],
        scores.n_test[common],
        scores.errors,
        scores.seconds,
        scores.stored,
        positive=scores.positive,
    )
    whole = _complete_repeats(common, settings.cv, len(prepared.folds))
    by_rows = measure_by_name(scores.measure).row_mean is not None
    if by_rows or prepared.training.y.size * len(scores.names) * len(whole) <= MOST_SLOW:
        part = replace(part, out_of_fold=out_of_fold(gathered, prepared.training, whole))
    assert settings.equivalence is not None  # filled in before
    return Verdict.of(part, alpha=settings.alpha, equivalence=settings.equivalence), ""


def _complete_repeats(common: NDArray[np.intp], cv: int, repeats: int) -> list[int]:
    return [r for r in range(repeats) if np.isin(np.arange(r * cv, (r + 1) * cv), common).all()]


@dataclass(frozen=True)
class Explained:
    """A closer look at the recommended learner."""

    model: Any = None
    setting: Mapping[str, Any] = field(default_factory=dict)
    curve: LearningCurve | None = None
    importance: tuple[ColumnImportance, ...] = ()


def explain(
    candidate: Candidate,
    prepared: PreparedStudy,
    team: WorkerPool,
    seconds_left: float | None,
    say: Callable[[str], None],
) -> Explained:
    """Fit the recommended learner to all rows, and see how it learns and from what.

    Parameters
    ----------
    candidate : Candidate
        The recommended learner.
    prepared : PreparedStudy
        The study.
    team : WorkerPool
        The worker processes.
    seconds_left : float, optional
        What is left of the budget; no limit when None.
    say : function
        Takes a sentence about each failure.
    """
    results = all_done(team, _tasks(candidate, prepared, seconds_left, say))
    fitted = results.pop(("model", 0))
    model, setting = None, {}
    if isinstance(fitted, FailedTask):
        say(f"model: none, because {candidate.name} could not be fitted to all rows: {fitted.error}")
    else:
        model, setting = fitted.model, fitted.setting
        if setting:
            say(f"model: {candidate.name} with {setting_text(setting)}, chosen on all rows")
        if prepared.training.features.schema.named:
            model.target_name_ = prepared.settings.target  # the workers' array has no name
    curves = [results[key] for key in sorted(results) if key[0] == "curve"]
    drops = [results[key] for key in sorted(results) if key[0] == "importance"]
    for what, parts in (("learning curve", curves), ("importance of columns", drops)):
        broken = next((part.error for part in parts if isinstance(part, FailedTask)), None)
        if broken is not None:
            say(f"{what}: not measured, because {candidate.name} failed: {broken}")
    curve = None if not curves or _broken(curves) else _joined(curves)
    names = prepared.training.features.schema.names
    importance = () if not drops or _broken(drops) else _ranked(names, np.concatenate(drops))
    return Explained(model, setting, curve, importance)


@dataclass(frozen=True)
class FailedTask:
    error: str


def _broken(parts: list[Any]) -> bool:
    return any(isinstance(part, FailedTask) for part in parts)


def _tasks(
    candidate: Candidate, prepared: PreparedStudy, seconds_left: float | None, say: Callable[[str], None]
) -> dict[tuple[str, int], Any]:
    settings, training = prepared.settings, prepared.training
    metric, recipe = str(settings.metric), prepared.recipe(candidate)
    tasks: dict[tuple[str, int], Any] = {("model", 0): FullFitTask(recipe)}
    if seconds_left is not None and seconds_left <= 0:
        say("budget: used up, so learning curve and importance of columns are skipped")
        return tasks
    folds = range(min(LOOKS, settings.cv))
    for fold in folds:
        counts = _counts(prepared.folds[0], training)
        tasks["curve", fold] = CurveTask(recipe, fold, counts, metric, settings.seed)
    for fold in folds:
        tasks["importance", fold] = ImportanceTask(recipe, fold, metric, settings.seed)
    return tasks


def _counts(fold_of: NDArray[np.int64], training: TrainingData) -> tuple[int, ...]:
    """Training set sizes; the same in all folds, up to the smallest training set."""
    largest = np.bincount(fold_of).max()
    most = len(fold_of) - int(largest)
    least = min(most, max(5, 2 * len(training.classes)))
    return tuple(sorted({max(least, round(share * most)) for share in SHARES}))


def all_done(team: WorkerPool, tasks: dict[tuple[str, int], Any]) -> dict[tuple[str, int], Any]:
    """Results of all tasks; of those that failed, the error."""
    waiting = list(tasks.items())
    results: dict[tuple[str, int], Any] = {}
    while len(results) < len(tasks):
        while waiting and team.idle:
            team.submit(*waiting.pop(0))
        for outcome in team.wait():
            done = outcome.kind == "done"
            results[outcome.label] = outcome.result if done else FailedTask(outcome.error)
    return results


def _joined(parts: list[LearningCurve]) -> LearningCurve:
    train, test = (np.hstack([getattr(part, name) for part in parts]) for name in ("train", "test"))
    return replace(parts[0], train=train, test=test)


def _ranked(names: tuple[str, ...], drops: NDArray[np.float64]) -> tuple[ColumnImportance, ...]:
    spread = drops.std(axis=0, ddof=1) if len(drops) > 1 else np.zeros(drops.shape[1])
    columns = [
        ColumnImportance(name, float(mean), float(sd))
        for name, mean, sd in zip(names, drops.mean(axis=0), spread, strict=True)
    ]
    return tuple(sorted(columns, key=lambda column: -column.mean))

"""What comes after the folds: the verdict, and a closer look at the recommended learner."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hornbook.evaluation import LearningCurve, Verdict, measure_by_name, raced
from hornbook.studies._explanation import ColumnTarget, Explanation, Slice
from hornbook.studies._held_out import HeldOutScores
from hornbook.studies._results import ColumnImportance
from hornbook.studies.decide._calibration import CalibrationGain, calibration_gain
from hornbook.studies.explain._column_targets import column_targets
from hornbook.studies.explain._importance import ImportanceTask, Worsened, p_values
from hornbook.studies.explain._slices import worst_slices
from hornbook.studies.prepare._folds import training_and_test
from hornbook.studies.prepare._portfolio import Candidate
from hornbook.studies.prepare._prepare import PreparedStudy
from hornbook.studies.prepare._setting_text import setting_words
from hornbook.studies.prepare._training_data import TrainingData
from hornbook.studies.run._explain_model import ExplanationTask
from hornbook.studies.run._gather_scores import Gathered, out_of_fold
from hornbook.studies.run._held_out_test import HeldOutTask, held_out_scores
from hornbook.studies.run._plan import looks_for
from hornbook.studies.run._row_answers import more_rows, row_answers, row_errors
from hornbook.studies.run._tasks import CurveTask, FullFitTask
from hornbook.studies.run._worker_pool import FailedTask, WorkerPool, all_done

__all__ = ["CLOSER_FITS", "Explained", "explain", "judge"]

SHARES = (0.1, 0.325, 0.55, 0.775, 1.0)  # of the training rows, in the learning curve
LOOKS = 3  # folds that the learning curve and the importance of columns are measured in
CLOSER_FITS = 1 + LOOKS * (1 + sum(SHARES))  # to all rows, for the importance of columns, for the curve
MOST_EFFECTS = 6  # columns whose effect on the predictions is shown
MOST_WORKINGS = 3  # rows
MOST_ROWS = 100_000  # by which columns and slices are judged
MOST_SLOW = 1_000_000  # predictions that other measures are corrected for the choice with


def judge(gathered: Gathered, prepared: PreparedStudy) -> tuple[Verdict | None, str]:
    """Judge the folds that all learners have finished that neither failed nor were stopped.

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
    assert settings.equivalence is not None  # filled in before
    looks = looks_for(settings, settings.repeats)
    scores = raced(scores, looks, alpha=settings.alpha, equivalence=settings.equivalence)
    part = replace(
        scores, values=scores.values[:, common], n_train=scores.n_train[common], n_test=scores.n_test[common]
    )
    whole = _complete_repeats(common, settings.cv, len(prepared.folds))
    by_rows = measure_by_name(scores.measure).row_mean is not None
    if by_rows or prepared.training.y.size * len(scores.names) * len(whole) <= MOST_SLOW:
        part = replace(part, out_of_fold=out_of_fold(gathered, prepared.training, whole, scores.stopped))
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
    explanation: Explanation | None = None
    held_out: HeldOutScores | None = None
    calibration: CalibrationGain | None = None


def explain(
    candidate: Candidate,
    prepared: PreparedStudy,
    gathered: Gathered,
    team: WorkerPool,
    say: Callable[[str], None],
    *,
    closely: bool,
) -> Explained:
    """Fit the recommended learner to all rows, and see how it learns and from what.

    Parameters
    ----------
    candidate : Candidate
        The recommended learner.
    prepared : PreparedStudy
        The study.
    gathered : Gathered
        Results of the folds.
    team : WorkerPool
        The worker processes.
    say : function
        Takes a sentence about each failure.
    closely : bool
        Whether there is time for more than the model.
    """
    gain = _calibration(candidate, prepared, gathered)
    temperature = gain.temperature if gain is not None and gain.used else None
    if gain is not None:
        say(f"calibration: {gain.sentence}")
    results = all_done(team, _tasks(candidate, prepared, temperature, closely=closely))
    fitted = results.pop(("model", 0))
    model, setting = None, {}
    if isinstance(fitted, FailedTask):
        say(f"model: none, because {candidate.name} could not be fitted to all rows: {fitted.error}")
    else:
        model, setting = fitted.model, fitted.setting
        if setting:
            say(f"model: {candidate.name} with {setting_words(setting)}, chosen on all rows")
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
    importance = () if not drops or _broken(drops) else _ranked(names, drops)
    looked = Explained(model, setting, curve, importance, calibration=gain)
    if model is not None and prepared.held_out is not None:
        looked = replace(looked, held_out=_tested(model, candidate.name, prepared, team, say))
    if model is None or not closely:
        return looked
    return replace(looked, explanation=_explanation(looked, candidate.name, prepared, gathered, team, say))


def _calibration(candidate: Candidate, prepared: PreparedStudy, gathered: Gathered) -> CalibrationGain | None:
    """Whether the model should be calibrated, by its out-of-fold predictions."""
    training, predictions, name = prepared.training, gathered.predictions, candidate.name
    # Where mistakes have costs, thresholds are chosen for the probabilities as they are.
    unfit = training.costs is not None or name == prepared.candidates[0].name
    if unfit or predictions.kinds.get(name) != "probabilities":
        return None
    repeats = list(zip(predictions.folds, predictions.answers[name], strict=True))
    alpha, forward = prepared.settings.alpha, training.times is not None
    return calibration_gain(training.y, repeats, training.weights, alpha=alpha, forward=forward)


def _tested(
    model: Any, name: str, prepared: PreparedStudy, team: WorkerPool, say: Callable[[str], None]
) -> HeldOutScores | None:
    """Scores on the test table, and those of the baseline, which is always the first candidate."""
    assert prepared.held_out is not None
    # In this process: a baseline is fitted sooner than a worker would be asked.
    usual = prepared.recipe(prepared.candidates[0]).fit(
        prepared.training, np.arange(len(prepared.training.y))
    )
    models = {("model", 0): model, ("baseline", 0): usual.model}
    done = all_done(team, {key: HeldOutTask(fitted, prepared.held_out) for key, fitted in models.items()})
    for key, outcome in done.items():
        if isinstance(outcome, FailedTask):
            who = name if key[0] == "model" else prepared.candidates[0].name
            say(f"test: not done, because {who} could not predict the rows: {outcome.error}")
            return None
    return held_out_scores(prepared, done["model", 0], done["baseline", 0], say)


def _explanation(
    looked: Explained,
    name: str,
    prepared: PreparedStudy,
    gathered: Gathered,
    team: WorkerPool,
    say: Callable[[str], None],
) -> Explanation:
    """Why the model predicts what it predicts, as far as it can be said."""
    rows, places = row_answers(gathered.predictions, name)
    columns, slices = _by_column(prepared, gathered, name)
    matter = tuple(column.column for column in looked.importance if column.mean > 0)[:MOST_EFFECTS]
    task = ExplanationTask(looked.model, matter, places[:MOST_WORKINGS], prepared.settings.seed)
    (outcome,) = all_done(team, {("explanation", 0): task}).values()
    words = more_rows(looked.curve)
    if isinstance(outcome, FailedTask):
        say(f"explanation: not complete, because {name} failed: {outcome.error}")
        return Explanation(rows=rows, more_rows=words, columns=columns, slices=slices)
    workings = [*outcome.workings, *[""] * (len(rows) - len(outcome.workings))]
    rows = tuple(replace(row, working=working) for row, working in zip(rows, workings, strict=True))
    return Explanation(outcome.effects, outcome.surrogate, rows, words, columns, slices)


def _by_column(
    prepared: PreparedStudy, gathered: Gathered, name: str
) -> tuple[tuple[ColumnTarget, ...], tuple[Slice, ...]]:
    """Each column against the target, and where the learner is worse than elsewhere."""
    training = prepared.training
    classes = tuple(map(str, training.classes))
    # Evenly spaced rows of a large table: all of them would not change two digits.
    some = np.unique(np.linspace(0, len(training.y) - 1, min(MOST_ROWS, len(training.y))).astype(np.intp))
    y = np.asarray(training.y, dtype=np.float64)[some]
    related = column_targets(training.features[some], y, classes, training.positive)
    errors, places = row_errors(gathered.predictions, name)
    if not len(places):
        return tuple(related), ()
    kept = np.flatnonzero(np.isin(places, some))
    return tuple(related), worst_slices(training.features[places[kept]], errors[kept])


def _broken(parts: list[Any]) -> bool:
    return any(isinstance(part, FailedTask) for part in parts)


def _tasks(
    candidate: Candidate, prepared: PreparedStudy, temperature: float | None, *, closely: bool
) -> dict[tuple[str, int], Any]:
    settings, training = prepared.settings, prepared.training
    metric, recipe = str(settings.metric), prepared.recipe(candidate)
    tasks: dict[tuple[str, int], Any] = {("model", 0): FullFitTask(replace(recipe, temperature=temperature))}
    if not closely:
        return tasks
    # In time the last folds, which have the most rows to train on.
    first = 0 if training.times is None else max(0, settings.cv - LOOKS)
    folds = range(first, first + min(LOOKS, settings.cv))
    counts = _counts(prepared.folds[0], training, folds)
    for fold in folds:
        tasks["curve", fold] = CurveTask(recipe, fold, counts, metric, settings.seed)
    for fold in folds:
        tasks["importance", fold] = ImportanceTask(recipe, fold, metric, settings.seed)
    return tasks


def _counts(fold_of: NDArray[np.int64], training: TrainingData, folds: range) -> tuple[int, ...]:
    """Training set sizes; the same in all folds, up to the smallest training set."""
    if training.times is not None:
        most = min(len(training_and_test(fold_of, fold, forward=True)[0]) for fold in folds)
    else:
        most = len(fold_of) - int(np.bincount(fold_of).max())
    least = min(most, max(5, 2 * len(training.classes)))
    return tuple(sorted({max(least, round(share * most)) for share in SHARES}))


def _joined(parts: list[LearningCurve]) -> LearningCurve:
    train, test = (np.hstack([getattr(part, name) for part in parts]) for name in ("train", "test"))
    return replace(parts[0], train=train, test=test)


def _ranked(names: tuple[str, ...], parts: Sequence[Worsened]) -> tuple[ColumnImportance, ...]:
    drops = np.concatenate([part.drops for part in parts])
    spread = drops.std(axis=0, ddof=1) if len(drops) > 1 else np.zeros(drops.shape[1])
    columns = [
        ColumnImportance(name, float(mean), float(sd), float(p))
        for name, mean, sd, p in zip(names, drops.mean(axis=0), spread, p_values(parts), strict=True)
    ]
    return tuple(sorted(columns, key=lambda column: -column.mean))

"""Learners compared on the same folds."""

from __future__ import annotations

import inspect
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.base import is_classifier, is_regressor

from hornbook.evaluation.comparison._model_size import stored_numbers
from hornbook.evaluation.comparison._scores import OutOfFold, Scores
from hornbook.evaluation.comparison._verdict import Verdict
from hornbook.evaluation.folds._fold import failure, fit_rows
from hornbook.evaluation.folds._predictions import answers_of, can_answer
from hornbook.evaluation.metrics._labels import positive_of
from hornbook.evaluation.metrics._measure import Measure, as_measure, measure_by_name
from hornbook.evaluation.splits._kfold import RepeatedKFold, Splitter
from hornbook.evaluation.splits._rows import count_rows, same_rows, take_rows
from hornbook.evaluation.splits._stratified import RepeatedStratifiedKFold
from hornbook.frame import Frame, as_frame

__all__ = ["Job", "compare", "score_folds"]

EQUIVALENCE = 0.01  # of the measure; of the standard deviation of the target for errors in its own unit


@dataclass(frozen=True)
class Job:
    """What all learners are asked to do: the rows, the folds and the measure.

    Parameters
    ----------
    X : table
        The features, as they were passed.
    frame : Frame
        The features as a Frame, whose categories are known in every fold.
    y : ndarray of shape (n_rows,)
        The target.
    folds : sequence of pairs of ndarray
        Training and test rows.
    measure : Measure
        How answers are scored.
    options : mapping
        Further arguments of the measure.
    labels : list, optional
        The classes, of a classification.
    sample_weight : ndarray of shape (n_rows,), optional
        Weights of the rows; every row counts once when left out.
    """

    X: Any
    frame: Frame
    y: NDArray[Any]
    folds: Sequence[tuple[NDArray[np.intp], NDArray[np.intp]]]
    measure: Measure
    options: Mapping[str, Any]
    labels: list[Any] | None
    sample_weight: NDArray[np.float64] | None


@dataclass
class FoldScore:
    """What one learner did in one fold."""

    score: float = np.nan
    seconds: float = np.nan
    stored: float = np.nan
    answers: NDArray[Any] | None = None
    error: str = ""


def compare(
    learners: Mapping[str, Any] | Sequence[Any],
    X: Any,
    y: Any = None,
    *,
    measure: str | Measure | None = None,
    measure_options: Mapping[str, Any] | None = None,
    cv: Splitter | int | None = None,
    groups: Any = None,
    sample_weight: Any = None,
    alpha: float = 0.05,
    equivalence: float | None = None,
    progress: bool | None = None,
) -> Verdict:
    """Compare learners on the same folds and say which of them can be told apart.

    Each learner is compared with the best by a test that pays for choosing the best on the same scores, with
    the variance of the corrected resampled t-test. What it rejects is worse; the others are tied best, or too
    noisy to rank. The simplest of the tied that is not likely worse is recommended, or Baseline if nothing
    beats it. A learner that fails in a fold is shown, not ranked.

    Parameters
    ----------
    learners : mapping of str to estimator, or sequence of estimators
        The learners, by name or named after their class.
    X : Frame, DataFrame or array-like of shape (n_rows, n_columns)
        The table. A Frame with a target needs no y.
    y : array-like of shape (n_rows,), optional
        The target.
    measure : str or measure, optional
        Log loss if all learners give probabilities, else error rate; root mean squared error for numbers.
    measure_options : mapping, optional
        Further arguments of the measure, such as ``{"average": "macro"}``, or ``{"positive": "ill"}`` for
        precision, recall and their kin; of two classes they are about 1, or else the one that sorts last.
    cv : splitter or int, optional
        How rows are cut into folds, or how many folds there are in each of 3 repeats, stratified for classes
        and always the same ones; 10 when left out.
    groups : array-like of shape (n_rows,), optional
        Group of each row, for splitters that keep groups together.
    sample_weight : array-like of shape (n_rows,), optional
        Weights of the rows; every row counts once when left out.
    alpha : float, default 0.05
        Probability of calling any learner worse that is as good as the best, region of equivalence included.
    equivalence : float, optional
        Differences up to this are of no practical interest: 0.01 of the measure when left out, or for
        errors in the unit of the target 0.01 of its standard deviation.
    progress : bool, optional
        Whether a progress bar is shown on standard error; on a terminal when left out.

    Returns
    -------
    Verdict
        Prints as a sentence and a table, and gives plain data by ``to_dict()``.

    Examples
    --------
    >>> from hornbook import Baseline, NaiveBayes, datasets
    >>> from hornbook.evaluation import StratifiedKFold
    >>> folds = StratifiedKFold(5, shuffle=True, random_state=0)
    >>> verdict = compare([NaiveBayes(), Baseline()], datasets.iris(), cv=folds)
    >>> verdict.best, verdict.winners
    ('NaiveBayes', ('NaiveBayes',))
    """
    named = _named(learners)
    job = _job(named, X, y, (measure, measure_options or {}), cv, groups, sample_weight)
    scores = _scores(named, job, progress=sys.stderr.isatty() if progress is None else progress)
    if equivalence is None:
        in_units = job.measure.name in ("rmse", "mae")
        equivalence = EQUIVALENCE * float(np.std(job.y.astype(np.float64))) if in_units else EQUIVALENCE
    return Verdict.of(scores, alpha=alpha, equivalence=equivalence)


def _named(learners: Mapping[str, Any] | Sequence[Any]) -> dict[str, Any]:
    if isinstance(learners, Mapping):
        named = {str(name): learner for name, learner in learners.items()}
    else:
        named = {}
        for learner in learners:
            name = base = type(learner).__name__
            number = 1
            while name in named:
                number += 1
                name = f"{base} {number}"
            named[name] = learner
    if not named:
        raise ValueError("compare needs at least one learner; got none.")
    for name, learner in named.items():
        if not (is_classifier(learner) or is_regressor(learner)):
            raise TypeError(f"{name!r} is neither a classifier nor a regressor: {learner!r}.")
    if len({is_classifier(learner) for learner in named.values()}) > 1:
        raise TypeError("compare takes classifiers or regressors, not both at once.")
    return named


def _job(
    named: dict[str, Any],
    X: Any,
    y: Any,
    asked: tuple[str | Measure | None, Mapping[str, Any]],
    cv: Splitter | int | None,
    groups: Any,
    sample_weight: Any,
) -> Job:
    if isinstance(X, Frame):
        y, groups = X.y if y is None else y, X.groups if groups is None else groups
        sample_weight, X = X.w if sample_weight is None else sample_weight, X.features
    if y is None:
        raise ValueError("compare needs a target: pass y, or a Frame with a target.")
    n_rows = count_rows(X)
    columns = same_rows(n_rows, y=y, groups=groups, sample_weight=sample_weight)
    target, weights = np.asarray(columns["y"]), columns["sample_weight"]
    classes = is_classifier(next(iter(named.values())))
    measure, options = asked
    chosen = _default_measure(named, classes=classes) if measure is None else as_measure(measure)
    for name, learner in named.items():
        if not can_answer(learner, chosen.needs):
            raise TypeError(
                f"{chosen.name} needs {chosen.needs}, which {name!r} does not give: choose another measure."
            )
    folds = list(_splitter(cv, classes=classes).split(X, target, columns["groups"]))
    labels = np.unique(target).tolist() if classes else None
    options = _with_positive(chosen, options, labels)
    weights = None if weights is None else weights.astype(np.float64)
    return Job(X, as_frame(X), target, folds, chosen, options, labels, weights)


def _with_positive(
    measure: Measure, options: Mapping[str, Any], labels: list[Any] | None
) -> Mapping[str, Any]:
    """Fix the positive one of two classes for all folds, as a fold may lack one of them."""
    takes_one = measure.needs == "labels" and "positive" in inspect.signature(measure).parameters
    if not takes_one or labels is None or len(labels) != 2 or {"positive", "average"} & set(options):
        return options
    return {**options, "positive": positive_of("compare", labels, None, last=True)}


def _splitter(cv: Splitter | int | None, *, classes: bool) -> Splitter:
    if cv is None or (isinstance(cv, int | np.integer) and not isinstance(cv, bool)):
        kind = RepeatedStratifiedKFold if classes else RepeatedKFold
        return kind(n_splits=10 if cv is None else int(cv), n_repeats=3, random_state=0)
    if isinstance(cv, int | str) or not hasattr(cv, "split"):
        raise TypeError(f"compare: parameter 'cv' must be a whole number >= 2 or a splitter; got {cv!r}.")
    return cv


def _default_measure(named: dict[str, Any], *, classes: bool) -> Measure:
    if not classes:
        return measure_by_name("rmse")
    all_give = all(can_answer(learner, "probabilities") for learner in named.values())
    return measure_by_name("log_loss" if all_give else "error_rate")


def _scores(named: dict[str, Any], job: Job, *, progress: bool) -> Scores:
    results: dict[str, list[FoldScore]] = {}
    with _bar(len(named) * len(job.folds), shown=progress) as advance:
        for name, learner in named.items():
            results[name] = []
            for found in score_folds(learner, job):
                results[name].append(found)
                advance(name)
    sizes = np.array([[len(train), len(test)] for train, test in job.folds], dtype=np.int64)
    return Scores(
        job.measure.name,
        job.measure.greater_is_better,
        tuple(named),
        np.array([[found.score for found in results[name]] for name in named]),
        sizes[:, 0],
        sizes[:, 1],
        errors={name: _first_error(found) for name, found in results.items() if _first_error(found)},
        seconds={name: _mean([f.seconds for f in found if not f.error]) for name, found in results.items()},
        stored={name: _mean([f.stored for f in found if not f.error]) for name, found in results.items()},
        out_of_fold=_out_of_fold(job, results),
        reference=next((name for name, learner in named.items() if _ignores_columns(learner)), None),
        positive=str(job.options["positive"]) if "positive" in job.options else None,
    )


def _ignores_columns(learner: Any) -> bool:
    """Whether a learner is the yardstick that every other should beat, ours or scikit-learn's."""
    return type(learner).__name__ in ("Baseline", "DummyClassifier", "DummyRegressor")


def _mean(values: list[float]) -> float | None:
    return float(np.mean(values)) if values else None


def _first_error(found: list[FoldScore]) -> str:
    return next((f.error for f in found if f.error), "")


def score_folds(learner: Any, job: Job) -> Iterator[FoldScore]:
    """Fit and score a learner in each fold; a fold that fails gives its sentence instead of a score.

    Parameters
    ----------
    learner : estimator
        Cloned for each fold.
    job : Job
        The rows, the folds and the measure.
    """
    for train, test in job.folds:
        try:
            yield _score_fold(learner, job, train, test)
        except Exception as error:  # noqa: BLE001 - one learner's failure must not end the comparison
            yield FoldScore(error=failure(error))


def _score_fold(learner: Any, job: Job, train: NDArray[np.intp], test: NDArray[np.intp]) -> FoldScore:
    weights = job.sample_weight
    table = job.frame if hasattr(learner, "accepts") else job.X  # our own learners read a Frame as it is
    model, seconds = fit_rows(learner, table, job.y, train, weights)
    answers = answers_of(model, take_rows(table, test), job.measure.needs, job.labels)
    settings = {**job.options, "sample_weight": None if weights is None else weights[test]}
    if job.measure.needs in ("probabilities", "scores"):
        settings["labels"] = job.labels
    score = job.measure(job.y[test], answers, **settings)
    return FoldScore(float(score), seconds, stored_numbers(model), answers)


def _out_of_fold(job: Job, results: dict[str, list[FoldScore]]) -> OutOfFold | None:
    """Predictions of all rows, repeat by repeat; None unless each repeat tests every row once."""
    n_rows, tests = len(job.y), [test for _, test in job.folds]
    repeats: list[list[int]] = [[]]
    covered = 0
    for k, test in enumerate(tests):
        repeats[-1].append(k)
        covered += len(test)
        if covered == n_rows and k + 1 < len(tests):
            repeats.append([])
            covered = 0
    whole = [np.concatenate([tests[k] for k in group]) for group in repeats]
    if any(len(rows) != n_rows or len(np.unique(rows)) != n_rows for rows in whole):
        return None
    answers: dict[str, list[NDArray[Any]]] = {}
    for name, found in results.items():
        if any(f.answers is None for f in found):
            continue
        answers[name] = [
            _in_order(rows, [np.asarray(found[k].answers) for k in group])
            for rows, group in zip(whole, repeats, strict=True)
        ]
    return OutOfFold(job.y, answers, job.sample_weight, job.labels, job.options)


def _in_order(rows: NDArray[np.intp], pieces: Iterable[NDArray[Any]]) -> NDArray[Any]:
    joined = np.concatenate(list(pieces))
    out = np.empty_like(joined)
    out[rows] = joined
    return out


@contextmanager
def _bar(total: int, *, shown: bool) -> Iterator[Callable[[str], None]]:
    if not shown:
        yield lambda _: None
        return
    from rich.console import Console  # noqa: PLC0415 - only for those who look
    from rich.progress import Progress  # noqa: PLC0415

    console = Console(stderr=True)
    with Progress(console=console, transient=console.is_terminal) as bar:
        task = bar.add_task("comparing", total=total)
        yield lambda name: bar.update(task, advance=1, description=name)

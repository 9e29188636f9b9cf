"""Learners compared on the same folds."""

from __future__ import annotations

import inspect
import sys
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.base import is_classifier, is_regressor

from hornbook.evaluation.comparison._fold_scores import (
    FoldScore,
    first_errors,
    mean_seconds,
    mean_stored,
    named_learners,
    progress_bar,
    score_table,
)
from hornbook.evaluation.comparison._model_size import stored_numbers
from hornbook.evaluation.comparison._scores import OutOfFold, Scores
from hornbook.evaluation.comparison._verdict import Verdict
from hornbook.evaluation.folds._dataset import Dataset, measure_for
from hornbook.evaluation.folds._failure import failure
from hornbook.evaluation.folds._predictions import answers_of, can_answer, score_of
from hornbook.evaluation.metrics._defaults import default_equivalence
from hornbook.evaluation.metrics._labels import positive_of
from hornbook.evaluation.metrics._measure import Measure
from hornbook.evaluation.splits._kfold import RepeatedKFold, Split, Splitter
from hornbook.evaluation.splits._stratified import RepeatedStratifiedKFold

__all__ = ["compare"]


@dataclass(frozen=True)
class _Job:
    """What all learners are asked to do: the rows, the folds, the measure and its options."""

    data: Dataset
    folds: list[Split]
    measure: Measure
    options: Mapping[str, Any]
    labels: list[Any] | None  # the classes, of a classification


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
    data = Dataset.of("compare", X, y, groups, sample_weight)
    job = _job(named, data, measure_for(named.values(), measure), measure_options or {}, cv)
    scores = _scores(named, job, progress=sys.stderr.isatty() if progress is None else progress)
    if equivalence is None:
        equivalence = default_equivalence(job.measure, data.y)
    return Verdict.of(scores, alpha=alpha, equivalence=equivalence)


def _named(learners: Mapping[str, Any] | Sequence[Any]) -> dict[str, Any]:
    named = named_learners("compare", learners)
    for name, learner in named.items():
        if not (is_classifier(learner) or is_regressor(learner)):
            raise TypeError(f"{name!r} is neither a classifier nor a regressor: {learner!r}.")
    if len({is_classifier(learner) for learner in named.values()}) > 1:
        raise TypeError("compare takes classifiers or regressors, not both at once.")
    return named


def _job(
    named: dict[str, Any],
    data: Dataset,
    measure: Measure,
    options: Mapping[str, Any],
    cv: Splitter | int | None,
) -> _Job:
    for name, learner in named.items():
        if not can_answer(learner, measure.needs):
            raise TypeError(
                f"{measure.name} needs {measure.needs}, which {name!r} does not give: choose another measure."
            )
    classes = is_classifier(next(iter(named.values())))
    # Drawn once, as a list: every learner is scored on identical folds, which makes the tests paired.
    folds = list(_splitter(cv, classes=classes).split(data.X, data.y, data.groups))
    labels = np.unique(data.y).tolist() if classes else None
    return _Job(data, folds, measure, _with_positive(measure, options, labels), labels)


def _with_positive(
    measure: Measure, options: Mapping[str, Any], labels: list[Any] | None
) -> Mapping[str, Any]:
    """Fix the positive one of two classes for all folds, as a fold may lack one of them."""
    takes_one = measure.needs == "labels" and "positive" in inspect.signature(measure).parameters
    if not takes_one or labels is None or len(labels) != 2 or {"positive", "average"} & set(options):
        return options
    return {**options, "positive": positive_of("compare", labels, None)}


def _splitter(cv: Splitter | int | None, *, classes: bool) -> Splitter:
    if cv is None or (isinstance(cv, int | np.integer) and not isinstance(cv, bool)):
        kind = RepeatedStratifiedKFold if classes else RepeatedKFold
        # 10 folds, 3 repeats: 30 scores. More repeats reduce the variance of the splits only, and the
        # corrected test gains little beyond (Bouckaert and Frank 2004). The seed is fixed: a
        # comparison is repeatable.
        return kind(n_splits=10 if cv is None else int(cv), n_repeats=3, random_state=0)
    # bool is an int: cv=True would mean one fold.
    if isinstance(cv, int | str) or not hasattr(cv, "split"):
        raise TypeError(f"compare: parameter 'cv' must be a whole number >= 2 or a splitter; got {cv!r}.")
    return cv


def _scores(named: dict[str, Any], job: _Job, *, progress: bool) -> Scores:
    results: dict[str, list[FoldScore]] = {name: [] for name in named}
    with progress_bar(len(named) * len(job.folds), shown=progress) as advance:
        # Fold by fold, not learner by learner: what one learner makes of the rows serves the next, and is
        # freed with the fold.
        for rows in job.data.folds_for(named, job.folds):
            for name, learner in named.items():
                results[name].append(_score_fold(learner, job, *rows[name]))
                advance(name)
    sizes = np.array([[len(train), len(test)] for train, test in job.folds], dtype=np.int64)
    return Scores(
        job.measure.name,
        job.measure.greater_is_better,
        tuple(named),
        score_table(results),
        sizes[:, 0],
        sizes[:, 1],
        errors=first_errors(results),
        seconds=mean_seconds(results),
        stored=mean_stored(results),
        out_of_fold=_out_of_fold(job, results),
        reference=next((name for name, learner in named.items() if _ignores_columns(learner)), None),
        positive=str(job.options["positive"]) if "positive" in job.options else None,
    )


def _ignores_columns(learner: Any) -> bool:
    """Whether a learner is the yardstick that every other should beat, ours or scikit-learn's."""
    return type(learner).__name__ in ("Baseline", "DummyClassifier", "DummyRegressor")


def _score_fold(learner: Any, job: _Job, train: Dataset, test: Dataset) -> FoldScore:
    """Fit and score a learner in one fold; one that fails gives its sentence instead of a score."""
    measure = job.measure
    try:
        fitted = train.fit(learner)
        predicted = answers_of(fitted.model, test.X, measure.needs, job.labels)
        # The labels of the whole table: a fold without a class must not change the meaning of
        # columns.
        score = score_of(measure, test.y, predicted, job.labels, test.weights, **job.options)
        return FoldScore(score, fitted.seconds, stored_numbers(fitted.model), predicted)
    except Exception as error:  # noqa: BLE001 - one learner's failure must not end the comparison
        return FoldScore(error=failure(error))


def _out_of_fold(job: _Job, results: dict[str, list[FoldScore]]) -> OutOfFold | None:
    """Predictions of all rows, repeat by repeat; None unless each repeat tests every row once."""
    n_rows, tests = len(job.data), [test for _, test in job.folds]
    # Splitters do not say where a repeat ends; it does where as many rows have been tested as there are.
    repeats: list[list[int]] = [[]]
    covered = 0
    for k, test in enumerate(tests):
        repeats[-1].append(k)
        covered += len(test)
        if covered == n_rows and k + 1 < len(tests):
            repeats.append([])
            covered = 0
    whole = [np.concatenate([tests[k] for k in group]) for group in repeats]
    # Bootstrap samples and hold-outs do not test every row exactly once per repeat.
    if any(len(rows) != n_rows or len(np.unique(rows)) != n_rows for rows in whole):
        return None
    predicted: dict[str, list[NDArray[Any]]] = {}
    for name, folds in results.items():
        if any(fold.predicted is None for fold in folds):
            continue
        predicted[name] = [
            _in_order(rows, [np.asarray(folds[k].predicted) for k in group])
            for rows, group in zip(whole, repeats, strict=True)
        ]
    return OutOfFold(job.data.y, predicted, job.data.weights, job.labels, job.options)


def _in_order(rows: NDArray[np.intp], pieces: Iterable[NDArray[Any]]) -> NDArray[Any]:
    joined = np.concatenate(list(pieces))
    out = np.empty_like(joined)
    out[rows] = joined
    return out

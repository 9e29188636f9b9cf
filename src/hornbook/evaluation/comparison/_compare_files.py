"""Learners compared by what they left behind: prediction files, or the folders of two runs."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from hornbook.evaluation.comparison._score_files import PredictionFile, read_predictions, read_scores
from hornbook.evaluation.comparison._scores import Scores
from hornbook.evaluation.comparison._verdict import Verdict
from hornbook.evaluation.folds._predictions import Predictions
from hornbook.evaluation.metrics._defaults import (
    EQUIVALENCE,
    default_equivalence,
    default_measure,
    row_mean_measures,
)
from hornbook.evaluation.metrics._measure import Measure, as_measure
from hornbook.evaluation.metrics._positive import PositiveMeasure, choose_positive, for_positive

__all__ = ["compare_predictions", "compare_runs"]


def compare_predictions(
    first: str | Path,
    second: str | Path,
    *,
    names: Sequence[str] | None = None,
    measure: str | Measure | None = None,
    positive: str | None = None,
    alpha: float = 0.05,
    equivalence: float | None = None,
) -> Verdict:
    """Compare two learners by their predictions for the same rows.

    With folds in the files, the scores of the folds are compared; without, the losses of the rows, which
    measures that are means over rows have.

    Parameters
    ----------
    first, second : str or path
        CSV files with the columns ``row``, ``truth``, ``prediction``, where there are folds ``fold`` (and
        ``repeat``), and for probabilities ``p(c)`` for each class c.
    names : pair of str, optional
        What the learners are called; the names of the files when left out.
    measure : str or measure, optional
        Log loss if both files have probabilities, else error rate; root mean squared error for numbers.
    positive : str, optional
        Of two classes the one that precision, recall, the F-measure and their kin are about; 1 or True, else
        the one that is rarer in the files, when left out. ``scores.positive`` of the verdict tells it.
    alpha : float, default 0.05
        Probability of calling equal learners different.
    equivalence : float, optional
        Differences up to this are of no practical interest: 0.01 of the measure when left out, or for
        errors in the unit of the target 0.01 of its standard deviation.

    Returns
    -------
    Verdict
        The verdict.

    Examples
    --------
    >>> import tempfile
    >>> from pathlib import Path
    >>> import polars as pl
    >>> truth = ["yes", "no", "yes", "yes", "no"]
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     for name, predicted in (("a", truth), ("b", ["no"] * 5)):
    ...         lines = pl.DataFrame({"row": range(5), "truth": truth, "prediction": predicted})
    ...         lines.write_csv(Path(folder, f"{name}.csv"))
    ...     compare_predictions(Path(folder, "a.csv"), Path(folder, "b.csv")).best
    'a'
    """
    files = read_predictions([first, second])
    called = [file.path.stem for file in files] if names is None else list(names)
    if len(set(called)) < 2:
        called = [str(file.path) for file in files]
    chosen = _with_positive(files[0], _measure(files, measure), positive)
    folds = files[0].folds
    # Folds if the files have them: folds carry the dependence between rows of one training set;
    # single rows of one test set are taken as independent.
    scores = _by_fold(files, called, chosen, folds) if len(folds) > 1 else _by_row(files, called, chosen)
    if equivalence is None:
        # Rows are compared by squared errors where folds are by their root, which has the target's unit.
        measured = chosen if scores.measure == chosen.name else as_measure(scores.measure)
        equivalence = default_equivalence(measured, files[0].column("truth"))
    return Verdict.of(scores, alpha=alpha, equivalence=equivalence)


def compare_runs(
    first: str | Path, second: str | Path, *, alpha: float = 0.05, equivalence: float = EQUIVALENCE
) -> Verdict:
    """Compare all learners of two runs that used the same folds.

    Parameters
    ----------
    first, second : str or path
        Folders with ``scores.csv``; learners are called by the folder and their name.
    alpha : float, default 0.05
        Probability of calling any learner worse that is as good as the best, region of equivalence included.
    equivalence : float, default 0.01
        Differences up to this are of no practical interest.

    Returns
    -------
    Verdict
        The verdict.

    Examples
    --------
    >>> import tempfile
    >>> from pathlib import Path
    >>> from hornbook.evaluation import Scores, write_scores
    >>> sizes = np.full(3, 10)
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     for name, values in (("one", [0.1, 0.2, 0.1]), ("two", [0.5, 0.6, 0.6])):
    ...         Path(folder, name).mkdir()
    ...         scores = Scores("mse", False, ["line"], np.array([values]), 2 * sizes, sizes)
    ...         write_scores(scores, Path(folder, name, "scores.csv"))
    ...     compare_runs(Path(folder, "one"), Path(folder, "two")).best
    'one/line'
    """
    runs = [read_scores(path) for path in (first, second)]
    one, two = runs
    if one.measure != two.measure:
        raise ValueError(f"the runs measured different things: {one.measure} and {two.measure}.")
    if one.positive != two.positive and None not in (one.positive, two.positive):
        raise ValueError(
            f"the runs have different positive classes, {one.positive!r} and {two.positive!r}: run both with "
            "the same one."
        )
    # Equal sizes are necessary, not sufficient; the files do not hold row numbers to compare.
    if not (np.array_equal(one.n_train, two.n_train) and np.array_equal(one.n_test, two.n_test)):
        raise ValueError(
            f"the folds of {first} and {second} do not match: {_folds(one)} and {_folds(two)}; run both on "
            "the same table with the same folds and seed."
        )
    folders = [Path(path).name for path in (first, second)]
    folders = folders if len(set(folders)) == 2 else [str(first), str(second)]
    labels = [
        {name: f"{folder}/{name}" for name in run.names} for folder, run in zip(folders, runs, strict=True)
    ]
    joined = Scores(
        one.measure,
        one.greater_is_better,
        [label[name] for label, run in zip(labels, runs, strict=True) for name in run.names],
        np.concatenate([one.values, two.values]),
        one.n_train,
        one.n_test,
        errors={lb[n]: v for lb, run in zip(labels, runs, strict=True) for n, v in run.errors.items()},
        seconds={lb[n]: v for lb, run in zip(labels, runs, strict=True) for n, v in run.seconds.items()},
        stored={lb[n]: v for lb, run in zip(labels, runs, strict=True) for n, v in run.stored.items()},
        reference=next(
            (lb[run.baseline] for lb, run in zip(labels, runs, strict=True) if run.baseline), None
        ),
        positive=one.positive,
    )
    return Verdict.of(joined, alpha=alpha, equivalence=equivalence)


def _measure(files: list[PredictionFile], measure: str | Measure | None) -> Measure:
    probabilities = all(file.labels for file in files)
    if measure is None:
        return default_measure(classes=files[0].is_classification, probabilities=probabilities)
    chosen = as_measure(measure)
    if chosen.needs in ("probabilities", "scores") and not probabilities:
        raise ValueError(
            f"{chosen.name} needs probabilities: both files need a column p(c) for each class c."
        )
    return chosen


def _with_positive(file: PredictionFile, measure: Measure, asked: str | None) -> Measure:
    labels, counts = np.unique(file.column("truth"), return_counts=True)
    if not file.is_classification or len(labels) != 2:
        if asked is not None:
            raise ValueError("positive is for two classes, which these files do not have: leave it out.")
        return measure
    label, _ = choose_positive(dict(zip(labels.tolist(), counts.tolist(), strict=True)), asked)
    if measure.needs == "scores":  # the columns of probabilities know their classes as text
        return for_positive(measure, file.labels, str(label))
    return for_positive(measure, labels.tolist(), label)


def _predictions(file: PredictionFile, measure: Measure) -> Predictions:
    truth = file.column("truth")
    if measure.needs in ("probabilities", "scores"):
        truth = truth.astype(str)  # as are the classes in the names of columns, whatever they look like
    return Predictions(file.column("prediction"), truth, tuple(file.labels), file.probabilities)


def _by_fold(
    files: list[PredictionFile], names: list[str], measure: Measure, folds: list[NDArray[np.intp]]
) -> Scores:
    predictions = [_predictions(file, measure) for file in files]
    values = np.array([[one.score(measure, rows) for rows in folds] for one in predictions])
    sizes = np.array([len(rows) for rows in folds], dtype=np.int64)
    n_rows = len(np.unique(files[0].column("row")))
    positive = str(measure.positive) if isinstance(measure, PositiveMeasure) else None
    better = measure.greater_is_better
    # Training rows are all others, as in cross-validation; the files do not say.
    return Scores(measure.name, better, names, values, n_rows - sizes, sizes, positive=positive)


def _by_row(files: list[PredictionFile], names: list[str], measure: Measure) -> Scores:
    row_mean = getattr(measure, "row_mean", None)
    if row_mean is None:
        raise ValueError(
            f"{measure.name} is not a mean over rows, by which models and files without a column 'fold' are "
            f"compared: choose one of {', '.join(row_mean_measures())}."
        )
    predictions = [_predictions(file, measure) for file in files]
    values = [row_mean.values(one.truth, one.needed(measure.needs), one.classes) for one in predictions]
    n_rows = len(values[0])
    name = row_mean.root_of or measure.name  # of single rows there is no root of a mean
    # n_train = 0 marks rows of one model: the folds share no training rows and nothing is corrected.
    none, single = np.zeros(n_rows, dtype=np.int64), np.ones(n_rows, dtype=np.int64)
    return Scores(name, measure.greater_is_better, names, np.array(values, dtype=np.float64), none, single)


def _folds(scores: Scores) -> str:
    return f"{len(scores.n_test)} folds of {int((scores.n_train + scores.n_test).max())} rows"

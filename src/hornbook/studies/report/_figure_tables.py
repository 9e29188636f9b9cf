"""The data of the figures, as tables."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from hornbook.display import Cell, Description, Table
from hornbook.evaluation import (
    CalibrationCurve,
    ConfusionTable,
    LearningCurve,
    Nemenyi,
    PrecisionRecallCurve,
    RocCurve,
    Verdict,
    bayesian_comparison,
)
from hornbook.params import Floats
from hornbook.studies._explanation import ColumnEffect
from hornbook.studies._results import ColumnImportance

__all__ = [
    "agreement",
    "calibration_table",
    "chances",
    "class_measures",
    "effects",
    "every_pair",
    "importance",
    "intervals",
    "learning",
    "mean_ranks",
    "mistakes",
    "model",
    "pr_table",
    "residuals",
    "roc_table",
]

WORST = 10  # rows with the largest errors
MOST_COLUMNS = 100
BANDS = 10  # of predictions, each with as many rows
FALSE_RATES = (0.01, 0.05, 0.1, 0.2, 0.5)  # at which ROC curves are read off
RECALLS = (0.1, 0.25, 0.5, 0.75, 0.9)  # at which precision is read off
MOST_PAIRED = 30  # learners in a table of every pair


def intervals(verdict: Verdict) -> Table:
    """Return mean and interval of each learner, best first."""
    rows: list[list[Cell]] = [
        [s.name, *([None] * 3 if s.mean is None else [s.mean.estimate, s.mean.low, s.mean.high]), s.badge]
        for s in verdict.standings
    ]
    head = ["learner", f"mean {verdict.scores.measure}", "low", "high", "verdict"]
    return Table("Means and their intervals", head, rows)


def mean_ranks(ranks: Nemenyi) -> Table:
    """Return the mean rank of each learner, best first."""
    order = np.argsort(ranks.mean_ranks, kind="stable").tolist()
    rows: list[list[Cell]] = [[ranks.names[i], float(ranks.mean_ranks[i])] for i in order]
    limit = f"critical difference {ranks.critical_difference:.4g}"
    return Table(f"Mean ranks over {ranks.n} folds, {limit}", ["learner", "mean rank"], rows)


def chances(verdict: Verdict) -> Table:
    """Return the probabilities of being better than, equal to and worse than the best."""
    rows: list[list[Cell]] = [
        [s.name, s.better, s.equal, s.worse] for s in verdict.standings if s.worse is not None
    ]
    return Table(f"Probability against {verdict.best}", ["learner", "better", "equal", "worse"], rows)


def effects(shown: Sequence[ColumnEffect]) -> Table:
    """Return the mean prediction for each value of each column."""
    rows: list[list[Cell]] = [
        [effect.column, str(value), mean, effect.meaning]
        for effect in shown
        for value, mean in zip(effect.values, effect.means, strict=True)
    ]
    return Table("Mean predictions", ["column", "value", "mean", "of"], rows)


def every_pair(verdict: Verdict) -> Table | None:
    """Return the probability that the learner of the row is better than that of the column."""
    scores = verdict.scores
    whole = [s for s in verdict.standings if s.mean is not None and s.folds is None]
    ranked = [s.name for s in whole][:MOST_PAIRED]
    values = {name: scores.values[list(scores.names).index(name)] for name in ranked}
    if len(ranked) < 3:
        return None
    rows: list[list[Cell]] = []
    for first in ranked:
        probabilities = [
            None if first == second else _better(verdict, values[first], values[second]) for second in ranked
        ]
        rows.append([first, *probabilities])
    return Table("Probability that the learner of the row is better", ["learner", *ranked], rows)


def _better(verdict: Verdict, first: Floats, second: Floats) -> float:
    return float(
        bayesian_comparison(
            first,
            second,
            rope=verdict.equivalence,
            # Corani and Benavoli (2015): the correlation of folds is taken as the share of test rows.
            correlation=verdict.scores.test_share,
            greater_is_better=verdict.scores.greater_is_better,
        ).better
    )


def class_measures(table: ConfusionTable) -> Table:
    """Return rows, recall, precision and F1 of each class."""
    rows: list[list[Cell]] = []
    for label, right, true, predicted in zip(
        table.labels, table.by_truth.diagonal(), table.true_totals, table.predicted_totals, strict=True
    ):
        recall = float(right / true) if true else None
        precision = float(right / predicted) if predicted else None
        # F1 = 2 TP / (2 TP + FP + FN), whose denominator is the sum of both totals; no division by recall.
        both = float(true + predicted)
        rows.append([str(label), float(true), recall, precision, float(2 * right / both) if both else None])
    return Table("Each class against all others", ["class", "rows", "recall", "precision", "F1"], rows)


def mistakes(table: ConfusionTable) -> Table | None:
    """Return the pairs of classes that are most often confused; None without mistakes."""
    counts = table.by_truth.copy()
    # The diagonal holds what was right.
    np.fill_diagonal(counts, 0.0)
    order = np.argsort(-counts, axis=None, kind="stable")[:WORST]
    totals, labels = table.true_totals, table.labels
    rows: list[list[Cell]] = [
        [str(labels[i]), str(labels[j]), float(counts[i, j]), float(counts[i, j] / totals[i])]
        for i, j in zip(*(axis.tolist() for axis in np.unravel_index(order, counts.shape)), strict=True)
        if counts[i, j] > 0
    ]
    head = ["truth", "prediction", "rows", "fraction of the true class"]
    return Table("The most frequent mistakes", head, rows) if rows else None


def residuals(rows: NDArray[np.intp], truth: Floats, predicted: Floats) -> Table:
    """Return the rows with the largest errors."""
    left = truth - predicted
    worst = np.argsort(-np.abs(left), kind="stable")[:WORST].tolist()
    cells: list[list[Cell]] = [
        [int(rows[i]), float(truth[i]), float(predicted[i]), float(left[i])] for i in worst
    ]
    return Table(
        "The largest errors (row as in predictions.csv)", ["row", "truth", "prediction", "residual"], cells
    )


def agreement(truth: Floats, predicted: Floats) -> Table:
    """Return the mean truth for rows with similar predictions, from the smallest to the largest."""
    order = np.argsort(predicted, kind="stable")
    bands = [band for band in np.array_split(order, BANDS) if len(band)]
    rows: list[list[Cell]] = [
        [len(band), float(predicted[band].mean()), float(truth[band].mean())] for band in bands
    ]
    return Table("Rows by their prediction", ["rows", "mean prediction", "mean truth"], rows)


def model(description: Description | None) -> Table | None:
    """Return the first table of a description, or its facts."""
    if description is None:
        return None
    if description.tables:
        return description.tables[0]
    facts: list[list[Cell]] = [[name, str(value)] for name, value in description.facts.items()]
    return Table(description.title, ["what", "value"], facts) if facts else None


def roc_table(curves: Mapping[str, RocCurve]) -> Table:
    """Return the area under each ROC curve, and some of its points."""
    rows: list[list[Cell]] = [
        [name, c.area, *np.interp(FALSE_RATES, c.false_positive_rate, c.true_positive_rate).tolist()]
        for name, c in curves.items()
    ]
    head = ["curve", "area", *(f"true positives at {rate:g} false" for rate in FALSE_RATES)]
    return Table("Areas under the ROC curves, and rates along them", head, rows)


def pr_table(curves: Mapping[str, PrecisionRecallCurve]) -> Table:
    """Return the area and the break-even point of each precision-recall curve, and some of its points."""
    rows: list[list[Cell]] = [
        [name, c.area, c.break_even_point, *(_precision(c, recall) for recall in RECALLS)]
        for name, c in curves.items()
    ]
    head = ["curve", "area", "break-even point", *(f"precision at recall {r:g}" for r in RECALLS)]
    return Table("Precision and recall", head, rows)


def _precision(curve: PrecisionRecallCurve, recall: float) -> float:
    """Return the best precision with at least that recall."""
    return float(curve.precision[curve.recall >= recall].max())


def calibration_table(curves: Mapping[str, CalibrationCurve]) -> Table:
    """Return the bins of each calibration curve."""
    rows: list[list[Cell]] = [
        [name, float(p), float(o), float(low), float(high), float(n)]
        for name, c in curves.items()
        for p, o, low, high, n in zip(c.predicted, c.observed, c.low, c.high, c.weights, strict=True)
    ]
    head = ["curve", "predicted", "observed", "low", "high", "rows"]
    return Table("Predicted probability and observed frequency", head, rows)


def learning(curve: LearningCurve) -> Table:
    """Return mean scores by the number of training rows."""
    rows: list[list[Cell]] = [
        [
            int(size),
            float(train.mean()),
            float(test.mean()),
            # One fold has no standard deviation, which an empty cell says better than 0.
            float(test.std(ddof=1)) if len(test) > 1 else None,
        ]
        for size, train, test in zip(curve.sizes, curve.train, curve.test, strict=True)
    ]
    head = ["training set size", "training score", "test score", "standard deviation over folds"]
    return Table(f"Mean {curve.measure}", head, rows)


def importance(ranked: Sequence[ColumnImportance]) -> Table:
    """Return the columns, the most important first."""
    rows: list[list[Cell]] = [[item.column, item.mean, item.sd, item.p] for item in ranked[:MOST_COLUMNS]]
    head = ["column", "drop of the score", "standard deviation", "adjusted p"]
    return Table("Importance of columns", head, rows)

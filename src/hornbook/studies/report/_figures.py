"""The pictures of a study, each with a title, a sentence and the numbers behind it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any
from weakref import WeakKeyDictionary

import numpy as np

from hornbook import plots
from hornbook.display import Table
from hornbook.evaluation import confusion_table, nemenyi
from hornbook.studies._study_data import StudyData
from hornbook.studies.report import _figure_tables
from hornbook.studies.report._curves import calibration_curves, pr_curves, roc_curves
from hornbook.studies.report._out_of_fold import LearnerPredictions, predictions_of
from hornbook.studies.report._svg import drawing, svg_of

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = ["Picture", "drawn", "pictures"]


@dataclass(frozen=True)
class Picture:
    """A picture of a study.

    Parameters
    ----------
    name : str
        Its name, and that of its file.
    title : str
        What it shows, for those who cannot see it.
    caption : str
        How to read it.
    svg : str
        The picture; empty when it could not be drawn, and the caption says why.
    table : Table, optional
        The numbers behind it.
    """

    name: str
    title: str
    caption: str
    svg: str
    table: Table | None = None


Plan = tuple[str, str, str, Callable[[], "Axes"], Table | None]

# A report and the files beside it show the same pictures: they are drawn once, and forgotten with the study.
_kept: WeakKeyDictionary[StudyData, tuple[Picture, ...]] = WeakKeyDictionary()


def pictures(study: StudyData) -> dict[str, str]:
    """Return the pictures of a study as SVG text by name.

    Parameters
    ----------
    study : StudyData
        The study.

    Returns
    -------
    dict
        The name of each picture, as in ``plots/NAME.svg``, and its text.
    """
    return {each.name: each.svg for each in drawn(study) if each.svg}


def drawn(study: StudyData) -> tuple[Picture, ...]:
    """Return all pictures of a study, in the order of the report."""
    if study not in _kept:
        with drawing():
            _kept[study] = tuple(_picture(*plan) for plan in _plans(study))
    return _kept[study]


def _picture(name: str, title: str, caption: str, draw: Callable[[], Axes], table: Table | None) -> Picture:
    try:
        svg = svg_of(draw(), name)
    except Exception as error:  # noqa: BLE001  one picture that fails must not cost the report
        return Picture(name, title, f"This picture could not be drawn: {error}", "", table)
    return Picture(name, title, caption, svg, table)


def _plans(study: StudyData) -> Iterator[Plan]:
    yield from _of_verdict(study)
    found = predictions_of(study.predictions, study.recommended)
    if found is not None:
        yield from _of_numbers(found) if study.task == "regression" else _of_classes(study, found)
    yield from _of_learning(study)
    if study.model is not None and hasattr(study.model, "plot"):
        caption = "What the recommended model, fitted to all rows, has learned."
        yield "model", f"The model {study.recommended}", caption, study.model.plot, None


def _of_verdict(study: StudyData) -> Iterator[Plan]:
    found = study.verdict
    if found is None:
        return
    yield (
        "verdict",
        f"Mean {found.scores.measure} of each learner with its interval, best first",
        (
            "Dots are means over the folds, lines their intervals. The thick bar joins the tied best, hollow "
            "dots are too noisy to rank, gray ones worse; the shaded band holds differences of no practical "
            "interest."
        ),
        lambda: plots.verdict(found),
        None,
    )
    complete = found.scores.complete
    if complete.sum() < 2:
        return
    names = [name for name, whole in zip(found.scores.names, complete, strict=True) if whole]
    ranks = nemenyi(
        found.scores.values[complete].T,
        names=names,
        greater_is_better=found.scores.greater_is_better,
        alpha=found.alpha,
    )
    yield (
        "critical_difference",
        "Mean rank of each learner over the folds, with bars over those that cannot be told apart",
        (
            "Learners under one bar have mean ranks less than the critical difference apart (Nemenyi). Folds "
            "share training rows, so these bars claim more than they may; the verdict does not rest on them."
        ),
        lambda: plots.critical_difference(ranks.mean_ranks, names, ranks.critical_difference),
        _figure_tables.mean_ranks(ranks),
    )
    yield (
        "chances",
        f"Probability that each learner is better than, equal to or worse than {found.best}",
        "Bayesian correlated t-test on the same folds.",
        lambda: plots.chances(found),
        _figure_tables.chances(found),
    )


def _of_classes(study: StudyData, found: LearnerPredictions) -> Iterator[Plan]:
    labels = list(study.classes)
    table = confusion_table(found.truth, found.labels, labels=labels, sample_weight=found.weights)
    yield (
        "confusion",
        f"Confusion table of {found.name}: true class against predicted class",
        (
            f"Rows are true classes, columns predicted ones; {found.words}. The stronger the shade, the "
            "larger the share of the true class."
        ),
        lambda: plots.confusion(table),
        _figure_tables.class_measures(table),
    )
    if (roc := roc_curves(study)) is not None:
        caption = f"{roc.words} The area is the chance that a positive row is ranked above another."
        yield (
            "roc",
            "ROC curves",
            caption,
            lambda: plots.roc(roc.curves),
            _figure_tables.roc_table(roc.curves),
        )
    if (pr := pr_curves(study)) is not None:
        caption = f"{pr.words} Markers show where precision equals recall."
        table_behind = _figure_tables.pr_table(pr.curves)
        yield (
            "precision_recall",
            "Precision-recall curves",
            caption,
            lambda: plots.precision_recall(pr.curves),
            table_behind,
        )
    if (sure := calibration_curves(study)) is not None:
        caption = f"{sure.words} Points on the dashed line are probabilities that mean what they say."
        table_behind = _figure_tables.calibration_table(sure.curves)
        yield (
            "calibration",
            "Calibration of the probabilities",
            caption,
            lambda: plots.calibration(sure.curves),
            table_behind,
        )


def _of_numbers(found: LearnerPredictions) -> Iterator[Plan]:
    truth, predicted = found.truth.astype(np.float64), found.labels.astype(np.float64)
    yield (
        "residuals",
        f"Residuals of {found.name} against its predictions",
        f"Truth minus prediction; {found.words}. An even band around zero is what a good model leaves.",
        lambda: plots.residuals(truth, predicted),
        _figure_tables.residuals(found.rows, truth, predicted),
    )
    yield (
        "agreement",
        f"True numbers against the predictions of {found.name}",
        "On the dashed line both are the same.",
        lambda: plots.agreement(truth, predicted),
        None,
    )


def _of_learning(study: StudyData) -> Iterator[Plan]:
    curve: Any = study.learning_curve
    if curve is not None:
        yield (
            "learning_curve",
            f"Learning curve of {study.recommended}",
            (
                "While the line of the test rows still moves toward that of the training rows, more rows "
                "help; where both are flat, they would not."
            ),
            lambda: plots.learning_curve(curve),
            _figure_tables.learning(curve),
        )
    if study.importance:
        ranked = study.importance
        yield (
            "importance",
            f"How much each column matters to {study.recommended}",
            (
                f"How much {study.settings.metric} gets worse when one column is shuffled, with its standard "
                "deviation. Columns that say the same share their importance."
            ),
            lambda: plots.importance(
                [i.mean for i in ranked], [i.column for i in ranked], [i.sd for i in ranked]
            ),
            _figure_tables.importance(ranked),
        )

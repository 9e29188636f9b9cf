"""The figures of a study, each with a title, a caption and its data."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any
from weakref import WeakKeyDictionary

import numpy as np

from hornbook import plots
from hornbook.display import Description, Table
from hornbook.evaluation import confusion_table, nemenyi
from hornbook.studies._study_data import StudyData
from hornbook.studies.report import _figure_tables
from hornbook.studies.report._cluster_figures import cluster_figures
from hornbook.studies.report._curves import calibration_curves, pr_curves, roc_curves
from hornbook.studies.report._effect_panels import effect_panels
from hornbook.studies.report._out_of_fold import LearnerPredictions, predictions_of
from hornbook.studies.report._outlier_figures import outlier_figures
from hornbook.studies.report._svg import drawing, svg_of

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = ["ReportFigure", "description_of", "figures_as_svg", "figures_of", "plans_of"]


ROOMY = ("model", "confusion", "critical_difference")  # what they show decides how wide they are


@dataclass(frozen=True)
class ReportFigure:
    """A figure of a study.

    Parameters
    ----------
    name : str
        Its name, and that of its file.
    title : str
        What it shows, also for screen readers.
    caption : str
        How to read it.
    svg : str
        The figure; empty if it could not be drawn, and the caption says why.
    table : Table, optional
        Its data.
    """

    name: str
    title: str
    caption: str
    svg: str
    table: Table | None = None


Plan = tuple[str, str, str, Callable[[], "Axes"], Table | None]

# The report and the files in plots/ show the same figures: drawn once, and cached for the life of the study.
_kept: WeakKeyDictionary[StudyData, tuple[ReportFigure, ...]] = WeakKeyDictionary()
_planned: WeakKeyDictionary[StudyData, tuple[Plan, ...]] = WeakKeyDictionary()


def figures_as_svg(study: StudyData) -> dict[str, str]:
    """Return the figures of a study as SVG text by name.

    Parameters
    ----------
    study : StudyData
        The study.

    Returns
    -------
    dict
        The name of each figure, as in ``plots/NAME.svg``, and its text.
    """
    return {figure.name: figure.svg for figure in figures_of(study) if figure.svg}


def figures_of(study: StudyData) -> tuple[ReportFigure, ...]:
    """Return all figures of a study, in the order of the report."""
    if study not in _kept:
        with drawing():
            _kept[study] = tuple(_figure(*plan) for plan in plans_of(study))
    return _kept[study]


def plans_of(study: StudyData) -> tuple[Plan, ...]:
    """Return name, title, caption, drawing and data of each figure; nothing is drawn yet."""
    if study not in _planned:
        _planned[study] = tuple(_plans(study))
    return _planned[study]


def _figure(
    name: str, title: str, caption: str, draw: Callable[[], Axes], table: Table | None
) -> ReportFigure:
    try:
        svg = svg_of(draw(), name, compact=name not in ROOMY)
    except Exception as error:  # noqa: BLE001  one figure that fails must not cost the report
        return ReportFigure(name, title, f"This figure could not be drawn: {error}", "", table)
    return ReportFigure(name, title, caption, svg, table)


def _plans(study: StudyData) -> Iterator[Plan]:
    yield from _of_verdict(study)
    yield from cluster_figures(study)
    yield from outlier_figures(study)
    # Of one repeat, so that every row is in a figure once.
    predictions = predictions_of(study.predictions, study.recommended)
    if predictions is not None and study.task == "regression":
        yield from _of_numbers(predictions)
    elif predictions is not None:
        yield from _of_classes(study, predictions)
    yield from _of_learning(study)
    # A foreign estimator may be the recommended one, and has no plot.
    if study.model is not None and hasattr(study.model, "plot"):
        caption = "What the model, fitted to all rows, has learned."
        table = _figure_tables.model(description_of(study.model))
        yield (
            "model",
            f"The model {study.recommended or type(study.model).__name__}",
            caption,
            study.model.plot,
            table,
        )


def description_of(model: Any) -> Description | None:
    """Return a model in words; a model of another library may have no description."""
    if model is None or not hasattr(model, "describe"):
        return None
    description = model.describe()
    return description if isinstance(description, Description) else None


def _of_verdict(study: StudyData) -> Iterator[Plan]:
    verdict = study.verdict
    if verdict is None:
        return
    yield (
        "verdict",
        f"Mean {verdict.scores.measure} of each learner with its interval, best first",
        (
            "Dots are means over the folds, lines their intervals. Full dots are the best and those tied "
            "with it, hollow ones too noisy to rank, gray ones worse. The shaded band is the region of "
            "equivalence: differences that do not matter in practice. An arrow points to what is off the "
            "scale."
        ),
        lambda: plots.verdict(verdict),
        _figure_tables.intervals(verdict),
    )
    # Ranks need every learner in every fold, so those with gaps are left out of this figure.
    complete = verdict.scores.complete
    if complete.sum() < 2:
        return
    names = [name for name, whole in zip(verdict.scores.names, complete, strict=True) if whole]
    ranks = nemenyi(
        verdict.scores.values[complete].T,
        names=names,
        greater_is_better=verdict.scores.greater_is_better,
        alpha=verdict.alpha,
    )
    yield (
        "critical_difference",
        "Mean rank of each learner over the folds, with bars over those that cannot be told apart",
        (
            "Learners under one bar have mean ranks less than the critical difference apart (Nemenyi). Folds "
            "share training rows, so this test finds too many differences; the verdict does not use it."
        ),
        lambda: plots.critical_difference(ranks.mean_ranks, names, ranks.critical_difference),
        _figure_tables.mean_ranks(ranks),
    )
    yield (
        "chances",
        f"Probability that each learner is better than, equal to or worse than {verdict.best}",
        "Bayesian correlated t-test on the same folds.",
        lambda: plots.chances(verdict),
        _figure_tables.chances(verdict),
    )


def _of_classes(study: StudyData, predictions: LearnerPredictions) -> Iterator[Plan]:
    # All classes, in their order, also those without a prediction.
    labels = list(study.classes)
    table = confusion_table(
        predictions.truth, predictions.labels, labels=labels, sample_weight=predictions.weights
    )
    yield (
        "confusion",
        f"Confusion table of {predictions.name}: true class against predicted class",
        (
            f"Rows are true classes, columns predicted ones; {predictions.words}. The darker the cell, the "
            "larger the fraction of the true class."
        ),
        lambda: plots.confusion(table),
        _figure_tables.class_measures(table),
    )
    if (roc := roc_curves(study)) is not None:
        caption = f"{roc.words} The area is the probability that a positive row is ranked above another."
        yield (
            "roc",
            "ROC curves",
            caption,
            lambda: plots.roc(roc.curves),
            _figure_tables.roc_table(roc.curves),
        )
    if (pr := pr_curves(study)) is not None:
        caption = f"{pr.words} Markers show where precision equals recall."
        data = _figure_tables.pr_table(pr.curves)
        yield (
            "precision_recall",
            "Precision-recall curves",
            caption,
            lambda: plots.precision_recall(pr.curves),
            data,
        )
    if (calibration := calibration_curves(study)) is not None:
        caption = f"{calibration.words} Points on the dashed line are well calibrated."
        data = _figure_tables.calibration_table(calibration.curves)
        yield (
            "calibration",
            "Calibration of the probabilities",
            caption,
            lambda: plots.calibration(calibration.curves),
            data,
        )


def _of_numbers(predictions: LearnerPredictions) -> Iterator[Plan]:
    truth, predicted = predictions.truth.astype(np.float64), predictions.labels.astype(np.float64)
    yield (
        "residuals",
        f"Residuals of {predictions.name} against its predictions",
        f"Truth minus prediction; {predictions.words}. A good model leaves an even band around zero.",
        lambda: plots.residuals(truth, predicted),
        _figure_tables.residuals(predictions.rows, truth, predicted),
    )
    yield (
        "agreement",
        f"True numbers against the predictions of {predictions.name}",
        "On the dashed line both are equal.",
        lambda: plots.agreement(truth, predicted),
        _figure_tables.agreement(truth, predicted),
    )


def _clear_columns(study: StudyData) -> str:
    """Say how many columns are shown to matter."""
    tested = [item for item in study.importance if item.p is not None]
    clear = sum(item.p is not None and item.p <= study.settings.alpha for item in tested)
    which = "No column is" if clear == 0 else "One column is" if clear == 1 else f"{clear} columns are"
    return (
        f"{which} shown to matter: shuffling it makes the losses of held-out rows larger (t-tests at "
        f"{study.settings.alpha:g}, adjusted for all {len(tested)} columns by Holm)."
    ).replace("shuffling it", "shuffling it" if clear < 2 else "shuffling one")


def _of_learning(study: StudyData) -> Iterator[Plan]:
    # Drawings are functions that are called later, one by one, so that only one figure is open at a time.
    curve: Any = study.learning_curve
    if curve is not None:
        yield (
            "learning_curve",
            f"Learning curve of {study.recommended}",
            (
                "If the test line is still approaching the training line at the right end, more rows would "
                "help; if both are flat, they would not."
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
                f"deviation. {_clear_columns(study)} Columns with the same information share importance."
            ),
            lambda: plots.importance(
                [i.mean for i in ranked], [i.column for i in ranked], [i.sd for i in ranked]
            ),
            _figure_tables.importance(ranked),
        )
    if study.explanation is not None and study.explanation.effects:
        effects = study.explanation.effects
        yield (
            "effects",
            f"Partial dependence of {study.recommended} on the most important columns",
            (
                "Mean predictions with one column changed, and in gray those for single rows; all panels "
                "have the same scale."
            ),
            lambda: effect_panels(effects),
            _figure_tables.effects(effects),
        )

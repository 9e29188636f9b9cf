"""What a report shows beyond the numbers of the study itself, as plain data."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

from hornbook.display import Description, Table, plain_data
from hornbook.evaluation import ConfusionTable, confusion_table
from hornbook.studies._study_data import StudyData
from hornbook.studies.report import _figure_tables
from hornbook.studies.report._figures import description_of, plans_of
from hornbook.studies.report._grid import MOST_COLUMNS, MOST_ROWS
from hornbook.studies.report._headline import headline_of
from hornbook.studies.report._out_of_fold import predictions_of

__all__ = ["MOST_COUNTED", "confusion_of", "evidence_of"]

MOST_COUNTED = 200  # classes of a confusion table in results.json


def evidence_of(study: StudyData) -> dict[str, Any]:
    """Return headline, figures with their captions and data, confusion table and model in words.

    Parameters
    ----------
    study : StudyData
        The study.
    """
    headline, description = headline_of(study), description_of(study.model)
    counted = confusion_of(study)
    pairs = None if study.verdict is None else _figure_tables.every_pair(study.verdict)
    data: dict[str, Any] = plain_data(
        {
            "headline": None if headline is None else asdict(headline),
            "figures": [
                {"name": name, "title": title, "caption": caption, "table": _table(table)}
                for name, title, caption, _, table in plans_of(study)
            ],
            "pairs": _table(pairs),
            "confusion": None if counted is None else _counts(counted),
            "mistakes": None if counted is None else _table(_figure_tables.mistakes(counted)),
            "description": None if description is None else _words(description),
        }
    )
    return data


def confusion_of(study: StudyData) -> ConfusionTable | None:
    """Return true against predicted classes of the recommended learner; None where nothing is predicted."""
    predictions = predictions_of(study.predictions, study.recommended)
    if predictions is None or study.task != "classification":
        return None
    # All classes, in their order, also those without a prediction.
    labels = list(study.classes)
    return confusion_table(
        predictions.truth, predictions.labels, labels=labels, sample_weight=predictions.weights
    )


def _table(table: Table | None) -> dict[str, Any] | None:
    """Return as much of a table as the report shows."""
    if table is None:
        return None
    shown = Table(
        table.title, list(table.head)[:MOST_COLUMNS], [row[:MOST_COLUMNS] for row in table.rows[:MOST_ROWS]]
    )
    return shown.to_dict()


def _counts(table: ConfusionTable) -> dict[str, Any] | None:
    if len(table.labels) > MOST_COUNTED:
        return None
    return {"labels": list(table.labels), "counts": table.by_truth.tolist()}


def _words(description: Description) -> dict[str, Any]:
    facts = description.to_dict()["facts"]
    return {"title": description.title, "facts": facts, "tables": [_table(t) for t in description.tables]}

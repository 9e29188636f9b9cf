"""The results of a study as data: all that a report, a file or a user needs."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from typing import Any, Literal

from hornbook.display import Description, Table, plain_data
from hornbook.evaluation import LearningCurve, Scores, Verdict
from hornbook.frame import Profile
from hornbook.studies._explanation import Explanation
from hornbook.studies._held_out import HeldOutScores
from hornbook.studies._results import ColumnImportance, LearnerInfo, OutOfFoldPredictions
from hornbook.studies._settings import Settings
from hornbook.studies.clusters._findings import ClusterFindings
from hornbook.studies.clusters._sentences import cluster_sentences
from hornbook.studies.decide._calibration import CalibrationGain
from hornbook.studies.outliers._findings import OutlierFindings
from hornbook.studies.prepare._check import Check

__all__ = ["SCHEMA", "StudyData"]

SCHEMA = 1  # of results.json


@dataclass(frozen=True, eq=False)
class StudyData:
    """Learners compared on one table, from the checks of the data to the recommended model.

    Parameters
    ----------
    settings : Settings
        The settings, with target, task, metric and region of equivalence filled in.
    notes : tuple of str
        Decisions that were made, in words.
    task : {"classification", "regression", "clustering", "outliers"}
        The task.
    classes : tuple
        The classes in order; empty for a regression.
    n_rows, n_columns : int
        Rows and feature columns that the learners got.
    profile : Profile
        Summary of the columns of the table.
    checks : tuple of Check
        Findings of the checks before fitting.
    verdict : Verdict or None
        Which learners are best; None when too few folds are finished.
    unfinished : str
        Why there is no verdict.
    scores : Scores or None
        Scores of the metric, fold by fold; missing ones are NaN.
    beside : mapping of str to mapping of str to float
        Other measures: for each the mean of each learner over its finished folds.
    predictions : OutOfFoldPredictions
        Predictions of the learners for rows outside their training sets.
    learners : tuple of LearnerInfo
        The outcome for each learner.
    skipped : tuple of (str, str)
        Learners that were left out, and why.
    interrupted : bool
        Whether the study was stopped before all folds were finished.
    done, total : int
        Finished folds of all learners, and the total.
    learning_curve : LearningCurve or None
        Of the recommended learner.
    importance : tuple of ColumnImportance
        Importance of the columns to the recommended learner, the most important first.
    model : learner or None
        The recommended learner, fitted to all rows.
    command : str
        The shell command that reproduces this study; empty for a table in memory or learners as objects.
    versions : mapping of str to str
        Versions of Python, of this library and of its numerical dependencies.
    started, ended : datetime
        When it started and ended.
    folder : path or None
        The folder of its files.
    model_setting : mapping of str to object, default {}
        The setting chosen for the model on all rows; empty where nothing is tuned.
    explanation : Explanation or None
        Why the model predicts what it predicts.
    held_out : HeldOutScores or None
        How good the model is on the test table, if there is one.
    calibration : CalibrationGain or None
        Whether the probabilities of the model are calibrated, and what that brings.
    clusters : ClusterFindings or None
        What a clustering found: the cluster of each row, what sets clusters apart, how many there are, and
        whether there are any.
    outliers : OutlierFindings or None
        How unusual each row is, which rows all methods call unusual, and what makes them so.
    """

    settings: Settings
    notes: tuple[str, ...]
    task: Literal["classification", "regression", "clustering", "outliers"]
    classes: tuple[Any, ...]
    n_rows: int
    n_columns: int
    profile: Profile
    checks: tuple[Check, ...]
    verdict: Verdict | None
    unfinished: str
    scores: Scores | None
    beside: Mapping[str, Mapping[str, float]]
    predictions: OutOfFoldPredictions
    learners: tuple[LearnerInfo, ...]
    skipped: tuple[tuple[str, str], ...]
    interrupted: bool
    done: int
    total: int
    learning_curve: LearningCurve | None
    importance: tuple[ColumnImportance, ...]
    model: Any
    command: str
    versions: Mapping[str, str]
    started: datetime
    ended: datetime
    folder: Path | None = field(default=None)
    model_setting: Mapping[str, Any] = field(default_factory=dict)
    explanation: Explanation | None = None
    held_out: HeldOutScores | None = None
    calibration: CalibrationGain | None = None
    clusters: ClusterFindings | None = None
    outliers: OutlierFindings | None = None

    @property
    def seconds(self) -> float:
        """Time from start to end, not counting earlier runs of an interrupted study."""
        return (self.ended - self.started).total_seconds()

    @property
    def recommended(self) -> str | None:
        """Name of the recommended learner: the simplest of the best."""
        return None if self.verdict is None else self.verdict.recommended

    @property
    def sentence(self) -> str:
        """The verdict in words, or the reason why there is none."""
        verdict = self.unfinished or " ".join(self.sentences)
        # A verdict on part of the folds is a verdict, but the reader has to know.
        if not self.interrupted:
            return verdict
        return f"Interrupted after {self.done} of {self.total} folds. {verdict}"

    @property
    def sentences(self) -> tuple[str, ...]:
        """The verdict in words, sentence by sentence; empty if there is none."""
        if self.outliers is not None and not self.unfinished:
            return self.outliers.sentences(self.settings.alpha)
        if self.verdict is None:
            return ()
        if self.clusters is None:
            return self.verdict.sentences
        return cluster_sentences(self.verdict, self.clusters)

    @property
    def has_target(self) -> bool:
        """Whether anything is predicted."""
        return self.task in ("classification", "regression")

    @property
    def facts(self) -> dict[str, str]:
        """The key facts, a few words each."""
        repeats = f"{self.settings.repeats} repeat{'' if self.settings.repeats == 1 else 's'}"
        facts = {
            "data": f"{self.n_rows} rows, {self.n_columns} columns",
            "target": f"{self.settings.target} ({self.task})" if self.has_target else None,
            "set aside": None if self.has_target else self.settings.target,
            "folds" if self.has_target else "splits into halves": (
                f"{self.settings.cv} forward in time by {self.settings.time}"
                if self.settings.time is not None
                else f"{self.settings.cv} in {repeats}, seed {self.settings.seed}"
            ),
            "recommended": self.recommended,
            "test": None if self.held_out is None else str(self.held_out),
            "folder": None if self.folder is None else str(self.folder),
        }
        return {name: value for name, value in facts.items() if value is not None}

    def _description(self) -> Description:
        tables = [] if self.verdict is None else [self.verdict.table]
        checks = [check for check in self.checks if check.level != "note"]
        if checks:
            rows = [[c.code, c.level, f"{c.reason} {c.remedy}".strip()] for c in checks]
            tables.append(Table("Checks before fitting", ["code", "level", "what"], rows))
        if self.skipped:
            tables.append(Table("Left out", ["learner", "why"], [list(pair) for pair in self.skipped]))
        return Description(self.sentence, self.facts, tables)

    def __repr__(self) -> str:
        what = f"{self.task} of {self.settings.target!r}" if self.has_target else self.task
        return f"Study({what}, {self.n_rows} rows, {self.sentence!r})"

    def _repr_html_(self) -> str:
        return self._description()._repr_html_()

    def to_dict(self) -> dict[str, Any]:
        """Return the study as plain data, without what is derived for the report."""
        parts = {
            "schema": SCHEMA,
            "settings": self.settings.to_dict(),
            "notes": self.notes,
            "task": self.task,
            "classes": self.classes,
            "positive": self.settings.positive,
            "n_rows": self.n_rows,
            "n_columns": self.n_columns,
            "profile": self.profile.to_dict(),
            "checks": [check.to_dict() for check in self.checks],
            "sentence": self.sentence,
            "verdict": None if self.verdict is None else self.verdict.to_dict(),
            "unfinished": self.unfinished,
            "scores": None if self.scores is None else _scores(self.scores),
            "beside": self.beside,
            "learners": [info.to_dict() for info in self.learners],
            "skipped": [{"name": name, "reason": reason} for name, reason in self.skipped],
            "interrupted": self.interrupted,
            "done": self.done,
            "total": self.total,
            "learning_curve": None if self.learning_curve is None else self.learning_curve.to_dict(),
            "importance": [column.to_dict() for column in self.importance],
            "explanation": None if self.explanation is None else self.explanation.to_dict(),
            "model": None if self.model is None else self.recommended or type(self.model).__name__,
            "model_setting": self.model_setting,
            "held_out": None if self.held_out is None else self.held_out.to_dict(),
            "calibration": None if self.calibration is None else self.calibration.to_dict(),
            "clusters": None if self.clusters is None else self.clusters.to_dict(),
            "outliers": None if self.outliers is None else self.outliers.to_dict(),
            "command": self.command,
            "versions": self.versions,
            "started": self.started.isoformat(timespec="seconds"),
            "ended": self.ended.isoformat(timespec="seconds"),
            "seconds": self.seconds,
        }
        data: dict[str, Any] = plain_data(parts)
        return data


def _scores(scores: Scores) -> dict[str, Any]:
    return {
        "measure": scores.measure,
        "greater_is_better": scores.greater_is_better,
        "positive": scores.positive,
        "n_train": scores.n_train,
        "n_test": scores.n_test,
        "values": dict(zip(scores.names, scores.values, strict=True)),
    }

"""A study from start to end."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from hornbook.params import threads
from hornbook.studies._files import sentences
from hornbook.studies._results import LearnerInfo
from hornbook.studies._settings import Settings
from hornbook.studies._shell_command import command_of
from hornbook.studies._study import Study
from hornbook.studies.clusters._prepare import prepare_clusters
from hornbook.studies.clusters._run import ClusterRun
from hornbook.studies.prepare._data import open_data
from hornbook.studies.prepare._portfolio import Learners
from hornbook.studies.prepare._prepare import prepare
from hornbook.studies.prepare._setting_text import range_text
from hornbook.studies.report._outputs import save_model, write_files
from hornbook.studies.run._conclude import Explained, explain, judge
from hornbook.studies.run._gather_scores import gather
from hornbook.studies.run._plan import Key
from hornbook.studies.run._progress import Progress, telling
from hornbook.studies.run._records import Records
from hornbook.studies.run._shared_table import share
from hornbook.studies.run._study_run import Log, StudyRun, versions_used
from hornbook.studies.run._tasks import FoldTask
from hornbook.studies.run._worker_pool import WorkerPool

__all__ = ["study"]


def study(
    data: Any = None,
    target: str | None = None,
    *,
    learners: Learners = None,
    out: str | os.PathLike[str] | None = None,
    progress: Progress = None,
    **settings: Any,
) -> Study:
    """Take a table from a first look to a verdict, a report and a model.

    The table is checked before anything is fitted. All learners are compared on the same folds, in processes
    of their own, so that one that fails, hangs or crashes is shown and does not stop the others. With a
    folder, every finished fold is kept: an interrupted study resumes when it is called again, and Ctrl-C
    returns what is finished (``interrupted`` is then True).

    Parameters
    ----------
    data : str, path, Frame, DataFrame or other table
        A file, the name of a table of `hornbook.datasets`, or a table in memory.
    target : str, optional
        The column to predict; the last one when left out. In a clustering it is set aside, and the clusters
        are compared with it.
    learners : names, estimators, or mapping of names to estimators, optional
        What is compared: learners of this library by name, or objects, also those of scikit-learn, which get
        the encoded table; all that fit the task when left out. `Baseline` is always included.
    out : str or path, optional
        The folder for report, results, model and records; nothing is kept when left out.
    progress : function, bool or None
        Takes an `Event` for everything that happens; True shows a bar on standard error, and so does None on
        a terminal.
    **settings
        Further settings, see `hornbook.studies.Settings`: ``task``, ``metric``, ``cv``, ``repeats``,
        ``seed``, ``time_limit``, ``budget``, ``ignore``, ``keep``, ``weight``, ``group``, ``jobs``, ...

    Returns
    -------
    Study
        Prints as the verdict, with the table behind it.

    Examples
    --------
    >>> import hornbook
    >>> result = hornbook.study("iris", learners=["NaiveBayes"], cv=5, repeats=1)
    >>> accuracies = result.beside["accuracy"].values()
    >>> result.recommended, result.verdict.best, [round(value, 2) for value in accuracies]
    ('NaiveBayes', 'NaiveBayes', [0.33, 0.95])
    """
    begun = datetime.now(UTC)
    asked = Settings.of({**settings, "target": target, "learners": _names(learners)})
    with telling(progress) as tell, ExitStack() as stack:
        opened = open_data(data, asked)
        log = Log(tell)
        available = threads(None)
        size = min(asked.jobs or available, 64)
        # Workers start first: they import the library while the table is prepared.
        team = stack.enter_context(WorkerPool(size, max(1, available // size), asked.time_limit))
        clusters = opened.settings.task == "clustering"
        prepared = (prepare_clusters if clusters else prepare)(opened, learners, log.note)
        folder = None if out is None else Path(out)
        where = Path(stack.enter_context(tempfile.TemporaryDirectory())) if folder is None else folder
        with sentences(where):
            records = Records(where, prepared.identity, durable=folder is not None)
            stack.callback(records.close)
            stack.callback(team.close)  # before the records: workers may still be writing
            share(records.work, prepared.training, prepared.folds)
            team.folder = records.work
            run = (ClusterRun if clusters else PredictionRun)(prepared, records, team, log, begun)
            stack.enter_context(team.interrupts)
            interrupted = run.folds()
            known = _known_to_the_shell(learners)
            command = command_of(_as_asked(opened.settings, asked), folder) if known else ""
            return run.finish(folder, command, interrupted=interrupted)


def _names(learners: Learners) -> tuple[str, ...]:
    if isinstance(learners, str):
        return (learners,)
    entries = list(learners or ())
    if isinstance(learners, Mapping):
        return tuple(map(str, entries))
    return tuple(one if isinstance(one, str) else type(one).__name__ for one in entries)


def _known_to_the_shell(learners: Learners) -> bool:
    """Whether all learners are given by name: a command cannot express the parameters of objects."""
    return not isinstance(learners, Mapping) and all(isinstance(learner, str) for learner in learners or ())


def _as_asked(opened: Settings, asked: Settings) -> Settings:
    return replace(asked, data=opened.data, target=opened.target)


class PredictionRun(StudyRun):
    """The work of a study that predicts a target."""

    def task(self, key: Key) -> FoldTask:
        """Fit a learner to the training rows of a fold, and predict the others."""
        name, repeat, fold = key
        metric, *beside = self.prepared.measures
        recipe = self.prepared.recipe(self.learners[name])
        return FoldTask(recipe, repeat, fold, metric, tuple(beside), str(self.records.part(*key)))

    def finish(self, folder: Path | None, command: str, *, interrupted: bool) -> Study:
        """Compute the verdict, explain the recommended learner, and write all files."""
        prepared, plan = self._what_was_done(), self.plan
        self._tell("phase", "verdict")
        training = prepared.training
        gathered = gather(
            prepared.candidates, plan.counted, self.records, training, prepared.folds, prepared.measures
        )
        self._say_chosen(gathered.learners)
        for learner in gathered.learners:
            if learner.warning:
                self.log.note(f"{learner.name} warned: {learner.warning}")
        verdict, unfinished = judge(gathered, prepared)
        explained = Explained()
        if verdict is not None and not interrupted:
            self._tell("phase", f"a closer look at {verdict.recommended}")
            chosen = self.learners[verdict.recommended]
            try:
                explained = explain(chosen, prepared, self.team, self._seconds_left(), self.log.note)
            except KeyboardInterrupt:  # the folds are finished, and their report is worth having
                interrupted = True
        training = prepared.training
        rows = (training.features, training.target.labels) if prepared.settings.fingerprint else None
        if folder is not None and not interrupted and (refused := save_model(explained.model, folder, rows)):
            self.log.note(refused)
        study = Study(
            settings=prepared.settings,
            notes=tuple(self.log.notes),
            task="classification" if training.classes else "regression",
            classes=training.classes,
            n_rows=len(training.y),
            n_columns=len(training.features.schema),
            profile=prepared.profile,
            checks=prepared.checks,
            verdict=verdict,
            unfinished=unfinished,
            scores=gathered.scores,
            beside=gathered.beside,
            predictions=gathered.predictions,
            learners=gathered.learners,
            skipped=tuple(self.skipped),
            interrupted=interrupted,
            done=plan.done,
            total=plan.total,
            learning_curve=explained.curve,
            importance=explained.importance,
            model=explained.model,
            model_setting=explained.setting,
            command=command,
            versions=versions_used(),
            started=self.begun,
            ended=datetime.now(UTC),
            folder=folder,
        )
        if folder is not None:
            self._tell("phase", "report")
            write_files(study, folder)
        return study

    def _say_chosen(self, learners: Sequence[LearnerInfo]) -> None:
        """Say what was chosen in the training folds."""
        choices = [
            f"{info.name} {name} {range_text(values)}"
            for info in learners
            if (name := self.learners[info.name].sensible.chosen)
            and (values := [choice["setting"][name] for choice in info.chosen if name in choice["setting"]])
        ]
        if choices:
            self.log.note(f"chosen in the training folds: {'; '.join(choices)}")

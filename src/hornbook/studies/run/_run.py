"""A study from start to end."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import replace
from datetime import UTC, datetime
from importlib import import_module
from pathlib import Path
from threading import Thread
from typing import Any

from hornbook.evaluation import raced
from hornbook.studies._files import sentences
from hornbook.studies._results import LearnerInfo
from hornbook.studies._settings import Settings
from hornbook.studies._shell_command import command_of
from hornbook.studies._study import Study
from hornbook.studies.prepare._data import open_data
from hornbook.studies.prepare._folds import training_and_test
from hornbook.studies.prepare._portfolio import Learners
from hornbook.studies.prepare._prepare import prepare
from hornbook.studies.prepare._setting_text import wins_text
from hornbook.studies.report._outputs import save_model, write_files
from hornbook.studies.run._conclude import CLOSER_FITS, Explained, explain, judge
from hornbook.studies.run._forecast import CostTask, sample_sizes
from hornbook.studies.run._gather_scores import gather, scores_of_folds
from hornbook.studies.run._plan import CLOSER_LOOK, Key, looks_for
from hornbook.studies.run._progress import Progress, telling
from hornbook.studies.run._records import Records
from hornbook.studies.run._shared_table import share
from hornbook.studies.run._study_run import Log, StudyRun, versions_used
from hornbook.studies.run._tasks import FoldTask
from hornbook.studies.run._worker_pool import WorkerPool

__all__ = ["run_study"]

LONGEST = 30.0  # seconds of one fit to a sample, by which costs are forecast
SAMPLED = 0.1  # of a budget, for the largest samples of all learners together
DRAWING = ("matplotlib.backends.backend_svg", "matplotlib.figure", "hornbook.plots", "jinja2")


def run_study(
    data: Any,
    asked: Settings,
    team: WorkerPool,
    *,
    learners: Learners,
    test: Any,
    out: str | os.PathLike[str] | None,
    progress: Progress,
    begun: datetime,
) -> Study:
    """Run a study with processes that are starting already.

    Parameters
    ----------
    data, learners, test, out, progress
        As in `study`.
    asked : Settings
        The settings, target included.
    team : WorkerPool
        The processes; they import the library while the table is prepared.
    begun : datetime
        When the study began.
    """
    named = test is None or isinstance(test, str | os.PathLike)
    with telling(progress) as tell, ExitStack() as stack:
        opened = open_data(data, asked, test)
        log = Log(tell)
        prepares, runs = _of_task(opened.settings.task)
        prepared = prepares(opened, learners, log.note)
        folder = None if out is None else Path(out)
        where = Path(stack.enter_context(tempfile.TemporaryDirectory())) if folder is None else folder
        with sentences(where):
            records = Records(where, prepared.identity, durable=folder is not None)
            stack.callback(records.close)
            stack.callback(team.close)  # before the records: workers may still be writing
            share(records.work, prepared.training, prepared.folds)
            team.folder = records.work
            if folder is not None:
                # The report needs them; this process only waits while others fit.
                Thread(target=_import_all, args=(DRAWING,), daemon=True).start()
            run = runs(prepared, records, team, log, begun)
            stack.enter_context(team.interrupts)
            interrupted = run.folds()
            known = named and _known_to_the_shell(learners)
            command = command_of(_as_asked(opened.settings, asked), folder) if known else ""
            return run.finish(folder, command, interrupted=interrupted)


def _of_task(task: str) -> tuple[Callable[..., Any], type[StudyRun]]:
    """Return what prepares a study of this task, and what runs it."""
    if task == "outliers":
        from hornbook.studies.outliers._prepare import prepare_outliers  # noqa: PLC0415 - only for this task
        from hornbook.studies.outliers._run import OutlierRun  # noqa: PLC0415 - as above

        return prepare_outliers, OutlierRun
    if task != "clustering":
        return prepare, PredictionRun
    from hornbook.studies.clusters._prepare import prepare_clusters  # noqa: PLC0415 - only for this task
    from hornbook.studies.clusters._run import ClusterRun  # noqa: PLC0415 - as above

    return prepare_clusters, ClusterRun


def _import_all(names: Sequence[str]) -> None:
    for name in names:
        import_module(name)


def _known_to_the_shell(learners: Learners) -> bool:
    """Whether all learners are given by name: a command cannot express the parameters of objects."""
    return not isinstance(learners, Mapping) and all(isinstance(learner, str) for learner in learners or ())


def _as_asked(opened: Settings, asked: Settings) -> Settings:
    return replace(asked, data=opened.data, target=opened.target)


class PredictionRun(StudyRun):
    """The work of a study that predicts a target."""

    _raced = 0  # folds of the last look

    def task(self, key: Key) -> FoldTask:
        """Fit a learner to the training rows of a fold, and predict the others."""
        name, repeat, fold = key
        metric, *beside = self.prepared.measures
        recipe = self.prepared.recipe(self.learners[name])
        return FoldTask(recipe, repeat, fold, metric, tuple(beside), str(self.records.part(*key)))

    def cost_tasks(self) -> dict[tuple[str, int], CostTask]:
        """Fit samples, where the table is large."""
        prepared = self.prepared
        forward = prepared.training.times is not None
        train, _ = training_and_test(prepared.folds[0], 0, forward=forward)
        if not sample_sizes(len(train)):
            return {}
        budget, metric, seed = self.plan.budget, prepared.measures[0], prepared.settings.seed
        most = LONGEST if budget is None else min(LONGEST, SAMPLED * budget / len(self.learners))
        return {
            (name, 0): CostTask(prepared.recipe(candidate), metric, most, seed)
            for name, candidate in self.learners.items()
        }

    def race(self) -> None:
        """Stop learners that are already worse than the best, after fixed numbers of folds."""
        settings, plan = self.prepared.settings, self.plan
        looks = looks_for(settings, plan.repeats)
        passed = max(plan.stopped.values(), default=0)
        if not any(count > max(passed, self._raced) and plan.reached(count) for count in looks):
            return
        # Looks are at fixed numbers of folds, for which the test pays; to look after every fold would stop
        # learners that are only unlucky.
        self._raced = max(count for count in looks if plan.reached(count))
        prepared = self._what_was_done()
        scores = scores_of_folds(
            prepared.candidates, plan.counted, prepared.training, prepared.folds, prepared.measures[0]
        )
        assert settings.equivalence is not None  # filled in before
        judged = raced(scores, looks, alpha=settings.alpha, equivalence=settings.equivalence)
        for name, stop in judged.stopped.items():
            if name not in plan.stopped:
                plan.stop(name, stop.folds)
                self.log.note(f"race: {name} is stopped after {stop.folds} folds, worse than {stop.rival}")

    def finish(self, folder: Path | None, command: str, *, interrupted: bool) -> Study:
        """Compute the verdict, explain the recommended learner, and write all files."""
        prepared, plan = self._what_was_done(), self.plan
        self._tell("phase", "verdict")
        training = prepared.training
        gathered = gather(
            prepared.candidates,
            plan.counted,
            self.records,
            training,
            prepared.folds,
            prepared.measures,
            plan.stopped,
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
                seconds = CLOSER_FITS * plan.seconds(chosen.name) / self.team.size
                words = "learning curve, importance of columns and explanations are"
                closely = self.has_time_for(seconds, CLOSER_LOOK, words)
                prepared = self._what_was_done()  # the plan may now leave out the closer look
                explained = explain(chosen, prepared, gathered, self.team, self.log.note, closely=closely)
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
            explanation=explained.explanation,
            held_out=explained.held_out,
            calibration=explained.calibration,
            command=self.planned(command),
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
        """Say which settings won how often in the training folds."""
        choices = [
            f"{info.name} {words}"
            for info in learners
            if (words := wins_text([choice["setting"] for choice in info.chosen]))
        ]
        if choices:
            self.log.note(f"chosen in the training folds: {'; '.join(choices)}")

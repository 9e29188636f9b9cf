"""A study from start to end."""

from __future__ import annotations

import os
import platform
import tempfile
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from importlib.metadata import version
from pathlib import Path
from typing import Any

from hornbook import __version__
from hornbook.params import threads
from hornbook.studies._event import Event
from hornbook.studies._files import sentences
from hornbook.studies._results import LearnerInfo
from hornbook.studies._settings import Settings
from hornbook.studies._shell_command import command_of
from hornbook.studies._study import Study
from hornbook.studies.prepare._data import open_data
from hornbook.studies.prepare._portfolio import Learners
from hornbook.studies.prepare._prepare import PreparedStudy, prepare
from hornbook.studies.prepare._setting_text import range_text, setting_text
from hornbook.studies.report._outputs import save_model, write_files
from hornbook.studies.run._conclude import Explained, explain, judge
from hornbook.studies.run._gather_scores import gather
from hornbook.studies.run._plan import Plan
from hornbook.studies.run._progress import Progress, telling
from hornbook.studies.run._records import Record, Records
from hornbook.studies.run._shared_table import share
from hornbook.studies.run._tasks import FoldDone, FoldTask
from hornbook.studies.run._worker_pool import Outcome, WorkerPool

__all__ = ["study"]

LIBRARIES = ("numpy", "scipy", "scikit-learn", "polars")


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
        The column to predict; the last one when left out.
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
        log = _Log(tell)
        available = threads(None)
        size = min(asked.jobs or available, 64)
        # Workers start first: they import the library while the table is prepared.
        team = stack.enter_context(WorkerPool(size, max(1, available // size), asked.time_limit))
        prepared = prepare(opened, learners, log.note)
        folder = None if out is None else Path(out)
        where = Path(stack.enter_context(tempfile.TemporaryDirectory())) if folder is None else folder
        with sentences(where):
            records = Records(where, prepared.identity, durable=folder is not None)
            stack.callback(records.close)
            stack.callback(team.close)  # before the records: workers may still be writing
            share(records.work, prepared.training, prepared.folds)
            team.folder = records.work
            run = _Run(prepared, records, team, log, begun)
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


@dataclass
class _Log:
    """Notes about the run, for progress events and for the report."""

    tell: Callable[[Event], None]
    notes: list[str] = field(default_factory=list)

    def note(self, text: str) -> None:
        self.notes.append(text)
        self.tell(Event("note", text))


@dataclass
class _Run:
    """The work of one study."""

    prepared: PreparedStudy
    records: Records
    team: WorkerPool
    log: _Log
    begun: datetime

    def __post_init__(self) -> None:
        settings = self.prepared.settings
        self.learners = {candidate.name: candidate for candidate in self.prepared.candidates}
        self.skipped = list(self.prepared.skipped)
        kept = [record for record in self.records.by_key.values() if not _worth_another_try(record, settings)]
        self.plan = Plan(
            list(self.learners), settings.cv, settings.repeats, kept, self.team.size, settings.budget
        )
        if kept:
            self.log.note(f"records: {len(kept)} folds were finished earlier; the study resumes from there")

    def folds(self) -> bool:
        """Run all folds; return whether the study was interrupted."""
        try:
            economized = self.plan.budget is None
            while True:
                if not economized and self.plan.first_fold_done:
                    economized = True
                    self._economize()
                while self.team.idle and (key := self.plan.next()) is not None:
                    self._begin(key)
                if not self.team.running:
                    return False
                for outcome in self.team.wait():
                    self._note(outcome)
        except KeyboardInterrupt:
            return True

    def _economize(self) -> None:
        left = self._seconds_left()
        assert left is not None  # there is a budget
        always = self.prepared.candidates[0].name
        self.skipped += list(self.plan.economize(left, always, self.log.note).items())

    def _begin(self, key: tuple[str, int, int]) -> None:
        name, repeat, fold = key
        metric, *beside = self.prepared.measures
        part = str(self.records.part(*key))
        recipe = self.prepared.recipe(self.learners[name])
        self.team.submit(key, FoldTask(recipe, repeat, fold, metric, tuple(beside), part))
        self._tell("start", f"{name}, repeat {repeat + 1}, fold {fold + 1}", key)

    def _note(self, outcome: Outcome) -> None:
        key: tuple[str, int, int] = outcome.label
        record = _record(key, outcome, self.team.time_limit)
        self.records.add(record)
        self.plan.learn(record)
        if record.error:
            text = f"{record.learner} failed and is not fitted in further folds: {record.error}"
            self._tell("failed", text, key)
        else:
            setting = f" with {setting_text(record.setting)}" if record.setting else ""
            self._tell("done", f"{record.learner}{setting}", key)

    def _tell(self, kind: Any, text: str, key: tuple[str, int, int] = ("", -1, -1)) -> None:
        running = tuple(dict.fromkeys(label[0] for label in self.team.running))
        plan = self.plan
        self.log.tell(Event(kind, text, *key, plan.done, plan.total, running, plan.seconds_left))

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
            versions=_versions(),
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

    def _seconds_left(self) -> float | None:
        budget, now = self.plan.budget, time.monotonic()
        return None if budget is None else budget - (now - (self.team.since or now))

    def _what_was_done(self) -> PreparedStudy:
        """The study as it was run: a budget may have reduced repeats and learners."""
        prepared, plan = self.prepared, self.plan
        settings = replace(prepared.settings, repeats=plan.repeats, learners=tuple(plan.names))
        taken = [candidate for candidate in prepared.candidates if candidate.name in plan.names]
        return replace(prepared, settings=settings, candidates=taken, folds=prepared.folds[: plan.repeats])


def _record(key: tuple[str, int, int], outcome: Outcome, limit: float) -> Record:
    name, repeat, fold = key
    if outcome.kind != "done":
        return Record(name, repeat, fold, outcome.kind, {}, error=outcome.error, limit=limit)
    done: FoldDone = outcome.result
    return Record(
        name,
        repeat,
        fold,
        "done",
        dict(done.scores),
        done.fit_seconds,
        done.predict_seconds,
        done.stored,
        done.checksum,
        done.warning,
        setting=dict(done.setting),
    )


def _worth_another_try(record: Record, settings: Settings) -> bool:
    """Whether a failed fold may succeed now: it crashed, or the time limit is higher than it was."""
    return record.kind == "crashed" or (record.kind == "time" and record.limit < settings.time_limit)


def _versions() -> dict[str, str]:
    versions = {"hornbook": __version__, "python": platform.python_version()}
    return versions | {name: version(name) for name in LIBRARIES} | {"system": platform.platform()}

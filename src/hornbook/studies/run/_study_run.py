"""The folds of a study: given to workers one after the other, recorded, resumed."""

from __future__ import annotations

import platform
import shlex
import time
from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from datetime import datetime
from importlib.metadata import version
from pathlib import Path
from typing import Any

from hornbook import __version__
from hornbook.studies._event import Event
from hornbook.studies._settings import Settings
from hornbook.studies._study import Study
from hornbook.studies.prepare._prepare import PreparedStudy
from hornbook.studies.prepare._setting_text import setting_text
from hornbook.studies.run._plan import Key, Plan
from hornbook.studies.run._records import Record, Records
from hornbook.studies.run._tasks import FoldDone
from hornbook.studies.run._worker_pool import FailedTask, Outcome, WorkerPool, all_done

__all__ = ["Log", "StudyRun", "record_of", "versions_used"]

LIBRARIES = ("numpy", "scipy", "scikit-learn", "polars")


@dataclass
class Log:
    """Notes about the run, for progress events and for the report."""

    tell: Callable[[Event], None]
    notes: list[str] = field(default_factory=list)

    def note(self, text: str) -> None:
        """Keep a note, and show it."""
        self.notes.append(text)
        self.tell(Event("note", text))


@dataclass
class StudyRun(ABC):
    """The work of one study; what is fitted, and what comes after the folds, depends on its task."""

    prepared: PreparedStudy
    records: Records
    team: WorkerPool
    log: Log
    begun: datetime

    def __post_init__(self) -> None:
        settings = self.prepared.settings
        self.learners = {candidate.name: candidate for candidate in self.prepared.candidates}
        self.skipped = list(self.prepared.skipped)
        kept = [record for record in self.records.by_key.values() if not _worth_another_try(record, settings)]
        # With a plan, the time is not looked at: the same plan gives the same study on any machine.
        budget = None if settings.plan else settings.budget
        self.plan = Plan(list(self.learners), settings.cv, settings.repeats, kept, self.team.size, budget)
        if settings.plan:
            always = self.prepared.candidates[0].name
            self.skipped += list(self.plan.follow(settings.plan, always).items())
        if kept:
            self.log.note(f"records: {len(kept)} folds were finished earlier; the study resumes from there")

    def folds(self) -> bool:
        """Run all folds; return whether the study was interrupted."""
        try:
            # How long folds take is known only after the first of each learner, so the budget is applied
            # then.
            economized = self.plan.budget is None
            self._expect_costs()
            if not economized and self.plan.expected:
                self._economize()
            self.race()
            while True:
                if not economized and self.plan.first_fold_done:
                    economized = True
                    self._economize()
                # Work is given out one fold at a time: a queue in each worker could not be changed by the
                # race.
                while self.team.idle and (key := self.plan.next()) is not None:
                    self._begin(key)
                if not self.team.running:
                    return False
                for outcome in self.team.wait():
                    self._note(outcome)
                    self.race()
        except KeyboardInterrupt:
            return True

    def _expect_costs(self) -> None:
        """Forecast what a fold of each learner will take, where the table is large."""
        if self.plan.first_fold_done or not (tasks := self.cost_tasks()):
            return
        self._tell("phase", "forecasting the time of each learner")
        done = all_done(self.team, tasks)
        # A learner that fails on a sample may succeed on all rows, and has no forecast.
        seconds = {key[0]: cost for key, cost in done.items() if not isinstance(cost, FailedTask)}
        self.plan.expect(seconds)

    def cost_tasks(self) -> dict[tuple[str, int], Any]:
        """Return tasks that forecast the seconds of one fold of a learner, by its name and 0."""
        return {}

    def has_time_for(self, seconds: float, what: str, words: str) -> bool:
        """Whether the budget allows something after the folds; if it does not, that becomes part of the plan.

        Parameters
        ----------
        seconds : float
            Forecast of the time.
        what : str
            What it is, in the plan.
        words : str
            What is then left out, with its verb.
        """
        left = self._seconds_left()
        if what in self.plan.left_out or (left is not None and left <= seconds):
            if what not in self.plan.left_out:
                self.plan.left_out[what] = f"budget: {words} left out"
                self.log.note(self.plan.left_out[what])
            return False
        return True

    def planned(self, command: str) -> str:
        """Return the command of the study with what was decided for a budget, so that it decides the same."""
        if not command or self.plan.budget is None:
            return command
        return shlex.join([*shlex.split(command), *(w for d in self.plan.decisions for w in ("--plan", d))])

    def _economize(self) -> None:
        left = self._seconds_left()
        assert left is not None  # there is a budget
        always = self.prepared.candidates[0].name
        self.skipped += list(self.plan.economize(left, always, self.log.note).items())

    def _begin(self, key: Key) -> None:
        name, repeat, fold = key
        self.team.submit(key, self.task(key))
        self._tell("start", f"{name}, repeat {repeat + 1}, fold {fold + 1}", key)

    @abstractmethod
    def task(self, key: Key) -> Any:
        """Return the task of a worker for one fold of one learner, which gives a `FoldDone`."""

    def race(self) -> None:  # noqa: B027 - not abstract: clusterings have no such rule
        """Stop learners that cannot become best, where the task has such a rule."""

    @abstractmethod
    def finish(self, folder: Path | None, command: str, *, interrupted: bool) -> Study:
        """Compute the verdict, explain the recommended learner, and write all files."""

    def _note(self, outcome: Outcome) -> None:
        key: Key = outcome.label
        record = record_of(outcome, self.team.time_limit)
        # Written before the plan moves on, so that a crash loses at most the folds that are running.
        self.records.add(record)
        self.plan.learn(record)
        if record.error:
            text = f"{record.learner} failed and is not fitted in further folds: {record.error}"
            self._tell("failed", text, key)
        else:
            setting = f" with {setting_text(record.setting)}" if record.setting else ""
            self._tell("done", f"{record.learner}{setting}", key)

    def _tell(self, kind: Any, text: str, key: Key = ("", -1, -1)) -> None:
        running = tuple(dict.fromkeys(label[0] for label in self.team.running))
        plan = self.plan
        self.log.tell(Event(kind, text, *key, plan.done, plan.total, running, plan.seconds_left))

    def _seconds_left(self) -> float | None:
        budget, now = self.plan.budget, time.monotonic()
        return None if budget is None else budget - (now - (self.team.since or now))

    def _what_was_done(self) -> PreparedStudy:
        """The study as it was run: a budget may have reduced repeats and learners."""
        prepared, plan = self.prepared, self.plan
        asked = prepared.settings
        decisions = () if asked.budget is None and not asked.plan else plan.decisions
        settings = replace(asked, repeats=plan.repeats, learners=tuple(plan.names), plan=decisions)
        taken = [candidate for candidate in prepared.candidates if candidate.name in plan.names]
        return replace(prepared, settings=settings, candidates=taken, folds=prepared.folds[: plan.repeats])


def record_of(outcome: Outcome, limit: float) -> Record:
    """Return the line of the journal for a finished or failed fold."""
    name, repeat, fold = outcome.label
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


def versions_used() -> dict[str, str]:
    """Return the versions of all that results may depend on."""
    versions = {"hornbook": __version__, "python": platform.python_version()}
    return versions | {name: version(name) for name in LIBRARIES} | {"system": platform.platform()}

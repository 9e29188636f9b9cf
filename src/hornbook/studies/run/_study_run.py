"""The folds of a study: given to workers one after the other, recorded, resumed."""

from __future__ import annotations

import platform
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
from hornbook.studies.run._worker_pool import Outcome, WorkerPool

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
        self.plan = Plan(
            list(self.learners), settings.cv, settings.repeats, kept, self.team.size, settings.budget
        )
        if kept:
            self.log.note(f"records: {len(kept)} folds were finished earlier; the study resumes from there")

    def folds(self) -> bool:
        """Run all folds; return whether the study was interrupted."""
        try:
            # How long folds take is known only after the first of each learner, so the budget is applied
            # then.
            economized = self.plan.budget is None
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
        settings = replace(prepared.settings, repeats=plan.repeats, learners=tuple(plan.names))
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

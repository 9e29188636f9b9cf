"""A clustering from its first split to its report."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hornbook.evaluation import ClusterStructure, GapStatistic, Verdict, cluster_recovery, reference_kinds
from hornbook.studies._event import Event
from hornbook.studies._results import OutOfFoldPredictions
from hornbook.studies._study import Study
from hornbook.studies.clusters._conclude import (
    GatheredClusterings,
    agreement_with,
    count_curves,
    gather_clusterings,
    judge_clusterings,
    plane_of,
    profile_of,
    recommended,
)
from hornbook.studies.clusters._findings import ClusterFindings
from hornbook.studies.clusters._portfolio import ClusterCandidate, for_all_rows
from hornbook.studies.clusters._tasks import (
    MOST_REFERENCE,
    N_SPLITS,
    FitTask,
    GapTask,
    HalvesTask,
    ReferenceTask,
    sample_of,
)
from hornbook.studies.prepare._prepare import PreparedStudy
from hornbook.studies.report._outputs import save_model, write_files
from hornbook.studies.run._plan import CLOSER_LOOK, Key
from hornbook.studies.run._records import Record
from hornbook.studies.run._study_run import StudyRun, record_of, versions_used
from hornbook.studies.run._worker_pool import FailedTask, all_done

__all__ = ["ClusterRun", "no_predictions"]

FEWEST_REFERENCES, MOST_REFERENCES = 19, 199  # tables of each kind; 19 allow for p = 0.05
REFERENCE_FITS = N_SPLITS  # splits of each clustering on such a table
REFERENCE = "tables without clusters"  # before the kind, in records and progress


@dataclass
class ClusterRun(StudyRun):
    """The work of a study without a target."""

    references_done = 0

    def __post_init__(self) -> None:
        super().__post_init__()
        alpha = self.prepared.settings.alpha
        # The smallest p of a Monte Carlo test with B tables is 1 / (B + 1), which must not exceed alpha
        # (Davison and Hinkley 1997, chapter 4).
        count = min(MOST_REFERENCES, max(FEWEST_REFERENCES, math.ceil(1 / alpha - 1e-9) - 1))
        kinds = reference_kinds(self.prepared.training.features)
        self.references: list[Key] = [(f"{REFERENCE}, table", -1, 0)]
        self.references += [(f"{REFERENCE}, {kind}", -1, i) for i in range(count) for kind in kinds]

    def task(self, key: Key) -> HalvesTask:
        """Fit a clusterer to two halves of the rows."""
        name, repeat, fold = key
        settings = self.prepared.settings
        split = repeat * settings.cv + fold
        return HalvesTask(self.learners[name].learner, split, settings.seed, str(self.records.part(*key)))

    def _tell(self, kind: Any, text: str, key: Key = ("", -1, -1)) -> None:
        running = tuple(dict.fromkeys(label[0] for label in self.team.running))
        plan = self.plan
        done, total = plan.done + self.references_done, plan.total + len(self.references)
        self.log.tell(Event(kind, text, *key, done, total, running, self._forecast()))

    def _forecast(self) -> float | None:
        """Seconds for the remaining splits, and for the remaining tables without clusters."""
        splits = self.plan.seconds_left
        if splits is None:
            return None
        share = min(1.0, MOST_REFERENCE / self.prepared.folds.shape[1])  # of the rows
        of_a_table = share * REFERENCE_FITS * sum(self.plan.seconds(name) for name in self.plan.names)
        known = [record.fit_seconds for record in self.records.by_key.values() if record.repeat < 0]
        per_table = float(np.mean(known)) if known else of_a_table
        return splits + (len(self.references) - self.references_done) * per_table / self.team.size

    def _what_was_done(self) -> PreparedStudy:
        done = super()._what_was_done()
        taken: Any = done.candidates
        families = tuple(dict.fromkeys(one.family for one in taken))
        return replace(done, settings=replace(done.settings, learners=families), folds=self.prepared.folds)

    def finish(self, folder: Path | None, command: str, *, interrupted: bool) -> Study:
        """Compute the verdict, compare with tables without clusters, describe the clusters, write files."""
        prepared = self._what_was_done()
        candidates: Any = prepared.candidates
        gathered = gather_clusterings(prepared, self.plan.counted)
        for learner in gathered.learners:
            if learner.warning:
                self.log.note(f"{learner.name} warned: {learner.warning}")
        verdict, unfinished = judge_clusterings(gathered, prepared)
        findings, model = (
            ClusterFindings(prepared.settings.clusters, reference=prepared.settings.target),
            None,
        )
        if verdict is not None:
            structure, untested = None, "the study was interrupted before"
            try:
                if not interrupted:
                    structure, untested = self._structure(candidates)
            except KeyboardInterrupt:  # the splits are finished, and their report is worth having
                interrupted = True
            prepared = self._what_was_done()  # the plan may now leave out the tables without clusters
            verdict = recommended(verdict, structure, candidates)
            findings = replace(findings, structure=structure, untested=untested)
            if not interrupted:
                try:
                    model, findings = self._described(verdict, gathered, prepared, findings)
                except KeyboardInterrupt:
                    interrupted = True
        features = prepared.training.features
        # Without a fingerprint of the rows: that is for `hornbook evaluate`, which needs a target.
        if folder is not None and not interrupted and (refused := save_model(model, folder)):
            self.log.note(refused)
        study = Study(
            settings=prepared.settings,
            notes=tuple(self.log.notes),
            task="clustering",
            classes=(),
            n_rows=len(features),
            n_columns=len(features.schema),
            profile=prepared.profile,
            checks=prepared.checks,
            verdict=verdict,
            unfinished=unfinished,
            scores=gathered.scores,
            beside=gathered.beside,
            predictions=no_predictions(prepared),
            learners=gathered.learners,
            skipped=tuple(self.skipped),
            interrupted=interrupted,
            done=self.plan.done,
            total=self.plan.total,
            learning_curve=None,
            importance=(),
            model=model,
            command=self.planned(command),
            versions=versions_used(),
            started=self.begun,
            ended=datetime.now(UTC),
            folder=folder,
            clusters=findings,
        )
        if folder is not None:
            self._tell("phase", "report")
            write_files(study, folder)
        return study

    def _structure(self, candidates: Sequence[ClusterCandidate]) -> tuple[ClusterStructure | None, str]:
        """Stability on tables without clusters, recorded table by table; or why it is not known."""
        failed = self.plan.failed
        able = [candidate for candidate in candidates if candidate.name not in failed]
        names = [candidate.name for candidate in able]
        self._tell("phase", "comparing with tables without clusters")
        # Recorded table by table, as folds are, so that an interrupted study resumes here, too.
        waiting = [key for key in self.references if not self._recorded(key, names)]
        self.references_done = len(self.references) - len(waiting)
        while waiting or self.team.running:
            if waiting and not self.has_time_for(0.0, CLOSER_LOOK, "tables without clusters are"):
                waiting = []
                continue
            while waiting and self.team.idle:
                self._begin_reference(waiting.pop(0), able)
            for outcome in self.team.wait():
                record = replace(record_of(outcome, self.team.time_limit), setting={"names": names})
                self.records.add(record)
                self.references_done += 1
                self._tell("done", record.learner, record.key)
        means = dict(self._measured(names))
        # A test with some of the tables would depend on which of them were finished in time.
        if len(means) < len(self.references):
            return None, "the budget or the time limit did not allow it"
        own, *others = self.references
        kinds = list(dict.fromkeys(key[0] for key in others))
        tables = {
            kind.removeprefix(f"{REFERENCE}, "): np.array([means[key] for key in others if key[0] == kind])
            for kind in kinds
        }
        return ClusterStructure(tuple(names), means[own], tables), ""

    def _begin_reference(self, key: Key, able: Sequence[ClusterCandidate]) -> None:
        learners = [candidate.learner for candidate in able]
        kind, part = key[0].removeprefix(f"{REFERENCE}, "), str(self.records.part(*key))
        self.team.submit(key, ReferenceTask(learners, kind, key[2], self.prepared.settings.seed, part))

    def _recorded(self, key: Key, names: list[str]) -> Record | None:
        record = self.records.by_key.get(key)
        known = record is not None and record.kind == "done" and record.setting.get("names") == names
        return record if known else None

    def _measured(self, names: list[str]) -> Iterator[tuple[Key, NDArray[np.float64]]]:
        for key in self.references:
            if (record := self._recorded(key, names)) is not None:
                means = self.records.predictions(record)
                if means is not None:
                    yield key, means

    def _described(
        self,
        verdict: Verdict,
        gathered: GatheredClusterings,
        prepared: PreparedStudy,
        findings: ClusterFindings,
    ) -> tuple[Any, ClusterFindings]:
        """Fit the recommended clustering to all rows, and describe its clusters."""
        chosen: Any = self.learners[verdict.recommended]
        self._tell("phase", f"a closer look at {chosen.name}")
        settings, features = prepared.settings, prepared.training.features
        tasks: dict[tuple[str, int], Any] = {("model", 0): FitTask(for_all_rows(chosen))}
        taken: Any = prepared.candidates
        if any(one.family == "KMeans" for one in taken):
            tasks["gap", 0] = GapTask(findings.sizes, settings.seed)
        results = all_done(self.team, tasks)
        model, gap = results["model", 0], results.get(("gap", 0))
        if isinstance(gap, FailedTask):
            self.log.note(f"gap statistic: not computed, because {gap.error}")
        family = next((one.family for one in (chosen, *taken) if one.size is not None), "")
        known_gap = gap if isinstance(gap, GapStatistic) else None
        curves = count_curves(gathered, family, taken, known_gap, 1 - settings.alpha)
        findings = replace(findings, curves=curves, family=family)
        if isinstance(model, FailedTask):
            self.log.note(
                f"model: none, because {chosen.name} could not be fitted to all rows: {model.error}"
            )
            return None, findings
        labels = np.asarray(model.labels_, dtype=np.int64)
        sample = sample_of(len(features), settings.seed)
        profile = profile_of(self._all_columns(prepared), labels)
        order = [-1 if name == "noise" else int(name) for name in profile.names]
        levels = np.unique(labels[sample]).tolist()
        recovery = dict(
            zip(levels, cluster_recovery(labels[sample], self._labels_of(chosen.name)), strict=True)
        )
        return model, replace(
            findings,
            labels=labels,
            rows=prepared.training.rows,
            profile=profile,
            recovery=tuple(float(recovery.get(label, np.nan)) for label in order),
            plane=plane_of(features, sample, labels),
            agreement=agreement_with(prepared, labels),
        )

    def _labels_of(self, name: str) -> Iterator[NDArray[np.int64]]:
        """Labels of the sampled rows by the models of all halves."""
        for record in self.plan.counted.values():
            if record.learner == name and (both := self.records.predictions(record)) is not None:
                yield from both.astype(np.int64)

    def _all_columns(self, prepared: PreparedStudy) -> Any:
        """Columns of the clustering, and the one that was set aside."""
        training = prepared.training
        if prepared.settings.target is None or not training.classes:
            return training.features
        known = training.y >= 0
        labels = np.array([*map(str, training.classes), None], dtype=object)
        table = training.features.to_polars()
        column = labels[np.where(known, training.y, len(training.classes))].tolist()
        import polars as pl  # noqa: PLC0415 - slow to import

        return table.with_columns(pl.Series(prepared.settings.target, column, dtype=pl.String))


def no_predictions(prepared: PreparedStudy) -> OutOfFoldPredictions:
    """Return the predictions of a study without a target: none."""
    none = np.empty(0)
    return OutOfFoldPredictions(prepared.training.rows[:0], none, np.empty((0, 0), dtype=np.int64), {}, {})

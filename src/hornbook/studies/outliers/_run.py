"""A study of outliers from its first split to its report."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.base import clone

from hornbook.ensembles import OutlierEnsemble
from hornbook.studies._study import Study
from hornbook.studies.clusters._run import no_predictions
from hornbook.studies.clusters._tasks import FitTask
from hornbook.studies.outliers._conclude import MOST_LISTED, cells_of, findings_of, plane_with
from hornbook.studies.outliers._findings import OutlierFindings
from hornbook.studies.outliers._tasks import CellsTask, RanksTask
from hornbook.studies.prepare._prepare import PreparedStudy
from hornbook.studies.report._outputs import save_model, write_files
from hornbook.studies.run._gather_scores import info_of
from hornbook.studies.run._plan import Key
from hornbook.studies.run._study_run import StudyRun, versions_used
from hornbook.studies.run._worker_pool import FailedTask, all_done

__all__ = ["OutlierRun"]


class OutlierRun(StudyRun):
    """The work of a study that looks for unusual rows."""

    def task(self, key: Key) -> RanksTask:
        """Fit a method to two halves of the rows."""
        name, repeat, fold = key
        learner: Any = self.learners[name].learner
        split = repeat * self.prepared.settings.cv + fold
        return RanksTask(learner, split, str(self.records.part(*key)))

    def _what_was_done(self) -> PreparedStudy:
        # All splits: a budget may have reduced the repeats, and splits are counted through all of them.
        return replace(super()._what_was_done(), folds=self.prepared.folds)

    def finish(self, folder: Path | None, command: str, *, interrupted: bool) -> Study:
        """Combine the ranks, say what makes rows unusual, and write all files."""
        prepared = self._what_was_done()
        settings, features = prepared.settings, prepared.training.features
        counted = self.plan.counted
        learners = tuple(
            info_of(one, [record for record in counted.values() if record.learner == one.name])
            for one in prepared.candidates
        )
        for learner in learners:
            if learner.warning:
                self.log.note(f"{learner.name} warned: {learner.warning}")
        assert settings.unusual is not None  # filled in before
        findings, model = OutlierFindings(settings.unusual, settings.learners), None
        ranks, unfinished = self._ranks()
        if not unfinished:
            self._tell("phase", "combining the methods")
            findings = findings_of(prepared, ranks)
            findings = replace(findings, plane=plane_with(features, findings, settings.seed))
            if not interrupted:
                try:
                    model, findings = self._described(prepared, findings)
                except KeyboardInterrupt:  # the splits are finished, and their report is worth having
                    interrupted = True
        if folder is not None and not interrupted and (refused := save_model(model, folder)):
            self.log.note(refused)
        study = Study(
            settings=settings,
            notes=tuple(self.log.notes),
            task="outliers",
            classes=(),
            n_rows=len(features),
            n_columns=len(features.schema),
            profile=prepared.profile,
            checks=prepared.checks,
            verdict=None,
            unfinished=unfinished,
            scores=None,
            beside={},
            predictions=no_predictions(prepared),
            learners=learners,
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
            outliers=findings,
        )
        if folder is not None:
            self._tell("phase", "report")
            write_files(study, folder)
        return study

    def _ranks(self) -> tuple[dict[str, list[NDArray[np.float32]]], str]:
        """Ranks of the splits that all methods without a failure have finished; or why there are too few."""
        counted, names = self.plan.counted, self.plan.names
        failed = {record.learner: record.error for record in counted.values() if record.kind != "done"}
        able = [name for name in names if name not in failed]
        if not able:
            broken = "; ".join(f"{name}: {error.rstrip('.')}" for name, error in failed.items())
            return {}, f"No method could be fitted. {broken}."
        for name, error in failed.items():
            self.log.note(f"{name}: left out, because it failed: {error}")
        arrays: dict[str, list[NDArray[np.float32]]] = {name: [] for name in able}
        done = [{key[1:] for key in counted if key[0] == name} for name in able]
        common = sorted(set.intersection(*done))
        for repeat, fold in common:
            for name in able:
                array = self.records.predictions(counted[name, repeat, fold])
                assert array is not None  # damaged ones are not counted
                arrays[name].append(array)
        if len(common) < 2:
            return {}, f"All methods finished {len(common)} resamples in common; to combine them takes 2."
        return arrays, ""

    def _described(self, prepared: PreparedStudy, findings: OutlierFindings) -> tuple[Any, OutlierFindings]:
        """Fit all methods to all rows, and say what makes rows unusual."""
        self._tell("phase", "what makes rows unusual")
        pattern: Any = prepared.candidates[0].learner
        # As many outliers among rows like these as are listed.
        share = min(0.5, max(1, len(findings.unusual)) / len(findings.rows))
        learner = clone(pattern).set_params(methods=findings.methods, cv=OutlierEnsemble().cv, share=share)
        (model,) = all_done(self.team, {("model", 0): FitTask(learner)}).values()
        if isinstance(model, FailedTask):
            self.log.note(f"model: none, because it could not be fitted to all rows: {model.error}")
            return None, findings
        features = prepared.training.features
        listed = findings.unusual[:MOST_LISTED]
        places = tuple(np.searchsorted(findings.rows, [row.row for row in listed]).tolist())
        task = CellsTask(model, places, prepared.settings.seed)
        (shares,) = all_done(self.team, {("cells", 0): task}).values()
        if isinstance(shares, FailedTask):
            self.log.note(f"columns: what makes rows unusual is not known, because {shares.error}")
            return model, findings
        described = [
            replace(row, cells=cells_of(features, place, shares[place]))
            for row, place in zip(listed, places, strict=True)
        ]
        return model, replace(findings, unusual=(*described, *findings.unusual[MOST_LISTED:]))

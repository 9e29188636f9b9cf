"""Studies whose folds are fitted on a cluster: the same records, here and there."""

from __future__ import annotations

import copy
import json
import os
import shutil
import signal
import subprocess
import sys
from pathlib import Path

import cloudpickle
import numpy as np
import pytest
from distributed import Client
from tests.studies.estimators import Odd
from tests.studies.tables import flowers

import hornbook
from hornbook.cluster import _study_pool
from hornbook.cluster._study_table import StudyTable, outcome_on_worker
from hornbook.studies import StudyError

QUICK = {
    "learners": ["NaiveBayes", "KNeighborsClassifier"],
    "cv": 3,
    "repeats": 2,
    "tune": "off",
    "race": False,
}


def records(folder):
    """What was recorded, without how long it took."""
    lines = [json.loads(line) for line in Path(folder, "records.jsonl").read_text().splitlines()]
    keys = ("learner", "repeat", "fold", "kind", "scores", "stored", "checksum", "setting", "error")
    return lines[0], sorted(([line[key] for key in keys] for line in lines[1:]), key=str)


@pytest.fixture(scope="module")
def here(tmp_path_factory):
    folder = tmp_path_factory.mktemp("here") / "s"
    return hornbook.study("iris", out=folder, jobs=1, **QUICK)


@pytest.mark.slow
def test_records_are_the_same_on_a_cluster_and_without_one(client, here, tmp_path):
    there = hornbook.study("iris", out=tmp_path / "s", cluster=client, **QUICK)
    assert records(tmp_path / "s") == records(here.folder)
    assert there.recommended == here.recommended
    rows = hornbook.datasets.load("iris").features
    np.testing.assert_array_equal(there.model.predict_proba(rows), here.model.predict_proba(rows))
    assert client.run(live_tables) == dict.fromkeys(client.run(live_tables), 0)


def live_tables():
    from hornbook.cluster import _study_table

    return sum(not table.ended for table in _study_table._here)


@pytest.mark.slow
@pytest.mark.parametrize("begun_here", [True, False])
def test_a_study_begun_in_one_place_goes_on_in_the_other(client, here, tmp_path, begun_here):
    folder = tmp_path / "s"
    shutil.copytree(here.folder, folder)
    lines = (folder / "records.jsonl").read_text().splitlines(keepends=True)
    (folder / "records.jsonl").write_text("".join(lines[:8]))
    events = []
    where = {"cluster": client} if begun_here else {"jobs": 1}
    hornbook.study("iris", out=folder, progress=events.append, **where, **QUICK)
    assert len([event for event in events if event.kind == "done"]) == len(lines) - 8
    assert records(folder) == records(here.folder)


@pytest.mark.slow
def test_learners_that_fail_crash_or_hang_are_recorded_as_without_a_cluster(client):
    learners = {"raises": Odd("raise"), "crashes": Odd("crash"), "hangs": Odd("hang")}
    study = hornbook.study(
        flowers(), learners=learners, cv=2, repeats=1, time_limit=2.0, cluster=client, race=False
    )
    errors = study.scores.errors
    assert set(errors) == set(learners)
    assert "took longer than the time limit of 2 s" in errors["hangs"]
    assert "crashed" in errors["crashes"] or "ended" in errors["crashes"]


@pytest.mark.slow
def test_tables_lost_with_their_only_worker_are_sent_again(other_cluster, here, tmp_path, monkeypatch):
    with Client(other_cluster(1)) as client:
        pids = list(client.run(os.getpid).values())
        counted = []

        def submit(team, label, task, known=_study_pool.ClusterPool.submit):
            known(team, label, task)
            counted.append(label)
            if len(counted) == 4:
                os.kill(pids[0], signal.SIGKILL)

        monkeypatch.setattr(_study_pool.ClusterPool, "submit", submit)
        hornbook.study("iris", out=tmp_path / "s", cluster=client, **QUICK)
    assert len(counted) > 4
    assert records(tmp_path / "s") == records(here.folder)


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore")
def test_a_lost_scheduler_leaves_the_finished_folds(other_cluster, here, tmp_path):
    cluster = other_cluster(1)

    def close_midway(event):
        if event.kind == "done" and event.done == 5:
            cluster.close()

    with (
        Client(cluster, timeout=2) as client,
        pytest.raises(StudyError, match="was lost, and finished folds are kept"),
    ):
        hornbook.study("iris", out=tmp_path / "s", cluster=client, progress=close_midway, **QUICK)
    assert 5 <= len(records(tmp_path / "s")[1]) < len(records(here.folder)[1])
    assert not list((tmp_path / "s").rglob("*.part"))
    hornbook.study("iris", out=tmp_path / "s", jobs=1, **QUICK)
    assert records(tmp_path / "s") == records(here.folder)


@pytest.mark.slow
def test_the_program_studies_on_workers_of_its_own(here, tmp_path):
    words = "study iris --learners NaiveBayes,KNeighborsClassifier --cv 3 --repeats 2 --tune off"
    done = subprocess.run(
        [sys.executable, "-m", "hornbook", *words.split(), "--no-race", "--cluster", "local:2"],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(str(Path(path).resolve()) for path in sys.path)},
        capture_output=True,
        text=True,
        check=True,
        timeout=300,
    )
    assert records(tmp_path / "iris-study") == records(here.folder)
    assert done.stdout.startswith(str(here.verdict).split(":")[0])
    assert "the report is iris-study/report.html" in done.stderr
    assert "distributed" not in done.stderr


def test_a_cluster_that_cannot_be_used_is_refused_in_one_sentence(monkeypatch):
    from hornbook.cluster import _connection

    monkeypatch.setattr(_connection, "PATIENCE", 1)
    with pytest.raises(StudyError, match=r"no scheduler at tcp://127.0.0.1:9 \(.*: check the address"):
        hornbook.study("iris", cluster="tcp://127.0.0.1:9")
    with pytest.raises(StudyError, match="is given as tcp://host:port, or as local:4"):
        hornbook.study("iris", cluster="local:0")
    with pytest.raises(StudyError, match="jobs= is for studies on this machine"):
        hornbook.study("iris", cluster="local:1", jobs=2)


def test_tables_travel_with_their_files_and_leave_nothing(tmp_path):
    (tmp_path / "y.npy").write_bytes(b"cells")
    sent = copy.copy(StudyTable(tmp_path, 5.0, "mark"))
    assert (sent.folder / "y.npy").read_bytes() == b"cells"
    assert (sent.time_limit, sent.mark) == (5.0, "mark")
    folder = sent.folder
    sent.end()
    assert not folder.exists()
    assert (tmp_path / "y.npy").exists()
    outcome, content = cloudpickle.loads(outcome_on_worker(sent, cloudpickle.dumps(None)))
    assert (outcome.kind, outcome.error, content) == ("crashed", "the study has ended", b"")

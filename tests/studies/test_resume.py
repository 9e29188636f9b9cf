"""Studies that are interrupted, killed or run again: nothing finished is lost, and the result is the same."""

from __future__ import annotations

import json
import os
import random
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest
from tests.studies.estimators import Odd
from tests.studies.tables import flowers

import hornbook
from hornbook.studies import StudyError

ROOT = Path(__file__).parents[2]
SCRIPT = """
import sys
import hornbook
from tests.studies.estimators import Odd
from tests.studies.tables import flowers
learners = {"ours": hornbook.NaiveBayes(), "odd": Odd(seconds=0.05)}
study = hornbook.study(flowers(), learners=learners, cv=4, repeats=3, jobs=2, race=False, out=sys.argv[1])
print(study.interrupted, study.done, study.total)
"""
SETTINGS = {"cv": 4, "repeats": 3, "jobs": 2, "race": False}


def learners(seconds=0.05):
    return {"ours": hornbook.NaiveBayes(), "odd": Odd(seconds=seconds)}


def begun(folder):
    """Start a study in a process of its own."""
    path = os.pathsep.join([str(ROOT), str(ROOT / "src")])
    return subprocess.Popen(
        [sys.executable, "-c", SCRIPT, str(folder)],
        env={**os.environ, "PYTHONPATH": path},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def lines(folder):
    diary = folder / "records.jsonl"
    return diary.read_bytes().count(b"\n") - 1 if diary.exists() else -1


def wait_for_lines(folder, n, process):
    while lines(folder) < n and process.poll() is None:
        time.sleep(0.01)


def outcome(study):
    """All that must not depend on how a study came about."""
    results = study.to_dict()
    kept = {
        name: results[name] for name in ("scores", "beside", "importance", "learning_curve", "done", "total")
    }
    kept["verdict"] = {
        **results["verdict"],
        "standings": [s["name"] for s in results["verdict"]["standings"]],
    }
    answers = [labels.tolist() for labels in study.predictions.answers["ours"]]
    return kept, answers


@pytest.fixture(scope="module")
def whole():
    return outcome(hornbook.study(flowers(), learners=learners(), **SETTINGS))


@pytest.mark.slow
def test_a_killed_study_goes_on_and_ends_as_if_nothing_had_happened(tmp_path, whole):
    process = begun(tmp_path / "s")
    wait_for_lines(tmp_path / "s", 5, process)
    process.kill()
    process.communicate()
    behind = lines(tmp_path / "s")
    assert 5 <= behind < 36
    events = []
    resumed = hornbook.study(
        flowers(), learners=learners(), out=tmp_path / "s", progress=events.append, **SETTINGS
    )
    assert outcome(resumed) == whole
    assert f"records: {behind} folds were finished earlier; the study resumes from there" in resumed.notes
    assert sum(event.kind == "start" for event in events) == 36 - behind
    assert not (tmp_path / "s" / "work").exists()
    assert list((tmp_path / "s").rglob("*.part")) == []
    assert len(list((tmp_path / "s" / "folds").iterdir())) == 36


@pytest.mark.slow
def test_workers_of_a_killed_study_end_too(tmp_path):
    process = begun(tmp_path / "s")
    wait_for_lines(tmp_path / "s", 1, process)
    children = Path(f"/proc/{process.pid}/task/{process.pid}/children")
    if not children.exists():
        pytest.skip("this system does not tell the children of a process")
    workers = [int(pid) for pid in children.read_text().split()]
    process.kill()
    process.communicate()
    assert workers
    deadline = time.monotonic() + 10
    while any(Path(f"/proc/{pid}").exists() for pid in workers) and time.monotonic() < deadline:
        time.sleep(0.05)
    assert not [pid for pid in workers if Path(f"/proc/{pid}").exists()]


@pytest.mark.slow
def test_a_study_killed_again_and_again_at_any_moment_ends_the_same(tmp_path, whole):
    draws = random.Random(0)
    for _ in range(12):
        process = begun(tmp_path / "s")
        time.sleep(draws.uniform(0.5, 4.0))
        process.kill()
        process.communicate()
    resumed = hornbook.study(flowers(), learners=learners(), out=tmp_path / "s", **SETTINGS)
    assert outcome(resumed) == whole


def test_ctrl_c_leaves_a_valid_study_that_goes_on(tmp_path, whole, interruptible):
    process = begun(tmp_path / "s")
    wait_for_lines(tmp_path / "s", 9, process)
    process.send_signal(signal.SIGINT)
    printed, errors = process.communicate(timeout=60)
    assert printed.startswith("True "), errors
    results = json.loads((tmp_path / "s" / "results.json").read_text())
    assert results["interrupted"]
    assert 9 <= results["done"] < results["total"] == 36
    verdict = results["verdict"]["sentence"]  # which one it is depends on how many folds were done
    assert results["sentence"] == f"Interrupted after {results['done']} of 36 folds. {verdict}"
    assert results["verdict"]["folds"] >= 2
    assert results["model"] is None
    assert list((tmp_path / "s").rglob("*.part")) == []
    resumed = hornbook.study(flowers(), learners=learners(), out=tmp_path / "s", **SETTINGS)
    assert not resumed.interrupted
    assert outcome(resumed) == whole


@pytest.fixture(scope="module")
def finished(tmp_path_factory):
    """A folder with a finished study."""
    folder = tmp_path_factory.mktemp("finished") / "s"
    hornbook.study(flowers(), learners=["NaiveBayes"], cv=2, repeats=1, jobs=1, out=folder)
    return folder


@pytest.fixture
def copied(finished, tmp_path):
    return Path(shutil.copytree(finished, tmp_path / "s"))


def again(folder, data=None, **changes):
    settings = {"learners": ["NaiveBayes"], "cv": 2, "repeats": 1, "jobs": 1, **changes}
    events = []
    resumed = hornbook.study(
        flowers() if data is None else data, out=folder, progress=events.append, **settings
    )
    return resumed, [(event.learner, event.fold) for event in events if event.kind == "start"]


@pytest.mark.slow
def test_a_finished_study_fits_no_fold_again(copied):
    assert again(copied, jobs=2, time_limit=5.0, alpha=0.1)[1] == []


def test_torn_lines_lost_answers_and_leftovers_are_done_again(copied):
    diary = copied / "records.jsonl"
    kept = diary.read_bytes().splitlines(keepends=True)
    diary.write_bytes(b"".join(kept[:-1]) + kept[-1][:40])
    (copied / "folds" / "Baseline-r0-f0.npy").write_bytes(b"gone wrong")
    np.save(copied / "folds" / "NaiveBayes-r0-f0.npy", np.zeros((30, 3)))
    (copied / "folds" / "x.npy.part").write_bytes(b"")
    (copied / "work").mkdir()
    resumed, started = again(copied)
    assert started == [("Baseline", 0), ("NaiveBayes", 0), ("NaiveBayes", 1)]
    assert resumed.done == 4
    assert not (copied / "folds" / "x.npy.part").exists()
    assert all(json.loads(line) for line in diary.read_text().splitlines())


@pytest.mark.parametrize(
    ("changes", "sentence"),
    [
        ({"seed": 1}, r"belongs to another study \(seed = 0, not 1\): choose another with out=, or remove"),
        ({"cv": 3}, r"\(cv = 2, not 3\)"),
        ({"learners": ["KNeighborsClassifier"]}, r"\(other learners\)"),
        ({"data": flowers(61)}, r"\(other data\)"),
        ({"ignore": ["width"]}, r"\(columns = \['length', 'width'\], not \['length'\]\)"),
    ],
)
def test_the_folder_of_another_study_is_refused_and_left_alone(copied, changes, sentence):
    before = {path: path.read_bytes() for path in copied.rglob("*") if path.is_file()}
    with pytest.raises(StudyError, match=sentence):
        again(copied, **changes)
    assert {path: path.read_bytes() for path in copied.rglob("*") if path.is_file()} == before


@pytest.mark.slow
def test_a_failure_is_kept_but_one_of_time_is_tried_again_with_more_of_it(tmp_path):
    options = {"cv": 2, "repeats": 1, "jobs": 1, "out": tmp_path / "s"}
    hasty = hornbook.study(
        flowers(), learners={"slow": Odd(seconds=3.0), "raises": Odd("raise")}, time_limit=1.5, **options
    )
    assert [info.failed for info in hasty.learners] == [0, 1, 1]
    patient = hornbook.study(
        flowers(), learners={"slow": Odd(seconds=3.0), "raises": Odd("raise")}, time_limit=30.0, **options
    )
    assert [info.failed for info in patient.learners] == [0, 0, 1]
    assert [info.done for info in patient.learners] == [2, 2, 0]


def test_two_runs_do_not_write_to_one_folder(copied):
    import fcntl

    with (copied / "records.jsonl").open("ab") as file:
        fcntl.flock(file.fileno(), fcntl.LOCK_EX)
        with pytest.raises(StudyError, match="another run is writing to the folder"):
            again(copied)

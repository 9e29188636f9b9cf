"""The processes of a study, and what they say."""

from __future__ import annotations

import time
from dataclasses import dataclass
from pathlib import Path

import numpy as np

import hornbook
from hornbook.evaluation import Target
from hornbook.studies.prepare._training_data import TrainingData
from hornbook.studies.run import _worker_pool as team_module
from hornbook.studies.run._shared_table import share
from hornbook.studies.run._worker_pool import WorkerPool


@dataclass(frozen=True)
class Touch:
    """A task that leaves a mark, and gives an answer of some size."""

    path: str
    size: int

    def run(self, shared: object) -> np.ndarray:
        Path(self.path).touch()
        return np.zeros(self.size)


def some_shared(folder: Path) -> Path:
    frame = hornbook.Frame({"a": np.arange(4.0)})
    share(
        folder,
        TrainingData(frame, Target(np.arange(4) % 2, ("n", "y")), np.arange(4), None),
        np.zeros((1, 4), np.int64),
    )
    return folder


def started(team: WorkerPool, mark: Path, shared: Path, size: int) -> None:
    """Submit a task to a process that is not ready yet, and wait until it has answered."""
    team.folder = shared
    team.submit("task", Touch(str(mark), size))
    until = time.monotonic() + 60
    while not mark.exists() and time.monotonic() < until:
        time.sleep(0.05)
    time.sleep(0.5)


def test_messages_that_arrive_together_are_all_heard(tmp_path):
    shared = some_shared(tmp_path)
    with WorkerPool(1, 1, 60.0) as team:
        started(team, tmp_path / "mark", shared, 3)
        (outcome,) = team.wait(5.0)
        assert (outcome.label, outcome.kind, len(outcome.result)) == ("task", "done", 3)
        assert not team.running


def test_a_message_in_many_pieces_is_heard_once(tmp_path, monkeypatch):
    monkeypatch.setattr(team_module, "PIECE", 100)
    shared = some_shared(tmp_path)
    with WorkerPool(1, 1, 60.0) as team:
        started(team, tmp_path / "mark", shared, 1000)
        (outcome,) = list(team)
        assert len(outcome.result) == 1000

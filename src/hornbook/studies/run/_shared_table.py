"""The single copy of the table that all processes of a study share."""

from __future__ import annotations

import pickle
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hornbook.evaluation import Target
from hornbook.frame import Frame
from hornbook.studies.prepare._folds import training_and_test
from hornbook.studies.prepare._training_data import TrainingData

__all__ = ["Shared", "open_shared", "share"]


@dataclass(frozen=True, eq=False, kw_only=True)
class Shared(TrainingData):
    """Rows as a worker sees them: files mapped into memory, so that workers share their pages.

    Parameters
    ----------
    folds : ndarray of shape (n_repeats, n_rows)
        The fold in which each row is tested.
    """

    folds: NDArray[np.int64]

    def split(self, repeat: int, fold: int) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
        """Return training and test rows."""
        return training_and_test(self.folds[repeat], fold, forward=self.times is not None)


def share(folder: Path, training: TrainingData, folds: NDArray[np.int64]) -> None:
    """Write the table once, for all workers.

    Parameters
    ----------
    folder : path
        Where to write; it must exist.
    training : TrainingData
        The rows.
    folds : ndarray of shape (n_repeats, n_rows)
        The fold in which each row is tested.
    """
    features = training.features
    with (folder / "schema.pickle").open("wb") as file:
        head = (features.schema, len(features), training.classes, training.positive, training.costs)
        pickle.dump(head, file)
    # One matrix where all columns are numbers: learners that want a matrix then use the pages as they are.
    if len(features.schema.coded) == 0:
        np.save(folder / "numbers.npy", features.numbers)
    else:
        for j in range(len(features.schema)):
            np.save(folder / f"column{j}.npy", features.column(j))
    np.save(folder / "y.npy", training.y)
    np.save(folder / "folds.npy", folds)
    if training.weights is not None:
        np.save(folder / "weights.npy", training.weights)
    if training.times is not None:
        np.save(folder / "times.npy", training.times)
    if training.groups is not None:
        np.save(folder / "groups.npy", np.unique(training.groups, return_inverse=True)[1].astype(np.int64))


def open_shared(folder: Path) -> Shared:
    """Open a table that was written by `share`."""
    with (folder / "schema.pickle").open("rb") as file:
        schema, n_rows, classes, positive, costs = pickle.load(file)  # noqa: S301 - written by our own parent process
    columns: Any
    if len(schema.coded) == 0:
        columns = _mapped(folder / "numbers.npy")
    else:
        columns = [_mapped(folder / f"column{j}.npy") for j in range(len(schema))]
    weights, groups, times = (
        _mapped(path) if (path := folder / f"{name}.npy").exists() else None
        for name in ("weights", "groups", "times")
    )
    frame = Frame.from_columns(schema, columns, n_rows)
    target, rows = Target(_mapped(folder / "y.npy"), classes), np.arange(n_rows)
    folds = _mapped(folder / "folds.npy")
    return Shared(frame, target, rows, weights, groups, positive, times, costs, folds=folds)


def _mapped(path: Path) -> NDArray[Any]:
    # As a plain array over the mapped pages: the subclass memmap makes every slice slower.
    return np.asarray(np.load(path, mmap_mode="r", allow_pickle=False))

"""The one copy of the table that all processes of a study look at."""

from __future__ import annotations

import pickle
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hornbook.frame import Frame
from hornbook.studies.prepare._training_data import Material, class_array

__all__ = ["Shared", "open_shared", "share"]


@dataclass(frozen=True, eq=False)
class Shared:
    """Rows as a worker sees them: files that are mapped into memory, not read.

    Parameters
    ----------
    features : Frame
        The feature columns.
    y : ndarray of shape (n_rows,)
        Numbers, or class numbers.
    weights : ndarray of shape (n_rows,) or None
        Weights of the rows.
    folds : ndarray of shape (n_repeats, n_rows)
        The fold in which each row is tested.
    classes : tuple
        The classes; empty for a regression.
    groups : ndarray of shape (n_rows,), optional
        Number of the group of each row.
    positive : int, optional
        Position of the positive one of two classes.
    """

    features: Frame
    y: NDArray[Any]
    weights: NDArray[np.float64] | None
    folds: NDArray[np.int64]
    classes: tuple[Any, ...]
    groups: NDArray[np.int64] | None = None
    positive: int | None = None

    @property
    def target(self) -> NDArray[Any]:
        """What learners are fitted to: numbers, or the classes as the user and parameters name them."""
        return class_array(self.classes)[self.y] if self.classes else self.y

    def split(self, repeat: int, fold: int) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
        """Return the rows to learn from and the rows to test on."""
        tested = self.folds[repeat] == fold
        return np.flatnonzero(~tested), np.flatnonzero(tested)


def share(folder: Path, material: Material, folds: NDArray[np.int64]) -> None:
    """Write the table once, for all workers.

    Parameters
    ----------
    folder : path
        Where to write; it must exist.
    material : Material
        The rows.
    folds : ndarray of shape (n_repeats, n_rows)
        The fold in which each row is tested.
    """
    features = material.features
    with (folder / "schema.pickle").open("wb") as file:
        pickle.dump((features.schema, len(features), material.classes, material.positive), file)
    if len(features.schema.coded) == 0:
        np.save(folder / "numbers.npy", features.numbers)
    else:
        for j in range(len(features.schema)):
            np.save(folder / f"column{j}.npy", features.column(j))
    np.save(folder / "y.npy", material.y)
    np.save(folder / "folds.npy", folds)
    if material.weights is not None:
        np.save(folder / "weights.npy", material.weights)
    if material.groups is not None:
        np.save(folder / "groups.npy", np.unique(material.groups, return_inverse=True)[1].astype(np.int64))


def open_shared(folder: Path) -> Shared:
    """Look at a table that was written by `share`."""
    with (folder / "schema.pickle").open("rb") as file:
        schema, n_rows, classes, positive = pickle.load(file)  # noqa: S301 - written by our own parent process
    columns: Any
    if len(schema.coded) == 0:
        columns = _mapped(folder / "numbers.npy")
    else:
        columns = [_mapped(folder / f"column{j}.npy") for j in range(len(schema))]
    weights, groups = (
        _mapped(path) if path.exists() else None for path in (folder / "weights.npy", folder / "groups.npy")
    )
    frame = Frame.from_columns(schema, columns, n_rows)
    y, folds = _mapped(folder / "y.npy"), _mapped(folder / "folds.npy")
    return Shared(frame, y, weights, folds, classes, groups, positive)


def _mapped(path: Path) -> NDArray[Any]:
    # As a plain array over the mapped pages: the subclass memmap makes every slice slower.
    return np.asarray(np.load(path, mmap_mode="r", allow_pickle=False))

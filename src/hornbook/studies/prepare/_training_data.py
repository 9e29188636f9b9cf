"""Training data of a study: features, target, weights and groups of the rows that are kept."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hornbook.evaluation import Dataset, Target
from hornbook.frame import Frame, TimeSaved
from hornbook.params import suggest
from hornbook.studies._settings import Settings, StudyError

__all__ = ["TrainingData", "kept_rows", "require_column", "require_columns", "training_data_of"]

MOST_KEPT = 4_000_000  # cells of selected rows cached for the next learner in a process


@dataclass(frozen=True, eq=False)
class TrainingData:
    """Rows that learners are fitted and tested on.

    Parameters
    ----------
    features : Frame
        The feature columns.
    target : Target
        What is to be predicted.
    rows : ndarray of shape (n_rows,)
        Position of each row in the table that was given.
    weights, groups : ndarray of shape (n_rows,), optional
        Weight and group of each row.
    times : ndarray of shape (n_rows,), optional
        When each row was seen, if learners must be tested on later rows than they are trained on.
    positive : int, optional
        Position of the positive one of two classes.
    costs : ndarray of shape (n_classes, n_classes), optional
        The cost of predicting class i when the truth is class j.
    """

    features: Frame
    target: Target
    rows: NDArray[np.intp]
    weights: NDArray[np.float64] | None = None
    groups: NDArray[Any] | None = None
    positive: int | None = None
    times: NDArray[np.float64] | None = None
    costs: NDArray[np.float64] | None = None

    @property
    def classes(self) -> tuple[Any, ...]:
        """The classes; empty for a regression."""
        return self.target.classes

    @property
    def y(self) -> NDArray[Any]:
        """The target: numbers, or positions among the classes."""
        return self.target.codes

    @cached_property
    def dataset(self) -> Dataset:
        """The rows as learners are fitted to them."""
        return Dataset(self.features, self.target.labels, self.groups, self.weights)

    def part(self, rows: NDArray[np.intp]) -> Dataset:
        """Return some rows, ready for one learner after the other: those of the latest calls are kept.

        Parameters
        ----------
        rows : ndarray of int
            Which rows.
        """
        # By value, because each task makes its own array of the same rows.
        parts, key = self._parts, rows.tobytes()
        part = parts.pop(key, None)
        if part is None:
            part = self.dataset[rows]
            if part.n_cells <= MOST_KEPT:
                part = part.prepared(self.time_saved)
        parts[key] = part  # the latest comes last
        while parts and sum(kept.n_cells for kept in parts.values()) > MOST_KEPT:
            del parts[next(iter(parts))]
        return part

    @cached_property
    def time_saved(self) -> TimeSaved:
        """What learners were saved, in this process, because others had prepared the same rows."""
        return TimeSaved()

    @cached_property
    def _parts(self) -> dict[bytes, Dataset]:
        return {}


def require_columns(frame: Frame, settings: Settings) -> None:
    """Reject names of columns that do not exist or have another use."""
    names = frame.schema.names
    for setting in ("ignore", "keep"):
        for name in getattr(settings, setting):
            require_column(names, name, f"for {setting}=")
            if name == settings.target:
                raise StudyError(f"{setting}= names the target {name!r}: leave it out there.")


def require_column(names: Sequence[str], name: str, purpose: str) -> None:
    """Reject an unknown column name, and list the columns."""
    if name not in names:
        some = f"{', '.join(map(repr, names[:20]))}{' ...' if len(names) > 20 else ''}"
        near = suggest(name, names)
        raise StudyError(f"there is no column {name!r} {purpose}; the columns are {some}.{near}")


def kept_rows(frame: Frame, settings: Settings) -> NDArray[np.intp]:
    """Positions of the rows to keep, without those that the settings drop."""
    stay = np.ones(len(frame), dtype=np.bool_)
    if settings.drop_missing_target:
        stay &= ~missing(frame, str(settings.target))
    if settings.drop_duplicates:
        first = (
            frame[stay]
            .to_polars()
            # A name with a space at its end, which a column of the table can hardly have.
            .with_row_index("row ")
            .unique(
                # An identifier makes every row different from all others.
                subset=[name for name in frame.schema.names if name != settings.id],
                keep="first",
                maintain_order=True,
            )["row "]
        )
        stay = np.isin(np.arange(len(frame)), np.flatnonzero(stay)[first.to_numpy()])
    return np.flatnonzero(stay)


def missing(frame: Frame, name: str) -> NDArray[np.bool_]:
    """Which rows have a missing value in a column."""
    values = frame.column(name)
    if frame.schema.columns[frame.schema.position(name)].kind != "numeric":
        return np.asarray(values < 0)
    return np.asarray(np.isnan(values.astype(np.float64)))


def training_data_of(
    frame: Frame, rows: NDArray[np.intp], settings: Settings, left_out: Collection[str]
) -> TrainingData:
    """Make the training data of a study.

    Parameters
    ----------
    frame : Frame
        The rows that stay, with their roles.
    rows : ndarray of int
        Their positions in the table that was given.
    settings : Settings
        With target and task filled in.
    left_out : collection of str
        Feature columns that learners do not see.
    """
    names = [name for name in frame.schema.features.names if name not in left_out]
    target = Target.of_column(frame, str(settings.target), classes=settings.task == "classification")
    times = None if settings.time is None else frame.column(settings.time).astype(np.float64)
    return TrainingData(frame.select(names), target, rows, frame.w, frame.groups, times=times)

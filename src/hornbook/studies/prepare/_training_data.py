"""What the learners of a study see: feature columns, target, weights and groups of the rows that stay."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hornbook.frame import Frame
from hornbook.params import suggest
from hornbook.studies._settings import Settings, StudyError

__all__ = ["Material", "kept_rows", "material_of", "require_column", "require_columns"]


@dataclass(frozen=True, eq=False)
class Material:
    """Rows that learners learn from and are tested on.

    Parameters
    ----------
    features : Frame
        The feature columns.
    y : ndarray of shape (n_rows,)
        The target: numbers, or positions in ``classes``.
    classes : tuple
        The classes in order; empty for a regression.
    rows : ndarray of shape (n_rows,)
        Position of each row in the table that was given.
    weights, groups : ndarray of shape (n_rows,), optional
        Weight and group of each row.
    positive : int, optional
        Position of the positive one of two classes.
    """

    features: Frame
    y: NDArray[Any]
    classes: tuple[Any, ...]
    rows: NDArray[np.intp]
    weights: NDArray[np.float64] | None = None
    groups: NDArray[Any] | None = None
    positive: int | None = None

    @property
    def truth(self) -> NDArray[Any]:
        """The target as the user knows it."""
        if not self.classes:
            return self.y
        found: NDArray[Any] = class_array(self.classes)[self.y]
        return found


def class_array(classes: tuple[Any, ...]) -> NDArray[Any]:
    """Classes as an array that is indexed by class numbers: of their own type, or objects for text."""
    if all(isinstance(label, str) for label in classes):
        found = np.empty(len(classes), dtype=object)
        found[:] = classes
        return found
    return np.array(classes)


def class_numbers(labels: NDArray[Any], classes: tuple[Any, ...]) -> NDArray[np.int64]:
    """Positions of labels among the classes."""
    place = {label: code for code, label in enumerate(classes)}
    try:
        return np.fromiter(map(place.__getitem__, labels.tolist()), np.int64, len(labels))
    except KeyError as error:
        raise ValueError(f"it answered with {error.args[0]!r}, which is none of the classes") from error


def require_columns(frame: Frame, settings: Settings) -> None:
    """Refuse names of columns that are not there or are wanted for something else."""
    names = frame.schema.names
    for setting in ("ignore", "keep"):
        for name in getattr(settings, setting):
            require_column(names, name, f"for {setting}=")
            if name == settings.target:
                raise StudyError(f"{setting}= names the target {name!r}: leave it out there.")


def require_column(names: Sequence[str], name: str, purpose: str) -> None:
    """Refuse a name that no column has, and say which there are."""
    if name not in names:
        some = f"{', '.join(map(repr, names[:20]))}{' ...' if len(names) > 20 else ''}"
        near = suggest(name, names)
        raise StudyError(f"there is no column {name!r} {purpose}; the columns are {some}.{near}")


def kept_rows(frame: Frame, settings: Settings) -> NDArray[np.intp]:
    """Positions of the rows that stay: without those that the settings ask to drop."""
    stay = np.ones(len(frame), dtype=np.bool_)
    if settings.drop_missing_target:
        stay &= ~missing(frame, str(settings.target))
    if settings.drop_duplicates:
        first = (
            frame[stay]
            .to_polars()
            .with_row_index("row ")
            .unique(
                subset=[name for name in frame.schema.names if name != settings.id],
                keep="first",
                maintain_order=True,
            )["row "]
        )
        stay = np.isin(np.arange(len(frame)), np.flatnonzero(stay)[first.to_numpy()])
    return np.flatnonzero(stay)


def missing(frame: Frame, name: str) -> NDArray[np.bool_]:
    """Which rows lack a value in a column."""
    values = frame.column(name)
    if frame.schema.columns[frame.schema.position(name)].kind != "numeric":
        return np.asarray(values < 0)
    return np.asarray(np.isnan(values.astype(np.float64)))


def material_of(
    frame: Frame, rows: NDArray[np.intp], settings: Settings, left_out: Collection[str]
) -> Material:
    """Make the material of a study.

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
    chosen = [name for name in frame.schema.features.names if name not in left_out]
    features = frame.select(chosen)
    target = frame[str(settings.target)]
    weights = frame.w
    if settings.task == "regression":
        return Material(features, target.astype(np.float64), (), rows, weights, frame.groups)
    classes, codes = class_codes(target)
    return Material(features, codes, classes, rows, weights, frame.groups)


def class_codes(target: NDArray[Any]) -> tuple[tuple[Any, ...], NDArray[np.int64]]:
    """Classes in order, and their numbers row by row; whole numbers are told as such."""
    if target.dtype.kind == "f" and (target == np.round(target)).all():
        target = target.astype(np.int64)
    found, codes = np.unique(target, return_inverse=True)
    return tuple(found.tolist()), codes.astype(np.int64)

"""Rows of a test table: held out from all fits and choices, and made to match the table of the study."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hornbook.evaluation import Target
from hornbook.frame import Frame, align
from hornbook.params import suggest
from hornbook.studies._settings import Settings, StudyError
from hornbook.studies.prepare._setting_text import listed
from hornbook.studies.prepare._training_data import TrainingData, missing

__all__ = ["FinalTestRows", "held_out_rows"]


@dataclass(frozen=True, eq=False)
class FinalTestRows:
    """Rows that the recommended model is tested on in the end.

    Parameters
    ----------
    data : str
        Name of their table.
    features : Frame
        The columns of the study, with its levels.
    truth : ndarray of shape (n_rows,)
        The classes or numbers to be predicted.
    weights : ndarray of shape (n_rows,), optional
        Weights of the rows.
    seen : int
        How many of the rows are in the table of the study, too.
    """

    data: str
    features: Frame
    truth: NDArray[Any]
    weights: NDArray[np.float64] | None
    seen: int


def held_out_rows(
    table: Frame, training: TrainingData, settings: Settings, say: Callable[[str], None]
) -> FinalTestRows:
    """Match a test table with the table of a study; refuse it before anything is fitted if that fails.

    Parameters
    ----------
    table : Frame
        The test table.
    training : TrainingData
        What the learners see.
    settings : Settings
        With target and task filled in.
    say : function
        Takes a sentence about everything worth knowing.
    """
    target, names = str(settings.target), training.features.schema.names
    _require([*names, target, *([settings.weight] if settings.weight else [])], table)
    table = _with_target(table, target, settings)
    labels = _truth(table, target, settings)
    unknown = sorted({str(label) for label in labels.tolist()} - {str(c) for c in training.classes})
    if training.classes and unknown:
        which = listed([repr(label) for label in unknown])
        say(f"test: {target!r} has the classes {which} only here, and no learner can predict them")
    features = _aligned(table, training, say)
    seen = _seen(features, labels, training)
    say(f"test: {len(table)} rows, held out until the model is chosen")
    if seen:
        say(f"test: {seen} of these rows are in the table of the study, too, so scores may be too good")
    if settings.time is not None and settings.time in table.schema.names and training.times is not None:
        times = table.column(settings.time).astype(np.float64)
        # Not `<=`, so that rows without a time are counted, too.
        if early := int((~(times > training.times.max())).sum()):
            say(f"test: {early} of these rows are not later than the last one of the study")
    data = Path(settings.test).name if settings.test else "a table in memory"
    return FinalTestRows(data, features, labels, _weights(table, settings.weight), seen)


def _require(wanted: list[str], table: Frame) -> None:
    lacking = [name for name in wanted if name not in table.schema.names]
    if lacking:
        near = suggest(lacking[0], [name for name in table.schema.names if name not in wanted])
        some = listed([repr(name) for name in lacking[:6]])
        more = f" and {len(lacking) - 6} more" if len(lacking) > 6 else ""
        raise StudyError(f"the test table has no column {some}{more}, which this study uses: add it.{near}")


def _with_target(table: Frame, target: str, settings: Settings) -> Frame:
    """The rows with a known target."""
    lacking = missing(table, target)
    if lacking.any() and not settings.drop_missing_target:
        raise StudyError(
            f"the target {target!r} is missing in {int(lacking.sum())} of {len(table)} rows of the test "
            "table: drop_missing_target=True leaves them out."
        )
    table = table[np.flatnonzero(~lacking)] if lacking.any() else table
    if not len(table):
        raise StudyError("the test table has no rows: leave test= out, or name another one.")
    return table


def _truth(table: Frame, target: str, settings: Settings) -> NDArray[Any]:
    classes = settings.task == "classification"
    kind = table.schema.columns[table.schema.position(target)].kind
    if not classes and kind != "numeric":
        raise StudyError(
            f"the target {target!r} of the test table is {kind}, and numbers are to be predicted: correct it."
        )
    truth = Target.of_column(table, target, classes=classes).labels
    if not classes and not np.isfinite(truth).all():
        raise StudyError(f"the target {target!r} of the test table has infinite values: correct them.")
    return truth


def _aligned(table: Frame, training: TrainingData, say: Callable[[str], None]) -> Frame:
    schema = training.features.schema
    with warnings.catch_warnings(record=True) as warned:
        warnings.simplefilter("always")
        try:
            features = align(table.select(list(schema.names)), schema)
        except ValueError as error:
            raise StudyError(f"the test table does not match: {error}") from error
    for warning in warned:
        say(f"test: {' '.join(str(warning.message).split())}")
    return features


def _weights(table: Frame, name: str | None) -> NDArray[np.float64] | None:
    if name is None:
        return None
    weights = table.column(name).astype(np.float64)
    if not (np.isfinite(weights).all() and (weights >= 0).all() and weights.sum() > 0):
        raise StudyError(f"weights in {name!r} of the test table must be non-negative numbers, not all 0.")
    return weights


def _seen(features: Frame, labels: NDArray[Any], training: TrainingData) -> int:
    """How many rows are in the table of the study with the same target."""
    hashes, known = (
        rows.to_polars().hash_rows().to_numpy() ^ _hashed(truth)
        for rows, truth in ((features, labels), (training.features, training.target.labels))
    )
    return int(np.isin(hashes, known).sum())


def _hashed(labels: NDArray[Any]) -> NDArray[np.uint64]:
    import polars as pl  # noqa: PLC0415 - only studies with a test table need it here

    plain = labels.astype(np.float64) if labels.dtype.kind in "biuf" else labels.astype(str)
    # A seed of its own: with the same one, a single feature equal to the target would cancel it in every row,
    # and all rows would seem to be seen.
    return pl.DataFrame({"target": plain}).hash_rows(seed=1).to_numpy()

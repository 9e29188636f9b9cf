"""Probe rows: synthetic rows with the predictions of the saved model, repeated at every load."""

from __future__ import annotations

import threading
import warnings
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hornbook.frame import Frame, Schema
from hornbook.persist._errors import Damaged, ModelFileError, brief
from hornbook.random import Stream

__all__ = ["Probes", "check_probes", "make_probes"]

N_ROWS = 32
SEED = 32
AT_ONCE = 2**26  # rows times bytes of the model in one batch
# Processors and versions of libraries round differently; what is damaged differs by far more.
TOLERANCE = 1e-9
# Warning filters are global to the process: two threads that suppress warnings could leave them off for good.
ONE_AT_A_TIME = threading.RLock()
METHODS = ("predict_proba", "decision_function", "predict", "transform")


@dataclass(frozen=True)
class Probes:
    """Rows and the predictions for them.

    Parameters
    ----------
    numbers : ndarray of shape (n_rows, n_numeric_columns)
        Cells of the numeric columns, NaN where missing.
    codes : ndarray of shape (n_rows, n_coded_columns)
        Codes of the other columns, -1 where missing.
    answers : dict of ndarray
        What each method of the model returned.
    """

    numbers: NDArray[np.float64]
    codes: NDArray[np.int32]
    answers: dict[str, NDArray[Any]]


def make_probes(model: Any) -> Probes:
    """Make rows that fit the model's columns and record its predictions."""
    refused = ValueError("there are none")
    for numbers, codes in _candidates(model.schema_, missing=model.accepts.missing):
        try:
            return Probes(numbers, codes, _answers(model, _frame(model.schema_, numbers, codes)))
        except ValueError as error:
            refused = error
    raise ModelFileError(
        f"{type(model).__name__} refuses every probe row, so its file could not be checked: {brief(refused)}."
    ) from refused


def check_probes(model: Any, probes: Probes, made_with: str, n_bytes: int) -> None:
    """Reject a model that no longer makes the recorded predictions.

    A large model predicts a few rows at a time, because the memory it needs grows with both its size in bytes
    and the rows.
    """
    schema: Schema = model.schema_
    n_rows = len(probes.numbers)
    if probes.numbers.shape != (n_rows, len(schema.numeric)) or not 0 < n_rows <= N_ROWS:
        raise Damaged("its probe rows do not fit its columns.")
    sizes = _level_counts(schema)
    codes = probes.codes
    if codes.shape != (n_rows, len(sizes)) or not ((codes >= -1) & (codes < sizes)).all():
        raise Damaged("its probe rows do not fit its columns.")
    rows = _frame(schema, probes.numbers, codes)
    _check_width(_answers(model, rows[:1]), probes.answers, n_rows)
    step = min(n_rows, 1 + AT_ONCE // max(n_bytes, 1))
    parts = [_answers(model, rows[at : at + step]) for at in range(0, n_rows, step)]
    answers = {name: np.concatenate([part[name] for part in parts]) for name in parts[0]}
    tied = _tied(probes.answers, n_rows)
    for name, recorded in probes.answers.items():
        is_label = recorded.dtype.kind != "f" or (name == "predict" and hasattr(model, "classes_"))
        difference = _change(recorded, answers[name], tied) if is_label else _gap(recorded, answers[name])
        if difference:
            raise Damaged(
                f"its predictions differ from those recorded when it was saved by Hornbook {made_with} "
                f"({name}: {difference}): the file was changed, or this version computes them differently; "
                "fit the model again."
            )


def _check_width(first: dict[str, NDArray[Any]], recorded: dict[str, NDArray[Any]], n_rows: int) -> None:
    """Reject predictions of another length than recorded, tested on one row: all could exhaust the memory."""
    if set(first) != set(recorded):
        raise Damaged("its recorded predictions are not those that the learner can make.")
    for name, answer in first.items():
        if (n_rows, *answer.shape[1:]) != recorded[name].shape or answer.ndim < 1:
            raise Damaged(
                f"its recorded predictions are not as long as those of the learner ({name}: shape "
                f"{recorded[name].shape} for {n_rows} rows then, {answer.shape} for one now)."
            )


def _candidates(schema: Schema, *, missing: bool) -> Iterator[tuple[NDArray[np.float64], NDArray[np.int32]]]:
    """Rows with missing cells, without them, without negative numbers: the first set accepted is used."""
    cells, levels = _numbers(schema), _codes(schema)
    if missing:
        # From complete rows, whose predictions are often extreme, to rows with about one known cell.
        share = np.resize([0, 1 / 8, 1 / 2, 1 - 1 / len(schema)], (N_ROWS, 1))
        lost = _uniform(1, len(schema)) < share
        yield np.where(lost[:, schema.numeric], np.nan, cells), np.where(lost[:, schema.coded], -1, levels)
    yield cells, levels
    yield np.abs(cells), levels


def _uniform(stream: int, n_columns: int) -> NDArray[np.float64]:
    return Stream(SEED, stream).uniform(N_ROWS * n_columns).reshape(N_ROWS, n_columns)


def _numbers(schema: Schema) -> NDArray[np.float64]:
    """Values of many magnitudes, as nothing is known about the columns; dates are days since 1970."""
    u = _uniform(2, len(schema.numeric))
    which = (8 * _uniform(3, len(schema.numeric))).astype(np.intp)
    sizes = [0 * u, 0 * u + 1, 0 * u - 1, u, 6 * u - 3, 20 * u - 10, 200 * u - 100, 10 ** (8 * u - 4)]
    is_date = np.array([schema.columns[j].source == "date" for j in schema.numeric], dtype=np.bool_)
    return np.where(is_date, np.floor(25_000 * u), np.choose(which, sizes))


def _codes(schema: Schema) -> NDArray[np.int32]:
    """Any of the levels; a column without levels is missing."""
    u, n_levels = _uniform(4, len(schema.coded)), _level_counts(schema)
    return np.where(n_levels > 0, np.floor(u * n_levels), -1).astype(np.int32)


def _level_counts(schema: Schema) -> NDArray[np.int64]:
    """Number of levels of each column that is not numeric."""
    return np.array([len(schema.columns[j].levels) for j in schema.coded], dtype=np.int64)


def _frame(schema: Schema, numbers: NDArray[np.float64], codes: NDArray[np.int32]) -> Frame:
    if not len(schema.coded):
        return Frame.from_columns(schema, np.ascontiguousarray(numbers))
    columns: dict[int, NDArray[Any]] = {}
    columns |= {int(j): np.ascontiguousarray(numbers[:, place]) for place, j in enumerate(schema.numeric)}
    columns |= {int(j): np.ascontiguousarray(codes[:, place]) for place, j in enumerate(schema.coded)}
    return Frame.from_columns(schema, [columns[j] for j in range(len(schema))])


def _answers(model: Any, rows: Frame) -> dict[str, NDArray[Any]]:
    """Predictions of the model for probe rows; its warnings do not concern the user."""
    with ONE_AT_A_TIME, warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")
        return {name: _table(getattr(model, name)(rows)) for name in METHODS if hasattr(model, name)}


def _table(answers: Any) -> NDArray[Any]:
    """Predictions as one array: probabilities of several targets are side by side."""
    return np.hstack(answers) if isinstance(answers, list) else np.asarray(answers)


def _tied(answers: dict[str, NDArray[Any]], n_rows: int) -> NDArray[np.bool_]:
    """Rows whose best two classes tie: another processor may round differently and choose the other."""
    scores = answers.get("predict_proba", answers.get("decision_function", np.empty(0)))
    if scores.shape == (n_rows,):
        scores = np.column_stack([scores, -scores])
    if scores.ndim != 2 or len(scores) != n_rows or scores.shape[1] < 2:
        return np.zeros(n_rows, dtype=np.bool_)
    best = np.sort(scores, axis=1)[:, -2:].astype(np.float64)
    return np.asarray(np.isclose(best[:, 0], best[:, 1], rtol=TOLERANCE, atol=TOLERANCE))


def _gap(recorded: NDArray[Any], current: NDArray[Any]) -> str:
    """Describe how two arrays of numbers differ; empty when within the tolerance."""
    if recorded.shape != current.shape or current.dtype.kind != "f":
        return _in_words(recorded, current)
    wrong = ~np.isclose(current, recorded, rtol=TOLERANCE, atol=TOLERANCE, equal_nan=True)
    if not wrong.any():
        return ""
    gap = np.abs(current[wrong] - recorded[wrong])
    return f"by up to {gap.max():.3g}" if np.isfinite(gap).all() else "missing or infinite numbers"


def _change(recorded: NDArray[Any], current: NDArray[Any], tied: NDArray[np.bool_]) -> str:
    """Describe how many labels differ, or return ""; those of tied rows must only have the same type."""
    if recorded.shape != current.shape or recorded.dtype.kind != current.dtype.kind:
        return _in_words(recorded, current)
    free = np.broadcast_to(tied.reshape(-1, *[1] * (current.ndim - 1)), current.shape)
    pairs = zip(recorded.flat, current.flat, free.flat, strict=True)
    wrong = sum(type(one) is not type(two) or (one != two and not either) for one, two, either in pairs)
    return f"{wrong} of {current.size} labels" if wrong else ""


def _in_words(recorded: NDArray[Any], current: NDArray[Any]) -> str:
    return f"{recorded.dtype} of shape {recorded.shape} then, {current.dtype} of shape {current.shape} now"

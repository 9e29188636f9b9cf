"""The table that a combiner learns from: what members say, as columns."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from hornbook.base import member_answers, member_label_proba, spread_scores
from hornbook.frame import Column, Frame, Schema
from hornbook.params import Floats

__all__ = ["Method", "StackMethod", "input_table", "inputs_of", "method_of"]

Method = Literal["predict_proba", "decision_function", "predict"]
StackMethod = Literal["auto", "predict_proba", "decision_function", "predict"]


def method_of(owner: str, name: str, estimator: Any, asked: StackMethod) -> Method:
    """Return the method whose results are a member's inputs: the first it has, or the one asked for."""
    if asked == "auto":
        if hasattr(estimator, "predict_proba"):
            return "predict_proba"
        return "decision_function" if hasattr(estimator, "decision_function") else "predict"
    if not hasattr(estimator, asked):
        raise TypeError(
            f"{owner}: member {name!r} has no {asked}: choose another stack_method, or another learner."
        )
    return asked


def inputs_of(member: Any, rows: Any, method: Method, classes: NDArray[Any] | None) -> Floats:
    """Return what a member says of rows: numbers, probabilities, scores, or positions of classes.

    Of two classes, the probability of the second is enough. Without classes, members predict numbers.
    """
    if classes is None:
        return member_answers(member, rows)[:, None]
    if method == "predict":
        return np.searchsorted(classes, member_answers(member, rows)).astype(np.float64)[:, None]
    if method == "predict_proba":
        probabilities = member_label_proba(member, rows, classes)
        # The first column would be 1 minus the second: perfectly collinear inputs of a linear
        # combiner.
        return probabilities[:, 1:] if len(classes) == 2 else probabilities
    return _scores(member, rows, classes)


def _scores(member: Any, rows: Any, classes: NDArray[Any]) -> Floats:
    """Scores of all classes; one that the member never saw gets the lowest of the others."""
    if len(member.classes_) == 1:  # the member that replaces a learner for a single class has no scores
        scores = np.where(classes == member.classes_[0], 1.0, -1.0)
        row = scores[1:] if len(classes) == 2 else scores
        return np.tile(row, (len(member_answers(member, rows)), 1))
    scores = np.asarray(member._decision(rows), dtype=np.float64)  # noqa: SLF001
    scores = spread_scores(scores, member.classes_, classes)
    if scores.ndim == 1:
        return scores[:, None]
    # Minus infinity is no number a combiner could learn from.
    lowest = np.where(np.isfinite(scores), scores, np.inf).min(axis=1, keepdims=True)
    return np.where(np.isfinite(scores), scores, lowest)


def input_table(
    parts: list[Floats],
    names: list[str],
    methods: list[Method],
    classes: NDArray[Any] | None,
    passed: Frame | None,
) -> Frame:
    """Return the inputs as a table: classes as categories, the rest as numbers; then the columns passed."""
    columns: list[Column] = []
    cells: list[NDArray[Any]] = []
    for part, name, method in zip(parts, names, methods, strict=True):
        if method == "predict" and classes is not None:
            columns.append(Column(name, "nominal", levels=tuple(classes.tolist()), source="category"))
            cells.append(part[:, 0].astype(np.int32))
            continue
        columns += [Column(column, "numeric") for column in _column_names(name, part.shape[1], classes)]
        cells += list(np.ascontiguousarray(part.T))
    if passed is not None:
        columns += [replace(column) for column in passed.schema.columns]
        cells += [passed.column(j) for j in range(len(passed.schema))]
    return Frame.from_columns(Schema(tuple(columns), named=True), cells, len(parts[0]))


def _column_names(name: str, n: int, classes: NDArray[Any] | None) -> list[str]:
    if n == 1 or classes is None:
        return [name]
    return [f"{name}: {label}" for label in classes.tolist()]

"""Linear functions that predict numbers: answers, tables, the terms of one answer, pictures."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from hornbook.base import Floats, Table, Term, Working
from hornbook.frame import Schema
from hornbook.plots import bars, fits
from hornbook.show import Cell

__all__ = [
    "as_fitted",
    "coefficient_table",
    "draw_numbers",
    "linear_answer",
    "linear_working",
    "target_names",
]


def as_fitted(coef: Floats, intercept: Floats, *, single: bool) -> tuple[Floats, Any]:
    """Coefficients in scikit-learn's shapes: one row and one number when there is one target."""
    return (coef[0], float(intercept[0])) if single else (coef, intercept)


def linear_answer(X: Floats, coef: Floats, intercept: Any) -> Floats:
    """Constant plus coefficients times columns."""
    return np.asarray(X @ coef.T + intercept)


def target_names(coef: Floats) -> list[str]:
    """What the targets are called: value, or y1, y2, ..."""
    return ["value"] if coef.ndim == 1 else [f"y{i + 1}" for i in range(len(coef))]


def coefficient_table(coef: Floats, intercept: Any, names: NDArray[Any]) -> Table:
    """One row for each term, one column for each target."""
    numbers = np.vstack([np.atleast_1d(intercept), np.atleast_2d(coef).T])
    head = ["coefficient"] if coef.ndim == 1 else target_names(coef)
    rows: list[list[Cell]] = [
        [str(name), *map(float, row)] for name, row in zip(["intercept", *names], numbers, strict=True)
    ]
    return Table("Coefficients", ["term", *head], rows)


def linear_working(title: str, x: Floats, coef: Floats, intercept: Any, names: NDArray[Any]) -> Working:
    """Intercept and coefficient times value; values of 0 give nothing and are left out."""
    weights = np.atleast_2d(coef)
    terms = [Term("intercept", np.atleast_1d(intercept).tolist())]
    terms += [Term(f"{names[j]} = {x[j]:.6g}", (weights[:, j] * x[j]).tolist()) for j in np.flatnonzero(x)]
    answer = linear_answer(x, coef, intercept)
    prediction: Any = float(answer) if coef.ndim == 1 else answer.tolist()
    return Working(title, "sum", target_names(coef), terms, prediction)


def draw_numbers(model: Any, schema: Schema, X: Any, y: Any, ax: Any) -> Any:
    """Draw the curve among points of one numeric column, else bars of the coefficients."""
    targets = getattr(X, "y", None) if y is None else y
    one = len(schema.numeric) == len(schema.columns) == 1
    if one and X is not None and targets is not None and model.coef_.ndim == 1:
        return fits({type(model).__name__: model}, X, targets, ax)
    labels = [str(name) for name in getattr(model, "term_names_", model.encoded_names_)]
    coef = np.atleast_2d(model.coef_)
    if len(coef) > 1:
        labels = [f"{name} ({target})" for target in target_names(model.coef_) for name in labels]
    return bars(coef.ravel(), labels, ax=ax, title="Coefficients")

"""Linear functions that predict numbers: predictions, tables, the terms of one prediction, plots."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from hornbook.base import Table, Term, Working, draw_beside_rows, on_line
from hornbook.display import Cell
from hornbook.frame import Frame
from hornbook.linear.explain._plot import draw_numbers_of_rows, grouped_coefficients
from hornbook.params import Floats
from hornbook.plots import coefficients, fits

__all__ = [
    "as_fitted",
    "coefficient_table",
    "draw_numbers",
    "linear_prediction",
    "linear_working",
    "target_names",
]


def as_fitted(coef: Floats, intercept: Floats, *, single: bool) -> tuple[Floats, Any]:
    """Coefficients in scikit-learn's shapes: one row and one number when there is one target."""
    return (coef[0], float(intercept[0])) if single else (coef, intercept)


def linear_prediction(X: Floats, coef: Floats, intercept: Any) -> Floats:
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
    """Intercept and coefficient times value; values of 0 add nothing and are left out."""
    weights = np.atleast_2d(coef)
    terms = [Term("intercept", np.atleast_1d(intercept).tolist())]
    terms += [Term(f"{names[j]} = {x[j]:.6g}", (weights[:, j] * x[j]).tolist()) for j in np.flatnonzero(x)]
    answer = linear_prediction(x, coef, intercept)
    prediction: Any = float(answer) if coef.ndim == 1 else answer.tolist()
    return Working(title, "sum", target_names(coef), terms, prediction)


def draw_numbers(model: Any, rows: Frame | None, y: Any, ax: Any) -> Any:
    """Draw the coefficients; with rows the curve over one numeric column, or what columns add to numbers."""
    terms = getattr(model, "term_names_", None)
    single = model.coef_.ndim == 1
    # One numeric column: the fitted curve says more than its coefficients.
    if single and on_line(rows):
        targets = model.predict(rows) if y is None else y
        return fits({type(model).__name__: model}, rows, targets, ax)
    if rows is not None and single and terms is None:
        return draw_numbers_of_rows(model, rows, y, ax)

    def draw_terms(place: Any) -> Any:
        classes = [] if single else target_names(model.coef_)
        if terms is not None:
            return coefficients(model.coef_, [str(name) for name in terms], place, classes=classes)
        return grouped_coefficients(model, model.coef_, place, classes=classes)

    return draw_beside_rows(model, draw_terms, rows, y, ax)

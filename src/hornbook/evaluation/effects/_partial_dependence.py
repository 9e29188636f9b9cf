"""Partial dependence (Friedman 2001) and individual conditional expectation (Goldstein et al. 2015)."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from typing import Any, Literal, TypeAlias

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.base import is_classifier

from hornbook.display import plain_data
from hornbook.evaluation.curves._curve_table import curve_table
from hornbook.evaluation.effects._varied_table import TableColumn, VariedTable
from hornbook.evaluation.metrics._columns import weight_column
from hornbook.frame import Label
from hornbook.params import Floats

__all__ = ["PartialDependence", "partial_dependence"]

Kind: TypeAlias = Literal["average", "individual", "both"]
Grid: TypeAlias = int | Sequence[Any] | Mapping[Any, Sequence[Any]] | None
_POINTS = {1: 100, 2: 20}  # of each column, by the number of columns


@dataclass(frozen=True, eq=False)
class PartialDependence:
    """How predictions change with one column or two, all other columns being as they are.

    Parameters
    ----------
    columns : tuple of str
        The column, or the two.
    grid : tuple of ndarray
        Values of each that are tried.
    average : ndarray of shape (n_values,) or (n_values, n_values_2), optional
        Mean prediction over the rows.
    individual : ndarray of shape (n_rows, n_values) or (n_rows, n_values, n_values_2), optional
        Prediction for each row.
    numeric : tuple of bool
        Which of the columns are numbers.
    meaning : str
        What is predicted.
    """

    columns: tuple[str, ...]
    grid: tuple[NDArray[Any], ...]
    average: Floats | None
    individual: Floats | None
    numeric: tuple[bool, ...]
    meaning: str

    def __str__(self) -> str:
        mean = self.average if self.average is not None else np.asarray(self.individual).mean(axis=0)
        places = np.meshgrid(*self.grid, indexing="ij")
        title = f"partial dependence of the {self.meaning} on {' and '.join(self.columns)}"
        tried = [
            place.ravel() if numeric else [*map(str, place.ravel().tolist())]
            for place, numeric in zip(places, self.numeric, strict=True)
        ]
        return str(curve_table(title, [*self.columns, "mean"], [*tried, mean.ravel()]))

    def to_dict(self) -> dict[str, Any]:
        """Return the effect as plain data."""
        return {
            "columns": list(self.columns),
            "meaning": self.meaning,
            "grid": plain_data(self.grid),
            "average": plain_data(self.average),
            "individual": plain_data(self.individual),
        }


def partial_dependence(
    learner: Any,
    X: Any,
    columns: Label | Sequence[Label],
    *,
    grid: Grid = None,
    kind: Kind = "average",
    output: Label | None = None,
    percentiles: tuple[float, float] = (0.05, 0.95),
    sample_weight: ArrayLike | None = None,
) -> PartialDependence:
    """Predict all rows with one column or two set to each of some values, and average.

    Parameters
    ----------
    learner : fitted estimator
        Hornbook's or scikit-learn's: a regressor, or a classifier with ``predict_proba``.
    X : table of shape (n_rows, n_columns)
        The rows.
    columns : str, int, or sequence of one or two
        Names or positions of the columns.
    grid : int, sequence or mapping, optional
        How many values of each numeric column are tried, evenly spaced between the percentiles; or the
        values of the only column; or a sequence of values by column. By default 100 for one column and 20 for
        each of two. Columns with fewer distinct values take those, and categories their levels.
    kind : {"average", "individual", "both"}, default "average"
        Whether the mean over the rows is given (partial dependence), a curve for each row (individual
        conditional expectation), or both.
    output : label, optional
        The class whose probability is predicted; the second of two when left out.
    percentiles : (float, float), default (0.05, 0.95)
        Where the values of a numeric column begin and end, as shares of its rows.
    sample_weight : array-like of shape (n_rows,), optional
        Weights of the rows; every row counts once when left out.

    Returns
    -------
    effect : PartialDependence
        ``grid``, ``average`` and ``individual``; `hornbook.plots.partial_dependence` draws it.

    Examples
    --------
    >>> from hornbook import LinearRegression
    >>> X = [[1.0, 0.0], [2.0, 1.0], [3.0, 5.0]]
    >>> model = LinearRegression().fit(X, [3.0, 6.0, 12.0])
    >>> effect = partial_dependence(model, X, 0)
    >>> effect.grid[0].tolist(), effect.average.round(6).tolist()
    ([1.0, 2.0, 3.0], [5.0, 7.0, 9.0])
    """
    if kind not in ("average", "individual", "both"):
        raise ValueError(f"parameter 'kind' must be 'average', 'individual' or 'both'; got {kind!r}.")
    low, high = percentiles
    if not 0 <= low < high <= 1:
        raise ValueError(f"parameter 'percentiles' must ascend from 0 to 1; got {percentiles!r}.")
    table = VariedTable(X, as_frames=hasattr(learner, "schema_"))  # as fitted learners of ours have
    chosen = list(columns) if isinstance(columns, Sequence) and not isinstance(columns, str) else [columns]
    varied = [table.column(key) for key in chosen]
    if len(chosen) not in _POINTS or len({column.position for column in varied}) < len(chosen):
        raise ValueError(f"parameter 'columns' must be one column or two different ones; got {columns!r}.")
    values = [
        _values(column, _own(grid, key, len(chosen)), _POINTS[len(chosen)], percentiles)
        for key, column in zip(chosen, varied, strict=True)
    ]
    weights = weight_column("partial_dependence", sample_weight, len(table))
    predict, meaning = _prediction(learner, output)
    means, single = [], []
    # Brute force: one prediction of all rows for each grid point, any learner. Combinations that
    # never occur (Friedman's extrapolation) are predicted like any others.
    for point in product(*values):
        cells = {column.position: value for column, value in zip(varied, point, strict=True)}
        predicted = predict(table.with_cells(cells))
        if kind != "individual":
            means.append(np.average(predicted, weights=weights))
        if kind != "average":
            single.append(predicted)
    shape = tuple(map(len, values))
    return PartialDependence(
        tuple(column.name for column in varied),
        tuple(map(np.asarray, values)),
        np.reshape(means, shape) if means else None,
        np.stack(single, axis=1).reshape(len(table), *shape) if single else None,
        tuple(column.numeric for column in varied),
        meaning,
    )


def _own(grid: Grid, key: Label, count: int) -> int | Sequence[Any] | None:
    """What the grid says about one column."""
    if isinstance(grid, Mapping):
        return grid.get(key)
    if grid is None or isinstance(grid, int | np.integer):
        if grid is not None and grid < 2:
            raise ValueError(f"parameter 'grid' must be at least 2 values of a column; got {grid}.")
        return grid
    if count > 1:
        raise ValueError("parameter 'grid' must be a dict if it has values for two columns; got a sequence.")
    return grid


def _values(
    column: TableColumn, given: int | Sequence[Any] | None, points: int, percentiles: tuple[float, float]
) -> list[Any]:
    if given is not None and not isinstance(given, int | np.integer):
        return column.checked(given)
    distinct = column.distinct()
    if not distinct:
        raise ValueError(f"column {column.name!r} has no value, so none can be tried: pass them as 'grid'.")
    points = points if given is None else int(given)
    if not column.numeric or len(distinct) <= points:
        return distinct
    # The tails are left out: a few outliers would otherwise take most of the grid.
    ends = np.quantile(column.known(), percentiles)
    return np.linspace(ends[0], ends[1], points).tolist()  # type: ignore[no-any-return]  # NumPy's stubs say Any


def _prediction(learner: Any, output: Label | None) -> tuple[Callable[[Any], Floats], str]:
    """A function from rows to one number each, and what the number is."""
    if not is_classifier(learner):
        if output is not None:
            raise ValueError(f"there is no output {output!r}: the learner predicts a number.")
        return lambda rows: np.asarray(learner.predict(rows), dtype=np.float64), "prediction"
    name = type(learner).__name__
    if not hasattr(learner, "predict_proba"):
        raise ValueError(
            f"{name} has no predict_proba, which partial dependence needs for classes: calibrate it."
        )
    classes = np.asarray(learner.classes_).tolist()
    if output is None and len(classes) == 2:
        output = classes[1]
    if output not in classes:
        known = ", ".join(map(repr, classes))
        raise ValueError(f"parameter 'output' must be one of the classes {known}; got {output!r}.")
    k = classes.index(output)
    return lambda rows: np.asarray(learner.predict_proba(rows)[:, k]), f"probability of {output}"

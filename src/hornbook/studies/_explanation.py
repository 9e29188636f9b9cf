"""Why the recommended model predicts what it predicts: effects of columns, a small tree, single rows."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any

from hornbook.display import plain_data

__all__ = ["ColumnEffect", "ColumnTarget", "Explanation", "RowAnswer", "Slice", "Surrogate"]


@dataclass(frozen=True)
class ColumnEffect:
    """How the prediction changes with one column, all others being as they are (partial dependence).

    Parameters
    ----------
    column : str
        The column.
    meaning : str
        What is predicted.
    values : tuple
        Values of the column that are tried.
    means : tuple of float
        The mean prediction over the rows for each of them.
    words : str
        The direction, as a sentence.
    individual : tuple of tuple of float, default ()
        The predictions for single rows (individual conditional expectation), one tuple for each row.
    """

    column: str
    meaning: str
    values: tuple[Any, ...]
    means: tuple[float, ...]
    words: str
    individual: tuple[tuple[float, ...], ...] = ()


@dataclass(frozen=True)
class ColumnTarget:
    """One column against the target, by itself.

    Parameters
    ----------
    column : str
        The column.
    strength : float
        Between 0 and 1: the share of the variance of the target that ranges or levels of the column explain
        or, for classes, the share of their entropy; what chance alone would add is taken off.
    meaning : str
        The class whose frequency is listed, or the mean of the target.
    parts : tuple of str
        Ranges or levels.
    counts : tuple of int
        Rows of each.
    means : tuple of float
        Frequency of the class, or mean of the target, in each.
    words : str
        Where it is highest and lowest.
    """

    column: str
    strength: float
    meaning: str
    parts: tuple[str, ...]
    counts: tuple[int, ...]
    means: tuple[float, ...]
    words: str


@dataclass(frozen=True)
class Slice:
    """Rows in which the model is worse than in all others.

    Parameters
    ----------
    column, part : str
        The column, and the range or level that the rows have.
    n_rows : int
        How many rows.
    error, elsewhere : float
        Error rate, or mean absolute error, of these rows and of all others.
    p : float
        Of Welch's test that the error is not larger here, not corrected.
    """

    column: str
    part: str
    n_rows: int
    error: float
    elsewhere: float
    p: float


@dataclass(frozen=True)
class Surrogate:
    """A small decision tree that imitates the model, and how well it does.

    Parameters
    ----------
    rules : tuple of (str, str)
        Condition and prediction of each leaf.
    fidelity : float
        On rows that the tree was not fitted to: the share of equal predictions or, for numbers, the share of
        the variance of the predictions that the tree explains.
    n_rows : int
        Rows that the fidelity is measured on.
    """

    rules: tuple[tuple[str, str], ...]
    fidelity: float
    n_rows: int


@dataclass(frozen=True)
class RowAnswer:
    """One row, predicted by a model that had not seen it.

    Parameters
    ----------
    row : int
        Its position in the table that was given, counted from 0.
    truth, prediction : object
        The target, and what was predicted.
    loss : float
        Minus the logarithm of the probability of the true class, or how far the prediction is off.
    kind : {"easiest", "typical", "hardest"}
        Whether the loss is the smallest, the median or among the largest.
    working : str, default ""
        How the final model, which was fitted to all rows, comes to its prediction.
    """

    row: int
    truth: Any
    prediction: Any
    loss: float
    kind: str
    working: str = ""


@dataclass(frozen=True)
class Explanation:
    """A closer look at the recommended model.

    Parameters
    ----------
    effects : tuple of ColumnEffect, default ()
        Of the most important columns.
    surrogate : Surrogate, optional
        A small tree that imitates the model.
    rows : tuple of RowAnswer, default ()
        The easiest row, a typical one and the hardest ones.
    more_rows : str, default ""
        What more rows would bring, by the learning curve.
    columns : tuple of ColumnTarget, default ()
        Each column against the target, the strongest first.
    slices : tuple of Slice, default ()
        Where the model is worse than elsewhere, the most costly first.
    """

    effects: tuple[ColumnEffect, ...] = ()
    surrogate: Surrogate | None = None
    rows: tuple[RowAnswer, ...] = ()
    more_rows: str = ""
    columns: tuple[ColumnTarget, ...] = ()
    slices: tuple[Slice, ...] = ()

    def to_dict(self) -> dict[str, Any]:
        """Return all of it as plain data."""
        data: dict[str, Any] = plain_data(asdict(self))
        return data

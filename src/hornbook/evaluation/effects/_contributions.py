"""What each column contributes to the predictions for single rows."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hornbook.display import Cell, Description, Table, plain_data
from hornbook.frame import Frame, Label
from hornbook.params import Floats

__all__ = ["Contributions"]

_LISTED = 20  # most columns that are printed


@dataclass(frozen=True, eq=False)
class Contributions:
    """What each column adds to the predictions: Shapley values, one for each row and column.

    They share out the difference between a prediction and the mean prediction ``base``: for each row,
    ``base + values.sum(axis=1)`` is the prediction. ``np.asarray(contributions)`` are the values.

    Parameters
    ----------
    values : ndarray of shape (n_rows, n_columns) or (n_rows, n_columns, n_outputs)
        The contributions.
    base : ndarray of shape () or (n_outputs,)
        The mean prediction over the training rows: what is predicted if no column is known.
    data : Frame
        The rows.
    outputs : tuple, default ()
        The classes, if each has a prediction.
    meaning : str, default "value"
        What the contributions add up to.
    interactions : ndarray of shape (n_rows, n_columns, n_columns[, n_outputs]), optional
        The contributions of pairs of columns: symmetric, what a column contributes alone on the diagonal, and
        each row adds up to the contribution of the column.
    """

    values: Floats
    base: Floats
    data: Frame
    outputs: tuple[Label, ...] = ()
    meaning: str = "value"
    interactions: Floats | None = None

    @property
    def names(self) -> tuple[str, ...]:
        """The columns."""
        return self.data.schema.names

    @property
    def predictions(self) -> Floats:
        """What base and contributions add up to: an array of shape (n_rows,) or (n_rows, n_outputs)."""
        # Efficiency axiom of Shapley values: base plus contributions is the prediction.
        return np.asarray(self.base + self.values.sum(axis=1))

    def __len__(self) -> int:
        return len(self.values)

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> NDArray[Any]:
        return np.array(self.values, dtype=dtype, copy=copy)

    def of(self, output: Label | None = None) -> Contributions:
        """Give the contributions to one output alone.

        Parameters
        ----------
        output : label, optional
            The class; the second of two when left out.

        Returns
        -------
        contributions : Contributions
            With values of shape (n_rows, n_columns).
        """
        if not self.outputs:
            if output is not None:
                raise ValueError(f"there is no output {output!r}: these are contributions to one number.")
            return self
        if output is None and len(self.outputs) == 2:
            output = self.outputs[1]
        if output not in self.outputs:
            known = ", ".join(map(repr, self.outputs))
            raise ValueError(f"parameter 'output' must be one of the classes {known}; got {output!r}.")
        k = self.outputs.index(output)
        pairs = None if self.interactions is None else self.interactions[..., k]
        meaning = f"{self.meaning} of {output}"
        return replace(
            self,
            values=self.values[..., k],
            base=self.base[k],
            outputs=(),
            meaning=meaning,
            interactions=pairs,
        )

    def sizes(self) -> Floats:
        """Mean size of the contributions of each column, summed over the outputs."""
        sizes = np.abs(self.values).mean(axis=0)
        return np.asarray(sizes.sum(axis=1) if self.outputs else sizes)

    def cell_text(self, row: int, j: int) -> str:
        """Name and value of one cell, as text.

        Parameters
        ----------
        row, j : int
            Row and column.
        """
        value = np.asarray(self.data[[row]])[0, j]
        missing = value is None or (isinstance(value, float) and math.isnan(value))
        text = f"{value:.4g}" if isinstance(value, float) else str(value)
        return f"{self.names[j]} = {'missing' if missing else text}"

    def __str__(self) -> str:
        return str(self._description())

    def _repr_html_(self) -> str:
        return self._description()._repr_html_()

    def to_dict(self) -> dict[str, Any]:
        """Return the contributions as plain data."""
        return {
            "meaning": self.meaning,
            "names": list(self.names),
            "outputs": plain_data(self.outputs),
            "base": plain_data(self.base),
            "values": plain_data(self.values),
            "interactions": plain_data(self.interactions),
        }

    def _description(self) -> Description:
        columns = "1 column" if len(self.names) == 1 else f"{len(self.names)} columns"
        if len(self) != 1:
            title = f"What {columns} contribute to the {self.meaning} of {len(self)} rows"
            return Description(title, self._base(), [self._size_table()])
        title = f"What {columns} contribute to the {self.meaning} of one row"
        return Description(title, {}, [self.to_table()])

    def to_table(self, row: int = 0) -> Table:
        """Give the contributions for one row as a table, the largest first.

        Parameters
        ----------
        row : int, default 0
            The row.
        """
        heads = list(map(str, self.outputs)) or ["contribution"]
        rows: list[list[Cell]] = [["mean prediction", *self._shown(self.base, row)]]
        sizes = np.abs(self.values[row])
        order = np.argsort(-(sizes.sum(axis=1) if self.outputs else sizes), kind="stable")
        listed, rest = order[:_LISTED].tolist(), order[_LISTED:]
        rows += [[self.cell_text(row, j), *self._shown(self.values[row, j], row)] for j in listed]
        if len(rest):
            rows.append([f"{len(rest)} others", *self._shown(self.values[row, rest].sum(axis=0), row)])
        rows.append(["prediction", *self._shown(self.predictions[row], row)])
        return Table("Contributions", ["", *heads], rows)

    def _shown(self, numbers: Floats, row: int) -> list[Cell]:
        """One number for each output, without what is left of sums by rounding."""
        # Below the rounding error of the sum a contribution is shown as 0, not as 1e-17.
        noise = 1e-14 * (np.abs(self.base) + np.abs(self.values[row]).sum(axis=0))
        cells: list[Cell] = np.atleast_1d(np.where(np.abs(numbers) <= noise, 0.0, numbers)).tolist()
        return cells

    def _base(self) -> dict[str, Any]:
        if not self.outputs:
            return {"mean prediction": float(self.base)}
        named = zip(self.outputs, self.base.tolist(), strict=True)
        return {"mean prediction": ", ".join(f"{label} {value:.4g}" for label, value in named)}

    def _size_table(self) -> Table:
        sizes = self.sizes()
        order = np.argsort(-sizes, kind="stable")
        rows: list[list[Cell]] = [[self.names[j], float(sizes[j])] for j in order[:_LISTED].tolist()]
        if len(order) > _LISTED:
            rows.append([f"{len(order) - _LISTED} others", float(sizes[order[_LISTED:]].sum())])
        return Table("Mean size of the contributions", ["column", "size"], rows)

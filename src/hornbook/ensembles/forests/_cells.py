"""The cells of a table as the kernels read them, taken from it once for many trees."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hornbook.base import Floats
from hornbook.frame import Frame
from hornbook.trees import places

__all__ = ["Cells", "cells_of"]


@dataclass(frozen=True)
class Cells:
    """Numbers and codes of rows, and where each column is found in them.

    Parameters
    ----------
    numbers : ndarray of shape (n_rows, n_numeric)
        The numeric columns.
    codes : ndarray of shape (n_rows, n_coded)
        The codes of the others.
    place : ndarray of shape (n_columns,)
        Place of a column among the numbers, or -1 - its place among the codes.
    """

    numbers: Floats
    codes: NDArray[np.int32]
    place: NDArray[np.int32]

    def __len__(self) -> int:
        return len(self.numbers)

    def __getitem__(self, rows: NDArray[np.intp]) -> Cells:
        """Some rows, as a copy."""
        return Cells(self.numbers[rows], self.codes[rows], self.place)

    def column(self, j: int) -> NDArray[Any]:
        """One column, which can be written to."""
        place = int(self.place[j])
        return np.asarray(self.numbers[:, place] if place >= 0 else self.codes[:, -1 - place])


def cells_of(features: Frame) -> Cells:
    """The cells of a frame."""
    return Cells(features.numbers, features.codes, places(features.schema))

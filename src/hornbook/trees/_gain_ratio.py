"""Gain ratios of a node's candidate splits, compared as in C4.5 release 8 (Quinlan 1993, 1996)."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from hornbook.frame import Column, Schema
from hornbook.params import Floats

__all__ = ["Candidates", "RowScale"]

MANY_VALUED = 0.3  # levels per row of the table from which a column stays out of the average gain
TIED = 1e-12


@dataclass(frozen=True)
class RowScale:
    """How weights count as rows in the cost of a threshold.

    Parameters
    ----------
    rows_per_weight : float
        1 when all weights are whole; otherwise the factor that brings their mean to 1.
    n_rows : float
        Rows of the whole table, counted this way.
    """

    rows_per_weight: float
    n_rows: float

    @staticmethod
    def of(w: Floats) -> RowScale:
        """The scale of the weights of a whole table."""
        whole = bool((w == np.floor(w)).all())
        scale = 1.0 if whole else float((w > 0).sum() / w.sum())
        return RowScale(scale, scale * float(w.sum()))


@dataclass(frozen=True)
class Candidates:
    """The candidate splits of a node.

    Parameters
    ----------
    column : ndarray of intp
        Column that each splits.
    gain, divisor : ndarray of float64
        Information gain, and entropy H(A) of the split itself.
    allowed : ndarray of bool
        Whether the branches are large enough.
    last : ndarray of bool
        Those that yield to others of the same gain.
    """

    column: NDArray[np.intp]
    gain: Floats
    divisor: Floats
    allowed: NDArray[np.bool_]
    last: NDArray[np.bool_]

    def compared(self, weight: float, schema: Schema, scale: RowScale) -> tuple[Floats, Floats]:
        """The gains minus the cost of thresholds, and the gain ratios of the splits that are compared.

        Those are the best one of each column, if it gains at least the average; all others have NaN.
        ``weight`` is that of the node.
        """
        gain, ratio = self.gain.copy(), np.full(len(self.gain), np.nan)
        best: list[int] = []
        for j in np.unique(self.column).tolist():
            own = np.flatnonzero((self.column == j) & self.allowed)
            own = own[np.argsort(self.last[own], kind="stable")]
            numeric = schema.columns[j].kind != "nominal"
            if numeric and len(own):
                # The bits that it takes to say which of the thresholds was chosen, for each row (the minimum
                # description length principle of C4.5 release 8).
                gain[self.column == j] -= np.log2(len(own)) / (scale.rows_per_weight * weight)
            # A number whose best threshold does not repay its description does not compete, and does not
            # lower the average either.
            if len(own) and (not numeric or gain[own].max() > TIED):
                best.append(int(own[np.argmax(gain[own] >= gain[own].max() - TIED)]))
        few = [i for i in best if not _is_many_valued(schema.columns[self.column[i]], scale)]
        for i in best:
            # At least the average gain (Quinlan 1986): the ratio alone would favor very uneven splits, whose
            # divisor is near 0. Columns with many levels gain much by chance and would raise the average
            # above all others.
            if gain[i] >= np.mean(gain[few or best]) - TIED and self.divisor[i] > 0:
                ratio[i] = gain[i] / self.divisor[i]
        return gain, ratio


def _is_many_valued(column: Column, scale: RowScale) -> bool:
    return column.kind == "nominal" and len(column.levels) >= MANY_VALUED * scale.n_rows

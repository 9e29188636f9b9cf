"""Rows in an order that depends on their content and a seed, not on their place in the table."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from hornbook.params import Floats
from hornbook.random import Stream, mixed_bits, row_bits

__all__ = ["OrderedRows", "rounded"]

DIGITS = 41
ORDER_STREAM = 2  # random numbers for the order of the rows


@dataclass(frozen=True)
class OrderedRows:
    """Rows with weight, sorted by random bits of their content; copies of a row are one row.

    So weights mean the same as repeated rows, and rows in another order give the same model.

    Parameters
    ----------
    X : ndarray of shape (n_distinct, n_columns)
        Rows that differ from each other, or belong to different classes.
    y : ndarray of shape (n_distinct,)
        Their classes.
    w : ndarray of shape (n_distinct,)
        Their weights, those of copies added up.
    bits : ndarray of shape (n_distinct,)
        Their random bits.
    """

    X: Floats
    y: NDArray[np.int32]
    w: Floats
    bits: NDArray[np.uint64]

    @classmethod
    def of(cls, X: Floats, y: NDArray[np.int32], w: Floats | None, seed: int) -> OrderedRows:
        """Sort the rows and merge copies."""
        weights = np.ones(len(X)) if w is None else w
        kept = np.flatnonzero(weights > 0)
        ranks = np.unique(y[kept], return_inverse=True)[1]  # a class without weight changes nothing
        bits = row_bits([*rounded(X[kept]).T, ranks], len(kept), seed)
        order = kept[np.argsort(bits, kind="stable")]
        bits = np.sort(bits)
        copies = 1 + np.flatnonzero(bits[1:] == bits[:-1])
        here, before = order[copies], order[copies - 1]
        same = (X[here] == X[before]).all(axis=1) & (y[here] == y[before])  # bits may agree by chance
        first = np.delete(np.arange(len(order)), copies[same])
        mass = np.add.reduceat(weights[order], first)
        places = order[first]
        return cls(np.ascontiguousarray(X[places]), y[places].astype(np.int32), mass, bits[first])

    def order(self, seed: int, turn: int) -> NDArray[np.int64]:
        """The order of the rows in one pass."""
        salt = Stream(seed, ORDER_STREAM, turn).bits(1)[0]
        return np.argsort(mixed_bits(self.bits ^ salt), kind="stable").astype(np.int64, copy=False)

    def of_classes(self, n_classes: int) -> list[tuple[Floats, Floats]]:
        """Rows and weights of each class."""
        return [(self.X[self.y == code], self.w[self.y == code]) for code in range(n_classes)]


def rounded(X: Floats) -> Floats:
    """Cells to 41 binary digits: the means that fill missing cells depend on how rows are added up."""
    mantissa, exponent = np.frexp(X)
    with np.errstate(over="ignore"):
        return np.asarray(np.ldexp(np.rint(mantissa * 2.0**DIGITS), exponent - DIGITS))

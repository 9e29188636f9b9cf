"""Products of powers of columns."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations_with_replacement
from math import comb
from typing import Annotated

import numpy as np
from numpy.typing import NDArray

from hornbook.params import Floats, Index, Shape

__all__ = ["Monomials", "monomials"]

MOST = 20_000  # products at most


@dataclass(frozen=True)
class Monomials:
    """Products of powers of columns, none of them constant.

    Parameters
    ----------
    factors : ndarray of shape (n_products, degree)
        Indices of the columns that are multiplied, ascending, padded with -1.
    """

    factors: Annotated[NDArray[np.int32], Shape("n_products", "n_factors"), Index("n_encoded", low=-1)]

    def verify(self, _: object) -> None:
        """Refuse products of nothing, or too many, as a damaged model file may hold."""
        if len(self.factors) > MOST or not self.factors.shape[1] or (self.factors[:, 0] < 0).any():
            raise ValueError(f"there are products of nothing, or more than {MOST}")

    def apply(self, X: Floats) -> Floats:
        """One column for each product; too large ones are refused."""
        with np.errstate(over="ignore", invalid="ignore"):
            made = self._made(X)
        if not np.isfinite(made).all():
            row = int(np.flatnonzero(~np.isfinite(made).all(axis=1))[0])
            raise ValueError(
                f"A product of columns of X is too large for dtype('float64') in row {row}: scale the "
                "columns first, for example with hornbook.Encoder(scale='standard'), or lower the degree."
            )
        return made

    def _made(self, X: Floats) -> Floats:
        # Each product is a shorter one times one more column: one multiplication per cell.
        made = np.empty((len(X), len(self.factors)))
        place: dict[tuple[int, ...], int] = {}
        for p, row in enumerate(self.factors.tolist()):
            used = tuple(j for j in row if j >= 0)
            before = place.get(used[:-1])  # the product without its last factor, computed before
            made[:, p] = X[:, used[-1]] if before is None else made[:, before] * X[:, used[-1]]
            place[used] = p
        return made

    def names(self, columns: Sequence[object]) -> list[str]:
        """What the products are called: ``size``, ``size mass``, ``size^2``."""
        return [_name([j for j in row if j >= 0], columns) for row in self.factors.tolist()]


def monomials(n_columns: int, degree: int, learner: str) -> Monomials:
    """All products of up to so many columns.

    Ordered by degree; within one degree, products of more different columns come first: for two columns
    and degree 2, x1, x2, x1 x2, x1², x2².
    """
    count = comb(n_columns + degree, degree) - 1
    if count > MOST:
        raise ValueError(
            f"{learner}: parameter 'degree' = {degree} makes {count} products of {n_columns} columns, and "
            f"more than {MOST} are refused; lower it, or leave out columns."
        )
    products: list[tuple[int, ...]] = []
    for size in range(1, degree + 1):
        same = combinations_with_replacement(range(n_columns), size)
        products += sorted(same, key=lambda used: -len(set(used)))
    filled = [(*used, *(-1,) * (degree - len(used))) for used in products]
    return Monomials(np.array(filled, dtype=np.int32).reshape(count, degree))


def _name(used: list[int], columns: Sequence[object]) -> str:
    powers = {j: used.count(j) for j in used}
    return " ".join(f"{columns[j]}^{power}" if power > 1 else f"{columns[j]}" for j, power in powers.items())

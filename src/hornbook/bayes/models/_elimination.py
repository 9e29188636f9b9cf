"""Exact inference by variable elimination (Zhang and Poole 1994), in logarithms."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass

import numpy as np

from hornbook.params import Floats

__all__ = ["Potential", "eliminate", "largest"]


@dataclass(frozen=True)
class Potential:
    """A log factor over some variables, for one or many rows at once.

    Parameters
    ----------
    variables : tuple of int
        The variables, ascending.
    logs : ndarray of shape (n_rows or 1, sizes of the variables...)
        One array for each row, or one for all.
    """

    variables: tuple[int, ...]
    logs: Floats

    def times(self, other: Potential) -> Potential:
        """The product of both."""
        together = tuple(sorted({*self.variables, *other.variables}))
        return Potential(together, self.spread(together) + other.spread(together))

    def spread(self, variables: tuple[int, ...]) -> Floats:
        """The logarithms with an axis of length 1 for each variable they do not depend on."""
        have = iter(self.logs.shape[1:])
        shape = [next(have) if variable in self.variables else 1 for variable in variables]
        return self.logs.reshape(self.logs.shape[0], *shape)

    def without(self, variable: int) -> Potential:
        """The sum over one variable."""
        axis = 1 + self.variables.index(variable)
        # Log-sum-exp: the largest logarithm is taken out, so that not all terms underflow.
        most = self.logs.max(axis=axis, keepdims=True)
        most = np.where(np.isfinite(most), most, 0.0)  # -inf - (-inf) would be NaN
        with np.errstate(divide="ignore"):
            logs = np.log(np.exp(self.logs - most).sum(axis=axis)) + np.squeeze(most, axis=axis)
        return Potential(tuple(v for v in self.variables if v != variable), logs)


def eliminate(potentials: Sequence[Potential], keep: Collection[int], sizes: Sequence[int]) -> Potential:
    """The product of all potentials, summed over every variable that is not kept."""
    rest = list(potentials)
    for variable in _order([potential.variables for potential in rest], keep, sizes):
        # Only the factors that mention the variable are multiplied: the sum distributes over the others.
        touched = [potential for potential in rest if variable in potential.variables]
        product = touched[0]
        for potential in touched[1:]:
            product = product.times(potential)
        rest = [potential for potential in rest if variable not in potential.variables] + [
            product.without(variable)
        ]
    # What is left mentions only kept variables.
    whole = Potential((), np.zeros((1,)))
    for potential in rest:
        whole = whole.times(potential)
    return whole


def _order(scopes: Sequence[tuple[int, ...]], keep: Collection[int], sizes: Sequence[int]) -> list[int]:
    """The elimination order: greedily, next is the variable whose product is the smallest (min-weight)."""
    left = [set(scope) for scope in scopes]
    # The best order is NP-hard to find (Arnborg, Corneil and Proskurowski 1987); on trees this one is the
    # best.
    hidden = sorted({v for scope in left for v in scope} - set(keep))
    order = []
    while hidden:
        # Ties by number, so that the order, and with it the rounding, is always the same.
        best = min(hidden, key=lambda variable: (_cells(_joined(left, variable), sizes), variable))
        joined = _joined(left, best)
        left = [scope for scope in left if best not in scope] + [joined - {best}]
        hidden.remove(best)
        order.append(best)
    return order


def _joined(scopes: list[set[int]], variable: int) -> set[int]:
    return {variable}.union(*(scope for scope in scopes if variable in scope))


def _cells(scope: Collection[int], sizes: Sequence[int]) -> int:
    cells = 1
    for variable in scope:
        cells *= sizes[variable]
    return cells


def largest(scopes: Sequence[tuple[int, ...]], keep: Collection[int], sizes: Sequence[int]) -> int:
    """Cells of the largest product that elimination will make."""
    left = [set(scope) for scope in scopes]
    most = _cells(keep, sizes)
    for variable in _order(scopes, keep, sizes):
        joined = _joined(left, variable)
        most = max(most, _cells(joined, sizes))
        left = [scope for scope in left if variable not in scope] + [joined - {variable}]
    return most

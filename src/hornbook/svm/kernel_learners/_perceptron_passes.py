"""Perceptron training in dual form: how often each row was misclassified is all that is learned."""

from __future__ import annotations

import math
import warnings
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.exceptions import ConvergenceWarning

from hornbook.params import Floats

__all__ = ["MistakeCounts", "class_signs", "train"]


def class_signs(y: NDArray[Any], n_classes: int) -> Floats:
    """+1 and -1 for each row: one line for two classes, else one for each class against the rest."""
    places = [1] if n_classes == 2 else range(n_classes)
    return np.stack([np.where(y == c, 1.0, -1.0) for c in places])


class MistakeCounts:
    """One perceptron: signs s, weights w, counts a, and the margins s_i Σ_j a_j s_j k(x_i, x_j).

    Parameters
    ----------
    signs : ndarray of shape (n,)
        +1 or -1 for each row.
    w : ndarray of shape (n,)
        How many rows each counts as.
    diagonal : ndarray of shape (n,)
        k(x, x) of each row.
    kernel_row : callable
        Gives k(x_i, x_j) of row i with all j.
    """

    def __init__(
        self, signs: Floats, w: Floats, diagonal: Floats, kernel_row: Callable[[int], Floats]
    ) -> None:
        self.signs, self.w, self.diagonal, self.kernel_row = signs, w, diagonal, kernel_row
        self.counts = np.zeros(len(signs))
        self.margins = np.zeros(len(signs))

    def present(self) -> int:
        """Present all rows once, in their order, and return the number of mistakes."""
        mistakes, i = 0, 0
        while i < len(self.signs):
            # Margins of all rows are kept up to date, so that the next wrong row is found by one search
            # instead of a loop over rows that are right.
            wrong = (self.margins[i:] <= 0) & (self.w[i:] > 0)
            ahead = int(wrong.argmax())
            if not wrong[ahead]:
                break
            i += ahead
            times = self._times(i)
            self.counts[i] += times
            self.margins += times * self.signs[i] * (self.signs * self.kernel_row(i))
            mistakes += math.ceil(times)
            i += 1
        return mistakes

    def _times(self, i: int) -> float:
        """How often a wrong row is counted: until it is right, and at most as many rows as it stands for."""
        if self.diagonal[i] <= 0:
            return float(self.w[i])
        # A row of weight 3 is presented as three equal rows would be: each count adds k(x, x) to its margin,
        # and it is no longer wrong once that is positive.
        return min(math.floor(-float(self.margins[i] / self.diagonal[i])) + 1.0, float(self.w[i]))


def train(
    learner: Any, members: Sequence[MistakeCounts], keep: Callable[[Floats], None], remedy: str
) -> None:
    """Present the rows to all perceptrons until none is wrong, or for as long as the learner allows.

    After each pass ``keep`` makes a usable model of the counts, for callbacks to see.
    """
    fewest, since = math.inf, 0
    for i in learner.iterate(learner.max_iter, name="pass"):
        mistakes = sum(member.present() for member in members)
        learner.mistakes_, learner.n_iter_ = mistakes, i + 1
        keep(np.stack([member.counts for member in members]))
        learner.record(mistakes=mistakes)
        # Rows that cannot be separated make mistakes forever; passes without a new best end it.
        since = 0 if mistakes < fewest else since + 1
        fewest = min(fewest, mistakes)
        if mistakes == 0 or since == learner.n_iter_no_change:
            break
    if learner.mistakes_ and learner.n_iter_ == learner.max_iter:
        warnings.warn(
            f"{type(learner).__name__}: parameter 'max_iter' = {learner.max_iter} was reached with "
            f"{learner.mistakes_} mistakes in the last pass: raise it, or {remedy}.",
            ConvergenceWarning,
            stacklevel=7,
        )

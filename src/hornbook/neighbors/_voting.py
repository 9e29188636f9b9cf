"""What classifiers by neighbours have in common: they remember rows and let some of them vote."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from hornbook.base import Description, Floats, Table, Working
from hornbook.distances import Metric, Placed, distance_of
from hornbook.frame import Frame, SparseRows
from hornbook.neighbors._memory import Algorithm, Found, Memory, remember
from hornbook.neighbors._telling import class_terms, description
from hornbook.neighbors._votes import Ties, Weighting, chosen, shares_of, votes_of
from hornbook.random import seed_of

__all__ = ["Voting", "in_words"]


class Voting:
    """A vote of remembered rows; ``_found(queries)`` says whose, ``_alone(totals)`` what holds without."""

    weights: Weighting
    algorithm: Algorithm
    metric: Metric
    p: float
    ties: Ties
    random_state: Any
    classes_: NDArray[Any]
    _found: Any
    _alone: Any

    def _remember(self, rows: Frame | SparseRows, y: NDArray[np.int32], w: Floats | None) -> None:
        self.memory_: Memory = remember(rows, w, y, metric=self.metric, p=self.p, algorithm=self.algorithm)
        self.y_ = y if self.memory_.origin is None else y[self.memory_.origin]
        mass = np.bincount(self.y_, weights=self.memory_.mass, minlength=len(self.classes_))
        self.class_prior_ = mass / mass.sum()
        self.seed_ = seed_of(self.random_state)

    def _votes(self, queries: Placed) -> tuple[Found, Floats, Floats]:
        """Neighbours, their votes, and the sums for each class."""
        found: Found = self._found(queries)
        votes = votes_of(found, self.weights)
        totals = found.totals(votes, self.y_, len(self.classes_))
        without = ~totals.any(axis=1)
        totals[without] = self._alone(without)
        return found, votes, totals

    def _choose(self, rows: Frame) -> tuple[Floats, NDArray[np.intp]]:
        """Sums of the votes for each class, and the choice."""
        queries = self.memory_.space.place(rows)
        found, votes, totals = self._votes(queries)
        choice = chosen(totals, found, votes, self.y_, ties=self.ties, queries=queries, seed=self.seed_)
        return totals, choice

    def _proba(self, rows: Frame) -> Floats:
        return shares_of(*self._choose(rows))

    def _predict(self, rows: Frame) -> NDArray[np.intp]:
        return self._choose(rows)[1]

    def _told(self, facts: dict[str, Any]) -> Description:
        """Describe the memory; the facts say who votes."""
        known = {**facts, "votes": in_words(self.weights), "ties": self.ties}
        rows = list(zip(self.classes_.tolist(), self.class_prior_.tolist(), strict=True))
        table = Table("Share of each class", ["class", "share"], rows)
        return description(self, self.memory_, known, distance_of(self.metric, self.p), [table])

    def _shown(self, row: Frame, shares: Floats, where: str) -> Working:
        """The votes for one row; the shares hold when nobody votes."""
        found, votes, _ = self._votes(self.memory_.space.place(row))
        labels, choice = self.classes_.tolist(), int(self._predict(row)[0])
        terms = class_terms(self.memory_, found, votes, self.y_, shares, labels, choice)
        title = f"The votes of {len(votes)} neighbours{where}"
        return Working(title, "sum", labels, terms, self.classes_[choice])


def in_words(weights: Weighting) -> str:
    """Say how votes are weighted."""
    return "by a function of the distance" if callable(weights) else weights

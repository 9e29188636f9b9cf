"""Shared by nearest-neighbor classifiers: the vote of stored rows."""

from __future__ import annotations

from copy import copy
from typing import TYPE_CHECKING, Annotated, Any, Self

import numpy as np
from numpy.typing import NDArray

from hornbook.base import (
    Description,
    Table,
    Term,
    Working,
    classes_of_targets,
    codes_of_targets,
    learn_targets,
    predict_log_proba,
    predict_proba,
    tags_of_targets,
)
from hornbook.distances import Placed, ValueDifference
from hornbook.frame import Frame, SparseRows
from hornbook.neighbors._description import class_terms, description, distance_used
from hornbook.neighbors._memory import Memory, Neighbors, OwnRows
from hornbook.neighbors._votes import (
    Ties,
    Weighting,
    nearest_tied,
    probabilities_of,
    tied,
    tied_at_random,
    votes_of,
)
from hornbook.params import Floats, Index, Shape
from hornbook.random import seed_of

__all__ = ["Voting", "weighting_text"]

# Neighbors in memory at once, about: those of all queries together may be as many as rows times rows.
AT_ONCE = 1 << 22


class Voting:
    """A vote of stored rows.

    ``_search(queries)`` returns the neighbors, ``_max_neighbors()`` their largest possible number,
    ``_outlier_probabilities(isolated)`` the probabilities of rows without any.

    Attributes
    ----------
    classes_ : ndarray of shape (n_classes,)
        The classes; of several targets, a list with one array for each.
    class_prior_ : ndarray of shape (n_classes,)
        Their fractions of the weight; those of one target after the other.
    """

    counts_absent = True
    metric: Any
    weights: Weighting
    ties: Ties
    vote_smoothing: float
    random_state: Any
    memory_: Memory
    y_: Annotated[NDArray[np.int32], Shape("n_rows"), Shape("n_rows", "n_targets"), Index("n_classes")]
    class_prior_: Annotated[Floats, Shape("n_classes")]
    seed_: int
    n_outputs_: int = 1
    if TYPE_CHECKING:
        classes_: Any
    else:
        classes_: Annotated[NDArray[Any], Shape("n_classes")] | list[NDArray[Any]]

    _learn_target = learn_targets
    _with_codes = codes_of_targets
    predict_proba = predict_proba
    predict_log_proba = predict_log_proba
    _memory_of: Any
    _placed: Any
    _search: Any
    _max_neighbors: Any
    _outlier_probabilities: Any
    _evenly: Any
    _threads: Any

    def _remember(self, rows: Frame | SparseRows, y: NDArray[np.int32], w: Floats | None) -> None:
        if y.ndim > 1 and not self._takes_several():
            raise ValueError(
                f"{type(self).__name__}: metric='vdm' compares categories by the classes of one target, and "
                f"y has {y.shape[1]}: fit one learner for each column of y, or choose another metric."
            )
        self.memory_ = self._memory_of(rows, w, y if y.ndim == 1 else None)
        self.y_ = y if self.memory_.origin is None else y[self.memory_.origin]
        self.class_prior_ = np.concatenate(
            [
                np.bincount(codes, weights=self.memory_.mass, minlength=len(labels))
                for codes, labels in zip(np.atleast_2d(self.y_.T), self._labels(), strict=True)
            ]
        )
        self.class_prior_ /= self.memory_.mass.sum()
        self.seed_ = seed_of(self.random_state)

    def _labels(self) -> list[NDArray[Any]]:
        """The classes of each target."""
        return classes_of_targets(self) or [self.classes_]

    def _parts(self) -> list[Self]:
        """A learner for each of several targets; all remember the same rows."""
        parts, labels = [], self._labels()
        ends = np.cumsum([len(one) for one in labels])
        for t, (one, end) in enumerate(zip(labels, ends.tolist(), strict=True)):
            part = copy(self)
            part.n_outputs_, part.classes_, part.y_ = 1, one, np.ascontiguousarray(self.y_[:, t])
            for name in ("class_prior_", "outlier_shares_"):
                if hasattr(self, name):
                    setattr(part, name, getattr(self, name)[end - len(one) : end])
            parts.append(part)
        return parts

    def _shown(self) -> Self:
        """What a plot shows: of several targets the first, as rows have one color."""
        return self if self.n_outputs_ == 1 else self._parts()[0]

    def _takes_several(self) -> bool:
        """Whether it can be fitted to several targets: distances between classes know one target."""
        by_name = isinstance(self.metric, str) and self.metric == "vdm"
        return not (by_name or isinstance(self.metric, ValueDifference))

    def _warns_of_columns(self) -> bool:
        return True

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()  # type: ignore[misc]  # the learner's
        return tags_of_targets(tags, several=self._takes_several())

    def _answer(self, rows: Any) -> NDArray[Any]:
        if self.n_outputs_ == 1:
            return super()._answer(rows)  # type: ignore[misc,no-any-return]  # that of the learner
        return np.column_stack([part._answer(rows) for part in self._parts()])  # noqa: SLF001 - of this class

    def _choose(self, rows: Frame) -> tuple[Floats, NDArray[np.intp]]:
        """Sums of the votes for each class, smoothing included, and the predicted class."""
        queries = self._placed(rows)
        totals = np.empty((len(queries), len(self.classes_)))
        nearest = np.empty(len(queries), dtype=np.intp)
        mean = np.zeros(len(queries))
        # How many neighbors a radius holds shows only in the search: the first batch is sized for the worst
        # case.
        start, step = 0, 1 + AT_ONCE // self._max_neighbors()
        while start < len(queries):
            part = slice(start, start + step)
            neighbors: Neighbors = self._search(queries[part])
            votes = votes_of(neighbors, self.weights)
            totals[part] = neighbors.totals(votes, self.y_, len(self.classes_))
            if self.ties == "nearest":
                nearest[part] = nearest_tied(totals[part], neighbors, votes, self.y_)
            if self.vote_smoothing:
                mean[part] = _mean_votes(neighbors, votes)
            start += step
            # The next batch is sized by how many neighbors this one had, growing at most eightfold.
            step = min(8 * step, 1 + AT_ONCE * step // max(len(votes), step))
        isolated = ~totals.any(axis=1)
        totals[isolated] = self._outlier_probabilities(isolated)
        if self.vote_smoothing:
            # In units of the mean vote, so that smoothing means the same for all weightings.
            totals += mean[:, None] * self._evenly(self.vote_smoothing)
        if self.ties == "random":
            return totals, tied_at_random(totals, self._cells(queries), self.seed_)
        first = np.asarray(tied(totals).argmax(axis=1))
        return totals, first if self.ties == "first" else np.where(isolated, first, nearest)

    def _cells(self, queries: Placed | OwnRows) -> Placed:
        """The cells of the queries, which draws depend on."""
        if not isinstance(queries, OwnRows):
            return queries
        rows = self.memory_.rows
        if isinstance(rows, SparseRows):
            rows = Placed(rows.dense(), np.empty((len(rows), 0), dtype=np.int32))
        return rows[queries.places]

    def _proba(self, rows: Frame) -> Floats:
        if self.n_outputs_ > 1:
            return np.hstack([part._proba(rows) for part in self._parts()]) / self.n_outputs_  # noqa: SLF001
        return probabilities_of(*self._choose(rows))

    def _predict(self, rows: Frame) -> NDArray[np.intp]:
        return self._choose(rows)[1]

    def _vote_description(self, facts: dict[str, Any]) -> Description:
        """Describe the memory; the facts say which neighbors vote."""
        known = {**facts, "votes": weighting_text(self.weights), "ties": self.ties}
        names = [label for labels in self._labels() for label in labels.tolist()]
        if self.n_outputs_ > 1:
            names = [f"{t}: {label}" for t, labels in enumerate(self._labels()) for label in labels.tolist()]
        rows = list(zip(names, self.class_prior_.tolist(), strict=True))
        table = Table("Share of each class", ["class", "share"], rows)
        return description(self, self.memory_, known, distance_used(self), [table])

    def _vote_working(self, row: Frame, probabilities: Floats, where: str) -> Working:
        """The votes for one row; the probabilities apply when there are no neighbors."""
        if self.n_outputs_ > 1:
            return self._working_of_parts(row, probabilities, where)
        neighbors: Neighbors = self._search(self.memory_.space.place(row))
        votes = votes_of(neighbors, self.weights)
        labels, choice = self.classes_.tolist(), int(self._predict(row)[0])
        terms = class_terms(self.memory_, neighbors, votes, self.y_, probabilities, labels, choice)
        if self.vote_smoothing and votes.any():
            even = _mean_votes(neighbors, votes)[0] * self._evenly(self.vote_smoothing)
            terms.append(Term(f"smoothing: {self.vote_smoothing:g} more, evenly", even.tolist()))
        title = f"The votes of {len(votes)} neighbors{where}"
        return Working(title, "sum", labels, terms, self.classes_[choice])

    def _working_of_parts(self, row: Frame, probabilities: Floats, where: str) -> Working:
        """The votes for each target, one after the other."""
        terms: list[Term] = []
        candidates: list[str] = []
        ends, answers, title = np.cumsum([len(labels) for labels in self._labels()]), [], ""
        for t, (part, end) in enumerate(zip(self._parts(), ends.tolist(), strict=True)):
            shares = probabilities[end - len(part.classes_) : end]
            one = part._vote_working(row, shares, where)  # noqa: SLF001 - of this class
            before, after = [0.0] * (end - len(part.classes_)), [0.0] * (int(ends[-1]) - end)
            terms += [Term(f"{t}: {term.name}", [*before, *term.values, *after]) for term in one.terms]
            candidates += [f"{t}: {label}" for label in part.classes_.tolist()]
            answers.append(one.prediction)
            title = one.title
        return Working(title, "sum", candidates, terms, answers)


def _mean_votes(neighbors: Neighbors, votes: Floats) -> Floats:
    """Mean vote of the neighbors of each query, the unit of smoothing; 0 without neighbors."""
    n_queries = len(neighbors.offsets) - 1
    voted = np.bincount(neighbors.queries, weights=votes, minlength=n_queries)
    counted = np.bincount(neighbors.queries, weights=neighbors.masses, minlength=n_queries)
    return np.divide(voted, counted, out=np.zeros(n_queries), where=counted > 0)


def weighting_text(weights: Weighting) -> str:
    """How votes are weighted, as text."""
    return "by a function of the distance" if callable(weights) else weights or "uniform"

"""Members that answer together: by the mean of their probabilities or numbers, or by votes."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator
from typing import Annotated, Any, Literal, TypeVar

import numpy as np
from numpy.typing import NDArray

from hornbook.base import Working, member_answers, member_proba, member_rows, spread_scores
from hornbook.ensembles.adaboost._member_outputs import Kind, tree_sum
from hornbook.ensembles.bagging._training import in_order, with_columns
from hornbook.ensembles.forests._description import number_terms, vote_terms
from hornbook.frame import Frame, Schema
from hornbook.params import Floats, Shape, one_thread
from hornbook.random import mixed_bits, row_bits

__all__ = ["Committee", "Ties", "Vote"]

Vote = Literal["soft", "hard"]
Ties = Literal["first", "random", "confidence"]
Result = TypeVar("Result")

SETTLES = 1e-6  # of a vote: what settles ties must never outweigh one, and hardly shows in the shares
FEW_ROWS = 8  # for which calls of members take longer than their work
ENOUGH = 2**14  # predictions of one row by one member that are worth a second thread


class Committee:
    """Members, fitted on class numbers or numbers, and what they answer together."""

    vote: Vote
    ties: Ties
    seed_: int
    schema_: Schema
    classes_: Annotated[NDArray[Any], Shape("n_classes")]
    estimators_: Annotated[list[Any], Shape("n_members")]

    _inner: Callable[[], Any]
    _threads: Callable[..., int]
    _predicts_classes: Callable[[], bool]

    def _columns(self, t: int) -> NDArray[np.intp] | None:  # noqa: ARG002 - for those that draw columns
        """The columns of member t; None for all."""
        return None

    def _is_hard(self) -> bool:
        """Whether members vote: they do, too, where they have no probabilities to average."""
        return self.vote == "hard" or not hasattr(self._inner(), "predict_proba")

    def _weights(self) -> Floats | None:
        """The weights of the members, which sum to 1; None if all count the same."""
        return None

    def _refuse_ties(self) -> None:
        """Reject a rule for ties that has no effect, or cannot be followed."""
        name, classes = type(self).__name__, self._predicts_classes()
        if not classes and (self.vote, self.ties) != ("soft", "first"):
            raise ValueError(
                f"{name}: parameters 'vote' and 'ties' apply to classes, but the members predict numbers: "
                "leave them out."
            )
        if self.ties != "first" and not self._is_hard():
            raise ValueError(
                f"{name}: parameter 'ties' applies to votes, but vote is 'soft': set vote='hard', or leave "
                "it out."
            )
        if self.ties == "confidence" and not hasattr(self._inner(), "predict_proba"):
            raise TypeError(
                f"{name}: ties='confidence' needs probabilities, which {type(self._inner()).__name__} does "
                "not give: choose a learner that has predict_proba, or other ties."
            )

    def _ask_each(
        self,
        frame: Frame,
        ask: Callable[[Any, Any], Result],
        rows_of: Callable[[int], NDArray[np.intp]] | None = None,
    ) -> Generator[Result]:
        """What ``ask`` gives for each member and the rows as it wants them: all, or those of its number."""
        members = self.estimators_
        # Members of one kind share the converted rows, unless each has columns of its own.
        firsts = {} if self._columns(0) is not None else {type(member): member for member in members}
        shared = {kind: member_rows(member, frame) for kind, member in firsts.items()}

        def answer(t: int) -> Result:
            columns, member = self._columns(t), members[t]
            own = None if columns is None else member_rows(member, with_columns(frame, columns))
            rows = shared[type(member)] if own is None else own
            return ask(member, rows if rows_of is None else rows[rows_of(t)])

        n_threads = self._threads() if len(frame) * len(members) >= ENOUGH else 1
        return in_order(answer, range(len(members)), n_threads)

    def _ballot(self, member: Any, rows: Any) -> Floats:
        """What a member gives to each class, or its number, one column each."""
        if not self._predicts_classes():
            return np.asarray(member_answers(member, rows), dtype=np.float64)[:, None]
        if self._is_hard():
            return _votes(member_answers(member, rows), len(self.classes_))
        return member_proba(member, rows, len(self.classes_))

    def _stages(self, frame: Frame) -> Iterator[Floats]:
        """The sum over the first 1, 2, ... members, with what settles ties."""

        def ask(member: Any, rows: Any) -> Floats:
            ballot = self._ballot(member, rows)
            if self.ties != "confidence":
                return ballot
            # How sure a member is of its vote.
            sure = ballot * member_proba(member, rows, len(self.classes_))
            # Divided by the number of members: the tie-breakers together stay below one vote times
            # SETTLES.
            return np.asarray(ballot + SETTLES / len(self.estimators_) * sure)

        total = self._draws(frame) if self.ties == "random" else np.zeros((1, 1))
        weights = self._weights()
        for t, ballot in enumerate(self._ask_each(frame, ask)):
            total = total + (ballot if weights is None else weights[t] * ballot)
            yield total

    def _sum(self, frame: Frame) -> Floats:
        """What the members give together."""
        if len(frame) > FEW_ROWS:
            return self._last_stage(frame)
        with one_thread():  # members need not find out how many there are
            joined = self._joined_sum(frame)
            return self._last_stage(frame) if joined is None else joined

    def _joined_sum(self, frame: Frame) -> Floats | None:
        """The same by all trees at once, where members are trees that count the same."""
        if self._columns(0) is not None or self._weights() is not None or self.ties != "first":
            return None
        classes = len(self.classes_) if self._predicts_classes() else 0
        kind: Kind = "numbers" if not classes else "votes" if self._is_hard() else "probabilities"
        return tree_sum(self.estimators_, frame, kind, classes)

    def _last_stage(self, frame: Frame) -> Floats:
        *_, total = self._stages(frame)
        return total

    def _shares(self, frame: Frame) -> Floats:
        """Mean probabilities, or shares of votes."""
        total = self._sum(frame)
        # Tie-breakers are part of the sum, so rows must be normalized by it to add up to 1.
        return total / (self._mass() if self.ties == "first" else total.sum(axis=1, keepdims=True))

    def _mean_scores(self, frame: Frame) -> Floats:
        """The mean of what decision_function of the members gives, for a class of those that know it."""
        classes = np.arange(len(self.classes_))

        def ask(member: Any, rows: Any) -> Floats:
            if not hasattr(member, "_decision"):  # a sample of one class, which stands in for scores
                return np.where(classes == member.classes_[0], 0.0, -np.inf) + np.zeros((len(frame), 1))
            core = member._core()  # noqa: SLF001 - as member_proba asks members
            scores = spread_scores(np.asarray(core._decision(rows)), core.classes_, classes)  # noqa: SLF001
            return np.column_stack([-scores, scores]) if scores.ndim == 1 and len(classes) == 2 else scores

        total, known = np.zeros((len(frame), len(classes))), np.zeros((len(frame), len(classes)))
        for scores in self._ask_each(frame, ask):
            total += np.where(np.isfinite(scores), scores, 0.0)
            known += np.isfinite(scores)
        means = np.where(known > 0, total / np.maximum(known, 1), -np.inf)
        return np.asarray(means[:, 1] if len(classes) == 2 else means)

    def _mass(self) -> float:
        return float(len(self.estimators_)) if self._weights() is None else 1.0

    def _draws(self, frame: Frame) -> Floats:
        """A random number for each row and class that depends on the cells of the row, not on its place."""
        cells = [frame.column(j) for j in range(len(self.schema_))]
        bits = row_bits(cells, len(frame), self.seed_)
        present = ~np.isin(self.classes_, getattr(self, "absent_classes_", ()))
        # Numbered among the classes present: one without weight does not change how the others are
        # drawn.
        by_class = mixed_bits(bits[:, None] ^ np.arange(1, present.sum() + 1, dtype=np.uint64))
        draws = np.zeros((len(frame), len(self.classes_)))
        # The upper 53 bits make a double in [0, 1).
        draws[:, present] = (by_class >> np.uint64(11)) * (2.0**-53 * SETTLES)
        return draws

    def _predict(self, frame: Frame) -> NDArray[Any]:
        total = self._sum(frame)
        if not self._predicts_classes():
            return np.asarray(total[:, 0] / self._mass())
        return np.asarray(total.argmax(axis=1))

    def _working(self, row: Frame) -> Working:
        ballots = np.concatenate(list(self._ask_each(row, self._ballot)))
        answer = self._predict(row)[0]
        if not self._predicts_classes():
            return number_terms(ballots[:, 0], float(answer), "member")
        more = None
        if self.ties != "first":
            more = f"breaks ties by {self.ties}", self._sum(row)[0] - ballots.sum(axis=0)
        return vote_terms(
            ballots,
            self.classes_,
            what="votes" if self._is_hard() else "probabilities",
            answer=self.classes_[answer],
            more=more,
            word="member",
        )


def _votes(codes: NDArray[Any], n_classes: int) -> Floats:
    votes = np.zeros((len(codes), n_classes))
    votes[np.arange(len(codes)), codes] = 1.0
    return votes

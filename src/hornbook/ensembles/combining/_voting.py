"""Members of a vote: fitted next to each other or given, with their weights."""

from __future__ import annotations

from typing import Any, ClassVar, Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

from hornbook.base import Accepts, NamedMembers, Transformer, member_answers
from hornbook.ensembles.combining._checks import shares_of
from hornbook.ensembles.combining._members import (
    Task,
    check_tasks,
    few_alone,
    fitted_members,
    rows_for,
)
from hornbook.frame import Frame
from hornbook.params import Floats, ParameterError

__all__ = ["VotingMembers"]


class VotingMembers(NamedMembers, Transformer):
    """Members of different types next to each other, fitted or given."""

    wants: ClassVar[Literal["frame"]] = "frame"
    accepts: ClassVar[Accepts] = Accepts(sparse=True, densified=True)
    supervised: ClassVar[bool] = True
    scale_sensitive: ClassVar[bool] = True
    objective = "that of each member"
    optimizer = "that of each member"
    task: ClassVar[Task]

    weights: ArrayLike | None
    prefit: bool
    n_jobs: int | None

    def _fit_members(self, frame: Frame, y: NDArray[Any], w: Floats | None) -> None:
        kind, members = type(self).__name__, self._members()
        check_tasks(kind, members, self.task)
        if self.weights is not None and np.shape(self.weights) != (len(self.estimators),):
            raise ParameterError(
                f"{kind}: parameter 'weights' must have a number for each of the {len(self.estimators)} "
                f"estimators; got {self.weights!r}."
            )
        frame = frame.prepared()  # rows are encoded once for all members that want the same numbers
        fitted = fitted_members(
            kind,
            members,
            frame,
            y,
            w,
            classes=getattr(self, "classes_", None),
            given=self.prefit,
            n_threads=self._threads(),
        )
        self.estimators_, self.member_names_ = [], []
        for i in self.iterate(len(members), name="member"):
            self.estimators_.append(next(fitted))
            self.member_names_.append(members[i][0])

    def _weights(self) -> list[float] | None:
        """Weights of the members that are in use."""
        if self.weights is None:
            return None
        # Weights are given for all estimators; those set to "drop" take theirs along.
        by_name = {
            name: weight for (name, _), weight in zip(self.estimators, np.asarray(self.weights), strict=True)
        }
        return [float(by_name[name]) for name in self.member_names_]

    def _shares(self) -> Floats:
        return shares_of(type(self).__name__, self._weights(), len(self.estimators_))

    def _answers(self, frame: Frame) -> list[NDArray[Any]]:
        """What each member predicts."""
        frame = frame.prepared()
        with few_alone(frame):
            return [
                member_answers(member, rows_for(member, frame, given=self.prefit))
                for member in self.estimators_
            ]

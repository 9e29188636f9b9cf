"""Members of different types: fitted next to each other, or given as they are."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, nullcontext
from copy import copy
from functools import partial
from typing import Any, Literal, TypeVar

import numpy as np
from numpy.typing import NDArray
from sklearn.base import is_classifier, is_regressor
from sklearn.exceptions import NotFittedError
from sklearn.utils.validation import check_is_fitted

from hornbook.base import Baseline, Learner, adopted, member_rows, prepare
from hornbook.frame import Frame
from hornbook.params import Floats, Team, blas_threads, one_thread

__all__ = [
    "Task",
    "check_tasks",
    "few_alone",
    "fit_member",
    "fitted_members",
    "given_member",
    "in_parallel",
    "kind_of",
    "rows_for",
]

Task = Literal["classification", "regression"]
Result = TypeVar("Result")

FEW_ROWS = 8  # for which a second thread has nothing to do


def check_tasks(owner: str, members: Sequence[tuple[str, Any]], task: Task) -> None:
    """Refuse a member that is not a learner for the task."""
    fits = is_classifier if task == "classification" else is_regressor
    for name, estimator in members:
        try:
            learner = adopted(estimator)
        except TypeError as error:
            raise TypeError(f"{owner}: member {name!r}: {error}") from None
        if not fits(learner):
            raise TypeError(
                f"{owner}: member {name!r} of parameter 'estimators' must be a learner for {task}; got "
                f"{type(estimator).__name__}: choose one of hornbook.learners(task={task!r})."
            )


def fit_member(
    estimator: Any,
    frame: Frame,
    y: NDArray[Any],
    w: Floats | None,
    task: Task = "classification",
) -> Any:
    """Fit a clone to rows; of one class only, it is a `Baseline`, because many learners refuse that."""
    single = task == "classification" and len(np.unique(y if w is None else y[w > 0])) < 2
    return prepare(Baseline() if single else estimator, frame, w, task).fit(y, w)


def given_member(
    owner: str, name: str, estimator: Any, frame: Frame, classes: NDArray[Any] | None, task: Task
) -> Any:
    """Return a fitted learner as a member; one of scikit-learn gets the encoded matrix of these columns."""
    try:
        check_is_fitted(estimator)
    except NotFittedError:
        raise NotFittedError(
            f"{owner}: member {name!r} is not fitted yet, and given members are used as they are: fit it "
            "first; clones, as cross-validation makes them, forget what was learned."
        ) from None
    if isinstance(estimator, Learner):
        estimator._new_rows(frame[:1])  # noqa: SLF001 - the error for other columns comes now, not later
        _check_classes(owner, name, estimator, classes)
        return estimator
    # `prepare` wraps a foreign estimator; the wrapper's pattern has learned the encoding but no model
    # yet.
    member: Any = prepare(estimator, frame, task=task).pattern
    expected, n_columns = getattr(estimator, "n_features_in_", None), len(member.encoded_names_)
    if expected not in (None, n_columns):
        raise ValueError(
            f"{owner}: member {name!r} was fitted on {expected} columns, but the rows have {n_columns} "
            "numeric columns: pass rows of the same columns, without categories and missing cells."
        )
    names = [str(column) for column in getattr(estimator, "feature_names_in_", [])]
    if frame.schema.named and names and names != list(frame.schema.names):
        raise ValueError(
            f"{owner}: member {name!r} was fitted on the columns {', '.join(names)}, but the rows have "
            f"{', '.join(frame.schema.names)}: pass the same columns in the same order."
        )
    member.estimator_ = _without_names(estimator)
    if task == "classification":
        member.classes_ = np.asarray(estimator.classes_)
    _check_classes(owner, name, member, classes)
    return member


def _check_classes(owner: str, name: str, member: Any, classes: NDArray[Any] | None) -> None:
    if classes is not None and (unknown := ~np.isin(member.classes_, classes)).any():
        raise ValueError(
            f"{owner}: member {name!r} knows the class {member.classes_[unknown].tolist()[0]!r}, which y "
            "does not have: pass rows of all classes to fit, or leave the member out."
        )


def _without_names(estimator: Any) -> Any:
    """The estimator as if fitted on an array, which it gets here; else it would warn of missing names."""
    if "feature_names_in_" not in vars(estimator):
        return estimator
    twin = copy(estimator)
    del twin.feature_names_in_
    return twin


def fitted_members(
    owner: str,
    members: Sequence[tuple[str, Any]],
    frame: Frame,
    y: NDArray[Any],
    w: Floats | None,
    *,
    classes: NDArray[Any] | None,
    given: bool,
    n_threads: int,
) -> Iterator[Any]:
    """Yield a member of each type that has learned from these rows, or was given; classes mean that task."""
    task: Task = "regression" if classes is None else "classification"
    jobs: list[Callable[[], Any]] = [
        partial(given_member, owner, name, estimator, frame, classes, task)
        if given
        else partial(fit_member, estimator, frame, y, w, task)
        for name, estimator in members
    ]
    return in_parallel(jobs, n_threads)


def rows_for(member: Any, frame: Frame, *, given: bool) -> Any:
    """Return rows as a member takes them; a given one may know its categories in another order."""
    return member._prepared(frame) if given else member_rows(member, frame)  # noqa: SLF001


def few_alone(frame: Frame) -> AbstractContextManager[None]:
    """Let members answer few rows on this thread, without finding out how many threads there are."""
    return one_thread() if len(frame) <= FEW_ROWS else nullcontext()


def in_parallel(jobs: Sequence[Callable[[], Result]], n_threads: int) -> Iterator[Result]:
    """Yield what the jobs return, in their order."""
    if min(n_threads, len(jobs)) < 2:
        yield from (job() for job in jobs)
        return
    # One limit around all: threads that lift limits of their own would lift those of the others.
    with blas_threads(1), Team(min(n_threads, len(jobs))) as team:
        # Submitted at once and yielded in order: results do not depend on which job ends first.
        futures = [team.submit(job) for job in jobs]
        yield from (future.result() for future in futures)


def kind_of(member: Any) -> str:
    """Return the name of the class of a member; of a foreign one that of the estimator inside."""
    inside = getattr(member, "estimator", None) if type(member).__name__ == "Foreign" else None
    return type(member if inside is None else inside).__name__

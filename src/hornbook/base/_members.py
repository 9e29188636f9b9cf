"""Learners inside learners: rows are prepared once, then every member learns from them.

The matrix is a form of the rows like any other: a prepared table shares it with learners of the same fold.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray
from sklearn.base import clone, is_classifier, is_regressor

from hornbook.base._foreign import adopted
from hornbook.base._learner import Learner
from hornbook.base.intake._checks import all_finite, check_kinds
from hornbook.base.intake._names import remember_names
from hornbook.frame import Block, Blocks, Frame
from hornbook.params import Floats, check

__all__ = [
    "Prepared",
    "member_answers",
    "member_label_proba",
    "member_proba",
    "member_rows",
    "member_scores",
    "member_variants",
    "prepare",
]


SEEDS = 2**32  # that scikit-learn's learners take


@dataclass(frozen=True)
class Prepared:
    """Rows in the form a learner wants, ready for as many clones of it as are needed.

    Parameters
    ----------
    pattern : Learner
        What is cloned; it knows the columns and how they are converted, and has learned nothing else.
    data : object
        The rows as the hooks of the learner take them.
    """

    pattern: Learner
    data: Any

    def fit(
        self,
        y: NDArray[Any],
        w: Floats | None = None,
        rows: NDArray[np.intp] | None = None,
        seed: int | None = None,
    ) -> Any:
        """Return a member that has learned from these rows.

        Parameters
        ----------
        y : ndarray of shape (n_rows,)
            Classes or numbers of all prepared rows.
        w : ndarray of shape (n_rows,), optional
            Weights of all prepared rows; rows of weight 0 are left out.
        rows : ndarray of int, optional
            The rows to learn from, in this order and as often as they are named; all when left out.
        seed : int, optional
            Becomes the ``random_state`` of a member that has one, and of the learners inside it.

        Returns
        -------
        member : Learner
            A fitted clone; its ``classes_`` are those of y that occur.
        """
        data = self.data
        if w is not None:
            chosen = np.arange(len(y)) if rows is None else rows
            # Left out rather than passed on: a learner without weights could not ignore them, and a class
            # whose rows all have weight 0 must not be among the member's classes. Where every row counts,
            # nothing is copied.
            rows = chosen if rows is None and w.all() else chosen[w[chosen] > 0]
        if rows is not None:
            data, y = data[rows], y[rows]
            w = None if w is None else w[rows]
        # A clone has the parameters, not the conversion, which it gets from the pattern below: encoded once,
        # shared by all members.
        member = clone(self.pattern)
        if seed is not None and "random_state" in vars(member):
            member.set_params(random_state=seed)
        if seed is not None:
            member.set_params(**_seeds(member, seed))
        member._learn_as_member(self.pattern, Block(data, y, w))  # noqa: SLF001 - fitted from outside
        return member


def _seeds(member: Learner, seed: int) -> dict[str, int]:
    """A seed for the learner, and for all learners inside it, which may be scikit-learn's."""
    names = [name for name in member.get_params() if name.rpartition("__")[2] == "random_state"]
    return {name: seed if name == "random_state" else seed % SEEDS for name in names}


def prepare(
    estimator: Any,
    frame: Frame,
    w: Floats | None = None,
    task: Literal["classification", "regression"] = "classification",
    container: Any = None,
) -> Prepared:
    """Prepare rows for clones of a learner: check them and convert them once.

    Parameters
    ----------
    estimator : Learner or estimator of scikit-learn
        The learner; an estimator of scikit-learn gets the encoded matrix.
    frame : Frame
        The features.
    w : ndarray of shape (n_rows,), optional
        Weights of the rows, for means that stand in for missing numbers.
    task : {"classification", "regression"}, default "classification"
        What the learner must be for.
    container : type, optional
        The type of the sparse matrix that the rows came in, for estimators of scikit-learn that take them.

    Returns
    -------
    prepared : Prepared
        Its ``fit(y, w, rows)`` gives fitted members.

    Examples
    --------
    >>> import numpy as np
    >>> from hornbook import Frame, NaiveBayes
    >>> prepared = prepare(NaiveBayes(), Frame([[0.0], [1.0], [5.0], [6.0]]))
    >>> member = prepared.fit(np.array([0, 0, 1, 1]))
    >>> member_answers(member, member_rows(member, Frame([[0.4], [5.1]]))).tolist()
    [0, 1]
    """
    learner = adopted(estimator, task, container)
    if not (is_classifier if task == "classification" else is_regressor)(learner):
        raise TypeError(
            f"parameter 'estimator' must be a learner for {task}; got {type(estimator).__name__}: choose one "
            f"of hornbook.learners(task={task!r})."
        )
    check(learner)
    pattern = clone(learner)
    pattern.schema_ = frame.schema
    remember_names(pattern, frame.schema)
    blocks = Blocks.of(Block(pattern._checked(frame), None, w), frame.schema, 1)  # noqa: SLF001
    (block,) = pattern._learn_conversion(blocks)  # noqa: SLF001 - what fit does, once for all members
    return Prepared(pattern, block.X)


def member_rows(member: Any, frame: Frame) -> Any:
    """Convert new rows for the functions below; the result serves all members of one preparation.

    Parameters
    ----------
    member : Learner
        A fitted member.
    frame : Frame
        Rows with the columns of the fit.

    Examples
    --------
    >>> import numpy as np
    >>> from hornbook import Frame, LogisticRegression
    >>> member = prepare(LogisticRegression(), Frame({"a": ["x", "y"]})).fit(np.array([0, 1]))
    >>> member_rows(member, Frame({"a": ["y"]})).tolist()
    [[0.0, 1.0]]
    """
    complete = all_finite(frame)
    # A member may take less than the learner around it; of few rows without gaps, only their kinds matter.
    needs = member._requirements()  # noqa: SLF001
    if complete:
        check_kinds(frame, needs.accepts.kinds, needs.learner)
    else:
        needs.checked(frame)
    return member._converted(frame, complete=complete)  # noqa: SLF001


def member_answers(member: Any, rows: Any) -> NDArray[Any]:
    """Return what a member predicts: labels of the y it was fitted on, or numbers.

    Parameters
    ----------
    member : Learner
        A fitted member.
    rows : object
        What `member_rows` returned.

    Examples
    --------
    >>> import numpy as np
    >>> from hornbook import Frame, KNeighborsRegressor
    >>> table = Frame([[0.0], [1.0]])
    >>> member = prepare(KNeighborsRegressor(n_neighbors=1), table, task="regression").fit(
    ...     np.array([3.0, 7.0])
    ... )
    >>> member_answers(member, member_rows(member, table)).tolist()
    [3.0, 7.0]
    """
    return np.asarray(member._answer(rows))  # noqa: SLF001


def member_proba(member: Any, rows: Any, n_classes: int) -> Floats:
    """Return the probabilities of the classes 0, 1, ..., ``n_classes`` - 1; 0 for those it never saw.

    Parameters
    ----------
    member : Learner
        A member fitted on class numbers.
    rows : object
        What `member_rows` returned.
    n_classes : int
        How many classes there are in all.

    Examples
    --------
    >>> import numpy as np
    >>> from hornbook import Baseline, Frame
    >>> table = Frame([[0.0], [1.0]])
    >>> member = prepare(Baseline(), table).fit(np.array([0, 2]))
    >>> member_proba(member, member_rows(member, table[:1]), 3).tolist()
    [[0.5, 0.0, 0.5]]
    """
    return member_label_proba(member, rows, np.arange(n_classes))


def member_label_proba(member: Any, rows: Any, classes: NDArray[Any]) -> Floats:
    """Return the probabilities of the given classes; 0 for those that the member never saw.

    Parameters
    ----------
    member : Learner
        A member fitted on some of these classes.
    rows : object
        What `member_rows` returned.
    classes : ndarray of shape (n_classes,)
        The labels, sorted.

    Examples
    --------
    >>> import numpy as np
    >>> from hornbook import Baseline, Frame
    >>> table = Frame([[0.0], [1.0]])
    >>> member = prepare(Baseline(), table).fit(np.array(["a", "c"]))
    >>> member_label_proba(member, member_rows(member, table[:1]), np.array(["a", "b", "c"])).tolist()
    [[0.5, 0.0, 0.5]]
    """
    if not hasattr(member, "_proba"):
        kind = type(getattr(member, "estimator", member)).__name__
        raise TypeError(f"{kind} gives no probabilities: choose a learner that has predict_proba.")
    core = member._core()  # noqa: SLF001 - a member fitted elsewhere may have classes without weight
    probabilities = core._proba(rows)  # noqa: SLF001
    if len(core.classes_) == len(classes):
        return np.asarray(probabilities)
    whole = np.zeros((len(probabilities), len(classes)))
    # Classes are ascending, so a binary search finds the place of those that the member knows.
    whole[:, np.searchsorted(classes, core.classes_)] = probabilities
    return whole


def member_scores(member: Any, rows: Any) -> Floats:
    """Return how sure a member fitted on the classes 0 and 1 is of 1; it decides for 1 above 0.

    It is the member's score; without one, the probability of 1 less that of 0; without that, 1 or -1.

    Parameters
    ----------
    member : Learner
        A member fitted on 0 and 1.
    rows : object
        What `member_rows` returned.

    Examples
    --------
    >>> import numpy as np
    >>> from hornbook import Baseline, Frame
    >>> table = Frame([[0.0], [1.0], [2.0], [3.0]])
    >>> member = prepare(Baseline(), table).fit(np.array([0, 1, 1, 1]))
    >>> member_scores(member, member_rows(member, table[:1])).tolist()
    [0.5]
    """
    if hasattr(member, "_decision") and len(member.classes_) == 2:
        return np.asarray(member._decision(rows))  # noqa: SLF001
    if hasattr(member, "_proba"):
        probabilities = member_proba(member, rows, 2)
        # The difference has its threshold at 0, as decision values have.
        return np.asarray(probabilities[:, 1] - probabilities[:, 0])
    return np.asarray(2.0 * member_answers(member, rows) - 1.0)


def member_variants(member: Any, rows: Any, settings: Sequence[Mapping[str, Any]]) -> Iterator[Any]:
    """Yield members that predict rows as if they had been fitted with other parameters.

    Nothing is learned again, and what they have in common is computed once.

    Parameters
    ----------
    member : Learner
        A fitted member.
    rows : object
        What `member_rows` returned; the variants predict these and no others.
    settings : sequence of mapping
        Values of parameters that are ``adjustable``.

    Examples
    --------
    >>> import numpy as np
    >>> from hornbook import Frame, KNeighborsRegressor
    >>> table = Frame([[0.0], [1.0], [3.0]])
    >>> member = prepare(KNeighborsRegressor(), table, task="regression").fit(np.array([3.0, 7.0, 5.0]))
    >>> rows = member_rows(member, table[:1])
    >>> ks = [{"n_neighbors": 1}, {"n_neighbors": 2}]
    >>> [member_answers(variant, rows).tolist() for variant in member_variants(member, rows, ks)]
    [[3.0], [5.0]]
    """
    yield from member._variants(rows, settings)  # noqa: SLF001

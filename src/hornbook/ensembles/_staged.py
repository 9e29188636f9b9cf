"""Predictions of the first 1, 2, ... members of an ensemble."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, Literal, Protocol

from numpy.typing import NDArray

from hornbook.base import Classifier, Learner
from hornbook.ensembles._out_of_bag import check_unvoted
from hornbook.frame import Frame
from hornbook.params import Floats

__all__ = ["StagedClasses", "StagedPredictions", "staged_errors"]


class StagedPredictions(Learner):
    """For ensembles whose members come one after the other."""

    _staged_answers: Callable[[Frame], Iterator[NDArray[Any]]]

    def staged_predict(self, X: Any) -> Iterator[NDArray[Any]]:
        """Yield the predictions of the first 1, 2, ... members, or of the first rounds of boosting.

        Parameters
        ----------
        X : table of shape (n_rows, n_columns)
            The rows.

        Yields
        ------
        answers : ndarray of shape (n_rows,)
            As ``predict`` gives them with all members.
        """
        yield from self._hook("_staged_answers", self._prepared(X))


class StagedClasses(StagedPredictions, Classifier):
    """The same for classes with scores and probabilities."""

    _staged_decisions: Callable[[Frame], Iterator[Floats]]
    _staged_probabilities: Callable[[Frame], Iterator[Floats]]

    def staged_decision_function(self, X: Any) -> Iterator[Floats]:
        """Yield the decision function of the first 1, 2, ... rounds.

        Parameters
        ----------
        X : table of shape (n_rows, n_columns)
            The rows.

        Yields
        ------
        scores : ndarray of shape (n_rows,) or (n_rows, n_classes)
            As ``decision_function`` gives them after all rounds.
        """
        for scores in self._hook("_staged_decisions", self._prepared(X)):
            yield self._spread_scores(scores)

    def staged_predict_proba(self, X: Any) -> Iterator[Floats]:
        """Yield the class probabilities of the first 1, 2, ... rounds.

        Parameters
        ----------
        X : table of shape (n_rows, n_columns)
            The rows.

        Yields
        ------
        probabilities : ndarray of shape (n_rows, n_classes)
            As ``predict_proba`` gives them after all rounds.
        """
        for probabilities in self._hook("_staged_probabilities", self._prepared(X)):
            yield self._spread(probabilities, 0.0)


class LeavesOutRows(Protocol):
    """An ensemble whose members leave out rows."""

    def _predicts_classes(self) -> bool: ...
    def _errors_so_far(self, X: Any, y: Any, sample_weight: Any) -> Floats: ...
    def _unseen_errors(self, X: Any, y: Any, sample_weight: Any, every_row: bool) -> Floats: ...


# A method of several classes, which a base class for it would make one deeper.
def staged_errors(
    self: LeavesOutRows,
    X: Any,
    y: Any = None,
    sample_weight: Any = None,
    *,
    oob: bool = False,
    unvoted: Literal["skip", "first"] = "skip",
) -> Floats:
    """Give the error of the first 1, 2, ... members together; `hornbook.plots.staged_error` draws it.

    Parameters
    ----------
    X : table of shape (n_rows, n_columns)
        The rows; with ``oob`` those of the fit, in the same order.
    y : array-like of shape (n_rows,), optional
        Their target; a Frame with a target needs none.
    sample_weight : array-like of shape (n_rows,), optional
        Weights of the rows; every row counts once when left out.
    oob : bool, default False
        Whether each row is predicted only by the members that have not seen it.
    unvoted : {"skip", "first"}, default "skip"
        With ``oob``, what happens to rows that all members so far have seen: they are left out, as in
        ``oob_errors_``, or count as predictions of the first class, so that the divisor is all rows.

    Returns
    -------
    errors : ndarray of shape (n_members,)
        Shares of wrong classes, or mean squared errors.
    """
    check_unvoted(unvoted, out_of_bag_classes=oob and self._predicts_classes())
    if oob:
        return self._unseen_errors(X, y, sample_weight, unvoted == "first")
    return self._errors_so_far(X, y, sample_weight)

"""One-vs-one: a member for each pair of classes."""

from __future__ import annotations

from typing import Any, ClassVar, Literal

import numpy as np

from hornbook.base import Classifier, Code, Term, one_vs_one, pair_votes, tie_breakers
from hornbook.multiclass._decomposed import Decomposed
from hornbook.params import Floats

__all__ = ["OneVsOne"]


class OneVsOne(Decomposed, Classifier):
    """One member for each pair of classes, fitted to their rows only; the class with the most votes wins.

    Ties go to the class with the larger sum of scores, as in scikit-learn. There are k (k - 1) / 2 members,
    each fitted to few rows: more to store and to evaluate than with `OneVsRest`, and often easier to learn.
    Every row is in k - 1 pairs, so fitting takes about as long as k - 1 fits to all rows, and grows with
    rows, columns and categories as the member does.

    Parameters
    ----------
    estimator : classifier of Hornbook or scikit-learn, optional
        The binary learner; `LogisticRegression` when left out.

    Attributes
    ----------
    classes_ : ndarray of shape (n_classes,)
        The classes.
    code_ : ndarray of shape (n_classes, n_members)
        +1 and -1 for the pair of the member, 0 for all other classes.
    estimators_ : list of learners
        The members.
    n_features_in_ : int
        Number of columns at fit.
    feature_names_in_ : ndarray of shape (n_features_in_,)
        Their names, if they had any.

    See Also
    --------
    OneVsRest : One member for each class.
    OutputCodes : Members for the columns of an error-correcting code.

    Examples
    --------
    >>> from hornbook import NaiveBayes, OneVsOne, datasets
    >>> glass = datasets.glass()
    >>> model = OneVsOne(NaiveBayes(var_smoothing=0.01)).fit(glass)
    >>> len(model.classes_), len(model.estimators_)
    (6, 15)
    """

    wants: ClassVar[Literal["frame"]] = "frame"
    model_class = "one model of the member for each pair of classes"
    objective = "that of the member, for each pair of classes"
    optimizer = "that of the member"

    def __init__(self, estimator: Any = None) -> None:
        self.estimator = estimator

    def _make_code(self, k: int) -> Code:
        return one_vs_one(k)

    def _joined(self, scores: Floats) -> Floats:
        return pair_votes(self.code_, scores)

    def _terms(self, scores: Floats) -> list[Term]:
        # The winner of a pair gets its vote.
        wins = np.where(scores[:, None] > 0, self.code_.T, -self.code_.T).clip(0)
        terms = [
            Term(f"vote of {name}", row.astype(float).tolist())
            for name, row in zip(self._names(), wins, strict=True)
        ]
        sure = tie_breakers(self.code_, scores)
        return [*terms, Term("sum of the scores, scaled down so that it only breaks ties", sure.tolist())]

"""Stacking of classifiers."""

from __future__ import annotations

from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from hornbook._scikit import available_if
from hornbook.base import Classifier, Term, Working, member_answers, member_label_proba, spread_scores
from hornbook.ensembles.combining._inputs import StackMethod
from hornbook.ensembles.combining._members import Task, kind_of
from hornbook.ensembles.combining._stacking import StackedMembers
from hornbook.frame import Frame
from hornbook.linear import LogisticRegression
from hornbook.params import Floats, Jobs, Seed, Verbose

__all__ = ["StackingClassifier"]


def _combiner_has(method: str) -> Any:
    """Condition under which a hook exists: the combiner has this method."""
    return lambda learner: learner.final_estimator is None or hasattr(learner.final_estimator, method)


class StackingClassifier(StackedMembers, Classifier):
    """A classifier that learns from what several others predict, on rows they have not seen.

    Members may be of any type, of Hornbook or scikit-learn. Unlike in scikit-learn's, classes and columns
    that are passed through reach the combiner as they are: as categories, with their gaps. Named and default
    parameters mean the same. The fit takes as long as one of each member for each fold, and one more.

    Parameters
    ----------
    estimators : list of (str, classifier) pairs
        The members and their names; "drop" in place of a classifier leaves it out.
    final_estimator : classifier, optional
        The combiner; `LogisticRegression` when left out.
    cv : int, float, splitter, iterable, "none" or "prefit", optional
        On what rows members are asked for the combiner to learn from. A number of folds, five when left out:
        every row is predicted by members that have not learned from its fold; those that predict new rows
        learn from all rows. A fraction: so much is held out for the combiner, and members never learn from
        it. "none": members and combiner learn from the same rows, as in the first form of stacking, which
        makes the combiner believe those that remember the rows. "prefit": members are fitted already. A
        splitter or pairs of training and test rows define the folds themselves. Rows that are equal in
        everything share a fold; else the folds are those of scikit-learn.
    stack_method : {"auto", "predict_proba", "decision_function", "predict"}, default "auto"
        What the combiner gets: probabilities, of which one of two is enough, scores, or the predicted
        classes; "auto" is the first of these that a member has.
    passthrough : bool, default False
        Whether the combiner also gets the columns of the table.
    n_jobs : int, optional
        Threads; all available when left out. The result does not depend on it.
    verbose : bool or int, default 0
        Whether to print a line for each round: all rows, then each fold.
    random_state : int, RandomState or None
        Seed of the draws; a fresh one each time when left out.

    Attributes
    ----------
    classes_ : ndarray of shape (n_classes,)
        The classes.
    estimators_ : list of learners
        The members, fitted.
    named_estimators_ : dict
        The same by name.
    final_estimator_ : learner
        The combiner, fitted.
    stack_method_ : list of str
        What each member tells.
    n_features_in_ : int
        Number of columns at fit.
    feature_names_in_ : ndarray of shape (n_features_in_,)
        Their names, if they had any.

    See Also
    --------
    VotingClassifier : Vote of different classifiers.
    StackingRegressor : A combiner learns from what members say, for numbers.

    Examples
    --------
    >>> from hornbook import DecisionTreeClassifier, NaiveBayes, StackingClassifier, datasets
    >>> iris = datasets.iris()
    >>> members = [("bayes", NaiveBayes()), ("tree", DecisionTreeClassifier(max_depth=2))]
    >>> model = StackingClassifier(members).fit(iris)
    >>> model.predict(iris.features[[0, 60, 149]]).tolist()
    ['setosa', 'versicolor', 'virginica']
    """

    task: ClassVar[Task] = "classification"

    def __init__(
        self,
        estimators: list[tuple[str, Any]] | tuple[tuple[str, Any], ...],
        final_estimator: Any = None,
        *,
        cv: Any = None,
        stack_method: StackMethod = "auto",
        passthrough: bool = False,
        n_jobs: Jobs = None,
        verbose: Verbose = 0,
        random_state: Seed = None,
    ) -> None:
        self.estimators = estimators
        self.final_estimator = final_estimator
        self.cv = cv
        self.stack_method = stack_method
        self.passthrough = passthrough
        self.n_jobs = n_jobs
        self.verbose = verbose
        self.random_state = random_state

    def _combiner(self) -> Any:
        return LogisticRegression() if self.final_estimator is None else self.final_estimator

    def _fit(self, frame: Frame, y: NDArray[np.int32], w: Floats | None) -> None:
        self._fit_stack(frame, y, self.classes_[y], w)

    def _predict(self, frame: Frame) -> NDArray[np.intp]:
        answers = member_answers(self.final_estimator_, self._combined_rows(frame))
        return np.searchsorted(self.classes_, answers)

    @available_if(_combiner_has("predict_proba"))
    def _proba(self, frame: Frame) -> Floats:
        return member_label_proba(self.final_estimator_, self._combined_rows(frame), self.classes_)

    @available_if(_combiner_has("decision_function"))
    def _decision(self, frame: Frame) -> Floats:
        final, rows = self.final_estimator_, self._combined_rows(frame)
        if len(self.classes_) == 1 or not hasattr(final, "_decision"):
            # One class: nothing was learned, and its score is 0.
            scores = np.zeros(len(frame))
        else:
            scores = np.asarray(final._decision(rows), dtype=np.float64)  # noqa: SLF001
        return spread_scores(scores, final.classes_, self.classes_)

    def _working(self, row: Frame) -> Working:
        inside = self._inner_working(row)
        if inside is not None:
            return inside
        answer, name = self.classes_[self._predict(row)[0]], kind_of(self.final_estimator_)
        says = (self.classes_ == answer).astype(float)
        if hasattr(self.final_estimator_, "_proba"):
            says = self._proba(row)[0]
        terms = [Term(f"{name} says", says.tolist())]
        return Working(f"The combiner {name}", "sum", self.classes_.tolist(), terms, answer)

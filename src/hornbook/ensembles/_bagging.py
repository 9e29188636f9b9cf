"""Bagging of any learner, for classes and for numbers."""

from __future__ import annotations

from typing import Any

import numpy as np

from hornbook._scikit import available_if
from hornbook.base import Classifier, Regressor
from hornbook.ensembles._out_of_bag import UnseenRows
from hornbook.ensembles.bagging._bagging import Bagging
from hornbook.ensembles.bagging._parameters import MemberVotes
from hornbook.frame import Frame
from hornbook.params import Floats, declared
from hornbook.trees import DecisionTreeClassifier, DecisionTreeRegressor

__all__ = ["BaggingClassifier", "BaggingRegressor"]

_OBJECTIVE = "that of the members, on drawn rows and columns"
_OPTIMIZER = "that of the members"


@declared
class BaggingClassifier(MemberVotes, Bagging, Classifier):
    """Bagging for classes: members of any learner, each on rows drawn for it, that vote.

    A learner whose answers depend much on its rows gets steadier, because members that saw different rows
    make different mistakes (Breiman 1996). Unlike in scikit-learn, members may learn from tables with
    categories and missing cells, may vote, may get disjoint rows, and results do not depend on the number of
    threads. It takes ``n_estimators`` fits of the member, and predictions take as many of its predictions.

    Attributes
    ----------
    classes_ : ndarray of shape (n_classes,)
        The classes.
    oob_decision_function_ : ndarray of shape (n_rows, n_classes)
        Mean probabilities, or shares of votes, without the members that have seen the row; NaN for rows that
        all members have seen.

    See Also
    --------
    RandomForestClassifier : Trees on drawn rows and columns, for classes.
    CrossValidatedCommittee : Members that each leave out one fold.

    Examples
    --------
    >>> from hornbook import BaggingClassifier, datasets
    >>> model = BaggingClassifier(n_estimators=25, oob_score=True, random_state=0).fit(datasets.iris())
    >>> model.predict(datasets.iris()[[0, 149]]).tolist(), round(model.oob_score_, 2)
    (['setosa', 'virginica'], 0.95)
    """

    counts_absent = True
    model_class = "many models of the member, whose probabilities or votes are averaged"
    objective = _OBJECTIVE
    optimizer = _OPTIMIZER

    def _inner(self) -> Any:
        return DecisionTreeClassifier() if self.estimator is None else self.estimator

    def _proba(self, frame: Frame) -> Floats:
        return self._shares(frame)

    @available_if(lambda learner: hasattr(learner.estimator_, "decision_function"))
    def _decision(self, frame: Frame) -> Floats:
        return self._mean_scores(frame)

    def _keep(self, unseen: UnseenRows) -> None:
        super()._keep(unseen)
        self.oob_decision_function_ = unseen.means


@declared
class BaggingRegressor(Bagging, Regressor):
    """Bagging for numbers: the mean of members of any learner, each on rows drawn for it.

    The mean of members that saw different rows varies less than each of them (Breiman 1996). Unlike in
    scikit-learn, members may learn from tables with categories and missing cells, may get disjoint rows, and
    results do not depend on the number of threads. It takes ``n_estimators`` fits of the member.

    Attributes
    ----------
    oob_prediction_ : ndarray of shape (n_rows,)
        Predictions without the members that have seen the row; NaN for rows that all members have seen.

    See Also
    --------
    RandomForestRegressor : Trees on drawn rows and columns, for numbers.
    CrossValidatedCommittee : Members that each leave out one fold.

    Examples
    --------
    >>> from hornbook import BaggingRegressor
    >>> model = BaggingRegressor(n_estimators=50, random_state=0)
    >>> model = model.fit([[1.0], [2.0], [7.0], [8.0]], [1.0, 1.0, 5.0, 5.0])
    >>> model.predict([[1.5], [7.5]]).round().tolist()
    [1.0, 5.0]
    """

    model_class = "many models of the member, whose answers are averaged"
    objective = _OBJECTIVE
    optimizer = _OPTIMIZER

    def _inner(self) -> Any:
        return DecisionTreeRegressor() if self.estimator is None else self.estimator

    def _keep(self, unseen: UnseenRows) -> None:
        super()._keep(unseen)
        self.oob_prediction_ = np.asarray(unseen.means[:, 0])

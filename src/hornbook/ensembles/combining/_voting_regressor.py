"""Averaging: regressors of different types."""

from __future__ import annotations

from typing import Any, ClassVar

import numpy as np
from numpy.typing import ArrayLike, NDArray

from hornbook.base import Description, Regressor, Term, Working
from hornbook.ensembles.combining._description import draw_weights, member_description, members_text
from hornbook.ensembles.combining._members import Task
from hornbook.ensembles.combining._voting import VotingMembers
from hornbook.frame import Frame
from hornbook.params import Floats, Jobs, Verbose

__all__ = ["VotingRegressor"]


class VotingRegressor(VotingMembers, Regressor):
    """The mean of what several regressors predict, or a weighted mean.

    Members may be of any type, of Hornbook or scikit-learn, fitted here or given fitted. Unlike
    scikit-learn's, they learn from tables with categories and missing cells. The fit takes as long as those
    of its members.

    Parameters
    ----------
    estimators : list of (str, regressor) pairs
        The members and their names; "drop" in place of a regressor leaves it out.
    weights : array-like of shape (n_estimators,), optional
        Weights of the members, at least 0, made to sum to 1; all count the same when left out.
    prefit : bool, default False
        Whether the members are fitted already and combined as they are.
    n_jobs : int, optional
        Threads; all available when left out. The result does not depend on it.
    verbose : bool or int, default False
        Whether to print a line for each member.

    Attributes
    ----------
    estimators_ : list of learners
        The members, fitted.
    named_estimators_ : dict
        The same by name.
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
    >>> from hornbook import Baseline, LinearRegression, VotingRegressor
    >>> members = [("mean", Baseline(strategy="mean")), ("line", LinearRegression())]
    >>> model = VotingRegressor(members, weights=[1, 3]).fit([[0.0], [2.0]], [1.0, 5.0])
    >>> model.predict([[4.0]]).round(9).tolist()
    [7.5]
    """

    model_class = "weighted means of one model of each member"
    task: ClassVar[Task] = "regression"

    def __init__(
        self,
        estimators: list[tuple[str, Any]] | tuple[tuple[str, Any], ...],
        *,
        weights: ArrayLike | None = None,
        prefit: bool = False,
        n_jobs: Jobs = None,
        verbose: Verbose = False,
    ) -> None:
        self.estimators = estimators
        self.weights = weights
        self.prefit = prefit
        self.n_jobs = n_jobs
        self.verbose = verbose

    def _fit(self, frame: Frame, y: Floats, w: Floats | None) -> None:
        self._fit_members(frame, y, w)
        self._shares()

    def _transform(self, frame: Frame) -> Floats:
        return np.column_stack(self._answers(frame))

    def _predict(self, frame: Frame) -> Floats:
        return np.asarray(self._transform(frame) @ self._shares())

    def get_feature_names_out(self, input_features: Any = None) -> NDArray[Any]:  # noqa: ARG002 - scikit-learn passes it
        """Name the columns of `transform`: one for each member.

        Parameters
        ----------
        input_features : array-like of str, optional
            Not used; here because scikit-learn passes it.

        Returns
        -------
        names : ndarray of str
            votingregressor_line, ...
        """
        return np.array([f"votingregressor_{name}" for name in self.member_names_], dtype=object)

    def _describe(self) -> Description:
        return member_description(
            "VotingRegressor", {"combined by": "mean"}, self._named(), ["weight"], self._shares().tolist()
        )

    def _working(self, row: Frame) -> Working:
        parts = self._transform(row)[0] * self._shares()
        terms = [
            Term(f"{name} says", [float(part)]) for name, part in zip(self.member_names_, parts, strict=True)
        ]
        title = f"Weighted mean of {members_text(len(parts))}"
        return Working(title, "sum", ["value"], terms, float(self._predict(row)[0]))

    def _plot(self, X: Any, y: Any, ax: Any) -> Any:
        return draw_weights(self, self._shares(), self.member_names_, X, y, ax)

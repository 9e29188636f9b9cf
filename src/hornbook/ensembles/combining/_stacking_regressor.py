"""Stacking of regressors."""

from __future__ import annotations

from typing import Any, ClassVar, Literal

from hornbook.base import Regressor, Term, Working, member_answers
from hornbook.ensembles.combining._members import Task, kind_of
from hornbook.ensembles.combining._stacking import StackedMembers
from hornbook.frame import Frame
from hornbook.linear import Ridge
from hornbook.params import Floats, Jobs, Seed, Verbose

__all__ = ["StackingRegressor"]


class StackingRegressor(StackedMembers, Regressor):
    """A regressor that learns from what several others predict, on rows they have not seen.

    Members may be of any type, of Hornbook or scikit-learn. Unlike in scikit-learn's, columns that are passed
    through reach the combiner as they are, with categories and gaps, and the combiner is `Ridge` where
    scikit-learn chooses among three penalties. The fit takes as long as one of each member for each fold, and
    one more.

    Parameters
    ----------
    estimators : list of (str, regressor) pairs
        The members and their names; "drop" in place of a regressor leaves it out.
    final_estimator : regressor, optional
        The combiner; `Ridge` when left out.
    cv : int, float, splitter, iterable, "none" or "prefit", optional
        On what rows members are asked for the combiner to learn from: a number of folds (five when left out),
        a fraction to hold out, the same rows ("none"), or all rows with members that are fitted already
        ("prefit"); see `StackingClassifier`.
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
    estimators_ : list of learners
        The members, fitted.
    named_estimators_ : dict
        The same by name.
    final_estimator_ : learner
        The combiner, fitted.
    n_features_in_ : int
        Number of columns at fit.
    feature_names_in_ : ndarray of shape (n_features_in_,)
        Their names, if they had any.

    See Also
    --------
    VotingRegressor : Mean of different regressors.
    StackingClassifier : A combiner learns from what members say, for classes.

    Examples
    --------
    >>> from hornbook import DecisionTreeRegressor, LinearRegression, StackingRegressor
    >>> X = [[float(i)] for i in range(20)]
    >>> members = [("line", LinearRegression()), ("tree", DecisionTreeRegressor())]
    >>> model = StackingRegressor(members, LinearRegression()).fit(X, [2 * row[0] for row in X])
    >>> model.predict([[7.5]]).round(3).tolist()
    [15.0]
    """

    task: ClassVar[Task] = "regression"
    stack_method: Literal["predict"] = "predict"  # there is nothing else to tell

    def __init__(
        self,
        estimators: list[tuple[str, Any]] | tuple[tuple[str, Any], ...],
        final_estimator: Any = None,
        *,
        cv: Any = None,
        passthrough: bool = False,
        n_jobs: Jobs = None,
        verbose: Verbose = 0,
        random_state: Seed = None,
    ) -> None:
        self.estimators = estimators
        self.final_estimator = final_estimator
        self.cv = cv
        self.passthrough = passthrough
        self.n_jobs = n_jobs
        self.verbose = verbose
        self.random_state = random_state

    def _combiner(self) -> Any:
        return Ridge() if self.final_estimator is None else self.final_estimator

    def _fit(self, frame: Frame, y: Floats, w: Floats | None) -> None:
        self._fit_stack(frame, y, y, w)

    def _predict(self, frame: Frame) -> Floats:
        return member_answers(self.final_estimator_, self._combined_rows(frame))

    def _working(self, row: Frame) -> Working:
        inside = self._inner_working(row)
        if inside is not None:
            return inside
        value, name = float(self._predict(row)[0]), kind_of(self.final_estimator_)
        return Working(f"The combiner {name}", "sum", ["value"], [Term(f"{name} says", [value])], value)

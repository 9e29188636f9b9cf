"""The parameters of bagging, explained once for classes and numbers."""

from __future__ import annotations

from dataclasses import field
from typing import Annotated, Any, Literal, TypeAlias

from hornbook.ensembles._out_of_bag import Scoring
from hornbook.ensembles.bagging._committee import Ties, Vote
from hornbook.ensembles.bagging._folds import Cv
from hornbook.ensembles.forests._bootstrap import MaxSamples
from hornbook.params import Jobs, NEstimators, Range, Seed, Verbose, parameter_group

__all__ = ["BaggingParameters", "FoldParameters", "MemberVotes"]

MaxColumns: TypeAlias = Annotated[int, Range(low=1)] | Annotated[float, Range(0.0, 1.0, open_low=True)]


@parameter_group
class BaggingParameters:
    """Members and what each learns from.

    Parameters
    ----------
    estimator : learner of Hornbook or scikit-learn, optional
        What the members are; a decision tree when left out. A member that has a ``random_state`` gets one of
        its own: with ``bootstrap=False`` and all rows and columns, members differ by that alone.
    n_estimators : int
        Number of members.
    max_samples : int or float, optional
        Rows drawn for a member; a float is a fraction of the rows of positive weight; as many as these when
        left out.
    max_features : int or float
        Columns drawn for a member; a float is a fraction, rounded down. Below 1.0 this is the random
        subspace method (Ho 1998); forests can draw new columns for every split instead.
    bootstrap : bool or "disjoint"
        Whether rows are drawn with replacement (bagging), or each at most once (pasting). ``"disjoint"`` cuts
        the rows into as many parts as there are members, so that no two see the same row. With replacement,
        weights are sampling weights, of which only the ratios matter, and members need not take weights;
        otherwise they apply inside the members.
    bootstrap_features : bool
        Whether columns are drawn with replacement.
    oob_score : bool or callable
        Whether to evaluate the members on the rows they have not seen: an honest score without held-out data.
        A function of true and predicted values gives ``oob_score_`` in place of accuracy or R2.
    warm_start : bool
        Whether a further fit to the same table keeps the existing members and fits only those missing up to
        ``n_estimators``: the result is the same as if all had been fitted at once.
    n_jobs : int, optional
        Threads; all available when left out. The result does not depend on it.
    random_state : int or RandomState, optional
        Seed of the draws; a fresh one each time when left out.
    verbose : bool or int
        Whether to print a line for each member.
    """

    estimator: Any = field(default=None, kw_only=False)
    n_estimators: NEstimators = field(default=10, kw_only=False)
    max_samples: MaxSamples = None
    max_features: MaxColumns = 1.0
    bootstrap: bool | Literal["disjoint"] = True
    bootstrap_features: bool = False
    oob_score: bool | Scoring = False
    warm_start: bool = False
    n_jobs: Jobs = None
    random_state: Seed = None
    verbose: Verbose = 0


@parameter_group
class FoldParameters:
    """Members of a cross-validation.

    Parameters
    ----------
    estimator : classifier or regressor of Hornbook or scikit-learn
        What the members are; classes are combined by votes or mean probabilities, numbers by the mean.
    cv : int, splitter, or sequence of pairs of training and test rows
        Number of folds, and of members; or `hornbook.evaluation.LeaveOneOut` and the like.
    n_jobs : int, optional
        Threads; all available when left out. The result does not depend on it.
    random_state : int or RandomState, optional
        Seed of the draws; a fresh one each time when left out.
    verbose : bool or int
        Whether to print a line for each fold.
    """

    estimator: Any = field(kw_only=False)
    cv: Cv = 10
    n_jobs: Jobs = None
    random_state: Seed = None
    verbose: Verbose = 0


@parameter_group
class MemberVotes:
    """How members that predict classes answer together.

    Parameters
    ----------
    vote : {"soft", "hard"}
        The probabilities of the members are averaged, as in scikit-learn, or each member gives one vote to
        the class it predicts. Members without probabilities vote in either case.
    ties : {"first", "random", "confidence"}
        Which of the classes with equally many votes wins: the first, a random one (which depends on the cells
        of the row and the seed), or the one whose voters give it the highest probabilities. Out-of-bag errors
        take the first.
    """

    vote: Vote = "soft"
    ties: Ties = "first"

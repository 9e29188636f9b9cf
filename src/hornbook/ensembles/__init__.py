"""Ensembles: many predictors that answer as one.

Forests are trees that differ by the rows, columns and splits they draw; they come from the native grower in
batches and are kept as one set of compact arrays. Bagging, committees and Bayesian voting build members of
any type. AdaBoost reweights rows, and gradient boosting corrects the sum of the trees before. Voting,
stacking and calibration combine given learners; their rules are functions.
"""

from __future__ import annotations

from hornbook.ensembles._bagging import BaggingClassifier, BaggingRegressor
from hornbook.ensembles._bayesian_voting import BayesianVoting
from hornbook.ensembles._cross_validated_committee import CrossValidatedCommittee
from hornbook.ensembles._extra_trees import ExtraTreesClassifier, ExtraTreesRegressor
from hornbook.ensembles._gradient_boosting import GradientBoostingClassifier, GradientBoostingRegressor
from hornbook.ensembles._hist_gradient_boosting import (
    HistGradientBoostingClassifier,
    HistGradientBoostingRegressor,
)
from hornbook.ensembles._random_forest import RandomForestClassifier, RandomForestRegressor
from hornbook.ensembles._totally_random_trees import (
    TotallyRandomTreesClassifier,
    TotallyRandomTreesRegressor,
)
from hornbook.ensembles._variance import VarianceParts, forest_variance, mean_variance, total_variance
from hornbook.ensembles._vote_losses import VoteLosses, vote_losses
from hornbook.ensembles._vote_margins import VoteMargins, vote_margins
from hornbook.ensembles.adaboost._classifier import AdaBoostClassifier
from hornbook.ensembles.adaboost._formulas import error_bounds, reweighted, suggested_size, vote_weight
from hornbook.ensembles.adaboost._regressor import AdaBoostRegressor
from hornbook.ensembles.combining._averages import average, f_mean
from hornbook.ensembles.combining._calibrated import Calibrated
from hornbook.ensembles.combining._probability_rules import (
    borda_count,
    crisp_votes,
    dempster_shafer,
    max_rule,
    median_rule,
    min_rule,
    product_rule,
    sum_rule,
)
from hornbook.ensembles.combining._stacking_classifier import StackingClassifier
from hornbook.ensembles.combining._stacking_regressor import StackingRegressor
from hornbook.ensembles.combining._votes import majority_vote, plurality_vote, sign_vote, votes_needed
from hornbook.ensembles.combining._voting_classifier import VotingClassifier
from hornbook.ensembles.combining._voting_regressor import VotingRegressor
from hornbook.ensembles.forests._fitted_forest import FittedForest
from hornbook.ensembles.forests._importance import Importance

__all__ = [
    "AdaBoostClassifier",
    "AdaBoostRegressor",
    "BaggingClassifier",
    "BaggingRegressor",
    "BayesianVoting",
    "Calibrated",
    "CrossValidatedCommittee",
    "ExtraTreesClassifier",
    "ExtraTreesRegressor",
    "FittedForest",
    "GradientBoostingClassifier",
    "GradientBoostingRegressor",
    "HistGradientBoostingClassifier",
    "HistGradientBoostingRegressor",
    "Importance",
    "RandomForestClassifier",
    "RandomForestRegressor",
    "StackingClassifier",
    "StackingRegressor",
    "TotallyRandomTreesClassifier",
    "TotallyRandomTreesRegressor",
    "VarianceParts",
    "VoteLosses",
    "VoteMargins",
    "VotingClassifier",
    "VotingRegressor",
    "average",
    "borda_count",
    "crisp_votes",
    "dempster_shafer",
    "error_bounds",
    "f_mean",
    "forest_variance",
    "majority_vote",
    "max_rule",
    "mean_variance",
    "median_rule",
    "min_rule",
    "plurality_vote",
    "product_rule",
    "reweighted",
    "sign_vote",
    "suggested_size",
    "sum_rule",
    "total_variance",
    "vote_losses",
    "vote_margins",
    "vote_weight",
    "votes_needed",
]

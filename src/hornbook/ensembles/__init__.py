"""Ensembles: many predictors that answer as one.

Forests are trees that differ by the rows, columns and splits they draw; they come from the native grower in
batches and are kept as one set of compact arrays. Bagging, committees and Bayesian voting build members of
any type. AdaBoost reweights rows, and gradient boosting corrects the sum of the trees before. Voting,
stacking and calibration combine given learners; their rules are functions. `OutlierEnsemble` says which rows
are unusual, by the mean rank of several methods.
"""

from __future__ import annotations

from hornbook._lazy import attach

HOMES = {
    "AdaBoostClassifier": "adaboost._classifier",
    "AdaBoostRegressor": "adaboost._regressor",
    "BaggingClassifier": "_bagging",
    "BaggingRegressor": "_bagging",
    "BayesianVoting": "_bayesian_voting",
    "Calibrated": "combining._calibrated",
    "CrossValidatedCommittee": "_cross_validated_committee",
    "ExtraTreesClassifier": "_extra_trees",
    "ExtraTreesRegressor": "_extra_trees",
    "FittedForest": "forests._fitted_forest",
    "GradientBoostingClassifier": "_gradient_boosting",
    "GradientBoostingRegressor": "_gradient_boosting",
    "HistGradientBoostingClassifier": "_hist_gradient_boosting",
    "HistGradientBoostingRegressor": "_hist_gradient_boosting",
    "Importance": "forests._importance",
    "OutlierEnsemble": "outliers._outlier_ensemble",
    "RandomForestClassifier": "_random_forest",
    "RandomForestRegressor": "_random_forest",
    "StackingClassifier": "combining._stacking_classifier",
    "StackingRegressor": "combining._stacking_regressor",
    "TotallyRandomTreesClassifier": "_totally_random_trees",
    "TotallyRandomTreesRegressor": "_totally_random_trees",
    "VarianceParts": "_variance",
    "VoteLosses": "_vote_losses",
    "VoteMargins": "_vote_margins",
    "VotingClassifier": "combining._voting_classifier",
    "VotingRegressor": "combining._voting_regressor",
    "average": "combining._averages",
    "borda_count": "combining._probability_rules",
    "crisp_votes": "combining._probability_rules",
    "dempster_shafer": "combining._probability_rules",
    "error_bounds": "adaboost._formulas",
    "f_mean": "combining._averages",
    "forest_variance": "_variance",
    "majority_vote": "combining._votes",
    "max_rule": "combining._probability_rules",
    "mean_variance": "_variance",
    "median_rule": "combining._probability_rules",
    "min_rule": "combining._probability_rules",
    "plurality_vote": "combining._votes",
    "product_rule": "combining._probability_rules",
    "reweighted": "adaboost._formulas",
    "sign_vote": "combining._votes",
    "suggested_size": "adaboost._formulas",
    "sum_rule": "combining._probability_rules",
    "total_variance": "_variance",
    "vote_losses": "_vote_losses",
    "vote_margins": "_vote_margins",
    "vote_weight": "adaboost._formulas",
    "votes_needed": "combining._votes",
}

LENT = {
    "fit_temperature": "combining._calibration_maps",
    "tempered": "combining._calibration_maps",
}

__all__ = list(HOMES)
__getattr__, __dir__ = attach(__name__, HOMES, LENT)

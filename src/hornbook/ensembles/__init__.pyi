# Written by scripts/lazy_stubs.py.
from hornbook.ensembles._bagging import BaggingClassifier as BaggingClassifier
from hornbook.ensembles._bagging import BaggingRegressor as BaggingRegressor
from hornbook.ensembles._bayesian_voting import BayesianVoting as BayesianVoting
from hornbook.ensembles._cross_validated_committee import CrossValidatedCommittee as CrossValidatedCommittee
from hornbook.ensembles._extra_trees import ExtraTreesClassifier as ExtraTreesClassifier
from hornbook.ensembles._extra_trees import ExtraTreesRegressor as ExtraTreesRegressor
from hornbook.ensembles._gradient_boosting import GradientBoostingClassifier as GradientBoostingClassifier
from hornbook.ensembles._gradient_boosting import GradientBoostingRegressor as GradientBoostingRegressor
from hornbook.ensembles._hist_gradient_boosting import (
    HistGradientBoostingClassifier as HistGradientBoostingClassifier,
)
from hornbook.ensembles._hist_gradient_boosting import (
    HistGradientBoostingRegressor as HistGradientBoostingRegressor,
)
from hornbook.ensembles._random_forest import RandomForestClassifier as RandomForestClassifier
from hornbook.ensembles._random_forest import RandomForestRegressor as RandomForestRegressor
from hornbook.ensembles._totally_random_trees import (
    TotallyRandomTreesClassifier as TotallyRandomTreesClassifier,
)
from hornbook.ensembles._totally_random_trees import (
    TotallyRandomTreesRegressor as TotallyRandomTreesRegressor,
)
from hornbook.ensembles._variance import VarianceParts as VarianceParts
from hornbook.ensembles._variance import forest_variance as forest_variance
from hornbook.ensembles._variance import mean_variance as mean_variance
from hornbook.ensembles._variance import total_variance as total_variance
from hornbook.ensembles._vote_losses import VoteLosses as VoteLosses
from hornbook.ensembles._vote_losses import vote_losses as vote_losses
from hornbook.ensembles._vote_margins import VoteMargins as VoteMargins
from hornbook.ensembles._vote_margins import vote_margins as vote_margins
from hornbook.ensembles.adaboost._classifier import AdaBoostClassifier as AdaBoostClassifier
from hornbook.ensembles.adaboost._formulas import error_bounds as error_bounds
from hornbook.ensembles.adaboost._formulas import reweighted as reweighted
from hornbook.ensembles.adaboost._formulas import suggested_size as suggested_size
from hornbook.ensembles.adaboost._formulas import vote_weight as vote_weight
from hornbook.ensembles.adaboost._regressor import AdaBoostRegressor as AdaBoostRegressor
from hornbook.ensembles.combining._averages import average as average
from hornbook.ensembles.combining._averages import f_mean as f_mean
from hornbook.ensembles.combining._calibrated import Calibrated as Calibrated
from hornbook.ensembles.combining._calibration_maps import fit_temperature as fit_temperature
from hornbook.ensembles.combining._calibration_maps import tempered as tempered
from hornbook.ensembles.combining._probability_rules import borda_count as borda_count
from hornbook.ensembles.combining._probability_rules import crisp_votes as crisp_votes
from hornbook.ensembles.combining._probability_rules import dempster_shafer as dempster_shafer
from hornbook.ensembles.combining._probability_rules import max_rule as max_rule
from hornbook.ensembles.combining._probability_rules import median_rule as median_rule
from hornbook.ensembles.combining._probability_rules import min_rule as min_rule
from hornbook.ensembles.combining._probability_rules import product_rule as product_rule
from hornbook.ensembles.combining._probability_rules import sum_rule as sum_rule
from hornbook.ensembles.combining._stacking_classifier import StackingClassifier as StackingClassifier
from hornbook.ensembles.combining._stacking_regressor import StackingRegressor as StackingRegressor
from hornbook.ensembles.combining._votes import majority_vote as majority_vote
from hornbook.ensembles.combining._votes import plurality_vote as plurality_vote
from hornbook.ensembles.combining._votes import sign_vote as sign_vote
from hornbook.ensembles.combining._votes import votes_needed as votes_needed
from hornbook.ensembles.combining._voting_classifier import VotingClassifier as VotingClassifier
from hornbook.ensembles.combining._voting_regressor import VotingRegressor as VotingRegressor
from hornbook.ensembles.forests._fitted_forest import FittedForest as FittedForest
from hornbook.ensembles.forests._importance import Importance as Importance
from hornbook.ensembles.outliers._outlier_ensemble import OutlierEnsemble as OutlierEnsemble

HOMES: dict[str, str]
LENT: dict[str, str]

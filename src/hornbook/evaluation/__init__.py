"""How good is a learner, and is it better than another.

Splits, measures, curves, intervals, tests and the verdict. Nothing here imports a learner: learners are
cloned, fitted and asked by their public methods.
"""

from __future__ import annotations

from hornbook.evaluation._accuracy import accuracy, error_rate
from hornbook.evaluation._bayes_tests import BayesianComparison, bayesian_comparison
from hornbook.evaluation._bootstrap import Bootstrap, inclusion_probability
from hornbook.evaluation._confusion import ConfusionTable, confusion_table
from hornbook.evaluation._intervals import Interval, mean_interval, proportion_interval
from hornbook.evaluation._measure import Measure, measure, measure_by_name, measures
from hornbook.evaluation._multiple import Adjusted, holm
from hornbook.evaluation._null import NullDistribution
from hornbook.evaluation._number_measures import mae, mse, r2, rmse
from hornbook.evaluation._probability_measures import brier_score, log_loss
from hornbook.evaluation._ranking import auc
from hornbook.evaluation._rows import take_rows
from hornbook.evaluation._scorer import Scorer, scorer
from hornbook.evaluation._splits import KFold, LeaveOneOut, RepeatedKFold, SmallFoldWarning
from hornbook.evaluation._splits_groups import GroupKFold, StratifiedGroupKFold
from hornbook.evaluation._splits_holdout import HoldOut, ThreeWaySplit, three_way_split
from hornbook.evaluation._splits_stratified import RepeatedStratifiedKFold, StratifiedKFold
from hornbook.evaluation._splits_time import TimeSeriesSplit
from hornbook.evaluation._t_tests import corrected_t, paired_t
from hornbook.evaluation._test_result import TestResult

__all__ = [
    "Adjusted",
    "BayesianComparison",
    "Bootstrap",
    "ConfusionTable",
    "GroupKFold",
    "HoldOut",
    "Interval",
    "KFold",
    "LeaveOneOut",
    "Measure",
    "NullDistribution",
    "RepeatedKFold",
    "RepeatedStratifiedKFold",
    "Scorer",
    "SmallFoldWarning",
    "StratifiedGroupKFold",
    "StratifiedKFold",
    "TestResult",
    "ThreeWaySplit",
    "TimeSeriesSplit",
    "accuracy",
    "auc",
    "bayesian_comparison",
    "brier_score",
    "confusion_table",
    "corrected_t",
    "error_rate",
    "holm",
    "inclusion_probability",
    "log_loss",
    "mae",
    "mean_interval",
    "measure",
    "measure_by_name",
    "measures",
    "mse",
    "paired_t",
    "proportion_interval",
    "r2",
    "rmse",
    "scorer",
    "take_rows",
    "three_way_split",
]

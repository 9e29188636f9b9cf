"""How good a learner is, and whether it is better than another.

Splits, measures, curves, intervals, tests and the verdict. Nothing here imports a learner: learners are
cloned and used through their public methods.
"""

from __future__ import annotations

from hornbook.evaluation.clusterings._cluster_profile import ClusterProfile, ClusterTrait, cluster_profile
from hornbook.evaluation.clusterings._compare_clusterings import compare_clusterings
from hornbook.evaluation.clusterings._compare_clusterings import stability_scores as stability_scores
from hornbook.evaluation.clusterings._count_curve import ClusterCountCurve, cluster_count_curve
from hornbook.evaluation.clusterings._count_curve import curve_of_splits as curve_of_splits
from hornbook.evaluation.clusterings._gap import GapStatistic, gap_statistic
from hornbook.evaluation.clusterings._halves import agreement_of as agreement_of
from hornbook.evaluation.clusterings._halves import half_splits as half_splits
from hornbook.evaluation.clusterings._halves import labelings as labelings
from hornbook.evaluation.clusterings._recovery import cluster_recovery as cluster_recovery
from hornbook.evaluation.clusterings._reference_tables import reference_table as reference_table
from hornbook.evaluation.clusterings._stability import ClusterStability, cluster_stability
from hornbook.evaluation.clusterings._structure import ClusterStructure, cluster_structure
from hornbook.evaluation.clusterings._structure import mean_agreements as mean_agreements
from hornbook.evaluation.clusterings._structure import reference_kinds as reference_kinds
from hornbook.evaluation.clusters._cluster_geometry import (
    centroid_distances,
    cluster_diameters,
    cluster_separations,
    davies_bouldin,
    dunn,
    mean_cluster_distances,
)
from hornbook.evaluation.clusters._fuzzy_validity import partition_coefficient, partition_entropy, xie_beni
from hornbook.evaluation.clusters._information import (
    adjusted_mutual_information,
    completeness,
    homogeneity,
    mutual_information,
    normalized_mutual_information,
    v_measure,
)
from hornbook.evaluation.clusters._pair_counts import (
    PairCounts,
    adjusted_rand,
    fowlkes_mallows,
    jaccard,
    pair_counts,
    rand,
)
from hornbook.evaluation.clusters._partition import Partition
from hornbook.evaluation.clusters._scatter import ClusterScatter, calinski_harabasz, scatter_matrices
from hornbook.evaluation.clusters._silhouette import silhouette, silhouette_rows
from hornbook.evaluation.comparison._compare import compare
from hornbook.evaluation.comparison._compare_files import compare_predictions, compare_runs
from hornbook.evaluation.comparison._model_size import stored_numbers as stored_numbers
from hornbook.evaluation.comparison._score_files import read_scores, write_scores
from hornbook.evaluation.comparison._scores import OutOfFold, Scores
from hornbook.evaluation.comparison._selection_bias import corrected_for_choice
from hornbook.evaluation.comparison._standing import Standing
from hornbook.evaluation.comparison._verdict import Verdict
from hornbook.evaluation.curves._auc import auc, auc_interval
from hornbook.evaluation.curves._calibration import CalibrationCurve, calibration_curve, calibration_error
from hornbook.evaluation.curves._cost_curve import CostCurve, cost_curve, probability_cost
from hornbook.evaluation.curves._curve_comparison import CurveComparison, pr_comparison, roc_comparison
from hornbook.evaluation.curves._fold_average import AveragedCurve, average_curves
from hornbook.evaluation.curves._learning_curve import LearningCurve, learning_curve
from hornbook.evaluation.curves._precision_recall import (
    PrecisionRecallCurve,
    break_even_point,
    pr_area,
    pr_curve,
)
from hornbook.evaluation.curves._roc import RocCurve, roc_curve
from hornbook.evaluation.curves._validation_curve import ValidationCurve, validation_curve
from hornbook.evaluation.decomposition._bias_variance import bias_variance
from hornbook.evaluation.decomposition._curve import BiasVarianceCurve, bias_variance_curve
from hornbook.evaluation.decomposition._error_sources import ErrorSources, error_sources
from hornbook.evaluation.decomposition._fit_diagnosis import FitDiagnosis, fit_diagnosis
from hornbook.evaluation.decomposition._parts import BiasVariance
from hornbook.evaluation.decomposition._risk import (
    OptimalRule,
    expected_loss,
    expected_risk,
    optimal_rule,
    squared_loss,
    zero_one_loss,
)
from hornbook.evaluation.decomposition._vote_error import hoeffding_bound, vote_error
from hornbook.evaluation.diversity._kappa_error import KappaError, kappa_error
from hornbook.evaluation.diversity._overlap import error_correlation, region_overlap
from hornbook.evaluation.effects._contributions import Contributions
from hornbook.evaluation.effects._partial_dependence import PartialDependence, partial_dependence
from hornbook.evaluation.folds._bootstrap_estimate import BootstrapEstimate, bootstrap_estimate
from hornbook.evaluation.folds._dataset import Clock as Clock
from hornbook.evaluation.folds._dataset import Dataset as Dataset
from hornbook.evaluation.folds._failure import failure as failure
from hornbook.evaluation.folds._predictions import Predictions
from hornbook.evaluation.folds._predictions import answers_of as answers_of
from hornbook.evaluation.folds._predictions import can_answer as can_answer
from hornbook.evaluation.folds._predictions import score_of as score_of
from hornbook.evaluation.folds._scorer import Scorer, scorer
from hornbook.evaluation.folds._target import Target
from hornbook.evaluation.intervals._bootstrap_interval import bootstrap_interval
from hornbook.evaluation.intervals._cross_validation_summary import (
    CrossValidationSummary,
    cross_validation_summary,
)
from hornbook.evaluation.intervals._interval import Interval, mean_interval, proportion_interval
from hornbook.evaluation.metrics._accuracy import accuracy, error_rate
from hornbook.evaluation.metrics._agreement import balanced_accuracy, kappa, matthews
from hornbook.evaluation.metrics._class_measures import (
    false_negative_rate,
    false_positive_rate,
    negative_precision,
    precision,
    recall,
    specificity,
)
from hornbook.evaluation.metrics._confusion import ConfusionTable, confusion_table
from hornbook.evaluation.metrics._costs import cost_risk
from hornbook.evaluation.metrics._defaults import default_equivalence as default_equivalence
from hornbook.evaluation.metrics._defaults import default_measure as default_measure
from hornbook.evaluation.metrics._defaults import measures_beside as measures_beside
from hornbook.evaluation.metrics._defaults import usual_measures as usual_measures
from hornbook.evaluation.metrics._f_measure import f_measure
from hornbook.evaluation.metrics._measure import RowMean, measure, measure_by_name, measures
from hornbook.evaluation.metrics._measure import suggest_measure as suggest_measure
from hornbook.evaluation.metrics._number_measures import mae, mse, r2, rmse
from hornbook.evaluation.metrics._positive import PositiveMeasure as PositiveMeasure
from hornbook.evaluation.metrics._positive import choose_positive as choose_positive
from hornbook.evaluation.metrics._positive import for_positive as for_positive
from hornbook.evaluation.metrics._probability_measures import brier_score, log_loss
from hornbook.evaluation.metrics._ranking import ranking_loss
from hornbook.evaluation.metrics._threshold import classify
from hornbook.evaluation.significance._bayes_tests import BayesianComparison, bayesian_comparison
from hornbook.evaluation.significance._five_by_two import five_by_two
from hornbook.evaluation.significance._friedman import Nemenyi, friedman, nemenyi
from hornbook.evaluation.significance._friedman import rank_groups as rank_groups
from hornbook.evaluation.significance._multiple_testing import Adjusted, holm
from hornbook.evaluation.significance._null_distribution import NullDistribution
from hornbook.evaluation.significance._permutation import permutation_test, surrogate_test
from hornbook.evaluation.significance._proportion_tests import mcnemar, sign_test
from hornbook.evaluation.significance._rank_tests import wilcoxon
from hornbook.evaluation.significance._t_tests import corrected_t, paired_t
from hornbook.evaluation.significance._test_result import TestResult
from hornbook.evaluation.significance._z_test import z_test
from hornbook.evaluation.splits._bootstrap import Bootstrap, bootstrap_sample_count, inclusion_probability
from hornbook.evaluation.splits._groups import GroupKFold, StratifiedGroupKFold
from hornbook.evaluation.splits._holdout import HoldOut, ThreeWaySplit, three_way_split
from hornbook.evaluation.splits._holdout import part_numbers as part_numbers
from hornbook.evaluation.splits._kfold import KFold, LeaveOneOut, RepeatedKFold, SmallFoldWarning
from hornbook.evaluation.splits._kfold import Splitter as Splitter
from hornbook.evaluation.splits._nested import NestedCV, NestedSplit
from hornbook.evaluation.splits._stratified import RepeatedStratifiedKFold, StratifiedKFold
from hornbook.evaluation.splits._stratified import dealt_by_stratum as dealt_by_stratum
from hornbook.evaluation.splits._time_series import TimeSeriesSplit
from hornbook.evaluation.tuning._result import Trials, TuningResult
from hornbook.evaluation.tuning._search import grid_search, random_search
from hornbook.evaluation.tuning._select import ValidationChoice, select_by_validation

__all__ = [
    "Adjusted",
    "AveragedCurve",
    "BayesianComparison",
    "BiasVariance",
    "BiasVarianceCurve",
    "Bootstrap",
    "BootstrapEstimate",
    "CalibrationCurve",
    "ClusterCountCurve",
    "ClusterProfile",
    "ClusterScatter",
    "ClusterStability",
    "ClusterStructure",
    "ClusterTrait",
    "ConfusionTable",
    "Contributions",
    "CostCurve",
    "CrossValidationSummary",
    "CurveComparison",
    "ErrorSources",
    "FitDiagnosis",
    "GapStatistic",
    "GroupKFold",
    "HoldOut",
    "Interval",
    "KFold",
    "KappaError",
    "LearningCurve",
    "LeaveOneOut",
    "Nemenyi",
    "NestedCV",
    "NestedSplit",
    "NullDistribution",
    "OptimalRule",
    "OutOfFold",
    "PairCounts",
    "PartialDependence",
    "Partition",
    "PrecisionRecallCurve",
    "Predictions",
    "RepeatedKFold",
    "RepeatedStratifiedKFold",
    "RocCurve",
    "RowMean",
    "Scorer",
    "Scores",
    "SmallFoldWarning",
    "Standing",
    "StratifiedGroupKFold",
    "StratifiedKFold",
    "Target",
    "TestResult",
    "ThreeWaySplit",
    "TimeSeriesSplit",
    "Trials",
    "TuningResult",
    "ValidationChoice",
    "ValidationCurve",
    "Verdict",
    "accuracy",
    "adjusted_mutual_information",
    "adjusted_rand",
    "auc",
    "auc_interval",
    "average_curves",
    "balanced_accuracy",
    "bayesian_comparison",
    "bias_variance",
    "bias_variance_curve",
    "bootstrap_estimate",
    "bootstrap_interval",
    "bootstrap_sample_count",
    "break_even_point",
    "brier_score",
    "calibration_curve",
    "calibration_error",
    "calinski_harabasz",
    "centroid_distances",
    "classify",
    "cluster_count_curve",
    "cluster_diameters",
    "cluster_profile",
    "cluster_separations",
    "cluster_stability",
    "cluster_structure",
    "compare",
    "compare_clusterings",
    "compare_predictions",
    "compare_runs",
    "completeness",
    "confusion_table",
    "corrected_for_choice",
    "corrected_t",
    "cost_curve",
    "cost_risk",
    "cross_validation_summary",
    "davies_bouldin",
    "dunn",
    "error_correlation",
    "error_rate",
    "error_sources",
    "expected_loss",
    "expected_risk",
    "f_measure",
    "false_negative_rate",
    "false_positive_rate",
    "fit_diagnosis",
    "five_by_two",
    "fowlkes_mallows",
    "friedman",
    "gap_statistic",
    "grid_search",
    "hoeffding_bound",
    "holm",
    "homogeneity",
    "inclusion_probability",
    "jaccard",
    "kappa",
    "kappa_error",
    "learning_curve",
    "log_loss",
    "mae",
    "matthews",
    "mcnemar",
    "mean_cluster_distances",
    "mean_interval",
    "measure",
    "measure_by_name",
    "measures",
    "mse",
    "mutual_information",
    "negative_precision",
    "nemenyi",
    "normalized_mutual_information",
    "optimal_rule",
    "pair_counts",
    "paired_t",
    "partial_dependence",
    "partition_coefficient",
    "partition_entropy",
    "permutation_test",
    "pr_area",
    "pr_comparison",
    "pr_curve",
    "precision",
    "probability_cost",
    "proportion_interval",
    "r2",
    "rand",
    "random_search",
    "ranking_loss",
    "read_scores",
    "recall",
    "region_overlap",
    "rmse",
    "roc_comparison",
    "roc_curve",
    "scatter_matrices",
    "scorer",
    "select_by_validation",
    "sign_test",
    "silhouette",
    "silhouette_rows",
    "specificity",
    "squared_loss",
    "surrogate_test",
    "three_way_split",
    "v_measure",
    "validation_curve",
    "vote_error",
    "wilcoxon",
    "write_scores",
    "xie_beni",
    "z_test",
    "zero_one_loss",
]

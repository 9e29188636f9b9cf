"""The one skeleton of all learners.

`Learner` checks and converts what the user passes and calls the learner's hooks; `Classifier`, `Regressor`,
`Clusterer`, `OutlierDetector` and `Transformer` say what the answer is, and `Predictor` what classifiers and
regressors share. `Description`, `Working` and `Table` are what fitted models return when asked about
themselves. `Baseline`, `Encoder` and `Scaled` are learners every study needs. A learner around others (an
ensemble, one against the rest) prepares its rows once with `prepare` and asks fitted members with
`member_answers`, `member_proba` and `member_scores`. `one_vs_one`, `one_vs_rest` and `binary_problem` cut
many classes into binary problems, `pair_votes`, `normalized` and `coupled` put the answers together, and a
`PlattSigmoid` turns scores into probabilities.
"""

from __future__ import annotations

from hornbook._lazy import attach

HOMES = {
    "Accepts": "intake._accepts",
    "Baseline": "_baseline",
    "Classifier": "_classifier",
    "Clusterer": "_clusterer",
    "Code": "binary_problems._codes",
    "Description": "hornbook.display",
    "Encoder": "_encoder",
    "Learner": "_learner",
    "OutlierDetector": "_outlier_detector",
    "PlattSigmoid": "binary_problems._sigmoid",
    "Predictor": "_predictor",
    "Prepared": "_members",
    "Regressor": "_regressor",
    "Scaled": "_scaled",
    "Table": "hornbook.display",
    "Term": "_working",
    "Transformer": "_transformer",
    "Working": "_working",
    "binary_problem": "binary_problems._codes",
    "coupled": "binary_problems._combination",
    "member_answers": "_members",
    "member_proba": "_members",
    "member_rows": "_members",
    "member_scores": "_members",
    "normalized": "binary_problems._combination",
    "one_vs_one": "binary_problems._codes",
    "one_vs_rest": "binary_problems._codes",
    "pair_votes": "binary_problems._combination",
    "pair_wins": "binary_problems._combination",
    "prepare": "_members",
}

# Lent to other packages, not for users.
LENT = {
    "ClassWeight": "targets._class_weight",
    "ClassWeightByTarget": "targets._class_weight",
    "DensityMixin": "_row_scores",
    "KernelColumns": "_kernel_columns",
    "NamedMembers": "_named_members",
    "adopted": "_foreign",
    "answers_of_targets": "targets._several_targets",
    "class_codes": "_row_plots",
    "class_counts": "targets._several_targets",
    "class_weights": "targets._class_weight",
    "classes_of_targets": "targets._several_targets",
    "codes_of_targets": "targets._several_targets",
    "columns_by_target": "targets._several_targets",
    "draw_beside_rows": "_row_plots",
    "draw_outcomes": "_row_plots",
    "draw_outlier_scores": "_row_plots",
    "evenly_by_target": "targets._several_targets",
    "in_plane": "_row_plots",
    "learn_targets": "targets._several_targets",
    "member_label_proba": "_members",
    "member_variants": "_members",
    "on_line": "_row_plots",
    "one_row": "intake._one_row",
    "predict_log_proba": "targets._several_targets",
    "predict_proba": "targets._several_targets",
    "refuse_infinite": "intake._checks",
    "sparse_container": "intake._sparse",
    "spread_scores": "_predictor",
    "tags_of_targets": "targets._several_targets",
    "tie_breakers": "binary_problems._combination",
}

__all__ = list(HOMES)
__getattr__, __dir__ = attach(__name__, HOMES, LENT)

"""Decision trees: questions about columns, one after the other, until the answer is clear.

One native grower makes them all: numbers are cut between their distinct values, categories into sets or one
branch each, and missing values are followed natively. A fitted tree is ``nodes_``, parallel arrays that can
be read, drawn, written as rules and explained row by row.
"""

from __future__ import annotations

from hornbook._lazy import attach

HOMES = {
    "DecisionStump": "_stump",
    "DecisionTreeClassifier": "_decision_tree",
    "DecisionTreeRegressor": "_decision_tree",
    "FittedTree": "_fitted",
    "ObliqueTree": "_oblique_grow",
    "ObliqueTreeClassifier": "_oblique",
    "ObliqueTreeRegressor": "_oblique",
    "PruningPath": "pruning._complexity",
    "Rule": "explain._rule_list",
    "Rules": "explain._rules",
}

# Lent to other packages, not for users.
LENT = {
    "LEAF": "_fitted",
    "MULTIWAY": "_fitted",
    "THRESHOLD": "_fitted",
    "BlockGrower": "binned._block_grower",
    "Categorical": "_parameters",
    "CategorySplits": "_parameters",
    "ClassLabels": "explain._questions",
    "ClassCriteria": "_parameters",
    "ClassLeaves": "_parameters",
    "ClassTarget": "_targets",
    "CodedBlocks": "binned._coded_blocks",
    "CodedTarget": "binned._fit_blocks",
    "CostComplexity": "pruning._parameters",
    "FixedPoint": "binned._fixed_point",
    "GradientTarget": "_targets",
    "Grower": "_grower",
    "GrowerSettings": "_settings",
    "LeafLimits": "_parameters",
    "MaxFeatures": "_parameters",
    "MissingValues": "_parameters",
    "Monotonicity": "_parameters",
    "NotNegative": "_parameters",
    "NumberCriteria": "_parameters",
    "NumberTarget": "_targets",
    "RandomSplits": "_parameters",
    "SampleSize": "_settings",
    "SeveralTarget": "_several",
    "SplitLimits": "_parameters",
    "StumpGrower": "_stump_grower",
    "Subspace": "_parameters",
    "Thresholds": "_parameters",
    "TreeSample": "binned._block_grower",
    "TreeWork": "_parameters",
    "WeightedTrees": "explain._contributions",
    "as_categorical": "_grower",
    "class_factors": "_targets",
    "class_mass": "binned._row_weights",
    "class_probabilities": "_fitted",
    "code_blocks": "binned._coded_blocks",
    "columns_with_gaps": "binned._bins",
    "contributions": "explain._contributions",
    "directions_of": "_monotone",
    "feature_count": "_settings",
    "fixed_point": "binned._fixed_point",
    "impurity_importance": "explain._importance",
    "in_memory": "binned._row_weights",
    "mean_weight": "binned._row_weights",
    "path_matrix": "explain._decision_path",
    "prune_to": "pruning._complexity",
    "refuse_weights": "binned._row_weights",
    "require_categories": "_grower",
    "require_trees": "_verify",
    "settings_of": "_settings",
    "several_factors": "_several",
    "target_of": "_targets",
    "unit_below": "binned._fixed_point",
    "warn_of_friedman": "_settings",
    "weighted": "_targets",
    "with_contributions": "explain._contributions",
}

__all__ = list(HOMES)
__getattr__, __dir__ = attach(__name__, HOMES, LENT)

"""Decision trees: questions about columns, one after the other, until the answer is clear.

One native grower makes them all: numbers are cut between their distinct values, categories into sets or one
branch each, and missing values are followed natively. A fitted tree is ``tree_``, parallel arrays that can
be read, drawn, written as rules and explained row by row.
"""

from __future__ import annotations

from hornbook.trees._complexity import PruningPath, prune_to
from hornbook.trees._decision_tree import DecisionTreeClassifier, DecisionTreeRegressor
from hornbook.trees._fitted import LEAF, MULTIWAY, THRESHOLD, FittedTree, places
from hornbook.trees._grower import Grower, as_categorical, require_categories
from hornbook.trees._oblique import ObliqueTreeClassifier, ObliqueTreeRegressor
from hornbook.trees._oblique_grow import ObliqueTree
from hornbook.trees._parameters import (
    Categorical,
    CategorySplits,
    ClassCriteria,
    ClassLeaves,
    CostComplexity,
    LeafLimits,
    MaxFeatures,
    MissingValues,
    NotNegative,
    NumberCriteria,
    RandomSplits,
    SplitLimits,
    Subspace,
    Thresholds,
    TreeWork,
)
from hornbook.trees._settings import GrowerSettings, SampleSize, settings_of
from hornbook.trees._stump import DecisionStump
from hornbook.trees._targets import (
    ClassTarget,
    GradientTarget,
    NumberTarget,
    class_factors,
    target_of,
    weighted,
)
from hornbook.trees._verify import require_trees
from hornbook.trees.binned._block_grower import BlockGrower, TreeSample
from hornbook.trees.binned._coded_blocks import code_blocks
from hornbook.trees.binned._fit_blocks import CodedTarget
from hornbook.trees.binned._fixed_point import FixedPoint, fixed_point, unit_below
from hornbook.trees.binned._row_weights import class_mass, in_memory, mean_weight
from hornbook.trees.explain._importance import impurity_importance
from hornbook.trees.explain._rule_list import Rule
from hornbook.trees.explain._rules import Rules

__all__ = [
    "LEAF",
    "MULTIWAY",
    "THRESHOLD",
    "BlockGrower",
    "Categorical",
    "CategorySplits",
    "ClassCriteria",
    "ClassLeaves",
    "ClassTarget",
    "CodedTarget",
    "CostComplexity",
    "DecisionStump",
    "DecisionTreeClassifier",
    "DecisionTreeRegressor",
    "FittedTree",
    "FixedPoint",
    "GradientTarget",
    "Grower",
    "GrowerSettings",
    "LeafLimits",
    "MaxFeatures",
    "MissingValues",
    "NotNegative",
    "NumberCriteria",
    "NumberTarget",
    "ObliqueTree",
    "ObliqueTreeClassifier",
    "ObliqueTreeRegressor",
    "PruningPath",
    "RandomSplits",
    "Rule",
    "Rules",
    "SampleSize",
    "SplitLimits",
    "Subspace",
    "Thresholds",
    "TreeSample",
    "TreeWork",
    "as_categorical",
    "class_factors",
    "class_mass",
    "code_blocks",
    "fixed_point",
    "impurity_importance",
    "in_memory",
    "mean_weight",
    "places",
    "prune_to",
    "require_categories",
    "require_trees",
    "settings_of",
    "target_of",
    "unit_below",
    "weighted",
]

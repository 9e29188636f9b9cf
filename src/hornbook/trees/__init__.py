"""Decision trees: questions about columns, one after the other, until the answer is clear.

One native grower makes them all: numbers are cut between their distinct values, categories into sets or one
branch each, and missing values are followed natively. A fitted tree is ``tree_``, parallel arrays that can
be read, drawn, written as rules and explained row by row.
"""

from __future__ import annotations

from hornbook.trees._complexity import PruningPath
from hornbook.trees._complexity import prune_to as prune_to
from hornbook.trees._decision_tree import DecisionTreeClassifier, DecisionTreeRegressor
from hornbook.trees._fitted import LEAF as LEAF
from hornbook.trees._fitted import MULTIWAY as MULTIWAY
from hornbook.trees._fitted import THRESHOLD as THRESHOLD
from hornbook.trees._fitted import FittedTree
from hornbook.trees._fitted import class_probabilities as class_probabilities
from hornbook.trees._grower import Grower as Grower
from hornbook.trees._grower import as_categorical as as_categorical
from hornbook.trees._grower import require_categories as require_categories
from hornbook.trees._oblique import ObliqueTreeClassifier, ObliqueTreeRegressor
from hornbook.trees._oblique_grow import ObliqueTree
from hornbook.trees._parameters import Categorical as Categorical
from hornbook.trees._parameters import CategorySplits as CategorySplits
from hornbook.trees._parameters import ClassCriteria as ClassCriteria
from hornbook.trees._parameters import ClassLeaves as ClassLeaves
from hornbook.trees._parameters import CostComplexity as CostComplexity
from hornbook.trees._parameters import LeafLimits as LeafLimits
from hornbook.trees._parameters import MaxFeatures as MaxFeatures
from hornbook.trees._parameters import MissingValues as MissingValues
from hornbook.trees._parameters import NotNegative as NotNegative
from hornbook.trees._parameters import NumberCriteria as NumberCriteria
from hornbook.trees._parameters import RandomSplits as RandomSplits
from hornbook.trees._parameters import SplitLimits as SplitLimits
from hornbook.trees._parameters import Subspace as Subspace
from hornbook.trees._parameters import Thresholds as Thresholds
from hornbook.trees._parameters import TreeWork as TreeWork
from hornbook.trees._settings import GrowerSettings as GrowerSettings
from hornbook.trees._settings import SampleSize as SampleSize
from hornbook.trees._settings import settings_of as settings_of
from hornbook.trees._stump import DecisionStump
from hornbook.trees._stump_grower import StumpGrower as StumpGrower
from hornbook.trees._targets import ClassTarget as ClassTarget
from hornbook.trees._targets import GradientTarget as GradientTarget
from hornbook.trees._targets import NumberTarget as NumberTarget
from hornbook.trees._targets import class_factors as class_factors
from hornbook.trees._targets import target_of as target_of
from hornbook.trees._targets import weighted as weighted
from hornbook.trees._verify import require_trees as require_trees
from hornbook.trees.binned._bins import columns_with_gaps as columns_with_gaps
from hornbook.trees.binned._block_grower import BlockGrower as BlockGrower
from hornbook.trees.binned._block_grower import TreeSample as TreeSample
from hornbook.trees.binned._coded_blocks import CodedBlocks as CodedBlocks
from hornbook.trees.binned._coded_blocks import code_blocks as code_blocks
from hornbook.trees.binned._fit_blocks import CodedTarget as CodedTarget
from hornbook.trees.binned._fixed_point import FixedPoint as FixedPoint
from hornbook.trees.binned._fixed_point import fixed_point as fixed_point
from hornbook.trees.binned._fixed_point import unit_below as unit_below
from hornbook.trees.binned._row_weights import class_mass as class_mass
from hornbook.trees.binned._row_weights import in_memory as in_memory
from hornbook.trees.binned._row_weights import mean_weight as mean_weight
from hornbook.trees.binned._row_weights import refuse_weights as refuse_weights
from hornbook.trees.explain._contributions import WeightedTrees as WeightedTrees
from hornbook.trees.explain._contributions import contributions as contributions
from hornbook.trees.explain._contributions import with_contributions as with_contributions
from hornbook.trees.explain._importance import impurity_importance as impurity_importance
from hornbook.trees.explain._rule_list import Rule
from hornbook.trees.explain._rules import Rules

__all__ = [
    "DecisionStump",
    "DecisionTreeClassifier",
    "DecisionTreeRegressor",
    "FittedTree",
    "ObliqueTree",
    "ObliqueTreeClassifier",
    "ObliqueTreeRegressor",
    "PruningPath",
    "Rule",
    "Rules",
]

"""Decision trees: questions about columns, one after the other, until the answer is clear.

One native grower makes them all: numbers are cut between their distinct values, categories into sets or one
branch each, and missing values are followed natively. A fitted tree is ``tree_``, parallel arrays that can
be read, drawn, written as rules and explained row by row.
"""

from __future__ import annotations

from hornbook.trees._complexity import PruningPath, prune_to
from hornbook.trees._decision_tree import DecisionTreeClassifier, DecisionTreeRegressor
from hornbook.trees._fitted import LEAF, MULTIWAY, THRESHOLD, FittedTree, places
from hornbook.trees._oblique import ObliqueTreeClassifier, ObliqueTreeRegressor
from hornbook.trees._oblique_grow import ObliqueTree
from hornbook.trees._settings import (
    Categorical,
    ClassCriterion,
    MaxBins,
    MaxFeatures,
    MaxLeaves,
    MinLeaf,
    MinShare,
    MinSplit,
    Missing,
    NotNegative,
    NumberCriterion,
    Purity,
    SubsetSize,
    as_categorical,
    code_frame,
    refuse_squares,
    refuse_weights,
    tree_options,
)
from hornbook.trees._stump import DecisionStump
from hornbook.trees._verify import require_trees
from hornbook.trees.explain._importance import impurity_importance
from hornbook.trees.explain._rule_list import Rule
from hornbook.trees.explain._rules import Rules

__all__ = [
    "LEAF",
    "MULTIWAY",
    "THRESHOLD",
    "Categorical",
    "ClassCriterion",
    "DecisionStump",
    "DecisionTreeClassifier",
    "DecisionTreeRegressor",
    "FittedTree",
    "MaxBins",
    "MaxFeatures",
    "MaxLeaves",
    "MinLeaf",
    "MinShare",
    "MinSplit",
    "Missing",
    "NotNegative",
    "NumberCriterion",
    "ObliqueTree",
    "ObliqueTreeClassifier",
    "ObliqueTreeRegressor",
    "PruningPath",
    "Purity",
    "Rule",
    "Rules",
    "SubsetSize",
    "as_categorical",
    "code_frame",
    "impurity_importance",
    "places",
    "prune_to",
    "refuse_squares",
    "refuse_weights",
    "require_trees",
    "tree_options",
]

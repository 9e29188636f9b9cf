"""Decision trees: questions about columns, one after the other, until the answer is clear.

One native grower makes them all: numbers are cut between their distinct values, categories into sets or one
branch each, and missing values are followed natively. A fitted tree is ``tree_``, parallel arrays that can
be read, drawn, written as rules and explained row by row.
"""

from __future__ import annotations

from hornbook.trees._complexity import PruningPath
from hornbook.trees._decision_tree import DecisionTreeClassifier, DecisionTreeRegressor
from hornbook.trees._fitted import FittedTree
from hornbook.trees._oblique import ObliqueTreeClassifier, ObliqueTreeRegressor
from hornbook.trees._oblique_grow import ObliqueTree
from hornbook.trees._rules import Rule, Rules
from hornbook.trees._stump import DecisionStump

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

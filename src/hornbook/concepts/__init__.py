"""What can be learned at all: concepts as conjunctions, their version spaces, and how many there are.

`ConjunctiveConcept` learns a conjunction of attribute = value for each class, `Memorizer` a lookup table.
`instance_space_size` and `hypothesis_space_size` count the candidates; `dichotomies`,
`separable_probability` and `capacity_curve` count what a hyperplane can separate (Cover's theorem), and
`linearly_separable`, `in_general_position` and `linear_dichotomies` examine given points.
"""

from __future__ import annotations

from hornbook.concepts._conjunctive_concept import ConjunctiveConcept
from hornbook.concepts._cover import CapacityCurve, capacity_curve, dichotomies, separable_probability
from hornbook.concepts._general_position import Position, in_general_position
from hornbook.concepts._groupings import Groupings, linear_dichotomies
from hornbook.concepts._memorizer import Memorizer
from hornbook.concepts._separability import Separation, linearly_separable
from hornbook.concepts._space_sizes import hypothesis_space_size, instance_space_size
from hornbook.concepts._version_space import VersionSpace

__all__ = [
    "CapacityCurve",
    "ConjunctiveConcept",
    "Groupings",
    "Memorizer",
    "Position",
    "Separation",
    "VersionSpace",
    "capacity_curve",
    "dichotomies",
    "hypothesis_space_size",
    "in_general_position",
    "instance_space_size",
    "linear_dichotomies",
    "linearly_separable",
    "separable_probability",
]

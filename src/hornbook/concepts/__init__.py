"""What can be learned at all: concepts as conjunctions, their version spaces, and how many there are.

`ConjunctiveConcept` learns a conjunction of attribute = value for each class, `Memorizer` a lookup table.
`instance_space_size` and `hypothesis_space_size` count the candidates; `dichotomies`,
`separable_probability` and `capacity_curve` count what a hyperplane can separate (Cover's theorem), and
`linearly_separable`, `in_general_position` and `linear_dichotomies` examine given points.
"""

from __future__ import annotations

from hornbook._lazy import attach

HOMES = {
    "CapacityCurve": "_cover",
    "ConjunctiveConcept": "_conjunctive_concept",
    "Groupings": "_groupings",
    "Memorizer": "_memorizer",
    "Position": "_general_position",
    "Separation": "_separability",
    "VersionSpace": "_version_space",
    "capacity_curve": "_cover",
    "dichotomies": "_cover",
    "hypothesis_space_size": "_space_sizes",
    "in_general_position": "_general_position",
    "instance_space_size": "_space_sizes",
    "linear_dichotomies": "_groupings",
    "linearly_separable": "_separability",
    "separable_probability": "_cover",
}

__all__ = list(HOMES)
__getattr__, __dir__ = attach(__name__, HOMES)

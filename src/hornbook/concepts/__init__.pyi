# Written by scripts/lazy_stubs.py.
from hornbook.concepts._conjunctive_concept import ConjunctiveConcept as ConjunctiveConcept
from hornbook.concepts._cover import CapacityCurve as CapacityCurve
from hornbook.concepts._cover import capacity_curve as capacity_curve
from hornbook.concepts._cover import dichotomies as dichotomies
from hornbook.concepts._cover import separable_probability as separable_probability
from hornbook.concepts._general_position import Position as Position
from hornbook.concepts._general_position import in_general_position as in_general_position
from hornbook.concepts._groupings import Groupings as Groupings
from hornbook.concepts._groupings import linear_dichotomies as linear_dichotomies
from hornbook.concepts._memorizer import Memorizer as Memorizer
from hornbook.concepts._separability import Separation as Separation
from hornbook.concepts._separability import linearly_separable as linearly_separable
from hornbook.concepts._space_sizes import hypothesis_space_size as hypothesis_space_size
from hornbook.concepts._space_sizes import instance_space_size as instance_space_size
from hornbook.concepts._version_space import VersionSpace as VersionSpace

HOMES: dict[str, str]

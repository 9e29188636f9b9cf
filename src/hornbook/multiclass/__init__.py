"""Many classes from learners of two: one against one, one against the rest, and codes of many against many.

Each splits the classes in several ways, has a member learn each split, and joins their answers. The member
can be any classifier of Hornbook or scikit-learn.
"""

from __future__ import annotations

from hornbook.multiclass._one_vs_one import OneVsOne
from hornbook.multiclass._one_vs_rest import OneVsRest
from hornbook.multiclass._output_codes import OutputCodes

__all__ = ["OneVsOne", "OneVsRest", "OutputCodes"]

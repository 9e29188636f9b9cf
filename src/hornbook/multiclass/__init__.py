"""Many classes from binary learners: one-vs-one, one-vs-rest, and error-correcting output codes.

Each splits the classes in several ways, fits a member to each split, and combines their predictions. The
member can be any classifier of Hornbook or scikit-learn.
"""

from __future__ import annotations

from hornbook.multiclass._one_vs_one import OneVsOne
from hornbook.multiclass._one_vs_rest import OneVsRest
from hornbook.multiclass._output_codes import OutputCodes

__all__ = ["OneVsOne", "OneVsRest", "OutputCodes"]

"""Many classes from binary learners: one-vs-one, one-vs-rest, and error-correcting output codes.

Each splits the classes in several ways, fits a member to each split, and combines their predictions. The
member can be any classifier of Hornbook or scikit-learn.
"""

from __future__ import annotations

from hornbook._lazy import attach

HOMES = {
    "OneVsOne": "_one_vs_one",
    "OneVsRest": "_one_vs_rest",
    "OutputCodes": "_output_codes",
}

__all__ = list(HOMES)
__getattr__, __dir__ = attach(__name__, HOMES)

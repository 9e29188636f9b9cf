"""Studies: a table taken from a first look to a verdict, a report and a model.

`study` checks the data before anything is fitted, compares learners on the same folds, says which of them can
be told apart, and writes it all to a folder from which an interrupted run goes on. `Settings` is everything
that determines a study, `Study` everything that came out.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from hornbook.studies._event import Event
from hornbook.studies._settings import Settings, StudyError

if TYPE_CHECKING:
    from hornbook.studies._check import Check
    from hornbook.studies._parts import Importance, LearnerInfo, Predictions
    from hornbook.studies._records import require_same_folds
    from hornbook.studies._run import study
    from hornbook.studies._study import Study
    from hornbook.studies._wording import for_shell

__all__ = [
    "Check",
    "Event",
    "Importance",
    "LearnerInfo",
    "Predictions",
    "Settings",
    "Study",
    "StudyError",
    "for_shell",
    "require_same_folds",
    "study",
]

# What needs the rest of the library is imported when it is used: the program knows its options at once.
_LATER = {
    "Check": "_check",
    "Importance": "_parts",
    "LearnerInfo": "_parts",
    "Predictions": "_parts",
    "Study": "_study",
    "for_shell": "_wording",
    "require_same_folds": "_records",
    "study": "_run",
}


def __getattr__(name: str) -> Any:
    if name not in _LATER:
        raise AttributeError(f"module 'hornbook.studies' has no attribute {name!r}")
    return getattr(import_module(f"hornbook.studies.{_LATER[name]}"), name)

"""Studies: from a table to a verdict, a report and a model.

`study` checks the data before anything is fitted, compares learners on the same folds, says which of them can
be told apart, and writes everything to a folder from which an interrupted run resumes. `Settings` is all that
determines a study, `Study` its result.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from hornbook.studies._event import Event
from hornbook.studies._settings import Settings, StudyError

if TYPE_CHECKING:
    from hornbook.studies._results import Importance, LearnerInfo, Predictions
    from hornbook.studies._shell_text import for_shell as for_shell
    from hornbook.studies._study import Study
    from hornbook.studies.prepare._check import Check
    from hornbook.studies.run._records import require_same_folds as require_same_folds
    from hornbook.studies.run._run import study

__all__ = [
    "Check",
    "Event",
    "Importance",
    "LearnerInfo",
    "Predictions",
    "Settings",
    "Study",
    "StudyError",
    "study",
]

# Imported on first use, because these need the rest of the library: `hornbook study --help` answers at once.
_LATER = {
    "Check": "prepare._check",
    "Importance": "_results",
    "LearnerInfo": "_results",
    "Predictions": "_results",
    "Study": "_study",
    "for_shell": "_shell_text",
    "require_same_folds": "run._records",
    "study": "run._run",
}


def __getattr__(name: str) -> Any:
    if name not in _LATER:
        raise AttributeError(f"module 'hornbook.studies' has no attribute {name!r}")
    return getattr(import_module(f"hornbook.studies.{_LATER[name]}"), name)

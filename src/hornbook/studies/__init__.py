"""Studies: from a table to a verdict, a report and a model.

`study` checks the data before anything is fitted, compares learners on the same folds, says which of them can
be told apart, and writes everything to a folder from which an interrupted run resumes. `Settings` is all that
determines a study, `Study` its result.

Names are imported when they are first used, because most need the rest of the library and
`hornbook study --help` does not.
"""

from __future__ import annotations

from importlib import import_module
from typing import Any

# Where each name is defined; scripts/lazy_stubs.py writes the same for editors and type checkers.
HOMES = {
    "Check": "prepare._check",
    "Event": "_event",
    "Importance": "_results",
    "LearnerInfo": "_results",
    "Predictions": "_results",
    "Settings": "_settings",
    "Study": "_study",
    "StudyError": "_settings",
    "study": "run._run",
}

# Lent to other packages, not for users.
LENT = {
    "for_shell": "_shell_text",
    "require_same_folds": "run._records",
}

__all__ = list(HOMES)


def __getattr__(name: str) -> Any:
    home = HOMES.get(name) or LENT.get(name)
    if home is None:
        raise AttributeError(f"module 'hornbook.studies' has no attribute {name!r}")
    value = globals()[name] = getattr(import_module(f"hornbook.studies.{home}"), name)
    return value


def __dir__() -> list[str]:
    return __all__

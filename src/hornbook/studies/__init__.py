"""Studies: a table taken from a first look to a verdict, a report and a model.

`study` checks the data before anything is fitted, compares learners on the same folds, says which of them can
be told apart, and writes it all to a folder from which an interrupted run goes on. `Settings` is everything
that determines a study, `Study` everything that came out.
"""

from __future__ import annotations

from hornbook.studies._check import Check
from hornbook.studies._event import Event
from hornbook.studies._parts import Importance, LearnerInfo, Predictions
from hornbook.studies._run import study
from hornbook.studies._settings import Settings, StudyError
from hornbook.studies._study import Study

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

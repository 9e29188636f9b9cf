"""Studies: from a table to a verdict, a report and a model.

`study` checks the data before anything is fitted, compares learners on the same folds, says which of them can
be told apart, and writes everything to a folder from which an interrupted run resumes. `Settings` is all that
determines a study, `Study` its result.
"""

from __future__ import annotations

from hornbook._lazy import attach

HOMES = {
    "Check": "prepare._check",
    "Event": "_event",
    "Importance": "_results",
    "LearnerInfo": "_results",
    "Predictions": "_results",
    "Settings": "_settings",
    "Study": "_study",
    "StudyError": "_settings",
    "study": "_start",
}

# Lent to other packages, not for users.
LENT = {
    "Outcome": "run._worker_pool",
    "WorkerPool": "run._worker_pool",
    "compare_studies": "terminal._study_pair",
    "for_shell": "_shell_text",
    "results_text": "terminal._results_text",
}

__all__ = list(HOMES)
__getattr__, __dir__ = attach(__name__, HOMES, LENT)

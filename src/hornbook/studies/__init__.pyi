# Written by scripts/lazy_stubs.py.
from hornbook.studies._event import Event as Event
from hornbook.studies._results import Importance as Importance
from hornbook.studies._results import LearnerInfo as LearnerInfo
from hornbook.studies._results import Predictions as Predictions
from hornbook.studies._settings import Settings as Settings
from hornbook.studies._settings import StudyError as StudyError
from hornbook.studies._shell_text import for_shell as for_shell
from hornbook.studies._start import study as study
from hornbook.studies._study import Study as Study
from hornbook.studies.prepare._check import Check as Check
from hornbook.studies.run._worker_pool import Outcome as Outcome
from hornbook.studies.run._worker_pool import WorkerPool as WorkerPool
from hornbook.studies.terminal._results_text import results_text as results_text
from hornbook.studies.terminal._study_pair import compare_studies as compare_studies

HOMES: dict[str, str]
LENT: dict[str, str]

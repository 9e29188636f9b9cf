# Written by scripts/lazy_stubs.py.
from hornbook.studies._event import Event as Event
from hornbook.studies._results import Importance as Importance
from hornbook.studies._results import LearnerInfo as LearnerInfo
from hornbook.studies._results import Predictions as Predictions
from hornbook.studies._settings import Settings as Settings
from hornbook.studies._settings import StudyError as StudyError
from hornbook.studies._shell_text import for_shell as for_shell
from hornbook.studies._study import Study as Study
from hornbook.studies.prepare._check import Check as Check
from hornbook.studies.run._records import require_same_folds as require_same_folds
from hornbook.studies.run._run import study as study

HOMES: dict[str, str]
LENT: dict[str, str]

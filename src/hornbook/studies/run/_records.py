"""The journal of a study: one line for each finished fold, from which an interrupted run resumes."""

from __future__ import annotations

import errno
import hashlib
import json
import os
import re
import shutil
import time
from contextlib import suppress
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import IO, Any, Literal

import numpy as np
from numpy.typing import NDArray

from hornbook.studies._settings import StudyError
from hornbook.studies.run._tasks import checksum

try:
    import fcntl
except ImportError:  # not on this system
    fcntl = None  # type: ignore[assignment]  # mypy has no type for an absent module

__all__ = ["Record", "Records", "predictions_name", "require_same_folds"]

JOURNAL, FOLDS, WORK = "records.jsonl", "folds", "work"
SECONDS_BETWEEN_SYNCS = 0.5
# Settings that determine the test rows of each fold, and their weights.
DEALT = (
    "target",
    "cv",
    "repeats",
    "seed",
    "group",
    "time",
    "weight",
    "drop_missing_target",
    "drop_duplicates",
)


@dataclass(frozen=True)
class Record:
    """The outcome of one learner in one fold.

    Parameters
    ----------
    learner : str
        The learner.
    repeat, fold : int
        Which fold.
    kind : {"done", "raised", "crashed", "time"}
        Whether it finished, raised an error, crashed its process, or exceeded the time limit.
    scores : dict of str to float
        Scores of all measures; None where a measure has no value.
    fit_seconds, predict_seconds : float
        How long it took.
    stored : int
        How many numbers the fitted model holds.
    checksum : str
        Of the predictions.
    warning, error : str
        What the learner warned of; why it failed.
    limit : float
        The time limit of the fit.
    setting : dict of str to object
        What was chosen for the learner on the training rows.
    """

    learner: str
    repeat: int
    fold: int
    kind: Literal["done", "raised", "crashed", "time"]
    scores: dict[str, float | None]
    fit_seconds: float = 0.0
    predict_seconds: float = 0.0
    stored: int = 0
    checksum: str = ""
    warning: str = ""
    error: str = ""
    limit: float = 0.0
    setting: dict[str, Any] = field(default_factory=dict)

    @property
    def key(self) -> tuple[str, int, int]:
        """Learner, repeat and fold."""
        return self.learner, self.repeat, self.fold


def predictions_name(learner: str, repeat: int, fold: int) -> str:
    """Name of the file with the predictions of a learner in a fold."""
    # Names of learners are the user's and may be any text; a hash keeps those apart that look alike.
    plain = re.sub(r"[^A-Za-z0-9]+", "-", learner)[:40]
    mark = "" if plain == learner else f"-{hashlib.sha256(learner.encode()).hexdigest()[:8]}"
    return f"{plain}{mark}-r{repeat}-f{fold}.npy"


class Records:
    """The journal of a study, on disk.

    Parameters
    ----------
    folder : path
        The folder of the study; created if it does not exist.
    identity : dict
        What must be the same for a run to be resumed: data, settings, learners, version.
    durable : bool
        Whether lines must survive a power failure; they survive a killed process in any case.
    """

    def __init__(self, folder: Path, identity: dict[str, Any], *, durable: bool) -> None:
        self.folder, self.durable = folder, durable
        self.by_key: dict[tuple[str, int, int], Record] = {}
        self._synced = 0.0
        self._begun = False
        journal = folder / JOURNAL
        kept = self._read(journal, identity) if journal.exists() else _nothing_in(folder)
        (folder / FOLDS).mkdir(parents=True, exist_ok=True)
        self.work = folder / WORK
        self._file = journal.open("ab", buffering=0)
        try:
            self._begin(kept, identity)
        except BaseException:
            self.close()
            raise

    def _begin(self, kept: int, identity: dict[str, Any]) -> None:
        """Lock the journal, and remove what a killed run has left."""
        _lock(self._file, self.folder)
        self._file.truncate(kept)  # a line that was being written when the process ended
        if not kept:
            self._write({"study": 1, **identity})
        self._tidy()
        self.work.mkdir()
        self._begun = True

    def _tidy(self) -> None:
        """Remove what only a running study needs."""
        for part in (self.folder / FOLDS).glob("*.part"):
            part.unlink(missing_ok=True)
        shutil.rmtree(self.work, ignore_errors=True)

    def _read(self, journal: Path, identity: dict[str, Any]) -> int:
        """Read the complete lines; return where they end."""
        content = journal.read_bytes()
        # A line counts once its newline is there: what follows the last one was cut off when the process
        # ended.
        end = content.rfind(b"\n") + 1
        lines = content[:end].splitlines()
        if not lines:
            return 0
        _require_same(self.folder, _header(lines[0], journal), identity)
        for line in lines[1:]:
            with suppress(ValueError, TypeError):  # a damaged line: its fold is run again
                record = Record(**json.loads(line))
                if record.kind != "done" or self.predictions(record) is not None:
                    self.by_key[record.key] = record
        return end

    def predictions(self, record: Record) -> NDArray[Any] | None:
        """Predictions of a finished fold; None if they are missing or damaged."""
        path = self.path(*record.key)
        try:
            array = np.load(path, allow_pickle=False)
        except (OSError, ValueError):
            return None
        return array if checksum(array) == record.checksum else None

    def path(self, learner: str, repeat: int, fold: int) -> Path:
        """Where the predictions of a fold are."""
        return self.folder / FOLDS / predictions_name(learner, repeat, fold)

    def part(self, learner: str, repeat: int, fold: int) -> Path:
        """Where a worker writes the predictions of a fold before they get their name."""
        path = self.path(learner, repeat, fold)
        return path.with_name(path.name + ".part")

    def add(self, record: Record) -> None:
        """Append one line; predictions are renamed first, so that every line in the journal has them."""
        if record.kind == "done":
            self.part(*record.key).replace(self.path(*record.key))
        self._write(asdict(record))
        self.by_key[record.key] = record

    def _write(self, line: dict[str, Any]) -> None:
        start = self._file.seek(0, os.SEEK_END)
        content = json.dumps(line, allow_nan=False).encode("ascii") + b"\n"
        try:
            _write_all(self._file, content)
            self._sync()
        except OSError:
            with suppress(OSError):  # no partial line when the disk is full
                self._file.truncate(start)
            raise

    def _sync(self, *, at_once: bool = False) -> None:
        """Flush lines to disk now and then; predictions that were lost are detected by their checksum."""
        # An fsync may take longer than a fit, so that not every line can wait for one.
        late = time.monotonic() - self._synced > SECONDS_BETWEEN_SYNCS
        if self.durable and (at_once or late):
            os.fsync(self._file.fileno())
            self._synced = time.monotonic()

    def close(self) -> None:
        """Close the journal, and remove what only a running study needs; workers must have ended."""
        with suppress(OSError):
            self._sync(at_once=True)
        if self._begun:
            with suppress(OSError):
                self._tidy()
        with suppress(OSError):
            self._file.close()


def require_same_folds(first: Path, second: Path) -> None:
    """Refuse two studies whose learners were not tested on the same rows, as far as their journals say.

    Parameters
    ----------
    first, second : path
        Their folders.

    Examples
    --------
    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     for seed in (0, 1):
    ...         Path(folder, str(seed)).mkdir()
    ...         line = json.dumps({"study": 1, "data": "iris", "settings": {"seed": seed}})
    ...         _ = Path(folder, str(seed), "records.jsonl").write_text(line)
    ...     try:
    ...         require_same_folds(Path(folder, "0"), Path(folder, "1"))
    ...     except StudyError as error:
    ...         print(str(error).partition("because ")[2])
    their folds are not the same (seed = 0 and 1): run both on the same table with the same settings.
    """
    if not all((folder / JOURNAL).is_file() for folder in (first, second)):
        return
    one, two = (_first_line(folder / JOURNAL) for folder in (first, second))
    for name in ("data", *DEALT):
        values = [head.get(name, head.get("settings", {}).get(name)) for head in (one, two)]
        if values[0] != values[1]:
            what = "other data" if name == "data" else f"{name} = {values[0]!r} and {values[1]!r}"
            raise StudyError(
                f"{first} and {second} cannot be compared, because their folds are not the same ({what}): "
                "run both on the same table with the same settings."
            )


def _first_line(journal: Path) -> dict[str, Any]:
    with journal.open("rb") as file:
        return _header(file.readline(), journal)


def _write_all(file: IO[bytes], content: bytes) -> None:
    if file.write(content) != len(content):
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))


def _nothing_in(folder: Path) -> int:
    """Refuse a folder with other files; a new journal begins at 0."""
    others = sorted(path.name for path in folder.iterdir()) if folder.is_dir() else []
    if others and others != [FOLDS]:  # a run that was killed before its first line leaves just that
        raise StudyError(
            f"the folder {folder} holds other files ({others[0]} ...) and no study: choose an empty or a new "
            "one with out=."
        )
    return 0


def _lock(file: IO[bytes], folder: Path) -> None:
    """Make sure that no other run writes to the folder at the same time, where the system has file locks."""
    # The system releases the lock when the process ends, however it ends: no stale lock file to delete.
    if fcntl is None:
        return
    try:
        fcntl.flock(file.fileno(), fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError as error:
        raise StudyError(
            f"another run is writing to the folder {folder}: wait until it ends, or choose another with out=."
        ) from error


def _header(line: bytes, journal: Path) -> dict[str, Any]:
    try:
        return dict(json.loads(line))
    except (ValueError, TypeError) as error:
        raise StudyError(f"{journal} is damaged: remove the folder, or choose another with out=.") from error


def _require_same(folder: Path, recorded: dict[str, Any], asked: dict[str, Any]) -> None:
    for name, wanted in asked.items():
        value = recorded.get(name)
        if value == wanted:
            continue
        what = {"data": "other data", "version": f"version {value} of the library"}.get(
            name, f"{name} = {value!r}, not {wanted!r}"
        )
        if isinstance(wanted, dict) and isinstance(value, dict):
            key = next(key for key in {**value, **wanted} if wanted.get(key) != value.get(key))
            setting = f"{key} = {value.get(key)!r}, not {wanted.get(key)!r}"
            what = "other learners" if name == "learners" else setting
        raise StudyError(
            f"the folder {folder} belongs to another study ({what}): choose another with out=, or remove it."
        )

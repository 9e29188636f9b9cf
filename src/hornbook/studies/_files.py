"""Files that are written completely or not at all."""

from __future__ import annotations

import errno
import os
import re
import secrets
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from hornbook.studies._settings import StudyError

__all__ = ["DiskError", "place", "reason_of", "sentences", "write_text"]


OS_ERROR = re.compile(r"\(os error (\d+)\)")  # how polars formats an OS error number
FULL = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)  # errors that freeing disk space solves


class DiskError(OSError):
    """A file of the study could not be written, as opposed to a file that a learner opened."""


def reason_of(error: OSError) -> tuple[int | None, str]:
    """Return number and text of a file system error, which libraries pass on in different forms.

    Parameters
    ----------
    error : OSError
        The error.
    """
    if error.errno is not None:
        return error.errno, error.strerror or os.strerror(error.errno)
    text = error.strerror or str(error)
    number = OS_ERROR.search(text)
    if number is not None:
        return int(number[1]), os.strerror(int(number[1]))
    # NumPy reports only how much was written; less than requested means that the disk is full.
    return (errno.ENOSPC, os.strerror(errno.ENOSPC)) if " requested and " in text else (None, text)


def place(path: Path, write: Callable[[Path], None]) -> None:
    """Let a function write a file under a temporary name, and rename it once it is complete.

    Parameters
    ----------
    path : path
        The final name; an existing file is replaced.
    write : function
        Takes the temporary path and writes the file.
    """
    temporary = path.with_name(f".{path.stem[:40]}-{secrets.token_hex(4)}{path.suffix}")
    try:
        write(temporary)
        temporary.replace(path)
    except BaseException:
        with suppress(OSError):
            temporary.unlink()
        raise


def write_text(path: Path, text: str) -> None:
    """Write a text file, completely or not at all."""

    def write(temporary: Path) -> None:
        with temporary.open("w", encoding="utf-8", newline="\n") as file:
            file.write(text)
            file.flush()
            os.fsync(file.fileno())

    place(path, write)


@contextmanager
def sentences(folder: Path) -> Iterator[None]:
    """Turn file system errors into one sentence about the folder."""
    try:
        yield
    except OSError as error:
        if folder.exists() and not folder.is_dir():
            raise StudyError(f"{folder} is a file and not a folder: choose another with out=.") from error
        where = folder if error.filename is None else error.filename
        remedy = "choose another folder with out="
        number, reason = reason_of(error)
        if number in FULL:
            remedy = "free disk space and run the same study again, finished folds are kept; or " + remedy
        raise StudyError(f"{where} cannot be written: {reason}; {remedy}.") from error

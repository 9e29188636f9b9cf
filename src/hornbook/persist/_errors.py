"""The error of model files, and the context manager that turns every other error into it."""

from __future__ import annotations

import errno
import os
import reprlib
from collections.abc import Iterator
from contextlib import contextmanager

__all__ = ["Damaged", "ModelFileError", "brief", "fence", "quoted", "shown"]

LONGEST = 300  # characters of another library's message
SHORT = reprlib.Repr()
SHORT.maxstring = SHORT.maxother = 60


class ModelFileError(ValueError):
    """A model cannot be saved to a file, or a file does not hold a usable model."""


class Damaged(Exception):  # noqa: N818 - it never reaches a user: the fence turns it into a ModelFileError
    """What is wrong inside a file, for the end of a sentence that starts with its name."""


@contextmanager
def fence(path: str | os.PathLike[str]) -> Iterator[None]:
    """Turn every failure inside into a ModelFileError that names the file."""
    name = shown(path)
    try:
        yield
    except ModelFileError:
        raise
    except Damaged as error:
        raise ModelFileError(f"{name} cannot be loaded: {error}") from None
    except OSError as error:
        # A seek to a negative offset: the central directory is wrong.
        wrong = error.errno == errno.EINVAL
        what = "loaded: it is damaged" if wrong else f"read: {error.strerror or brief(error)}"
        raise ModelFileError(f"{name} cannot be {what}.") from error
    except MemoryError as error:
        raise ModelFileError(f"{name} cannot be loaded: it asks for more memory than there is.") from error
    except RecursionError as error:
        raise ModelFileError(f"{name} cannot be loaded: its parts are nested too deeply.") from error
    except Exception as error:  # whatever a malicious file provokes, the user gets one kind of error
        what = f"{type(error).__name__}: {brief(error)}".removesuffix(": ")
        raise ModelFileError(f"{name} cannot be loaded: it is damaged ({what}).") from error


def shown(path: str | os.PathLike[str]) -> str:
    """Write the name of a file for a sentence."""
    return repr(os.fsdecode(path))


def quoted(value: object) -> str:
    """Quote something from a file: short, and without control characters."""
    return SHORT.repr(value)


def brief(error: BaseException) -> str:
    """Write the message of an error on one line, truncated, without control characters."""
    text = "".join(
        character if character.isprintable() else "?" for character in " ".join(str(error).split())
    )
    return (text if len(text) <= LONGEST else f"{text[:LONGEST]}...").rstrip(".")

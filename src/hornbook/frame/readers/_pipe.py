"""Standard input and other pipes, which can be read only once, copied to temporary files."""

from __future__ import annotations

import gzip
import os
import shutil
import sys
import tempfile
import weakref
import zlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, TypeVar

from hornbook.frame.readers._formats import FORMATS, ending_of
from hornbook.frame.readers._path import LABELS, is_pipe
from hornbook.params import let_ctrl_c_through

__all__ = ["STANDARD_INPUT", "removed_unless_used", "spooled"]

Reader = TypeVar("Reader")

STANDARD_INPUT = "-"
START = 1 << 12  # bytes from which the format is guessed


def spooled(path: str | os.PathLike[str]) -> Path | None:
    """Copy standard input or a pipe to a temporary file; None for a regular file.

    Parameters
    ----------
    path : str or path
        As given by the user; "-" is standard input.
    """
    if os.fspath(path) == STANDARD_INPUT:
        let_ctrl_c_through()
        if sys.stdin is None or sys.stdin.closed:
            raise ValueError("standard input is closed: pipe a table into the program, or name a file.")
        return _copied(sys.stdin.buffer, "standard input", "")
    file = Path(path).expanduser()
    if not is_pipe(file):
        return None
    let_ctrl_c_through()
    with file.open("rb") as stream:
        return _copied(stream, str(file), ending_of(file))


@contextmanager
def removed_unless_used(file: Path) -> Iterator[Callable[[Reader], Reader]]:
    """Give a function that ties a temporary file to the lifetime of its reader; on failure remove it.

    Parameters
    ----------
    file : path
        The copy of a pipe.
    """
    try:
        yield lambda reader: _kept_with(reader, file)
    except BaseException:
        _remove(file)
        raise


def _kept_with(reader: Reader, file: Path) -> Reader:
    weakref.finalize(reader, _remove, file)  # at interpreter exit at the latest
    return reader


def _copied(stream: IO[bytes], label: str, ending: str) -> Path:
    start = stream.read(START)
    if not start:
        raise ValueError(f"{label} is empty: a table with a header line and rows is needed.")
    ending = ending if ending in FORMATS else _ending(start)
    with tempfile.NamedTemporaryFile(prefix="hornbook-", suffix=ending, delete=False) as file:
        path = Path(file.name)
        try:
            file.write(start)
            shutil.copyfileobj(stream, file)
        except BaseException:
            _remove(path)
            raise
    LABELS[path] = label
    return path


def _ending(start: bytes) -> str:
    """The format of a table without a file name, from its first bytes."""
    if start.startswith(b"\x1f\x8b"):
        start = _decompressed(start)
    start = start.lstrip()
    known = (ending for ending, form in FORMATS.items() if form.start and start.startswith(form.start))
    return next(known, ".csv")


def _decompressed(start: bytes) -> bytes:
    try:
        return zlib.decompressobj(zlib.MAX_WBITS | 16).decompress(start)
    except (zlib.error, gzip.BadGzipFile):
        return b""  # the reader reports what is wrong


def _remove(file: Path) -> None:
    LABELS.pop(file, None)
    file.unlink(missing_ok=True)

"""Checks of a file: that it exists, is readable, and has not changed."""

from __future__ import annotations

import os
from dataclasses import dataclass
from difflib import get_close_matches
from pathlib import Path

__all__ = ["LABELS", "Stamp", "existing", "is_pipe", "label", "shown"]

LABELS: dict[Path, str] = {}  # names in messages of the pipes that temporary files are copies of


@dataclass(frozen=True)
class Stamp:
    """Size and modification time of a file when it was opened."""

    path: Path
    size: int
    changed: int

    @classmethod
    def of(cls, path: Path) -> Stamp:
        """The stamp of a file now."""
        status = path.stat()
        return cls(path, status.st_size, status.st_mtime_ns)

    def check(self) -> None:
        """Reject a file that has changed."""
        try:
            same = Stamp.of(self.path) == self
        except FileNotFoundError:
            same = False
        if not same:
            raise ValueError(
                f"{shown(self.path)} has changed since it was opened: wait until nothing writes to it, "
                "then read or scan it again."
            )


def existing(path: str | os.PathLike[str]) -> Path:
    """Return the path of a file that can be read and is not empty."""
    if not isinstance(path, str | os.PathLike):
        raise TypeError(
            f"A path is needed, as text or pathlib.Path; got {type(path).__name__}: "
            "make a table that is already in memory a Frame."
        )
    file = Path(path).expanduser()
    if file.is_dir():
        raise IsADirectoryError(f"{shown(file)} is a folder: name one of the files in it.")
    if not file.exists():
        raise FileNotFoundError(f"There is no file {shown(file)}: {_hint(file)}")
    if not os.access(file, os.R_OK):
        raise PermissionError(f"{shown(file)} cannot be read: change its permissions.")
    if file.stat().st_size == 0:
        raise ValueError(f"{shown(file)} is empty: a table with a header line and rows is needed.")
    return file


def shown(path: Path) -> str:
    """Return the path as messages show it."""
    return LABELS[path] if LABELS.get(path) == "standard input" else f"'{label(path)}'"


def label(path: Path) -> str:
    """Return the name the user knows: the copy of a pipe has another one."""
    return LABELS.get(path, str(path))


def is_pipe(path: Path) -> bool:
    """Whether it can be read only once, such as the ``<(command)`` of shells."""
    return path.is_fifo() or path.is_socket()


def _hint(file: Path) -> str:
    try:
        names = [path.name for path in file.parent.iterdir()]
    except OSError:
        return f"there is no folder {shown(file.parent)} either; check the spelling."
    near = get_close_matches(file.name, names, n=1)
    return f"did you mean '{file.parent / near[0]}'?" if near else "check the spelling and the folder."

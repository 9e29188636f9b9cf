"""Files that appear under their name when they are complete."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO

__all__ = ["written"]


@contextmanager
def written(path: Path) -> Iterator[IO[bytes]]:
    """Open a file to write; if anything goes wrong, what was there stays as it was.

    Parameters
    ----------
    path : path
        The file.
    """
    part = path.with_name(f"{path.name}.part")
    try:
        with part.open("wb") as file:
            yield file
        part.replace(path)
    except OSError as error:
        part.unlink(missing_ok=True)
        if isinstance(error, BrokenPipeError):
            raise
        raise OSError(
            f"'{path}' cannot be written: {error.strerror or error}; choose another place."
        ) from error
    except BaseException:
        part.unlink(missing_ok=True)
        raise

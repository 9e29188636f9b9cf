"""Check that a large matrix fits into memory before it is allocated."""

from __future__ import annotations

import os
from pathlib import Path

__all__ = ["require_memory"]

GIB = 2**30


def require_memory(n_rows: int, n_columns: int, remedy: str) -> None:
    """Reject a float64 matrix that does not fit into available memory.

    Parameters
    ----------
    n_rows, n_columns : int
        Its shape.
    remedy : str
        What to do instead, as the end of the sentence.

    Examples
    --------
    >>> require_memory(10**9, 10**9, "take fewer columns")  # doctest: +ELLIPSIS
    Traceback (most recent call last):
    MemoryError: A matrix of 1000000000 rows and 1000000000 columns needs 7450580596.9 GiB, but ...
    """
    needed, free = 8 * n_rows * n_columns, _free()
    if free is not None and needed > free:
        raise MemoryError(
            f"A matrix of {n_rows} rows and {n_columns} columns needs {needed / GIB:.1f} GiB, but "
            f"{free / GIB:.1f} GiB are free: {remedy}."
        )


def _free() -> int | None:
    """Bytes available without swapping; None where the system does not report it."""
    try:
        # MemAvailable, not free pages: the file cache is given up when memory is needed.
        lines = Path("/proc/meminfo").read_text(encoding="ascii").splitlines()
        return next(int(line.split()[1]) * 1024 for line in lines if line.startswith("MemAvailable"))
    except (OSError, StopIteration):
        pass
    try:
        return os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    except (AttributeError, OSError, ValueError):
        return None

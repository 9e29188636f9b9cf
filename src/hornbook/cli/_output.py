"""Write tables as CSV or Parquet, to stdout or to a file that appears when it is complete."""

from __future__ import annotations

import io
import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, TYPE_CHECKING

import click

from hornbook.cli._console import shown

if TYPE_CHECKING:
    import polars as pl

__all__ = ["STDOUT", "require_writable", "write_tables", "written"]

STDOUT = "-"
PARQUET = (".parquet", ".pq")


def require_writable(out: str | None, *, csv_safe: bool) -> None:
    """Reject an output file with an unknown ending before any work is done.

    Parameters
    ----------
    out : str, optional
        The file; "-" or None for stdout.
    csv_safe : bool
        Whether formulas are escaped.
    """
    ending = "" if out is None else Path(out).suffix.lower()
    if out not in (None, STDOUT) and ending not in (".csv", *PARQUET):
        raise click.BadParameter(
            f"predictions are written as CSV or Parquet; got '{out}': name it *.csv or *.parquet, or pass - "
            "for stdout.",
            param_hint="--out",
        )
    if csv_safe and ending in PARQUET:
        raise click.UsageError("--csv-safe is for CSV, and Parquet has no formulas: leave it out.")


def write_tables(tables: Iterable[pl.DataFrame], out: str | None) -> None:
    """Write tables one below the other.

    Parameters
    ----------
    tables : iterable of DataFrame
        Tables with the same columns.
    out : str, optional
        The file, whose ending determines the format; "-" or None for CSV on stdout.
    """
    if out in (None, STDOUT):
        _write_csv(tables, sys.stdout.buffer, escape=sys.stdout.isatty())
        return
    path = Path(str(out))
    with written(path) as file:
        if path.suffix.lower() in PARQUET:
            _write_parquet(tables, file)
        else:
            _write_csv(tables, file)


def _write_csv(tables: Iterable[pl.DataFrame], file: IO[bytes], *, escape: bool = False) -> None:
    """Write CSV, with control characters escaped if it goes to a terminal."""
    for place, table in enumerate(tables):
        buffer = io.BytesIO()
        table.write_csv(buffer, include_header=place == 0)
        text = buffer.getvalue()
        left = memoryview(shown(text.decode()).encode() if escape else text)
        while left:  # an unbuffered stdout may write only part
            left = left[file.write(left) :]
    file.flush()


def _write_parquet(tables: Iterable[pl.DataFrame], file: IO[bytes]) -> None:
    import polars as pl  # noqa: PLC0415 - slow to import, which would delay --help

    buffer = io.BytesIO()  # written by Python, whose errors name the problem with the disk
    pl.concat(list(tables), how="vertical_relaxed").write_parquet(buffer)
    file.write(buffer.getbuffer())


@contextmanager
def written(path: Path) -> Iterator[IO[bytes]]:
    """Open a file for writing; on failure, an existing file stays intact.

    Parameters
    ----------
    path : path
        The file.
    """
    # In the same folder, because renaming is atomic only within one file system.
    part = path.with_name(f"{path.name}.part")
    try:
        with part.open("wb") as file:
            yield file
        part.replace(path)
    except OSError as error:
        part.unlink(missing_ok=True)
        # A reader such as `head` that has seen enough is no error of the disk; the program ends quietly for
        # it.
        if isinstance(error, BrokenPipeError):
            raise
        raise OSError(
            f"'{path}' cannot be written: {error.strerror or error}; choose another place."
        ) from error
    except BaseException:
        part.unlink(missing_ok=True)
        raise

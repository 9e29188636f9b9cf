"""Tables written piece by piece, as CSV or Parquet, to stdout or to a file that appears when complete."""

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
    """Refuse a file whose ending is none that can be written, before any work is done.

    Parameters
    ----------
    out : str, optional
        The file; "-" or None for stdout.
    csv_safe : bool
        Whether formulas are to be guarded against.
    """
    ending = "" if out is None else Path(out).suffix.lower()
    if out not in (None, STDOUT) and ending not in (".csv", *PARQUET):
        raise click.BadParameter(
            f"predictions are written as CSV or Parquet; got '{out}', name it *.csv or *.parquet, or - for "
            "stdout.",
            param_hint="--out",
        )
    if csv_safe and ending in PARQUET:
        raise click.UsageError("--csv-safe is for CSV, and Parquet holds no formulas: leave it out.")


def write_tables(tables: Iterable[pl.DataFrame], out: str | None) -> None:
    """Write tables below each other.

    Parameters
    ----------
    tables : iterable of DataFrame
        With the same columns.
    out : str, optional
        A file, whose ending says what it becomes; "-" or None for stdout, which gets CSV.
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
    """Write CSV; a terminal gets escapes for what it would obey, all others the text itself."""
    for place, table in enumerate(tables):
        buffer = io.BytesIO()
        table.write_csv(buffer, include_header=place == 0)
        text = buffer.getvalue()
        left = memoryview(shown(text.decode()).encode() if escape else text)
        while left:  # an unbuffered stdout takes what it can
            left = left[file.write(left) :]
    file.flush()


def _write_parquet(tables: Iterable[pl.DataFrame], file: IO[bytes]) -> None:
    import polars as pl  # noqa: PLC0415 - slow to import, and help must not wait for it

    buffer = io.BytesIO()  # written by Python, whose errors say what is wrong with the disk
    pl.concat(list(tables), how="vertical_relaxed").write_parquet(buffer)
    file.write(buffer.getbuffer())


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
